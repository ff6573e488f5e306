"""The curve as an SVG file: the keys saved against the share of shown offers that are useful, with and
without each large part. It is drawn with matplotlib, which the extra `replay` installs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

from fim_lsp.replay.report.plots import has_plots, pyplot, svg
from fim_lsp.replay.typing.figures import curve, points_of
from fim_lsp.replay.typing.filler import Tally

Row = dict[str, Any]
# The targets: the share of keys saved, and of useful offers.
TARGETS = ((0.40, 0.40), (0.25, 0.50))
# Colours that people with any colour vision tell apart (Okabe and Ito), and marks for those who see none.
STYLES = (("#009e73", "s"), ("#d55e00", "^"), ("#cc79a7", "D"), ("#e69f00", "v"))


def drawn_curves(rows: Sequence[Row], oracle: Tally | None) -> str | None:
    """The picture; None if there is nothing to draw, or no matplotlib."""
    points = [(point.saved, point.useful) for point in curve(rows) if point.useful is not None]
    if not points or not has_plots():
        return None
    drawing, axis = pyplot().subplots(figsize=(7.5, 5), layout="constrained")
    axis.plot(*percents(points), color="#0072b2", marker="o", linewidth=1.8, label="all parts")
    for (part, found), (colour, mark) in zip(curves_without(rows), cycle(STYLES), strict=False):
        axis.plot(*percents(found), color=colour, marker=mark, linewidth=1.2, label=f"without {part}")
    axis.scatter(*percents(TARGETS), marker="*", s=120, color="#000000", zorder=3, label="targets")
    if oracle is not None and oracle.saved is not None:
        axis.axvline(100 * oracle.saved, color="#999999", linestyle="--", label="only right offers shown")
    axis.set(xlabel="keys saved, %", ylabel="of what is shown, of use, %", xlim=(0, None), ylim=(0, 100))
    axis.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    axis.legend(frameon=False)
    return svg(drawing)


def curves_without(rows: Sequence[Row]) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """The curve without each part that has one."""
    for part in dict.fromkeys(part for row in rows for part in row["parts"]):
        sums = points_of(rows, part).values()
        if sums:
            yield (
                part,
                [(sum_.saved or 0.0, sum_.share_useful) for sum_ in sums if sum_.share_useful is not None],
            )


def percents(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [100 * saved for saved, _ in points], [100 * useful for _, useful in points]
