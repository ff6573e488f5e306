"""Words and lines of an offer: accepted one by one, and closed where they are left."""

from __future__ import annotations

import ast

import pytest

from tests.e2e.forced import LEFT, RIGHT, TRY
from tests.e2e.record import until
from tests.e2e.workbench import Workbench

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = pytest.mark.timeout(900)


def test_words_are_accepted_one_by_one(vscode: Workbench) -> None:
    before, after = LEFT, RIGHT
    editor = vscode.open("words.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    assert offered.startswith("for ")
    vscode.keys("Control+ArrowRight")
    editor.wait_for_ghost(offered.removeprefix("for"))
    vscode.photograph("word")
    editor.accept(f"{before}for", offered.removeprefix("for"), after)


def test_lines_are_accepted_one_by_one(vscode: Workbench) -> None:
    before, after = TRY
    editor = vscode.open("lines.py", f"{before}$0{after}")
    editor.ask()
    offered = left = editor.wait_for_ghost()
    n_steps = 0
    # Behind the last line another completion may be offered.
    while left != "" and offered.endswith(left):
        vscode.keys("Control+Alt+ArrowRight")
        left = editor.wait_for_other_ghost(left)
        n_steps += 1
    assert n_steps > 1
    assert editor.saved() == before + offered + after


def closings(vscode: Workbench) -> list[str | None]:
    """What the server has said closes an accepted part."""
    asked = {
        message.content["id"]
        for message in vscode.record.messages()
        if (message.content.get("params") or {}).get("command") == "fim-lsp.closing"
    }
    answers = [message.content for message in vscode.record.messages() if message.method is None]
    return [answer["result"]["text"] for answer in answers if answer.get("id") in asked]


@pytest.mark.parametrize("leave", ["Escape", "ArrowUp", "Control+s"])
def test_a_part_that_is_left_is_closed_and_undo_takes_that_back(vscode: Workbench, leave: str) -> None:
    before, after = LEFT, RIGHT
    editor = vscode.open(f"part-{leave.lower().replace('+', '-')}.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    n_closed = len(closings(vscode))
    vscode.keys("Control+ArrowRight")
    editor.wait_for_ghost(offered.removeprefix("for"))
    vscode.keys(leave)
    put_in = until(lambda: closings(vscode)[n_closed:] or None, "the server to say what closes it")[0]
    assert put_in
    until(lambda: editor.saved() == f"{before}for{put_in}{after}", f"{put_in!r} to be put in")
    ast.parse(editor.saved())
    vscode.photograph(f"part-{leave.lower().replace('+', '-')}")
    vscode.keys("Control+z")
    until(lambda: editor.saved() == f"{before}for{after}", f"{put_in!r} to be taken back")


def test_a_setting_leaves_parts_as_they_are(configured: Workbench) -> None:
    configured.configure(closePartialAccepts=False)
    before, after = LEFT, RIGHT
    editor = configured.open("open-part.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    configured.keys("Control+ArrowRight")
    editor.wait_for_ghost(offered.removeprefix("for"))
    n_closed = len(closings(configured))
    configured.keys("Escape")
    editor.wait_for_no_ghost()
    assert editor.saved() == f"{before}for{after}"
    assert len(closings(configured)) == n_closed
