"""An edit that may come next: what is replaced where, why, and how probably it is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of one file, an alternative to all others. Offsets are those of the text as it is."""

    path: str
    start: int
    end: int
    old: str
    new: str
    reason: str
    probability: float

    def applied(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]


@dataclass(frozen=True, slots=True)
class Replacement:
    """What one cause asks for at one place. `group` tells causes apart of which all or none is right."""

    start: int
    stop: int
    new: str
    reason: str
    probability: float
    group: str = ""
    # What is known of it, for the judge.
    features: dict[str, float] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Replacements that are shown as one edit: those of a line, or of lines that follow each other."""

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

    def edit(self, text: str) -> Edit:
        new = written(text, self.start, self.stop, self.parts)
        return Edit(
            self.path, self.start, self.stop, text[self.start : self.stop], new, self.reason, self.probability
        )


def written(text: str, start: int, stop: int, parts: Iterable[Replacement]) -> str:
    """A part of a text with some replacements in it."""
    pieces, at = [], start
    for part in parts:
        pieces += [text[at : part.start], part.new]
        at = part.stop
    return "".join([*pieces, text[at:stop]])


def without_conflicts(parts: Sequence[Replacement]) -> list[Replacement]:
    """Of replacements that overlap, the likelier one; in the order of the text."""
    kept: list[Replacement] = []
    for part in sorted(parts, key=lambda one: -one.probability):
        if not any(overlaps(part, other) for other in kept):
            kept.append(part)
    return sorted(kept, key=lambda one: (one.start, one.stop))


def overlaps(one: Replacement, other: Replacement) -> bool:
    if one.start == one.stop or other.start == other.stop:
        return one.start <= other.stop and other.start <= one.stop
    return one.start < other.stop and other.start < one.stop
