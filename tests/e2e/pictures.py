"""Takes the picture that the READMEs show, in a real VS Code with the bundled model.

    python -m tests.e2e.pictures

`make vsix` and tests/e2e/setup have to have run. What the picture shows is what the model offers now.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.e2e.workbench import ROOT, workbench

HOLE = """def load(path):
    try:
        return open($0


load("settings.json")
"""

# The same picture twice, because the VSIX holds nothing from outside its folder.
PLACES = ("docs/images/vscode.png", "vscode-client/images/completion.png")


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        workbench(Path(folder), ROOT / "dist" / "fim-lsp.vsix", timeBudget=20000) as vscode,
    ):
        vscode.page.set_viewport_size({"width": 820, "height": 360})
        vscode.wait_for_model()
        vscode.keys("Control+b")
        editor = vscode.open("settings.py", HOLE)
        editor.ask()
        print(repr(editor.wait_for_ghost()))
        for place in PLACES:
            vscode.page.screenshot(path=ROOT / place)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
