"""Closers: the text that closes what is open at the cursor, and nothing else. It is made of brackets, quotes,
a header's colon and a statement's semicolon.

Such a text means something without a model: it is what the person would have to type in the end anyway. A
witness, the engine's shortest text, often is not of that kind; where a value is missing it has a name in it
that was not meant:

    def add(a, b):          with open(path
        |                   the witness: "a"        the witness: "):a"

It is also what is put in behind a part of an offer that was accepted and left (`closing_of_part`).
"""

from __future__ import annotations

import re

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.positions import first_line
from fim_lsp.recognizers import ends_string, is_code
from quotient import Recognizer

BRACKETS = (")", "]", "}")
# Deeper nesting is not closed; Python itself stops at 200.
MAX_CLOSERS = 100
# The pieces in which the rest of an offer is taken.
PIECE = re.compile(r"\s*(?:\w+|[^\w\s]|\Z)")


def closing(recognizer: Recognizer, right: str, known_language: KnownLanguage = PYTHON) -> str | None:
    """The shortest text of closers alone with which the file parses; None where there is none.

    `right` is the text behind the cursor.
    """
    reading = recognizer.fork()
    closers = ""
    for _ in range(MAX_CLOSERS):
        if reading.is_member():
            return closers
        closer = next_closer(reading, known_language, closers)
        if closer is None:
            is_header = known_language.has_suites and closes_header(reading, right)
            return closers + ":" if is_header else None
        reading.advance(closer)
        closers += closer
    return None


def closing_of_part(
    recognizer: Recognizer, right: str, rest: str, known_language: KnownLanguage = PYTHON
) -> str | None:
    """The shortest text that makes the file parse where a part of an offer was accepted, and the person went
    elsewhere; None where there is none.

    Mostly these are closers. Where those do not do, as much of the rest of the offer as it takes goes in
    front of them: it was meant by the user, which a name that the engine would make up was not.

        names = sorted(|                 accepted `sorted(`:  `)`
        for row in rows: print(row)      accepted `for row`:  ` in rows: print(row)`
    """
    reading, taken = recognizer.fork(), ""
    closers = closing(reading, right, known_language)
    for piece in PIECE.findall(rest):
        if closers is not None or not reading.advance(piece):
            break
        taken += piece
        closers = closing(reading, right, known_language)
    return None if closers is None else taken + closers


def next_closer(reading: Recognizer, known_language: KnownLanguage, closers: str) -> str | None:
    """The sign that ends the innermost open string or bracket, or a statement; behind that only its block.

    The sign that ends a type's arguments comes last, and not where it would compare.
    """
    if not is_code(reading):
        return next((quote for quote in known_language.quotes if ends_string(reading, quote)), None)
    if known_language.terminator and closers[-1:] == known_language.terminator:
        ends: tuple[str, ...] = ("}",)
    else:
        type_end = "" if reading.fork().advance("==") else known_language.type_end
        ends = tuple(filter(None, (*BRACKETS, known_language.terminator, type_end)))
    return next((end for end in ends if reading.fork().advance(end)), None)


def closes_header(reading: Recognizer, right: str) -> bool:
    """Whether a colon is all that is missing: the block stands there already.

    if is_open|                 but not  rows[|
        return 1                         ]
    """
    rest_of_line = first_line(right)
    if rest_of_line.strip() or reading.nesting().n_brackets:
        return False
    ended = reading.fork()
    return ended.advance(":") and ended.is_member()
