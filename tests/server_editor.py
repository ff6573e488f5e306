"""An editor for tests of the server: pytest-lsp's client with short names."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.scripted.worker import SCRIPT

ROOT = Path(__file__).parent.parent
CANCELLED = -32800
PATIENCE = 60.0
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"

# Every test's documents have names of their own, so the tests of a module may share a server.
numbers = itertools.count(1)


def server(*arguments: str) -> ClientServerConfig:
    """pytest-lsp's configuration to start the server whose models may be scripts."""
    return ClientServerConfig(
        server_command=[sys.executable, "-m", "tests.scripted.server", *arguments],
        client_factory=new_client,
    )


def new_client() -> LanguageClient:
    client = pytest_lsp.make_test_lsp_client()
    client.statuses = []  # type: ignore[attr-defined]

    @client.feature("$/didChangeStatus")  # type: ignore[untyped-decorator]
    @client.feature("didChangeStatus")  # type: ignore[untyped-decorator]
    def status_changed(params: Any) -> None:
        client.statuses.append(params._asdict())  # type: ignore[attr-defined]

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(_params: types.RegistrationParams) -> None:
        return None

    return client


def script(*answers: tuple[str, list[str]], **more: Any) -> str:
    """The name of a model that writes these texts if the left context ends with those."""
    return SCRIPT + json.dumps({"answers": [list(answer) for answer in answers], **more})


class Document:
    """A document of the editor. `$0` in its text marks the cursor."""

    def __init__(
        self, client: LanguageClient, marked: str, name: str = "a.py", language: str = "python"
    ) -> None:
        before, _, behind = marked.partition("$0")
        self.client = client
        self.uri = f"file:///test/{next(numbers)}/{name}" if "/" not in name else f"file://{name}"
        self.text = before + behind
        self.cursor = len(before)
        self.version = 1
        # The test itself has to count a line that is not ended by LF.
        self.fixed_position: types.Position | None = None
        item = types.TextDocumentItem(self.uri, language, 1, self.text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def position(self, offset: int) -> types.Position:
        """The LSP position of an offset. Lines here end at LF, and characters are in the basic plane;
        tests/sessions has all others."""
        if self.fixed_position is not None:
            return self.fixed_position
        line_start = self.text.rfind("\n", 0, offset) + 1
        return types.Position(self.text.count("\n", 0, offset), offset - line_start)

    def edit(self, start: int, stop: int, new: str) -> None:
        span = types.Range(self.position(start), self.position(stop))
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri),
                [types.TextDocumentContentChangePartial(span, new)],
            )
        )
        self.text = self.text[:start] + new + self.text[stop:]
        self.cursor = start + len(new)

    def type(self, text: str) -> None:
        self.edit(self.cursor, self.cursor, text)

    def params(
        self, invoked: bool = False, selected: types.SelectedCompletionInfo | None = None
    ) -> types.InlineCompletionParams:
        kind = types.InlineCompletionTriggerKind
        context = types.InlineCompletionContext(kind.Invoked if invoked else kind.Automatic, selected)
        return types.InlineCompletionParams(
            context, types.TextDocumentIdentifier(self.uri), self.position(self.cursor)
        )

    def ask(self, invoked: bool = False) -> asyncio.Future[Any]:
        """Sends a request without waiting for its answer."""
        return asyncio.ensure_future(self.client.text_document_inline_completion_async(self.params(invoked)))

    async def items(
        self, invoked: bool = False, selected: types.SelectedCompletionInfo | None = None
    ) -> list[types.InlineCompletionItem]:
        answer = await asyncio.wait_for(
            self.client.text_document_inline_completion_async(self.params(invoked, selected)), PATIENCE
        )
        assert isinstance(answer, types.InlineCompletionList), "a null result leaves stale text in Neovim"
        return list(answer.items)

    async def texts(self, invoked: bool = False) -> list[str]:
        """The offered texts; checks that each item has an explicit range."""
        items = await self.items(invoked)
        assert all(item.range is not None for item in items)
        return [str(item.insert_text) for item in items]

    def applied(self, item: types.InlineCompletionItem) -> str:
        """The text after accepting an item."""
        assert item.range is not None
        start, stop = self.offset(item.range.start), self.offset(item.range.end)
        return self.text[:start] + str(item.insert_text) + self.text[stop:]

    def offset(self, position: types.Position) -> int:
        lines = self.text.split("\n")
        return sum(len(line) + 1 for line in lines[: position.line]) + position.character

    async def explained(self) -> dict[str, Any]:
        place = {"line": self.position(self.cursor).line, "character": self.position(self.cursor).character}
        explained: dict[str, Any] = await command(self.client, "fim-lsp.explain", self.uri, place)
        return explained


async def command(client: LanguageClient, name: str, *arguments: Any) -> Any:
    params = types.ExecuteCommandParams(name, list(arguments))
    answer: Any = await asyncio.wait_for(client.workspace_execute_command_async(params), PATIENCE)
    return answer._asdict() if hasattr(answer, "_asdict") else answer


async def use_model(client: LanguageClient, name: str) -> None:
    answer = await command(client, "fim-lsp.switchModel", name)
    assert answer["message"] == ""


async def log_lines(client: LanguageClient) -> list[str]:
    return list((await command(client, "fim-lsp.serverLog"))["lines"])


async def logged(client: LanguageClient, words: str, n: int) -> None:
    """Waits until the worker has logged this so often."""
    async with asyncio.timeout(PATIENCE):
        while sum(words in line for line in await log_lines(client)) < n:
            await asyncio.sleep(0.02)


async def until(is_so: Callable[[], bool]) -> None:
    """Waits for the effect of a notification."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.005)


async def error_code(answer: asyncio.Future[Any]) -> int | None:
    """The error code of a request's answer; None for a result."""
    try:
        await asyncio.wait_for(answer, PATIENCE)
    except JsonRpcException as error:
        return error.code
    return None
