"""A plugin of pytest that writes down each test as it begins and as it ends, in a file that a variable names.

What stands there already is not run again. So a process that hangs or falls loses one test, and the next one
goes on.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.systems.results import BEGUN, DONE, FAILED, PASSED, SKIPPED, entries

VARIABLE = "FIM_LSP_JOURNAL"


def write(**entry: Any) -> None:
    with Path(os.environ[VARIABLE]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    known = {entry["test"] for entry in entries(Path(os.environ[VARIABLE])) if "test" in entry}
    again = [item for item in items if item.nodeid in known]
    if again:
        items[:] = [item for item in items if item.nodeid not in known]
        config.hook.pytest_deselected(items=again)


def pytest_runtest_logstart(nodeid: str) -> None:
    write(test=nodeid, state=BEGUN)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        said = report.longrepr
        crash = getattr(said, "reprcrash", None)
        write(test=report.nodeid, state=FAILED, why=str(crash.message if crash else said)[:300])
    elif report.skipped:
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        write(test=report.nodeid, state=SKIPPED, why=re.sub(r"\s+", " ", why).removeprefix("Skipped: "))
    elif report.when == "call":
        write(test=report.nodeid, state=PASSED)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file that is skipped as a whole, or cannot be read."""
    if report.failed:
        write(test=report.nodeid, state=FAILED, why=str(report.longrepr).strip().rpartition("\n")[2][:300])
    elif report.skipped:
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        write(file=report.nodeid, state=SKIPPED, why=why.removeprefix("Skipped: "))


def pytest_sessionfinish() -> None:
    write(state=DONE)
