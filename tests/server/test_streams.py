"""Streams that are nonsense, closed or full, and clients that do not read: the server reports the fault and
ends, and so does its worker. A deaf server would be worse than none, because editors start a new one."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from fim_lsp.server.framing import Garbled, next_body
from fim_lsp.server.settings import BUDGET_MS
from tests.server_editor import VERSION
from tests.sessions.client import PATIENCE, PATIENT, SERVE, Client, ServerError
from tests.sessions.editor import Editor

pytestmark = pytest.mark.asyncio

# Scripts write names that are not defined.
SETTINGS = PATIENT | {"model": "none", "pythonVersion": VERSION, "names": False}
# An orderly end may take a second, and this machine may be busy.
SOON = PATIENCE
NO_JSON, NO_REQUEST, NO_METHOD = -32700, -32600, -32601


async def started(*arguments: str, **settings: Any) -> Client:
    """A server whose worker has answered."""
    client = await Client.start(*arguments, stderr=asyncio.subprocess.PIPE)
    await client.initialize(SETTINGS | settings)
    editor = Editor(client)
    buffer = editor.open("file:///streams/a.py", "f(")
    buffer.cursor = 2
    await client.command("fim-lsp.explain", buffer.uri, {"line": 0, "character": 2})
    assert [item.text for item in await editor.complete(buffer)] == [")"]
    return client


def workers(client: Client) -> list[psutil.Process]:
    found: list[psutil.Process] = psutil.Process(client.process.pid).children(recursive=True)
    assert found
    return found


async def ended(client: Client, below: list[psutil.Process]) -> tuple[int, str]:
    """The exit code and the text on stderr; checks that no process of the server is left."""
    code = await asyncio.wait_for(client.process.wait(), SOON)
    assert client.process.stderr is not None
    said = await asyncio.wait_for(client.process.stderr.read(), SOON)
    _, alive = psutil.wait_procs(below, timeout=SOON)
    assert alive == []
    return code, said.decode()


def raw(client: Client, content: bytes) -> None:
    assert client.process.stdin is not None
    client.process.stdin.write(content)


HEADS = [
    (b"Content-Length: abc\r\n\r\n{}", "a Content-Length that is no number"),
    (b"Content-Length: -5\r\n\r\n{}", "a Content-Length that is no number"),
    (b"Content-Length:\r\n\r\n{}", "a Content-Length that is no number"),
    (b"Content-Length: 1.5\r\n\r\n{}", "a Content-Length that is no number"),
    (b"Content-Length: 1000000000000\r\n\r\n{}", "a Content-Length of more than 512 MB"),
    (b"Content-Length: 100000000000000000000\r\n\r\n{}", "a Content-Length that is no number"),
    (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", "a line where a header should be"),
    (b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}", "two Content-Lengths that differ"),
    (b"Content-Type: application/json\r\n\r\n{}", "a head without Content-Length"),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "a line where a header should be"),
    (b"A: b\r\n" * 100, "a line where a header should be"),
    (b"x" * 100_000, "a line where a header should be"),
    # The length is too small, so the rest of the body is not a header.
    (b'Content-Length: 5\r\n\r\n{"jsonrpc": "2.0"}\r\n', "a line where a header should be"),
]


IDS = [said + str(number) for number, (_, said) in enumerate(HEADS)]


@pytest.mark.parametrize(("head", "said"), HEADS, ids=IDS)
async def test_a_head_that_makes_no_sense_is_given_up(head: bytes, said: str) -> None:
    stream = BytesIO(head)
    with pytest.raises(Garbled, match=said):
        list(iter(partial(next_body, stream), None))


# A server of its own for each case takes a second and a half.
@pytest.mark.parametrize(
    ("head", "said"),
    [*(pytest.param(*head, marks=pytest.mark.long) for head in HEADS[:-1]), HEADS[-1]],
    ids=IDS,
)
async def test_a_head_that_makes_no_sense_ends_the_server_and_says_so(head: bytes, said: str) -> None:
    client = await started()
    below = workers(client)
    raw(client, head)
    code, stderr = await ended(client, below)
    assert code == 2
    assert said in stderr
    assert "Traceback" not in stderr


async def test_why_it_ends_is_said_in_the_log_and_on_stderr(tmp_path: Path) -> None:
    client = await started("--log-file", str(tmp_path / "log"))
    below = workers(client)
    raw(client, HEADS[0][0])
    code, stderr = await ended(client, below)
    assert code == 2
    assert HEADS[0][1] in stderr
    assert HEADS[0][1] in (tmp_path / "log").read_text()


async def test_a_length_that_is_too_large_waits_for_the_rest_and_ends_with_stdin() -> None:
    client = await started()
    below = workers(client)
    raw(client, b"Content-Length: 100000000\r\n\r\n{}")
    assert client.process.stdin is not None
    client.process.stdin.close()
    code, said = await ended(client, below)
    assert code == 1
    assert "ends in the middle of a message" in said


BODIES = [
    (b"{", NO_JSON),
    (b"", NO_JSON),
    (b'{"jsonrpc": "2.0", "method": "shutdown", "id": ' + b"1" * 5000 + b"}", NO_JSON),
    (b"[" * 100_000, NO_JSON),
    (b"\xff\xfe", NO_JSON),
    (b"[]", NO_REQUEST),
    (b'"shutdown"', NO_REQUEST),
    (b"{}", NO_REQUEST),
    (b'{"jsonrpc": "1.0", "method": "shutdown"}', NO_REQUEST),
    (b'{"jsonrpc": "2.0", "method": 5}', NO_REQUEST),
    (b'{"jsonrpc": "2.0", "method": "shutdown", "id": null}', NO_REQUEST),
    (b'{"jsonrpc": "2.0", "method": "shutdown", "id": 1.5}', NO_REQUEST),
    (b'{"jsonrpc": "2.0", "method": "shutdown", "id": true}', NO_REQUEST),
    (b'{"jsonrpc": "2.0", "method": "shutdown", "id": [1]}', NO_REQUEST),
]


async def test_what_is_no_message_is_answered_with_null_for_an_id() -> None:
    client = await started()
    for body, _ in BODIES:
        client.send_bytes(body)
        await client.answer("no/such/method", {})
    assert client.n_answers[None] == len(BODIES)
    assert [error["code"] for error in client.errors[::2]] == [code for _, code in BODIES]
    assert {error["code"] for error in client.errors[1::2]} == {NO_METHOD}
    assert await client.stop() == 0
    assert client.process.stderr is not None
    said = (await client.process.stderr.read()).decode()
    assert "Traceback" not in said
    assert "File " not in said


async def test_no_error_tells_of_our_sources() -> None:
    client = await started()
    methods = ("textDocument/inlineCompletion", "workspace/executeCommand", "initialize")
    nonsense: tuple[Any, ...] = ([], 5, {"position": 1}, {"textDocument": {"uri": 1}}, None)
    for method, params in itertools.product(methods, nonsense):
        answer = await client.answer(method, params)
        assert answer.error is not None
        assert set(answer.error) <= {"code", "message"}
    assert await client.stop() == 0
    assert client.process.stderr is not None
    assert "Traceback" not in (await client.process.stderr.read()).decode()


async def test_an_answer_with_the_number_of_the_client_s_own_request_is_dropped() -> None:
    client = await started()
    editor = Editor(client)
    buffer = editor.open("file:///streams/own.py", "f(")
    buffer.cursor = 2
    number, future = client.ask("textDocument/inlineCompletion", editor.inline_params(buffer))
    client.send({"id": number, "result": {"items": "forged"}})
    client.send({"id": [number], "result": None})
    answer = await asyncio.wait_for(future, PATIENCE)
    assert answer.result["items"][0]["insertText"] == ")"
    assert await client.stop() == 0


# --- the ends of the pipes -------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="there are no such descriptors elsewhere")
async def test_a_stdout_that_takes_nothing_more_ends_the_server() -> None:
    client = await started()
    below = workers(client)
    client._reading.cancel()  # type: ignore[union-attr]
    await closed(client.process._transport.get_pipe_transport(1))  # type: ignore[attr-defined]
    client.notify("workspace/didChangeConfiguration", {"settings": {"enable": False}})
    client.send({"id": 1000, "method": "shutdown", "params": None})
    code, said = await ended(client, below)
    assert code in (0, 1)
    assert "takes no more messages" in said


async def closed(transport: Any) -> None:
    """Waits until the pipe is closed. A transport closes its pipe later, and until then the server may write
    to it."""
    pipe = transport.get_extra_info("pipe")
    transport.close()
    while not pipe.closed:
        await asyncio.sleep(0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
async def test_a_stdout_that_is_full_ends_the_server() -> None:
    with Path("/dev/full").open("wb") as full:
        process = await asyncio.create_subprocess_exec(
            *SERVE, stdin=subprocess.PIPE, stdout=full, stderr=subprocess.PIPE
        )
    assert process.stdin is not None
    process.stdin.write(framed({"id": 1, "method": "initialize", "params": {"capabilities": {}}}))
    assert await asyncio.wait_for(process.wait(), SOON) == 1
    assert process.stderr is not None
    assert "takes no more messages" in (await process.stderr.read()).decode()
    process.stdin.close()


@pytest.mark.skipif(os.name != "posix", reason="there are no such descriptors elsewhere")
async def test_with_a_closed_stderr_the_worker_starts_and_answers() -> None:
    client = await Client.start(command=["/bin/sh", "-c", f"exec '{SERVE[0]}' serve 2>&-"])
    await client.initialize(SETTINGS | {"timeBudget": 60_000})
    editor = Editor(client)
    buffer = editor.open("file:///streams/stderr.py", "f(")
    buffer.cursor = 2
    assert [item.text for item in await editor.complete(buffer)] == [")"]
    assert await client.stop() == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells what a process waits for")
async def test_the_editor_s_death_is_noticed_while_nothing_reads_stdout() -> None:
    with (
        subprocess.Popen(["sleep", "1000"]) as editor,
        subprocess.Popen(
            SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server,
    ):
        assert server.stdin is not None
        params = {"processId": editor.pid, "capabilities": {}}
        server.stdin.write(framed({"id": 1, "method": "initialize", "params": params}))
        for number in range(2, 5000):
            server.stdin.write(framed({"id": number, "method": "x" * 60}))
        server.stdin.flush()
        deadline = time.monotonic() + PATIENCE
        while not is_writing(psutil.Process(server.pid)) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        editor.kill()
        editor.wait()
        assert server.wait(SOON) == 1


def is_writing(process: psutil.Process) -> bool:
    """Whether the process waits for a reader of its pipe."""
    waits_in = Path(f"/proc/{process.pid}/wchan")
    return waits_in.exists() and "pipe" in waits_in.read_text()


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


# --- a worker that is frozen or late ---------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="there are no such signals elsewhere")
async def test_a_frozen_worker_is_not_waited_for_longer_than_the_budget() -> None:
    client = await started(timeBudget=BUDGET_MS)
    [worker] = workers(client)
    worker.send_signal(signal.SIGSTOP)
    editor = Editor(client)
    buffer = editor.open("file:///streams/frozen.py", "f(")
    buffer.cursor = 2
    begun = time.monotonic()
    assert await editor.complete(buffer) == []
    # The default budget is 0.8 s; the rest is a reserve for a busy machine.
    assert time.monotonic() - begun < 5
    worker.send_signal(signal.SIGCONT)
    assert await client.stop() == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends what is frozen")
@pytest.mark.parametrize("end", ["stdin ends", "exit", "SIGKILL"])
async def test_a_frozen_worker_does_not_outlive_the_server(end: str) -> None:
    client = await started()
    below = workers(client)
    below[0].send_signal(signal.SIGSTOP)
    if end == "stdin ends":
        assert client.process.stdin is not None
        client.process.stdin.close()
    elif end == "exit":
        await client.request("shutdown", None)
        client.notify("exit", None)
    else:
        client.process.kill()
    await ended(client, below)


async def test_the_budget_holds_for_the_first_answer_in_a_long_file() -> None:
    client = await started(timeBudget=BUDGET_MS)
    editor = Editor(client)
    # 900 kB of fields take seconds to read. An answer within the budget cannot have the closing bracket.
    text = "x = f'''{a}" + "{b:>{c}} text {d!r}\n" * 45_000 + "''' + f("
    buffer = editor.open("file:///streams/long.py", text)
    buffer.cursor = len(text)
    assert await editor.complete(buffer) == []
    with pytest.raises(ServerError):
        await client.request("no/such/method", None)
    assert await client.stop() == 0
