"""Cached rows of the network, behind the tokens that were read last.

A key that agrees with the text in progress changes little: the network expects the same tokens behind it, and
none of the rows has to be computed a second time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fim_lsp.runtimes.runtime import Row, Rows

# A row of a vocabulary of 150,000 tokens has 600 kB: twenty of them are kept.
MOST_BYTES = 12 << 20


class KeptRows:
    """Rows by position in the text that was read; bounded in bytes."""

    def __init__(self) -> None:
        self._rows: dict[int, Row] = {}
        self._n_bytes = 0

    def put(self, first: int, rows: Rows) -> None:
        """Keeps the rows behind the tokens from `first` on. Remote rows are not kept."""
        for index in range(len(rows)):
            row = rows[index] if isinstance(rows, np.ndarray | list) else None
            if row is None or self._n_bytes + row.nbytes > MOST_BYTES:
                return
            self._drop(first + index)
            self._rows[first + index] = row
            self._n_bytes += row.nbytes

    def behind(self, first: int, stop: int) -> Sequence[Row]:
        """The rows from a position up to another one, as far as they are there without a gap."""
        found = []
        for position in range(first, stop):
            row = self._rows.get(position)
            if row is None:
                break
            found.append(row)
        return found

    def keep(self, first: int, stop: int) -> None:
        """Forgets all but those between two positions."""
        for position in [one for one in self._rows if not first <= one < stop]:
            self._drop(position)

    def _drop(self, position: int) -> None:
        row = self._rows.pop(position, None)
        if row is not None:
            self._n_bytes -= row.nbytes
