"""Several cursors of one document: each gets its own text, and with all of them the file parses."""

from __future__ import annotations

import ast
import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from fim_lsp.bundled_models import BUNDLED_NAME
from tests.server_editor import VERSION
from tests.sessions.client import PATIENCE, PATIENT, SCRIPTED, Client, ServerError
from tests.sessions.editor import Buffer, Editor

pytestmark = pytest.mark.asyncio

COMMAND = "fim-lsp.completeTogether"


@pytest_asyncio.fixture
async def editor() -> AsyncIterator[Editor]:
    client = await Client.start(command=SCRIPTED)
    await client.initialize({"model": "none", "pythonVersion": VERSION, **PATIENT})
    yield Editor(client)
    assert await client.stop() == 0


async def filled(editor: Editor, buffer: Buffer, offsets: list[int]) -> list[str]:
    """The document with each of the answers."""
    places = [editor.position(buffer.text, offset) for offset in offsets]
    answer: dict[str, Any] = await editor.client.command(COMMAND, buffer.uri, places)
    found = []
    for texts in answer["texts"]:
        assert len(texts) == len(offsets)
        whole = buffer.text
        for offset, text in sorted(zip(offsets, texts, strict=True), reverse=True):
            whole = whole[:offset] + text + whole[offset:]
        found.append(whole)
    return found


async def test_each_cursor_gets_its_own_text_in_the_order_that_was_asked_for(editor: Editor) -> None:
    buffer = editor.open("file:///together/a.py", "x = [\ny = ]\n")
    for offsets in ([5, 10], [10, 5]):
        assert await filled(editor, buffer, offsets) == ["x = []\ny = []\n"]
    # A key that is typed meanwhile counts.
    editor.edit(buffer, (4, 5, "("))
    [text] = await filled(editor, buffer, [5, 10])
    ast.parse(text)
    assert text != "x = ()\ny = ]\n"


async def test_a_model_writes_in_each_hole_given_what_stands_in_the_others(editor: Editor) -> None:
    text = "def area(width, height):\n    return \n\n\ndef volume(width, height, depth):\n    return \n"
    buffer = editor.open("file:///together/model.py", text)
    offsets = [place + 7 for place in (text.index("return "), text.rindex("return "))]
    # The shortest text of both holes is empty.
    assert await filled(editor, buffer, offsets) == [text]
    # The switch may be answered by the loading of the first model.
    answers = [(await editor.client.command("fim-lsp.switchModel", BUNDLED_NAME))["model"] for _ in range(2)]
    assert answers[-1] == BUNDLED_NAME
    [best, *others] = await filled(editor, buffer, offsets)
    assert "return \n" not in best
    for one in (best, *others):
        ast.parse(one)


async def test_other_languages_than_python_are_filled_as_well(editor: Editor) -> None:
    buffer = editor.open("file:///together/a.json", '{"a": [1, \n "b": }\n', "json")
    [text] = await filled(editor, buffer, [9, 17])
    assert '"b": ' in text
    assert compile(text, "a.json", "eval")


async def test_where_nothing_may_be_offered_nothing_is(editor: Editor) -> None:
    secret = editor.open("file:///together/.env", "x = [\ny = ]\n")
    assert await filled(editor, secret, [5, 10]) == []
    assert await editor.client.command(COMMAND, "file:///unknown.py", [{"line": 0, "character": 0}]) == {
        "texts": []
    }
    for wrong in ([], "x", [1], [{"line": 0}]):
        with pytest.raises(ServerError):
            await editor.client.command(COMMAND, secret.uri, wrong)


async def test_who_cancels_it_is_told_so_and_the_next_one_waits_for_nothing(editor: Editor) -> None:
    """The file cannot be filled, and trying everything takes longer than any user waits."""
    buffer = editor.open("file:///together/cancelled.py", "))\n((\n" * 2000)
    places = [editor.position(buffer.text, offset) for offset in (0, 300, 600)]
    arguments = {"command": COMMAND, "arguments": [buffer.uri, places]}
    begun = time.monotonic()
    number, answer = editor.client.ask("workspace/executeCommand", arguments)
    editor.client.cancel(number)
    error = (await asyncio.wait_for(answer, PATIENCE)).error
    assert error is not None
    assert error["code"] == -32800
    other = editor.open("file:///together/next.py", "x = [\ny = ]\n")
    assert await filled(editor, other, [5, 10]) == ["x = []\ny = []\n"]
    # The cancelled request would have taken its whole budget.
    assert time.monotonic() - begun < PATIENT["timeBudget"] / 1000
