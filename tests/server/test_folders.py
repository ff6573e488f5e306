"""A workspace of several folders: the memory of one folder makes no offers in another one, unless one of them
imports the other. Over stdio, in each language with imports."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fim_lsp.context.kinship import Kinship
from fim_lsp.memory.expectation import Uses
from fim_lsp.memory.index import Index
from fim_lsp.memory.workspace import Scan, Workspace
from tests.server_editor import VERSION
from tests.sessions.client import PATIENT, Client
from tests.sessions.editor import Editor, texts

SETTINGS: dict[str, Any] = {"model": "none", **PATIENT, "names": False, "pythonVersion": VERSION}


@dataclass(frozen=True, slots=True)
class Case:
    """Files of one folder, another folder's import of it, and the text that is typed in a new file."""

    language: str
    end: str
    first: dict[str, str]
    importing: str
    before: str
    rest: str
    after: str = "\n"
    # The aliases in the importing folder's `tsconfig.json`.
    aliases: str = ""


CASES = [
    Case(
        "javascript",
        "js",
        {"package.json": '{"name": "@acme/registry"}', "src/a.js": "registry.freezeEverything(1);\n" * 3},
        'import { registry } from "@acme/registry/src/a.js";\n',
        "registry.fre",
        "ezeEverything(1);",
    ),
    Case(
        "typescript",
        "ts",
        {"a.ts": "registry.freezeEverything(1);\n" * 3},
        "const registry = require('../one/a');\n",
        "registry.fre",
        "ezeEverything(1);",
    ),
    Case(
        "typescript",
        "ts",
        {"src/a.ts": "registry.freezeEverything(1);\n" * 3},
        "import { registry } from '@one/a';\n",
        "registry.fre",
        "ezeEverything(1);",
        aliases='{\n  // Where it lies.\n  "paths": { "@one/*": ["../one/src/*"], },\n}\n',
    ),
    Case(
        "go",
        "go",
        {
            "go.mod": "module example.org/registry\n\ngo 1.22\n",
            "inner/a.go": "package inner\n\nfunc f() {\n" + "\tregistry.FreezeEverything(1)\n" * 3 + "}\n",
        },
        'package p\n\nimport (\n\t"fmt"\n\tr "example.org/registry/inner"\n)\n',
        "package p\n\nfunc g() {\n\tregistry.Fre",
        "ezeEverything(1)",
        "\n}\n",
    ),
    Case(
        "java",
        "java",
        {
            "A.java": "package org.acme.registry;\n\nclass A {\n\tvoid f() {\n"
            + "\t\tregistry.freezeEverything(1);\n" * 3
            + "\t}\n}\n"
        },
        "package org.acme.shop;\n\nimport org.acme.registry.A;\n\nclass Shop {}\n",
        "class B {\n\tvoid g() {\n\t\tregistry.fre",
        "ezeEverything(1);",
        "\n\t}\n}\n",
    ),
    Case(
        "python",
        "py",
        {"registry/a.py": "registry.freeze_everything(1)\n" * 3},
        "from registry import a\n",
        "registry.fre",
        "eze_everything(1)",
    ),
]


def written(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@asynccontextmanager
async def opened(*folders: Path, **settings: Any) -> AsyncIterator[Editor]:
    client = await Client.start()
    listed = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
    capabilities = {"textDocument": {"inlineCompletion": {}}, "workspace": {"workspaceFolders": True}}
    await client.initialize(SETTINGS | settings, capabilities, workspaceFolders=listed)
    yield Editor(client)
    assert await client.stop() == 0


async def offered(editor: Editor, uri: str, case: Case) -> list[str]:
    buffer = editor.open(uri, case.before + case.after, case.language)
    buffer.cursor = len(case.before)
    found = await texts(editor, buffer)
    editor.close(buffer)
    return found


@pytest.mark.asyncio
@pytest.mark.parametrize("case", CASES, ids=[case.language for case in CASES])
async def test_a_folder_s_lines_are_offered_in_another_only_where_it_imports_it(
    case: Case, tmp_path: Path
) -> None:
    written(tmp_path / "one", case.first)
    for folder, files in (
        ("empty", {}),
        ("strange", {f"own.{case.end}": "\n"}),
        ("kin", {f"own.{case.end}": case.importing, "tsconfig.json": case.aliases or "{}\n"}),
    ):
        written(tmp_path / folder, files)
    names = ("one", "empty", "strange", "kin")
    async with opened(*(tmp_path / name for name in names)) as editor:
        async with asyncio.timeout(60):
            # The folders have been read by then.
            while case.rest not in await offered(editor, new(tmp_path / "one", case), case):
                await asyncio.sleep(0.05)
        found = {name: await offered(editor, new(tmp_path / name, case), case) for name in names}
    assert [name for name in names if any("verything" in text for text in found[name])] == ["one", "kin"]


def new(folder: Path, case: Case) -> str:
    return (folder / f"new.{case.end}").as_uri()


def scanned(*folders: Path) -> Workspace:
    scan = Scan(lambda text: list(text.encode()), 256, lambda _uri: True, has_outlines=True)
    found = scan.workspace([str(folder) for folder in folders])
    assert found is not None
    return found


PACKAGE = {
    "shop/__init__.py": "",
    "shop/registry.py": "class Registry:\n    pass\n",
    "main.py": "from shop.registry import Registry\n\nRegistry()\n",
}


@pytest.mark.parametrize(("second", "is_seen"), [("import os\n", False), ("import shop\n", True)])
def test_a_folder_s_names_are_imported_and_told_of_only_where_it_is_imported(
    second: str, is_seen: bool, tmp_path: Path
) -> None:
    written(tmp_path / "one", PACKAGE)
    written(tmp_path / "two", {"desk.py": second})
    workspace = scanned(tmp_path / "one", tmp_path / "two")
    for uri, is_there in (
        ((tmp_path / "two" / "desk.py").as_uri(), is_seen),
        ((tmp_path / "one" / "main.py").as_uri(), True),
        ("untitled:Untitled-1", True),
    ):
        seen = workspace.files_in_sight(uri)
        assert ("Registry" in seen.importable.sources) == is_there
        assert (seen.modules.only_definition("Registry") is not None) == is_there


@pytest.mark.parametrize("is_outer_first", [True, False])
def test_of_folders_in_each_other_a_file_is_of_the_inner_one(is_outer_first: bool, tmp_path: Path) -> None:
    outer, inner = tmp_path / "all", tmp_path / "all" / "m"
    written(outer, {"a.py": "first = 1\n", "z.py": "last = 1\n", "m/shop.py": "shop = 1\n"})
    workspace = scanned(*((outer, inner) if is_outer_first else (inner, outer)))
    assert workspace.index is not None
    [hidden] = workspace.strange_places((inner / "new.py").as_uri())
    [a, z] = (workspace.index.text(workspace.uris[(outer / name).as_uri()]) for name in ("a.py", "z.py"))
    assert hidden == (min(a, z)[0], max(a, z)[1])
    # The outer folder's excluded texts are not part of the prompt.
    assert not hidden[0] <= workspace.index.text(workspace.uris[(inner / "shop.py").as_uri()])[0] < hidden[1]


def test_a_folder_that_comes_is_strange_until_it_is_read(tmp_path: Path) -> None:
    written(tmp_path / "one", PACKAGE)
    workspace = scanned(tmp_path / "one")
    uri = (tmp_path / "two" / "new.py").as_uri()
    assert workspace.strange_places(uri) == []
    assert len(workspace.with_folders([str(tmp_path / "two")]).strange_places(uri)) == 1


def test_words_of_strange_places_are_not_counted() -> None:
    index = Index.of([np.array([1, 2, 2], np.int32), np.array([2, 3], np.int32)], 8)
    assert [Uses.of(index).count(word) for word in (1, 2, 3)] == [1, 3, 1]
    hidden = [index.text(0), (index.text(0)[0], index.text(0)[0] + 2)]
    assert [Uses.of(index, hidden).count(word) for word in (1, 2, 3)] == [0, 1, 1]


@pytest.mark.parametrize(
    "uri",
    ["file:///C:/one/a b.py", "file:///c:/one/a%20b.py", "file:///c%3A/one/x.py", "file:///C%3a/one/x.py"],
)
@pytest.mark.parametrize("drive", ["C:", "c:", "c%3A"])
def test_a_drive_is_the_same_in_either_case_and_coded(
    uri: str, drive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    kinship = Kinship((f"file:///{drive}/other/", f"file:///{drive}/one/"))
    assert kinship.root(uri) == f"file:///{drive}/one/"
    assert kinship.are_strangers(uri, f"file:///{drive}/other/")
    assert kinship.root("file:///d:/one/x.py") is None
