"""One file of more than 5,000 lines, and what a programmer's keys do to it.

At places in its front, its middle and its end, statements are deleted from behind and typed again, with an
editor that closes brackets or one that does not; lines are pasted and taken back; brackets are opened and
closed again; and a statement is begun and left as it is, while another one is edited far away.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from tests.sessions.script import PAIRS, Source, character_column, library, line_starts

NAME = "_pydecimal.py"
# The beginnings that people have written when something else comes to their mind.
BEGUN = (
    "rows = [",
    "name = 'abc",
    "total = max(first,",
    "if value",
    "for item in (a, b",
    "data = {'a': [",
    "return (",
    "x = = 1",
    "def inner(",
    "while True",
    'print(f"{',
    'text = """',
    "class",
    "values = call(1, [2, {",
    ")",
    "else:",
)
N_DELETED = 16


@dataclass(frozen=True, slots=True)
class Key:
    """One keystroke: the text between two offsets is replaced, and where the cursor is then."""

    start: int
    stop: int
    new: str
    cursor: int
    # Whether a statement elsewhere was begun and not ended.
    is_left_open: bool = False


def large_source() -> Source:
    return Source(NAME, library(NAME))


def keys(text: str, n_keys: int, generator: random.Random) -> Iterator[Key]:
    """Keys, `n_keys` of them, beginning with the text as it is given."""
    return islice(Typist(text, generator).day(), n_keys)


def statements(text: str) -> list[tuple[int, int]]:
    """The offsets of statements in functions that stand alone on one line."""
    starts = line_starts(text)
    found = []
    for node in ast.walk(ast.parse(text)):
        kinds = ast.Assign | ast.AugAssign | ast.Return | ast.Raise | ast.Assert
        if isinstance(node, kinds) and node.lineno == node.end_lineno and node.col_offset >= 4:
            line = node.lineno
            start = starts[line - 1] + character_column(text, starts, line, node.col_offset)
            stop = starts[line - 1] + character_column(text, starts, line, node.end_col_offset or 0)
            is_alone = not text[starts[line - 1] : start].strip() and text[stop : stop + 1] == "\n"
            if is_alone and stop - start >= N_DELETED:
                found.append((start, stop))
    return sorted(found)


class Typist:
    """Knows the text as it is after the last key."""

    def __init__(self, text: str, generator: random.Random) -> None:
        self.text = text
        self.generator = generator
        self.places = statements(text)
        self.is_closing = True
        self.is_left_open = False

    def day(self) -> Iterator[Key]:
        """Everything leaves the text as it was, so the statements stay where they are."""
        while True:
            for third in range(3):
                self.is_closing = self.generator.random() < 0.5
                place = self.somewhere(third)
                yield from self.retyped(place[1])
                yield from self.pasted(place[0])
                yield from self.opened_and_closed(place[0])
                yield from self.left_open(place[0], (third + self.generator.choice([1, 2])) % 3)

    def somewhere(self, third: int) -> tuple[int, int]:
        size = len(self.text) // 3
        return self.generator.choice(
            [place for place in self.places if third * size <= place[0] < (third + 1) * size]
        )

    def key(self, start: int, stop: int, new: str, cursor: int | None = None) -> Key:
        self.text = self.text[:start] + new + self.text[stop:]
        at = start + len(new) if cursor is None else cursor
        return Key(start, stop, new, at, self.is_left_open)

    def typed(self, cursor: int, text: str) -> Iterator[Key]:
        """Character by character. Where the editor closes brackets, they are typed over."""
        closers = ""
        for character in text:
            if closers.startswith(character):
                closers = closers[1:]
                yield self.key(cursor, cursor + 1, character)
            elif self.is_closing and character in PAIRS and not closers.startswith(("'", '"')):
                closers = PAIRS[character] + closers
                yield self.key(cursor, cursor, character + PAIRS[character], cursor + 1)
            else:
                yield self.key(cursor, cursor, character)
            cursor += 1
        if closers:
            yield self.key(cursor, cursor + len(closers), "")

    def retyped(self, stop: int) -> Iterator[Key]:
        """The end of a statement is deleted and typed again."""
        written = self.text[stop - N_DELETED : stop]
        for cursor in range(stop, stop - N_DELETED, -1):
            yield self.key(cursor - 1, cursor, "")
        yield from self.typed(stop - N_DELETED, written)

    def pasted(self, start: int) -> Iterator[Key]:
        """Some lines of another place, taken back again."""
        source = self.generator.choice(self.places)[0]
        first = self.text.rfind("\n", 0, source) + 1
        lines = self.text[first : self.text.index("\n", source + 300) + 1]
        here = self.text.rfind("\n", 0, start) + 1
        yield self.key(here, here, lines)
        yield self.key(here, here + len(lines), "", start)

    def opened_and_closed(self, start: int) -> Iterator[Key]:
        """Brackets are opened; what is then offered is typed."""
        statement = "call(a, [{b: (c"
        self.is_closing = False
        yield from self.typed(start, statement + ")}])")
        yield self.key(start, start + len(statement) + 4, "")

    def left_open(self, start: int, third: int) -> Iterator[Key]:
        """A statement is begun on a line of its own, and another one is edited meanwhile."""
        line = self.text.rfind("\n", 0, start) + 1
        indentation = self.text[line:start]
        place = self.somewhere(third)
        begun = self.generator.choice(BEGUN)
        yield self.key(start, start, "\n" + indentation, start)
        self.is_closing = False
        yield from self.typed(start, begun)
        shift = len(begun) + 1 + len(indentation) if place[0] >= start else 0
        self.is_left_open = True
        yield from self.retyped(place[1] + shift)
        self.is_left_open = False
        yield self.key(start, start + len(begun) + 1 + len(indentation), "")
