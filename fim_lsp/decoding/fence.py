"""The scope: what a completion does not leave, although the grammar would let it.

    print(total(a$0), b)        `c) + max(` fits here, too, and leaves the bracket that the cursor stands in.

The grammar of a hole knows no such thing as "the bracket that the cursor stands in", but its lexer does: it
counts open brackets and suites, exactly, strings and f-strings included. A scope is a lower bound on both
counts, so the language that is decoded is the product of the hole's language with that of the texts that keep
the bound: a token that would fall below it is refused like one that does not parse.

The right context may need the scope to be left: behind `try:` and a body, only an `except` further left fits.
The shortest text that fits tells: what it has to leave, the scope does not include.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fim_lsp.decoding.options import Scope
from quotient import Recognizer

# Only behind these bytes can the counts have fallen; a quote may end an f-string.
FALLING = re.compile(rb"[^\n\r)\]}\"']*[\n\r)\]}\"']|[^\n\r)\]}\"']+")
CAN_FALL = re.compile(rb"[\n\r)\]}\"']")
LINE_BREAK = re.compile(rb"[\n\r]")


@dataclass(frozen=True, slots=True)
class Fence:
    """The least number of open brackets and suites. `is_one_statement`: nor may a second statement begin."""

    n_brackets: int
    n_suites: int
    is_one_statement: bool = False
    is_one_line: bool = False

    @classmethod
    def around(cls, recognizer: Recognizer, scope: Scope, multi_line: bool) -> Fence | None:
        """The fence of a scope at a hole's beginning, as narrow as what has to come there lets it be."""
        n_brackets, columns, indentation = recognizer.nesting()
        # In the white space of a line, the suites that can still go on are those up to its column.
        n_suites = sum(indentation is None or column <= indentation for column in columns)
        wanted = {
            "statement": cls(n_brackets, n_suites, is_one_statement=True),
            "block": cls(n_brackets, n_suites),
            "bracket": cls(n_brackets, 0),
            "free": cls(0, 0),
        }[scope]
        narrowed = wanted.with_line(multi_line).lowered_to(recognizer, recognizer.witness_bytes())
        return None if narrowed == cls(0, 0) else narrowed

    def with_line(self, multi_line: bool) -> Fence:
        return Fence(self.n_brackets, self.n_suites, self.is_one_statement, not multi_line)

    def lowered_to(self, recognizer: Recognizer, text: bytes) -> Fence:
        """The fence without what a text leaves."""
        is_one_statement, is_one_line = self.is_one_statement, self.is_one_line
        n_brackets, n_suites = self.n_brackets, self.n_suites
        if is_one_line and LINE_BREAK.search(text):
            is_one_line = False
        for place in places(recognizer, text):
            n_brackets, n_suites = min(n_brackets, place.n_brackets), min(n_suites, place.n_suites)
            is_one_statement = is_one_statement and not place.is_new_line
        return Fence(n_brackets, n_suites, is_one_statement, is_one_line)

    def is_within(self, recognizer: Recognizer, text: bytes) -> bool:
        """Whether a text that may come next stays inside."""
        if self.is_one_line and LINE_BREAK.search(text):
            return False
        if not CAN_FALL.search(text) and recognizer.nesting()[2] is None:
            return True
        return all(
            place.n_brackets >= self.n_brackets
            and place.n_suites >= self.n_suites
            and not (self.is_one_statement and place.is_new_line and place.n_suites <= self.n_suites)
            for place in places(recognizer, text)
        )


@dataclass(frozen=True, slots=True)
class Place:
    """The counts at a place in a text. `is_new_line`: a line has begun there that is not the first one."""

    n_brackets: int
    n_suites: int
    is_new_line: bool


def places(recognizer: Recognizer, text: bytes) -> Iterator[Place]:
    """Every place in a text at which the counts may have fallen, and its end."""
    fork = recognizer.fork()
    was_line_start = fork.nesting()[2] is not None
    for piece in FALLING.findall(text):
        if not fork.advance(piece):
            return
        n_brackets, columns, indentation = fork.nesting()
        yield Place(n_brackets, len(columns), was_line_start and indentation is None)
        was_line_start = indentation is not None
