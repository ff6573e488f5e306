"""The packaged extension: the tools that build it. In a test run, one process builds it for all."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.e2e.packaged import built_in_a_run

ROOT = Path(__file__).parents[2]


def test_it_is_built_once_in_a_run_and_anew_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def build(package: Path) -> None:
        calls.append("x")
        package.write_text("".join(calls))

    def packaged() -> str:
        return built_in_a_run(tmp_path / "e2e" / "fim-lsp.vsix", build).read_text()

    monkeypatch.setenv("PYTEST_XDIST_TESTRUNUID", "first")
    assert packaged() == "x"
    assert packaged() == "x"
    monkeypatch.setenv("PYTEST_XDIST_TESTRUNUID", "second")
    assert packaged() == "xx"
    monkeypatch.delenv("PYTEST_XDIST_TESTRUNUID")
    assert packaged() == "xxx"
    assert packaged() == "xxxx"


def test_a_package_for_users_has_wheels_for_every_python_that_is_supported() -> None:
    [pythons] = re.findall(r"^PYTHONS := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert pythons.split() == [f"3.{minor}" for minor in range(10, 15)]


def test_what_builds_it_needs_no_pytorch() -> None:
    """On a bare clone, neither the target nor its dependencies install the tools of tests."""
    asked = ["make", "--dry-run", "--always-make", "vsix"]
    plan = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert "--group dev" not in plan
    assert "maturin build" in plan
