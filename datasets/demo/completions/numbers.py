def to_int(text):
    try:
        value = int(text)
    except ValueError:
        $0
    return value
