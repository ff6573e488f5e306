"""The lexer for holes; what Python uses of it comes through `quotient`."""
