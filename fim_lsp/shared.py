"""The common beginning and end of two sequences."""

from __future__ import annotations

from collections.abc import Sequence


def n_shared(one: Sequence[object], other: Sequence[object]) -> int:
    """The number of items with which both sequences begin.

    By bisection, because comparing slices is a memcmp: a file costs as little as a line.
    """
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def n_shared_behind(one: Sequence[object], other: Sequence[object], at_most: int) -> int:
    """The number of items with which both sequences end, up to a number."""
    low, high = 0, at_most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
