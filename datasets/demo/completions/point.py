class Point:
    def __eq__(self, other):
        if not isinstance(other, $0):
            return NotImplemented
        return self.x == other.x and self.y == other.y
