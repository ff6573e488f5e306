def wrapper(*args, **kwargs):
    return function($0)
