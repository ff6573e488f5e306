"""Figure 11 of the quotient paper: overhead over the size of the context, with lines through the points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import StatisticsError, correlation, linear_regression

from fim_lsp.replay.outcome import Cost
from fim_lsp.replay.report.results import Results

# Characters of context, and milliseconds.
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TrendLine:
    """The least-squares line, as the paper gives one for each cloud."""

    slope: float
    intercept: float
    r_squared: float

    @classmethod
    def of(cls, points: list[Point]) -> TrendLine | None:
        """The line through points; None if they are too few, or all at one place."""
        try:
            x, y = zip(*points, strict=True)
            slope, intercept = linear_regression(x, y)
            return cls(slope, intercept, correlation(x, y) ** 2)
        except (ValueError, StatisticsError):
            return None

    def __str__(self) -> str:
        return f"y = {self.slope:.3g} x {self.intercept:+.3g} ms (R² = {self.r_squared:.3g})"


def overheads(results: Results, mode: str) -> list[Point]:
    """The points: characters of context, and milliseconds that a check takes."""
    return points(results, mode, lambda cost: cost.checking / cost.n_checks * 1e3 if cost.n_checks else 0.0)


def one_times(results: Results, mode: str) -> list[Point]:
    return points(results, mode, lambda cost: cost.once * 1e3)


def points(results: Results, mode: str, value: Callable[[Cost], float]) -> list[Point]:
    found = [
        (float(result.n_characters), value(result.costs[mode]))
        for result in results.results
        if mode in result.costs
    ]
    # Both axes are logarithmic.
    return [(x, y) for x, y in found if x > 0 and y > 0]
