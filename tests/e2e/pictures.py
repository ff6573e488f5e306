"""Takes the pictures that the READMEs show, in a real VS Code with the bundled model.

    python -m tests.e2e.pictures

`make vsix` and tests/e2e/setup have to have run. What the pictures show is what the model offers now.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.e2e.workbench import ROOT, Workbench, workbench

SHOP = '''"""Prices and stock of a small shop."""


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

LOADING = """import json


def load_settings(path):
    try:
        with open(path) as file:
            return json.load(file)$0


def save_settings(path, settings):
    with open(path, "w") as file:
        json.dump(settings, file)
"""

PICTURES = {"docs/images/vscode.png": SHOP, "vscode-client/images/completion.png": LOADING}


def take(vscode: Workbench, path: Path, text: str) -> None:
    editor = vscode.open(f"{path.stem}.py", text)
    vscode.keys("Enter")
    print(f"{path.name}: {editor.wait_for_ghost()!r}")
    path.parent.mkdir(parents=True, exist_ok=True)
    vscode.page.screenshot(path=path)


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        workbench(Path(folder), ROOT / "dist" / "fim-lsp.vsix", timeBudget=20000) as vscode,
    ):
        vscode.page.set_viewport_size({"width": 820, "height": 560})
        vscode.wait_for_model()
        vscode.keys("Control+b")
        for name, text in PICTURES.items():
            take(vscode, ROOT / name, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
