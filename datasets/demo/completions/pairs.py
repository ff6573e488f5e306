def show(items):
    for index, item in $0:
        print(index, item)
