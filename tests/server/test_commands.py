"""Status and commands of the server over real stdio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.server.features import (
    configured,
    featured,
    n_of,
)
from tests.server_editor import script
from tests.sessions.client import Client
from tests.sessions.editor import Buffer, Editor, opened, texts

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    async with featured(tmp_path_factory.mktemp("log")) as client:
        yield client


async def test_focus_brings_the_document_s_status(client: Client, editor: Editor) -> None:
    ours = opened(editor, "file:///features/focus.py", "f($0\n")
    other = opened(editor, "file:///features/focus.rb", "f(", "ruby")
    await texts(editor, ours)
    assert await focused_state(client, other) == "disabled"
    assert await focused_state(client, ours) == "idle"


async def focused_state(client: Client, buffer: Buffer) -> str:
    """The reported state of a focused document; that of another one may still arrive first."""
    n_before = len(client.statuses())

    def told() -> list[str]:
        return [one["state"] for one in client.statuses()[n_before:] if one["uri"] == buffer.uri]

    client.notify("textDocument/didFocus", {"textDocument": {"uri": buffer.uri}})
    await client.until(lambda: bool(told()))
    return told()[-1]


async def test_where_the_cursor_rests_is_told_to_the_worker(client: Client, editor: Editor) -> None:
    await client.command("fim-lsp.switchModel", script(("", ["1"])))
    buffer = opened(editor, "file:///features/rest.py", "first = 1\nx = $0\n")
    await texts(editor, buffer)
    place = {"textDocument": {"uri": buffer.uri}, "position": {"line": 0, "character": 5}}
    client.notify("textDocument/didFocus", place)
    await client.logged("the cursor rests in rest.py between 'first' and ' = 1")
    for nonsense in ({"line": -1, "character": 0}, {"line": "0"}, 7, None):
        client.notify("textDocument/didFocus", {**place, "position": nonsense})
    assert await texts(editor, buffer) == ["1"]
    await client.command("fim-lsp.switchModel", "none")


async def test_busy_is_shown_while_the_model_works(client: Client, editor: Editor) -> None:
    await client.command("fim-lsp.switchModel", script(("", ["1"]), steps=30, step_s=0.02))
    buffer = opened(editor, "file:///features/busy.py", "x = $0\n")
    assert await texts(editor, buffer) == ["1"]
    assert any(status["busy"] and status["uri"] == buffer.uri for status in client.statuses())
    assert not client.statuses()[-1]["busy"]
    await client.command("fim-lsp.switchModel", "none")


async def test_toggle_switches_off_and_on(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "file:///features/toggle.py", "f($0\n")
    assert await client.command("fim-lsp.toggle") == {"enabled": False}
    assert await texts(editor, buffer) == []
    assert client.statuses()[-1]["state"] == "disabled"
    assert await client.command("fim-lsp.toggle", True) == {"enabled": True}
    assert await texts(editor, buffer) == [")"]


async def test_explain_names_the_rung_and_what_may_come(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "file:///features/explain.py", "f(a, $0\n")
    position = editor.position(buffer.text, buffer.cursor)
    explained = await client.command("fim-lsp.explain", buffer.uri, position)
    assert explained["rung"] == "file"
    assert "`)`" in explained["next"]
    assert explained["message"]


async def test_clear_cache_forgets_answers(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "file:///features/clear.py", "f($0\n")
    await texts(editor, buffer)
    assert (await client.command("fim-lsp.clearCache"))["forgotten"] > 0
    assert (await client.command("fim-lsp.clearCache"))["forgotten"] == 0
    assert await texts(editor, buffer) == [")"]


async def test_the_log_is_shown_and_carries_no_source_text(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "file:///features/log.py", "SECRET = f(SECRET$0\n")
    assert await texts(editor, buffer) == [")"]
    client.send({"id": "bad", "method": "textDocument/hover", "params": {"textDocument": "SECRET"}})
    client.notify("textDocument/didChange", {"SECRET": 1})
    n_shown = n_of(client, "window/showDocument")
    log = await client.command("fim-lsp.serverLog")
    assert Path(log["path"]).exists()
    assert log["lines"]
    await client.until(lambda: n_of(client, "window/showDocument") == n_shown + 1)
    # The change could not be read, so open documents are not trusted until they are saved.
    assert await texts(editor, buffer) == []
    editor.save(buffer)
    assert await texts(editor, buffer) == [")"]


async def test_copilot_s_notifications_are_counted_when_statistics_are_on(
    client: Client, editor: Editor
) -> None:
    await configured(client, statistics=True)
    buffer = opened(editor, "file:///features/statistics.py", "f($0\n")
    item = {"insertText": ")"}
    before = await client.command("fim-lsp.statistics")
    await texts(editor, buffer)
    client.notify("textDocument/didShowCompletion", {"item": item})
    client.notify("textDocument/didPartiallyAcceptCompletion", {"item": item, "acceptedLength": 1})
    after = await client.command("fim-lsp.statistics")
    assert after["enabled"]
    assert after["requests"] == before["requests"] + 1
    assert after["shown"] == before["shown"] + 1
    await configured(client)
    await texts(editor, buffer)
    assert (await client.command("fim-lsp.statistics"))["requests"] == after["requests"]
