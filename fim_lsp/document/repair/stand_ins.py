"""Erroneous statements set aside: replaced, line by line, by nothing or by what the lines around them need.

The number of lines stays, so a place keeps its line. Blocks keep their headers and their columns, so the body
of a function stays in it. The replacement binds the names that the statement binds (`bindings.py`), unless it
is unknown whether a statement may stand there:

    def f(a:            def f(a):
        keep(a)             keep(a)
        b = print(]         b = 0
    try                 try:
        print(]             pass

In languages with braces, the braces stay (`braces.py`). The engine's first errors, one after the other, and
tree-sitter's faults say which lines to replace.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from fim_lsp.document.code_lines import CodeLine, CodeLines
from fim_lsp.document.repair.bindings import OPEN_ENDS, WORD, bound_names, header_again, names, simple
from fim_lsp.document.repair.braces import brackets_alone
from fim_lsp.document.repair.substitute import Patch

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
# Headers that their own block may need: `return` a function, `break` a loop, and all of them its names.
OWN = {"def", "class", "for", "while", "with", "if"}
# A header is hardly longer.
MAX_HEADER_LINES = 40
# The header of a block of which it is not known whose it is.
NO_HEADER = "if 1:"
NOTHING: tuple[str, ...] = ()


def patches(lines: CodeLines, broken: Iterable[int], silent: Container[int] = ()) -> Iterator[Patch]:
    """Patches, which stand in for a text's broken lines. They bind the lines' names again, except for the
    silent ones: there only headers do."""
    if lines.known_language.has_suites:
        yield from replacements(lines, set(broken), silent)
        return
    for index, new in brackets_alone(lines, set(broken)):
        yield Patch(lines.starts[index], lines[index].text, new)


def replacements(lines: CodeLines, broken: set[int], silent: Container[int]) -> Iterator[Patch]:
    """The patch of each broken line."""
    replaced: dict[int, str] = {}
    # The column of the last line that stands in for something, while we are in one run of broken lines.
    column: int | None = None
    previous = last = -2
    for index in sorted(broken):
        line = lines[index]
        if previous != index - 1:
            column = None
        previous = index
        if line.is_blank:
            continue
        here = line.column
        # The inside of a broken bracket or string, not of a block, goes with its statement.
        is_inside = index <= last or (column is not None and here > column)
        new, unsaid = "", NOTHING
        if not is_inside:
            last = last_of_header(lines, broken, index)
            new, unsaid = stand_in(lines, broken, replaced, range(index, last + 1), index in silent)
            column = None if new.endswith(":") else here
        replaced[index] = new
        yield Patch(lines.starts[index], line.text, new + line.line_end, unsaid)


def last_of_header(lines: CodeLines, broken: set[int], index: int) -> int:
    """The line with which a header ends that begins in one: behind its brackets."""
    if not lines[index].is_header or lines[index].ends_with_colon:
        return index
    for number in range(index + 1, min(index + MAX_HEADER_LINES, len(lines))):
        if number not in broken:
            break
        if lines[number].ends_with_colon:
            return number
    return index


def stand_in(
    lines: CodeLines, broken: set[int], replaced: dict[int, str], header: range, is_silent: bool
) -> tuple[str, tuple[str, ...]]:
    """The replacement of a statement: nothing where that keeps the blocks around it as they are, unless a
    name is to be said again; else a header, or a block's only statement. With it what the statement may bind
    and that does not. Of a header, which may have several lines, all are given; of others the first one is.
    """
    index = header[0]
    line, word = lines[index], lines[index].first_word
    here, behind = line.column, column_behind(lines, broken, header)
    before, is_opened, is_open = line_before(lines, replaced, index)
    fits_without = is_opened if behind > before else not is_opened
    code = statement(lines, broken, header)
    if behind > here:
        is_own = line.is_header and lines.is_whole_block(index, behind, header[-1] + 1)
        if is_own or not fits_without or word in KEPT:
            new = header_of(code, word, is_own)
            return line.indentation + new, () if new != NO_HEADER else tuple(bound_names(code))
    again = "" if is_silent else simple(code)
    unsaid = tuple(bound_names(code)) if is_silent else ()
    if not fits_without and behind <= here:
        return line.indentation + (again or "pass"), unsaid
    if is_open:
        # The words in the middle of a statement are not understood.
        return "", tuple(names(WORD.findall(code)))
    if here == behind or (here == before and not is_opened):
        return line.indentation + again if again else "", unsaid
    return "", tuple(bound_names(code))


def statement(lines: CodeLines, broken: set[int], header: range) -> str:
    """The text of a statement whose lines are all set aside."""
    index, stop = header[0], header[-1] + 1
    here = lines[index].column
    while len(header) == 1 and stop in broken and not lines[index].is_header:
        if lines[stop].column <= here and not lines[stop].is_blank:
            break
        stop += 1
    return "".join(lines[number].text for number in range(index, stop))


def line_before(lines: CodeLines, replaced: dict[int, str], index: int) -> tuple[int, bool, bool]:
    """The column of the last line in front that says something, whether it opens a block, and whether its
    statement goes on."""
    for number in range(index - 1, -1, -1):
        line = CodeLine(replaced[number], lines.known_language) if number in replaced else lines[number]
        if not line.is_blank:
            return line.column, line.ends_with_colon, line.text.rstrip().endswith(OPEN_ENDS)
    return -1, True, False


def column_behind(lines: CodeLines, broken: set[int], header: range) -> int:
    """The column of the next line that stays, or is broken but looks like a block's; -1 at the end."""
    index = header[0]
    opens_block = lines[index].is_header
    for behind in range(header[-1] + 1, len(lines)):
        if lines[behind].is_blank:
            continue
        if behind in broken and not opens_block and lines[behind].column > lines[index].column:
            continue
        return lines[behind].column
    return -1


def header_of(code: str, word: str, is_own: bool) -> str:
    """A header that opens the block of a statement, which is its own or may be another one's."""
    if word == "async":
        word = CodeLine(code.lstrip()[len(word) :]).first_word
    if word in KEPT or (is_own and word in OWN):
        again = header_again(code, word)
        return HEADERS.get(word, again) if again == NO_HEADER else again
    return NO_HEADER
