"""One line of a broken text and what stands in for it, and a text with such lines replaced."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


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


def patched(text: str, patches: Iterable[Patch]) -> str:
    """The text with patches, which are in its order."""
    parts, behind = [], 0
    for patch in patches:
        parts += [text[behind : patch.start], patch.new]
        behind = patch.stop
    return "".join([*parts, text[behind:]])
