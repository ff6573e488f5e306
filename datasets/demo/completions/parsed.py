def parse(text):
    try:
        return int(text)
    except $0:
        return None
