"""The largest part of a file that a completion can be held to.

While someone types, the rest of the file often does not parse, and no text in the hole could change that.
The ladder asks for less, one rung after the other, until a text fits: the file; the file without erroneous
statements that the cursor is not in; the function or class around the hole; what stands in front of the
hole. On each rung the engine's guarantee is the full one for that part. What a completion would do to the
rest of the file is then tree-sitter's to judge (`syntax.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fim_lsp.server.worker.code_lines import column_of
from fim_lsp.server.worker.hole import Hole, begun
from fim_lsp.server.worker.messages import Rung
from fim_lsp.server.worker.repair import REPAIR_SECONDS, Repaired, may_bind
from fim_lsp.server.worker.texts import WorkerText
from quotient import Document, Language, NoCompletion, Recognizer

# Each line at the margin that may begin a statement: what is broken in one does not hide the next.
MARGIN = re.compile(r"^(?=[^\W\d]|@)", re.MULTILINE)
# What ends all suites, and binds nothing.
NEXT = "pass\n"


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
    # Where statements are set aside.
    repaired: Repaired | None = None


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


def footing(text: WorkerText, hole: Hole, repair_s: float = REPAIR_SECONDS) -> Footing | None:
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
    repaired = text.repair.hole(text.code, hole, refusal, lambda: text.tree.faults(text.text), repair_s)
    if repaired is not None:
        left, right = sides(repaired.document.text, repaired.start, repaired.stop, hole)
        return Footing("set aside", repaired.recognizer, left, right, repaired=repaired)
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
    elif (repaired := ground.repaired) is not None:
        known += repaired.words
        place = repaired.start, repaired.stop, hole.begun
        recognizer = repaired.document.with_names(ground.recognizer, *place, known)
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


def enclosing_parts(text: WorkerText, hole: Hole) -> Iterator[Part]:
    """Each function or class around the hole, the innermost first."""
    lines = text.code
    first, last = lines.line_at(hole.start), lines.line_at(hole.stop)
    column = column_of(lines[first].text[: hole.start - lines.starts[first]])
    for index in range(first, -1, -1):
        line = lines[index]
        if line.is_blank or (index != first and line.column >= column):
            continue
        if index != first:
            column = line.column
        header = line.definition
        if header is not None and (index != first or hole.start > lines.starts[first] + column):
            yield part_from(text, lines.starts[index] + header.start(1), last, line.column)


def part_from(text: WorkerText, start: int, last: int, column: int) -> Part:
    """From a header to the last line that is deeper than it, and to the bracket that closes it."""
    lines, known = text.code, text.known
    behind = ((index, lines[index]) for index in range(last + 1, len(lines)))
    stop, end = next(
        (
            (lines.starts[index], line)
            for index, line in behind
            if not line.is_blank and line.column <= column
        ),
        (len(text.text), None),
    )
    if end is not None and not known.has_suites and end.text.lstrip()[:1] in ("}", "]"):
        stop += column_of(end.text, tab=1) + 1
    opened, closed = known.frame if column or not known.has_suites else ("", "")
    return Part(opened, start, stop, closed)
