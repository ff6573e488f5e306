"""A workspace of several folders in a real VS Code: the memory of one folder makes no offers in another one,
unless one of them imports the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.packaged import packaged_client
from tests.e2e.record import until
from tests.e2e.starting_vscode import workbench
from tests.e2e.workbench import ATTEMPT_MILLISECONDS, Editor, Workbench

pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]

FOLDERS = ("one", "strange", "kin")
FILES = {
    "one/registry/__init__.py": "",
    "one/registry/first.py": "def close(table):\n    table.freeze_everything(1)\n" * 3,
    "strange/own.py": "import os\n",
    "kin/own.py": "import registry\n",
}
TYPED = "def finish(table):\n    table.fre"
REMEMBERED = "eze_everything(1)"


def test_a_folder_s_lines_are_offered_in_another_only_where_it_imports_it(tmp_path: Path) -> None:
    files = tmp_path / "run" / "workspace"
    for name, text in FILES.items():
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_text(text, encoding="utf-8")
    with workbench(tmp_path / "run", packaged_client(), folders=FOLDERS, timeBudget=20000) as vscode:
        vscode.wait_for_model()
        vscode.close_editors()
        for folder in ("one", "kin"):
            editor = opened(vscode, folder)
            # The server may still be reading the folders.
            vscode.attempt(lambda editor=editor: ask_for(editor, REMEMBERED))  # type: ignore[misc]
            vscode.photograph(f"folders-{folder}")
        strange = opened(vscode, "strange")
        strange.ask()
        texts = until(lambda: vscode.record.offered(strange.name), "an answer")
        assert not any("verything" in text for text in texts)
        vscode.photograph("folders-strange")


def opened(vscode: Workbench, folder: str) -> Editor:
    """A new file of a folder. No other file is open, because its lines would be known as well."""
    vscode.keys("Escape")
    vscode.close_editors()
    return vscode.open(f"{folder}/new_{folder}.py", f"{TYPED}$0\n")


def ask_for(editor: Editor, wanted: str) -> None:
    editor.ask()
    until(lambda: editor.ghost() == wanted, f"the grey text {wanted!r}", ATTEMPT_MILLISECONDS / 1000)
