"""Kept lines, which are never set aside for a hole, whatever is wrong with them."""

from __future__ import annotations

from fim_lsp.document.code_lines import CodeLine, CodeLines
from fim_lsp.document.hole import Hole

# A bracket that is closed here was opened no further in front.
MAX_LINES_BACK = 20


def lines_around(lines: CodeLines, hole: Hole) -> set[int]:
    """The lines that a hole is in: its own, and the headers and open brackets around it. They are never set
    aside; an offer would fit a file in which its place is another one:

        x = = 3
        def area(side):     without this line, a comment would do for its block
            |
    """
    first, last = lines.line_at(hole.start), lines.line_at(hole.stop)
    kept = set(range(first, last + 1))
    before = CodeLine(lines[first].text[: hole.start - lines.starts[first]], lines.known_language)
    column = before.column
    is_next = True
    text, starts, margin = lines.text, lines.starts, " " * column
    for index in range(first - 1, -1, -1):
        # Nearly all lines: a part of a block that the hole is not in.
        if margin and not is_next and index + 1 not in kept and text.startswith(margin, starts[index]):
            continue
        line = lines[index]
        if line.is_blank:
            continue
        is_continued = index + 1 in kept and line.text.rstrip("\r\n").endswith("\\")
        # A block may have to begin here, wherever the cursor is now.
        is_opened = is_next and not before.text.strip() and line.opens
        is_next = False
        if is_continued or is_opened or (line.column < column and is_around(lines, index)):
            kept.update(statement_that_ends_in(lines, index))
            column = min(column, line.column)
            margin = " " * column
        elif column == 0:
            break
    return kept


def is_around(lines: CodeLines, index: int) -> bool:
    """Whether what is deeper than a line is its own: a stray `def (:` in the middle of a method has none."""
    if not lines[index].opens:
        return False
    if not lines.known_language.has_suites:
        return True
    behind = next((line for line in range(index + 1, len(lines)) if not lines[line].is_blank), None)
    return behind is None or lines.is_whole_block(index, lines[behind].column, index + 1)


def statement_that_ends_in(lines: CodeLines, index: int) -> range:
    """The line, and where it begins with a closer the ones from the opener on."""
    if not lines[index].begins_with_closer:
        return range(index, index + 1)
    column = lines[index].column
    for opener in range(index - 1, max(index - MAX_LINES_BACK, -1), -1):
        if not lines[opener].is_blank and lines[opener].column <= column:
            return range(opener, index + 1)
    return range(index, index + 1)
