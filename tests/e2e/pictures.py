"""Takes the pictures that the READMEs show, in a real VS Code with the bundled model.

    python -m tests.e2e.pictures

`make vsix` and tests/e2e/setup have to have run. What the pictures show is what the model offers now.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.e2e.workbench import ROOT, Workbench, workbench

REMOVAL = """import os


def remove(path):
    try:
        os.remove(path)
    $0


remove("old.txt")
"""

READING = """import json
import os


def read_settings(path):
    with open(path) as file:
        $0


def write_settings(path, settings):
    with open(path, "w") as file:
        json.dump(settings, file)
"""

PICTURES = {"docs/images/vscode.png": REMOVAL, "vscode-client/images/completion.png": READING}


def take(vscode: Workbench, path: Path, text: str) -> None:
    editor = vscode.open(f"{path.stem}.py", text)
    editor.ask()
    print(f"{path.name}: {editor.wait_for_ghost()!r}")
    path.parent.mkdir(parents=True, exist_ok=True)
    vscode.page.screenshot(path=path)


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        workbench(Path(folder), ROOT / "dist" / "fim-lsp.vsix", timeBudget=20000) as vscode,
    ):
        vscode.page.set_viewport_size({"width": 820, "height": 420})
        vscode.wait_for_model()
        vscode.keys("Control+b")
        for name, text in PICTURES.items():
            take(vscode, ROOT / name, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
