"""The template for LSP4IJ says what the server understands, and the requests that its sources make are
played; the IDEs themselves cannot be had here."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from fim_lsp.cli import COMMANDS
from fim_lsp.known_languages import KNOWN
from fim_lsp.server.declaration import camel_case
from fim_lsp.server.settings import Settings
from tests.sessions.client import PATIENT, Client
from tests.sessions.editor import Editor, opened

FOLDER = Path(__file__).parent.parent / "editors" / "jetbrains"


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


def test_each_language_is_mapped_by_the_servers_name_and_extensions() -> None:
    mapped = {
        mapping["languageId"]: {pattern.removeprefix("*") for pattern in mapping["fileType"]["patterns"]}
        for mapping in read("template.json")["fileTypeMappings"]
    }
    assert mapped == {language.name: set(language.extensions) for language in KNOWN}


def test_the_command_is_the_server() -> None:
    for command in read("template.json")["programArgs"].values():
        program, subcommand = command.replace('"', " ").split()[-2:]
        assert program.removesuffix(".exe") == "fim-lsp"
        assert subcommand == "serve"
        assert subcommand in COMMANDS


def test_the_settings_are_the_servers_with_its_defaults() -> None:
    defaults = {camel_case(known.name): known.default for known in fields(Settings)}
    given = read("settings.json")["fim-lsp"]
    assert given.items() <= defaults.items()


# What LSP4IJ says of itself in its class ClientCapabilitiesFactory, as far as this server looks at it.
CAPABILITIES: dict[str, Any] = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "executeCommand": {"dynamicRegistration": True},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "delete", "rename"]},
    },
    "textDocument": {
        "synchronization": {"willSave": True, "willSaveWaitUntil": True, "didSave": True},
        "completion": {"dynamicRegistration": True, "completionItem": {"snippetSupport": True}},
        "inlineCompletion": {"dynamicRegistration": True},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "general": {
        "staleRequestSupport": {"cancel": True, "retryOnContentModified": []},
        "positionEncodings": ["utf-16"],
    },
}


@pytest.mark.asyncio
async def test_the_requests_of_its_sources_are_answered_with_grey_text() -> None:
    """Its class LSPInlineCompletionSupport sends a document, a position, and that nobody asked."""
    client = await Client.start()
    await client.initialize(PATIENT, CAPABILITIES)
    editor = Editor(client)
    buffer = opened(editor, "file:///orders.py", 'if __name__ == $0\n    print("main")\n')
    answer = await client.request(
        "textDocument/inlineCompletion",
        {
            "textDocument": {"uri": buffer.uri},
            "position": editor.position(buffer.text, buffer.cursor),
            "context": {"triggerKind": 2},
        },
    )
    items = answer if isinstance(answer, list) else answer["items"]
    assert [item["insertText"] for item in items] == ['"__main__":']
    # The range is empty, so that the IDE has nothing to replace.
    assert items[0]["range"]["start"] == items[0]["range"]["end"]
    await client.stop()
