"""The next edit as a value: its place, its new text, its reason and its probability."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

# Replacements whose group begins with this are made all together or not at all.
JOINT = "joint "


@dataclass(frozen=True, slots=True)
class Addition:
    """A text between two offsets that is part of another edit."""

    start: int
    stop: int
    new: str


@dataclass(frozen=True, slots=True)
class NextEdit:
    """An edit of one file, an alternative to all others. Offsets count in the present text."""

    path: str
    start: int
    end: int
    old: str
    new: str
    reason: str
    probability: float
    # Additions elsewhere in the file in the same step, in the order of the text: imports of names that the
    # edit needs.
    also: tuple[Addition, ...] = ()

    def edited_text(self, text: str) -> str:
        whole = self.whole(text)
        return text[: whole.start] + whole.new + text[whole.end :]

    @property
    def start_then(self) -> int:
        """The start of the edit once its additions are made."""
        before = [one for one in self.also if one.stop <= self.start]
        return self.start + sum(len(one.new) - (one.stop - one.start) for one in before)

    def whole(self, text: str) -> NextEdit:
        """The edit as one replacement, from the first of its parts to the last."""
        if not self.also:
            return self
        own = Addition(self.start, self.end, self.new)
        parts = sorted([own, *self.also], key=lambda one: (one.start, one.stop))
        start, stop = parts[0].start, max(one.stop for one in parts)
        new = edited_part(text, start, stop, parts)
        return replace(self, start=start, end=stop, old=text[start:stop], new=new, also=())


def parts_of(edits: Sequence[NextEdit]) -> list[Addition]:
    """All additions of several edits, in the order of the text; a shared one once."""
    found = {Addition(edit.start, edit.end, edit.new) for edit in edits}
    found |= {one for edit in edits for one in edit.also}
    return sorted(found, key=lambda one: (one.start, one.stop))


@dataclass(frozen=True, slots=True)
class Replacement:
    """A replacement at one place, for one cause. Replacements of one `group` are right all or none."""

    start: int
    stop: int
    new: str
    reason: str
    probability: float
    group: str = ""
    # Its features for the judge.
    features: dict[str, float] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Replacements that are shown as one edit: those of one line or of consecutive lines."""

    path: str
    parts: tuple[Replacement, ...]

    @property
    def start(self) -> int:
        return self.parts[0].start

    @property
    def stop(self) -> int:
        return max(part.stop for part in self.parts)

    @property
    def probability(self) -> float:
        return min(part.probability for part in self.parts)

    @property
    def reason(self) -> str:
        return "; ".join(dict.fromkeys(part.reason for part in self.parts))

    def edit(self, text: str) -> NextEdit:
        new = edited_part(text, self.start, self.stop, self.parts)
        return NextEdit(
            self.path, self.start, self.stop, text[self.start : self.stop], new, self.reason, self.probability
        )


def edited_part(text: str, start: int, stop: int, parts: Iterable[Replacement | Addition]) -> str:
    """A part of a text with the replacements made."""
    pieces, at = [], start
    for part in parts:
        pieces += [text[at : part.start], part.new]
        at = part.stop
    return "".join([*pieces, text[at:stop]])


def with_line_ends(one: Replacement, text: str) -> Replacement:
    """The replacement with the line ends of a text."""
    first = text.find("\n")
    if "\n" not in one.new or first < 1 or text[first - 1] != "\r":
        return one
    return replace(one, new=one.new.replace("\r\n", "\n").replace("\n", "\r\n"))


def without_conflicts(parts: Sequence[Replacement]) -> list[Replacement]:
    """The replacements in the order of the text; of those that overlap, the likelier one."""
    kept: list[Replacement] = []
    for part in sorted(parts, key=lambda one: -one.probability):
        if not any(overlaps(part, other) for other in kept):
            kept.append(part)
    return sorted(kept, key=lambda one: (one.start, one.stop))


def overlaps(one: Replacement, other: Replacement) -> bool:
    if one.start == one.stop or other.start == other.stop:
        return one.start <= other.stop and other.start <= one.stop
    return one.start < other.stop and other.start < one.stop
