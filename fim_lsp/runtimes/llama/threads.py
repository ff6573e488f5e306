"""The number of threads that compute: one on each core, and fewer while other programs need the processors.

The threads of one reading wait for each other some hundred times, and burn the processor while they wait.
Where another program takes one of their cores, all of them wait until the system lets that one go on: on two
cores with ten busy processes a token took 175 ms on one thread and 3,300 ms on two. So the number falls where
threads were kept from their processors, and now and then a reading is tried on more of them. A trial is given
up that takes longer than the smaller number would.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

# Shares of the time in which threads must have their processors, for as many to go on and for more to stay.
LEAST, ENOUGH = 0.75, 0.85
# The weight of the last reading.
WEIGHT = 0.5
# Seconds until more threads are tried, from the first time to the last: each failure doubles it.
SOON, LATE = 0.5, 16.0


@dataclass(slots=True)
class Threads:
    """Invariant: 1 <= `n` <= `most`. `now` is one clock's seconds in all calls."""

    most: int
    # A number that was named is taken.
    is_fixed: bool = False
    n: int = 0
    # The share of the processor that the threads had lately; None after a change.
    share: float | None = None
    pause: float = SOON
    tried_at: float = 0.0
    raised_at: float = -math.inf

    def __post_init__(self) -> None:
        self.n = self.n or self.most

    @classmethod
    def of_machine(cls) -> Threads:
        """The threads here, one on each core; a single one at first where processors are waited for."""
        return cls(n_cores(), n=1 if is_busy() else n_cores())

    def number_to_try(self, now: float) -> int | None:
        """A larger number of threads, if it is time to try it; None: as many as now."""
        is_time = self.n < self.most and now - self.tried_at >= self.pause
        return min(self.most, 2 * self.n) if is_time else None

    def note_reading(self, seconds: float, processor_seconds: float, now: float) -> None:
        """Notes the seconds of a reading, and those of the processor."""
        if self.n == 1 or self.is_fixed:
            return
        seen = share_of(self.n, seconds, processor_seconds)
        self.share = seen if self.share is None else self.share + WEIGHT * (seen - self.share)
        if self.share < LEAST:
            # A number that was raised a moment ago was raised too soon.
            held = now - self.raised_at
            self.pause = min(LATE, 2 * self.pause) if held < self.pause else SOON
            self.n = max(1, self.n // 2)
            self.share, self.tried_at = None, now

    def note_trial(self, n: int, seconds: float, processor_seconds: float, now: float) -> None:
        """A reading on more threads came to its end."""
        if share_of(n, seconds, processor_seconds) < ENOUGH:
            self.note_failure(now)
        else:
            self.n, self.share, self.tried_at, self.raised_at = n, None, now, now

    def note_failure(self, now: float) -> None:
        """Notes that more threads were slower, or were kept from their processors."""
        self.tried_at, self.pause = now, min(LATE, 2 * self.pause)


def share_of(n: int, seconds: float, processor_seconds: float) -> float:
    return min(1.0, processor_seconds / max(1e-6, n * seconds))


def is_busy() -> bool:
    """Whether more programs have wanted a processor, in the last minute, than there are."""
    # Windows does not count them.
    loads = getattr(os, "getloadavg", None)
    return loads is not None and loads()[0] > (os.cpu_count() or 1)


def n_cores() -> int:
    """Two threads on one core share what computes. To wait for an offer takes two thirds of the time on two
    cores of what it takes on one; nothing is computed while no request waits for long.
    """
    # Linux alone tells which processors this process may use, and which of them are one core.
    affinity = getattr(os, "sched_getaffinity", None)
    if affinity is None:
        return max(1, (os.cpu_count() or 2) // 2)
    processors = affinity(0)
    return max(1, len({core_of(processor) for processor in processors}))


def core_of(processor: int) -> str:
    """The processors of one core have the same siblings, as the system writes them."""
    siblings = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
    try:
        return siblings.read_text(encoding="ascii").strip()
    except OSError:
        return str(processor)
