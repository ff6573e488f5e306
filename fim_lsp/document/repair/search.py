"""The search for the lines to set aside: lines to blame for an error, until the file parses without them.

The engine knows where the first error is, which is mostly enough. If not, tree-sitter helps, because it reads
on behind an error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fim_lsp.document.code_lines import CodeLines
from fim_lsp.document.hole import Hole
from fim_lsp.document.repair.stand_ins import patches
from fim_lsp.document.repair.substitute import Error, Patch, Repaired, Substitutes
from fim_lsp.known_languages import Blocks

if TYPE_CHECKING:
    from fim_lsp.document.syntax import SyntaxFault

# Each later first error that the engine finds costs a look at the text in between.
MAX_ATTEMPTS = 8
# The most guesses before tree-sitter is asked.
MAX_GUESSES = 3
# A statement that is broken is hardly longer.
MAX_FAULT_LINES = 20
# A statement's brackets may hold a table.
MAX_STATEMENT_LINES = 400
# Brackets that stay open no longer than their statement.
BRACKETS_OF_EXPRESSIONS: dict[Blocks, tuple[str, str]] = {
    "suites": ("([{", ")]}"),
    "braces": ("([", ")]"),
    "data": ("", ""),
}


def search(
    code: CodeLines,
    hole: Hole,
    kept: set[int],
    substitutes: Substitutes,
    error: Error | None,
    faults: Callable[[], Sequence[SyntaxFault]],
    seconds: float,
) -> Repaired | None:
    """The hole in a file with statements set aside. None if that is of no use, at once where what the cursor
    is in does not fit what is in front of it.

    `error` is what the engine has against the file as it is, if anything.
    """
    is_here = error is not None and error.is_in_front and error.line in kept
    if error is not None and is_here and not blamed_lines(code, error.line, set(), kept):
        return None
    for broken, left, at_most in beginnings(code, kept, error, faults):
        deadline = time.monotonic() + seconds
        for _ in range(at_most):
            if left is not None:
                additions = blamed_lines(code, left.line, broken, kept)
                if not additions:
                    break
                broken = broken | additions
            answer = without(code, broken, substitutes, hole)
            if not isinstance(answer, Error):
                return answer
            if time.monotonic() > deadline:
                break
            left = answer
    return None


def beginnings(
    code: CodeLines,
    kept: set[int],
    error: Error | None,
    faults: Callable[[], Sequence[SyntaxFault]],
) -> Iterator[tuple[set[int], Error | None, int]]:
    """The starts of a search: the lines set aside at first, the remaining error, and the number of tries."""
    if error is not None:
        yield set(), error, MAX_GUESSES
    yield set(small_faults(code, faults())) - kept, None, MAX_ATTEMPTS


def without(
    code: CodeLines, broken: set[int], substitutes: Substitutes, hole: Hole
) -> Repaired | Error | None:
    """The hole in a file with these lines set aside and no others, or the error that is left; None if what is
    begun does not fit. The names that one of them binds are not said again where that does not fit."""
    silent: set[int] = set()
    error: Error | None = None
    before: list[Patch] = []
    while True:
        stand_ins = [*patches(code, broken, silent)]
        if error is not None and stand_ins == before:
            return error
        substitute, before = substitutes.with_patches(code.text, stand_ins), stand_ins
        answer = substitute.read(hole)
        if not isinstance(answer, Error):
            return substitute.repaired_hole(answer, hole)
        error = answer
        silent.add(error.line)
        if len(silent) == MAX_GUESSES:
            silent |= broken


def small_faults(lines: CodeLines, faults: Iterable[SyntaxFault]) -> Iterator[int]:
    """The lines of tree-sitter's faults. One that runs over many lines, such as from an open bracket to the
    end of the file, says little about them."""
    for fault in faults:
        first, last = lines.line_at(fault.start), lines.line_at(max(fault.start, fault.stop - 1))
        if last - first < MAX_FAULT_LINES:
            yield from range(first, last + 1)


def blamed_lines(lines: CodeLines, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The lines to set aside for an error that the engine finds in a line."""
    return left_open(lines, line, broken, kept) or widened_lines(lines, line, broken, kept)


def left_open(lines: CodeLines, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The statement whose bracket is open where the engine finds an error, in some lines in front of it.

    Strings are not looked at: a wrong guess costs an attempt, no more. Braces are open wherever they make
    blocks, and brackets of all kinds in data.
    """
    n_open, most, first = 0, 0, None
    openers, closers = BRACKETS_OF_EXPRESSIONS[lines.known_language.blocks]
    for candidate in range(line - 1, max(line - 1 - MAX_FAULT_LINES, -1), -1):
        if candidate in kept:
            break
        if candidate not in broken:
            n_open += sum(lines[candidate].text.count(opener) for opener in openers)
            n_open -= sum(lines[candidate].text.count(closer) for closer in closers)
        if n_open > most and (first is None or lines[candidate].column < lines[first].column):
            most, first = n_open, candidate
            if not lines.known_language.has_suites:
                break
    if first is None:
        return set()
    stop = end_of_statement(lines, first, line, kept) if lines.known_language.has_suites else line
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


def widened_lines(lines: CodeLines, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The erroneous line, or the statement in front of it when the line was set aside already.

    An error shows where it can no longer be explained, often one line behind the bracket that was left open.
    """
    for candidate in range(min(line, len(lines) - 1), -1, -1):
        if candidate in kept:
            return set()
        if candidate not in broken and not lines[candidate].is_blank:
            return {candidate} | inside_of(lines, candidate, broken, kept)
    return set()


def inside_of(lines: CodeLines, line: int, broken: set[int], kept: set[int]) -> set[int]:
    """The rest of a statement that leaves a bracket open at the end of a line."""
    if not lines.known_language.has_suites or not lines[line].ends_with_opener:
        return set()
    return set(range(line, end_of_statement(lines, line, line, kept))) - broken
