"""Questions to a recognizer, which stays where it is: whether a text fits behind what it has read, and
whether code comes next.
"""

from __future__ import annotations

import re

from fim_lsp.positions import first_line
from quotient import Recognizer

# No code takes these signs, in none of the languages, and all strings and comments do. The second is for
# Python's strings of bytes, which take no letters beyond ASCII, and for what a backslash has begun.
NO_CODE = ("\N{SECTION SIGN}".encode(), b"\\`")
# Quotes and what else ends strings, regular expressions and text between tags, each with a sign that is no
# code.
NO_END = "".join(f"{end}\N{SECTION SIGN}" for end in ('"""', "'''", '"', "'", "`", "/", "<"))
COMMENT_OF_HTML = "<!--"
# The ends that a comment may have.
COMMENT_END = re.compile(r"\*/|[\r\n]")


def fits(recognizer: Recognizer, text: str | bytes) -> bool:
    """Whether the file parses with a text."""
    reading = recognizer.fork()
    return reading.advance(text) and reading.is_member()


def is_code(recognizer: Recognizer) -> bool:
    """Whether the next character is neither in a string nor in a comment."""
    return not any(recognizer.fork().advance(text) for text in NO_CODE)


def ends_string(recognizer: Recognizer, quote: str) -> bool:
    """Whether a quote ends the string that comes next."""
    ended = recognizer.fork()
    return ended.advance(quote) and is_code(ended)


def is_comment(recognizer: Recognizer) -> bool:
    """Whether the place is in a comment, which takes any sign; every other symbol that takes the first sign
    of NO_END is ended by another one."""
    return not is_code(recognizer) and recognizer.fork().advance(NO_END)


def is_between_tags(recognizer: Recognizer) -> bool:
    """Whether text between tags of JSX comes next, which takes any sign but not behind `<`, where a name must
    stand; strings and comments take it there, too. Only for languages without strings of one character."""
    return not is_code(recognizer) and not any(recognizer.fork().advance(b"<" + text) for text in NO_CODE)


def has_comment_of_html(recognizer: Recognizer, text: str) -> bool:
    place = text.find(COMMENT_OF_HTML)
    if place < 0:
        return False
    behind = recognizer.fork()
    return behind.advance(text[:place]) and is_code(behind) and ends_in_comment(behind, COMMENT_OF_HTML)


def ends_in_comment(stand: Recognizer, text: str) -> bool:
    behind = stand.fork()
    return behind.advance(text) and is_comment(behind)


def hides_code(recognizer: Recognizer, text: str, right: str) -> bool:
    """Whether a text makes a comment of the rest of the line, or says something between two halves of one.

    |x = 1            #!            /* a | */            */package a/*

    A comment of HTML, which JavaScript has kept, is never meant: `private <!-- ...`.
    """
    if has_comment_of_html(recognizer, text):
        return True
    behind = recognizer.fork()
    if not behind.advance(text) or not is_comment(behind):
        return False
    if not is_comment(recognizer):
        return bool(first_line(right).strip())
    ends = (found.end() for found in COMMENT_END.finditer(text))
    return any((fork := recognizer.fork()).advance(text[:end]) and is_code(fork) for end in ends)
