"""The server's start and end: in order, and with editors that break the order or die."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
import pytest_asyncio

from tests.server_editor import CANCELLED, VERSION, script
from tests.sessions.client import PATIENCE, SCRIPTED, Client
from tests.sessions.editor import Buffer, Editor

pytestmark = pytest.mark.asyncio

SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION}
NOT_INITIALIZED, INVALID_REQUEST = -32002, -32600


@pytest_asyncio.fixture
async def client() -> AsyncIterator[Client]:
    """A server before its first message."""
    client = await Client.start(command=SCRIPTED)
    yield client
    if client.process.returncode is None:
        client.process.kill()
        await client.process.wait()


async def ended(client: Client) -> int:
    return await asyncio.wait_for(client.process.wait(), PATIENCE)


def opened(client: Client, text: str) -> tuple[Editor, Buffer]:
    editor = Editor(client)
    buffer = editor.open("file:///life/a.py", text)
    buffer.cursor = len(text)
    return editor, buffer


async def at_work(client: Client) -> asyncio.Future[Any]:
    """A request that a model works on for as long as it may."""
    await client.initialize(SETTINGS)
    await client.command("fim-lsp.switchModel", script(("", ["1"]), steps=10_000, step_s=0.02))
    editor, buffer = opened(client, "x = ")
    # The charts are filled by then, so the model begins at once.
    await client.command("fim-lsp.explain", buffer.uri, editor.position(buffer.text, buffer.cursor))
    _, future = client.ask("textDocument/inlineCompletion", editor.inline_params(buffer))
    await client.until(lambda: any(status["busy"] and status["uri"] for status in client.statuses()))
    return future


async def test_a_request_before_initialize_is_refused(client: Client) -> None:
    here = {"line": 0, "character": 0}
    params = {"textDocument": {"uri": "file:///a.py"}, "position": here, "command": "fim-lsp.toggle"}
    for method in ("textDocument/inlineCompletion", "workspace/executeCommand", "shutdown", "no/such"):
        answer = await client.answer(method, params)
        assert answer.error is not None
        assert answer.error["code"] == NOT_INITIALIZED, method
    await client.initialize(SETTINGS)
    editor, buffer = opened(client, "f(")
    assert [item.text for item in await editor.complete(buffer)] == [")"]
    assert await client.stop() == 0


async def test_a_notification_before_initialize_is_dropped(client: Client) -> None:
    editor, buffer = opened(client, "f(")
    client.notify("workspace/didChangeConfiguration", {"settings": {"enable": False}})
    await client.initialize(SETTINGS)
    assert await editor.complete(buffer) == [], "nobody has opened it"
    editor, buffer = opened(client, "f(")
    assert [item.text for item in await editor.complete(buffer)] == [")"]
    assert await client.stop() == 0


async def test_a_second_initialize_is_refused_and_changes_nothing(client: Client) -> None:
    await client.initialize(SETTINGS)
    editor, buffer = opened(client, "f(")
    params: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
    answer = await client.answer("initialize", params | {"initializationOptions": {"enable": False}})
    assert answer.error is not None
    assert answer.error["code"] == INVALID_REQUEST
    assert [item.text for item in await editor.complete(buffer)] == [")"]
    assert await client.stop() == 0


async def test_shutdown_while_a_model_works_answers_both(client: Client) -> None:
    future = await at_work(client)
    assert (await client.answer("shutdown", None)).error is None
    answer = await asyncio.wait_for(future, PATIENCE)
    assert answer.error is None or answer.error["code"] == CANCELLED
    late = await client.answer("textDocument/inlineCompletion", {})
    assert late.error is not None
    client.notify("exit", None)
    assert await ended(client) == 0
    assert set(client.n_answers.values()) == {1}


@pytest.mark.parametrize("is_initialized", [False, True])
async def test_exit_without_shutdown_is_an_error(client: Client, is_initialized: bool) -> None:
    if is_initialized:
        await client.initialize(SETTINGS)
    client.notify("exit", None)
    assert await ended(client) == 1


@pytest.mark.parametrize("moment", ["at once", "when the worker runs", "when a model works"])
async def test_the_end_of_stdin_ends_server_and_worker(client: Client, moment: str) -> None:
    """The end is immediate, although asyncio's own end would wait forever for a process that is just
    starting."""
    match moment:
        case "at once":
            await client.initialize(SETTINGS)
        case "when the worker runs":
            await client.initialize(SETTINGS)
            editor, buffer = opened(client, "f(")
            await editor.complete(buffer)
        case _:
            await at_work(client)
    workers = psutil.Process(client.process.pid).children()
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert await ended(client) == 1
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert alive == []


async def test_the_server_ends_when_the_editor_s_process_is_gone(client: Client) -> None:
    editor = await asyncio.create_subprocess_exec(sys.executable, "-c", "import time; time.sleep(1000)")
    await client.initialize(SETTINGS, processId=editor.pid)
    editor.kill()
    await editor.wait()
    assert await ended(client) == 1


async def test_an_editor_that_cannot_be_seen_is_not_taken_for_dead(client: Client) -> None:
    """In a container, process ids are different."""
    gone = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await gone.wait()
    await client.initialize(SETTINGS, processId=gone.pid)
    editor, buffer = opened(client, "f(")
    assert [item.text for item in await editor.complete(buffer)] == [")"]
    assert await client.stop() == 0


@pytest.mark.skipif(os.name != "posix", reason="there are no such signals elsewhere")
@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGTERM])
async def test_a_signal_ends_server_and_worker(client: Client, number: signal.Signals) -> None:
    await at_work(client)
    workers = psutil.Process(client.process.pid).children()
    client.process.send_signal(number)
    assert await ended(client) == -number
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert alive == []


@pytest.mark.long
async def test_one_session_after_the_other_each_begins_anew() -> None:
    for _ in range(2):
        client = await Client.start(command=SCRIPTED)
        await client.initialize(SETTINGS)
        editor, buffer = opened(client, "f(")
        assert [item.text for item in await editor.complete(buffer)] == [")"]
        assert await client.command("fim-lsp.toggle", False) == {"enabled": False}
        assert await client.stop() == 0


@pytest.mark.parametrize(
    "reply",
    [
        "an error",
        "nothing",
        *(pytest.param(one, marks=pytest.mark.long) for one in ("null", "too short", "a text")),
    ],
)
async def test_completions_come_whatever_the_editor_says_of_its_settings(client: Client, reply: str) -> None:
    replies: dict[str, dict[str, Any]] = {
        "an error": {"error": {"code": -32603, "message": "no"}},
        "null": {"result": None},
        "too short": {"result": []},
        "a text": {"result": ["loud", "louder", "loudest"]},
    }
    receive = client._receive

    def received(message: dict[str, Any]) -> None:
        if message.get("method") != "workspace/configuration":
            receive(message)
        elif reply in replies:
            client.send({"id": message["id"], **replies[reply]})

    client._receive = received  # type: ignore[method-assign]
    await client.initialize(SETTINGS, {"workspace": {"configuration": True}})
    editor, buffer = opened(client, "f(")
    assert [item.text for item in await editor.complete(buffer)] == [")"]
    # The answers have arrived, and the document is still trusted.
    await client.command("fim-lsp.statistics")
    editor.type(buffer, "(")
    assert [item.text for item in await editor.complete(buffer)] == ["))"]
    assert await client.stop() == 0
