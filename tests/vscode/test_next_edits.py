"""Next edits in a real VS Code: drawn in place, reached, accepted, dismissed, undone; keys with other
uses."""

from __future__ import annotations

import pytest

from tests.e2e.record import until
from tests.e2e.workbench import Editor, Workbench

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]

HEAD = "def area($0width, height):\n    return width * height\n"
FAR = "\n".join(f"x{number} = {number}" for number in range(60))
CALL = "print(area(width=3, height=4))\n"
METHOD = "textDocument/copilotInlineEdit"

DRAWN = """
(editor) => {
    // What decorations put beside a text is content of pseudo elements.
    const beside = [...editor.querySelectorAll(".view-line span")]
        .map((piece) => getComputedStyle(piece, "::after").content)
        .filter((content) => content !== "none" && content !== "normal" && content !== "");
    const struck = [...editor.querySelectorAll(".view-line span")]
        .filter((piece) => getComputedStyle(piece).textDecorationLine.includes("line-through"))
        .map((piece) => piece.textContent);
    return { beside: beside.map((content) => content.slice(1, -1)), struck: struck };
}
"""


@pytest.fixture(autouse=True)
def alone(opened: Workbench) -> None:
    """Closes all other documents, because edits are searched in all of them."""
    opened.keys("Escape")
    opened.close_editors()


def drawn(editor: Editor) -> tuple[list[str], list[str]]:
    """The struck texts, and the new texts beside them."""
    found = editor.element.evaluate(DRAWN)
    return sorted(set(found["struck"])), [text.replace("\u00a0", " ") for text in found["beside"]]


def wait_for_drawn(editor: Editor, struck: list[str], beside: list[str]) -> None:
    until(lambda: drawn(editor) == (struck, beside), lambda: f"{struck}, {beside}, not {drawn(editor)}")


def renamed(vscode: Workbench, name: str, rest: str = "") -> Editor:
    """A file in which a user has just replaced the parameter `width` by `breadth`."""
    editor = vscode.open(name, HEAD + rest)
    for _ in range(len("width")):
        vscode.keys("Delete")
    editor.type("breadth")
    return editor


def test_an_edit_is_drawn_in_place_gone_to_and_taken_and_undo_takes_it_back(vscode: Workbench) -> None:
    editor = renamed(vscode, "next.py", f"\n\n{CALL}")
    before = editor.saved()
    wait_for_drawn(editor, ["width"], ["breadth"])
    vscode.photograph("next-edit")
    vscode.keys("Tab", "Tab")
    taken = before.replace("return width", "return breadth")
    until(lambda: editor.saved() == taken, "the first edit to be taken")
    # The next edit is there at once.
    wait_for_drawn(editor, ["width"], ["breadth"])
    vscode.keys("Tab", "Tab")
    until(lambda: editor.saved() == taken.replace("width", "breadth"), "the second one to be taken")
    wait_for_drawn(editor, [], [])
    vscode.keys("Control+z")
    until(lambda: editor.saved() == taken, "undo to take back one")
    wait_for_drawn(editor, [], [])


def test_lines_that_change_together_are_one_edit_drawn_word_by_word(vscode: Workbench) -> None:
    editor = renamed(vscode, "lines.py", CALL)
    before = editor.saved()
    wait_for_drawn(editor, ["width"], ["breadth", "breadth"])
    vscode.photograph("next-edit-lines")
    vscode.keys("Tab", "Tab")
    until(lambda: editor.saved() == before.replace("width", "breadth"), "both lines to be changed")


def test_an_edit_off_the_screen_has_a_hint(vscode: Workbench) -> None:
    head = HEAD.replace("return width", "return breadth")
    editor = vscode.open("far.py", f"{head}\n{FAR}\n{CALL}")
    for _ in range(len("width")):
        vscode.keys("Delete")
    editor.type("breadth")
    wait_for_drawn(editor, [], [f"↓ next edit in line {4 + 60}: Tab"])
    vscode.photograph("next-edit-far")
    vscode.keys("Tab")
    wait_for_drawn(editor, ["width"], ["breadth"])
    vscode.photograph("next-edit-there")
    vscode.keys("Tab")
    until(lambda: "area(breadth=3" in editor.saved(), "it to be taken")


def wait_for_questions(vscode: Workbench, number: int) -> None:
    until(lambda: len(vscode.record.sent(METHOD, "away.py")) >= number, "the next question")


def test_escape_sends_it_away_and_twice_for_good(vscode: Workbench) -> None:
    editor = renamed(vscode, "away.py")
    for number in range(2):
        wait_for_drawn(editor, ["width"], ["breadth"])
        vscode.keys("Escape")
        wait_for_drawn(editor, [], [])
        n_asked = len(vscode.record.sent(METHOD, "away.py"))
        editor.type("e" if number else "d")
        vscode.keys("Backspace")
        wait_for_questions(vscode, n_asked + 1)
    wait_for_drawn(editor, [], [])
    assert editor.saved() == HEAD.replace("$0width", "breadth")


def test_tab_indents_in_front_of_a_line_and_without_an_edit(vscode: Workbench) -> None:
    editor = renamed(vscode, "indent.py", "\n\nx = 1\n")
    wait_for_drawn(editor, ["width"], ["breadth"])
    editor.go_to(5, 1)
    vscode.keys("Tab")
    until(lambda: editor.saved().endswith("    x = 1\n"), "Tab to indent")


def test_with_a_screen_reader_tab_takes_nothing_that_was_not_announced(configured: Workbench) -> None:
    configured.configure(others={"editor.accessibilitySupport": "on"})
    editor = renamed(configured, "reader.py", "\n\nx = 1\n")
    wait_for_drawn(editor, ["width"], ["breadth"])
    before = editor.saved()
    configured.keys("Tab")
    until(lambda: editor.saved() != before, "Tab to write blanks")
    assert editor.saved().replace(" ", "") == before.replace(" ", "")


def test_a_setting_turns_them_off(configured: Workbench) -> None:
    configured.configure(nextEdits=False)
    editor = renamed(configured, "none.py")
    editor.saved()
    editor.ask()
    until(lambda: editor.requests() or None, "a completion to be asked for")
    assert configured.record.sent(METHOD, "none.py") == []
    assert drawn(editor) == ([], [])


def test_an_edit_of_another_document_is_gone_to_and_taken(vscode: Workbench) -> None:
    till = vscode.open("till.py", "$0from prices import net\n\nprint(net(2))\n")
    before = till.saved()
    prices = vscode.open("prices.py", "def $0net(gross):\n    return gross\n")
    for _ in range(len("net")):
        vscode.keys("Delete")
    prices.type("net_of")
    wait_for_drawn(prices, [], ["→ next edit in till.py, line 1: Tab"])
    vscode.photograph("next-edit-elsewhere")
    vscode.keys("Tab")
    wait_for_drawn(till, ["net"], ["net_of", "net_of"])
    assert till.saved() == before
    vscode.keys("Tab")
    until(lambda: till.saved() == before.replace("net", "net_of"), "all of it to be taken")
    vscode.keys("Control+z")
    until(lambda: till.saved() == before, "undo to take all back")
