"""Which lines are to blame for an error, and which are never set aside."""

from __future__ import annotations

from collections.abc import Iterator

from fim_lsp.known_languages import Blocks
from fim_lsp.server.worker.code_lines import CodeLine, CodeLines
from fim_lsp.server.worker.hole import Hole
from fim_lsp.server.worker.texts import WorkerText

# A statement that is broken is hardly longer.
MAX_FAULT_LINES = 20
# What its brackets hold may be a table.
MAX_STATEMENT_LINES = 400
# What stays open no longer than its statement.
BRACKETS_OF_EXPRESSIONS: dict[Blocks, tuple[str, str]] = {
    "suites": ("([{", ")]}"),
    "braces": ("([", ")]"),
    "data": ("", ""),
}


def lines_around(text: WorkerText, hole: Hole) -> set[int]:
    """The lines that a hole is in: its own, and the headers and open brackets around it. They are never set
    aside; what is offered would fit a file in which its place is another one:

        x = = 3
        def area(side):     without this line, a comment would do for its block
            |
    """
    lines = text.code
    first, last = lines.line_at(hole.start), lines.line_at(hole.stop)
    kept = set(range(first, last + 1))
    before = CodeLine(lines[first].text[: hole.start - lines.starts[first]], lines.known)
    column = before.column
    is_next = True
    for index in range(first - 1, -1, -1):
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
        elif column == 0:
            break
    return kept


def is_around(lines: CodeLines, index: int) -> bool:
    """Whether what is deeper than a line is its own: a stray `def (:` in the middle of a method has none."""
    if not lines[index].opens:
        return False
    if not lines.known.has_suites:
        return True
    behind = next((line for line in range(index + 1, len(lines)) if not lines[line].is_blank), None)
    return behind is None or lines.is_whole_block(index, lines[behind].column, index + 1)


def statement_that_ends_in(lines: CodeLines, index: int) -> range:
    """The line, and where it begins with a closer the ones from the opener on."""
    if not lines[index].begins_with_closer:
        return range(index, index + 1)
    column = lines[index].column
    for opener in range(index - 1, max(index - MAX_FAULT_LINES, -1), -1):
        if not lines[opener].is_blank and lines[opener].column <= column:
            return range(opener, index + 1)
    return range(index, index + 1)


def small_faults(text: WorkerText) -> Iterator[int]:
    """The lines of tree-sitter's faults. One that runs over many lines, such as from an open bracket to the
    end of the file, says little about them."""
    lines = text.lines
    for fault in text.tree.faults(text.text):
        first, last = lines.line_at(fault.start), lines.line_at(max(fault.start, fault.stop - 1))
        if last - first < MAX_FAULT_LINES:
            yield from range(first, last + 1)


def blamed(text: WorkerText, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The lines to set aside for an error that the engine finds in a line."""
    return left_open(text, line, broken, kept) or widened(text, line, broken, kept)


def left_open(text: WorkerText, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The statement whose bracket is open where the engine finds an error, in some lines in front of it.

    Strings are not looked at: a wrong guess costs an attempt, no more. Braces are open wherever they make
    blocks, and brackets of all kinds in data.
    """
    lines, n_open, most, first = text.code, 0, 0, None
    openers, closers = BRACKETS_OF_EXPRESSIONS[text.known.blocks]
    for candidate in range(line - 1, max(line - 1 - MAX_FAULT_LINES, -1), -1):
        if candidate in kept:
            break
        if candidate not in broken:
            n_open += sum(lines[candidate].text.count(opener) for opener in openers)
            n_open -= sum(lines[candidate].text.count(closer) for closer in closers)
        if n_open > most and (first is None or lines[candidate].column < lines[first].column):
            most, first = n_open, candidate
            if not text.known.has_suites:
                break
    if first is None:
        return set()
    stop = end_of_statement(lines, first, line, kept) if text.known.has_suites else line
    return set(range(first, stop)) - broken


def end_of_statement(lines: CodeLines, first: int, line: int, kept: set[int]) -> int:
    """The line behind a statement that leaves a bracket open, and in which or behind which an error shows:
    behind its header if it has one, else behind what is deeper and the bracket that closes."""
    column = lines[first].column
    is_block = lines[first].is_header
    for number in range(first, min(first + MAX_STATEMENT_LINES, len(lines))):
        if number in kept:
            return max(line, first + 1) if number > line else number
        here = lines[number]
        if is_block and here.ends_with_colon:
            return number + 1
        is_inside = here.column > column or here.begins_with_closer
        if number > first and not here.is_blank and not is_inside:
            return max(line, number)
    return line


def widened(text: WorkerText, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The erroneous line, or the statement in front of it when the line was set aside already.

    An error shows where it can no longer be explained, often one line behind the bracket that was left open.
    """
    lines = text.code
    for candidate in range(min(line, len(lines) - 1), -1, -1):
        if candidate in kept:
            return set()
        if candidate not in broken and not lines[candidate].is_blank:
            return {candidate} | inside_of(text, candidate, broken, kept)
    return set()


def inside_of(text: WorkerText, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The rest of a statement that leaves a bracket open at the end of a line."""
    lines = text.code
    if not text.known.has_suites or not lines[line].ends_with_opener:
        return set()
    return set(range(line, end_of_statement(lines, line, line, kept))) - broken
