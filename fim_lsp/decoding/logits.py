"""Rows of logits: the few things that decoding works out from them, in float32 as they come."""

from __future__ import annotations

import numpy as np

from fim_lsp.runtimes.runtime import Row


def logsumexp(row: Row) -> float:
    """The logarithm of the sum of the exponentials; minus infinity if nothing is possible."""
    highest = float(row.max(initial=-np.inf))
    if highest == -np.inf:
        return -np.inf
    return highest + float(np.log(np.exp(row - np.float32(highest)).sum()))


def softmax(row: Row) -> Row:
    """The probabilities. Something has to be possible."""
    exponentials: Row = np.exp(row - row.max())
    exponentials /= exponentials.sum()
    return exponentials


def ranked(row: Row, n: int) -> list[int]:
    """The places of the highest values, best first, without those of minus infinity."""
    n = min(n, len(row))
    if n == 0:
        return []
    places = np.argpartition(row, len(row) - n)[len(row) - n :] if n < len(row) else np.arange(n)
    # Of equal ones the first goes first, as with `argmax`.
    places = places[np.lexsort((places, -row[places]))]
    found: list[int] = places[row[places] > -np.inf].tolist()
    return found
