def area(width, height):
    return width * height


def square(width):
    return area($0)
