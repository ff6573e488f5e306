"""Messages about documents and places in them, out of bounds and out of order, over real stdio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.server_editor import VERSION
from tests.sessions import editor as sessions
from tests.sessions.client import PATIENT, Answer, Client, scripted
from tests.sessions.editor import Buffer, Editor, texts

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION}
INLINE = "textDocument/inlineCompletion"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncIterator[Client]:
    async with scripted(SETTINGS) as client:
        yield client


def opened(editor: Editor, name: str, marked: str) -> Buffer:
    return sessions.opened(editor, name if ":" in name else f"file:///documents/{name}", marked)


async def answered_at(editor: Editor, uri: str, line: Any, character: Any) -> Answer:
    position = {"line": line, "character": character}
    return await editor.client.answer(INLINE, {"textDocument": {"uri": uri}, "position": position})


# --- positions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "character"), [(0, 999), (0, 2**31 - 1), (7, 0), (2**31 - 1, 2**31 - 1), (0, 7)]
)
async def test_a_position_behind_the_end_means_the_end(editor: Editor, line: int, character: int) -> None:
    buffer = opened(editor, "behind.py", "f(['a'")
    answer = await answered_at(editor, buffer.uri, line, character)
    [item] = answer.result["items"]
    assert item["insertText"] == "])"
    assert item["range"]["start"] == {"line": 0, "character": 6}


@pytest.mark.parametrize(("line", "character"), [(-1, 0), (0, -1), (2**40, 0), (None, 0), ("zero", 0)])
async def test_a_position_that_is_none_is_refused(editor: Editor, line: Any, character: Any) -> None:
    buffer = opened(editor, "nowhere.py", "f(")
    answer = await answered_at(editor, buffer.uri, line, character)
    assert answer.error is not None
    assert answer.error["code"] == -32602
    buffer.cursor = 2
    assert await texts(editor, buffer) == [")"], "and nothing else has changed"


async def test_the_middle_of_a_surrogate_pair_is_in_front_of_the_character(editor: Editor) -> None:
    """UTF-16 here; a change there must not split the character either."""
    buffer = opened(editor, "pair.py", "f('😀'\n")
    here = {"line": 0, "character": 4}
    change = {"range": {"start": here, "end": here}, "text": "é"}
    document = {"uri": buffer.uri, "version": 2}
    editor.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    buffer.text = "f('é😀'\n"
    buffer.cursor = 6
    [item] = await editor.complete(buffer)
    assert item.applied(buffer.text) == "f('é😀')\n"


# --- documents -------------------------------------------------------------------------------------------


def span(first: tuple[int, int], last: tuple[int, int]) -> dict[str, Any]:
    start, end = ({"line": line, "character": character} for line, character in (first, last))
    return {"start": start, "end": end}


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        # Each change refers to the text that the previous one has left.
        ([(span((0, 0), (0, 3)), "f(1"), (span((0, 2), (1, 3)), "["), (span((0, 3), (0, 3)), "2")], "f([2\n"),
        ([(span((0, 0), (1, 3)), ""), (None, "g("), (span((0, 2), (0, 2)), "[")], "g(["),
        # A range whose end is in front of its beginning is an insertion.
        ([(None, "f([2"), (span((0, 4), (0, 3)), "3")], "f([23"),
        ([(span((9, 9), (99, 99)), "f("), (span((2, 2), (2, 2)), "[")], "abc\ndef\nf(["),
        ([], "abc\ndef\n"),
    ],
)
async def test_changes_of_one_message_are_made_one_after_the_other(
    editor: Editor, changes: list[tuple[dict[str, Any] | None, str]], text: str
) -> None:
    buffer = opened(editor, "changes.py", "abc\ndef\n")
    sent = [{"text": new} if where is None else {"range": where, "text": new} for where, new in changes]
    document = {"uri": buffer.uri, "version": 2}
    editor.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": sent})
    # Saving would correct a wrong text, but then the log would mention it.
    buffer.text, buffer.version = text, 2
    editor.save(buffer)
    lines = (await editor.client.command("fim-lsp.serverLog"))["lines"]
    assert not [line for line in lines if "out of step with the editor" in line]
    editor.close(buffer)


async def test_opening_a_document_twice_takes_the_second_text(editor: Editor) -> None:
    opened(editor, "twice.py", "f(")
    buffer = opened(editor, "twice.py", "f([$0")
    assert await texts(editor, buffer) == ["])"]


async def test_messages_about_unknown_documents_are_ignored(client: Client, editor: Editor) -> None:
    unknown = {"textDocument": {"uri": "file:///never/opened.py"}}
    for method, more in (
        ("didClose", {}),
        ("didSave", {"text": "f("}),
        ("didFocus", {}),
        ("didChange", {"contentChanges": [{"text": "f("}]}),
    ):
        params = {"textDocument": unknown["textDocument"] | {"version": 1}} | more
        client.notify(f"textDocument/{method}", params)
    buffer = opened(editor, "known.py", "f($0")
    assert await texts(editor, buffer) == [")"]


@pytest.mark.parametrize("params", [None, {}, [], 3, {"textDocument": None}, {"textDocument": {"uri": 7}}])
@pytest.mark.parametrize(
    "method", ["textDocument/didFocus", "textDocument/didShowCompletion", "$/cancelRequest", "no/such"]
)
async def test_a_notification_that_makes_no_sense_changes_nothing(
    client: Client, editor: Editor, method: str, params: Any
) -> None:
    buffer = opened(editor, "sense.py", "f($0")
    client.notify(method, params)
    assert await texts(editor, buffer) == [")"]


@pytest.mark.parametrize("number", [[1], {}, None, True, 1.5])
async def test_to_cancel_what_has_no_number_is_no_failure(
    client: Client, editor: Editor, number: Any
) -> None:
    before = (await client.command("fim-lsp.serverLog"))["lines"]
    client.notify("$/cancelRequest", {"id": number})
    buffer = opened(editor, "number.py", "f($0")
    assert await texts(editor, buffer) == [")"]
    lines = (await client.command("fim-lsp.serverLog"))["lines"][len(before) :]
    assert not [line for line in lines if "ERROR" in line], lines


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "vscode-notebook-cell:/home/me/a.ipynb#W0sZmlsZQ%3D%3D",
        "vscode-remote://ssh-remote%2Bhost/home/me/a.py",
        "git:/home/me/a.py?%7B%22ref%22%3A%22HEAD%22%7D",
        "file:///d/a%20b%25c%23%C3%A9%F0%9F%98%80.py",
        "file:///d/é 😀.py",
        "file:///c%3A/Users/me/a.py",
        "file://server/share/a.py",
        "file:///d/a%00b.py",
        f"file:///d/{'a' * 5000}.py",
        "no uri at all",
    ],
)
async def test_documents_of_all_kinds_are_completed(editor: Editor, uri: str) -> None:
    buffer = opened(editor, uri if ":" in uri else f"x:{uri}", "f($0")
    assert await texts(editor, buffer) == [")"]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("$0", []),
        ("x = '\0'\nf($0", [")"]),
        ("".join(map(chr, range(256))) + "\nf($0", []),
        ("(" * 5000 + "$0", []),
        (f"x = '{'a' * 1_000_000}'; f($0", [")"]),
        ("x = 1\n" * 300_000 + "f($0", []),
    ],
    ids=["empty", "nul", "binary", "nested", "a line of 1 MB", "larger than the setting"],
)
async def test_documents_with_any_content_are_answered(
    editor: Editor, marked: str, expected: list[str]
) -> None:
    buffer = opened(editor, "content.py", marked)
    try:
        assert await texts(editor, buffer) == expected
    finally:
        editor.close(buffer)


@pytest.mark.parametrize("identifier", [{"version": None}, {}], ids=["null", "missing"])
async def test_a_change_without_a_version_is_a_change(editor: Editor, identifier: dict[str, Any]) -> None:
    """Clients without version numbers send null."""
    buffer = opened(editor, f"unversioned{len(identifier)}.py", "f($0\n")
    here = {"line": 0, "character": 2}
    change = {"range": {"start": here, "end": here}, "text": "["}
    document = {"uri": buffer.uri, **identifier}
    editor.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    buffer.text, buffer.cursor = "f([\n", 3
    assert await texts(editor, buffer) == ["])"]
    editor.type(buffer, "{")
    assert await texts(editor, buffer) == ["}])"]


BOM = "\ufeff"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_a_byte_order_mark_is_no_part_of_the_program(encoding: str) -> None:
    """Most editors strip it, some do not. It counts as a character of the first line, and has no other
    effect."""
    client = await Client.start()
    await client.initialize(SETTINGS | PATIENT, {"general": {"positionEncodings": [encoding]}})
    editor = Editor(client, encoding)
    buffer = opened(editor, "marked.py", BOM + "x = f($0\ny = 1\n")
    [item] = await editor.complete(buffer)
    assert item.applied(buffer.text) == BOM + "x = f()\ny = 1\n"
    editor.type(buffer, "[")
    [item] = await editor.complete(buffer)
    assert item.applied(buffer.text) == BOM + "x = f([])\ny = 1\n"
    # Nothing fits in front of the mark, because it would then be in the middle of the text.
    buffer.cursor = 0
    assert await editor.complete(buffer) == []
    # The mark is removed, inserted again, and moved.
    editor.edit(buffer, (0, 1, ""))
    buffer.cursor = len("x = f([")
    assert await texts(editor, buffer) == ["])"]
    editor.edit(buffer, (0, 0, BOM))
    buffer.cursor = len(BOM + "x = f([")
    assert await texts(editor, buffer) == ["])"]
    editor.edit(buffer, (0, 0, "z = 1\n"))
    buffer.cursor = len(buffer.text) - len("\ny = 1\n")
    assert await texts(editor, buffer) == []
    editor.edit(buffer, (0, len("z = 1\n"), ""))
    buffer.cursor = len(BOM + "x = f([")
    assert await texts(editor, buffer) == ["])"]
    assert await client.stop() == 0
