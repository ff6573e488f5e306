"""Messages of clients that are nonsense, come at the wrong moment, or are too many, over real stdio."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
import pytest_asyncio

from tests import kills
from tests.server_editor import CANCELLED, VERSION, script
from tests.sessions import editor as sessions
from tests.sessions.client import PATIENCE, SCRIPTED, Answer, Client, scripted
from tests.sessions.editor import Buffer, Editor, texts

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION}
INLINE = "textDocument/inlineCompletion"
SLOW = script(("", ["1"]), steps=10_000, step_s=0.02)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncIterator[Client]:
    async with scripted(SETTINGS) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="module")
async def slow(client: Client) -> AsyncIterator[None]:
    """A model that writes for as long as it may."""
    await client.command("fim-lsp.switchModel", SLOW)
    yield
    await client.command("fim-lsp.switchModel", "none")


def opened(editor: Editor, name: str, marked: str, language: str = "python") -> Buffer:
    return sessions.opened(editor, name if ":" in name else f"file:///hostile/{name}", marked, language)


async def warm(editor: Editor, buffer: Buffer) -> None:
    """Fills the charts, so that a model begins at once."""
    await editor.client.command("fim-lsp.explain", buffer.uri, editor.position(buffer.text, buffer.cursor))


def ask(editor: Editor, buffer: Buffer) -> tuple[int, asyncio.Future[Answer]]:
    return editor.client.ask(INLINE, editor.inline_params(buffer))


def code_of(answer: Answer) -> int | None:
    return None if answer.error is None else int(answer.error["code"])


# --- requests --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more",
    [
        {"context": None},
        {"context": []},
        {"context": {"triggerKind": None}},
        {"context": {"triggerKind": "1"}},
        {"context": {"triggerKind": 99, "selectedCompletionInfo": None}},
        {"formattingOptions": {"tabSize": 0, "insertSpaces": "yes"}},
        {"formattingOptions": {"tabSize": 10**9, "insertSpaces": True}},
        {"formattingOptions": None, "workDoneToken": "w"},
    ],
)
async def test_what_a_request_says_besides_may_be_nonsense(editor: Editor, more: dict[str, Any]) -> None:
    buffer = opened(editor, "besides.py", "f($0")
    assert await texts(editor, buffer, **more) == [")"]


async def test_an_entry_of_the_popup_that_does_not_fit_gets_nothing(editor: Editor) -> None:
    buffer = opened(editor, "popup.py", "f($0")
    selected = {"range": editor.range(buffer.text, 0, 2), "text": ")))"}
    context = {"triggerKind": 2, "selectedCompletionInfo": selected}
    assert await texts(editor, buffer, context=context) == []
    selected["text"] = "print("
    assert await texts(editor, buffer, context=context) == ["print()"]


@pytest.mark.parametrize(
    ("marked", "replaced", "entry", "expected"),
    [
        ("import os\nos.pa$0\n", "import os\nos.pa", "import os\nprint(", "import os\nprint()\n"),
        ("x = pri$0\ny = 2\n", "pri\ny", "print(\ny", "x = print()\ny = 2\n"),
        ("a = 1\nx = pri$0\ny = 2\n", "a = 1\nx = pri\ny", "a = 1\nx = f(\ny", "a = 1\nx = f()\ny = 2\n"),
        ("a = 1\r\nx = pri$0\r\n", "1\r\nx = pri", "1\r\nx = f(", "a = 1\r\nx = f()\r\n"),
        # Two lines change, so no range on one line can describe it.
        ("import os\nos.pa$0\n", "os\nos.pa", "os.path\nprint(", None),
    ],
)
async def test_an_entry_of_the_popup_may_replace_several_lines(
    editor: Editor, marked: str, replaced: str, entry: str, expected: str | None
) -> None:
    buffer = opened(editor, "entry.py", marked)
    start = buffer.text.index(replaced)
    span = editor.range(buffer.text, start, start + len(replaced))
    context = {"triggerKind": 2, "selectedCompletionInfo": {"range": span, "text": entry}}
    items = await editor.complete(buffer, context=context)
    assert [item.applied(buffer.text) for item in items] == ([] if expected is None else [expected])


@pytest.mark.usefixtures("slow")
async def test_a_request_is_cancelled_at_once_twice_and_too_late(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "cancel.py", "x = $0\n")
    await warm(editor, buffer)
    number, future = ask(editor, buffer)
    client.cancel(number)
    client.cancel(number)
    assert code_of(await asyncio.wait_for(future, PATIENCE)) == CANCELLED
    client.cancel(number)
    client.cancel(99_999)
    _, future = ask(editor, buffer)
    assert (await asyncio.wait_for(future, PATIENCE)).result["items"][0]["insertText"] == "1"


@pytest.mark.usefixtures("slow")
async def test_a_document_that_is_closed_during_a_request_gets_an_empty_list(editor: Editor) -> None:
    buffer = opened(editor, "closed.py", "x = $0\n")
    await warm(editor, buffer)
    _, future = ask(editor, buffer)
    editor.close(buffer)
    assert (await asyncio.wait_for(future, PATIENCE)).result == {"items": []}


@pytest.mark.usefixtures("slow")
async def test_200_requests_at_once_have_200_answers(editor: Editor) -> None:
    buffers = [opened(editor, f"{number}.py", "x = $0\n") for number in range(4)]
    for buffer in buffers:
        await warm(editor, buffer)
    futures = [ask(editor, buffers[number % 4])[1] for number in range(200)]
    answers = [await asyncio.wait_for(future, PATIENCE) for future in futures]
    assert [code_of(answer) for answer in answers] == [CANCELLED] * 196 + [None] * 4


@pytest.mark.usefixtures("slow")
async def test_a_worker_that_is_killed_during_a_request_is_survived(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "killed.py", "x = $0\n")
    await warm(editor, buffer)
    _, future = ask(editor, buffer)
    await client.until(lambda: client.statuses()[-1]["busy"] and client.statuses()[-1]["uri"] == buffer.uri)
    [worker] = psutil.Process(client.process.pid).children()
    worker.kill()
    assert (await asyncio.wait_for(future, PATIENCE)).result == {"items": []}
    assert any(kills.SAID in status["message"] for status in client.statuses())
    await client.command("fim-lsp.switchModel", "none")
    buffer = opened(editor, "killed.py", "f($0\n")
    assert await texts(editor, buffer) == [")"]


@pytest.mark.parametrize(
    "arguments", [[1], [{}], ["file:///a.py", 3], ["file:///a.py", {"line": 0}], ["a", {"line": -1}]]
)
async def test_a_command_with_arguments_that_make_no_sense_is_refused(
    client: Client, arguments: list[Any]
) -> None:
    params = {"command": "fim-lsp.explain", "arguments": arguments}
    assert code_of(await client.answer("workspace/executeCommand", params)) == -32602
    params = {"command": "fim-lsp.switchModel", "arguments": [1]}
    assert code_of(await client.answer("workspace/executeCommand", params)) == -32602


# --- settings --------------------------------------------------------------------------------------------


def broken_model(folder: Path, content: dict[str, str]) -> str:
    for name, text in content.items():
        (folder / name).write_text(text)
    return str(folder)


@pytest.mark.parametrize(
    "content",
    [{}, {"config.json": "{"}, {"config.json": "{}"}, {"config.json": '{"model_type": "gpt2"}'}],
    ids=["empty", "no JSON", "no type", "no weights"],
)
async def test_a_model_that_cannot_be_loaded_is_said_and_the_grammar_goes_on(
    client: Client, editor: Editor, tmp_path: Path, content: dict[str, str]
) -> None:
    answer = await client.command("fim-lsp.switchModel", broken_model(tmp_path, content))
    assert answer["message"]
    assert answer["model"] == "none"
    assert any(
        status["state"] == "error" and status["message"] == answer["message"] for status in client.statuses()
    )
    buffer = opened(editor, "model.py", "f($0")
    [text] = await texts(editor, buffer)
    ast.parse(f"f({text}")
    await client.command("fim-lsp.switchModel", "none")


async def test_settings_of_every_wrong_kind_mean_the_defaults() -> None:
    wrong = {
        "enable": "yes",
        "timeBudget": "fast",
        "exclude": {"a": 1},
        "pythonVersion": "9.9",
        "device": 4,
        "scope": "file",
        "maxLines": -1,
        "alternatives": 1.5,
        "popupCompletion": True,
    }
    client = await Client.start(command=SCRIPTED)
    await client.initialize({"model": "none", **wrong}, {"textDocument": {"inlineCompletion": {}}})
    editor = Editor(client)
    assert await texts(editor, opened(editor, "settings.py", "f($0")) == [")"]
    lines = (await client.command("fim-lsp.serverLog"))["lines"]
    assert {name for name in wrong if any(f"setting {name}:" in line for line in lines)} == set(wrong)
    assert await client.stop() == 0
