def first(items):
    if not items:
        $0
    return items[0]
