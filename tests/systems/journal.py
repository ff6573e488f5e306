"""A plugin of pytest that records each test at its beginning and its end, in a journal for each file.

A variable names the journals in JSON: the files' names and the path of each one's journal.

Recorded tests are not run again. So a process that hangs or crashes loses one test, and the next process
continues with that test once more, because emulators crash sometimes.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.systems.results import BEGUN, DONE, FAILED, PASSED, SKIPPED, entries, known_tests

VARIABLE = "FIM_LSP_JOURNAL"


def journals() -> dict[str, Path]:
    """The path of each file's journal, by the file's path among the tests."""
    return {name: Path(path) for name, path in json.loads(os.environ[VARIABLE]).items()}


def write(journal: Path, **entry: Any) -> None:
    with journal.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


def told(node: str, **entry: Any) -> None:
    """Records a test or a whole file by its name in pytest."""
    write(journals()[node.partition("::")[0].removeprefix("tests/")], **entry)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    written = [entry for journal in journals().values() for entry in entries(journal)]
    known = known_tests(written)
    again = [item for item in items if item.nodeid in known]
    if again:
        items[:] = [item for item in items if item.nodeid not in known]
        config.hook.pytest_deselected(items=again)


def pytest_runtest_logstart(nodeid: str) -> None:
    told(nodeid, test=nodeid, state=BEGUN)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    told(report.nodeid, of=report.nodeid, took=round(report.duration, 3))
    if report.failed:
        said = report.longrepr
        crash = getattr(said, "reprcrash", None)
        told(report.nodeid, test=report.nodeid, state=FAILED, why=str(crash.message if crash else said)[:300])
    elif report.skipped:
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        told(
            report.nodeid,
            test=report.nodeid,
            state=SKIPPED,
            why=re.sub(r"\s+", " ", why).removeprefix("Skipped: "),
        )
    elif report.when == "call":
        told(report.nodeid, test=report.nodeid, state=PASSED)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Records a file that is skipped as a whole, or cannot be read."""
    if report.failed:
        told(
            report.nodeid,
            test=report.nodeid,
            state=FAILED,
            why=str(report.longrepr).strip().rpartition("\n")[2][:300],
        )
    elif report.skipped:
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        told(report.nodeid, file=report.nodeid, state=SKIPPED, why=why.removeprefix("Skipped: "))


def pytest_sessionfinish(exitstatus: int) -> None:
    """Records that all tests were run, whatever their results; an interrupted run is not recorded."""
    if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        for journal in journals().values():
            write(journal, state=DONE)
