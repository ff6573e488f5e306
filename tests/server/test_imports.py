"""The import of an offer, from the request to the edit that inserts it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server_editor import VERSION, script
from tests.sessions.client import PATIENT, SCRIPTED, Client

pytestmark = pytest.mark.asyncio(loop_scope="module")

BEFORE = "import os\n\n\ndef f(name):\n    return "
MODEL = script(("return ", ["Path(name)"]))
IMPORT = "from pathlib import Path\n"
INLINE: dict[str, Any] = {"textDocument": {"inlineCompletion": {}}}
CAN_EDIT: dict[str, Any] = {"workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}}


class Typed:
    """A document of a workspace whose other file has `Path` from `pathlib`."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client, self.uri, self.text, self.version = client, (folder / "new.py").as_uri(), "", 0
        item = {"uri": self.uri, "languageId": "python", "version": 0, "text": ""}
        client.notify("textDocument/didOpen", {"textDocument": item})

    def edit(self, start: int, stop: int, new: str) -> None:
        self.version += 1
        span = {"start": self.position(start), "end": self.position(stop)}
        document = {"uri": self.uri, "version": self.version}
        changes = [{"range": span, "text": new}]
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        self.text = self.text[:start] + new + self.text[stop:]

    def position(self, offset: int) -> dict[str, int]:
        line_start = self.text.rfind("\n", 0, offset) + 1
        return {"line": self.text.count("\n", 0, offset), "character": offset - line_start}

    def offset(self, position: dict[str, int]) -> int:
        lines = self.text.splitlines(keepends=True)
        return sum(map(len, lines[: position["line"]])) + position["character"]

    async def ask(self, method: str = "inlineCompletion") -> dict[str, Any]:
        """The first item at the end of `BEFORE`; repeats the request until the workspace is known."""
        for number in range(200):
            self.edit(0, len(self.text), f"{BEFORE}\n{'#' * number}\n")
            asked = {
                "textDocument": {"uri": self.uri},
                "position": self.position(len(BEFORE)),
                "context": {"triggerKind": 1},
            }
            answer = await self.client.request(f"textDocument/{method}", asked)
            if answer["items"]:
                item: dict[str, Any] = answer["items"][0]
                return item
        raise AssertionError("the workspace is not known")

    def apply(self, params: dict[str, Any]) -> bool:
        """Applies an edit as an editor does: only if it is for the document's version."""
        [change] = params["edit"]["documentChanges"]
        if change["textDocument"] != {"uri": self.uri, "version": self.version}:
            return False
        [edit] = change["edits"]
        start, stop = (self.offset(edit["range"][end]) for end in ("start", "end"))
        self.edit(start, stop, edit["newText"])
        return True

    async def imported(self) -> None:
        await self.client.until(lambda: IMPORT in self.text)


@asynccontextmanager
async def typed(folder: Path, capabilities: dict[str, Any], **settings: Any) -> AsyncIterator[Typed]:
    (folder / "old.py").write_text(IMPORT)
    client = await Client.start(command=SCRIPTED)
    known = {"model": MODEL, "pythonVersion": VERSION, **PATIENT, **settings}
    await client.initialize(known, capabilities, rootUri=folder.as_uri())
    document = Typed(client, folder)
    client.applies = document.apply
    yield document
    assert await client.stop() == 0


async def test_an_import_is_put_in_when_the_offer_is_accepted(tmp_path: Path) -> None:
    async with typed(tmp_path, INLINE | CAN_EDIT) as document:
        item = await document.ask()
        assert item["insertText"] == "Path(name)"
        rest = document.text[len(BEFORE) :]
        document.edit(len(BEFORE), len(BEFORE), "Path(name)")
        await document.client.command(item["command"]["command"], *item["command"]["arguments"])
        await document.imported()
        # The acceptance counts once, although both the edit and the command report it.
        assert document.text == f"import os\n{IMPORT}{BEFORE[10:]}Path(name){rest}"
        assert [method for method, _ in document.client.requests].count("workspace/applyEdit") == 1


async def test_a_part_brings_the_import_when_it_has_the_name(tmp_path: Path) -> None:
    async with typed(tmp_path, INLINE | CAN_EDIT) as document:
        await document.ask()
        place = len(BEFORE)
        for typed_letter in "Pa":
            document.edit(place, place, typed_letter)
            place += 1
        await document.client.command("fim-lsp.statistics")
        assert IMPORT not in document.text
        document.edit(place, place, "th")
        await document.imported()


async def test_who_types_on_gets_it_all_the_same(tmp_path: Path) -> None:
    async with typed(tmp_path, INLINE | CAN_EDIT) as document:
        await document.ask()
        refused: list[bool] = []

        def busy(params: dict[str, Any]) -> bool:
            # A key is on its way while the server requests the edit.
            if len(refused) < 2:
                document.edit(len(document.text), len(document.text), "#")
            refused.append(not document.apply(params))
            return not refused[-1]

        document.client.applies = busy
        document.edit(len(BEFORE), len(BEFORE), "Path(name)")
        await document.imported()
        assert refused == [True, True, False]


@pytest.mark.parametrize(
    ("capabilities", "settings"),
    [(INLINE, {}), (INLINE | CAN_EDIT, {"imports": False}), (INLINE | CAN_EDIT, {"names": False})],
)
async def test_it_is_off_where_a_client_cannot_or_does_not_want_it(
    tmp_path: Path, capabilities: dict[str, Any], settings: dict[str, Any]
) -> None:
    async with typed(tmp_path, capabilities, **settings) as document:
        document.edit(0, 0, f"{BEFORE}\n")
        asked = {
            "textDocument": {"uri": document.uri},
            "position": document.position(len(BEFORE)),
            "context": {"triggerKind": 1},
        }
        answer = await document.client.request("textDocument/inlineCompletion", asked)
        # Without names, the offer is the same, but has no import.
        assert len(answer["items"]) == ("names" in settings)
        document.edit(len(BEFORE), len(BEFORE), "Path(name)")
        await document.client.command("fim-lsp.statistics")
        assert "workspace/applyEdit" not in [method for method, _ in document.client.requests]


async def test_the_popup_brings_it_along(tmp_path: Path) -> None:
    async with typed(tmp_path, {}) as document:
        item = await document.ask("completion")
        assert item["textEdit"]["newText"] == "Path(name)"
        assert item["detail"] == "fim-lsp, with from pathlib import Path"
        [edit] = item["additionalTextEdits"]
        assert edit["newText"] == IMPORT
        assert edit["range"]["start"] == {"line": 1, "character": 0}
