"""The packaged extension of tests: the process that needs it first builds it, for all of a run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.e2e import packaged

# Stands for `make vsix`: each call writes a line more.
MAKE = "open('calls', 'a').write('x'); import shutil; shutil.copy('calls', 'dist/fim-lsp.vsix')"


def test_it_is_built_once_in_a_run_and_anew_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dist").mkdir()
    monkeypatch.setattr(packaged, "ROOT", tmp_path)
    monkeypatch.setattr(packaged, "INSTALLATION", tmp_path / "e2e")
    monkeypatch.setattr(packaged, "PACKAGE", tmp_path / "e2e" / "fim-lsp.vsix")
    monkeypatch.setattr(packaged, "RUN", tmp_path / "e2e" / "run")
    monkeypatch.setattr(packaged, "MAKE_VSIX", (sys.executable, "-c", MAKE))
    # As other processes would, which have nothing in memory.
    build = packaged.built.__wrapped__
    monkeypatch.setenv("PYTEST_XDIST_TESTRUNUID", "first")
    assert build().read_text() == "x"
    assert build().read_text() == "x"
    monkeypatch.setenv("PYTEST_XDIST_TESTRUNUID", "second")
    assert build().read_text() == "xx"
    monkeypatch.delenv("PYTEST_XDIST_TESTRUNUID")
    assert build().read_text() == "xxx"
    assert build().read_text() == "xxxx"
