"""The largest part of a file that a completion can be held to.

While someone types, the rest of the file often does not parse, and no text in the hole could change that.
The ladder asks for less, one rung after the other, until a text fits: the file; the file without its
erroneous statements; the function or class around the hole; what stands in front of the hole. On each rung
the engine's guarantee is the full one for that part. What a completion would do to the rest of the file is
then tree-sitter's to judge (`syntax.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from fim_lsp.server.worker.mending import Mended, column_of, is_blank, line_at, mended
from fim_lsp.server.worker.messages import Rung
from fim_lsp.server.worker.texts import BLOCK, DEFINITION, WorkerText, adapted
from quotient import NoCompletion, Recognizer

# Each further first error that the engine finds costs a look at what lies between.
MAX_MENDINGS = 8
MENDING_SECONDS = 0.05
# A statement that is broken is hardly longer.
MAX_FAULT_LINES = 20


@dataclass(frozen=True, slots=True)
class Footing:
    """What a completion is held to: a recognizer that has read what is begun, and the rung that it stands
    for."""

    rung: Rung
    recognizer: Recognizer


@dataclass(frozen=True, slots=True)
class Hole:
    """Two offsets between which something is to come that begins with a text."""

    start: int
    stop: int
    begun: str


def footing(text: WorkerText, hole: Hole) -> Footing | None:
    """The highest rung on which something fits; None when even the text in front of the hole is broken."""
    recognizer = on_the_file(text, hole)
    if recognizer is not None:
        return Footing("file", recognizer)
    recognizer = on_the_mended_file(text, hole)
    if recognizer is not None:
        return Footing("set aside", recognizer)
    regions = list(enclosing_regions(text, hole))
    for left, right in regions:
        recognizer = on(text, left, right, hole)
        if recognizer is not None:
            return Footing("enclosing", recognizer)
    for left in (*(left for left, _ in regions), text.text[: hole.start]):
        recognizer = on(text, left, "", hole)
        if recognizer is not None:
            return Footing("left", recognizer)
    return None


def on_the_file(text: WorkerText, hole: Hole) -> Recognizer | None:
    try:
        return begun(text.engine.recognizer(hole.start, hole.stop), hole)
    except NoCompletion:
        return None


def on(text: WorkerText, left: str, right: str, hole: Hole) -> Recognizer | None:
    """Two contexts that are looked at once, without keeping what was computed."""
    try:
        return begun(text.language.recognizer(left, right), hole)
    except NoCompletion:
        return None


def begun(recognizer: Recognizer, hole: Hole) -> Recognizer | None:
    return recognizer if not hole.begun or recognizer.advance(hole.begun) else None


def on_the_mended_file(text: WorkerText, hole: Hole) -> Recognizer | None:
    """Sets aside what is known to be broken. Else what tree-sitter calls broken, then the statement of each
    first error that the engine still finds.

    While somebody types, the errors elsewhere stay what they are. To find them costs some 20 ms in a file of
    6,000 lines, to set them aside again 5 ms; where that is no use for a line, it is not tried for it again.
    """
    starts = text.lines.starts
    here = line_at(starts, hole.start)
    if text.hopeless_line == here:
        return None
    lines = text.line_texts()
    around = set(range(here, line_at(starts, hole.stop) + 1))
    known = {line_at(starts, offset) for offset in text.set_aside} - around
    if known:
        with suppress(NoCompletion):
            return begun(mended_recognizer(text, mended(lines, starts, known, hole.start, hole.stop)), hole)
    broken = set(small_faults(text)) - around
    deadline = time.monotonic() + MENDING_SECONDS
    for _ in range(MAX_MENDINGS):
        sides = mended(lines, starts, broken, hole.start, hole.stop)
        try:
            found = begun(mended_recognizer(text, sides), hole)
        except NoCompletion as refusal:
            line = line_of_refusal(sides, refusal, starts, hole)
        else:
            text.set_aside = [starts[line] for line in broken]
            return found
        additions = left_open(lines, line, broken, around) or widened(lines, line, broken, around)
        if not additions or time.monotonic() > deadline:
            break
        broken |= additions
    text.hopeless_line = here
    return None


def small_faults(text: WorkerText) -> Iterator[int]:
    """The lines of tree-sitter's faults. One that runs over many lines, such as from an open bracket to the
    end of the file, says little about them."""
    starts = text.lines.starts
    for fault in text.tree.faults(text.text):
        first, last = line_at(starts, fault.start), line_at(starts, max(fault.start, fault.stop - 1))
        if last - first < MAX_FAULT_LINES:
            yield from range(first, last + 1)


def left_open(lines: list[str], line: int, broken: set[int], around: set[int]) -> set[int]:
    """The statement whose bracket is open where the engine finds an error, in some lines in front of it.

    Strings are not looked at: a wrong guess costs an attempt, no more.
    """
    n_open = 0
    for candidate in range(line - 1, max(line - 1 - MAX_FAULT_LINES, -1), -1):
        if candidate in around:
            return set()
        if candidate not in broken:
            n_open += sum(lines[candidate].count(opener) for opener in "([{")
            n_open -= sum(lines[candidate].count(closer) for closer in ")]}")
        if n_open > 0:
            return set(range(candidate, line)) - broken
    return set()


def mended_recognizer(text: WorkerText, sides: Mended) -> Recognizer:
    whole = sides.left + sides.right
    if text.mended is None:
        text.mended = text.language.document(whole)
    else:
        adapted(text.mended, whole)
    return text.mended.recognizer(len(sides.left))


def line_of_refusal(sides: Mended, refusal: NoCompletion, starts: tuple[int, ...], hole: Hole) -> int:
    """Mending keeps the number of lines, so a line of the mended text is a line of the text."""
    if refusal.side == "left":
        return n_line_ends(sides.left[: refusal.offset])
    first = line_at(starts, hole.stop)
    return first + (n_line_ends(sides.right[: refusal.offset]) if refusal.side == "right" else 0)


def n_line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def widened(lines: list[str], line: int, broken: set[int], around: set[int]) -> set[int]:
    """The erroneous line, or the statement in front of it when the line was set aside already.

    An error shows where it can no longer be explained, often one line behind the bracket that was left open.
    """
    for candidate in range(min(line, len(lines) - 1), -1, -1):
        if candidate in around:
            return set()
        if candidate not in broken and not is_blank(lines[candidate]):
            return {candidate}
    return set()


def enclosing_regions(text: WorkerText, hole: Hole) -> Iterator[tuple[str, str]]:
    """The two sides of the hole inside each function or class around it, the innermost first."""
    lines = text.line_texts()
    starts = text.lines.starts
    first = line_at(starts, hole.start)
    last = line_at(starts, hole.stop)
    column = column_of(lines[first][: hole.start - starts[first]])
    for index in range(first, -1, -1):
        if is_blank(lines[index]) or (index != first and column_of(lines[index]) >= column):
            continue
        if index != first:
            column = column_of(lines[index])
        if DEFINITION.match(lines[index]) and (index != first or hole.start > starts[first] + column):
            yield region(text, hole, index, last, column_of(lines[index]), lines)


def region(
    text: WorkerText, hole: Hole, first: int, last: int, column: int, lines: list[str]
) -> tuple[str, str]:
    """From a header to the last line that is deeper than it."""
    starts = text.lines.starts
    behind = (line for line in range(last + 1, len(lines)) if not is_blank(lines[line]))
    stop_line = next((line for line in behind if column_of(lines[line]) <= column), None)
    stop = len(text.text) if stop_line is None else starts[stop_line]
    opened = BLOCK if column else ""
    return opened + text.text[starts[first] : hole.start], text.text[hole.stop : stop]
