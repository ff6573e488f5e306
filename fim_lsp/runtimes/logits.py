"""Rows of logits: the few functions that decoding needs, in float32."""

from __future__ import annotations

import numpy as np

from fim_lsp.runtimes.runtime import Row

# The number of parts into which a row is cut for `lower_bound`.
N_PARTS = 512
LOWEST = np.finfo(np.float32).min


def logsumexp(row: Row) -> float:
    """The logarithm of the sum of the exponentials; minus infinity if no token is possible."""
    highest = float(row.max(initial=-np.inf))
    if highest == -np.inf:
        return -np.inf
    return highest + float(np.log(np.exp(row - np.float32(highest)).sum()))


def softmax(row: Row) -> Row:
    """The probabilities. At least one token must be possible."""
    exponentials: Row = np.exp(row - row.max())
    exponentials /= exponentials.sum()
    return exponentials


def ranked_tokens(row: Row, n: int) -> list[int]:
    """The places of the highest values, best first, without those of minus infinity."""
    if n <= 0:
        return []
    places = np.flatnonzero(row > -np.inf if n > N_PARTS else row >= lower_bound(row, n))
    # Of equal values the first comes first, as with `argmax`.
    places = places[np.argsort(-row[places], kind="stable")[:n]]
    found: list[int] = places[row[places] > -np.inf].tolist()
    return found


def lower_bound(row: Row, n: int) -> np.float32:
    """A value that at least n values of the row reach, and few more; minus infinity if fewer are possible.

    It is the n-th highest of the parts' maxima. Partitioning a row of 150,000 values at its n-th highest
    takes five times as long, and eighty times if most of them are forbidden.
    """
    whole = len(row) - len(row) % N_PARTS
    highest = row[:whole].reshape(-1, N_PARTS).max(0, initial=-np.inf)
    bound: np.float32 = np.partition(highest, N_PARTS - n)[N_PARTS - n]
    return max(bound, LOWEST)
