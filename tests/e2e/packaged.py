"""The packaged extension, as tests in VS Code install it: built once in a run, whoever asks first."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.e2e.workbench import INSTALLATION, MAKE_VSIX, ROOT

# What one of several processes has built for all of a run, and the run that it was built for.
PACKAGE, RUN = INSTALLATION / "fim-lsp.vsix", INSTALLATION / "fim-lsp.vsix.run"


@cache
def built() -> Path:
    """Built anew, for the Python that runs the tests."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    INSTALLATION.mkdir(parents=True, exist_ok=True)
    with (INSTALLATION / "fim-lsp.vsix.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not run or not RUN.exists() or RUN.read_text() != run:
            environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
            subprocess.run([*MAKE_VSIX], cwd=ROOT, env=environment, check=True, capture_output=True)
            shutil.copyfile(ROOT / "dist" / "fim-lsp.vsix", PACKAGE)
            RUN.write_text(run)
    return PACKAGE


def packaged() -> Path:
    """Where VS Code cannot be had, the test is skipped, or fails if it is asked to."""
    if not list(INSTALLATION.glob("ready-*")):
        reason = "VS Code or chromium is missing; tests/e2e/setup .venv/bin/python says why"
        if os.environ.get("FIM_LSP_E2E") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    return built()
