"""The tests that run on Linux without PyTorch: how many run on Windows, and why the others do not."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatch

from tests.systems.results import Outcome
from tests.windows.chosen import files, name_of, needs
from tests.windows.setting_up import ROOT

# The least share: nine in ten.
LEAST = 0.9
# Without these a test does not run on a Linux without PyTorch either.
OF_PYTORCH = ("torch", "transformers", "onnx", "tokenizers")
OF_DEVELOPERS = "packages, pages and commands of the checkout, as a developer on Linux has them"
REASONS = (
    ("editors/*", "an editor that is had for Linux"),
    ("vscode/*", "an editor that is had for Linux"),
    ("commands/*", OF_DEVELOPERS),
    ("house/*", OF_DEVELOPERS),
    ("packages/*", OF_DEVELOPERS),
    ("systems/*", OF_DEVELOPERS),
    ("runtimes/*", "a server that is had for Linux"),
    ("suites/*", "test suites that are fetched by a program for Linux"),
    ("training/*", "training"),
)


@dataclass
class Shares:
    """All tests, those that ran on Windows, and the reasons of the others."""

    count: int = 0
    ran: int = 0
    without: Counter[str] = field(default_factory=Counter)

    @property
    def is_enough(self) -> bool:
        return self.ran >= LEAST * self.count


def collect(names: Iterable[str] = ()) -> Counter[str]:
    """The number of tests in each file on this machine, as pytest collects them; of some files, or of all."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    command += [f"tests/{name}" for name in names] or ["tests"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return Counter(re.findall(r"(?m)^tests/((?:\w+/)*test_\w+\.py)::", said))


def shared(collected: Counter[str], outcomes: Iterable[Outcome]) -> Shares:
    """Counts the tests of each file that can be read without PyTorch."""
    found = Shares()
    by_name = {one.name: one for one in outcomes}
    tests = ROOT / "tests"
    chosen = {name_of(path, tests) for path in files(tests)}
    for name, count in collected.items():
        if needs(tests / name, tests) in OF_PYTORCH:
            continue
        found.count += count
        if name not in chosen:
            found.without[reason(name)] += count
        elif name in by_name:
            found.ran += by_name[name].passed
            found.without += by_name[name].skipped
    return found


def reason(name: str) -> str:
    return next((why for pattern, why in REASONS if fnmatch(name, pattern)), "nobody has said why")


def table_of_shares(found: Shares) -> str:
    lines = [
        (
            f"Of {found.count:,} tests that run on Linux without PyTorch, {found.ran:,} run on Windows "
            f"({found.ran / max(found.count, 1):.1%})."
        ),
        "",
        "| The others need | Tests |",
        "|---|---:|",
    ]
    return "\n".join([*lines, *(f"| {why} | {count:,} |" for why, count in found.without.most_common())])
