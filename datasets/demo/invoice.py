def total(lines):
    return sum(price * 


print(total([(3, 4), (5, 2)]))
