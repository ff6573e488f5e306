"""The report on masks, as a table with the targets and as a plot."""

from typing import Any

from benches.mask_times import Row

Figures = dict[str, dict[str, Row]]

# The targets of our rows: the least number of tokens for which a target holds, the figure, and its bound.
PYTHON_P50 = {49: 50.0, 151: 100.0}
P99, MAX, FIRST_ALLOWED_P50, AHEAD = 1_000.0, 5_000.0, 10.0, 5.0


def table(figures: Figures) -> str:
    """A table in Markdown for each vocabulary, with the missed targets below it."""
    return "\n".join(
        f"## {title}\n\n{_rows(rows)}\n{_verdicts(title, rows)}" for title, rows in figures.items()
    )


def _rows(rows: dict[str, Row]) -> str:
    lines = ["| microseconds of the processor | masks | p50 | mean | p99 | max | wall p50 | texts denied |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for kind, row in rows.items():
        if "p50" in row:
            timed = " | ".join(f"{row[label]:,.1f}" for label in ("p50", "mean", "p99", "max", "wall p50"))
            lines.append(f"| {kind} | {row['n']:,.0f} | {timed} | {row['texts denied']:.0f} |")
    prepared = rows["preparation for Python"]
    lines += [
        "",
        "Preparation for Python: " + ", ".join(f"{key} {value:,.1f}" for key, value in prepared.items()),
    ]
    return "\n".join(lines) + "\n"


def _verdicts(title: str, rows: dict[str, Row]) -> str:
    """The targets, each with its measured value."""
    n_thousand = max(size for size in PYTHON_P50 if size == 49 or ", 15" in title)
    prepared = rows["preparation for Python"]
    found = [
        ("preparation, cold, ms of the processor", prepared["cold, processor, ms"], 2_000.0, True),
        (
            "preparation from the cache, ms of the processor",
            prepared["from the cache, processor, ms"],
            100.0,
            True,
        ),
        ("memory, MB", prepared["memory, MB"], 150.0, True),
    ]
    for kind, row in rows.items():
        is_ours = kind.endswith(": ours") or kind.startswith("Python, ")
        if not is_ours or "p50" not in row:
            continue
        is_candidate = "first_allowed" in kind
        found.append(
            (f"{kind}, p50", row["p50"], FIRST_ALLOWED_P50 if is_candidate else PYTHON_P50[n_thousand], True)
        )
        found.append((f"{kind}, p99", row["p99"], P99, True))
        found.append((f"{kind}, max", row["max"], MAX, True))
        other = rows.get(kind.replace(": ours", ": llguidance"))
        if kind.endswith(": ours") and other is not None:
            bound = 1.0 if kind.startswith("JSON") else AHEAD
            for label in ("p50", "mean"):
                ratio = other[label] / row[label]
                found.append((f"{kind}, {label}, ahead of llguidance by times", ratio, bound, False))
    lines = ["| target | reached | bound | |", "|---|---|---|---|"]
    for what, value, bound, is_most in found:
        verdict = "met" if (value <= bound if is_most else value >= bound) else "**missed**"
        lines.append(f"| {what} | {value:,.1f} | {'<=' if is_most else '>='} {bound:,.0f} | {verdict} |")
    return "\n".join(lines) + "\n"


def drawing(figures: Figures, pyplot: Any) -> Any:
    """A plot of the medians, the 99th percentiles and the maxima."""
    height = max(len(rows) for rows in figures.values()) * 0.3 + 1
    figure, axes = pyplot.subplots(
        1, len(figures), figsize=(6 * len(figures), height), sharex=True, squeeze=False, layout="constrained"
    )
    for axis, (title, rows) in zip(axes[0], figures.items(), strict=True):
        shown = {kind: row for kind, row in rows.items() if "p50" in row}
        places = range(len(shown))
        for label, mark in (("p50", "o"), ("p99", "|"), ("max", "x")):
            axis.plot([row[label] for row in shown.values()], places, mark, label=label)
        axis.hlines(places, [row["p50"] for row in shown.values()], [row["max"] for row in shown.values()])
        axis.set_yticks(places, list(shown))
        axis.set(xscale="log", xlabel="microseconds of the processor per mask", title=title)
        axis.invert_yaxis()
        axis.legend()
    return figure
