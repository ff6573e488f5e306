"""When the client asks the server, and with which parameters."""

from __future__ import annotations

import pytest

from tests.e2e.forced import FORCED, LEFT, MODEL, RIGHT
from tests.e2e.record import until
from tests.e2e.workbench import HELD_KEY, MILLISECONDS, Editor, Workbench

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]


def test_an_offer_comes_by_itself_while_typing(scripted: Workbench) -> None:
    editor = scripted.open("unasked.py", "orders = []\n$0\n")
    editor.type("total =", delay=50)
    editor.type(" ")
    assert editor.wait_for_ghost() == "len(orders)"
    assert all(request["params"]["context"]["triggerKind"] == 2 for request in editor.requests())
    scripted.photograph("unasked")
    editor.accept("orders = []\ntotal = ", "len(orders)", "\n")


def type_slowly(editor: Editor) -> None:
    """Types more slowly than the client's debounce, so that each key might cause a request."""
    editor.type("a + b", delay=200)
    until(lambda: n_changes(editor) >= 5 or None, "the server to hear of every keystroke")


def n_changes(editor: Editor) -> int:
    return len(editor.workbench.record.sent("textDocument/didChange", editor.name))


def test_while_paused_nothing_is_asked(vscode: Workbench) -> None:
    editor = vscode.open("paused.py", "total = $0\n")
    type_slowly(editor)
    assert editor.requests() != []
    vscode.keys("Control+Alt+\\")
    try:
        vscode.wait_for_status("paused")
        n_asked = len(editor.requests())
        type_slowly(editor)
        editor.ask()
        vscode.photograph("paused")
    finally:
        vscode.keys("Control+Alt+\\")
    until(lambda: "paused" not in vscode.status(), "the pause to end")
    # A request from here on comes behind everything that was sent while paused.
    editor.type(" +")
    until(lambda: len(editor.requests()) > n_asked or None, "a request after the pause")
    assert editor.requests()[n_asked]["params"]["position"]["character"] >= len("total = a + ba + b")


def test_completions_are_paused_for_a_while(vscode: Workbench) -> None:
    vscode.open("snooze.py", "x = 1\n$0")
    vscode.run_command("fim-lsp: Pause completions for a while")
    vscode.entry("For 15 minutes").click()
    assert "until" in vscode.wait_for_status("paused")
    vscode.keys("Control+Alt+\\")
    until(lambda: "paused" not in vscode.status(), "the pause to end")


def test_in_manual_mode_typing_asks_nothing_and_a_key_does(configured: Workbench) -> None:
    before, after = LEFT, RIGHT
    configured.configure(manualOnly=True)
    editor = configured.open("manual.py", f"{before}$0{after}")
    type_slowly(editor)
    for _ in "a + b":
        configured.keys("Backspace")
    assert editor.requests() == []
    editor.ask()
    assert editor.wait_for_ghost().startswith("for ")
    assert len(editor.requests()) == 1


def test_fast_typing_asks_once_it_stops(configured: Workbench) -> None:
    configured.configure(debounce=1000)
    editor = configured.open("fast.py", "name = $0\n")
    editor.type("something_long +", delay=10)
    until(lambda: editor.requests() or None, "a request after the last keystroke")
    [request] = editor.requests()
    assert request["params"]["position"] == {"line": 0, "character": len("name = something_long +")}


def test_a_request_says_how_the_editor_indents(vscode: Workbench) -> None:
    editor = vscode.open("indents.py", "def f(x):\n  if x:\n    return 1\n  else:\n    $0\n")
    editor.ask()
    until(lambda: editor.requests() or None, "a request")
    assert editor.requests()[0]["params"]["formattingOptions"] == {"tabSize": 2, "insertSpaces": True}


def test_a_setting_of_the_language_reaches_the_server(configured: Workbench) -> None:
    configured.configure(maxTokens=11, language={"maxTokens": 13})
    configured.open("language.py", "x = 1\n$0")

    def told() -> set[int]:
        answers = [message.content.get("result") for message in configured.record.messages()]
        settings = [answer[0] for answer in answers if isinstance(answer, list) and answer]
        return {entry["maxTokens"] for entry in settings if "maxTokens" in entry}

    until(lambda: 13 in told(), "the server to be told of the setting")
    assert 11 not in told()


def test_an_offer_is_shown_while_a_key_is_held(scripted: Workbench) -> None:
    """The key is pressed once here; without a repetition it counts as released."""
    editor = scripted.open("held.py", f"{LEFT}$0{RIGHT}")
    scripted.run_command("fim-lsp: Show an offer while this key is held")
    assert editor.wait_for_ghost() == FORCED
    until(lambda: editor.ghost() == "" or None, "the offer to go")


def test_a_key_that_is_held_keeps_the_offer_where_offers_come_by_no_other_way(scripted: Workbench) -> None:
    scripted.configure(model=MODEL, manualOnly=True)
    editor = scripted.open("held_long.py", f"{LEFT}$0{RIGHT}")
    editor.type("x")
    editor.workbench.keys("Backspace")
    assert editor.requests() == []
    try:
        scripted.page.keyboard.down(HELD_KEY)
        assert editor.wait_for_ghost() == FORCED
        for _ in range(40):
            # A keyboard repeats the key, and the offer is visible each time.
            scripted.page.keyboard.down(HELD_KEY)
            assert editor.ghost() == FORCED
    finally:
        scripted.page.keyboard.up(HELD_KEY)
    until(lambda: editor.ghost() == "" or None, "the offer to go")
    assert editor.saved() == LEFT + RIGHT


@pytest.mark.parametrize("where", ["in the folder", "for python files"])
def test_completions_are_turned_off_for_a_folder_and_for_a_language(
    configured: Workbench, where: str
) -> None:
    vscode = configured
    vscode.open(f"off_{len(where)}.py", "total = $0\n")
    for entry, words in (
        (f"Turn off {where}", "Disabled"),
        (f"Turn on {where}", "The server is running"),
    ):
        vscode.run_command("fim-lsp: Turn completions on or off")
        vscode.entry(entry).click(timeout=MILLISECONDS)
        vscode.wait_for_status(words)
    vscode.wait_for_model()
