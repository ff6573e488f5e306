"""The numbers of a run: the share of keys saved, the share of shown offers of use, and the curve of both.

An interval is where 95 of 100 runs on other regions of the same kind would lie: the middle 95% of a thousand
samples of the regions, drawn with replacement (the bootstrap), always the same thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from fim_lsp.replay.typing.filler import Tally

Row = dict[str, Any]
N_SAMPLES = 1000
SHARE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.low:.1f} to {100 * self.high:.1f} %"


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve: a bar, and the figures with it."""

    bar: float
    saved: float
    useful: float | None
    shown: int


def tally(row: Row) -> Tally:
    return Tally(*(row[name] for name in ("characters", "keys", "shown", "useful", "whole", "in_vain")))


def total(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())


def interval(tallies: Sequence[Tally], figure: Callable[[Tally], float | None]) -> Interval | None:
    if not tallies:
        return None
    random = Random(0)
    samples = (total(random.choices(tallies, k=len(tallies))) for _ in range(N_SAMPLES))
    return middle([value for sample in samples if (value := figure(sample)) is not None])


def middle(values: Sequence[float]) -> Interval | None:
    """The interval of the middle share of some values."""
    found = sorted(values)
    if not found:
        return None
    n_cut = int(len(found) * (1 - SHARE) / 2)
    return Interval(found[n_cut], found[-1 - n_cut])


def curve(rows: Sequence[Row]) -> list[Point]:
    """The points of the bars, the lowest first."""
    found = points_of(rows)
    return [Point(bar, sum_.saved or 0.0, sum_.share_useful, sum_.shown) for bar, sum_ in found.items()]


def points_of(rows: Sequence[Row], part: str | None = None) -> dict[float, Tally]:
    """The counts at each bar, with all parts or without one, the lowest bar first."""
    by_bar: dict[float, list[Tally]] = {}
    for row in rows:
        for bar, *counts in row["curve"] if part is None else row["parts"].get(part, ()):
            if bar is not None:
                by_bar.setdefault(bar, []).append(Tally(*counts))
    return {bar: total(tallies) for bar, tallies in sorted(by_bar.items())}


def area(points: Sequence[Point]) -> float:
    """The area under the curve: the share of useful offers, over the share of keys saved.

    The curve begins at the highest bar: the area to its left counts as nothing.
    """
    known = sorted((point.saved, point.useful) for point in points if point.useful is not None)
    return sum((after - before) * (low + high) / 2 for (before, low), (after, high) in pairwise(known))


def percentile(values: Sequence[float], share: float) -> float | None:
    """The value that a given share of the values does not exceed."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
