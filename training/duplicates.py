"""Leaves out files that repeat others, entirely or mostly.

A file is the set of its windows of five consecutive lines, without blank lines and indentation. It repeats
earlier files if at least half of its windows occurred there; windows are compared by hash. The result is
exact where minhash estimates, and the windows of a hundred megabytes fit into memory.
"""

from __future__ import annotations

import hashlib

WINDOW = 5
SHARE = 0.5


class SeenWindows:
    """The windows of all files so far."""

    def __init__(self) -> None:
        self._windows: set[int] = set()

    def add(self, text: str) -> None:
        self._windows.update(windows(text))

    def is_repeated(self, text: str) -> bool:
        own = windows(text)
        return sum(window in self._windows for window in own) >= SHARE * len(own)


def windows(text: str) -> set[int]:
    """The hashes of a text's windows. A text of fewer lines than a window is one window."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    starts = range(max(1, len(lines) - WINDOW + 1))
    return {stable_hash("\n".join(lines[start : start + WINDOW])) for start in starts}


def stable_hash(text: str) -> int:
    """A hash that is equal in every process, unlike `hash`."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
