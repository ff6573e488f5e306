"""Rows of logits: the few things that decoding works out from them, in float32 as they come."""

from __future__ import annotations

import numpy as np

from fim_lsp.runtimes.runtime import Row

# The number of parts of a row whose highest values are compared.
N_PARTS = 512
LOWEST = np.finfo(np.float32).min


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


def ranked_tokens(row: Row, n: int) -> list[int]:
    """The places of the highest values, best first, without those of minus infinity."""
    if n <= 0:
        return []
    places = np.flatnonzero(row > -np.inf if n > N_PARTS else row >= lower_bound(row, n))
    # The first of equal values goes first, as with `argmax`.
    places = places[np.argsort(-row[places], kind="stable")[:n]]
    found: list[int] = places[row[places] > -np.inf].tolist()
    return found


def lower_bound(row: Row, n: int) -> np.float32:
    """A value that at least n of the row reach and few others do; minus infinity where fewer are possible.

    To part a row of 150,000 at its n-th highest value takes five times as long as to find the highest of each
    of its parts, and eighty times where most is forbidden. The n-th of those highest is reached by n parts.
    """
    whole = len(row) - len(row) % N_PARTS
    highest = row[:whole].reshape(-1, N_PARTS).max(0, initial=-np.inf)
    bound: np.float32 = np.partition(highest, N_PARTS - n)[N_PARTS - n]
    return max(bound, LOWEST)
