"""The language server over real stdio, driven by pygls' own client: every request gets its one answer."""

from __future__ import annotations

import ast
import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

URI = "file:///nowhere/a.py"
PATIENCE = 20.0
FIM_LSP = str(Path(sys.executable).with_name("fim-lsp"))

Conversation = Callable[[LanguageClient, types.InitializeResult], Awaitable[None]]


def converse(conversation: Conversation, encoding: types.PositionEncodingKind | None = None) -> None:
    """Starts a server, speaks with it, and expects an orderly end."""

    async def run() -> None:
        client = LanguageClient("test", "1")
        await client.start_io(FIM_LSP, "serve")
        await in_order(client, conversation, encoding)
        await asyncio.wait_for(client.stop(), PATIENCE)  # type: ignore[no-untyped-call]

    asyncio.run(run())


async def in_order(
    client: LanguageClient, conversation: Conversation, encoding: types.PositionEncodingKind | None = None
) -> None:
    general = None if encoding is None else types.GeneralClientCapabilities(position_encodings=[encoding])
    capabilities = types.ClientCapabilities(general=general)
    start = types.InitializeParams(capabilities, initialization_options={"model": "none"})
    result = await asyncio.wait_for(client.initialize_async(start), PATIENCE)
    client.initialized(types.InitializedParams())
    await conversation(client, result)
    await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
    client.exit(None)


def open_document(client: LanguageClient, text: str, language: str = "python") -> None:
    item = types.TextDocumentItem(URI, language, 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


def change(
    client: LanguageClient, version: int, *edits: tuple[tuple[int, int], tuple[int, int], str]
) -> None:
    changes: list[types.TextDocumentContentChangeEvent] = [
        types.TextDocumentContentChangePartial(
            range=types.Range(types.Position(*start), types.Position(*stop)), text=text
        )
        for start, stop, text in edits
    ]
    document = types.VersionedTextDocumentIdentifier(uri=URI, version=version)
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))


async def completions(
    client: LanguageClient,
    line: int,
    column: int,
    selected: types.SelectedCompletionInfo | None = None,
    uri: str = URI,
) -> list[types.InlineCompletionItem]:
    params = types.InlineCompletionParams(
        context=types.InlineCompletionContext(types.InlineCompletionTriggerKind.Automatic, selected),
        text_document=types.TextDocumentIdentifier(uri),
        position=types.Position(line, column),
    )
    answer = await asyncio.wait_for(client.text_document_inline_completion_async(params), PATIENCE)
    assert isinstance(answer, types.InlineCompletionList), "a null result leaves stale text in Neovim"
    return list(answer.items)


def test_inline_completion_is_announced() -> None:
    async def conversation(_: LanguageClient, result: types.InitializeResult) -> None:
        assert result.capabilities.inline_completion_provider
        assert result.server_info is not None
        assert result.server_info.name == "fim-lsp"

    converse(conversation)


def test_the_shortest_completion_of_an_open_bracket() -> None:
    async def conversation(client: LanguageClient, _: types.InitializeResult) -> None:
        open_document(client, "x = [1, 2\ny = 3\n")
        [item] = await completions(client, 0, 9)
        assert item.insert_text == "]"
        # Empty: text right of the cursor is not touched.
        assert item.range == types.Range(types.Position(0, 9), types.Position(0, 9))

    converse(conversation)


def test_nothing_is_offered_where_the_file_parses_or_nothing_helps_or_the_language_is_another() -> None:
    async def conversation(client: LanguageClient, _: types.InitializeResult) -> None:
        open_document(client, "x = 1\n")
        assert await completions(client, 0, 5) == []
        change(client, 2, ((0, 4), (0, 5), ")"))
        assert await completions(client, 0, 5) == []
        open_document(client, "let x = [1", language="typescript")
        assert await completions(client, 0, 10) == []

    converse(conversation)


def test_a_document_that_was_never_opened_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("x = [1")

    async def conversation(client: LanguageClient, _: types.InitializeResult) -> None:
        assert await completions(client, 0, 6, uri=secret.as_uri()) == []

    converse(conversation)


def test_form_feeds_and_exotic_separators_do_not_shift_edits() -> None:
    """str.splitlines would see six lines before `x`; an editor sees two."""

    async def conversation(client: LanguageClient, _: types.InitializeResult) -> None:
        open_document(client, "s = '\x85\u2028\x1c'\n\f\nx = \n")
        change(client, 2, ((2, 4), (2, 4), "[1"))
        [item] = await completions(client, 2, 6)
        assert item.insert_text == "]"

    converse(conversation)


@pytest.mark.parametrize(
    ("encoding", "column"),
    [
        (None, 12),
        (types.PositionEncodingKind.Utf8, 16),
        (types.PositionEncodingKind.Utf16, 12),
        (types.PositionEncodingKind.Utf32, 10),
    ],
)
def test_columns_are_counted_as_agreed(encoding: types.PositionEncodingKind | None, column: int) -> None:
    async def conversation(client: LanguageClient, result: types.InitializeResult) -> None:
        assert result.capabilities.position_encoding == (encoding or types.PositionEncodingKind.Utf16)
        open_document(client, "x = f('😀😀'\n")
        [item] = await completions(client, 0, column)
        assert item.insert_text == ")"
        assert item.range is not None
        assert item.range.start == types.Position(0, column)

    converse(conversation, encoding)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_several_edits_in_one_message_follow_one_another(line_end: str) -> None:
    async def conversation(client: LanguageClient, _: types.InitializeResult) -> None:
        open_document(client, f"a = 1{line_end}b = 2{line_end}")
        change(client, 2, ((0, 0), (1, 0), ""), ((0, 4), (0, 5), "{'k': (1,"))
        [item] = await completions(client, 0, 13)
        assert item.insert_text == ")}"

    converse(conversation)


def test_a_full_replacement_of_the_text() -> None:
    async def conversation(client: LanguageClient, _: types.InitializeResult) -> None:
        open_document(client, "a = 1\n")
        document = types.VersionedTextDocumentIdentifier(uri=URI, version=2)
        whole = types.TextDocumentContentChangeWholeDocument(text="f(")
        client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        [item] = await completions(client, 0, 2)
        assert item.insert_text == ")"

    converse(conversation)


def test_an_item_begins_with_the_selected_popup_entry_and_uses_its_range() -> None:
    async def conversation(client: LanguageClient, _: types.InitializeResult) -> None:
        text = "import os\nos.pa\n"
        open_document(client, text)
        span = types.Range(types.Position(1, 3), types.Position(1, 5))
        [item] = await completions(client, 1, 5, types.SelectedCompletionInfo(span, "path.join("))
        assert isinstance(item.insert_text, str)
        assert item.insert_text.startswith("path.join(")
        assert item.range == span
        ast.parse(text.replace("pa\n", f"{item.insert_text}\n"))

    converse(conversation)


def test_tcp_listens_on_this_machine_only_and_serves() -> None:
    async def conversation(client: LanguageClient, _: types.InitializeResult) -> None:
        open_document(client, "f(")
        [item] = await completions(client, 0, 2)
        assert item.insert_text == ")"

    async def run() -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = await asyncio.create_subprocess_exec(
            FIM_LSP, "serve", "--tcp", str(port), stderr=asyncio.subprocess.PIPE
        )
        assert server.stderr is not None
        announced = await asyncio.wait_for(server.stderr.readline(), PATIENCE)
        assert f"listening on 127.0.0.1:{port}" in announced.decode()
        client = LanguageClient("test", "1")
        await connected(client, port)
        await in_order(client, conversation)
        await asyncio.wait_for(server.wait(), PATIENCE)

    asyncio.run(run())


async def connected(client: LanguageClient, port: int) -> None:
    """The line is printed just before the port opens; an attempt in between is refused."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while True:
        try:
            await client.start_tcp("127.0.0.1", port)
            return
        except OSError:
            if asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(0.01)
