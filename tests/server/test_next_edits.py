"""Next edits over real stdio: by Copilot's request, as code actions, refused, and overtaken."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from fim_lsp.edits.next_edits import BAR
from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.positions import Lines
from fim_lsp.server.next_edits.asking import BARS, NextEdits, bar_of
from fim_lsp.server.next_edits.baseline import MOST_STRETCHES, REST_SECONDS, Baseline
from fim_lsp.server.settings import Settings
from tests.server.features import featured
from tests.server_editor import VERSION
from tests.sessions.client import PATIENCE, Client
from tests.sessions.editor import Buffer, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION}
CAPABILITIES: dict[str, Any] = {
    "workspace": {"configuration": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {"inlineCompletion": {}},
}
OLD = (
    "def area(width, height):\n    return width * height\n\n\n"
    "print(area(width=1, height=2))\nprint(area(3, 4))\nprint(area(width=5, height=6))\n"
)
NEW = OLD.replace("width", "breadth")
NOTHING: dict[str, Any] = {"edits": []}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    async with featured(tmp_path_factory.mktemp("log"), SETTINGS, CAPABILITIES, "breadth") as client:
        yield client


@pytest.fixture
def editor(client: Client) -> Iterator[Editor]:
    """An editor that closes its documents, because a change of one affects the others."""
    editor = Editor(client)
    yield editor
    for buffer in [*editor.buffers.values()]:
        editor.close(buffer)


def begun(editor: Editor, name: str, text: str = OLD, language: str = "python") -> Buffer:
    """A document in which the first `width`, a parameter, was just replaced."""
    buffer = editor.open(f"file:///next/{name}", text, language)
    start = text.index("width")
    editor.edit(buffer, (start, start + len("width"), "breadth"))
    return buffer


def params_of(editor: Editor, buffer: Buffer, **document: Any) -> dict[str, Any]:
    """The parameters of sidekick.nvim."""
    return {
        "textDocument": {"uri": buffer.uri, "version": buffer.version, **document},
        "position": editor.position(buffer.text, buffer.cursor),
        "context": {"triggerKind": 2},
    }


async def asked(editor: Editor, buffer: Buffer, **document: Any) -> dict[str, Any]:
    answer: dict[str, Any] = await editor.client.request(
        "textDocument/copilotInlineEdit", params_of(editor, buffer, **document)
    )
    return answer


def take(editor: Editor, buffer: Buffer, edit: dict[str, Any]) -> None:
    start, stop = (editor.offset(buffer.text, edit["range"][end]) for end in ("start", "end"))
    editor.edit(buffer, (start, stop, edit["text"]))


async def actions(
    editor: Editor, buffer: Buffer, at: int | None = None, only: list[str] | None = None
) -> list[dict[str, Any]]:
    place = editor.position(buffer.text, buffer.cursor if at is None else at)
    context = {"diagnostics": [], **({"only": only} if only else {})}
    params = {
        "textDocument": {"uri": buffer.uri},
        "range": {"start": place, "end": place},
        "context": context,
    }
    found: list[dict[str, Any]] = await editor.client.request("textDocument/codeAction", params)
    return found


def applied(editor: Editor, buffer: Buffer, action: dict[str, Any]) -> str:
    """The text after an action, which has to be for the document's version."""
    (change,) = action["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": buffer.uri, "version": buffer.version}
    text = buffer.text
    for edit in reversed(change["edits"]):
        start, stop = (editor.offset(buffer.text, edit["range"][end]) for end in ("start", "end"))
        text = text[:start] + edit["newText"] + text[stop:]
    return text


async def test_one_edit_follows_the_other_until_none_is_left(editor: Editor) -> None:
    buffer = begun(editor, "chain.py")
    n_taken = 0
    while edits := (await asked(editor, buffer))["edits"]:
        (edit,) = edits
        n_taken += 1
        assert edit["textDocument"] == {"uri": buffer.uri, "version": buffer.version}
        assert edit["command"]["command"] == "fim-lsp.didAcceptEdit"
        assert edit["reason"]
        take(editor, buffer, edit)
        await editor.client.command(edit["command"]["command"], *edit["command"]["arguments"])
        compile(buffer.text, "chain.py", "exec")
    assert (n_taken, buffer.text) == (3, NEW)


async def test_what_was_not_changed_has_no_next_edit(editor: Editor) -> None:
    buffer = editor.open("file:///next/still.py", OLD)
    assert await asked(editor, buffer) == NOTHING
    assert await actions(editor, buffer) == []


async def test_another_version_gets_nothing_and_none_is_shifted(editor: Editor) -> None:
    buffer = begun(editor, "version.py")
    assert await asked(editor, buffer, version=buffer.version - 1) == NOTHING
    assert (await asked(editor, buffer, version=None))["edits"]


async def test_a_change_ends_what_was_asked_before_it(editor: Editor) -> None:
    long = OLD + "".join(f"x{number} = area({number}, height=1)\n" for number in range(3000))
    buffer = begun(editor, "overtaken.py", long)
    _, answer = editor.client.ask("textDocument/copilotInlineEdit", params_of(editor, buffer))
    editor.edit(buffer, (0, 0, "# typed on\n"))
    assert (await asyncio.wait_for(answer, PATIENCE)).result == NOTHING
    (edit,) = (await asked(editor, buffer))["edits"]
    take(editor, buffer, edit)
    assert (buffer.text.count("breadth"), buffer.text.count("width")) == (2, 2)


async def test_a_request_can_be_cancelled_and_the_next_one_is_answered(editor: Editor) -> None:
    buffer = begun(editor, "cancelled.py")
    number, answer = editor.client.ask("textDocument/copilotInlineEdit", params_of(editor, buffer))
    editor.client.cancel(number)
    error = (await asyncio.wait_for(answer, PATIENCE)).error
    assert error is None or error["code"] == -32800
    assert (await asked(editor, buffer))["edits"]


async def test_what_was_refused_twice_is_not_shown_again(editor: Editor) -> None:
    buffer = begun(editor, "refused.py")
    for n_refused in range(2):
        (edit,) = (await asked(editor, buffer))["edits"]
        assert edit["text"] == "breadth", n_refused
        await editor.client.command("fim-lsp.didRefuseEdit", *edit["command"]["arguments"])
        editor.edit(buffer, (len(buffer.text), len(buffer.text), "# on\n"))
    assert await asked(editor, buffer) == NOTHING
    assert await actions(editor, buffer) == []


async def test_a_refusal_counts_once_however_often_it_is_said(editor: Editor) -> None:
    buffer = begun(editor, "said.py")
    (edit,) = (await asked(editor, buffer))["edits"]
    for _ in range(3):
        await editor.client.command("fim-lsp.didRefuseEdit", *edit["command"]["arguments"])
    assert (await asked(editor, buffer))["edits"]
    await editor.client.command("fim-lsp.didRefuseEdit", "nonsense", None, 10**9)


async def test_nothing_is_put_in_at_the_cursor_itself(editor: Editor) -> None:
    """Inline completion offers the missing bracket there; elsewhere it is a next edit."""
    text = "values = [max(1, 2)]\nprint(values)\n"
    buffer = editor.open("file:///next/cursor.py", text)
    at = text.index(")]")
    editor.edit(buffer, (at, at + 1, ""))
    assert await asked(editor, buffer) == NOTHING
    buffer.cursor = len(buffer.text)
    (edit,) = (await asked(editor, buffer))["edits"]
    take(editor, buffer, edit)
    assert buffer.text == text


async def test_code_actions_make_one_edit_or_all_that_are_alike(editor: Editor) -> None:
    buffer = begun(editor, "actions.py")
    one, every = await actions(editor, buffer, at=len(buffer.text))
    assert one["title"] == "Next edit: the parameter `width` is called `breadth` now (line 2)"
    assert applied(editor, buffer, one) == buffer.text.replace("return width", "return breadth")
    assert every["title"] == "Change all 3 like this: the parameter `width` is called `breadth` now"
    assert applied(editor, buffer, every) == NEW
    assert {action["kind"] for action in (one, every)} == {"quickfix"}


async def test_the_edit_at_the_cursor_goes_first(editor: Editor) -> None:
    buffer = begun(editor, "here.py")
    one, _ = await actions(editor, buffer, at=buffer.text.index("width=5"))
    assert one["title"].endswith("(line 7)")


async def test_actions_of_other_kinds_are_not_ours(editor: Editor) -> None:
    buffer = begun(editor, "kinds.py")
    assert await actions(editor, buffer, only=["source.organizeImports"]) == []
    assert len(await actions(editor, buffer, only=["quickfix"])) == 2


async def test_a_setting_turns_them_off(client: Client, editor: Editor) -> None:
    buffer = begun(editor, "off.py")
    await configured(client, nextEdits=False)
    try:
        assert await asked(editor, buffer) == NOTHING
        assert await actions(editor, buffer) == []
    finally:
        await configured(client)
    assert (await asked(editor, buffer))["edits"]


async def configured(client: Client, **settings: Any) -> None:
    client.settings = SETTINGS | settings
    n_before = sum(method == "workspace/configuration" for method, _ in client.requests)
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    await client.until(
        lambda: sum(method == "workspace/configuration" for method, _ in client.requests) > n_before
    )
    await client.command("fim-lsp.statistics")


async def test_a_file_that_was_replaced_as_a_whole_is_a_new_beginning(editor: Editor) -> None:
    buffer = editor.open("file:///next/branch.py", "".join(f"a{n} = {n}\n" for n in range(1500)))
    editor.replace_all(buffer, "".join(f"b{n} = {n}\n" for n in range(1500)) + OLD)
    assert await asked(editor, buffer) == NOTHING
    start = buffer.text.index("width")
    editor.edit(buffer, (start, start + 5, "breadth"))
    assert (await asked(editor, buffer))["edits"]


async def test_excluded_files_and_unknown_languages_have_none(editor: Editor) -> None:
    for name, language in (("a.rb", "ruby"), (".env", "python")):
        assert await asked(editor, begun(editor, name, language=language)) == NOTHING


async def test_other_languages_and_line_ends(editor: Editor) -> None:
    text = "function area(width) {\r\n  return width * 2;\r\n}\r\n"
    buffer = begun(editor, "area.js", text, "javascript")
    (edit,) = (await asked(editor, buffer))["edits"]
    take(editor, buffer, edit)
    assert buffer.text == text.replace("width", "breadth")


async def test_a_byte_order_mark_moves_nothing(editor: Editor) -> None:
    buffer = begun(editor, "marked.py", "\ufeff" + OLD)
    (edit,) = (await asked(editor, buffer))["edits"]
    take(editor, buffer, edit)
    assert buffer.text == "\ufeff" + OLD.replace("(width,", "(breadth,").replace(
        "return width", "return breadth"
    )


async def test_a_client_that_tells_what_it_shows_is_heard(editor: Editor) -> None:
    buffer = begun(editor, "told.py")
    (edit,) = (await asked(editor, buffer))["edits"]
    editor.client.notify("textDocument/didShowInlineEdit", {"item": {"command": edit["command"]}})
    assert (await asked(editor, buffer))["edits"] == [edit]


async def test_the_bar_is_the_command_line_s_by_default() -> None:
    assert bar_of(Settings()) == BAR


async def test_the_bar_of_a_document_follows_what_is_taken_and_refused_there() -> None:
    nothing: Any = None
    next_edits = NextEdits(lambda _session: None, nothing, {}, list, nothing)
    states = {uri: next_edits.state(uri) for uri in ("taken", "refused", "other")}
    for number in range(6):
        edit = NextEdit("a", 0, 1, "a", f"b{number}", "", 1.0)
        assert next_edits.accept(next_edits.show_edit("taken", edit).id)
        assert next_edits.refuse(next_edits.show_edit("refused", edit).id)
    bars = [states[uri].acceptance.adjusted_bar(BAR) for uri in ("taken", "other", "refused")]
    assert bars[0] < 0.55 < bars[1] < bars[2] < 0.8
    assert bars[1] == pytest.approx(BAR)
    next_edits.forget_acceptance()
    assert states["taken"].acceptance.adjusted_bar(BAR) == pytest.approx(BAR)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (Settings(eagerness="eager"), "eager"),
        (Settings(next_edits_eagerness="quiet"), "quiet"),
        (Settings(eagerness="eager", next_edits_eagerness="balanced"), "balanced"),
    ],
)
async def test_the_bar_is_that_of_completions_or_one_of_its_own(settings: Settings, named: str) -> None:
    assert bar_of(settings) == BARS[named]


async def test_a_baseline_lasts_for_some_stretches_of_work() -> None:
    baseline = Baseline(Lines("0"))
    now = 1000.0
    for number in range(1, MOST_STRETCHES + 2):
        # Keys of one stretch, with or without saving.
        for step in range(3):
            baseline.follow(Lines(f"{number}.{step}"), now + step)
        now += REST_SECONDS + 10
        expected = "0" if number <= MOST_STRETCHES else "1.2"
        assert baseline.text == expected, number
    baseline.restart()
    assert baseline.text == f"{MOST_STRETCHES + 1}.2"
