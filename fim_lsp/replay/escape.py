"""Context escape (section VIII-A of the quotient paper): a text that leaves the place where it was asked for.

    f(a, $0)     the text   b)\nprint(c      closes what the left context opened and opens what the right one
                             ^       ^       closes: the file parses, but that is not wanted in this place

The same is done for blocks: a text escapes that ends a block of the left context, and begins one that the
right context continues. The true middle may do so, too; reports count both.
"""

from __future__ import annotations

import tokenize
from collections.abc import Iterable
from enum import Enum, auto
from typing import Literal

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.replay.cuts import Symbol, symbols

Escape = Literal["bracket", "block"]
OPENERS, CLOSERS = "([{", ")]}"


class HoleSide(Enum):
    LEFT = auto()
    MIDDLE = auto()
    RIGHT = auto()


def escape(left: str, middle: str, right: str, known_language: KnownLanguage = PYTHON) -> Escape | None:
    """The way in which the middle leaves its place, if it does, in a whole that parses."""
    text = left + middle + right
    start, stop = len(left), len(left) + len(middle)
    seen = [(side_of(symbol, start, stop), symbol) for symbol in symbols(text, known_language)]
    if is_bracket_escape(text, seen):
        return "bracket"
    # Where braces make blocks, the brackets were enough.
    return "block" if known_language.has_suites and is_block_escape(seen) else None


def side_of(symbol: Symbol, start: int, stop: int) -> HoleSide:
    return (
        HoleSide.LEFT if symbol.start < start else HoleSide.MIDDLE if symbol.start < stop else HoleSide.RIGHT
    )


def is_bracket_escape(text: str, seen: Iterable[tuple[HoleSide, Symbol]]) -> bool:
    opened: list[HoleSide] = []
    pairs: set[tuple[HoleSide, HoleSide]] = set()
    for side, symbol in seen:
        # The kind counts, too: a piece of an f-string can look like a bracket.
        if symbol.kind != tokenize.OP:
            continue
        if text[symbol.start] in OPENERS:
            opened.append(side)
        elif text[symbol.start] in CLOSERS and opened:
            pairs.add((opened.pop(), side))
    return {(HoleSide.LEFT, HoleSide.MIDDLE), (HoleSide.MIDDLE, HoleSide.RIGHT)} <= pairs


def is_block_escape(seen: Iterable[tuple[HoleSide, Symbol]]) -> bool:
    opened: list[HoleSide] = []
    has_left_closed = has_right_joined = False
    before = HoleSide.LEFT
    for side, symbol in seen:
        has_left_closed |= side is HoleSide.MIDDLE and HoleSide.LEFT in opened[symbol.depth :]
        del opened[symbol.depth :]
        # A block belongs to its header, `def g():`, whose colon is the symbol before it.
        opened += [before] * (symbol.depth - len(opened))
        has_right_joined |= side is HoleSide.RIGHT and HoleSide.MIDDLE in opened
        before = side
    return has_left_closed and has_right_joined
