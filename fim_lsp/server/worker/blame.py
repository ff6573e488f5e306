"""Which lines are to blame for an error, and which are never set aside."""

from __future__ import annotations

from collections.abc import Iterator

from fim_lsp.known_languages import Blocks, KnownLanguage
from fim_lsp.positions import Lines
from fim_lsp.server.worker.hole import Hole
from fim_lsp.server.worker.mending import column_of, is_blank, is_header, is_whole_block
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
    lines, known = text.lines, text.known
    first, last = lines.line_at(hole.start), lines.line_at(hole.stop)
    kept = set(range(first, last + 1))
    before = lines[first][: hole.start - lines.starts[first]]
    column = column_of(before)
    is_next = True
    for index in range(first - 1, -1, -1):
        line = lines[index]
        if is_blank(line, known):
            continue
        is_continued = index + 1 in kept and line.rstrip("\r\n").endswith("\\")
        # A block may have to begin here, wherever the cursor is now.
        is_opened = is_next and not before.strip() and opens(line, known)
        is_next = False
        if is_continued or is_opened or (column_of(line) < column and is_around(lines, index, known)):
            kept.update(statement_that_ends_in(lines, index, known))
            column = min(column, column_of(line))
        elif column == 0:
            break
    return kept


def opens(line: str, known: KnownLanguage) -> bool:
    """Whether a line is a header or leaves a bracket open. Strings are not looked at."""
    code = line.partition(known.line_comment)[0] if known.line_comment else line
    n_open = sum(code.count(opener) for opener in "([{") - sum(code.count(closer) for closer in ")]}")
    is_opened = n_open > 0 or (known.has_suites and is_header(code))
    return is_opened or code.lstrip().startswith((")", "]", "}"))


def is_around(lines: Lines, index: int, known: KnownLanguage) -> bool:
    """Whether what is deeper than a line is its own: a stray `def (:` in the middle of a method has none."""
    if not opens(lines[index], known):
        return False
    if not known.has_suites:
        return True
    behind = next((line for line in range(index + 1, len(lines)) if not is_blank(lines[line])), None)
    return behind is None or is_whole_block(lines, index, column_of(lines[behind]), index + 1)


def statement_that_ends_in(lines: Lines, index: int, known: KnownLanguage) -> range:
    """The line, and where it begins with a closer the ones from the opener on."""
    if not lines[index].lstrip().startswith((")", "]", "}")):
        return range(index, index + 1)
    column = column_of(lines[index])
    for opener in range(index - 1, max(index - MAX_FAULT_LINES, -1), -1):
        if not is_blank(lines[opener], known) and column_of(lines[opener]) <= column:
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
    lines, n_open, most, first = text.lines, 0, 0, None
    openers, closers = BRACKETS_OF_EXPRESSIONS[text.known.blocks]
    for candidate in range(line - 1, max(line - 1 - MAX_FAULT_LINES, -1), -1):
        if candidate in kept:
            break
        if candidate not in broken:
            n_open += sum(lines[candidate].count(opener) for opener in openers)
            n_open -= sum(lines[candidate].count(closer) for closer in closers)
        if n_open > most and (first is None or column_of(lines[candidate]) < column_of(lines[first])):
            most, first = n_open, candidate
            if not text.known.has_suites:
                break
    if first is None:
        return set()
    stop = end_of_statement(lines, first, line, kept) if text.known.has_suites else line
    return set(range(first, stop)) - broken


def end_of_statement(lines: Lines, first: int, line: int, kept: set[int]) -> int:
    """The line behind a statement that leaves a bracket open, and in which or behind which an error shows:
    behind its header if it has one, else behind what is deeper and the bracket that closes."""
    column = column_of(lines[first])
    is_block = is_header(lines[first])
    for number in range(first, min(first + MAX_STATEMENT_LINES, len(lines))):
        if number in kept:
            return max(line, first + 1) if number > line else number
        if is_block and lines[number].rstrip().endswith(":"):
            return number + 1
        is_inside = column_of(lines[number]) > column or lines[number].lstrip().startswith((")", "]", "}"))
        if number > first and not is_blank(lines[number]) and not is_inside:
            return max(line, number)
    return line


def widened(text: WorkerText, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The erroneous line, or the statement in front of it when the line was set aside already.

    An error shows where it can no longer be explained, often one line behind the bracket that was left open.
    """
    lines = text.lines
    for candidate in range(min(line, len(lines) - 1), -1, -1):
        if candidate in kept:
            return set()
        if candidate not in broken and not is_blank(lines[candidate], text.known):
            return {candidate} | inside_of(text, candidate, broken, kept)
    return set()


def inside_of(text: WorkerText, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The rest of a statement that leaves a bracket open at the end of a line."""
    lines = text.lines
    if not text.known.has_suites or not lines[line].rstrip().endswith(("(", "[", "{")):
        return set()
    return set(range(line, end_of_statement(lines, line, line, kept))) - broken
