"""The first run in a real VS Code with nothing but the packaged file."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from tests.e2e.first_run import first_run
from tests.e2e.packaged import packaged
from tests.e2e.starting_vscode import workbench

pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def vsix() -> Path:
    return packaged()


def test_the_extension_installs_its_server_by_itself_and_completes(vsix: Path, tmp_path: Path) -> None:
    """The installation starts from the packaged file alone. If it is cancelled, nothing is left, and it can
    be started again."""
    run = first_run(vsix, tmp_path / "run", is_cancelled_first=True)
    ast.parse(run.saved)
    [stamp] = tmp_path.rglob("fim-lsp-wheels.txt")
    assert "fim_lsp-" in stamp.read_text()
    assert list(stamp.parent.glob("lib/python3.*/site-packages/fim_lsp"))


def test_without_a_python_it_says_what_to_do(
    vsix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    for program in ("sh", "bash", "env", "node"):
        found = shutil.which(program)
        if found is not None:
            (tmp_path / "bin" / program).symlink_to(found)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with workbench(tmp_path / "run", vsix, machine={}) as vscode:
        vscode.wait_for_status("The server is not installed")
        vscode.page.get_by_text("was found on this machine").first.wait_for()
        vscode.photograph("no-python")
        vscode.menu_entry("Install the server")
