"""A text with some of its lines replaced by ones that parse, and the engine's charts of that.

It stands in for a broken file and follows the file's edits, so that a keystroke in a broken file costs what
it does in one that parses. A line that is edited itself is no longer replaced: it may be mended now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fim_lsp.server.worker.code_lines import CodeLine, CodeLines
from fim_lsp.server.worker.hole import Hole, begun
from fim_lsp.server.worker.repair.patch import Patch, patched
from fim_lsp.server.worker.repair.stand_ins import patches
from fim_lsp.shared import n_shared, n_shared_behind
from quotient import Document, Language, NoCompletion, Recognizer

# So far from a hole what was set aside for it is what would be set aside for another one.
LINES_AT_HOME = 10
# So many lines do not say again what they bind, where that does not fit, before none does.
MAX_SILENT = 3


@dataclass(frozen=True, slots=True)
class Repaired:
    """A hole in a text that parses but for it: the recognizer, which has read what is begun, the text, and
    where the hole is in it. `words` may be bound by what was set aside."""

    recognizer: Recognizer
    document: Document
    start: int
    stop: int
    words: tuple[str, ...]


class Substitute:
    """Offsets are those of the text that it stands in for. The number of lines is the same, so a line of the
    one is a line of the other."""

    def __init__(self, language: Language, text: str) -> None:
        self.document: Document = language.document(text)
        # In the order of the text.
        self.patches: list[Patch] = []
        # Where the hole was that they were made for, if it was one that somebody writes in.
        self.home: int | None = None

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def memory(self) -> int:
        """Bytes held by the charts, roughly."""
        return self.document.memory

    @property
    def words(self) -> list[str]:
        """What that which is replaced may bind, and what replaces it does not: who sees it cannot be told."""
        return [word for patch in self.patches for word in patch.unsaid]

    def recognizer(self, hole: Hole) -> Recognizer:
        """For a hole that is not inside a patch. Raises `NoCompletion`."""
        return self.document.recognizer(self.place(hole.start), self.place(hole.stop))

    def place(self, offset: int) -> int:
        """Where an offset of the text is here."""
        return offset + sum(patch.growth for patch in self.patches if patch.stop <= offset)

    def set_aside(self, code: CodeLines, broken: set[int], hole: Hole) -> Recognizer | int:
        """The recognizer with these lines set aside and no others, or the line in which an error is left.
        What one of them binds is not said again where that does not fit."""
        silent: set[int] = set()
        while True:
            self.patch(code.text, patches(code, broken, silent))
            try:
                return self.recognizer(hole)
            except NoCompletion as refusal:
                line = self.line_of(refusal, hole)
            silent.add(line)
            if len(silent) == MAX_SILENT:
                silent |= broken
            if self.patches == [*patches(code, broken, silent)]:
                return line

    def repaired(self, recognizer: Recognizer, hole: Hole) -> Repaired | None:
        """One of its recognizers as what a completion can be held to; None if what is begun does not fit."""
        reading = begun(recognizer, hole)
        place = self.place(hole.start), self.place(hole.stop)
        return None if reading is None else Repaired(reading, self.document, *place, tuple(self.words))

    def line_of(self, refusal: NoCompletion, hole: Hole) -> int:
        """The line that the engine finds an error in."""
        start, stop = self.place(hole.start), self.place(hole.stop)
        if refusal.side == "left":
            return n_line_ends(self.text[: refusal.offset])
        return n_line_ends(self.text[: stop + refusal.offset if refusal.side == "right" else start])

    def edit(self, start: int, stop: int, new: str) -> None:
        """Follows an edit of the text."""
        self.restore(start, stop)
        self.document.edit(self.place(start), self.place(stop), new)
        shift = len(new) - (stop - start)
        self.patches = [patch.moved(shift) if patch.start >= stop else patch for patch in self.patches]
        if self.home is not None and self.home >= stop:
            self.home += shift

    def beginnings(
        self, code: CodeLines, hole: Hole, refusal: NoCompletion | None
    ) -> Iterator[Recognizer | NoCompletion | None]:
        """What a search for a hole begins with: nothing that is set aside, if what is was so for a hole
        elsewhere, then what is. Each time what the engine says to that; None if nothing was asked."""
        if self.patches and refusal is not None and self.is_away(code, hole):
            of_another_hole = [*self.patches]
            self.patch(code.text, [])
            yield refusal
            self.patch(code.text, of_another_hole)
        try:
            yield self.recognizer(hole) if self.patches else refusal
        except NoCompletion as another:
            yield another

    def is_away(self, code: CodeLines, hole: Hole) -> bool:
        """Whether what is set aside was so for a hole elsewhere in the file."""
        home = self.home
        return home is None or abs(code.line_at(home) - code.line_at(hole.start)) > LINES_AT_HOME

    def make_way(self, code: CodeLines, kept: Iterable[int], hole: Hole) -> None:
        """Takes back what is replaced of lines that are never set aside, and a header that was invented above
        the cursor's line: that line may be the header.

            import os       `if 1:`, while the cursor was elsewhere
            |
                side = 3
        """
        for line in kept:
            self.restore(code.starts[line], code.starts[line])
        here = code.line_at(hole.start)
        above = next((line for line in range(here - 1, -1, -1) if not code[line].is_blank), None)
        for patch in [*self.patches]:
            is_above = above is not None and patch.start == code.starts[above]
            if (
                is_above
                and CodeLine(patch.new, code.known).opens
                and not CodeLine(patch.old, code.known).opens
            ):
                self.restore(patch.start, patch.start)

    def restore(self, start: int, stop: int) -> None:
        """Takes patches back that touch what is between two offsets."""
        touched = [patch for patch in self.patches if patch.is_touched(start, stop)]
        for patch in touched:
            place = self.place(patch.start)
            self.document.edit(place, place + len(patch.new), patch.old)
            self.patches.remove(patch)

    def patch(self, text: str, patches: Iterable[Patch]) -> None:
        """Other patches than before. What begins and ends alike keeps its charts."""
        self.patches = list(patches)
        adapt(self.document, patched(text, self.patches))


def adapt(document: Document, text: str) -> None:
    """Turns a document's text into another by one edit: what both begin and end with keeps its charts."""
    old = document.text
    front = n_shared(old, text)
    longest = min(len(old), len(text)) - front
    back = n_shared_behind(old, text, longest)
    document.edit(front, len(old) - back, text[front : len(text) - back])


def n_line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")
