"""Results of tests in journals (journal.py), counted by file and by reason."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# The states of a test in its last line, and the line of a finished run.
BEGUN, PASSED, SKIPPED, FAILED, DONE = "begun", "passed", "skipped", "failed", "done"
# The number of attempts for a test whose process crashes in it.
TURNS = 2


@dataclass
class Outcome:
    """The tests of a file: the number of passed ones, the reasons of skips, and the first message of each
    failure."""

    # The file's name with its folder.
    name: str
    passed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)
    # The seconds of all its tests, with their fixtures.
    seconds: float = 0.0
    # Tests in which a process crashed, and which ended at a later attempt.
    fallen: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return self.passed + self.skipped.total() + len(self.failed)


def entries(journal: Path) -> list[Mapping[str, Any]]:
    """The whole lines of a journal; a line that was cut off by a crash is ignored."""
    found = []
    for line in journal.read_text(encoding="utf-8").splitlines() if journal.exists() else []:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def ended_and_begun(written: Iterable[Mapping[str, Any]]) -> tuple[set[str], Counter[str]]:
    """The tests that have ended, and the number of beginnings of each."""
    ended, begun = set[str](), Counter[str]()
    for entry in written:
        if "test" in entry:
            if entry["state"] == BEGUN:
                begun[entry["test"]] += 1
            else:
                ended.add(entry["test"])
    return ended, begun


def known_tests(written: Iterable[Mapping[str, Any]]) -> set[str]:
    """The tests that are not run again: they have ended, or every attempt crashed."""
    ended, begun = ended_and_begun(written)
    return ended | {test for test, count in begun.items() if count >= TURNS}


def is_done(journal: Path) -> bool:
    """Whether the run ended by itself, and not by the end of its process."""
    return any(entry.get("state") == DONE for entry in entries(journal))


def read(name: str, journal: Path, count: int = 0) -> Outcome:
    """Reads one file's journal. A test that has begun and never ended has crashed with its process.

    `count` is the file's number of tests, which a file that is skipped as a whole needs.
    """
    outcome = Outcome(name)
    states: dict[str, Mapping[str, Any]] = {}
    written = entries(journal)
    ended, begun = ended_and_begun(written)
    outcome.fallen = [test.partition("::")[2] for test in sorted(ended) if begun[test] > 1]
    for entry in written:
        if "took" in entry:
            outcome.seconds += entry["took"]
        elif "file" in entry:
            outcome.skipped[entry["why"]] += count or 1
        # A failure in the teardown counts, too.
        elif "test" in entry and states.get(entry["test"], {}).get("state") != FAILED:
            states[entry["test"]] = entry
    for test, entry in states.items():
        if entry["state"] == PASSED:
            outcome.passed += 1
        elif entry["state"] == SKIPPED:
            outcome.skipped[entry["why"]] += 1
        else:
            why = entry.get("why") or "its process ended, or hung, in it"
            outcome.failed[test.partition("::")[2] or name] = why.partition("\n")[0]
    if not is_done(journal):
        outcome.failed.setdefault(name, "its process ended before the last test")
    return outcome


def table(outcomes: Iterable[Outcome]) -> str:
    """Files by their folders, followed by the reasons of skips."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        group = outcome.name.partition("/")[0]
        groups.setdefault(group, []).append(outcome)
    lines = ["| Tests of | Passed | Skipped | Failed |", "|---|---:|---:|---:|"]
    for name, members in groups.items():
        lines.append(_row(name, members))
    everything = [one for members in groups.values() for one in members]
    lines.append(_row("all", everything))
    lines += [
        "",
        *(f"- In {one.name} a process fell once, in {test}." for one in everything for test in one.fallen),
    ]
    reasons = sum((one.skipped for one in everything), Counter[str]())
    lines += ["", "| Skipped, because | Tests |", "|---|---:|"]
    lines += [f"| {reason} | {count} |" for reason, count in reasons.most_common()]
    return "\n".join(lines)


def slowest(outcomes: Iterable[Outcome], count: int = 10) -> str:
    """The slowest files."""
    ranked = sorted(outcomes, key=lambda one: -one.seconds)[:count]
    lines = ["| Took longest | Tests | Seconds |", "|---|---:|---:|"]
    return "\n".join([*lines, *(f"| {one.name} | {one.count:,} | {one.seconds:.0f} |" for one in ranked)])


def _row(name: str, outcomes: list[Outcome]) -> str:
    counts = (
        sum(one.passed for one in outcomes),
        sum(one.skipped.total() for one in outcomes),
        sum(len(one.failed) for one in outcomes),
    )
    return f"| {name} | {' | '.join(f'{count:,}' for count in counts)} |"
