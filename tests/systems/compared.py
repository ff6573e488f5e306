"""Two systems' answers, question by question: those that have to be equal, and those that may differ."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# The engine's answers, which are exact, because they involve no floating point.
EXACT = ("language", "name", "at", "refused", "member", "witness", "masks")


MODULE = "tests.systems.answers"


def ask_both(count: int, folder: Path, ask: Callable[[int], Path]) -> Comparison:
    """Lets this machine answer, then the other system, which returns the path of its answers."""
    here = folder / "answers-here.json"
    subprocess.run([sys.executable, "-m", MODULE, here, str(count)], check=True)
    return compared(here, ask(count))


@dataclass
class Comparison:
    """The number of questions, the differing answers of the engine, and the differing offers."""

    count: int = 0
    # The places, with both answers.
    engine: list[str] = field(default_factory=list)
    offers: list[str] = field(default_factory=list)
    n_offers: int = 0
    runtimes: tuple[str, str] = ("", "")

    @property
    def is_same(self) -> bool:
        return self.count > 0 and not self.engine


def compared(here: Path, there: Path) -> Comparison:
    """Reads two files of answers. A missing question counts as a different answer."""
    one, other = (json.loads(path.read_text(encoding="utf-8")) for path in (here, there))
    found = Comparison(runtimes=(one["runtime"], other["runtime"]))
    if len(one["answers"]) != len(other["answers"]):
        found.engine.append(f"{len(one['answers'])} questions here, {len(other['answers'])} there")
    for ours, theirs in zip(one["answers"], other["answers"], strict=False):
        found.count += 1
        place = f"{ours['name']} at {ours['at']}"
        found.engine += [f"{place}: {differs}" for differs in _different(ours, theirs)]
        if "offers" in ours:
            found.n_offers += 1
        if ours.get("offers") != theirs.get("offers"):
            found.offers.append(f"{place}: {ours.get('offers')} here, {theirs.get('offers')} there")
    return found


def _different(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    return [
        f"{name} {ours.get(name)!r} here, {theirs.get(name)!r} there"
        for name in EXACT
        if ours.get(name) != theirs.get(name)
    ]


def table(found: Comparison, system: str) -> str:
    """A table of the equal answers, followed by each differing offer."""
    same = found.count - len({line.partition(":")[0] for line in found.engine})
    lines = [
        f"| Beside this machine: {system} | Places | The same |",
        "|---|---:|---:|",
        f"| the engine's answers and masks, to the bit | {found.count} | {same} |",
        (
            f"| offers ({' and '.join(dict.fromkeys(found.runtimes))}) | {found.n_offers} | "
            f"{found.n_offers - len(found.offers)} |"
        ),
    ]
    return "\n".join([*lines, "", *(f"- {line}" for line in [*found.engine, *found.offers])]).rstrip()
