"""The symbols of a text: words, numbers, signs. They need no tree."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Words, numbers, signs; white space separates them.
SYMBOL = re.compile(
    r"[^\W\d]\w*|\d[\w.]*|\"\"\"|'''|[\"'`]|->|:=|=>|[=!]==|\*\*=?|//=?|<<=?|>>=?|\.\.\.|&&|\|\||[=!<>+\-*/%&|^@:]=|\S"
)
WORD = re.compile(r"[^\W\d]\w*")
NOTHING_GIVEN = re.compile(r"\(\s*\)")


def symbols(text: str, start: int = 0, stop: int | None = None) -> list[tuple[int, int]]:
    """The spans of the symbols in a part of a text."""
    found = SYMBOL.finditer(text, start, len(text) if stop is None else stop)
    return [(one.start(), one.end()) for one in found]


def spots_of(text: str, old: str) -> Iterator[tuple[int, int]]:
    """The spans at which a text stands as whole symbols."""
    begins, ends = is_word(old[0]), is_word(old[-1])
    at = text.find(old)
    while at >= 0:
        stop = at + len(old)
        is_inside = (begins and is_word(text[at - 1 : at])) or (ends and is_word(text[stop : stop + 1]))
        if not is_inside:
            yield at, stop
        at = text.find(old, at + 1)


def is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
