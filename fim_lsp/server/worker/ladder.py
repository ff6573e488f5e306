"""The ladder finds the largest part of a file that a completion can be held to.

While the user types, the rest of the file often does not parse, and no text in the hole could change that.
The ladder tries smaller parts, rung by rung, until a text fits: the file, with the clause that an unfinished
`try` around the hole lacks; the file without erroneous statements away from the cursor; the function or class
around the hole; the text in front of the hole. On each rung the engine's guarantee holds for that part.
tree-sitter then judges the effect on the rest of the file (`syntax.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fim_lsp.document.code_lines import column_of
from fim_lsp.document.hole import Hole, recognizer_at, recognizer_behind, recognizer_in
from fim_lsp.document.repair import REPAIR_SECONDS, Repaired, may_bind
from fim_lsp.document.texts import WorkerText
from fim_lsp.positions import lines_of
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.server.worker.messages import Rung
from fim_lsp.server.worker.site import Site
from quotient import Document, Language, NoCompletion, Recognizer, TooCostly

# Each top-level line that may begin a statement, so that a fault in one does not hide the next.
MARGIN = re.compile(r"^(?=[^\W\d]|@)", re.MULTILINE)
# The begun name or keyword in front of the cursor. Longer ones are no words.
HALF_WORD = re.compile(r"(?<!\w)[^\W\d]\w*\Z")
LONGEST_WORD = 100
CLOSERS = re.compile(r"[)\]}]+;?\Z")
QUOTED = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`""")
# A statement that ends all suites and binds nothing.
NEXT = "pass\n"


@dataclass(frozen=True, slots=True)
class HeldPart:
    """The part of a file that a completion is held to: a document, a hole in it, and the begun text.

    `left`, which ends with the begun text, and `right` are its sides, for code that makes another hole.
    """

    document: Document
    start: int
    stop: int
    begun: str
    left: str
    right: str

    @classmethod
    def of(cls, document: Document, text: str, start: int, stop: int, begun: str) -> HeldPart:
        """`text` is the document's; most callers have it, and the engine would copy its own."""
        return cls(document, start, stop, begun, text[:start] + begun, text[stop:])

    def with_names(self, recognizer: Recognizer, known: list[str]) -> Recognizer:
        """The recognizer of the hole in which only existing names may be used."""
        found = self.new_name_recognizer(known)
        if found is not None:
            return found
        return self.document.with_names(recognizer, self.start, self.stop, self.begun, known)

    def new_name_recognizer(self, known: list[str]) -> Recognizer | None:
        """A recognizer for a half word that begins no existing name, which must then bind a new one. None if
        that is impossible.

        gen|        `erated = 1` is allowed, `d_sequence.append(1)` is not
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
    """The footing of a completion at a site: a recognizer that has read the begun text, its rung, and its
    part of the file. With names, `known` are existing names outside of that part.
    """

    site: Site
    rung: Rung
    recognizer: Recognizer
    part: HeldPart
    # Names that may be bound in the parts of the file that this part lacks.
    lacking: Callable[[], Iterable[str]] = tuple
    known: tuple[str, ...] = ()

    @property
    def has_whole_file(self) -> bool:
        return self.rung == "file"

    @property
    def contexts(self) -> HoleContexts:
        """The contexts for a server with our plugin: the sides of this part of the file."""
        language, has_law = self.site.text.language, self.recognizer.has_law
        return HoleContexts(
            self.part.left, self.part.right, language.name, language.version, has_law, known=self.known
        )

    def with_names(self, importable: Iterable[str] = ()) -> Footing:
        """The footing on which only existing or importable names may be used.

        All names that a statement set aside may bind count as bound, and so do those of unreadable pieces of
        the file. Of a notebook's other cells, which run in any order, all words count.
        """
        elsewhere = self.site.text.elsewhere
        if elsewhere is None:
            return self
        known = [*elsewhere, *self.lacking(), *importable]
        recognizer = self.part.with_names(self.recognizer, known)
        return replace(self, recognizer=recognizer, known=tuple(known))


@dataclass(frozen=True, slots=True)
class IsolatedPart:
    """A part of a file that is read alone: the text between two offsets, with a frame in front and behind."""

    opened: str
    start: int
    stop: int
    closed: str

    def names_elsewhere(self, text: WorkerText) -> set[str]:
        """The names that the rest of the file may bind, and those that a method gets from its class."""
        found = {"__class__"}
        for elsewhere in (text.text[: self.start], text.text[self.stop :]):
            *ended, last = MARGIN.split(elsewhere)
            # The last piece may be a function around the part, whose names are visible there.
            for piece in (*(piece + NEXT for piece in ended), last):
                found.update(names_of(text.language, piece))
        return found


def footing(site: Site, repair_s: float = REPAIR_SECONDS, *, is_asked: bool = False) -> Footing | None:
    """The footing on the highest rung on which a text fits; None if even the text in front is broken.

    For a user who asks, a text has to make the whole file parse wherever one can, if it takes several lines.
    """
    text, hole = site.text, site.hole
    if text.is_marked and not hole.start:
        # A text in front of a byte order mark would turn the mark into a character inside the file.
        return None
    refusal = None
    try:
        recognizer = site.recognizer()
    except NoCompletion as error:
        recognizer, refusal = None, error
    except TooCostly:
        # The file may have no fault, and setting statements aside would not make it simpler.
        return on_a_part(site, "unread", "unread")
    if recognizer is not None:
        if not is_asked and (finished := text.finished_hole(hole)) is not None:
            return on_repaired(site, finished, "unfinished")
        held = HeldPart.of(text.engine, text.text, hole.start, hole.stop, hole.begun)
        return Footing(site, "file", recognizer, held)
    repaired = text.repaired_hole(hole, refusal, repair_s)
    if repaired is None:
        return on_a_part(site, "enclosing", "left")
    found = on_repaired(site, repaired, "set aside")
    return (on_a_part(site, "enclosing", "left") if must_reopen(repaired.recognizer) else None) or found


def on_repaired(site: Site, repaired: Repaired, rung: Rung) -> Footing:
    document = repaired.document
    held = HeldPart.of(document, document.text, repaired.start, repaired.stop, site.hole.begun)
    return Footing(site, rung, repaired.recognizer, held, lambda: repaired.words)


def must_reopen(recognizer: Recognizer) -> bool:
    """Whether a text must close the blocks around the hole and open new ones: then the wrong statement was
    set aside, namely the opener of what the text behind the hole closes.

        test("null", () => {    was set aside above, and only `})}(a=>{` would fit
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
    """The footing in the first function or class around the hole into which a text fits; otherwise on the
    text in front of the hole, in one of these or in the file."""
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
    """The closers of brackets that are open in front of the hole, so that no text must close them."""
    left = part.opened + site.text.text[part.start : site.hole.start]
    try:
        end = site.text.language.recognizer(left, "").witness()
    except (NoCompletion, TooCostly):
        return ""
    found = CLOSERS.search(end)
    return f"\n{found[0]}" if found else ""


def name_passes(held: Footing, importable: Sequence[str]) -> Iterator[tuple[Footing, Footing | None]]:
    """The footings with names, in order: first with importable names, beside the one without them, on which
    texts without an import fit; then that one alone. Imports are possible only on the rung of the whole
    file."""
    own = held.with_names()
    if importable and held.has_whole_file and held.site.text.elsewhere is not None:
        yield held.with_names(importable), own
    yield own, None


def names_of(language: Language, piece: str) -> Iterable[str]:
    """The names that a piece of a file binds; if it is unreadable, those that its lines may bind."""
    found = language.bound_names(piece)
    if found is not None:
        return found
    lines = lines_of(piece)
    return [
        name for before, line in zip(["", *lines], lines, strict=False) for name in may_bind(line, before)
    ]


def on(site: Site, part: IsolatedPart, rung: Rung) -> Footing | None:
    """The footing on a part of the file, without keeping its charts: recognizers of the language itself would
    leave theirs in the cache."""
    text, hole = site.text, site.hole
    left = part.opened + text.text[part.start : hole.start]
    whole = left + text.text[hole.stop : part.stop] + part.closed
    document = text.language.document(whole)
    try:
        found = recognizer_at(document, len(left), len(left), text.known_language)
        recognizer = recognizer_in(found, hole)
    except (NoCompletion, TooCostly):
        return None
    if recognizer is None:
        return None
    held = HeldPart.of(document, whole, len(left), len(left), hole.begun)
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
    """The part from a header to the last deeper line, and to the closing bracket."""
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
