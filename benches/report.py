"""The report at a bench's end: a table with targets, a file of results, and the missed targets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benches.origin import origin
from benches.targets import Target, row


def reported(
    figures: dict[str, tuple[float, str]],
    targets: Sequence[Target],
    results: Path,
    may_leave_out: bool = False,
) -> int:
    """Prints and writes the figures. The exit status says whether every target is met. A target that was not
    measured counts as missed, unless the bench may leave figures out."""
    bounds = {target.name: target for target in targets}
    print("\n".join(row(name, value, unit, bounds.get(name)) for name, (value, unit) in figures.items()))
    results.parent.mkdir(parents=True, exist_ok=True)
    report = {**origin(), "figures": figures}
    results.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    missed = [
        name
        for name, target in bounds.items()
        if (not target.is_met_by(figures[name][0]) if name in figures else not may_leave_out)
    ]
    print("".join(f"missed: {name}\n" for name in missed), end="")
    return 1 if missed else 0
