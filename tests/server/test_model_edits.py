"""Next edits that a model writes in the worker, over real stdio: shown like those of the rules, after them
and after completions, proved, and removed by the next key."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from fim_lsp.server.model_setting import model_of
from fim_lsp.server.next_edits.asked_model import shown_path
from fim_lsp.server.settings import Settings
from tests.scripted.worker import SCRIPT
from tests.server.features import featured
from tests.server_editor import VERSION
from tests.sessions.client import PATIENCE, PATIENT, Client
from tests.sessions.editor import Buffer, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

CAPABILITIES: dict[str, Any] = {
    "workspace": {"configuration": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {"inlineCompletion": {}},
}
OLD = "first = 1\nsecond = 2\nlog(first)\nprint(second)\n"
NOTHING: dict[str, Any] = {"edits": []}
# Proposed edits, each with its probability: one that holds.
GOOD = ["print(second)", "print(second, first)", 0.9]
# The others do not parse, or use an unknown name.
EDITS = {
    "edits": [GOOD, ["log(first)", "log(first", 0.9], ["second = 2", "second = nowhere", 0.9]],
    "answers": [["ahead = ", ["first"]]],
}


def script(**more: Any) -> str:
    return f"{SCRIPT}{json.dumps(EDITS | more)}"


def settings_of(model: str, **more: Any) -> dict[str, Any]:
    return {"model": model, "pythonVersion": VERSION, **PATIENT, **more}


# The log of each server, by its process.
LOGS: dict[int, Path] = {}


@asynccontextmanager
async def served(folder: Path, settings: dict[str, Any]) -> AsyncIterator[Client]:
    """A server whose models are loaded."""
    async with featured(folder, settings, CAPABILITIES, "second") as client:
        LOGS[client.process.pid] = folder / "fim-lsp.log"
        await until_logged(client, "a model for edits: ")
        yield client


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    async with served(tmp_path_factory.mktemp("log"), settings_of(script())) as client:
        yield client


@pytest.fixture
def editor(client: Client) -> Iterator[Editor]:
    editor = Editor(client)
    yield editor
    for buffer in [*editor.buffers.values()]:
        editor.close(buffer)


async def begun(editor: Editor, name: str, text: str = OLD, at: str = "first = 1") -> Buffer:
    """A document in which a value was just changed, from which no rule derives an edit."""
    buffer = editor.open(f"file:///written/{name}", text)
    start = text.index(at) + len(at)
    editor.edit(buffer, (start, start, "0"))
    return buffer


async def asked(editor: Editor, buffer: Buffer) -> dict[str, Any]:
    method = "textDocument/copilotInlineEdit"
    answer: dict[str, Any] = await editor.client.request(method, params(editor, buffer))
    return answer


def params(editor: Editor, buffer: Buffer) -> dict[str, Any]:
    return {
        "textDocument": {"uri": buffer.uri, "version": buffer.version},
        "position": editor.position(buffer.text, buffer.cursor),
    }


def n_logged(client: Client, words: str) -> int:
    return LOGS[client.process.pid].read_text().count(words)


async def until_logged(client: Client, words: str, n_times: int = 1) -> None:
    async def wait() -> None:
        while n_logged(client, words) < n_times:
            await asyncio.sleep(0.02)

    await asyncio.wait_for(wait(), PATIENCE)


async def actions(editor: Editor, buffer: Buffer, kind: int = 1) -> list[dict[str, Any]]:
    place = editor.position(buffer.text, buffer.cursor)
    found: list[dict[str, Any]] = await editor.client.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": buffer.uri},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "triggerKind": kind},
        },
    )
    return found


async def test_what_a_model_writes_is_shown_if_it_holds(editor: Editor) -> None:
    """Text that does not parse, and an unknown name, are not shown."""
    buffer = await begun(editor, "shown.py")
    (edit,) = (await asked(editor, buffer))["edits"]
    assert edit["reason"] == "so the script goes on"
    start, stop = (editor.offset(buffer.text, edit["range"][end]) for end in ("start", "end"))
    editor.edit(buffer, (start, stop, edit["text"]))
    await editor.client.command(edit["command"]["command"], *edit["command"]["arguments"])
    assert buffer.text == OLD.replace("1", "10", 1).replace("print(second)", "print(second, first)")
    assert n_logged(editor.client, "asked about edits of written/shown.py")


async def test_rules_go_first_and_then_no_model_is_asked(editor: Editor) -> None:
    text = "def area(width):\n    return width\n\n\nprint(area(1))\n"
    buffer = editor.open("file:///written/rules.py", text)
    start = text.index("width")
    editor.edit(buffer, (start, start + 5, "breadth"))
    (edit,) = (await asked(editor, buffer))["edits"]
    assert edit["text"] == "breadth"
    assert n_logged(editor.client, "asked about edits of written/rules.py") == 0


async def test_without_a_change_no_model_is_asked(editor: Editor) -> None:
    buffer = editor.open("file:///written/still.py", OLD)
    assert await asked(editor, buffer) == NOTHING
    assert await actions(editor, buffer) == []
    assert n_logged(editor.client, "asked about edits of written/still.py") == 0


async def test_it_is_a_code_action_too_for_which_an_editor_that_asks_by_itself_does_not_wait(
    editor: Editor,
) -> None:
    buffer = await begun(editor, "actions.py")
    assert await actions(editor, buffer, kind=2) == []
    (edit,) = (await asked(editor, buffer))["edits"]
    for kind in (1, 2):
        (action,) = await actions(editor, buffer, kind=kind)
        assert action["title"] == "Next edit: so the script goes on (line 4)"
        (change,) = action["edit"]["documentChanges"]
        assert change["edits"] == [{"range": edit["range"], "newText": edit["text"]}]


async def test_what_was_refused_twice_is_not_shown_again(editor: Editor) -> None:
    buffer = await begun(editor, "refused.py")
    for _ in range(2):
        (edit,) = (await asked(editor, buffer))["edits"]
        await editor.client.command("fim-lsp.didRefuseEdit", *edit["command"]["arguments"])
        editor.edit(buffer, (len(buffer.text), len(buffer.text), "# on\n"))
        buffer.cursor = 0
    assert await asked(editor, buffer) == NOTHING


async def test_no_model_takes_back_what_was_just_typed(editor: Editor) -> None:
    buffer = editor.open("file:///written/typed.py", OLD.replace("print(second)", "print(first)"))
    start = buffer.text.index("print(first)")
    editor.edit(buffer, (start, start + len("print(first)"), "print(second)"))
    buffer.cursor = 0
    shown = (await asked(editor, buffer))["edits"]
    assert [one["text"] for one in shown] == []


async def test_a_completion_goes_first_and_the_writing_goes_on_behind_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    model = script(edit_steps=60, step_s=0.02)
    async with served(tmp_path_factory.mktemp("slow"), settings_of(model, names=False)) as client:
        editor = Editor(client)
        buffer = await begun(editor, "slow.py")
        other = editor.open("file:///written/other.py", "first = 1\nahead = ")
        other.cursor = len(other.text)
        _, waiting = client.ask("textDocument/copilotInlineEdit", params(editor, buffer))
        await until_logged(client, "asked about edits of written/slow.py")
        items = await editor.complete(other)
        assert [item.text for item in items] == ["first"]
        assert not waiting.done(), "the completion went first"
        (edit,) = (await asyncio.wait_for(waiting, PATIENCE)).result["edits"]
        assert edit["reason"] == "so the script goes on"
        assert n_logged(client, "interrupted")


async def test_the_next_key_ends_it_and_a_late_answer_is_dropped(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    model = script(edit_steps=60, step_s=0.02)
    async with served(tmp_path_factory.mktemp("key"), settings_of(model)) as client:
        editor = Editor(client)
        buffer = await begun(editor, "key.py")
        _, waiting = client.ask("textDocument/copilotInlineEdit", params(editor, buffer))
        await until_logged(client, "asked about edits of written/key.py")
        editor.edit(buffer, (0, 0, "# typed on\n"))
        assert (await asyncio.wait_for(waiting, PATIENCE)).result == NOTHING
        await until_logged(client, "interrupted")
        (edit,) = (await asked(editor, buffer))["edits"]
        assert edit["range"]["start"]["line"] == 4


async def test_a_model_for_edits_alone_and_none(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = settings_of("none", nextEditsModel=script())
    async with served(tmp_path_factory.mktemp("named"), settings) as client:
        editor = Editor(client)
        buffer = await begun(editor, "named.py")
        assert (await asked(editor, buffer))["edits"]
        others = settings_of(script(), nextEditsModel="none"), settings_of("none", nextEditsModel="")
        for number, client.settings in enumerate(others, 1):
            client.notify("workspace/didChangeConfiguration", {"settings": None})
            await until_logged(client, "a model for edits: False", number)
            editor.edit(buffer, (len(buffer.text), len(buffer.text), "# on\n"))
            buffer.cursor = 0
            assert await asked(editor, buffer) == NOTHING


async def test_a_model_that_cannot_be_loaded_is_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = settings_of("none", nextEditsModel="nowhere")
    async with served(tmp_path_factory.mktemp("gone"), settings) as client:
        editor = Editor(client)
        buffer = await begun(editor, "gone.py")
        assert await asked(editor, buffer) == NOTHING
        await client.until(lambda: any("nowhere" in said for said in shown_messages(client)))


def shown_messages(client: Client) -> list[str]:
    return [what["message"] for method, what in client.notifications if method == "window/showMessage"]


async def test_by_default_only_a_model_that_was_taught_edits_is_asked() -> None:
    assert model_of(Settings()).edits is None
    assert model_of(Settings(next_edits_model="none")).edits == "none"
    assert model_of(Settings(next_edits=False)).edits == "none"
    assert model_of(Settings(next_edits_model="zeta")).edits == "zeta"


async def test_a_model_is_shown_the_end_of_a_path() -> None:
    assert shown_path("file:///home/a%20b/shop/src/till.py") == "shop/src/till.py"
    assert shown_path("untitled:Untitled-1") == "Untitled-1"
