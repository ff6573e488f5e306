def report(user, width=20):
    print(f"{user.$0!r:>{width}}")
    return user
