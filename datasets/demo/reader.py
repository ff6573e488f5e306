def read_lines(path):
    lines = []
    with open(path) as file:
        for line in file:
            lines.
    return lines
