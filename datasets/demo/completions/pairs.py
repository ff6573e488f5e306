def show(items):
    for index, item in enum$0:
        print(index, item)
