"""The largest part of a file that a completion can be held to.

While someone types, the rest of the file often does not parse, and no text in the hole could change that. The
ladder asks for less, one rung after the other, until a text fits: the file; the file without erroneous
statements that the cursor is not in; the function or class around the hole; what stands in front of the hole.
On each rung the engine's guarantee is the full one for that part. The effect of a completion on the rest of
the file is then tree-sitter's to judge (`syntax.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fim_lsp.document.code_lines import column_of
from fim_lsp.document.hole import Hole, recognizer_at, recognizer_behind, recognizer_in
from fim_lsp.document.repair import REPAIR_SECONDS, may_bind
from fim_lsp.document.texts import WorkerText
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.server.worker.messages import Rung
from fim_lsp.server.worker.site import Site
from quotient import Document, Language, NoCompletion, Recognizer, TooCostly

# Each line at the margin that may begin a statement: a fault in one does not hide the next.
MARGIN = re.compile(r"^(?=[^\W\d]|@)", re.MULTILINE)
# A name or keyword that the cursor stands behind. Longer ones are no words.
HALF_WORD = re.compile(r"(?<!\w)[^\W\d]\w*\Z")
LONGEST_WORD = 100
CLOSERS = re.compile(r"[)\]}]+;?\Z")
QUOTED = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`""")
# A statement that ends all suites, and binds nothing.
NEXT = "pass\n"


@dataclass(frozen=True, slots=True)
class HeldPart:
    """The part of a file that a completion is held to: a document, a hole in it, and what is begun there.

    `left`, which ends with what is begun, and `right` stand around it, for code that makes another hole.
    """

    document: Document
    start: int
    stop: int
    begun: str
    left: str
    right: str

    @classmethod
    def of(cls, document: Document, start: int, stop: int, begun: str) -> HeldPart:
        return cls(document, start, stop, begun, document.text[:start] + begun, document.text[stop:])

    def with_names(self, recognizer: Recognizer, known: list[str]) -> Recognizer:
        """The recognizer of the hole where only names that exist are used."""
        found = self.new_name_recognizer(known)
        if found is not None:
            return found
        return self.document.with_names(recognizer, self.start, self.stop, self.begun, known)

    def new_name_recognizer(self, known: list[str]) -> Recognizer | None:
        """A recognizer of what a hole from the half word's beginning on would let through: where no name
        begins like it, one that is bound there, and not used. None where that cannot be.

        gen|        `erated = 1` may come of it, and `d_sequence.append(1)` may not
        """
        begun = self.begun
        found = HALF_WORD.search(self.left[-LONGEST_WORD:])
        if found is None:
            return None
        word = found[0]
        start, before = self.start - max(0, len(word) - len(begun)), begun[: max(0, len(begun) - len(word))]
        try:
            reading = recognizer_behind(self.document.recognizer(start, self.stop), before)
        except (NoCompletion, TooCostly):
            return None
        if reading is None:
            return None
        named = self.document.with_names(reading, start, self.stop, before, known)
        return named if named.advance(word) else None


@dataclass(frozen=True, slots=True)
class Footing:
    """The footing of a completion at a site: a recognizer that has read what is begun, the rung that it
    stands for, and the part of the file that it is of. With names, `known` are those that are not in there.
    """

    site: Site
    rung: Rung
    recognizer: Recognizer
    part: HeldPart
    # Names that may be bound in those parts of the file that the document lacks.
    lacking: Callable[[], Iterable[str]] = tuple
    known: tuple[str, ...] = ()

    @property
    def has_whole_file(self) -> bool:
        return self.rung == "file"

    @property
    def contexts(self) -> HoleContexts:
        """The contexts for a server with our plugin in it: the part of the file that this is of."""
        language, has_names = self.site.text.language, self.recognizer.has_names
        return HoleContexts(
            self.part.left, self.part.right, language.name, language.version, has_names, known=self.known
        )

    def with_names(self, importable: Iterable[str] = ()) -> Footing:
        """The footing on which only names are used that exist, or could be imported.

        The names that a statement set aside binds cannot be told, so all that it may bind count, as they do
        in a piece of the rest of the file that cannot be read. Of a notebook's cells, which run in any order,
        all words count.
        """
        elsewhere = self.site.text.elsewhere
        if elsewhere is None:
            return self
        known = [*elsewhere, *self.lacking(), *importable]
        recognizer = self.part.with_names(self.recognizer, known)
        return replace(self, recognizer=recognizer, known=tuple(known))


@dataclass(frozen=True, slots=True)
class IsolatedPart:
    """A part of a file that is looked at by itself: the text between two offsets, with something in front of
    it and behind it."""

    opened: str
    start: int
    stop: int
    closed: str

    def names_elsewhere(self, text: WorkerText) -> set[str]:
        """The names that the rest of the file may bind, and those that a method has from its class."""
        found = {"__class__"}
        for elsewhere in (text.text[: self.start], text.text[self.stop :]):
            *ended, last = MARGIN.split(elsewhere)
            # The last piece may be a function around the part: names that it has bound are seen there.
            for piece in (*(piece + NEXT for piece in ended), last):
                found.update(names_of(text.language, piece))
        return found


def footing(site: Site, repair_s: float = REPAIR_SECONDS) -> Footing | None:
    """The highest rung on which something fits; None when even the text in front of the hole is broken."""
    text, hole = site.text, site.hole
    if text.is_marked and not hole.start:
        # A text in front of a byte order mark makes it a character in the middle of the text.
        return None
    refusal = None
    try:
        recognizer = site.recognizer()
    except NoCompletion as error:
        recognizer, refusal = None, error
    except TooCostly:
        # The file may be without a fault, and setting statements aside makes it no simpler.
        return on_a_part(site, "unread", "unread")
    if recognizer is not None:
        return Footing(site, "file", recognizer, HeldPart.of(text.engine, hole.start, hole.stop, hole.begun))
    repaired = text.repaired_hole(hole, refusal, repair_s)
    if repaired is None:
        return on_a_part(site, "enclosing", "left")
    held = HeldPart.of(repaired.document, repaired.start, repaired.stop, hole.begun)
    found = Footing(site, "set aside", repaired.recognizer, held, lambda: repaired.words)
    return (on_a_part(site, "enclosing", "left") if must_reopen(repaired.recognizer) else None) or found


def must_reopen(recognizer: Recognizer) -> bool:
    """Whether nothing fits but what closes the blocks around the hole and opens others: then the wrong
    statement was set aside, the one that opens what the text behind the hole closes.

        test("null", () => {    was set aside above, and `})}(a=>{` is all that would fit
    """
    try:
        witness = recognizer.fork().witness()
    except (NoCompletion, TooCostly):
        return False
    depth = lowest = 0
    for sign in QUOTED.sub("", witness):
        depth += (sign in "([{") - (sign in ")]}")
        lowest = min(lowest, depth)
    return lowest < 0 and depth > lowest


def on_a_part(site: Site, enclosing: Rung, left: Rung) -> Footing | None:
    """The first function or class around the hole that something fits into, else what is in front of the hole
    in one of these or in the file."""
    parts = list(enclosing_parts(site.text, site.hole))
    for part in parts:
        found = on(site, part, enclosing)
        if found is not None and not must_reopen(found.recognizer):
            return found
    for part in (*parts, IsolatedPart("", 0, site.hole.stop, "")):
        closed = "" if site.known_language.has_suites else closers(site, part)
        if (found := on(site, replace(part, stop=site.hole.stop, closed=closed), left)) is not None:
            return found
    return None


def closers(site: Site, part: IsolatedPart) -> str:
    """The closers of brackets that stand open in front of the hole: no text in it has to close them."""
    left = part.opened + site.text.text[part.start : site.hole.start]
    try:
        end = site.text.language.recognizer(left, "").witness()
    except (NoCompletion, TooCostly):
        return ""
    found = CLOSERS.search(end)
    return f"\n{found[0]}" if found else ""


def name_passes(held: Footing, importable: Sequence[str]) -> Iterator[tuple[Footing, Footing | None]]:
    """A footing with names: first with those that could be imported, too, and beside it the one without them,
    where what needs no import fits; then that one alone. Only of all of a file can be told that it is right
    with an import."""
    own = held.with_names()
    if importable and held.has_whole_file and held.site.text.elsewhere is not None:
        yield held.with_names(importable), own
    yield own, None


def names_of(language: Language, piece: str) -> Iterable[str]:
    """The names that a piece of a file binds; where that cannot be told, those that its lines may bind."""
    found = language.bound_names(piece)
    if found is not None:
        return found
    lines = piece.splitlines()
    return [
        name for before, line in zip(["", *lines], lines, strict=False) for name in may_bind(line, before)
    ]


def on(site: Site, part: IsolatedPart, rung: Rung) -> Footing | None:
    """A part of the file that is looked at once, without keeping what was computed: recognizers of the
    language itself would leave their charts to the next one."""
    text, hole = site.text, site.hole
    left = part.opened + text.text[part.start : hole.start]
    document = text.language.document(left + text.text[hole.stop : part.stop] + part.closed)
    try:
        found = recognizer_at(document, len(left), len(left), text.known_language)
        recognizer = recognizer_in(found, hole)
    except (NoCompletion, TooCostly):
        return None
    if recognizer is None:
        return None
    held = HeldPart.of(document, len(left), len(left), hole.begun)
    return Footing(site, rung, recognizer, held, lambda: part.names_elsewhere(text))


def enclosing_parts(text: WorkerText, hole: Hole) -> Iterator[IsolatedPart]:
    """The functions and classes around the hole, the innermost first."""
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


def part_from(text: WorkerText, start: int, last: int, column: int) -> IsolatedPart:
    """The part from a header to the last line that is deeper than it, and to the bracket that closes it."""
    lines, known_language = text.code, text.known_language
    behind = ((index, lines[index]) for index in range(last + 1, len(lines)))
    stop, end = next(
        (
            (lines.starts[index], line)
            for index, line in behind
            if not line.is_blank and line.column <= column
        ),
        (len(text.text), None),
    )
    if end is not None and not known_language.has_suites and end.text.lstrip()[:1] in ("}", "]"):
        stop += column_of(end.text, tab=1) + 1
    opened, closed = known_language.frame if column or not known_language.has_suites else ("", "")
    return IsolatedPart(opened, start, stop, closed)
