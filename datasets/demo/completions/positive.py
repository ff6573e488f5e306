def positive(value):
    if value < 0:
        raise $0
    return value
