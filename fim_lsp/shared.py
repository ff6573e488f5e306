"""How much two sequences begin or end with in common."""

from __future__ import annotations

from collections.abc import Sequence


def n_shared(one: Sequence[object], other: Sequence[object]) -> int:
    """How many items two sequences begin with in common.

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
    """How many items two sequences end with in common, up to a number."""
    low, high = 0, at_most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
