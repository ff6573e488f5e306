"""Lines of Python that must change their indentation because a header in front of them was removed or added.

-    if ready:
         start()         ->      start()
"""

from __future__ import annotations

import re

from fim_lsp.edits.proving.proof import Proof
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.positions import Lines

# This is the only repair that keeps all typed text.
SURE = 0.93
# The most lines behind a header in which its first statement may end.
MOST_LINES = 30
STEP = re.compile(r"(?m)^([ \t]+)\S")
# The names that a header gives a value to.
GIVEN = re.compile(r"\bas\s+\(?\s*(\w+)|\bfor\s+(.+?)\s+in\b")
WORD = re.compile(r"[^\W\d]\w*")


def dedented_lines(change: FileChange, proof: Proof) -> list[Replacement]:
    """The lines of a block whose header was removed."""
    lines = change.new.lines
    for hunk in change.hunks:
        if hunk.new_first != hunk.new_last or hunk.new_first >= len(lines) or hunk.old_first == hunk.old_last:
            continue
        header = change.old.lines.content(hunk.old_last - 1)
        first = hunk.new_first
        deeper, outer = indentation(lines.content(first)), indentation(header)
        if not header.rstrip().endswith(":") or not deeper.startswith(outer) or deeper == outer:
            continue
        last = first
        while last < len(lines) and (
            not lines.content(last).strip() or indentation(lines.content(last)).startswith(deeper)
        ):
            last += 1
        while last > first and not lines.content(last - 1).strip():
            last -= 1
        start = lines.starts[first]
        stop = lines.starts[last - 1] + len(lines.content(last - 1))
        moved = "".join(
            lines[row][len(deeper) - len(outer) :] if lines.content(row).strip() else lines[row]
            for row in range(first, last)
        )
        moved = outer + moved[len(outer) :] if outer else moved
        new = moved.rstrip("\r\n")
        if proof.fits(start, stop, new):
            return [
                Replacement(start, stop, new, "the line that this block belonged to is gone", SURE, "dedent")
            ]
    return []


def indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def indented_lines(change: FileChange, proof: Proof) -> list[Replacement]:
    """The first statement behind a new header, and the following ones that use its names."""
    lines = change.new.lines
    for hunk in change.hunks:
        if hunk.new_first == hunk.new_last:
            continue
        header = lines.content(hunk.new_last - 1)
        outer, first = indentation(header), hunk.new_last
        while first < len(lines) and not lines.content(first).strip():
            first += 1
        is_same = first < len(lines) and indentation(lines.content(first)) == outer
        if not header.rstrip().endswith(":") or not is_same:
            continue
        last = first_statement(lines, proof, first, outer, step_of(change))
        if last is None:
            continue
        last = using(lines, last, outer, names_given(header))
        start, stop, new = moved_right(lines, first, last, step_of(change))
        if proof.fits(start, stop, new):
            return [
                Replacement(
                    start, stop, new, "the file does not parse since, for want of a block", SURE, "indent"
                )
            ]
    return []


def first_statement(lines: Lines, proof: Proof, first: int, outer: str, step: str) -> int | None:
    """The line behind the first statement: the fewest lines that must move for the file to parse."""
    for last in range(first + 1, min(first + MOST_LINES, len(lines)) + 1):
        if not lines.content(last - 1).startswith(outer) and lines.content(last - 1).strip():
            return None
        if proof.fits(*moved_right(lines, first, last, step)):
            return last
    return None


def using(lines: Lines, last: int, outer: str, names: set[str]) -> int:
    """The line behind the following statements that use some names."""
    while last < len(lines):
        line = lines.content(last)
        is_deeper = len(indentation(line)) > len(outer)
        if not line.startswith(outer) or not (is_deeper or names & {*WORD.findall(line)}):
            return last
        last += 1
    return last


def names_given(header: str) -> set[str]:
    return {name for found in GIVEN.finditer(header) for name in WORD.findall(found[1] or found[2] or "")}


def moved_right(lines: Lines, first: int, last: int, step: str) -> tuple[int, int, str]:
    start = lines.starts[first]
    stop = lines.starts[last - 1] + len(lines.content(last - 1))
    new = "".join(
        step + lines[row] if lines.content(row).strip() else lines[row] for row in range(first, last)
    )
    return start, stop, new.rstrip("\r\n")


def step_of(change: FileChange) -> str:
    """The file's unit of indentation."""
    found = min((one[1] for one in STEP.finditer(change.old.text)), key=len, default="")
    return found or "    "
