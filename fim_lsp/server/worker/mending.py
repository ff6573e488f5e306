"""Erroneous statements set aside: replaced, line by line, by nothing or by what the lines around them need.

The number of lines stays, so a place is found again by its line; blocks keep their headers and their
columns, so what is inside a function stays there. What a statement binds is bound by what stands in for it
(`bindings.py`), unless nobody can tell whether a statement may stand there:

    def f(a:            def f(a):
        keep(a)             keep(a)
        b = print(]         b = 0
    try                 try:
        print(]             pass

Where braces say what belongs together, they are what stays (`braces.py`). Which lines to replace is told by
the engine, one first error after the other, and by tree-sitter's faults.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.positions import Lines
from fim_lsp.server.worker.bindings import OPEN_ENDS, WORD, bound, header_again, names, simple
from fim_lsp.server.worker.braces import brackets_alone
from fim_lsp.server.worker.substitute import Patch

INDENTATION = re.compile(r"[ \t\f]*")
FIRST_WORD = re.compile(r"[ \t\f]*(\w+)?")
# A block's header keeps its place in a compound statement: `else` needs an `if`, and `except` a `try`.
HEADERS = {
    "else": "else:",
    "try": "try:",
    "except": "except Exception:",
    "finally": "finally:",
    "match": "match 0:",
    "case": "case 0:",
}
KEPT = {"elif", *HEADERS}
# What a header's own block may need of it: `return` a function, `break` a loop, and all of them its names.
OWN = {"def", "class", "for", "while", "with", "if"}
# Lines that begin with these open a block even where the colon is missing.
COMPOUND = {"async", *OWN, *KEPT}
TAB = 8
# A block that is longer is taken for one.
MAX_BLOCK_LINES = 200
# A header is hardly longer.
MAX_HEADER_LINES = 40
# The header of a block of which nobody knows whose it is.
NO_HEADER = "if 1:"
NOTHING: tuple[str, ...] = ()


def patches(
    lines: Lines, broken: Iterable[int], known: KnownLanguage = PYTHON, silent: Container[int] = ()
) -> Iterator[Patch]:
    """What stands in for the broken lines of a text. What binds anything says it again, except for the silent
    ones: there only headers do."""
    if known.has_suites:
        yield from replacements(lines, set(broken), silent)
        return
    for index, new in brackets_alone(lines, set(broken), known):
        yield Patch(lines.starts[index], lines[index], new)


def replacements(lines: Lines, broken: set[int], silent: Container[int]) -> Iterator[Patch]:
    """For each broken line what stands in for it."""
    replaced: dict[int, str] = {}
    # The column of the last line that stands in for something, while we are in one run of broken lines.
    column: int | None = None
    previous = last = -2
    for index in sorted(broken):
        line = lines[index]
        if previous != index - 1:
            column = None
        previous = index
        if is_blank(line):
            continue
        here = column_of(line)
        # The inside of a broken bracket or string, not of a block, goes with its statement.
        is_inside = index <= last or (column is not None and here > column)
        new, unsaid = "", NOTHING
        if not is_inside:
            last = last_of_header(lines, broken, index)
            new, unsaid = stand_in(lines, broken, replaced, range(index, last + 1), index in silent)
            column = None if new.endswith(":") else here
        replaced[index] = new
        yield Patch(lines.starts[index], line, new + line_end(line), unsaid)


def last_of_header(lines: Lines, broken: set[int], index: int) -> int:
    """The line with which a header ends that begins in one: behind its brackets."""
    if not is_header(lines[index]) or lines[index].rstrip().endswith(":"):
        return index
    for number in range(index + 1, min(index + MAX_HEADER_LINES, len(lines))):
        if number not in broken:
            break
        if lines[number].rstrip().endswith(":"):
            return number
    return index


def stand_in(
    lines: Lines, broken: set[int], replaced: dict[int, str], header: range, is_silent: bool
) -> tuple[str, tuple[str, ...]]:
    """Nothing where that keeps the blocks around a statement as they are, unless something is to be said
    again. Else what makes them so: a header, or a block's only statement. With it what the statement may bind
    and that does not. Of a header, which may have several lines, all are given; of others the first one is.
    """
    index = header[0]
    line, word = lines[index], first_word(lines[index])
    here, behind = column_of(line), column_behind(lines, broken, header)
    before, is_opened, is_open = line_before(lines, replaced, index)
    fits_without = is_opened if behind > before else not is_opened
    code = statement(lines, broken, header)
    if behind > here:
        is_own = is_header(line) and is_whole_block(lines, index, behind, header[-1] + 1)
        if is_own or not fits_without or word in KEPT:
            new = header_of(code, word, is_own)
            return indentation(line) + new, () if new != NO_HEADER else tuple(bound(code))
    again = "" if is_silent else simple(code)
    unsaid = tuple(bound(code)) if is_silent else ()
    if not fits_without and behind <= here:
        return indentation(line) + (again or "pass"), unsaid
    if is_open:
        # In the middle of a statement nobody knows what its words are.
        return "", tuple(names(WORD.findall(code)))
    if here == behind or (here == before and not is_opened):
        return indentation(line) + again if again else "", unsaid
    return "", tuple(bound(code))


def statement(lines: Lines, broken: set[int], header: range) -> str:
    """The text of a statement of which all lines are set aside."""
    index, stop = header[0], header[-1] + 1
    here = column_of(lines[index])
    while len(header) == 1 and stop in broken and not is_header(lines[index]):
        if column_of(lines[stop]) <= here and not is_blank(lines[stop]):
            break
        stop += 1
    return "".join(lines[number] for number in range(index, stop))


def line_before(lines: Lines, replaced: dict[int, str], index: int) -> tuple[int, bool, bool]:
    """The column of the last line in front that says something, whether it opens a block, and whether its
    statement goes on."""
    for number in range(index - 1, -1, -1):
        line = replaced.get(number, lines[number])
        if not is_blank(line):
            end = line.rstrip()
            return column_of(line), end.endswith(":"), end.endswith(OPEN_ENDS)
    return -1, True, False


def is_header(line: str) -> bool:
    return line.rstrip().endswith(":") or first_word(line) in COMPOUND


def is_whole_block(lines: Lines, index: int, column: int, first: int) -> bool:
    """Whether what is deeper than a line begins in one column, as the block of a header does: what stands
    from another line on.

        def area(self):         `def (:` was begun in the middle of a method. What is behind it is no
            side = self.a       block of its own, since it goes back to a column in between.
    def (:
            return side ** 2
        def perimeter(self):
    """
    here = column_of(lines[index])
    for number in range(first, min(first + MAX_BLOCK_LINES, len(lines))):
        if not is_blank(lines[number]) and column_of(lines[number]) < column:
            return column_of(lines[number]) <= here
    return True


def column_behind(lines: Lines, broken: set[int], header: range) -> int:
    """The column of the next line that stays, or is broken but looks like a block's; -1 at the end."""
    index = header[0]
    opens_block = is_header(lines[index])
    for behind in range(header[-1] + 1, len(lines)):
        if is_blank(lines[behind]):
            continue
        if behind in broken and not opens_block and column_of(lines[behind]) > column_of(lines[index]):
            continue
        return column_of(lines[behind])
    return -1


def header_of(code: str, word: str, is_own: bool) -> str:
    """What opens the block of a statement, which is the statement's own or may be another one's."""
    if word == "async":
        word = first_word(code.lstrip()[len(word) :])
    if word in KEPT or (is_own and word in OWN):
        again = header_again(code, word)
        return HEADERS.get(word, again) if again == NO_HEADER else again
    return NO_HEADER


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
