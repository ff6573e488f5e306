"""Times and their statistics: medians and other percentiles, straight lines, resident memory."""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import correlation, linear_regression
from time import perf_counter, thread_time


def seconds(action: Callable[[], object]) -> float:
    """Return how long the action keeps this thread busy, with the collector held off until it is done.

    On an idle machine that is how long it takes; on a busy one, waiting for a turn says nothing about it.
    """
    return elapsed(action, thread_time)


def wall_seconds(action: Callable[[], object]) -> float:
    """Return how long the action takes, waiting included, as what runs in several threads needs it."""
    return elapsed(action, perf_counter)


def elapsed(action: Callable[[], object], clock: Callable[[], float]) -> float:
    """The time that an action takes, by a clock."""
    gc.disable()
    try:
        start = clock()
        action()
        return clock() - start
    finally:
        gc.enable()


def percentile(values: list[float], share: float) -> float:
    """Return the value below which the share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass(frozen=True, slots=True)
class FittedLine:
    """A straight line through measured points, with how much of their spread it explains."""

    slope: float
    intercept: float
    r_squared: float


def fitted(x: list[float], y: list[float]) -> FittedLine:
    """Return the least-squares line, as the paper's figure 11 gives one for each cloud."""
    slope, intercept = linear_regression(x, y)
    return FittedLine(slope, intercept, correlation(x, y) ** 2)


def resident_megabytes() -> float:
    """Return the memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6
