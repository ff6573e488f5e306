"""Erroneous statements set aside: replaced, line by line, by nothing or by what the blocks around them need.

The number of lines stays, so a place is found again by its line; blocks keep their headers and their
columns, so what is inside a function stays there:

    if x = 1:           if 1:
        keep()              keep()
        print(]
    else:               else:
        print(]             pass

Where braces say what belongs together, they are what stays (`braces.py`). Which lines to replace is told by
the engine, one first error after the other, and by tree-sitter's faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.positions import Lines
from fim_lsp.server.worker.braces import brackets_alone
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
# What a header's own block may need of it: `return` a function, `break` a loop.
OWN_HEADERS = {"def": "def _():", "for": "while 1:", "while": "while 1:"}
# Lines that begin with these open a block even where the colon is missing.
COMPOUND = {"if", "for", "while", "with", "def", "class", "async", *HEADERS}
TAB = 8
# A block that is longer is taken for one.
MAX_BLOCK_LINES = 200


def patches(lines: Lines, broken: Iterable[int], known: KnownLanguage = PYTHON) -> Iterator[Patch]:
    """What stands in for the broken lines of a text."""
    standing = (
        replacements(lines, set(broken)) if known.has_suites else brackets_alone(lines, set(broken), known)
    )
    for index, new in standing:
        yield Patch(lines.starts[index], lines[index], new)


def replacements(lines: Lines, broken: set[int]) -> Iterator[tuple[int, str]]:
    """For each broken line what stands in for it."""
    replaced: dict[int, str] = {}
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
        # The inside of a broken bracket or string, not of a block, goes with its statement.
        is_inside = column is not None and here > column
        replaced[index] = new = "" if is_inside else stand_in(lines, broken, replaced, index)
        if not is_inside:
            column = None if new.endswith(":") else here
        yield index, new + line_end(line)


def stand_in(lines: Lines, broken: set[int], replaced: dict[int, str], index: int) -> str:
    """Nothing where that keeps the blocks around a line as they are. Else what makes them so: a header, or a
    block's only statement."""
    line = lines[index]
    here, behind = column_of(line), column_behind(lines, broken, index)
    before, is_opened = line_before(lines, replaced, index)
    fits_without = is_opened if behind > before else not is_opened
    if behind > here:
        is_own = is_header(line) and is_whole_block(lines, index, behind)
        if is_own or not fits_without or first_word(line) in HEADERS:
            return indentation(line) + header(line, is_own)
    elif not fits_without:
        return indentation(line) + "pass"
    return ""


def line_before(lines: Lines, replaced: dict[int, str], index: int) -> tuple[int, bool]:
    """The column of the last line in front that says something, and whether it opens a block."""
    for number in range(index - 1, -1, -1):
        line = replaced.get(number, lines[number])
        if not is_blank(line):
            return column_of(line), line.rstrip().endswith(":")
    return -1, True


def is_header(line: str) -> bool:
    return line.rstrip().endswith(":") or first_word(line) in COMPOUND


def is_whole_block(lines: Lines, index: int, column: int) -> bool:
    """Whether what is deeper than a line begins in one column, as the block of a header does.

        def area(self):         `def (:` was begun in the middle of a method. What is behind it is no
            side = self.a       block of its own, since it goes back to a column in between.
    def (:
            return side ** 2
        def perimeter(self):
    """
    here = column_of(lines[index])
    for number in range(index + 1, min(index + MAX_BLOCK_LINES, len(lines))):
        if not is_blank(lines[number]) and column_of(lines[number]) < column:
            return column_of(lines[number]) <= here
    return True


def column_behind(lines: Lines, broken: set[int], index: int) -> int:
    """The column of the next line that stays, or is broken but looks like a block's; -1 at the end."""
    opens_block = is_header(lines[index])
    for behind in range(index + 1, len(lines)):
        if is_blank(lines[behind]):
            continue
        if behind in broken and not opens_block and column_of(lines[behind]) > column_of(lines[index]):
            continue
        return column_of(lines[behind])
    return -1


def header(line: str, is_own: bool) -> str:
    """What opens the block of a line, which is the line's own or may be another one's."""
    known = HEADERS | OWN_HEADERS if is_own else HEADERS
    return known.get(first_word(line), "if 1:")


def first_word(line: str) -> str:
    word = FIRST_WORD.match(line)
    return word[1] if word and word[1] else ""


def is_blank(line: str, known: KnownLanguage = PYTHON) -> bool:
    """Whether a line has no symbol, as far as it alone tells."""
    content = line.strip()
    if known.has_suites or not known.line_comment:
        return not content or (known.has_suites and content.startswith("#"))
    return not content or content.startswith((known.line_comment, "/*", "*/", "* "))


def indentation(line: str) -> str:
    found = INDENTATION.match(line)
    return found[0] if found else ""


def column_of(line: str, tab: int = TAB) -> int:
    return len(indentation(line).expandtabs(tab))


def line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
