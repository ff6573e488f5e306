"""Traps of the protocol, of pygls and of editors, with at least one test each, over real stdio."""

from __future__ import annotations

import ast
import asyncio
import json
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.server_editor import VERSION, script
from tests.sessions.client import CANCELLED, PATIENCE, PATIENT, Client, scripted
from tests.sessions.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

# Scripts write names that are not defined.
SETTINGS = {"model": "none", "pythonVersion": VERSION, "names": False}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncIterator[Client]:
    async with scripted(SETTINGS) as client:
        yield client


async def offered(editor: Editor, uri: str, marked: str) -> list[str]:
    """The offers at `$0`."""
    before, _, behind = marked.partition("$0")
    buffer = editor.open(uri, before + behind)
    buffer.cursor = len(before)
    return [item.text for item in await editor.complete(buffer)]


async def test_trap_1_inline_completion_is_advertised() -> None:
    client = await Client.start()
    result = await client.initialize(SETTINGS)
    assert result["capabilities"]["inlineCompletionProvider"] == {}
    assert await client.stop() == 0


@pytest.mark.parametrize("separator", ["\f", "\x0b", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
async def test_trap_2_only_lf_crlf_and_cr_end_lines(editor: Editor, separator: str) -> None:
    buffer = editor.open("file:///trap/2.py", f"s = '{separator}'\n# {separator}\nx = \n")
    buffer.cursor = len(buffer.text) - 1
    editor.type(buffer, "[1")
    assert [item.text for item in await editor.complete(buffer)] == ["]"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
async def test_trap_2_several_edits_of_one_message_follow_one_another(editor: Editor, line_end: str) -> None:
    buffer = editor.open("file:///trap/2b.py", f"a = 1{line_end}b = 2{line_end}")
    editor.edit(buffer, (0, 5 + len(line_end), ""), (4, 5, "{'k': (1,"))
    assert buffer.text == f"b = {{'k': (1,{line_end}"
    assert [item.text for item in await editor.complete(buffer)] == [")}"]


async def test_trap_3_a_request_in_progress_is_cancelled_at_once_and_delays_nothing() -> None:
    """The model writes longer than the test waits, so each answer comes before its end."""
    settings = SETTINGS | {"model": script(("", ["1"]), steps=100_000, step_s=0.02), "timeBudget": 600_000}
    async with scripted(settings) as client:
        editor = Editor(client)
        buffer = editor.open("file:///trap/3.py", "x = \n")
        buffer.cursor = 4
        number, future = client.ask("textDocument/inlineCompletion", editor.inline_params(buffer))
        await client.logged("asked with")
        client.cancel(number)
        answer = await asyncio.wait_for(future, PATIENCE)
        assert answer.error is not None
        assert answer.error["code"] == CANCELLED
        # Other requests are answered while the model works.
        number, slow = client.ask("textDocument/inlineCompletion", editor.inline_params(buffer))
        await client.command("fim-lsp.statistics")
        assert not slow.done()
        client.cancel(number)
        assert (await asyncio.wait_for(slow, PATIENCE)).error is not None
        await client.logged("stopped at step")


async def test_trap_4_an_answer_is_about_the_text_that_the_request_was_sent_for(editor: Editor) -> None:
    """Request and edit mostly arrive together, and the handler runs after the edit: then nothing is offered.
    If the handler was quicker than the edit, the answer fits the text of the request."""
    client = editor.client
    buffer = editor.open("file:///trap/4.py", "f(\n")
    buffer.cursor = 2
    await editor.complete(buffer)
    editor.type(buffer, "[")
    _, first = client.ask("textDocument/inlineCompletion", editor.inline_params(buffer))
    asked_about = buffer.text
    editor.edit(buffer, (0, 0, "# a line in front\n"))
    answer = await asyncio.wait_for(first, PATIENCE)
    assert answer.error is None
    for item in answer.result["items"]:
        assert item["range"]["start"] == item["range"]["end"] == {"line": 0, "character": 3}
        ast.parse(asked_about[:3] + item["insertText"] + asked_about[3:])


async def test_trap_5_every_item_has_its_range(client: Client, editor: Editor) -> None:
    buffer = editor.open("file:///trap/5.py", "x = f(a\n")
    buffer.cursor = 7
    answer = await client.answer("textDocument/inlineCompletion", editor.inline_params(buffer))
    here = {"line": 0, "character": 7}
    assert [item["range"] for item in answer.result["items"]] == [{"start": here, "end": here}]


async def test_trap_6_nothing_is_an_empty_list_and_the_latest_request_wins(
    client: Client, editor: Editor
) -> None:
    assert await offered(editor, "file:///trap/6.py", "x = 1$0\n") == []
    await client.command("fim-lsp.switchModel", script(("", ["1"]), steps=30, step_s=0.02))
    buffer = editor.open("file:///trap/6b.py", "x = \n")
    buffer.cursor = 4
    await client.command("fim-lsp.explain", buffer.uri, editor.position(buffer.text, 4))
    futures = [client.ask("textDocument/inlineCompletion", editor.inline_params(buffer))[1] for _ in range(4)]
    *superseded, latest = [await asyncio.wait_for(future, PATIENCE) for future in futures]
    assert [answer.error and answer.error["code"] for answer in superseded] == [CANCELLED] * 3
    assert latest.result["items"][0]["insertText"] == "1"
    await client.command("fim-lsp.switchModel", "none")


async def test_trap_7_accepts_are_seen_in_the_edits(client: Client, editor: Editor) -> None:
    client.settings = SETTINGS | {"statistics": True}
    client.notify("workspace/didChangeConfiguration", {"settings": {"fim-lsp": client.settings}})
    await client.command("fim-lsp.switchModel", script(("x = ", ["foo(a, b)"]), ("foo(a, b)", ["\ny = 2"])))
    buffer = editor.open("file:///trap/7.py", "x = \n")
    buffer.cursor = 4
    [item] = await editor.complete(buffer)
    before = await client.command("fim-lsp.statistics")
    editor.type(buffer, "f")
    editor.type(buffer, "oo(")
    after = await client.command("fim-lsp.statistics")
    assert after["partiallyAccepted"] == before["partiallyAccepted"] + 1
    editor.type(buffer, "a, b)")
    assert (await client.command("fim-lsp.statistics"))["accepted"] == before["accepted"] + 1
    # The editor reports the same document again, which is not another one.
    await client.command("fim-lsp.didAccept", item.number)
    assert (await client.command("fim-lsp.statistics"))["accepted"] == before["accepted"] + 1
    await client.command("fim-lsp.switchModel", "none")
    client.settings = SETTINGS
    client.notify("workspace/didChangeConfiguration", {"settings": {"fim-lsp": SETTINGS}})


async def test_trap_8_bytes_that_are_no_utf_8_do_not_put_the_document_out_of_step(editor: Editor) -> None:
    client = editor.client
    buffer = editor.open("file:///trap/8.py", "x = 1\nf(\n")
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "method": "textDocument/didChange",
            "params": {
                "textDocument": {"uri": buffer.uri, "version": 2},
                "contentChanges": [{"range": editor.range(buffer.text, 0, 0), "text": "# BYTES\n"}],
            },
        }
    ).encode()
    client.send_bytes(body.replace(b"BYTES", b"\xff\xfe"))
    buffer.text = "# ??\n" + buffer.text
    buffer.version = 2
    buffer.cursor = buffer.text.index("f(") + 2
    assert await editor.complete(buffer) == []
    explained = await client.command("fim-lsp.explain", buffer.uri)
    assert explained["reason"] == "encoding"
    # Each byte is one unit, so the next change is at its right place.
    editor.edit(buffer, (2, 4, "ok"))
    buffer.cursor = buffer.text.index("f(") + 2
    assert [item.text for item in await editor.complete(buffer)] == [")"]


async def test_trap_8_after_a_message_that_cannot_be_read_no_document_is_trusted(editor: Editor) -> None:
    client = editor.client
    buffer = editor.open("file:///trap/8b.py", "f(\n")
    buffer.cursor = 2
    assert [item.text for item in await editor.complete(buffer)] == [")"]
    client.send_bytes(b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {')
    assert await editor.complete(buffer) == []
    assert (await client.command("fim-lsp.explain", buffer.uri))["reason"] == "out of step"
    # Saving sends the whole text, and the document is trusted again.
    editor.save(buffer)
    assert [item.text for item in await editor.complete(buffer)] == [")"]


async def test_trap_8_a_version_that_goes_back_is_noticed_and_the_whole_text_mends_it(editor: Editor) -> None:
    buffer = editor.open("file:///trap/8c.py", "f(\n")
    buffer.version = 7
    editor.edit(buffer, (2, 2, "("))
    buffer.version = 2
    editor.edit(buffer, (3, 3, "("))
    assert await editor.complete(buffer) == []
    editor.replace_all(buffer, "f(((\n")
    buffer.cursor = 4
    assert [item.text for item in await editor.complete(buffer)] == [")))"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_trap_9_columns_are_counted_as_agreed(encoding: str) -> None:
    client = await Client.start()
    result = await client.initialize(SETTINGS | PATIENT, {"general": {"positionEncodings": [encoding]}})
    assert result["capabilities"]["positionEncoding"] == encoding
    editor = Editor(client, encoding)
    buffer = editor.open("file:///trap/9.py", "x = f('😀é𝒳'\n")
    buffer.cursor = len(buffer.text) - 1
    editor.type(buffer, ", '😀'")
    [item] = await editor.complete(buffer)
    assert item.applied(buffer.text) == "x = f('😀é𝒳', '😀')\n"
    assert await client.stop() == 0


async def test_trap_9_a_keystroke_does_not_cost_the_file_s_length(editor: Editor) -> None:
    """Both files are measured in the same run and compared as a ratio, because the machine may be busy. The
    longer file has a hundred times the lines."""

    async def seconds(n_lines: int) -> float:
        buffer = editor.open(f"file:///trap/{n_lines}.py", "x = 1\n" * n_lines + "f(\n")
        buffer.cursor = len(buffer.text) - 1
        await editor.complete(buffer)
        times = []
        for _ in range(30):
            editor.type(buffer, "(")
            start = time.perf_counter()
            assert await editor.complete(buffer)
            times.append(time.perf_counter() - start)
        return sorted(times)[len(times) // 2]

    short, long = await seconds(200), await seconds(20_000)
    assert long < 10 * short + 0.02
