"""A progress bar: cases done, their rate, and the time that is left. A terminal has one line, which is drawn
over; a log gets a line now and then, without a bar."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TextIO

from fim_lsp.terminal import takes_drawings

WIDTH = 24
# Seconds between two drawings: on a terminal, and in a log.
TERMINAL_INTERVAL, LOG_INTERVAL = 0.2, 30.0


class CaseProgress:
    """Counts cases up to `total`. `n_before` were done in an earlier run and say nothing about the rate."""

    def __init__(
        self, stream: TextIO, total: int, n_before: int = 0, clock: Callable[[], float] = monotonic
    ) -> None:
        self.stream = stream
        self.total = total
        self.n_done = n_before
        self._n_before = n_before
        self._clock = clock
        self._start = clock()
        self._is_drawn = takes_drawings(stream)
        self._interval = TERMINAL_INTERVAL if self._is_drawn else LOG_INTERVAL
        self._drawn_at = self._start if not self._is_drawn else float("-inf")

    def step(self, note: str = "") -> None:
        self.n_done += 1
        now = self._clock()
        if now - self._drawn_at >= self._interval or self.n_done == self.total:
            self._drawn_at = now
            self.draw(note)

    def draw(self, note: str = "") -> None:
        end = "" if self._is_drawn else "\n"
        begin = "\r\x1b[K" if self._is_drawn else ""
        self.stream.write(f"{begin}{self.text()}{f'  {note}' if note else ''}{end}")
        self.stream.flush()

    def text(self) -> str:
        filled = WIDTH * self.n_done // max(self.total, 1)
        bar = "#" * filled + "-" * (WIDTH - filled)
        return f"{f'[{bar}] ' if self._is_drawn else ''}{self.n_done}/{self.total}  {self.rate()}"

    def rate(self) -> str:
        """Cases a second (a minute where they are slow) and the time that is left at that rate."""
        elapsed = self._clock() - self._start
        n_here = self.n_done - self._n_before
        if n_here == 0 or elapsed <= 0:
            return "waiting for the first case"
        a_second = n_here / elapsed
        rate = f"{a_second:.1f} cases/s" if a_second >= 1 else f"{a_second * 60:.1f} cases/min"
        return f"{rate}, {clock_time((self.total - self.n_done) / a_second)} left"

    def close(self) -> None:
        if self._is_drawn:
            self.stream.write("\n")
            self.stream.flush()


def clock_time(seconds: float) -> str:
    """0:05, 12:34, 2:03:04."""
    minutes, left = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
