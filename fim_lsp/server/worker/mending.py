"""Erroneous statements set aside: replaced, line by line, by ones that parse and have the same shape.

The number of lines stays, so a place is found again by its line; blocks keep their headers and their
columns, so what is inside a function stays there:

    if x = 1:           if 1:
        keep()              keep()
    print(]             pass
    else:               else:
        keep()              keep()

Which lines to replace is told by the engine, one first error after the other, and by tree-sitter's faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fim_lsp.positions import Lines
from fim_lsp.server.worker.substitute import Patch

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


def patches(lines: Lines, broken: Iterable[int]) -> Iterator[Patch]:
    """What stands in for the broken lines of a text."""
    for index, new in replacements(lines, set(broken)):
        yield Patch(lines.starts[index], lines[index], new)


def replacements(lines: Lines, broken: set[int]) -> Iterator[tuple[int, str]]:
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


def column_behind(lines: Lines, broken: set[int], index: int) -> int:
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
