"""Of the tests that run on Linux without PyTorch, how many run on Windows, and why each other does not."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatch

from tests.systems.results import Outcome
from tests.windows.chosen import files, needs
from tests.windows.setting_up import ROOT

# What is aimed at: nine of ten.
LEAST = 0.9
# Without these a test does not run on a Linux without PyTorch either.
OF_PYTORCH = ("torch", "transformers", "onnx", "tokenizers")
REASONS = (
    ("test_editors_*", "an editor that is had for Linux"),
    ("test_house_*", "packages, pages and commands of the checkout, as a developer on Linux has them"),
    ("test_runtimes_*", "a server that is had for Linux"),
    ("test_suites.py", "test suites that are fetched by a program for Linux"),
    ("test_training_*", "training"),
)


@dataclass
class Shares:
    """The tests that there are, those that ran on Windows, and the reasons of the others."""

    count: int = 0
    ran: int = 0
    without: Counter[str] = field(default_factory=Counter)

    @property
    def is_enough(self) -> bool:
        return self.ran >= LEAST * self.count


def collect() -> Counter[str]:
    """How many tests each file has on this machine, as pytest finds them."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return Counter(re.findall(r"(?m)^tests/(?:\w+/)*(test_\w+\.py)::", said))


def shared(collected: Counter[str], outcomes: Iterable[Outcome]) -> Shares:
    """Count the tests of each file that is read without PyTorch."""
    found = Shares()
    by_name = {one.name: one for one in outcomes}
    chosen = {path.name for path in files(ROOT / "tests")}
    for name, count in collected.items():
        path = ROOT / "tests" / name
        # Those in folders of their own are editors'.
        package = needs(path) if path.exists() else None
        if package in OF_PYTORCH:
            continue
        found.count += count
        if name not in chosen:
            found.without[reason(name if path.exists() else "test_editors_")] += count
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
