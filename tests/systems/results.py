"""What came of tests, as pytest writes it down for other programs, counted by file and by reason."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Outcome:
    """One file's tests: how many passed, why others were skipped, and what each failure said first."""

    name: str
    passed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return self.passed + self.skipped.total() + len(self.failed)


def read(name: str, report: Path) -> Outcome:
    """Read one file's report; without one, its process has fallen."""
    outcome = Outcome(name)
    try:
        tree = ElementTree.parse(report)
    except (OSError, ElementTree.ParseError):
        outcome.failed[name] = "its process ended without a report"
        return outcome
    for case in tree.iter("testcase"):
        wrong = [child for child in case if child.tag in ("failure", "error")]
        skips = [child for child in case if child.tag == "skipped"]
        if wrong:
            outcome.failed[case.get("name") or name] = (wrong[0].get("message") or "").partition("\n")[0][
                :300
            ]
        elif skips:
            outcome.skipped[re.sub(r"\s+", " ", skips[0].get("message") or "no reason")] += 1
        else:
            outcome.passed += 1
    return outcome


def table(outcomes: Iterable[Outcome]) -> str:
    """Groups of files by the second word of their names, and under them the reasons of skips."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        group = outcome.name.removeprefix("test_").removesuffix(".py").partition("_")[0]
        groups.setdefault(group, []).append(outcome)
    lines = ["| Tests of | Passed | Skipped | Failed |", "|---|---:|---:|---:|"]
    for name, members in groups.items():
        lines.append(_row(name, members))
    everything = [one for members in groups.values() for one in members]
    lines.append(_row("all", everything))
    reasons = sum((one.skipped for one in everything), Counter[str]())
    lines += ["", "| Skipped, because | Tests |", "|---|---:|"]
    lines += [f"| {reason} | {count} |" for reason, count in reasons.most_common()]
    return "\n".join(lines)


def _row(name: str, outcomes: list[Outcome]) -> str:
    counts = (
        sum(one.passed for one in outcomes),
        sum(one.skipped.total() for one in outcomes),
        sum(len(one.failed) for one in outcomes),
    )
    return f"| {name} | {' | '.join(f'{count:,}' for count in counts)} |"
