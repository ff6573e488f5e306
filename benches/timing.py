"""Times and their statistics: medians and other percentiles, straight lines, resident memory."""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import correlation, linear_regression
from time import perf_counter, thread_time


def seconds(action: Callable[[], object]) -> float:
    """How long the action keeps this thread busy. The garbage collector waits until the action is done.

    On an idle machine this equals the elapsed time; on a busy one, the elapsed time includes waiting for a
    turn.
    """
    return elapsed(action, thread_time)


def wall_seconds(action: Callable[[], object]) -> float:
    """The elapsed time of the action, waiting included, for actions that run in several threads."""
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
    """The value below which the given share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass(frozen=True, slots=True)
class FittedLine:
    """A straight line through measured points, and the share of their spread that it explains."""

    slope: float
    intercept: float
    r_squared: float


def fitted(x: list[float], y: list[float]) -> FittedLine:
    """The least-squares line, as in the paper's figure 11."""
    slope, intercept = linear_regression(x, y)
    return FittedLine(slope, intercept, correlation(x, y) ** 2)


def resident_megabytes() -> float:
    """The memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6
