"""Offers by place, and the accepted text."""

from __future__ import annotations

import ast
import re

import pytest

from tests.e2e.forced import LEFT, RIGHT, TRY
from tests.e2e.notebook import open_notebook
from tests.e2e.record import until
from tests.e2e.workbench import MILLISECONDS, Workbench

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]


def test_an_empty_function_body_is_filled(vscode: Workbench) -> None:
    editor = vscode.open("body.py", "def area(width, height):$0\n\n\nprint(area(2, 3))\n")
    vscode.keys("Enter")
    editor.ask()
    offered = editor.wait_for_ghost()
    vscode.photograph("function-body")
    editor.accept("def area(width, height):\n    ", offered, "\n\n\nprint(area(2, 3))\n")


def test_inside_brackets_in_the_middle_of_a_line(vscode: Workbench) -> None:
    editor = vscode.open("brackets.py", "first = 3\nprint(max(first $0), min(first, 4))\n")
    editor.type("+ ")
    editor.ask()
    offered = editor.wait_for_ghost()
    vscode.photograph("brackets")
    editor.accept("first = 3\nprint(max(first + ", offered, "), min(first, 4))\n")


def test_tab_accepts_on_a_line_that_is_indented_and_empty(vscode: Workbench) -> None:
    """If grey text begins with white space, VS Code's Tab indents instead."""
    before = "def load(path):\n    try:\n        return open(path)\n    "
    after = "\n\n\nload('x')\n"
    editor = vscode.open("empty-line.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    assert not offered[0].isspace()
    vscode.photograph("empty-line")
    editor.accept(before, offered, after)


def test_several_lines_in_a_block(vscode: Workbench) -> None:
    before, after = TRY
    editor = vscode.open("block.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    assert "\n" in offered
    vscode.photograph("block")
    editor.accept(before, offered, after)


def test_what_is_typed_through_the_grey_text_leaves_the_rest(vscode: Workbench) -> None:
    before, after = LEFT, RIGHT
    editor = vscode.open("through.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    for typed in range(1, 4):
        editor.type(offered[typed - 1])
        editor.wait_for_ghost(offered[typed:])
    editor.accept(before + offered[:3], offered[3:], after)


def test_escape_hides_it_and_changes_nothing(vscode: Workbench) -> None:
    before, after = LEFT, RIGHT
    editor = vscode.open("escape.py", f"{before}$0{after}")
    editor.ask()
    editor.wait_for_ghost()
    vscode.keys("Escape")
    editor.wait_for_no_ghost()
    assert editor.saved() == before + after


def test_a_user_who_asks_has_alternatives(scripted: Workbench) -> None:
    editor = scripted.open("alternatives.py", "first = second = third = 1\nchosen = $0\n")
    editor.ask()
    assert editor.wait_for_ghost() == "first"
    for key, shown in (("Alt+]", "second"), ("Alt+]", "third"), ("Alt+[", "second")):
        scripted.keys(key)
        editor.wait_for_ghost(shown)
    scripted.photograph("alternatives")
    editor.accept("first = second = third = 1\nchosen = ", "second", "\n")


def answered(vscode: Workbench, name: str) -> list[str]:
    """The offers in a file, once they were requested."""
    found = until(
        lambda: (offers,) if (offers := vscode.record.offered(name)) is not None else None, "an answer"
    )
    return found[0]


def test_an_import_comes_with_an_offer_and_undo_takes_both_back(request: pytest.FixtureRequest) -> None:
    vscode: Workbench = request.getfixturevalue("configured")
    (vscode.folder / "paths.py").write_text("from pathlib import Path\n")
    # With another model the workspace is read again.
    request.getfixturevalue("scripted")
    before, after = "import os\n\n\ndef f(name):\n    here = ", "\n    return here\n"
    # Before the workspace is known, nothing is offered, and the cache keeps that answer for the place.
    for name in (f"imports{number}.py" for number in range(20)):
        editor = vscode.open(name, f"{before}$0{after}")
        editor.ask()
        if answered(vscode, name):
            break
    editor.wait_for_ghost("Path(name)")
    vscode.keys("Tab")
    # If the file is saved between the two edits, there are two steps to undo.
    imported = re.compile(r"from\s+pathlib\s+import\s+Path")
    editor.element.locator(".view-lines", has_text=imported).wait_for(timeout=MILLISECONDS)
    wanted = f"import os\nfrom pathlib import Path\n{before[10:]}Path(name){after}"
    until(lambda: editor.saved() == wanted or None, "the import to be put in")
    vscode.photograph("import")
    vscode.keys("Control+z")
    until(lambda: editor.saved() == before + after or None, "undo to take both back")


def test_a_cell_of_a_notebook_is_completed_below_the_others(vscode: Workbench) -> None:
    cells = ("import csv\n%matplotlib inline", "rows = [1, 2, 3]\nfiles = !ls", "print(max(row")
    notebook = open_notebook(vscode, "study.ipynb", *cells)
    notebook.type_at_the_end(2, "s")
    vscode.keys("Alt+\\")
    offered = notebook.wait_for_ghost(2)
    vscode.photograph("notebook")
    vscode.keys("Tab")
    until(lambda: notebook.saved() == [*cells[:2], "print(max(rows" + offered], f"{offered!r} to be accepted")
    ast.parse("print(max(rows" + offered)
