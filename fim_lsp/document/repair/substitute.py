"""A text in which lines that parse replace some others, and the engine's charts of it.

It stands in for a broken file and follows the file's edits, so a keystroke costs no more than in a file that
parses. An edited line is no longer replaced, because it may be correct now.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from fim_lsp.document.hole import Hole, recognizer_at, recognizer_in
from fim_lsp.known_languages import language_named
from fim_lsp.shared import n_shared, n_shared_behind
from quotient import Document, Language, NoCompletion, Recognizer

# A search mostly tries one or two texts, and each of them takes the memory of the file's charts.
MAX_SUBSTITUTES = 3


@dataclass(frozen=True, slots=True)
class Patch:
    """A line of the text with its line end, and its replacement."""

    start: int
    old: str
    new: str
    # Words that the line may bind and that its replacement does not.
    unsaid: tuple[str, ...] = ()

    @property
    def stop(self) -> int:
        return self.start + len(self.old)

    @property
    def growth(self) -> int:
        return len(self.new) - len(self.old)

    def is_touched(self, start: int, stop: int) -> bool:
        """Whether text between two offsets belongs, or will belong, to the replaced line."""
        is_behind = start > self.stop or (start == self.stop and self.old.endswith(("\n", "\r")))
        return not is_behind and self.start <= stop

    def shifted_patch(self, shift: int) -> Patch:
        return replace(self, start=self.start + shift)


@dataclass(frozen=True, slots=True)
class Error:
    """The engine's error in a text: its line, and whether that is in front of the hole."""

    line: int
    is_in_front: bool


@dataclass(frozen=True, slots=True)
class Repaired:
    """A hole in a text that parses otherwise: the recognizer, which has read what is begun, the text, and
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
        self.known_language = language_named(language.name)
        # The patches, in the order of the text.
        self.patches: list[Patch] = []

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def memory(self) -> int:
        """Bytes held by the charts, roughly."""
        return self.document.memory

    @property
    def words(self) -> list[str]:
        """Words that replaced lines may bind and replacements do not: it cannot be told who sees them."""
        return [word for patch in self.patches for word in patch.unsaid]

    def place(self, offset: int) -> int:
        """The place here of an offset of the text."""
        return offset + sum(patch.growth for patch in self.patches if patch.stop <= offset)

    def read(self, hole: Hole) -> Recognizer | Error:
        """The engine at a hole that is not inside a patch, or what it has against the text."""
        start, stop = self.place(hole.start), self.place(hole.stop)
        try:
            return recognizer_at(self.document, start, stop, self.known_language)
        except NoCompletion as refusal:
            return error_in(self.text, start, stop, refusal)

    def repaired_hole(self, recognizer: Recognizer, hole: Hole) -> Repaired | None:
        """A recognizer of its own as what a completion can be held to; None if what is begun does not fit."""
        reading = recognizer_in(recognizer, hole)
        place = self.place(hole.start), self.place(hole.stop)
        return None if reading is None else Repaired(reading, self.document, *place, tuple(self.words))

    def edit(self, start: int, stop: int, new: str) -> None:
        """Follows an edit of the text."""
        self.restore(start, stop)
        self.document.edit(self.place(start), self.place(stop), new)
        shift = len(new) - (stop - start)
        self.patches = [
            patch.shifted_patch(shift) if patch.start >= stop else patch for patch in self.patches
        ]

    def restore(self, start: int, stop: int) -> None:
        """Undoes the patches that touch the text between two offsets."""
        touched = [patch for patch in self.patches if patch.is_touched(start, stop)]
        for patch in touched:
            place = self.place(patch.start)
            self.document.edit(place, place + len(patch.new), patch.old)
            self.patches.remove(patch)

    def patch(self, text: str, patches: Iterable[Patch]) -> None:
        """Patches otherwise than before. A common beginning and end keep their charts."""
        self.patches = list(patches)
        adapt(self.document, patched_text(text, self.patches))


@dataclass(slots=True)
class Substitutes:
    """The last substitutes of a document, so that the texts which a search tries again with each key, such as
    a wrong one and then the right one, keep their charts."""

    language: Language
    # The most recently used one comes last.
    kept: list[Substitute] = field(default_factory=list)

    @property
    def memory(self) -> int:
        """Bytes held by the charts, roughly."""
        return sum(substitute.memory for substitute in self.kept)

    def with_patches(self, text: str, patches: list[Patch]) -> Substitute:
        """The substitute with these patches. If none has them, the one used longest ago gets them."""
        found = next((one for one in self.kept if one.patches == patches), None)
        if found is not None:
            self.kept.remove(found)
        else:
            is_full = len(self.kept) == MAX_SUBSTITUTES
            found = self.kept.pop(0) if is_full else Substitute(self.language, text)
            found.patch(text, patches)
        self.kept.append(found)
        return found

    def edit(self, start: int, stop: int, new: str) -> None:
        """Follows an edit of the text."""
        for substitute in self.kept:
            substitute.edit(start, stop, new)

    def keep_within(self, chart_bytes: int) -> None:
        while self.memory > chart_bytes:
            del self.kept[0]


def patched_text(text: str, patches: Iterable[Patch]) -> str:
    """The text with patches, which are in its order."""
    parts, behind = [], 0
    for patch in patches:
        parts += [text[behind : patch.start], patch.new]
        behind = patch.stop
    return "".join([*parts, text[behind:]])


def adapt(document: Document, text: str) -> None:
    """Turns a document's text into another by one edit: common beginnings and ends keep their charts."""
    old = document.text
    front = n_shared(old, text)
    longest = min(len(old), len(text)) - front
    back = n_shared_behind(old, text, longest)
    document.edit(front, len(old) - back, text[front : len(text) - back])


def error_in(text: str, start: int, stop: int, refusal: NoCompletion) -> Error:
    """The engine's error in a text with a hole between two offsets."""
    if refusal.side == "left":
        return Error(n_line_ends(text[: refusal.offset]), is_in_front=True)
    place = stop + refusal.offset if refusal.side == "right" else start
    return Error(n_line_ends(text[:place]), is_in_front=False)


def n_line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")
