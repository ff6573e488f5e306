"""A line with the progress of a step: redrawn in place on a terminal, every half minute in a log."""

from __future__ import annotations

import sys
import time
from typing import TextIO

WIDTH = 24


class Progress:
    def __init__(self, title: str, stream: TextIO = sys.stderr) -> None:
        self._title = title
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._next = 0.0

    def show(self, share: float, note: str = "") -> None:
        """Shows a `share` between 0 and 1. Frequent calls are cheap, because most of them draw nothing."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (0.1 if self._is_terminal else 30.0)
        filled = round(WIDTH * share)
        bar = "#" * filled + "." * (WIDTH - filled)
        line = f"{self._title} [{bar}] {share:4.0%} {note}"
        self._stream.write(f"\r{line[:110]:110}" if self._is_terminal else f"{line}\n")
        self._stream.flush()

    def done(self, note: str) -> None:
        line = f"{self._title}: {note}"
        self._stream.write(f"\r{line:110}\n" if self._is_terminal else f"{line}\n")
        self._stream.flush()
