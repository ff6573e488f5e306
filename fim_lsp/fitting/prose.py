"""Sentences that chat models write in front of their code and behind it are removed.

    Here is the code:
                                    only `return total` is the text
    return total

    This returns the total.

They stand on lines of their own, in no string or comment, and no code begins as they do.
"""

from __future__ import annotations

import re

from fim_lsp.fitting.nearest import FittingContext, ReadText
from fim_lsp.known_languages import PYTHON
from fim_lsp.positions import first_line
from fim_lsp.recognizers import is_code
from quotient import Recognizer

LEADING = re.compile(
    r"\s*[A-Z][\w'\u2019]*[,!.]? [a-zA-Z][^=;{}\n\r]*[:.!][ \t]*(?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))*"
)
LINE_START = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?=[A-Z][\w'\u2019]*(?:[,:]? [a-z`]|[,:]\Z))")
# A line up to its third word, where at the latest no code goes on.
THREE_WORDS = re.compile(r"\S+ \S+(?: \S*)?")
CODE_SIGN = re.compile(r"[=;{}]")
# With these, two words are code of Python.
OPERATOR = re.compile(r"\S+ (?:and|as|else|for|if|in|is|not|or)\b")


def without_prose(recognizer: Recognizer, text: str, place: FittingContext) -> str | None:
    """A text without its first and last sentences; None if it has none."""
    content = behind_leading_prose(recognizer, text, place)
    if content is None:
        start = trailing_prose(recognizer, text, place)
        return None if start is None else text[:start]
    # Sentences alone have nothing between the first and the last one.
    start = trailing_prose(recognizer, f"\n{content}", place)
    return content if start is None else content[: max(start - 1, 0)]


def behind_leading_prose(recognizer: Recognizer, text: str, place: FittingContext) -> str | None:
    """What stands behind the sentence that a text begins with; None if it begins with none."""
    found = LEADING.match(text)
    if found is None or place.known_language is None or not is_code(recognizer):
        return None
    is_read = ReadText(recognizer, found[0].rstrip()).length >= len(found[0].rstrip())
    return None if is_read else text[found.end() :]


def trailing_prose(recognizer: Recognizer, text: str, place: FittingContext) -> int | None:
    """Where a text's last sentences begin, with the line end in front of them; None if there are none."""
    reading: ReadText | None = None
    for found in LINE_START.finditer(text):
        if place.known_language is None or CODE_SIGN.search(first_line(text[found.end() :])):
            continue
        reading = reading or ReadText(recognizer, text)
        words = THREE_WORDS.match(text, found.end())
        last = len(text) if words is None else words.end()
        if found.start() > reading.length:
            # Lines of Python that will be moved to other columns are not read yet.
            if place.known_language is PYTHON and not OPERATOR.match(text, found.end()):
                return found.start()
        elif reading.length < len(text) and reading.length <= last and is_code(reading.at(found.start())):
            return found.start()
    return None
