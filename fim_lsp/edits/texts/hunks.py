"""Hunks: the runs of lines in which two texts differ, and the new places of unchanged text.

Lines that occur once in each text are anchors (patience diff, Bram Cohen), and difflib compares what lies
between two anchors. So a file of thousands of lines is compared in milliseconds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from fim_lsp.positions import Lines
from fim_lsp.shared import n_shared, n_shared_behind

# If more pairs of lines than this lie between two anchors, they count as one replaced run.
MOST_COMPARED = 4_000_000
# The same for all runs together: two texts that have little in common are not compared line by line.
MOST_IN_ALL = 8_000_000
# Texts of 50 lines or more are first compared line by line, which suffices if at most one in 8 differs.
LEAST_LONG, LEAST_SAME = 50, 8


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of the old text and the lines that replace them: line numbers and offsets."""

    old_first: int
    old_last: int
    new_first: int
    new_last: int
    old_start: int
    old_stop: int
    new_start: int
    new_stop: int

    @property
    def shift(self) -> int:
        """The shift of all text behind it, earlier hunks included."""
        return self.new_stop - self.old_stop


@dataclass(frozen=True)
class LineDiff:
    """Two texts and the runs of lines in which they differ, in order."""

    old: Lines
    new: Lines
    hunks: tuple[Hunk, ...]

    @classmethod
    def of(cls, old: str | Lines, new: str | Lines) -> LineDiff:
        before = Lines(old) if isinstance(old, str) else old
        after = Lines(new) if isinstance(new, str) else new
        if before is after:
            return cls(before, after, ())
        # Lines that both texts begin or end with are not even split.
        front = before.line_at(n_shared(before.text, after.text))
        back = n_shared_lines_behind(before, after, front)
        olds = lines_between(before, front, len(before) - back)
        news = lines_between(after, front, len(after) - back)
        found = [
            hunk_of(before, after, a + front, b + front, c + front, d + front)
            for a, b, c, d in runs(olds, news)
        ]
        return cls(before, after, tuple(found))

    @cached_property
    def _old_starts(self) -> list[int]:
        return [hunk.old_start for hunk in self.hunks]

    @cached_property
    def _new_starts(self) -> list[int]:
        return [hunk.new_start for hunk in self.hunks]

    def to_old(self, offset: int) -> int | None:
        """The old place of a place in the new text; None in a new line."""
        at = bisect_right(self._new_starts, offset) - 1
        if at < 0:
            return offset
        hunk = self.hunks[at]
        return None if offset < hunk.new_stop else offset - hunk.shift

    def to_new(self, offset: int) -> int | None:
        """The new place of a place in the old text; None in a line that is gone."""
        at = bisect_right(self._old_starts, offset) - 1
        if at < 0:
            return offset
        hunk = self.hunks[at]
        return None if offset < hunk.old_stop else offset + hunk.shift


def n_shared_lines_behind(old: Lines, new: Lines, front: int) -> int:
    """The number of whole lines that both texts end with, behind the common lines at the front."""
    at_most = min(len(old), len(new)) - front - 1
    n_characters = n_shared_behind(old.text, new.text, min(len(old.text), len(new.text)))
    first = old.line_at(max(len(old.text) - n_characters - 1, 0)) + 1
    return max(min(len(old) - first - 1, at_most), 0)


def lines_between(lines: Lines, first: int, last: int) -> list[str]:
    ends = (*lines.starts[first + 1 : last + 1], len(lines.text))
    text = lines.text
    return [text[start:end] for start, end in zip(lines.starts[first:last], ends, strict=False)]


def hunk_of(old: Lines, new: Lines, a: int, b: int, c: int, d: int) -> Hunk:
    return Hunk(a, b, c, d, place(old, a), place(old, b), place(new, c), place(new, d))


def place(lines: Lines, number: int) -> int:
    return lines.starts[number] if number < len(lines.starts) else len(lines.text)


def runs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The runs in which two sequences differ: start and stop in one, start and stop in the other."""
    pending = None
    for a, b, c, d in parts(old, new, 0, len(old), 0, len(new)):
        if pending is not None and (pending[1], pending[3]) == (a, c):
            pending = (pending[0], b, pending[2], d)
            continue
        if pending is not None:
            yield pending
        pending = (a, b, c, d)
    if pending is not None:
        yield pending


def parts(
    old: Sequence[str], new: Sequence[str], a: int, b: int, c: int, d: int
) -> Iterator[tuple[int, int, int, int]]:
    """The runs that differ between a range of one and a range of the other."""
    waiting = [(a, b, c, d)]
    n_left = MOST_IN_ALL
    while waiting:
        a, b, c, d = waiting.pop()
        n_front = n_shared(old[a:b], new[c:d])
        a, c = a + n_front, c + n_front
        n_back = n_shared_behind(old[a:b], new[c:d], min(b - a, d - c))
        b, d = b - n_back, d - n_back
        if a == b or c == d:
            if (a, c) != (b, d):
                yield a, b, c, d
            continue
        held = line_by_line(old[a:b], new[c:d])
        if held is not None:
            yield from ((a + first, a + last, c + first, c + last) for first, last in held)
            continue
        holds = [] if b - a == 1 or d - c == 1 else anchors(old[a:b], new[c:d])
        if not holds:
            n_left -= (b - a) * (d - c)
            if n_left < 0:
                yield a, b, c, d
            else:
                yield from compare_lines(old, new, a, b, c, d)
            continue
        inner = []
        left, right = a, c
        for mine, theirs in holds:
            # Most anchors follow each other directly in both texts, with nothing between them.
            if left < a + mine or right < c + theirs:
                inner.append((left, a + mine, right, c + theirs))
            left, right = a + mine + 1, c + theirs + 1
        inner.append((left, b, right, d))
        waiting += reversed(inner)


def line_by_line(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]] | None:
    """The runs of replaced lines, if each line was replaced by one line and none moved; None otherwise. A
    file in which a name was changed here and there is compared in one pass."""
    if len(old) != len(new) or len(old) < LEAST_LONG:
        return None
    numbers = [number for number, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
    if len(numbers) * LEAST_SAME > len(old):
        return None
    before, after = {old[number] for number in numbers}, {new[number] for number in numbers}
    if before & after:
        return None
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number:
            found[-1] = (found[-1][0], number + 1)
        else:
            found.append((number, number + 1))
    return found


def compare_lines(
    old: Sequence[str], new: Sequence[str], a: int, b: int, c: int, d: int
) -> Iterator[tuple[int, int, int, int]]:
    if (b - a) * (d - c) > MOST_COMPARED or not set(old[a:b]) & set(new[c:d]):
        yield a, b, c, d
        return
    matcher = SequenceMatcher(None, old[a:b], new[c:d], autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            yield a + i, a + j, c + k, c + m


def anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that occur once in both, the most that keep their order."""
    in_old, in_new = Counter(old), Counter(new)
    places = {line: number for number, line in enumerate(new) if in_new[line] == 1}
    pairs = [
        (number, places[line]) for number, line in enumerate(old) if in_old[line] == 1 and line in places
    ]
    # The longest increasing subsequence, by patience sorting.
    tops: list[int] = []
    rows: list[int] = []
    before: list[int] = []
    for number, (_, place_) in enumerate(pairs):
        pile = bisect_left(tops, place_)
        before.append(rows[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place_)
            rows.append(number)
        else:
            tops[pile], rows[pile] = place_, number
    found = []
    at = rows[-1] if rows else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]
