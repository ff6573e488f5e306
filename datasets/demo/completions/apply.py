def apply(func, *args, **kwargs):
    return func($0)
