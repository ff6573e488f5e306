"""The largest part of a file that a completion can be held to.

While someone types, the rest of the file often does not parse, and no text in the hole could change that.
The ladder asks for less, one rung after the other, until a text fits: the file; the file without erroneous
statements that the cursor is not in; the function or class around the hole; what stands in front of the
hole. On each rung the engine's guarantee is the full one for that part. What a completion would do to the
rest of the file is then tree-sitter's to judge (`syntax.py`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fim_lsp.known_languages import Blocks, KnownLanguage
from fim_lsp.positions import Lines
from fim_lsp.server.worker.bindings import may_bind
from fim_lsp.server.worker.mending import column_of, is_blank, is_header, is_whole_block, patches
from fim_lsp.server.worker.messages import Rung
from fim_lsp.server.worker.substitute import Substitute
from fim_lsp.server.worker.texts import WorkerText
from quotient import Document, Language, NoCompletion, Recognizer

# Each further first error that the engine finds costs a look at what lies between.
MAX_MENDINGS = 8
# So many of them before tree-sitter is asked.
MAX_GUESSES = 3
MENDING_SECONDS = 0.05
# A statement that is broken is hardly longer.
MAX_FAULT_LINES = 20
# What its brackets hold may be a table.
MAX_STATEMENT_LINES = 400
# So far from a hole what was set aside for it is what would be set aside for another one.
LINES_AT_HOME = 10
# Each line at the margin that may begin a statement: what is broken in one does not hide the next.
MARGIN = re.compile(r"^(?=[^\W\d]|@)", re.MULTILINE)
# What ends all suites, and binds nothing.
NEXT = "pass\n"
# What stays open no longer than its statement.
BRACKETS_OF_EXPRESSIONS: dict[Blocks, tuple[str, str]] = {
    "suites": ("([{", ")]}"),
    "braces": ("([", ")]"),
    "data": ("", ""),
}


@dataclass(frozen=True, slots=True)
class Footing:
    """What a completion is held to: a recognizer that has read what is begun, and the rung that it stands
    for.

    `left`, which ends with what is begun, and `right` are what it is of, for whoever makes another one; with
    names, `known` are those that are not in there.
    """

    rung: Rung
    recognizer: Recognizer
    left: str
    right: str
    known: tuple[str, ...] = ()
    # Where that is a part of the file.
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file that is looked at by itself: what lies between two offsets, with something in front of
    it and behind it."""

    opened: str
    start: int
    stop: int
    closed: str
    document: Document | None = None

    def names_elsewhere(self, text: WorkerText) -> set[str]:
        """All that the rest of the file may bind, and what a method has from its class."""
        found = {"__class__"}
        for elsewhere in (text.text[: self.start], text.text[self.stop :]):
            *ended, last = MARGIN.split(elsewhere)
            # The last piece may be a function around the part: what it has bound is seen there.
            for piece in (*(piece + NEXT for piece in ended), last):
                found.update(names_of(text.language, piece))
        return found


@dataclass(frozen=True, slots=True)
class Hole:
    """Two offsets between which something is to come that begins with a text."""

    start: int
    stop: int
    begun: str


def footing(text: WorkerText, hole: Hole, mending_s: float = MENDING_SECONDS) -> Footing | None:
    """The highest rung on which something fits; None when even the text in front of the hole is broken."""
    if text.is_marked and not hole.start:
        # What is written in front of a byte order mark makes it a character in the middle of the text.
        return None
    refusal = None
    try:
        recognizer = begun(text.engine.recognizer(hole.start, hole.stop), hole)
    except NoCompletion as error:
        recognizer, refusal = None, error
    if recognizer is not None:
        return Footing("file", recognizer, *sides(text.text, hole.start, hole.stop, hole))
    recognizer = on_the_mended_file(text, hole, refusal, mending_s)
    if recognizer is not None:
        substitute = text.substitute()
        start, stop = substitute.place(hole.start), substitute.place(hole.stop)
        return Footing("set aside", recognizer, *sides(substitute.text, start, stop, hole))
    parts = list(enclosing_parts(text, hole))
    for part in parts:
        if (found := on(text, part, hole, "enclosing")) is not None:
            return found
    for part in (*parts, Part("", 0, hole.stop, "")):
        if (found := on(text, replace(part, stop=hole.stop, closed=""), hole, "left")) is not None:
            return found
    return None


def sides(text: str, start: int, stop: int, hole: Hole) -> tuple[str, str]:
    return text[:start] + hole.begun, text[stop:]


def named(text: WorkerText, hole: Hole, ground: Footing) -> Footing:
    """The same footing where only names that exist are used.

    What a statement binds that is set aside cannot be told, so all that it may bind counts, as it does in a
    piece of the rest of the file that cannot be read. Of a notebook's cells, which run in any order, all
    words count.
    """
    if text.elsewhere is None:
        return ground
    known = list(text.elsewhere)
    at = hole.start, hole.stop, hole.begun
    if ground.part is not None and ground.part.document is not None:
        known += ground.part.names_elsewhere(text)
        place = len(ground.left) - len(hole.begun)
        recognizer = ground.part.document.with_names(ground.recognizer, place, place, hole.begun, known)
    elif ground.rung == "set aside":
        known += text.substitute().words
        recognizer = text.substitute().with_names(ground.recognizer, *at, known)
    else:
        recognizer = text.engine.with_names(ground.recognizer, *at, known)
    return replace(ground, recognizer=recognizer, known=tuple(known))


def names_of(language: Language, piece: str) -> Iterable[str]:
    """What a piece of a file binds; where that cannot be told, what its lines may bind."""
    found = language.bound_names(piece)
    if found is not None:
        return found
    lines = piece.splitlines()
    return [
        name for before, line in zip(["", *lines], lines, strict=False) for name in may_bind(line, before)
    ]


def on(text: WorkerText, part: Part, hole: Hole, rung: Rung) -> Footing | None:
    """A part of the file that is looked at once, without keeping what was computed: recognizers of the
    language itself would leave their charts to the next one."""
    left = part.opened + text.text[part.start : hole.start]
    right = text.text[hole.stop : part.stop] + part.closed
    document = text.language.document(left + right)
    try:
        recognizer = begun(document.recognizer(len(left)), hole)
    except NoCompletion:
        return None
    if recognizer is None:
        return None
    part = replace(part, document=document)
    return Footing(rung, recognizer, left + hole.begun, right, part=part)


def begun(recognizer: Recognizer, hole: Hole) -> Recognizer | None:
    return recognizer if not hole.begun or recognizer.advance(hole.begun) else None


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
    lines, known = text.lines, text.known
    above = next((line for line in range(here - 1, -1, -1) if not is_blank(lines[line], known)), None)
    for patch in [*substitute.patches]:
        is_above = above is not None and patch.start == lines.starts[above]
        if is_above and opens(patch.new, known) and not opens(patch.old, known):
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
        substitute.patch(text.text, patches(text.lines, broken, text.known, silent))
        try:
            return substitute.recognizer(hole.start, hole.stop)
        except NoCompletion as refusal:
            silent.add(line_of_refusal(substitute, refusal, hole))
            if len(silent) == MAX_GUESSES:
                silent |= broken
            if substitute.patches == [*patches(text.lines, broken, text.known, silent)]:
                raise


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


def line_of_refusal(substitute: Substitute, refusal: NoCompletion, hole: Hole) -> int:
    """Mending keeps the number of lines, so a line of the mended text is a line of the text."""
    start, stop = substitute.place(hole.start), substitute.place(hole.stop)
    if refusal.side == "left":
        return n_line_ends(substitute.text[: refusal.offset])
    return n_line_ends(substitute.text[: stop + refusal.offset if refusal.side == "right" else start])


def n_line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


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


def enclosing_parts(text: WorkerText, hole: Hole) -> Iterator[Part]:
    """Each function or class around the hole, the innermost first."""
    lines, starts, known = text.lines, text.lines.starts, text.known
    first, last = lines.line_at(hole.start), lines.line_at(hole.stop)
    column = column_of(lines[first][: hole.start - starts[first]])
    for index in range(first, -1, -1):
        if is_blank(lines[index], known) or (index != first and column_of(lines[index]) >= column):
            continue
        if index != first:
            column = column_of(lines[index])
        header = known.definition.match(lines.content(index))
        if header and (index != first or hole.start > starts[first] + column):
            yield part_from(text, starts[index] + header.start(1), last, column_of(lines[index]))


def part_from(text: WorkerText, start: int, last: int, column: int) -> Part:
    """From a header to the last line that is deeper than it, and to the bracket that closes it."""
    lines, starts, known = text.lines, text.lines.starts, text.known
    behind = (line for line in range(last + 1, len(lines)) if not is_blank(lines[line], known))
    stop_line = next((line for line in behind if column_of(lines[line]) <= column), None)
    stop = len(text.text) if stop_line is None else starts[stop_line]
    if stop_line is not None and not known.has_suites and lines[stop_line].lstrip()[:1] in ("}", "]"):
        stop += column_of(lines[stop_line], tab=1) + 1
    opened, closed = known.frame if column or not known.has_suites else ("", "")
    return Part(opened, start, stop, closed)
