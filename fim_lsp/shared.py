"""How much two sequences begin with in common."""

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
