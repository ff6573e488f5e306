"""Takes the pictures of the READMEs and docs, in a real VS Code with the bundled model.

    python -m tests.e2e.pictures

`make vsix` and tests/e2e/setup have to run first. The pictures show the model's current offers.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.e2e.code_server import ROOT
from tests.e2e.notebook import open_notebook
from tests.e2e.starting_vscode import workbench
from tests.e2e.workbench import MILLISECONDS, Workbench

HOLE = """def total(prices):
    result = 0
    for price in $0:
        result += price
    return result


print(total([3, 4, 5]))
"""
RENAMED = """def area($0width, height):
    return width * height


print(area(width=3, height=4))
print(area(width=5, height=6))
"""
CELLS = (
    "import csv\n%matplotlib inline",
    "def total(prices):\n    result = 0\n    for price in :\n        result += price\n    return result",
)

PLACE = "docs/images/vscode.png"
WIDTH, HEIGHT = 820, 360
PAGES_WIDTH, PAGES_HEIGHT = 1300, 720


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        workbench(Path(folder), ROOT / "dist" / "fim-lsp.vsix", timeBudget=20000) as vscode,
    ):
        vscode.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        vscode.wait_for_model()
        vscode.keys("Control+b")
        editor = vscode.open("show.py", HOLE)
        editor.ask()
        print(repr(editor.wait_for_ghost()))
        vscode.page.screenshot(path=ROOT / PLACE)
        next_edit(vscode)
        models(vscode)
        pages(vscode)
        notebook(vscode)
    return 0


def next_edit(vscode: Workbench) -> None:
    """The picture of a renamed parameter, and of the edits that follow in the next lines."""
    editor = vscode.open("area.py", RENAMED)
    for _ in range(len("width")):
        vscode.keys("Delete")
    editor.type("breadth")
    vscode.page.wait_for_function(
        """() => [...document.querySelectorAll(".view-line span")].some(
            (piece) => getComputedStyle(piece).textDecorationLine.includes("line-through"),
        )""",
        timeout=MILLISECONDS,
    )
    vscode.page.screenshot(path=ROOT / "docs" / "images" / "next-edit.png")
    vscode.keys("Escape")


def models(vscode: Workbench) -> None:
    vscode.run_command("fim-lsp: Choose a model")
    vscode.entry("ONNX Runtime").wait_for(timeout=MILLISECONDS)
    vscode.page.screenshot(path=ROOT / "docs" / "images" / "models.png")
    vscode.keys("Escape")


def pages(vscode: Workbench) -> None:
    """The pages "why this offer" and "what was accepted", beside a file."""
    vscode.configure(statistics=True)
    vscode.page.set_viewport_size({"width": PAGES_WIDTH, "height": PAGES_HEIGHT})
    left, right = "def total(prices):\n    return sum(price for ", ")\n"
    editor = vscode.open("total.py", f"{left}$0{right}")
    editor.ask()
    offered = editor.wait_for_ghost()
    vscode.run_command("fim-lsp: Explain what is offered")
    told = vscode.page.locator(".notification-toast", has_text="The model want")
    told.get_by_role("button", name="More", exact=True).click()
    vscode.wait_for_page("What the model writes alone")
    vscode.page.screenshot(path=ROOT / "docs" / "images" / "why.png")
    vscode.keys("Control+1")
    editor.ask()
    editor.wait_for_ghost(offered)
    editor.accept(left, offered, right)
    vscode.run_command("fim-lsp: Show statistics")
    vscode.wait_for_page("Characters saved, by day")
    vscode.page.screenshot(path=ROOT / "docs" / "images" / "statistics.png")
    vscode.run_command("View: Close All Editors")


def notebook(vscode: Workbench) -> None:
    opened = open_notebook(vscode, "study.ipynb", *CELLS)
    vscode.page.set_viewport_size({"width": WIDTH, "height": HEIGHT + 60})
    opened.cell(1).locator(".view-lines").first.click()
    vscode.keys("Control+Home", "ArrowDown", "ArrowDown", "End", "ArrowLeft")
    vscode.keys("Alt+\\")
    print(repr(opened.wait_for_ghost(1)))
    vscode.page.screenshot(path=ROOT / "docs" / "images" / "notebook.png")


if __name__ == "__main__":
    raise SystemExit(main())
