"""Takes the pictures that the READMEs show, in a real VS Code with the bundled model.

    python -m tests.e2e.pictures

`make vsix` and tests/e2e/setup have to have run. What the pictures show is what the model offers now.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.e2e.workbench import ROOT, Workbench, workbench

STOCK = '''"""Prices and stock of a small shop."""


def load_prices(path):
    prices = {}
    for line in open(path):
        name, price = line.split(",")
        prices[name] = float(price)
    return prices


def total(prices, basket):
    amount = 0
    for name in basket:$0
    return amount


print(total({"tea": 2.5}, ["tea", "tea"]))
'''


def take(vscode: Workbench, path: Path) -> None:
    editor = vscode.open("shop.py", STOCK)
    vscode.keys("Control+b")
    vscode.keys("Enter")
    print(repr(editor.wait_for_ghost()))
    path.parent.mkdir(parents=True, exist_ok=True)
    vscode.page.screenshot(path=path)


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        workbench(Path(folder), ROOT / "dist" / "fim-lsp.vsix", timeBudget=20000) as vscode,
    ):
        vscode.page.set_viewport_size({"width": 820, "height": 560})
        vscode.wait_for_status("check")
        for picture in ("docs/images/vscode.png", "vscode-client/images/completion.png"):
            take(vscode, ROOT / picture)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
