"""The figures, as SVG: figure 11 of the quotient paper, how many files parse, how long a text takes.

Drawn with matplotlib, which the extra `replay` installs; without it reports have no figures and say so.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from fim_lsp.replay.report.fits import Point, TrendLine, one_times, overheads
from fim_lsp.replay.report.results import MODE_NAMES, Results

# Colours that people with any colour vision tell apart (Okabe and Ito), the same for a mode in all figures.
COLOURS = {
    "truth": "#000000",
    "unconstrained": "#999999",
    "checked": "#e69f00",
    "paper": "#56b4e9",
    "constrained": "#0072b2",
    "steered": "#009e73",
    "named": "#d55e00",
    "served": "#cc79a7",
}
MARKS = {
    "checked": "x",
    "paper": "^",
    "constrained": "o",
    "steered": "+",
    "named": "D",
    "served": "s",
    "truth": ".",
    "unconstrained": "v",
}


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    title: str
    svg: str
    note: str = ""


def has_plots() -> bool:
    return find_spec("matplotlib") is not None


def figures(results: Results) -> list[Figure]:
    if not has_plots() or not results.results:
        return []
    drawn = (success_bars(results), figure_11(results), latency(results))
    return [figure for figure in drawn if figure is not None]


def figure_11(results: Results) -> Figure | None:
    """Above, the mean overhead of a token; below, what is paid once; both over the size of the context."""
    panels = (("mean overhead per token", overheads), ("one-time overhead", one_times))
    series = [
        (title, [(mode, found) for mode in results.modes if (found := measured(results, mode))])
        for title, measured in panels
    ]
    if not any(clouds for _, clouds in series):
        return None
    drawing, axes = pyplot().subplots(2, 1, figsize=(7.5, 8), sharex=True, layout="constrained")
    fits = []
    for axis, (title, clouds) in zip(axes, series, strict=True):
        for mode, found in clouds:
            axis.scatter(
                *zip(*found, strict=True),
                s=14,
                marker=MARKS[mode],
                color=COLOURS[mode],
                alpha=0.6,
                linewidths=0.9,
                label=MODE_NAMES[mode],
            )
            fits.append(f"{MODE_NAMES[mode]}, {title}: {TrendLine.of(found) or 'no line'}")
            draw_fit(axis, mode, found)
        axis.set(xscale="log", yscale="log", ylabel="milliseconds", title=title)
        axis.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
        if clouds:
            axis.legend(frameon=False)
    axes[-1].set_xlabel("characters of context (left and right)")
    return Figure("figure-11", "Overhead over the size of the context", svg(drawing), "\n".join(fits))


def draw_fit(axis: Any, mode: str, found: list[Point]) -> None:
    """The line over the range of its points; where it falls below zero, log axes have no room for it."""
    fit = TrendLine.of(found)
    if fit is None:
        return
    low, high = min(x for x, _ in found), max(x for x, _ in found)
    steps = [low * (high / low) ** (idx / 60) for idx in range(61)]
    line = [(x, y) for x in steps if (y := fit.slope * x + fit.intercept) > 0]
    if line:
        axis.plot(*zip(*line, strict=True), color=COLOURS[mode], linewidth=1.4)


def success_bars(results: Results) -> Figure:
    modes = results.modes[::-1]
    outcomes = {mode: results.outcomes(mode) for mode in modes}
    shares = [100 * sum(one.is_success for one in outcomes[mode]) / len(outcomes[mode]) for mode in modes]
    drawing, axis = pyplot().subplots(figsize=(7.5, 0.55 * len(modes) + 1.1), layout="constrained")
    bars = axis.barh([MODE_NAMES[mode] for mode in modes], shares, color=[COLOURS[mode] for mode in modes])
    axis.bar_label(bars, labels=[f"{share:.2f} %" for share in shares], padding=4)
    axis.set(xlim=(0, 115), xticks=range(0, 101, 20), xlabel=f"files that parse, % of {len(results.results)}")
    axis.spines[["top", "right"]].set_visible(False)
    return Figure("success", "How many files parse", svg(drawing))


def latency(results: Results) -> Figure | None:
    """The share of cases that are done by a time: the further left a curve, the faster the mode."""
    drawing, axis = pyplot().subplots(figsize=(7.5, 4), layout="constrained")
    has_curve = False
    for mode in results.modes:
        seconds = sorted(cost.seconds for cost in results.costs(mode) if cost.seconds > 0)
        if seconds:
            has_curve = True
            done = [100 * (idx + 1) / len(seconds) for idx in range(len(seconds))]
            axis.step(seconds, done, where="post", color=COLOURS[mode], label=MODE_NAMES[mode], linewidth=1.6)
    if not has_curve:
        return None
    axis.set(xscale="log", xlabel="seconds for a whole text", ylabel="% of cases done", ylim=(0, 101))
    axis.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    axis.legend(frameon=False, loc="lower right")
    return Figure("latency", "How long a text takes", svg(drawing))


def pyplot() -> Any:
    import_module("matplotlib").use("svg")
    module = import_module("matplotlib.pyplot")
    # Text stays text, so that it can be read and found; the same figure gives the same file.
    module.rcParams.update({"svg.hashsalt": "fim-lsp", "svg.fonttype": "none", "font.size": 11})
    return module


def svg(drawing: Any) -> str:
    buffer = io.StringIO()
    drawing.savefig(buffer, format="svg", metadata={"Date": None})
    pyplot().close(drawing)
    content = buffer.getvalue()
    return content[content.index("<svg") :]
