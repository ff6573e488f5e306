"""The file without the erroneous statements that the cursor is not in: what is set aside, and until when."""

from __future__ import annotations

import time

from fim_lsp.server.worker.blame import blamed, lines_around, small_faults
from fim_lsp.server.worker.code_lines import CodeLine
from fim_lsp.server.worker.hole import Hole, begun
from fim_lsp.server.worker.mending import patches
from fim_lsp.server.worker.substitute import Substitute
from fim_lsp.server.worker.texts import WorkerText
from quotient import NoCompletion, Recognizer

# Each further first error that the engine finds costs a look at what lies between.
MAX_MENDINGS = 8
# So many of them before tree-sitter is asked.
MAX_GUESSES = 3
MENDING_SECONDS = 0.05
# So far from a hole what was set aside for it is what would be set aside for another one.
LINES_AT_HOME = 10


def on_the_mended_file(
    text: WorkerText, hole: Hole, refusal: NoCompletion | None, mending_s: float
) -> Recognizer | None:
    """The file with erroneous statements set aside. They stay so until they are edited, or somebody writes
    elsewhere: what lacks a header or a bracket that is to come in the hole is no error there.

    While somebody types, the errors elsewhere stay what they are. For a new one the engine is asked, which
    knows where the first one is and mostly needs no more, then tree-sitter, which reads on. Where all that is
    of no use for a line, it is not tried for it again.
    """
    lines, here = text.lines, text.lines.line_at(hole.start)
    if text.hopeless_line == here:
        return None
    kept = lines_around(text, hole)
    substitute = text.substitute()
    for line in kept:
        substitute.restore(lines.starts[line], lines.starts[line])
    restore_what_opens_here(text, substitute, here)
    if substitute.patches and refusal is not None and is_away(text, substitute, here):
        of_another_hole = [*substitute.patches]
        substitute.patch(text.text, [])
        found = mended(text, hole, refusal, kept, mending_s)
        if found is not None:
            return begun(found, hole)
        substitute.patch(text.text, of_another_hole)
    if substitute.patches:
        try:
            return begun(substitute.recognizer(hole.start, hole.stop), hole)
        except NoCompletion as another:
            refusal = another
    found = mended(text, hole, refusal, kept, mending_s)
    if found is None:
        text.hopeless_line = here
        return None
    return begun(found, hole)


def is_away(text: WorkerText, substitute: Substitute, here: int) -> bool:
    """Whether what is set aside was so for a hole elsewhere in the file."""
    home = substitute.home
    return home is None or abs(text.lines.line_at(home) - here) > LINES_AT_HOME


def mended(
    text: WorkerText, hole: Hole, refusal: NoCompletion | None, kept: set[int], mending_s: float
) -> Recognizer | None:
    """The file with more statements set aside than those that are. None if that is of no use, at once where
    what the cursor is in does not fit what is in front of it."""
    lines, substitute = text.lines, text.substitute()
    found = None
    if refusal is not None:
        known = {lines.line_at(patch.start) for patch in substitute.patches}
        line = line_of_refusal(substitute, refusal, hole)
        guess = blamed(text, line, known, kept)
        if not guess and refusal.side == "left" and line in kept:
            return None
        if guess:
            found = on_the_file_without(text, hole, known | guess, MAX_GUESSES, mending_s)
    if found is None:
        faults = set(small_faults(text)).difference(kept)
        found = on_the_file_without(text, hole, faults, MAX_MENDINGS, mending_s)
    if found is not None:
        # Nobody writes at the beginning of a file that has just been opened.
        substitute.home = hole.start or None
    return found


def restore_what_opens_here(text: WorkerText, substitute: Substitute, here: int) -> None:
    """Takes back a header that mending has invented above the cursor: the cursor's line may be the header.

    import os       `if 1:`, while the cursor was elsewhere
    |
        side = 3
    """
    lines, known = text.code, text.known
    above = next((line for line in range(here - 1, -1, -1) if not lines[line].is_blank), None)
    for patch in [*substitute.patches]:
        is_above = above is not None and patch.start == lines.starts[above]
        if is_above and CodeLine(patch.new, known).opens and not CodeLine(patch.old, known).opens:
            substitute.restore(patch.start, patch.start)


def on_the_file_without(
    text: WorkerText, hole: Hole, broken: set[int], at_most: int, mending_s: float
) -> Recognizer | None:
    """Sets lines aside, then the statement of each first error that the engine still finds."""
    kept, substitute = lines_around(text, hole), text.substitute()
    deadline = time.monotonic() + mending_s
    for _ in range(at_most):
        try:
            return on_patched(text, hole, broken)
        except NoCompletion as refusal:
            additions = blamed(text, line_of_refusal(substitute, refusal, hole), broken, kept)
        if not additions or time.monotonic() > deadline:
            break
        broken = broken | additions
    return None


def on_patched(text: WorkerText, hole: Hole, broken: set[int]) -> Recognizer:
    """The file with lines set aside. What one of them binds is not said again where that does not fit."""
    substitute = text.substitute()
    silent: set[int] = set()
    while True:
        substitute.patch(text.text, patches(text.code, broken, silent))
        try:
            return substitute.recognizer(hole.start, hole.stop)
        except NoCompletion as refusal:
            silent.add(line_of_refusal(substitute, refusal, hole))
            if len(silent) == MAX_GUESSES:
                silent |= broken
            if substitute.patches == [*patches(text.code, broken, silent)]:
                raise


def line_of_refusal(substitute: Substitute, refusal: NoCompletion, hole: Hole) -> int:
    """Mending keeps the number of lines, so a line of the mended text is a line of the text."""
    start, stop = substitute.place(hole.start), substitute.place(hole.stop)
    if refusal.side == "left":
        return n_line_ends(substitute.text[: refusal.offset])
    return n_line_ends(substitute.text[: stop + refusal.offset if refusal.side == "right" else start])


def n_line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")
