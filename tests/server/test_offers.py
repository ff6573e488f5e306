"""Offers of the server over real stdio, by settings and kinds of requests, and the reasons for none."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.server.features import (
    configured,
    featured,
    n_asked,
)
from tests.server_editor import script
from tests.sessions.client import Client
from tests.sessions.editor import Editor, opened, texts

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    async with featured(tmp_path_factory.mktemp("log")) as client:
        yield client


async def test_names_that_do_not_exist_are_not_offered(client: Client, editor: Editor) -> None:
    model = script(("y = ", ["nobody"]), ("z = ", ["abs"]), refused=["`nobody` is not defined here"])
    await client.command("fim-lsp.switchModel", model)
    await configured(client, names=True)
    unknown = opened(editor, "file:///features/names.py", "y = $0\n")
    assert await texts(editor, unknown) == []
    assert "`nobody` is not defined here" in str(client.statuses()[-1]["message"])
    position = {"line": 0, "character": 4}
    found = await client.command("fim-lsp.explain", "file:///features/names.py", position)
    # What the declarations refuse counts as refused, although the grammar would have let it through.
    assert found["trace"] == {"offered": "", "wanted": "nobody", "refused": ["`nobody` is not defined here"]}
    assert await texts(editor, opened(editor, "file:///features/exists.py", "z = $0\n")) == ["abs"]
    await configured(client)
    assert await texts(editor, opened(editor, "file:///features/grammar.py", "y = $0\n")) == ["nobody"]
    await client.command("fim-lsp.switchModel", "none")


async def test_partial_results_grow_and_the_answer_is_empty_then(client: Client, editor: Editor) -> None:
    model = script(("x = ", ["abc"]), steps=3, step_s=0.01)
    await client.command("fim-lsp.switchModel", model)
    buffer = opened(editor, "file:///features/partial.py", "x = $0\n")
    assert await texts(editor, buffer, invoked=True, partialResultToken="parts") == []
    parts = [
        params["value"]["items"][0]["insertText"]
        for method, params in client.notifications
        if method == "$/progress" and params["token"] == "parts"
    ]
    assert parts == ["a", "ab", "abc", "abc"]
    await client.command("fim-lsp.switchModel", "none")


async def test_formatting_options_of_the_request_win(client: Client, editor: Editor) -> None:
    await client.command("fim-lsp.switchModel", script(("", ["if x:\n        return 1"])))
    options = {"tabSize": 3, "insertSpaces": True}
    buffer = opened(editor, "file:///features/format.py", "def f(x):\n    $0\n")
    assert await texts(editor, buffer, formattingOptions=options) == ["if x:\n       return 1"]
    await client.command("fim-lsp.switchModel", "none")


async def test_after_an_accept_the_next_completion_is_there_already(client: Client, editor: Editor) -> None:
    model = script(("x = ", ["1"]), ("x = 12", ["345"]), ("345", [" + 6"]))
    await client.command("fim-lsp.switchModel", model)
    buffer = opened(editor, "file:///features/ahead.py", "x = 12$0\n")
    [item] = await editor.complete(buffer)
    before = await n_asked(client)
    editor.accept(buffer, item)
    # The worker is asked once, before the request or with it.
    assert await texts(editor, buffer) == [" + 6"]
    assert await texts(editor, buffer) == [" + 6"]
    assert await n_asked(client) == before + 1
    await client.command("fim-lsp.switchModel", "none")


async def test_several_completions_are_there_when_the_user_asks(client: Client, editor: Editor) -> None:
    await configured(client, alternatives=3)
    await client.command("fim-lsp.switchModel", script(("x = ", ["1", "2", "3"])))
    buffer = opened(editor, "file:///features/several.py", "x = $0\n")
    assert await texts(editor, buffer, invoked=True) == ["1", "2", "3"]
    await configured(client)
    await client.command("fim-lsp.switchModel", "none")


async def test_alternatives_are_worked_out_on_demand_and_then_remembered(
    client: Client, editor: Editor
) -> None:
    """While typing there is one text; a request for more gets alternatives, although the place is known
    already."""
    await client.command("fim-lsp.switchModel", script(("x = ", ["1", "2", "3"])))
    buffer = opened(editor, "file:///features/more.py", "x = $0\n")
    await texts(editor, buffer)
    before = await n_asked(client)
    assert await texts(editor, buffer, invoked=True) == ["1", "2", "3"]
    assert await n_asked(client) == before + 1
    assert await texts(editor, buffer, invoked=True) == ["1", "2", "3"]
    assert await n_asked(client) == before + 1
    await client.command("fim-lsp.switchModel", "none")


async def test_manual_only_answers_only_who_asks(client: Client, editor: Editor) -> None:
    await configured(client, manualOnly=True)
    buffer = opened(editor, "file:///features/manual.py", "f($0\n")
    assert await texts(editor, buffer) == []
    assert await texts(editor, buffer, invoked=True) == [")"]
    await configured(client)


async def test_comments_are_left_alone_unless_wished(client: Client, editor: Editor) -> None:
    await client.command("fim-lsp.switchModel", script(("", [" more"])))
    buffer = opened(editor, "file:///features/comments.py", "x = '#'  # a comment$0\n")
    assert await texts(editor, buffer) == []
    assert (await client.command("fim-lsp.explain", buffer.uri))["reason"] == "comment"
    await configured(client, inComments=True)
    assert await texts(editor, buffer) == [" more"]
    await configured(client)
    await client.command("fim-lsp.switchModel", "none")


@pytest.mark.parametrize(
    ("settings", "marked", "language", "reason", "says"),
    [
        ({"enable": False}, "f($0\n", "python", "disabled", "switched off"),
        ({}, "let x = [1$0", "ruby", "language", "ruby"),
        ({"exclude": ["features/"]}, "f($0\n", "python", "excluded", "exclude"),
        ({"maxDocumentKilobytes": 1}, "x = 1\n" * 400 + "f($0\n", "python", "too large", "larger"),
        ({}, "x = ] $0\n", "python", "broken", "error"),
    ],
)
async def test_nothing_is_offered_and_the_status_says_why(
    client: Client,
    editor: Editor,
    settings: dict[str, Any],
    marked: str,
    language: str,
    reason: str,
    says: str,
) -> None:
    await configured(client, **settings)
    name = reason.replace(" ", "-")
    buffer = opened(editor, f"file:///features/{name}.src", marked, language)
    assert await texts(editor, buffer) == []
    explained = await client.command("fim-lsp.explain", buffer.uri)
    assert explained["reason"] == reason
    status = client.statuses()[-1]
    assert says in status["message"]
    assert status["uri"] == buffer.uri
    # A broken file is a passing state; other reasons stay until the user acts.
    expected = ("idle", "Warning") if reason == "broken" else ("disabled", "Inactive")
    assert (status["state"], status["kind"]) == expected
    editor.close(buffer)
    await configured(client)
