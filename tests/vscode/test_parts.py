"""Words and lines of an offer: accepted one by one, and closed where the user stops."""

from __future__ import annotations

import ast

import pytest

from tests.e2e.forced import LEFT, RIGHT, TRY
from tests.e2e.record import on_disk, until
from tests.e2e.workbench import Editor, Workbench

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]


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
    # Behind the last line there may be another offer.
    while left != "" and offered.endswith(left):
        vscode.keys("Control+Alt+ArrowRight")
        left = editor.wait_for_other_ghost(left)
        n_steps += 1
    assert n_steps > 1
    assert editor.saved() == before + offered + after


def closings(vscode: Workbench) -> list[str | None]:
    """The texts by which the server closes an accepted part."""
    asked = {
        message.content["id"]
        for message in vscode.record.messages()
        if (message.content.get("params") or {}).get("command") == "fim-lsp.closing"
    }
    answers = [message.content for message in vscode.record.messages() if message.method is None]
    return [answer["result"]["text"] for answer in answers if answer.get("id") in asked]


def accept_a_word(editor: Editor) -> str:
    """Accepts the first word of the offer, which is `for`, and returns the whole offer."""
    editor.ask()
    offered = editor.wait_for_ghost()
    editor.workbench.keys("Control+ArrowRight")
    editor.wait_for_ghost(offered.removeprefix("for"))
    return offered


@pytest.mark.parametrize("leave", ["Escape", "ArrowUp", "Control+s"])
def test_a_part_that_is_left_is_closed_and_undo_takes_that_back(vscode: Workbench, leave: str) -> None:
    before, after = LEFT, RIGHT
    editor = vscode.open(f"part-{leave.lower().replace('+', '-')}.py", f"{before}$0{after}")
    accept_a_word(editor)
    n_closed = len(closings(vscode))
    vscode.keys(leave)
    put_in = until(lambda: closings(vscode)[n_closed:] or None, "the server to say what closes it")[0]
    assert put_in
    until(lambda: editor.saved() == f"{before}for{put_in}{after}", f"{put_in!r} to be put in")
    ast.parse(editor.saved())
    vscode.photograph(f"part-{leave.lower().replace('+', '-')}")
    vscode.keys("Control+z")
    until(lambda: editor.saved() == f"{before}for{after}", f"{put_in!r} to be taken back")


def test_a_part_is_closed_also_where_saving_cannot_wait_for_it(vscode: Workbench) -> None:
    """VS Code gives an extension a second and a half for edits before saving."""
    before, after = LEFT, RIGHT
    editor = vscode.open("part-late.py", f"{before}$0{after}")
    accept_a_word(editor)
    n_closed = len(closings(vscode))
    with vscode.record.holding("fim-lsp.closing"):
        vscode.keys("Control+s")
        until(lambda: on_disk(editor.path) == f"{before}for{after}", "the file to be saved as it is")
    put_in = until(lambda: closings(vscode)[n_closed:] or None, "the server to say what closes it")[0]
    until(lambda: on_disk(editor.path) == f"{before}for{put_in}{after}", f"{put_in!r} to be saved, too")


def test_a_part_is_closed_where_another_file_is_gone_to(vscode: Workbench) -> None:
    before, after = LEFT, RIGHT
    editor = vscode.open("part-other.py", f"{before}$0{after}")
    accept_a_word(editor)
    n_closed = len(closings(vscode))
    vscode.open("gone-to.py", "x = 1\n$0")
    put_in = until(lambda: closings(vscode)[n_closed:] or None, "the server to say what closes it")[0]
    vscode.keys("Control+1")
    vscode.run_command("File: Save All Files")
    until(lambda: on_disk(editor.path) == f"{before}for{put_in}{after}", f"{put_in!r} to be put in")


def test_saving_by_the_clock_leaves_a_part_open_to_go_on_with(configured: Workbench) -> None:
    before, after = LEFT, RIGHT
    configured.configure({"files.autoSave": "afterDelay", "files.autoSaveDelay": 50})
    editor = configured.open("part-auto.py", f"{before}$0{after}")
    offered = accept_a_word(editor)
    n_closed = len(closings(configured))
    until(lambda: on_disk(editor.path) == f"{before}for{after}", "the file to be saved by itself")
    editor.wait_for_ghost(offered.removeprefix("for"))
    assert len(closings(configured)) == n_closed


def test_a_setting_leaves_parts_as_they_are(configured: Workbench) -> None:
    configured.configure(closePartialAccepts=False)
    before, after = LEFT, RIGHT
    editor = configured.open("open-part.py", f"{before}$0{after}")
    accept_a_word(editor)
    n_closed = len(closings(configured))
    configured.keys("Escape")
    editor.wait_for_no_ghost()
    assert editor.saved() == f"{before}for{after}"
    assert len(closings(configured)) == n_closed
