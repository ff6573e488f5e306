"""Symbols of a text, for code that changes it: words, numbers, signs. No tree is made for that."""

from __future__ import annotations

import re
from collections.abc import Iterator

# The symbols of a text: words, numbers, signs. White space stands between.
SYMBOL = re.compile(
    r"[^\W\d]\w*|\d[\w.]*|\"\"\"|'''|[\"'`]|->|:=|=>|\*\*=?|//=?|<<=?|>>=?|\.\.\.|&&|\|\||[=!<>+\-*/%&|^@:]=|\S"
)
WORD = re.compile(r"[^\W\d]\w*")
NOTHING_GIVEN = re.compile(r"\(\s*\)")


def symbols(text: str, start: int = 0, stop: int | None = None) -> list[tuple[int, int]]:
    """Where the symbols of a part of a text lie."""
    found = SYMBOL.finditer(text, start, len(text) if stop is None else stop)
    return [(one.start(), one.end()) for one in found]


def spots_of(text: str, old: str) -> Iterator[tuple[int, int]]:
    """Where a text stands as symbols of their own."""
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
