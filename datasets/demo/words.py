def lengths(words):
    """The length of each word, keyed by the word."""
    table = {word: $0}
    return table
