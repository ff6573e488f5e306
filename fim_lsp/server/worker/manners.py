"""What is not offered while somebody types, although it fits: whoever asks explicitly gets it.

    docstring    anything within a docstring, as within a comment
    comment      a comment where none was begun: what is in front of it is offered
    dead code    `return`, `raise`, `break` or `continue` in front of a line of the same block
    repetition   the line above or below once more
    closers      nothing but brackets, quotes, colons and commas
    backslash    a line that is joined to the next one
    short        one or two characters, which save nothing
    one line     several lines anywhere but where a block begins

docs/worth.md has what each of them does to the figures of the typist.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, get_args

from fim_lsp.decoding.choices.ground import is_code
from fim_lsp.known_languages import PYTHON, Blocks, KnownLanguage
from fim_lsp.positions import LINE_END
from quotient import Recognizer

Manner = Literal[
    "docstring", "comment", "dead code", "repetition", "closers", "backslash", "short", "one line"
]
MANNERS: tuple[Manner, ...] = get_args(Manner)
CLOSING = frozenset(")]}\"':, \t\r\n\f")
SHORTEST = 3
# What the line ends with that a block, or what is like one, begins behind.
OPENERS: dict[Blocks, tuple[str, ...]] = {"suites": (":",), "braces": ("{",), "data": ("{", "[")}
LEAVING = re.compile(r"(return|raise|break|continue)\b")
# Lines above and below that are looked at for the nearest one with code.
N_LINES = 6


@dataclass(frozen=True, slots=True)
class Setting:
    """Where an offer is put: the lines around the cursor, and the engine at it."""

    left: str
    right: str
    recognizer: Recognizer
    known: KnownLanguage = PYTHON

    @property
    def begun(self) -> str:
        """The cursor's line as far as it is there."""
        return self.left[max(self.left.rfind("\n"), self.left.rfind("\r")) + 1 :]

    @property
    def rest(self) -> str:
        return LINE_END.split(self.right, maxsplit=1)[0]

    @property
    def above(self) -> str:
        """The nearest line above that is not blank."""
        lines = LINE_END.split(self.left[-4000:])[:-1]
        return next((line for line in reversed(lines[-N_LINES:]) if line.strip()), "")

    @property
    def below(self) -> str:
        lines = LINE_END.split(self.right[:4000])[1:]
        return next((line for line in lines[:N_LINES] if line.strip()), "")


def begins_block(around: Setting) -> bool:
    """Whether the cursor stands where a block begins, and has a line of its own."""
    if around.begun.strip() or around.rest.strip():
        return False
    n_brackets, _, _ = around.recognizer.nesting()
    sign = around.known.line_comment
    code = around.above.split(sign)[0] if sign else around.above
    return n_brackets == 0 and code.rstrip().endswith(OPENERS[around.known.blocks])


def mannered(
    offer: str, around: Setting, manners: Collection[Manner], fits: Callable[[str], bool]
) -> str | None:
    """What is left of an offer; None if it is not offered. Each change of it has to fit."""
    if "comment" in manners:
        shorter = without_comment(offer, around)
        if shorter != offer and not (shorter.strip() and fits(shorter)):
            return None
        offer = shorter
    if "backslash" in manners and offer.rstrip(" \t\r\n").endswith("\\"):
        return None
    if "closers" in manners and CLOSING.issuperset(offer.replace(around.known.terminator or ":", ":")):
        return None
    if "short" in manners and len(offer.strip()) < SHORTEST:
        return None
    if "repetition" in manners and is_repetition(offer, around):
        return None
    if "dead code" in manners and kills_next_line(offer, around):
        return None
    return offer


def without_comment(offer: str, around: Setting) -> str:
    """What stands in front of the first comment that begins in an offer."""
    sign = around.known.line_comment
    place = offer.find(sign) if sign else -1
    while place >= 0:
        fork = around.recognizer.fork()
        if fork.advance(offer[:place]) and stands_in_code(fork, around.known):
            return offer[:place].rstrip()
        place = offer.find(sign, place + 1)
    return offer


def stands_in_code(reading: Recognizer, known: KnownLanguage) -> bool:
    """Whether what comes next is in no string and no comment."""
    return is_code(reading) if known.has_suites else not reading.fork().advance(known.only_in_text)


def is_repetition(offer: str, around: Setting) -> bool:
    """Whether the line that an offer makes stands right above or below already."""
    lines = [line.strip() for line in LINE_END.split(around.begun + offer)]
    if len(lines) == 1:
        lines[0] = (lines[0] + around.rest).strip()
    # Brackets, `else:` and `pass` may well come twice.
    said = [line for line in lines if len(line) > 5]
    return bool(said) and (said[0] == around.above.strip() or said[-1] == around.below.strip())


def kills_next_line(offer: str, around: Setting) -> bool:
    """Whether what an offer says last leaves the block, and the next line belongs to it.

    total += price
    |                   return total
    count += 1
    """
    lines = LINE_END.split(around.begun + offer)
    last = next((line for line in reversed(lines) if line.strip()), "")
    below = around.below
    if around.rest.strip() or not below or not LEAVING.match(last.strip()):
        return False
    return indentation(last) == indentation(below) and not below.lstrip().startswith(("#", ")", "]", "}"))


def indentation(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())
