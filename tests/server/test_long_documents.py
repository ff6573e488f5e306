"""Documents that are too long to be completed: keys cost nothing, and they are completed once they are
shorter."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from lsprotocol import types

from fim_lsp.positions import Lines, Position, Units
from fim_lsp.server import long_text
from fim_lsp.server.documents import Document
from fim_lsp.server.long_text import LongText
from tests.server_editor import VERSION
from tests.sessions.client import PATIENT, Client
from tests.sessions.editor import Editor

SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION, **PATIENT}
ALPHABET = ["\r", "\n", "\r\n", "a", "é", "😀", "ab\n", "\f", "x" * 5]


def written(source: random.Random, n_parts: int) -> str:
    return "".join(source.choices(ALPHABET, k=n_parts))


def somewhere(source: random.Random, text: str) -> Position:
    """A random place, also behind the ends of lines and of the text, because clients may send such places."""
    lines = Lines(text)
    line = source.randrange(len(lines) + 2)
    length = len(lines[line]) if line < len(lines) else 3
    return Position(line, source.randrange(length + 3))


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("units", ["utf-8", "utf-16", "utf-32"])
def test_edits_do_what_they_do_to_a_string(seed: int, units: Units, monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(seed)
    monkeypatch.setattr(long_text, "PIECE_CHARACTERS", source.choice([1, 3, 10]))
    text = written(source, 40)
    long = LongText(text)
    for _ in range(40):
        begin, end = somewhere(source, text), somewhere(source, text)
        begin, end = sorted((begin, end), key=lambda at: (at.line, at.column))
        new = written(source, source.choice([0, 0, 1, 2, 8]))
        lines = Lines(text)
        start, stop = lines.offset(begin, units), lines.offset(end, units)
        text = text[:start] + new + text[max(start, stop) :]
        long.edit(begin, end, new, units)
        assert long.text == text
        assert long.n_characters == len(text)


def changed(document: Document, start: tuple[int, int], stop: tuple[int, int], new: str) -> None:
    span = types.Range(types.Position(*start), types.Position(*stop))
    document.change(types.TextDocumentContentChangePartial(span, new), (document.snapshot.version or 0) + 1)


def test_a_document_that_grows_and_shrinks_is_sent_whole_again() -> None:
    item = types.TextDocumentItem("file:///a.py", "python", 1, "x = 1\n")
    document = Document(item, "utf-16", max_characters=10)
    serial = document.snapshot.serial
    changed(document, (1, 0), (1, 0), "y = 2\n")
    assert document.long is not None
    assert document.snapshot.text == ""
    changed(document, (0, 0), (0, 1), "zz")
    changed(document, (1, 0), (2, 0), "")
    assert document.snapshot.text == "zz = 1\n"
    assert document.snapshot.version == 4
    assert document.edits_since(serial) is None
    changed(document, (0, 0), (0, 1), "")
    assert document.edits_since(document.snapshot.serial - 1) is not None
    document.limit(3)
    assert document.long is not None
    assert not document.agree("abcd")
    assert document.long.text == "abcd"
    document.limit(4)
    assert document.snapshot.text == "abcd"


async def milliseconds(editor: Editor, uri: str, keys: Sequence[tuple[int, int]]) -> float:
    """The server's mean milliseconds for an edit and for an answer to a request behind it."""
    server = psutil.Process(editor.client.process.pid)
    begun = server.cpu_times()
    for line, column in keys:
        here = {"line": line, "character": column}
        editor.client.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": None},
                "contentChanges": [{"range": {"start": here, "end": here}, "text": "a"}],
            },
        )
        await editor.client.command("fim-lsp.statistics")
    ended = server.cpu_times()
    return 1e3 * float(ended.user + ended.system - begun.user - begun.system) / len(keys)


@pytest.mark.asyncio
async def test_a_key_in_50_megabytes_costs_what_it_costs_anywhere() -> None:
    """It took 2.7 seconds, during which the server answered no other document either; now 1.0 ms, compared
    with 0.8."""
    client = await Client.start()
    await client.initialize(SETTINGS)
    editor = Editor(client)
    line = "value = compute(first, second)\n"
    short, long = "file:///long/short.py", "file:///long/long.py"
    for uri, text in ((short, line * 10), (long, line * (50 * 2**20 // len(line)))):
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": item})
    await client.command("fim-lsp.statistics")
    n_lines = 50 * 2**20 // len(line)
    usual = await milliseconds(editor, short, [(5, 3)] * 50)
    for where in (1, n_lines // 2, n_lines - 1):
        assert await milliseconds(editor, long, [(where, 3)] * 50) < usual + 30
    refused = await client.command("fim-lsp.explain", long)
    assert refused["reason"] == "too large"
    # A document that shrinks to a few lines is completed again.
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": n_lines, "character": 0}}
    client.notify(
        "textDocument/didChange",
        {
            "textDocument": {"uri": long, "version": 100},
            "contentChanges": [{"range": whole, "text": "f("}],
        },
    )
    place = {"textDocument": {"uri": long}, "position": {"line": 0, "character": 2}}
    answer = await client.request("textDocument/inlineCompletion", place)
    assert [item["insertText"] for item in answer["items"]] == [")"]
    assert await client.stop() == 0
