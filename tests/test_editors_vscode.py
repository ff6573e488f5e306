"""Completions in a real VS Code: the extension from the VSIX, the server with its model, keys and pixels.

`make e2e` runs these and fails where VS Code or a browser cannot be had; `make test` skips them there. The
holes must be filled for the file to parse, so that something is offered whatever the model prefers.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests import fake_hub, served_models
from tests.e2e.forced import LEFT, MODEL, PROGRAM, RIGHT
from tests.e2e.notebook import open_notebook
from tests.e2e.packaged import packaged
from tests.e2e.record import until
from tests.e2e.workbench import ATTEMPT_MILLISECONDS, MILLISECONDS, Editor, Workbench, workbench
from tests.fake_hub import Hub
from tests.models import tiny_model
from tests.served_models import ServedModel

REQUEST = "textDocument/inlineCompletion"
# The first test also waits for VS Code to start and for the model to be loaded.
pytestmark = pytest.mark.timeout(900)

# Two busy cores need longer than a user would wait.
SETTINGS: dict[str, Any] = {"timeBudget": 20000}


@pytest.fixture(scope="module")
def vsix() -> Path:
    return packaged()


# A model that is none: it can be fetched, and then not be loaded.
CONFIG = {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"}
HUB = Hub("some/model", {"config.json": json.dumps(CONFIG).encode(), "model.safetensors": bytes(1 << 19)})


@pytest.fixture(scope="module")
def opened(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("vscode")
    with fake_hub.serving(HUB) as address:
        elsewhere = {"HF_ENDPOINT": address, "HF_HOME": str(folder / "hub"), "HF_HUB_OFFLINE": "0"}
        with (
            patch.dict(os.environ, elsewhere),
            workbench(folder, vsix, program=PROGRAM, **SETTINGS) as running,
        ):
            running.wait_for_model()
            yield running


@pytest.fixture
def vscode(opened: Workbench) -> Workbench:
    opened.keys("Escape")
    return opened


@pytest.fixture
def configured(vscode: Workbench) -> Iterator[Workbench]:
    """A workbench whose settings are put back afterwards."""
    yield vscode
    vscode.configure()


def accepted(editor: Editor, before: str, offered: str, after: str) -> None:
    """Tab puts exactly what was shown between the two texts, and the file on disk parses."""
    editor.workbench.keys("Tab")
    until(lambda: editor.saved() == before + offered + after, f"{offered!r} to be accepted")
    ast.parse(editor.saved())


def test_an_empty_function_body_is_filled(vscode: Workbench) -> None:
    editor = vscode.open("body.py", "def area(width, height):$0\n\n\nprint(area(2, 3))\n")
    vscode.keys("Enter")
    editor.ask()
    offered = editor.wait_for_ghost()
    vscode.photograph("function-body")
    accepted(editor, "def area(width, height):\n    ", offered, "\n\n\nprint(area(2, 3))\n")


def test_inside_brackets_in_the_middle_of_a_line(vscode: Workbench) -> None:
    editor = vscode.open("brackets.py", "first = 3\nprint(max(first $0), min(first, 4))\n")
    editor.type("+ ")
    editor.ask()
    offered = editor.wait_for_ghost()
    vscode.photograph("brackets")
    accepted(editor, "first = 3\nprint(max(first + ", offered, "), min(first, 4))\n")


def test_tab_accepts_on_a_line_that_is_indented_and_empty(vscode: Workbench) -> None:
    """Where grey text begins with white space, VS Code's Tab indents instead."""
    before = "def load(path):\n    try:\n        return open(path)\n    "
    after = "\n\n\nload('x')\n"
    editor = vscode.open("empty-line.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    assert not offered[0].isspace()
    vscode.photograph("empty-line")
    accepted(editor, before, offered, after)


# A `try` has to be followed by `except` or `finally`.
TRY = ("def load(path):\n    try:\n        return open(", "\n\n\nload('x')\n")


def test_several_lines_in_a_block(vscode: Workbench) -> None:
    before, after = TRY
    editor = vscode.open("block.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    assert "\n" in offered
    vscode.photograph("block")
    accepted(editor, before, offered, after)


def test_words_are_accepted_one_by_one(vscode: Workbench) -> None:
    before, after = LEFT, RIGHT
    editor = vscode.open("words.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    assert offered.startswith("for ")
    vscode.keys("Control+ArrowRight")
    editor.wait_for_ghost(offered.removeprefix("for"))
    vscode.photograph("word")
    accepted(editor, f"{before}for", offered.removeprefix("for"), after)


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


def test_what_is_typed_through_the_grey_text_leaves_the_rest(vscode: Workbench) -> None:
    before, after = LEFT, RIGHT
    editor = vscode.open("through.py", f"{before}$0{after}")
    editor.ask()
    offered = editor.wait_for_ghost()
    for typed in range(1, 4):
        editor.type(offered[typed - 1])
        editor.wait_for_ghost(offered[typed:])
    accepted(editor, before + offered[:3], offered[3:], after)


def test_escape_hides_it_and_changes_nothing(vscode: Workbench) -> None:
    before, after = LEFT, RIGHT
    editor = vscode.open("escape.py", f"{before}$0{after}")
    editor.ask()
    editor.wait_for_ghost()
    vscode.keys("Escape")
    editor.wait_for_no_ghost()
    assert editor.saved() == before + after


@pytest.fixture
def scripted(configured: Workbench) -> Iterator[Workbench]:
    """A workbench whose model writes what it is told to."""
    configured.configure(model=MODEL, names=False)
    until(lambda: "scripted" in models_in_use(configured)[-1:], "the scripted model")
    yield configured
    configured.configure()
    until(lambda: "bundled" in models_in_use(configured)[-1:], "the bundled model")


def test_an_offer_comes_by_itself_while_typing(scripted: Workbench) -> None:
    editor = scripted.open("unasked.py", "orders = []\n$0\n")
    editor.type("total =", delay=50)
    editor.type(" ")
    assert editor.wait_for_ghost() == "compute(orders)"
    assert all(request["params"]["context"]["triggerKind"] == 2 for request in editor.requests())
    scripted.photograph("unasked")
    accepted(editor, "orders = []\ntotal = ", "compute(orders)", "\n")


def test_whoever_asks_has_alternatives(scripted: Workbench) -> None:
    editor = scripted.open("alternatives.py", "chosen = $0\n")
    editor.ask()
    assert editor.wait_for_ghost() == "first"
    for key, shown in (("Alt+]", "second"), ("Alt+]", "third"), ("Alt+[", "second")):
        scripted.keys(key)
        editor.wait_for_ghost(shown)
    scripted.photograph("alternatives")
    accepted(editor, "chosen = ", "second", "\n")


def page_shows(vscode: Workbench, text: str) -> bool:
    """Whether a page is on screen that says so. Pages are drawn in frames of their own."""
    return any(frame.get_by_text(text).count() for frame in vscode.page.frames)


def test_why_this_is_said_in_a_sentence_and_on_a_page(vscode: Workbench) -> None:
    editor = vscode.open("why.py", f"{LEFT}$0{RIGHT}")
    editor.ask()
    editor.wait_for_ghost()
    vscode.run_command("fim-lsp: Explain what is offered")
    notification = vscode.page.locator(".notification-toast", has_text="The model want")
    notification.wait_for(timeout=MILLISECONDS)
    notification.get_by_role("button", name="More", exact=True).click()
    until(lambda: page_shows(vscode, "What the model writes alone"), "the page")
    vscode.photograph("why")
    vscode.run_command("View: Close All Editors")


def test_what_is_shown_and_accepted_is_counted_where_that_is_wanted(configured: Workbench) -> None:
    configured.configure(statistics=True)
    editor = configured.open("counted.py", f"{LEFT}$0{RIGHT}")
    editor.ask()
    offered = editor.wait_for_ghost()
    accepted(editor, LEFT, offered, RIGHT)
    configured.run_command("fim-lsp: Show statistics")
    until(lambda: page_shows(configured, f"{len(offered)} characters did not have to be typed"), "the page")
    configured.photograph("statistics")
    configured.run_command("View: Close All Editors")


def type_slowly(editor: Editor) -> None:
    """Slower than the client waits for another keystroke, so that each one might be a request."""
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
    # What is asked from here on comes behind everything that was sent while paused.
    editor.type(" +")
    until(lambda: len(editor.requests()) > n_asked or None, "a request after the pause")
    assert editor.requests()[n_asked]["params"]["position"]["character"] > len("total = a + ba + b")


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


def test_a_broken_file_says_so(vscode: Workbench) -> None:
    editor = vscode.open("broken.py", "x = )$0\n")
    editor.ask()
    status = until(
        lambda: next(
            (report for report in vscode.record.statuses("broken.py") if report["kind"] == "Warning"), None
        ),
        "the server's report",
    )
    assert status["message"] != ""
    assert vscode.wait_for_status(status["message"]).startswith("info")
    explanation = vscode.page.locator(".monaco-hover", has_text=status["message"])

    def hover() -> None:
        # A pointer that is there already does not come in.
        vscode.page.mouse.move(400, 300)
        vscode.status_item.hover()
        explanation.wait_for(timeout=ATTEMPT_MILLISECONDS)

    vscode.attempt(hover)
    vscode.photograph("broken")
    assert editor.ghost() == ""
    assert editor.saved() == "x = )\n"


def test_another_language_says_that_there_is_no_grammar(vscode: Workbench) -> None:
    path = vscode.folder / "notes.md"
    path.write_text("# Notes\n")
    tab = vscode.page.locator('.tab.active[data-resource-name="notes.md"]')
    vscode.find_file(path, lambda: tab.wait_for(timeout=ATTEMPT_MILLISECONDS))
    vscode.wait_for_status("No completions in markdown files")


def test_an_excluded_file_says_that_it_is(configured: Workbench) -> None:
    configured.configure(exclude=["secret*.py"])
    editor = configured.open("secret.py", "password = $0\n")
    editor.ask()
    configured.wait_for_status("secret.py is named by the setting exclude")
    assert editor.ghost() == ""


def test_the_menu_gives_the_reason_and_pauses(vscode: Workbench) -> None:
    vscode.open("menu.py", "x = 1\n$0")
    entry = vscode.menu_entry("Pause completions")
    vscode.photograph("menu")
    entry.click()
    vscode.wait_for_status("paused")
    vscode.menu_entry("Resume completions").click()
    until(lambda: "paused" not in vscode.status(), "the pause to end")


def test_completions_are_paused_for_a_while(vscode: Workbench) -> None:
    vscode.open("snooze.py", "x = 1\n$0")
    vscode.run_command("fim-lsp: Pause completions for a while")
    vscode.entry("For 15 minutes").click()
    assert "until" in vscode.wait_for_status("paused")
    vscode.keys("Control+Alt+\\")
    until(lambda: "paused" not in vscode.status(), "the pause to end")


def chosen_model(vscode: Workbench) -> str | None:
    """The model that the user's settings name."""
    settings = json.loads((vscode.folder.parent / "data" / "User" / "settings.json").read_text())
    model: str | None = settings.get("fim-lsp.model")
    return model


def models_in_use(vscode: Workbench) -> list[str]:
    return [report["model"] for report in vscode.record.reports()]


def choose_model(vscode: Workbench, entry: str) -> None:
    """Opens the list of models and takes an entry."""

    def choose() -> None:
        vscode.run_command("fim-lsp: Choose a model")
        vscode.entry("closes brackets and quotes").wait_for(timeout=ATTEMPT_MILLISECONDS)
        vscode.quick_input.fill(entry)
        vscode.entry(entry).click(timeout=ATTEMPT_MILLISECONDS)

    vscode.attempt(choose)


@pytest.fixture
def choosing(vscode: Workbench) -> Iterator[Workbench]:
    """A workbench in which the bundled model is chosen afterwards."""
    yield vscode
    vscode.keys("Escape", "Escape")
    n_reports = len(vscode.record.reports())
    choose_model(vscode, "The bundled model")
    vscode.entry("In all folders").click(timeout=MILLISECONDS)
    until(lambda: "bundled" in models_in_use(vscode)[n_reports:], "the bundled model")


def test_a_server_is_tried_and_chosen_as_the_model(choosing: Workbench) -> None:
    vscode = choosing
    said = vscode.page.locator(".quick-input-message")
    with served_models.serving(ServedModel(tiny_model(), name="santacoder")) as address:
        vscode.run_command("fim-lsp: Choose a model")
        vscode.entry("ONNX Runtime, Apache-2.0").wait_for(timeout=MILLISECONDS)
        vscode.entry("Qwen/Qwen2.5-Coder-1.5B").wait_for(timeout=MILLISECONDS)
        vscode.photograph("models")
        vscode.keys("Escape")
        choose_model(vscode, "The address of a server")
        said.filter(has_text="Put #name behind it").wait_for(timeout=MILLISECONDS)
        vscode.quick_input.fill("http://127.0.0.1:9")
        vscode.keys("Enter")
        said.filter(has_text="cannot be reached").wait_for(timeout=MILLISECONDS)
        vscode.quick_input.fill(address)
        vscode.page.locator('.quick-input-widget .action-label[aria-label^="Try this server"]').click()
        said.filter(has_text="llama-server with santacoder").wait_for(timeout=MILLISECONDS)
        vscode.photograph("server")
        vscode.quick_input.press("Enter")
        vscode.entry("In all folders").click(timeout=MILLISECONDS)
        until(lambda: chosen_model(vscode) == address, "the address in the settings")
        until(lambda: address in models_in_use(vscode), "the server to be used")


def test_a_model_is_fetched_and_fetching_can_be_cancelled(choosing: Workbench) -> None:
    vscode = choosing
    for is_held in (True, False):
        choose_model(vscode, "Another name on the hub")
        vscode.page.locator(".quick-input-message", has_text="The name of a model").wait_for()
        vscode.quick_input.fill(HUB.name)
        vscode.keys("Enter")
        if is_held:
            notification = vscode.page.locator(".notification-toast", has_text=f"fetching {HUB.name}")
            notification.wait_for(timeout=MILLISECONDS)
            until(HUB.has_begun.is_set, "the download")
            vscode.photograph("download")
            notification.get_by_role("button", name="Cancel").click()
            notification.wait_for(state="detached", timeout=MILLISECONDS)
            assert chosen_model(vscode) in (None, "")
            HUB.held.set()
    vscode.entry("In all folders").click(timeout=MILLISECONDS)
    until(lambda: chosen_model(vscode) == HUB.name, "the model in the settings")


def test_the_server_is_started_again_on_demand(vscode: Workbench) -> None:
    n_starts, n_reports = len(initializations(vscode)), len(vscode.record.reports())
    vscode.run_command("fim-lsp: Restart the server")
    until(lambda: len(initializations(vscode)) > n_starts or None, "another start")
    vscode.wait_for_status("check")
    until(
        lambda: "bundled" in [report["model"] for report in vscode.record.reports()[n_reports:]], "the model"
    )
    before, after = LEFT, RIGHT
    editor = vscode.open("restarted.py", f"{before}$0{after}")
    editor.ask()
    assert editor.wait_for_ghost().startswith("for ")


def initializations(vscode: Workbench) -> list[object]:
    return [message for message in vscode.record.messages() if message.method == "initialize"]


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


def test_the_walkthrough_opens_an_example_with_a_hole(vscode: Workbench) -> None:
    vscode.run_command("fim-lsp: Show the walkthrough")
    vscode.page.locator(".getting-started-step", has_text="Fill a hole").click()
    vscode.photograph("walkthrough")
    vscode.page.get_by_role("button", name="Open an example").click()
    shown = vscode.page.locator(".ghost-text-decoration")
    # What anybody would write there.
    until(lambda: "enumerate(items)" in "".join(shown.all_inner_texts()), "the example to be completed")
    vscode.photograph("example")
