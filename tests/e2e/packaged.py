"""The packaged extension for tests in VS Code, built once per run by the first test that needs it.

The whole package takes a minute, because it carries the server and its dependencies. Most tests use a server
of their own with the client alone, which is packaged in seconds.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.e2e.code_server import INSTALLATION, MAKE_VSIX, ROOT

CLIENT = ROOT / "vscode-client"
# The platform as .ci/platforms.py names it.
PLATFORM = ("node", "-p", "process.platform + '-' + process.arch")


@cache
def built() -> Path:
    """The whole extension, built anew, for the Python that runs the tests."""
    return built_in_a_run(INSTALLATION / "fim-lsp.vsix", make_vsix)


@cache
def built_client() -> Path:
    """The extension without its wheels, built anew."""
    return built_in_a_run(INSTALLATION / "client.vsix", package_client)


def built_in_a_run(package: Path, build: Callable[[Path], None]) -> Path:
    """The package that one of several processes has built for the whole run; outside a run, each process
    builds one."""
    run, of_run = os.environ.get("PYTEST_XDIST_TESTRUNUID", ""), package.with_suffix(".vsix.run")
    package.parent.mkdir(parents=True, exist_ok=True)
    with package.with_suffix(".vsix.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not run or not of_run.exists() or of_run.read_text() != run:
            build(package)
            of_run.write_text(run)
    return package


def make_vsix(package: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    subprocess.run([*MAKE_VSIX], cwd=ROOT, env=environment, check=True, capture_output=True)
    shutil.copyfile(ROOT / "dist" / "fim-lsp.vsix", package)


def package_client(package: Path) -> None:
    """Packages the client as `make vsix` does, without the wheels, which may lie there from an earlier
    build."""
    ignored = package.with_suffix(".vscodeignore")
    lines = (CLIENT / ".vscodeignore").read_text(encoding="utf-8").splitlines(keepends=True)
    ignored.write_text("".join(line for line in lines if "wheels" not in line), encoding="utf-8")
    platform = subprocess.run(PLATFORM, check=True, capture_output=True, text=True).stdout.strip()
    vsce = ["npm", "--prefix", str(CLIENT), "--silent", "run", "vsix", "--", "--target", platform]
    subprocess.run(
        [*vsce, "--ignoreFile", str(ignored), "--out", str(package)], check=True, capture_output=True
    )


def require_vscode() -> None:
    """Skips the test if there is no VS Code, or fails if VS Code is required."""
    if not list(INSTALLATION.glob("ready-*")):
        reason = "VS Code or chromium is missing; tests/e2e/setup .venv/bin/python says why"
        if os.environ.get("FIM_LSP_E2E") == "required":
            pytest.fail(reason)
        pytest.skip(reason)


def packaged() -> Path:
    """The whole extension, if there is a VS Code."""
    require_vscode()
    return built()


def packaged_client() -> Path:
    """The client alone, if there is a VS Code."""
    require_vscode()
    return built_client()
