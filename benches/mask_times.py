"""Times of masks, of the wall clock and of the processor.

On a busy machine, the scheduler causes the greatest wall-clock times, and long calls wait more often than
short ones. The processor's time is what a mask costs.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import mean

from benches.timing import percentile

Row = dict[str, float]


@dataclass(slots=True)
class Times:
    """Times of one kind in seconds, and how many texts ended early because a true token was denied."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    n_denied: int = 0

    def measure(self, run: Callable[[], object]) -> None:
        """Times a call."""
        processor = time.thread_time()
        wall = time.perf_counter()
        run()
        self.wall.append(time.perf_counter() - wall)
        self.processor.append(time.thread_time() - processor)

    def row(self) -> Row:
        """The reported figures, in microseconds."""
        return {
            "n": len(self.wall),
            "p50": percentile(self.processor, 0.5) * 1e6,
            "mean": mean(self.processor) * 1e6,
            "p99": percentile(self.processor, 0.99) * 1e6,
            "max": max(self.processor) * 1e6,
            "wall p50": percentile(self.wall, 0.5) * 1e6,
            "wall p99": percentile(self.wall, 0.99) * 1e6,
            "wall max": max(self.wall) * 1e6,
            "texts denied": self.n_denied,
        }
