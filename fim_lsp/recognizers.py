"""What is asked of a recognizer, which stays where it is: whether a text fits behind what it has read, and
whether code comes next.
"""

from __future__ import annotations

from quotient import Recognizer

# No code takes these signs, in none of the languages, and all strings and comments do. The second is for
# Python's strings of bytes, which take no letters beyond ASCII, and for what a backslash has begun.
NO_CODE = ("\N{SECTION SIGN}".encode(), b"\\`")


def fits(recognizer: Recognizer, text: str | bytes) -> bool:
    """Whether the file parses with a text."""
    reading = recognizer.fork()
    return reading.advance(text) and reading.is_member()


def is_code(recognizer: Recognizer) -> bool:
    """Whether what comes next is neither in a string nor in a comment."""
    return not any(recognizer.fork().advance(text) for text in NO_CODE)
