"""One file of more than 5,000 lines, and a programmer's keys in it.

At places near its beginning, its middle and its end, statements are deleted from behind and typed again, with
an editor that closes brackets or one that does not. Lines are pasted and removed again; brackets are opened
and closed; and a statement is begun and left unfinished while another one is edited far away.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from tests.sessions.script import PAIRS, Source, character_column, library, line_starts

NAME = "_pydecimal.py"
# Unfinished statements that programmers leave for a while.
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
    """One keystroke: the replaced range, the new text, and the cursor behind it."""

    start: int
    stop: int
    new: str
    cursor: int
    # Whether a statement elsewhere was begun and not ended.
    is_left_open: bool = False


def large_source() -> Source:
    return Source(NAME, library(NAME))


def keys(text: str, n_keys: int, generator: random.Random) -> Iterator[Key]:
    """`n_keys` keys, beginning with the given text."""
    return islice(Typist(text, generator).day(), n_keys)


def statements(text: str) -> list[tuple[int, int]]:
    """The offsets of statements in functions that occupy one line alone."""
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
    """A typist that keeps the text after the last key."""

    def __init__(self, text: str, generator: random.Random) -> None:
        self.text = text
        self.generator = generator
        self.places = statements(text)
        self.is_closing = True
        self.is_left_open = False

    def day(self) -> Iterator[Key]:
        """A day of keys. Every action restores the text, so the statements keep their places."""
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
        """Types character by character. If the editor closes brackets, they are typed over."""
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
        """Deletes the end of a statement and types it again."""
        written = self.text[stop - N_DELETED : stop]
        for cursor in range(stop, stop - N_DELETED, -1):
            yield self.key(cursor - 1, cursor, "")
        yield from self.typed(stop - N_DELETED, written)

    def pasted(self, start: int) -> Iterator[Key]:
        """Pastes some lines of another place and removes them again."""
        source = self.generator.choice(self.places)[0]
        first = self.text.rfind("\n", 0, source) + 1
        lines = self.text[first : self.text.index("\n", source + 300) + 1]
        here = self.text.rfind("\n", 0, start) + 1
        yield self.key(here, here, lines)
        yield self.key(here, here + len(lines), "", start)

    def opened_and_closed(self, start: int) -> Iterator[Key]:
        """Opens brackets, and types the offer."""
        statement = "call(a, [{b: (c"
        self.is_closing = False
        yield from self.typed(start, statement + ")}])")
        yield self.key(start, start + len(statement) + 4, "")

    def left_open(self, start: int, third: int) -> Iterator[Key]:
        """Begins a statement on a line of its own, and edits another one meanwhile."""
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
