"""The editor features that the server uses, and its answers to an editor without them, over real stdio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.server.features import (
    METHOD_NOT_FOUND,
    SETTINGS,
    configured,
    featured,
    n_of,
)
from tests.server_editor import script
from tests.sessions.client import SCRIPTED, Client, ServerError
from tests.sessions.editor import Editor, opened, texts

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    async with featured(tmp_path_factory.mktemp("log")) as client:
        yield client


async def test_the_editor_is_asked_for_settings_and_to_tell_of_changes(client: Client) -> None:
    await client.until(lambda: n_of(client, "client/registerCapability") > 0)
    await client.until(lambda: n_of(client, "workspace/configuration") > 0)
    asked = [params for method, params in client.requests if method == "workspace/configuration"]
    assert asked[0]["items"][0]["section"] == "fim-lsp"
    registered = {
        registration["method"]
        for method, params in client.requests
        if method == "client/registerCapability"
        for registration in params["registrations"]
    }
    assert "workspace/didChangeConfiguration" in registered
    assert "workspace/didChangeWatchedFiles" in registered
    assert "textDocument/completion" not in registered, "this client has inline completion"


async def test_a_document_has_settings_of_its_own(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "file:///features/scoped.py", "f($0\n")
    assert await texts(editor, buffer) == [")"]
    scopes = [
        item.get("scopeUri")
        for method, params in client.requests
        if method == "workspace/configuration"
        for item in params["items"]
    ]
    assert buffer.uri in scopes


async def test_popup_completion_comes_and_goes_with_its_setting(client: Client, editor: Editor) -> None:
    unannounced = opened(editor, "file:///features/unannounced.py", "print(wid$0\n")
    with pytest.raises(ServerError) as refused:
        await client.request(
            "textDocument/completion",
            {
                "textDocument": {"uri": unannounced.uri},
                "position": editor.position(unannounced.text, unannounced.cursor),
            },
        )
    assert refused.value.args[0]["code"] == METHOD_NOT_FOUND
    await configured(client, popupCompletion="on")
    await client.until(
        lambda: any(
            registration["method"] == "textDocument/completion"
            for method, params in client.requests
            if method == "client/registerCapability"
            for registration in params["registrations"]
        )
    )
    buffer = opened(editor, "file:///features/popup.py", "print(wid$0\n")
    result = await client.request(
        "textDocument/completion",
        {"textDocument": {"uri": buffer.uri}, "position": editor.position(buffer.text, buffer.cursor)},
    )
    [item] = result["items"]
    assert item["textEdit"]["newText"] == "wid)"
    assert item["filterText"] == "wid)"
    assert item["textEdit"]["range"]["start"]["character"] == 6
    await configured(client)
    await client.until(lambda: n_of(client, "client/unregisterCapability") == 1)


@pytest.mark.parametrize("knows", [True, False])
async def test_the_status_has_a_name_that_may_be_ignored_for_who_does_not_know_it(knows: bool) -> None:
    client = await Client.start(command=SCRIPTED)
    await client.initialize({**SETTINGS, **({"didChangeStatus": True} if knows else {})})
    buffer = opened(Editor(client), "file:///features/status.py", "f(a$0\n")
    await Editor(client).complete(buffer)
    await client.until(lambda: bool(client.statuses))
    names = {method for method, _ in client.notifications if method.endswith("didChangeStatus")}
    assert names == {"didChangeStatus" if knows else "$/didChangeStatus"}
    assert await client.stop() == 0


async def test_without_inline_completion_the_popup_is_served_from_the_start() -> None:
    client = await Client.start(command=SCRIPTED)
    result = await client.initialize(SETTINGS)
    assert "completionProvider" in result["capabilities"]
    buffer = opened(Editor(client), "file:///features/static.py", "f(a$0\n")
    result = await client.request(
        "textDocument/completion",
        {"textDocument": {"uri": buffer.uri}, "position": {"line": 0, "character": 3}},
    )
    assert [item["textEdit"]["newText"] for item in result["items"]] == ["a)"]
    # Beginnings of a long text in front of the word are not tried character by character.
    data = f"x = '{'a' * 500_000}' + f(a"
    buffer = opened(Editor(client), "file:///features/data.py", f"{data}$0\n")
    result = await client.request(
        "textDocument/completion",
        {"textDocument": {"uri": buffer.uri}, "position": {"line": 0, "character": len(data)}},
    )
    assert [item["textEdit"]["newText"] for item in result["items"]] == ["a)"]
    assert await client.stop() == 0


async def test_progress_is_shown_while_a_model_loads_and_requests_wait_for_it(
    client: Client, editor: Editor
) -> None:
    buffer = opened(editor, "file:///features/loading.py", "f($0\n")
    await texts(editor, buffer)
    model = script(("f(", ["a)"]), load_s=0.2)
    switching = asyncio.ensure_future(client.command("fim-lsp.switchModel", model))
    await client.until(lambda: any(method == "$/progress" for method, _ in client.notifications))
    editor.type(buffer, "\n")
    buffer.cursor = 2
    assert await texts(editor, buffer) == ["a)"]
    assert (await switching)["model"] == "scripted"
    kinds = [params["value"]["kind"] for method, params in client.notifications if method == "$/progress"]
    assert kinds[0] == "begin"
    assert kinds[-1] == "end"
    assert n_of(client, "window/workDoneProgress/create") == 1
    await client.command("fim-lsp.switchModel", "none")


async def test_trigger_kinds_of_both_numberings() -> None:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS | {"manualOnly": True})
    editor = Editor(client)
    buffer = opened(editor, "file:///features/kinds.py", "f($0\n")
    assert [item.text for item in await editor.complete(buffer, context={"triggerKind": 0})] == [")"]
    assert await editor.complete(buffer, context={"triggerKind": 1}) == []
    # LSP requires a context; a request without one is answered all the same.
    assert await editor.complete(buffer, context=None) == []
    assert await client.stop() == 0


async def test_a_request_that_makes_no_sense_is_answered(client: Client) -> None:
    answer = await client.answer("textDocument/inlineCompletion", {"textDocument": 1})
    assert answer.error is not None
    answer = await client.answer("no/such/method", {})
    assert answer.error is not None
    result = await client.request(
        "textDocument/inlineCompletion",
        {"textDocument": {"uri": "file:///never/opened.py"}, "position": {"line": 0, "character": 0}},
    )
    assert result == {"items": []}


async def test_a_document_that_was_never_opened_is_not_read(client: Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("x = [1")
    result = await client.request(
        "textDocument/inlineCompletion",
        {"textDocument": {"uri": secret.as_uri()}, "position": {"line": 0, "character": 6}},
    )
    assert result == {"items": []}


async def test_ignore_files_are_followed_and_followed_again_when_they_change(
    client: Client, editor: Editor, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("generated.py\n")
    buffer = opened(editor, (tmp_path / "generated.py").as_uri(), "f($0\n")
    assert await texts(editor, buffer) == []
    assert (await client.command("fim-lsp.explain", buffer.uri))["reason"] == "excluded"
    mine = opened(editor, (tmp_path / "mine.py").as_uri(), "f($0\n")
    assert await texts(editor, mine) == [")"]
    (tmp_path / ".fimignore").write_text("mine.py\n")
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    editor.type(mine, "(")
    assert await texts(editor, mine) == []


async def test_closing_frees_what_was_kept(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "file:///features/closed.py", "f($0\n")
    assert await texts(editor, buffer) == [")"]
    uri = buffer.uri
    editor.close(buffer)
    result = await client.request(
        "textDocument/inlineCompletion",
        {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 2}},
    )
    assert result == {"items": []}
