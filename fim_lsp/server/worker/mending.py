"""Erroneous statements set aside: replaced, line by line, by ones that parse and have the same shape.

The number of lines stays, so a place is found again by its line; blocks keep their headers and their
columns, so what is inside a function stays there:

    if x = 1:           if 1:
        keep()              keep()
    print(]             pass
    else:               else:
        keep()              keep()

Which lines to replace is told by tree-sitter's faults first and then by the engine, one first error after
the other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

INDENTATION = re.compile(r"[ \t\f]*")
FIRST_WORD = re.compile(r"[ \t\f]*(\w+)?")
# A block's header keeps its place in a compound statement: `else` needs an `if`, and `except` a `try`.
HEADERS = {
    "elif": "elif 1:",
    "else": "else:",
    "try": "try:",
    "except": "except Exception:",
    "finally": "finally:",
    "match": "match 0:",
    "case": "case 0:",
}
# Lines that begin with these open a block even where the colon is missing.
COMPOUND = {"if", "for", "while", "with", "def", "class", "async", *HEADERS}
TAB = 8


@dataclass(frozen=True, slots=True)
class Mended:
    """The two sides of a hole with some of their lines replaced."""

    left: str
    right: str


def mended(lines: list[str], starts: tuple[int, ...], broken: Iterable[int], start: int, stop: int) -> Mended:
    """A hole's two sides in which the broken lines are replaced. None of them is a line of the hole.

    `lines` are the text's lines with what ends them, `starts` their offsets.
    """
    replaced = dict(replacements(lines, set(broken)))
    first = line_at(starts, start)
    last = line_at(starts, stop)
    left = [replaced.get(index, lines[index]) for index in range(first)]
    right = [replaced.get(index, lines[index]) for index in range(last + 1, len(lines))]
    return Mended(
        "".join(left) + lines[first][: start - starts[first]],
        lines[last][stop - starts[last] :] + "".join(right),
    )


def replacements(lines: list[str], broken: set[int]) -> Iterable[tuple[int, str]]:
    """For each broken line what stands in for it."""
    # The column of the last line that stands in for something, while we are in one run of broken lines.
    column: int | None = None
    previous = -2
    for index in sorted(broken):
        line = lines[index]
        if previous != index - 1:
            column = None
        previous = index
        if is_blank(line):
            continue
        here = column_of(line)
        if column is not None and here > column:
            # The inside of a broken bracket or string, not of a block: it goes with its statement.
            yield index, line_end(line)
            continue
        opens_block = column_behind(lines, broken, index) > here
        yield index, indentation(line) + (header(line) if opens_block else "pass") + line_end(line)
        column = here if not opens_block else None


def column_behind(lines: list[str], broken: set[int], index: int) -> int:
    """The column of the next line that stays, or is broken but looks like a block's; -1 at the end."""
    is_header = lines[index].rstrip().endswith(":") or first_word(lines[index]) in COMPOUND
    for behind in range(index + 1, len(lines)):
        if is_blank(lines[behind]):
            continue
        if behind in broken and not is_header and column_of(lines[behind]) > column_of(lines[index]):
            continue
        return column_of(lines[behind])
    return -1


def header(line: str) -> str:
    return HEADERS.get(first_word(line), "if 1:")


def first_word(line: str) -> str:
    word = FIRST_WORD.match(line)
    return word[1] if word and word[1] else ""


def is_blank(line: str) -> bool:
    content = line.strip()
    return not content or content.startswith("#")


def indentation(line: str) -> str:
    found = INDENTATION.match(line)
    return found[0] if found else ""


def column_of(line: str, tab: int = TAB) -> int:
    return len(indentation(line).expandtabs(tab))


def line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def line_at(starts: tuple[int, ...], offset: int) -> int:
    return bisect_right(starts, offset) - 1
