"""Changes of one document have effects in others: names with their imports, definitions with their uses, and
an edit of another open document if the own one has none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.server_editor import VERSION
from tests.sessions.client import SCRIPTED, Client
from tests.sessions.editor import Buffer, Editor

pytestmark = pytest.mark.asyncio

PRICES = "def net(gross):\n    return gross\n\n\nprint(net(1))\n"
TILL = "from shop.prices import net\n\nprint(net(2))\n"
HEAD = "import sys\nfrom shop.old import os_path\n\n"
OLD_USES = HEAD + "".join(f"a{number} = os_path.getsize({number})\n" for number in range(8))
NEW_USES = "import os\n" + OLD_USES.replace("= os_path.", "= os.path.")
OTHER = HEAD + "\ndef f():\n    x = sys.argv\n    a = os_path.getsize(x)\n    return a\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "prices.py").write_text(PRICES)
    (package / "till.py").write_text(TILL)
    (package / "uses.py").write_text(OLD_USES)
    (package / "other.py").write_text(OTHER)
    return tmp_path


@pytest_asyncio.fixture
async def editor(project: Path) -> AsyncIterator[Editor]:
    client = await Client.start(command=SCRIPTED)
    settings = {"model": "none", "pythonVersion": VERSION}
    capabilities = {"workspace": {"configuration": True, "workspaceEdit": {"documentChanges": True}}}
    await client.initialize(settings, capabilities, rootUri=project.as_uri())
    yield Editor(client)
    assert await client.stop() == 0


def begun(editor: Editor, path: Path) -> Buffer:
    return editor.open(path.as_uri(), path.read_text())


async def asked(editor: Editor, buffer: Buffer, **more: Any) -> list[dict[str, Any]]:
    params = {
        "textDocument": {"uri": buffer.uri, "version": buffer.version},
        "position": {"line": 0, "character": 0},
    }
    answer = await editor.client.request("textDocument/copilotInlineEdit", params | more)
    edits: list[dict[str, Any]] = answer["edits"]
    return edits


def taken(editor: Editor, buffer: Buffer, edit: dict[str, Any]) -> str:
    assert edit["textDocument"] == {"uri": buffer.uri, "version": buffer.version}
    parts = [(edit["range"], edit["text"])]
    parts += [(one["range"], one["newText"]) for one in edit.get("additionalTextEdits", [])]
    text = buffer.text
    for place, new in sorted(
        parts, key=lambda one: editor.offset(buffer.text, one[0]["start"]), reverse=True
    ):
        start, stop = (editor.offset(buffer.text, place[end]) for end in ("start", "end"))
        text = text[:start] + new + text[stop:]
    return text


async def test_a_definition_that_was_renamed_is_followed_in_another_document(
    editor: Editor, project: Path
) -> None:
    prices, till = begun(editor, project / "shop" / "prices.py"), begun(editor, project / "shop" / "till.py")
    assert await asked(editor, till) == []
    editor.edit(prices, (4, 7, "net_of"))
    [edit] = await asked(editor, till)
    # The import and the use change together, because neither is right without the other.
    assert taken(editor, till, edit) == TILL.replace("net", "net_of")
    # The own document comes first, and only editors that can show others get their edits.
    [own] = await asked(editor, prices, otherDocuments=True)
    assert own["textDocument"]["uri"] == prices.uri
    editor.edit(prices, (prices.text.rindex("net("), prices.text.rindex("net(") + 3, "net_of"))
    assert await asked(editor, prices) == []
    [far] = await asked(editor, prices, otherDocuments=True)
    assert taken(editor, till, far) == TILL.replace("net", "net_of")


async def test_what_another_language_declares_is_followed_in_another_document(
    editor: Editor, project: Path
) -> None:
    texts = {
        "prices.ts": "export function net(gross: number, tax: number) {\n  return gross * tax;\n}\n",
        "till.ts": 'import { net } from "./prices";\n\nconsole.log(net(2, 3));\n',
    }
    for name, text in texts.items():
        (project / name).write_text(text)
    prices, till = (editor.open((project / name).as_uri(), texts[name], "typescript") for name in texts)
    assert await asked(editor, till) == []
    start = prices.text.index("net")
    editor.edit(prices, (start, start + 3, "net_of"))
    [edit] = await asked(editor, till)
    assert taken(editor, till, edit) == till.text.replace("net", "net_of")
    start, stop = prices.text.index(", tax"), prices.text.index(") {")
    editor.edit(prices, (start, stop, ""))
    [edit] = await asked(editor, till)
    assert taken(editor, till, edit) == till.text.replace("net(2, 3)", "net_of(2)").replace(
        "net }", "net_of }"
    )


async def test_a_name_comes_into_another_document_with_its_import(editor: Editor, project: Path) -> None:
    uses, other = begun(editor, project / "shop" / "uses.py"), begun(editor, project / "shop" / "other.py")
    editor.edit(uses, (0, len(uses.text), NEW_USES))
    [edit] = await asked(editor, other, additionalTextEdits=True)
    assert edit["text"] == "os.path"
    [brought] = edit["additionalTextEdits"]
    assert brought["newText"] == "import os\n"
    text = taken(editor, other, edit)
    assert text == "import os\n" + OTHER.replace("a = os_path", "a = os.path")
    # An editor that does not know additional edits gets one replacement.
    [whole] = await asked(editor, other)
    assert "additionalTextEdits" not in whole
    assert taken(editor, other, whole) == text


@pytest.mark.parametrize(("importing", "is_followed"), [("import json\n", False), ("import shop\n", True)])
async def test_what_is_done_in_a_folder_of_a_workspace_stays_there(
    importing: str, is_followed: bool, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Unless one of the two folders imports the other, even with encoded characters in their addresses."""
    far = tmp_path_factory.mktemp("weit größer")
    (far / "other.py").write_text(OTHER.replace("shop.old", "far_away.old"))
    (far / "importing.py").write_text(importing)
    client = await Client.start(command=SCRIPTED)
    settings = {"model": "none", "pythonVersion": VERSION}
    capabilities = {"workspace": {"workspaceEdit": {"documentChanges": True}, "workspaceFolders": True}}
    listed = [{"uri": folder.as_uri(), "name": folder.name} for folder in (project, far)]
    await client.initialize(settings, capabilities, workspaceFolders=listed)
    editor = Editor(client)
    uses, near = begun(editor, project / "shop" / "uses.py"), begun(editor, project / "shop" / "other.py")
    other = begun(editor, far / "other.py")
    editor.edit(uses, (0, len(uses.text), NEW_USES))
    # The relation of the folders is known once they were read.
    for _ in range(600):
        if bool(await asked(editor, other)) == is_followed and await asked(editor, near):
            break
        await asyncio.sleep(0.1)
    assert bool(await asked(editor, other)) == is_followed
    assert await asked(editor, near)
    assert await client.stop() == 0


async def actions(editor: Editor, buffer: Buffer, trigger: int = 1) -> list[dict[str, Any]]:
    place = {"line": 0, "character": 0}
    params = {
        "textDocument": {"uri": buffer.uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "triggerKind": trigger},
    }
    found: list[dict[str, Any]] = await editor.client.request("textDocument/codeAction", params)
    return found


async def test_edits_in_files_that_are_not_open_are_one_action_that_is_asked_for(
    editor: Editor, project: Path
) -> None:
    (project / "shop" / "more.py").write_bytes(
        b"from shop import prices\r\n\r\nprint(prices.net(1), '\xc3\xa4')\r\n"
    )
    prices, till = begun(editor, project / "shop" / "prices.py"), begun(editor, project / "shop" / "till.py")
    editor.edit(prices, (4, 7, "net_of"))
    # Editors request actions at each move of the cursor, for which no project is read.
    assert [one["title"] for one in await actions(editor, prices, trigger=2)] == [
        "Next edit: the function `net` is called `net_of` now (line 5)"
    ]
    (*_, last) = await actions(editor, prices)
    # Open documents get their edits where they are open.
    assert last["title"] == "Change 1 other file: the function `net` is called `net_of` now"
    [document] = last["edit"]["documentChanges"]
    assert document["textDocument"] == {"uri": (project / "shop" / "more.py").as_uri(), "version": None}
    assert [(one["range"]["start"], one["newText"]) for one in document["edits"]] == [
        ({"line": 2, "character": 13}, "net_of")
    ]
    editor.close(till)
    (*_, last) = await actions(editor, prices)
    assert last["title"] == "Change 2 other files: the function `net` is called `net_of` now"
    by_name = {
        one["textDocument"]["uri"].rsplit("/", 1)[-1]: one["edits"] for one in last["edit"]["documentChanges"]
    }
    assert sorted(by_name) == ["more.py", "till.py"]
    [whole] = by_name["till.py"]
    start, stop = (editor.offset(TILL, whole["range"][end]) for end in ("start", "end"))
    assert TILL[:start] + whole["newText"] + TILL[stop:] == TILL.replace("net", "net_of")


async def test_a_document_with_jsx_follows_one_without(editor: Editor, project: Path) -> None:
    texts = {
        "prices.ts": "export function net(gross: number) {\n  return gross;\n}\n",
        "till.tsx": 'import { net } from "./prices";\n\nexport const Till = () => <b>{net(2)}</b>;\n',
    }
    for name, text in texts.items():
        (project / name).write_text(text)
    prices = editor.open((project / "prices.ts").as_uri(), texts["prices.ts"], "typescript")
    till = editor.open((project / "till.tsx").as_uri(), texts["till.tsx"], "typescriptreact")
    assert await asked(editor, till) == []
    start = prices.text.index("net")
    editor.edit(prices, (start, start + 3, "net_of"))
    [edit] = await asked(editor, till)
    assert taken(editor, till, edit) == till.text.replace("net", "net_of")
