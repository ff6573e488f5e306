"""Each feature of the server over real stdio, driven as an editor would. What its worker does is in
`test_server_worker.py`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.server_editor import VERSION, script
from tests.sessions.client import SCRIPTED, Client, ServerError
from tests.sessions.editor import Editor, opened, texts

pytestmark = pytest.mark.asyncio(loop_scope="module")

# What scripts write is no defined name.
SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION, "names": False}
CAPABILITIES: dict[str, Any] = {
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "textDocument": {"inlineCompletion": {}, "completion": {"dynamicRegistration": True}},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    log = tmp_path_factory.mktemp("log") / "fim-lsp.log"
    client = await Client.start("--log-file", str(log), "--log-level", "debug", command=SCRIPTED)
    await client.initialize(SETTINGS, CAPABILITIES)
    yield client
    assert await client.stop() == 0
    assert set(client.n_answers.values()) == {1}, "each request has exactly one answer"
    content = log.read_text()
    assert "SECRET" not in content, "the log carries source text"
    assert "Traceback" not in content


async def configured(client: Client, **settings: Any) -> None:
    """Other settings, as an editor tells of them: it is asked then."""
    client.settings = SETTINGS | settings
    n_asked = n_of(client, "workspace/configuration")
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    await client.until(lambda: n_of(client, "workspace/configuration") > n_asked)
    # The answer to the server's question goes ahead of this request's.
    await client.command("fim-lsp.statistics")


def n_of(client: Client, method: str) -> int:
    return sum(name == method for name, _ in client.requests)


METHOD_NOT_FOUND = -32601


async def n_asked(client: Client) -> int:
    lines = (await client.command("fim-lsp.serverLog"))["lines"]
    return sum("asked with" in line for line in lines)


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
    # What is long in front of the word is not tried letter by letter.
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


async def test_names_that_do_not_exist_are_not_offered(client: Client, editor: Editor) -> None:
    model = script(("y = ", ["nobody"]), ("z = ", ["abs"]), refused=["`nobody` is not defined here"])
    await client.command("fim-lsp.switchModel", model)
    await configured(client, names=True)
    unknown = opened(editor, "file:///features/names.py", "y = $0\n")
    assert await texts(editor, unknown) == []
    assert "`nobody` is not defined here" in str(client.statuses()[-1]["message"])
    position = {"line": 0, "character": 4}
    found = await client.command("fim-lsp.explain", "file:///features/names.py", position)
    assert "`nobody` is not defined here" in found["reasons"]
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
    # The worker is asked once, before or with the request.
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
    """One text while typing; who asks for more gets them, though the place is known already."""
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


async def test_trigger_kinds_of_both_numberings() -> None:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS | {"manualOnly": True})
    editor = Editor(client)
    buffer = opened(editor, "file:///features/kinds.py", "f($0\n")
    assert [item.text for item in await editor.complete(buffer, context={"triggerKind": 0})] == [")"]
    assert await editor.complete(buffer, context={"triggerKind": 1}) == []
    # A context is wanted by LSP; a request without one is answered nevertheless.
    assert await editor.complete(buffer, context=None) == []
    assert await client.stop() == 0


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
    # What is broken is for the moment, all else until the user does something about it.
    expected = ("idle", "Warning") if reason == "broken" else ("disabled", "Inactive")
    assert (status["state"], status["kind"]) == expected
    editor.close(buffer)
    await configured(client)


async def test_focus_brings_the_document_s_status(client: Client, editor: Editor) -> None:
    ours = opened(editor, "file:///features/focus.py", "f($0\n")
    other = opened(editor, "file:///features/focus.rb", "f(", "ruby")
    await texts(editor, ours)
    client.notify("textDocument/didFocus", {"textDocument": {"uri": other.uri}})
    await client.until(lambda: client.statuses()[-1]["uri"] == other.uri)
    assert client.statuses()[-1]["state"] == "disabled"
    client.notify("textDocument/didFocus", {"textDocument": {"uri": ours.uri}})
    await client.until(lambda: client.statuses()[-1]["uri"] == ours.uri)
    assert client.statuses()[-1]["state"] == "idle"


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
    # The change could not be read, so what is open is not trusted until it is saved.
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
