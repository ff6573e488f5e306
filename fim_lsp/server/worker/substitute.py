"""A text with some of its lines replaced by ones that parse, and the engine's charts of that.

It stands in for a broken file and follows the file's edits, so that a keystroke in a broken file costs what
it does in one that parses. A line that is edited itself is no longer replaced: it may be mended now.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fim_lsp.shared import n_shared, n_shared_behind
from quotient import Document, Language, Recognizer


@dataclass(frozen=True, slots=True)
class Patch:
    """A line of the text, with what ends it, and what replaces it."""

    start: int
    old: str
    new: str
    # What the line may bind and what replaces it does not.
    unsaid: tuple[str, ...] = ()

    @property
    def stop(self) -> int:
        return self.start + len(self.old)

    @property
    def growth(self) -> int:
        return len(self.new) - len(self.old)

    def is_touched(self, start: int, stop: int) -> bool:
        """Whether what is between two offsets is or becomes a part of the line that is replaced."""
        is_behind = start > self.stop or (start == self.stop and self.old.endswith(("\n", "\r")))
        return not is_behind and self.start <= stop

    def moved(self, shift: int) -> Patch:
        return replace(self, start=self.start + shift)


class Substitute:
    """Offsets are those of the text that it stands in for."""

    def __init__(self, language: Language, text: str) -> None:
        self._document: Document = language.document(text)
        # In the order of the text.
        self.patches: list[Patch] = []
        # Where the hole was that they were made for, if it was one that somebody writes in.
        self.home: int | None = None

    @property
    def text(self) -> str:
        return self._document.text

    @property
    def memory(self) -> int:
        """Bytes held by the charts, roughly."""
        return self._document.memory

    def recognizer(self, start: int, stop: int) -> Recognizer:
        """For the hole between two offsets, neither of them inside a patch."""
        return self._document.recognizer(self.place(start), self.place(stop))

    def with_names(
        self, recognizer: Recognizer, start: int, stop: int, begun: str, known: list[str]
    ) -> Recognizer:
        """One of its recognizers, which has read what is begun, as one that looks at names, too."""
        return self._document.with_names(recognizer, self.place(start), self.place(stop), begun, known)

    @property
    def words(self) -> list[str]:
        """What that which is replaced may bind, and what replaces it does not: who sees it cannot be told."""
        return [word for patch in self.patches for word in patch.unsaid]

    def place(self, offset: int) -> int:
        """Where an offset of the text is here."""
        return offset + sum(patch.growth for patch in self.patches if patch.stop <= offset)

    def edit(self, start: int, stop: int, new: str) -> None:
        """Follows an edit of the text."""
        self.restore(start, stop)
        self._document.edit(self.place(start), self.place(stop), new)
        shift = len(new) - (stop - start)
        self.patches = [patch.moved(shift) if patch.start >= stop else patch for patch in self.patches]
        if self.home is not None and self.home >= stop:
            self.home += shift

    def restore(self, start: int, stop: int) -> None:
        """Takes patches back that touch what is between two offsets."""
        touched = [patch for patch in self.patches if patch.is_touched(start, stop)]
        for patch in touched:
            place = self.place(patch.start)
            self._document.edit(place, place + len(patch.new), patch.old)
            self.patches.remove(patch)

    def patch(self, text: str, patches: Iterable[Patch]) -> None:
        """Other patches than before. What begins and ends alike keeps its charts."""
        self.patches = list(patches)
        adapted(self._document, patched(text, self.patches))


def patched(text: str, patches: Iterable[Patch]) -> str:
    parts, behind = [], 0
    for patch in patches:
        parts += [text[behind : patch.start], patch.new]
        behind = patch.stop
    return "".join([*parts, text[behind:]])


def adapted(document: Document, text: str) -> None:
    """Turns a document's text into another by one edit: what both begin and end with keeps its charts."""
    old = document.text
    front = n_shared(old, text)
    longest = min(len(old), len(text)) - front
    back = n_shared_behind(old, text, longest)
    document.edit(front, len(old) - back, text[front : len(text) - back])
