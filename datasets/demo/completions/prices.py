def total(prices):
    result = 0
    for price in $0:
        result += price
    return result
