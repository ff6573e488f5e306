"""A programmer's day as a script, from a seed: functions are deleted and written again, with usual
interruptions.

Typing goes character by character, as editors send it: opening brackets and quotes bring their closers, which
are then typed over. In between, the cursor moves, text is pasted and removed, typos are made and corrected,
statements elsewhere stay broken for a while, and offers are accepted or not.
"""

from __future__ import annotations

import ast
import random
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PAIRS = {"(": ")", "[": "]", "{": "}", '"': '"', "'": "'"}
Kind = Literal[
    "type", "burst", "cancel", "move", "paste", "undo", "typo", "save", "break", "accept", "reopen"
]
# Of 100 keystrokes, the number that something else follows. All others are plain typing.
WEIGHTS: dict[Kind, int] = {
    "type": 62,
    "burst": 12,
    "cancel": 3,
    "move": 4,
    "paste": 3,
    "undo": 3,
    "typo": 4,
    "save": 2,
    "break": 2,
    "accept": 4,
    "reopen": 1,
}


@dataclass(frozen=True, slots=True)
class Source:
    """A real file in one of several usual forms."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Stroke:
    """The next characters to write, and the acts beside them."""

    text: str
    kind: Kind


def sources() -> list[Source]:
    """Five files of the standard library, with every kind of line end and of character."""
    return [
        Source("heapq.py", library("heapq.py")),
        Source("crlf.py", library("textwrap.py").replace("\n", "\r\n")),
        Source("astral.py", with_astral_characters(library("shlex.py"))),
        Source("form_feeds.py", with_form_feeds(library("bisect.py") + library("reprlib.py"))),
        Source("carriage_returns.py", library("dataclasses.py").replace("\n", "\r")),
    ]


def library(name: str) -> str:
    return (Path(sysconfig.get_path("stdlib")) / name).read_text(encoding="utf-8")


def with_astral_characters(text: str) -> str:
    """Characters of two UTF-16 units and four bytes in strings and comments, in front of many edited
    places."""
    return text.replace('"""', '"""😀𝒳 ', 1).replace("self.", "self.").replace("# ", "# 𝔘é ")


def with_form_feeds(text: str) -> str:
    """Form feeds, as in old sources, and separators at which `str.splitlines` would break lines."""
    return text.replace("\ndef ", "\n\f\ndef ").replace("# ", "# \x0b\x1c\x85\u2028 ")


def functions(text: str) -> list[tuple[int, int]]:
    """The offsets of the bodies of functions of medium length."""
    starts = line_starts(text)
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.body:
            first, last = node.body[0], node.body[-1]
            start = starts[first.lineno - 1] + character_column(text, starts, first.lineno, first.col_offset)
            stop = starts[(last.end_lineno or 1) - 1] + character_column(
                text, starts, last.end_lineno or 1, last.end_col_offset or 0
            )
            if 20 < stop - start < 1500:
                found.append((start, stop))
    return sorted(found)


def line_starts(text: str) -> list[int]:
    """The starts of lines as CPython counts them: at LF, CR LF and CR, like LSP."""
    starts, offset = [0], 0
    while offset < len(text):
        if text.startswith("\r\n", offset):
            offset += 1
        if text[offset] in "\r\n":
            starts.append(offset + 1)
        offset += 1
    return starts


def character_column(text: str, starts: list[int], line: int, n_bytes: int) -> int:
    """The character column for a column of `ast`, which counts bytes."""
    start = starts[line - 1]
    return len(text[start : start + n_bytes].encode()[:n_bytes].decode())


def strokes(written: str, generator: random.Random) -> Iterator[Stroke]:
    """The characters of a text, one keystroke each. A line end and the next line's indentation are one."""
    kinds, weights = list(WEIGHTS), list(WEIGHTS.values())
    offset = 0
    while offset < len(written):
        stop = offset + 1
        if written[offset] in "\r\n":
            stop += written.startswith("\r\n", offset)
            while stop < len(written) and written[stop] in " \t":
                stop += 1
        yield Stroke(written[offset:stop], generator.choices(kinds, weights)[0])
        offset = stop
