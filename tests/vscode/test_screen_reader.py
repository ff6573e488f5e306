"""Texts for a screen reader in a real VS Code: labels, and those in the live region."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.forced import FORCED, LEFT, MODEL, RIGHT
from tests.e2e.record import until
from tests.e2e.workbench import Editor, Workbench

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]

HEAD = "def area($0width, height):\n    return width * height\n"
# The key of VS Code's accessible view, on Linux.
ACCESSIBLE_VIEW = "Shift+Alt+F2"


@pytest.fixture
def heard(scripted: Workbench) -> Iterator[Workbench]:
    """A workbench in screen reader mode, without an open document."""
    scripted.configure(others={"editor.accessibilitySupport": "on"}, model=MODEL)
    scripted.close_editors()
    yield scripted
    scripted.keys("Escape")


def wait_for_said(vscode: Workbench, words: str) -> str:
    """The text in the live region, once it contains these words."""
    region = vscode.page.locator(".monaco-aria-container")
    return until(
        lambda: said if words in (said := region.text_content() or "") else None,
        lambda: f"{words!r} to be said, not {region.text_content()!r}",
    )


def test_the_status_and_its_menu_are_words_and_no_icons(heard: Workbench) -> None:
    heard.open("status.py", "x = 1\n$0")
    assert heard.status().startswith("fim-lsp: ")
    heard.menu_entry("Pause completions")
    rows = heard.page.locator(".quick-input-list .monaco-list-row").all()
    labels = [row.get_attribute("aria-label") for row in rows]
    assert labels[:3] == ["Complete here", "Why this, or why nothing?", "Pause completions"]


def test_an_offer_is_said_and_that_there_is_none_is_said_with_the_reason(heard: Workbench) -> None:
    editor = heard.open("said.py", f"{LEFT}$0{RIGHT}")
    editor.ask()
    # The earlier announcement stays for a moment, with its own hint.
    assert "accessible view" in wait_for_said(heard, FORCED)
    silent = heard.open("silent.py", "x = 1\ny = $0\n")
    silent.ask()
    wait_for_said(heard, "Info: The model has nothing to add here.")
    heard.keys("Control+Alt+\\")
    try:
        heard.wait_for_status("paused")
        silent.ask()
        wait_for_said(heard, "Info: Completions are paused in this window.")
    finally:
        heard.keys("Control+Alt+\\")


def renamed(vscode: Workbench, name: str) -> Editor:
    """A file in which a user has just replaced the parameter `width` by `breadth`."""
    editor = vscode.open(name, HEAD)
    for _ in range(len("width")):
        vscode.keys("Delete")
    editor.type("breadth")
    until(lambda: editor.element.evaluate(IS_STRUCK), "the edit to be drawn")
    return editor


IS_STRUCK = """(editor) => [...editor.querySelectorAll(".view-line span")].some(
    (piece) => getComputedStyle(piece).textDecorationLine.includes("line-through"),
)"""
SAID = "Next edit, line 2: becomes “return breadth * height”. Why:"


def test_a_next_edit_is_said_with_the_key_of_the_accessible_view_and_made_from_there(
    heard: Workbench,
) -> None:
    editor = renamed(heard, "said_edit.py")
    heard.keys(ACCESSIBLE_VIEW)
    wait_for_said(heard, SAID)
    heard.photograph("said-edit")
    heard.page.locator(".notification-toast").get_by_role("button", name="Make it", exact=True).click()
    wanted = HEAD.replace("$0", "").replace("width", "breadth")
    until(lambda: editor.saved() == wanted, "the edit to be made")
    heard.keys("Control+z")
    until(lambda: editor.saved() != wanted, "undo to take it back, in the editor")


def test_escape_sends_nothing_away_that_was_not_said(heard: Workbench) -> None:
    renamed(heard, "escape.py")
    heard.keys("Escape")
    heard.run_command("fim-lsp: Describe the next edit in words")
    wait_for_said(heard, SAID)
    toast = heard.page.locator(".notification-toast")
    toast.get_by_role("button", name="Dismiss it", exact=True).click()
    until(
        lambda: any(
            message.content.get("params", {}).get("command") == "fim-lsp.didRefuseEdit"
            for message in heard.record.messages()
            if message.method == "workspace/executeCommand"
        ),
        "the server to be told",
    )
