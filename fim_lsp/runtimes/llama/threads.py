"""The number of computing threads: one for each core, and fewer while other programs need the processors.

The threads of one reading wait for each other some hundred times, and use the processor while they wait. If
another program takes a core, all threads wait until the system runs that one again: on two cores with ten
busy processes a token took 175 ms on one thread and 3,300 ms on two. So the number falls when threads do not
get their processors, and now and then a reading tries more threads. A trial that takes longer than the
smaller number would is given up.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

# The least share of the time with a processor, to keep the number of threads, and to keep an increased one.
LEAST, ENOUGH = 0.75, 0.85
# The weight of the last reading.
WEIGHT = 0.5
# The seconds until more threads are tried, the shortest and the longest; each failure doubles them.
SOON, LATE = 0.5, 16.0


@dataclass(slots=True)
class Threads:
    """Invariant: 1 <= `n` <= `most`. `now` is one clock's seconds in all calls."""

    most: int
    # Whether the user set the number.
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
        """The threads of this machine, one for each core; at first a single one if the machine is busy."""
        return cls(n_cores(), n=1 if is_busy() else n_cores())

    def number_to_try(self, now: float) -> int | None:
        """A larger number of threads, if it is time to try it; None keeps the number."""
        is_time = self.n < self.most and now - self.tried_at >= self.pause
        return min(self.most, 2 * self.n) if is_time else None

    def note_reading(self, seconds: float, processor_seconds: float, now: float) -> None:
        """Notes the seconds of a reading, and its processor seconds."""
        if self.n == 1 or self.is_fixed:
            return
        seen = share_of(self.n, seconds, processor_seconds)
        self.share = seen if self.share is None else self.share + WEIGHT * (seen - self.share)
        if self.share < LEAST:
            # The number was raised too soon.
            held = now - self.raised_at
            self.pause = min(LATE, 2 * self.pause) if held < self.pause else SOON
            self.n = max(1, self.n // 2)
            self.share, self.tried_at = None, now

    def note_trial(self, n: int, seconds: float, processor_seconds: float, now: float) -> None:
        """Notes a finished reading on more threads."""
        if share_of(n, seconds, processor_seconds) < ENOUGH:
            self.note_failure(now)
        else:
            self.n, self.share, self.tried_at, self.raised_at = n, None, now, now

    def note_failure(self, now: float) -> None:
        """Notes that more threads were slower, or did not get their processors."""
        self.tried_at, self.pause = now, min(LATE, 2 * self.pause)


def share_of(n: int, seconds: float, processor_seconds: float) -> float:
    return min(1.0, processor_seconds / max(1e-6, n * seconds))


def is_busy() -> bool:
    """Whether more programs wanted a processor in the last minute than there are processors."""
    # Windows has no load average.
    loads = getattr(os, "getloadavg", None)
    return loads is not None and loads()[0] > (os.cpu_count() or 1)


def n_cores() -> int:
    """The number of cores, since two threads on one core share its units. An offer on two cores takes two
    thirds of the time on one; nothing is computed for long while no request waits.
    """
    # Only Linux says which processors this process may use, and which of them share a core.
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
