"""The packaged extension, as tests in VS Code install it: built once in a run of the tests."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.e2e.workbench import INSTALLATION, MAKE_VSIX, ROOT


@cache
def built() -> Path:
    """Built anew, for the Python that runs the tests."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    subprocess.run([*MAKE_VSIX], cwd=ROOT, env=environment, check=True, capture_output=True)
    return ROOT / "dist" / "fim-lsp.vsix"


def packaged() -> Path:
    """Where VS Code cannot be had, the test is skipped, or fails if it is asked to."""
    if not list(INSTALLATION.glob("ready-*")):
        reason = "VS Code or chromium is missing; tests/e2e/setup .venv/bin/python says why"
        if os.environ.get("FIM_LSP_E2E") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    return built()
