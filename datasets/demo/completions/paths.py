from pathlib import $0


def read(name):
    path = Path(name)
    return path.read_text()
