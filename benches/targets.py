"""The targets of the engine, and the table that sets the measured figures beside them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A bound on a measured figure."""

    name: str
    unit: str
    bound: float
    at_least: bool = False

    def is_met_by(self, value: float) -> bool:
        """Whether the value keeps the bound."""
        return value >= self.bound if self.at_least else value <= self.bound


TARGETS = (
    Target("cold recognizer at 10 kB, times ast.parse", "x", 5),
    Target("cold recognizer at 10 kB, hole at the start, times ast.parse", "x", 5),
    Target("cold recognizer at 10 kB, hole at the end, times ast.parse", "x", 5),
    Target("cold recognizer, growth from 10 kB to 100 kB", "x", 12),
    Target("cold recognizer, growth from 100 kB to 1 MB", "x", 12),
    Target("one typed character at 5,000 lines, p50", "ms", 1),
    Target("one typed character at 5,000 lines, p95", "ms", 5),
    Target("one typed character at 5,000 lines, times ast.parse", "x", 0.05),
    Target("names around it at 5,000 lines, p50", "ms", 1),
    Target("names around it at 5,000 lines, p95", "ms", 5),
    Target("advance a character at 1 kB, p50", "us", 10),
    Target("advance a character at 1 MB, p50", "us", 10),
    Target("advance a character at 1 MB, p99", "us", 100),
    Target("advance a character, p50 at 1 MB over p50 at 1 kB", "x", 1.3),
    Target("is_member, p50", "us", 20),
    Target("fork, p50", "us", 20),
    Target("witness, p50", "ms", 1),
    Target("witness, p99", "ms", 1),
    Target("memory of a 1 MB document", "MB", 300),
    Target("two threads, speed-up over that of hashing", "x", 0.8, at_least=True),
)


def row(name: str, value: float, unit: str, target: Target | None) -> str:
    """A line of the table."""
    shown = f"{value:12.4g} {unit:<3}"
    if target is None:
        return f"  {name:<64} {shown}"
    relation = ">=" if target.at_least else "<="
    verdict = "pass" if target.is_met_by(value) else "FAIL"
    return f"  {name:<64} {shown} {relation} {target.bound:<6g} {verdict}"


def table(figures: dict[str, tuple[float, str]]) -> str:
    """Every figure with its bound, if it has one, and whether the bound is kept."""
    bounds = {target.name: target for target in TARGETS}
    return "\n".join(row(name, value, unit, bounds.get(name)) for name, (value, unit) in figures.items())


def markdown(figures: dict[str, tuple[float, str]]) -> str:
    """The same table in Markdown."""
    bounds = {target.name: target for target in TARGETS}
    rows = ["| | measured | target |", "|---|---:|---:|"]
    for name, (value, unit) in figures.items():
        target = bounds.get(name)
        relation = "" if target is None else f"{'≥' if target.at_least else '≤'} {target.bound:g} {unit}"
        rows.append(f"| {name} | {value:.4g} {unit} | {relation} |")
    return "\n".join(rows)


def missed(figures: dict[str, tuple[float, str]]) -> list[str]:
    """The targets that are not met, including those that were not measured."""
    return [
        target.name
        for target in TARGETS
        if target.name not in figures or not target.is_met_by(figures[target.name][0])
    ]
