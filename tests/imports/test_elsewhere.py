"""Imports that come with offers in Go, Java, JavaScript and TypeScript."""

from __future__ import annotations

import time
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import cast

import pytest

from fim_lsp.context.added_import import AddedImport
from fim_lsp.declared.advice import hole_declarations
from fim_lsp.declared.javascript_imports import near_module
from fim_lsp.declared.missing_import import missing_import
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import of_file
from fim_lsp.server.worker.completers import Completer
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.site import Site
from tests.scripted.completer import Says

GO = {
    "go.mod": "module example.org/shop\n\nrequire example.org/lib v1.0.0\n",
    "beside.go": (
        'package shop\n\nimport (\n\tj "encoding/json"\n\t"example.org/shop/prices"\n\t"text/template"\n)\n'
    ),
    "beside_test.go": 'package shop\n\nimport "example.org/shop/testing/slices"\n',
    "testing/slices/slices.go": "package slices\n",
    "prices/prices.go": "package prices\n",
    "other/other.go": (
        'package other\n\nimport (\n\t"html/template"\n\t"math/rand"\n\t"example.org/shop/stock"\n)\n'
    ),
    "stock/stock.go": "package stock\n",
}
JAVA = {
    "pom.xml": "<project/>",
    "src/main/java/shop/Cart.java": (
        "package shop;\n\nimport java.sql.Date;\nimport stock.Item;\npublic class Cart { Date d; Item i; }\n"
    ),
    "src/main/java/stock/Item.java": "package stock;\n\npublic final class Item { }\n",
    "src/main/java/stock/Shelf.java": "package stock;\n\npublic class Shelf { }\n",
    "src/main/java/stock/Hidden.java": "package stock;\n\nclass Hidden { }\n",
    "src/main/java/one/Both.java": "package one;\npublic class Both { }\n",
    "src/main/java/two/Both.java": "package two;\npublic class Both { }\n",
}
WEB = {
    "package.json": "{}",
    "lib/b.js": (
        'import Shop, { total as sum } from "./shop.js";\n'
        'import * as tools from "tools";\nShop(sum, tools);\n'
    ),
    "lib/c.ts": (
        'import type { Kind } from "./kinds";\nimport { Form } from "./kinds";\nlet a: Form; export { a };\n'
    ),
    "lib/d.cjs": "const { readFileSync } = require('fs')\nconst glob = require('glob')\nreadFileSync(glob)\n",
    "test/e.js": "import { both } from 'one';\nboth();\n",
    "test/f.js": "import { both } from 'two';\nboth();\n",
    "node_modules/g/g.js": "import { hidden } from 'g';\nhidden();\n",
}
MAIN = "package shop;\n\nclass A {\n    $0\n}\n"
BEFORE = "package shop;\n\nimport java.io.File;\n"
SORTED = f"{BEFORE}import java.util.Map;\nimport org.b.C;\n\nclass A {{ $0 }}\n"


def laid(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")


def brought(folder: Path, name: str, marked: str, offer: str) -> AddedImport | None:
    left, _, right = marked.partition("$0")
    declared = hole_declarations(of_file(name), left, right, (folder / name).as_uri())
    assert declared is not None
    return missing_import(declared, offer)


def whole_with(marked: str, offer: str, added: AddedImport) -> str:
    text = marked.replace("$0", offer)
    return text[: added.start] + added.new + text[added.stop :]


def begins_with(head: str, added: AddedImport | None, marked: str, offer: str) -> bool:
    """Whether the file with the import begins with `head`; if `head` is empty, whether there is no import."""
    return (not head) if added is None else bool(head) and whole_with(marked, offer, added).startswith(head)


@pytest.mark.parametrize(
    ("marked", "offer", "head"),
    [
        ("package shop\n\nvar a = $0\n", 'fmt.Sprint("a")', 'package shop\n\nimport "fmt"\n'),
        # The name may have begun in front of the cursor.
        ("package shop\n\nvar a = fm$0\n", "t.Sprint()", 'package shop\n\nimport "fmt"\n'),
        # The package's files determine the name and its meaning.
        ("package shop\n\nvar a = $0\n", "j.Valid(nil)", 'package shop\n\nimport j "encoding/json"\n'),
        ("package shop\n\nvar a = $0\n", 'template.New("")', 'package shop\n\nimport "text/template"\n'),
        ("package shop\n\nvar a = $0\n", "prices.Of()", 'package shop\n\nimport "example.org/shop/prices"\n'),
        # The module's files determine it.
        ("package shop\n\nvar a = $0\n", "rand.Int()", 'package shop\n\nimport "math/rand"\n'),
        (
            'package shop\n\nimport (\n\t"bytes"\n\t"os"\n)\nvar a = $0\n',
            "fmt.Sprint(os.Args, bytes.MinRead)",
            'package shop\n\nimport (\n\t"bytes"\n\t"fmt"\n\t"os"\n)\n',
        ),
        (
            'package shop\n\nimport (\n\t"os"\n\n\t"example.org/shop/prices"\n)\nvar a = $0\n',
            "strings.ToUpper(os.Args[0])",
            'package shop\n\nimport (\n\t"os"\n\t"strings"\n\n\t"example.org/shop/prices"\n)\n',
        ),
        (
            'package shop\n\nimport (\n\t"example.org/shop/prices"\n)\nvar a = $0\n',
            "strings.ToUpper(a)",
            'package shop\n\nimport (\n\t"strings"\n\n\t"example.org/shop/prices"\n)\n',
        ),
        (
            'package shop\r\n\r\nimport "os"\r\nvar a = $0\r\n',
            "strings.ToUpper(os.Args[0])",
            'package shop\r\n\r\nimport "os"\r\nimport "strings"\r\n',
        ),
        # Tests of the package use the name for something else.
        ("package shop\n\nvar a = $0\n", "slices.Max(b())", ""),
        (
            "package shop\n\nfunc b() []int\n\nvar a = $0\n",
            "slices.Max(b())",
            'package shop\n\nimport "slices"\n',
        ),
        # Two imports; a name of the package; a possible import cycle; a name of several packages.
        ("package shop\n\nvar a = $0\n", "fmt.Sprint(os.Args)", ""),
        ("package shop\n\nvar a = $0\n", "b", ""),
        ("package shop\n\nvar a = $0\n", "stock.All()", ""),
        ("package shop\n\nvar a = $0\n", "scanner.All()", ""),
        ("package shop\n\nvar a = $0\n", "1", ""),
        ("package shop\n\nvar é, a = 1, $0\n", 'fmt.Sprint("é")', 'package shop\n\nimport "fmt"\n'),
    ],
)
def test_in_go(marked: str, offer: str, head: str, tmp_path: Path) -> None:
    laid(tmp_path, GO)
    assert begins_with(head, brought(tmp_path, "a.go", marked, offer), marked, offer)


@pytest.mark.parametrize(
    ("marked", "offer", "head"),
    [
        (MAIN, "List<String> a;", "package shop;\n\nimport java.util.List;\n\nclass"),
        # The meaning in the package's files, the project's own type, and a file that imports it for its
        # package.
        (MAIN, "Date a;", "package shop;\n\nimport java.sql.Date;\n"),
        (MAIN, "Shelf a = new Shelf();", "package shop;\n\nimport stock.Shelf;\n"),
        (MAIN, "Object a = Files.exists(null);", "package shop;\n\nimport java.nio.file.Files;\n"),
        (MAIN, "Hidden a;", ""),
        (MAIN, "Both a;", ""),
        (MAIN, "Nowhere a;", ""),
        # Two imports; a variable; a method; a type of the file itself.
        (MAIN, "List<Shelf> a;", ""),
        (MAIN, "int a = list;", ""),
        (MAIN, "int a = List();", ""),
        (MAIN, "Cart a;", ""),
        (SORTED, "List<C> a;", BEFORE + "import java.util.List;\nimport java"),
        (SORTED, "Set<Map> a;", BEFORE + "import java.util.Map;\nimport java.util.Set;\n"),
        (SORTED, "Shelf a;", BEFORE + "import java.util.Map;\nimport org.b.C;\nimport stock.Shelf;\n\nclass"),
        (
            "package shop;\r\n\r\nimport static java.lang.Math.PI;\r\n\r\nclass A { $0 }\r\n",
            "List<A> a;",
            "package shop;\r\n\r\nimport java.util.List;\r\n\r\nimport static java.lang.Math.PI;\r\n",
        ),
    ],
)
def test_in_java(marked: str, offer: str, head: str, tmp_path: Path) -> None:
    laid(tmp_path, JAVA)
    assert begins_with(head, brought(tmp_path, "src/main/java/shop/A.java", marked, offer), marked, offer)


def test_in_a_file_of_java_without_a_package(tmp_path: Path) -> None:
    marked = "// A.\nclass A { $0 }\n"
    added = brought(tmp_path, "A.java", marked, "List<A> a;")
    assert added is not None
    assert whole_with(marked, "a", added).startswith("// A.\nimport java.util.List;\n\nclass A")


@pytest.mark.parametrize(
    ("name", "marked", "offer", "head"),
    [
        (
            "lib/a.js",
            "import { a } from 'a'\n$0\n",
            "Shop(a)",
            "import { a } from 'a'\nimport Shop from './shop.js'\n",
        ),
        (
            "test/a.js",
            'import { a } from "a";\n$0\n',
            "a(sum)",
            'import { a } from "a";\nimport { total as sum } from "../lib/shop.js";\n',
        ),
        (
            "lib/a.js",
            'import { a } from "./shop.js";\n$0\n',
            "a(sum)",
            'import { a, total as sum } from "./shop.js";\n',
        ),
        (
            "lib/a.ts",
            'import {\n  a,\n  b,\n} from "./shop.js";\n$0\n',
            "a(sum, b)",
            'import {\n  a,\n  b,\n  total as sum,\n} from "./shop.js";\n',
        ),
        (
            "lib/a.js",
            'import { a } from "a";\n$0\n',
            "a(tools)",
            'import { a } from "a";\nimport * as tools from "tools";\n',
        ),
        (
            "a.cjs",
            "const a = require('a')\n$0\n",
            "a(glob)",
            "const a = require('a')\nconst glob = require('glob')\n",
        ),
        (
            "a.cjs",
            "const a = require('a');\n$0\n",
            "readFileSync(a)",
            "const a = require('a');\nconst { readFileSync } = require('fs');\n",
        ),
        # Other ways to import; a name of two modules; types alone; the file itself; hidden names.
        ("a.cjs", "const a = require('a')\n$0\n", "a(sum)", ""),
        ("lib/a.js", "import { a } from 'a'\n$0\n", "a(both)", ""),
        ("lib/a.ts", "import { a } from 'a'\n$0\n", "a(Form)", ""),
        ("lib/shop.js", "import { a } from 'a'\n$0\n", "a(sum)", ""),
        ("lib/a.js", "import { a } from 'a'\n$0\n", "a(hidden)", ""),
        ("lib/a.js", "import { a } from 'a'\n$0\n", "a(sum, Shop)", ""),
        ("lib/a.js", "$0\nimport { a } from 'a'\n", "sum(a)", ""),
    ],
)
def test_in_javascript(name: str, marked: str, offer: str, head: str, tmp_path: Path) -> None:
    laid(tmp_path, WEB)
    added = brought(tmp_path, name, marked, offer)
    assert (added is not None) == bool(head)
    if added is not None:
        assert whole_with(marked, offer, added).startswith(head)


def test_without_a_project_what_lies_beside_says_it(tmp_path: Path) -> None:
    laid(
        tmp_path,
        {"b.js": "import { one } from 'one';\none();\n", "c/d.js": "import two from 'two';\ntwo();\n"},
    )
    marked = "import { a } from 'a'\n$0\n"
    assert brought(tmp_path, "a.js", marked, "a(one)") is not None
    assert brought(tmp_path, "a.js", marked, "a(two)") is None
    assert brought(tmp_path, "c/e.js", marked, "a(two)") is not None


@pytest.mark.parametrize("imports", [True, False])
def test_the_server_brings_it_where_it_may(imports: bool, tmp_path: Path) -> None:
    laid(tmp_path, GO)
    whole = "package shop\n\nvar a = \n"
    text = WorkerText(SentText((tmp_path / "a.go").as_uri(), 0, "", whole, language="go"), whole)
    site = Site.of(text, Hole(len(whole) - 1, len(whole) - 1))
    wishes = Wishes(2, 64, 20, True, "", False, None, imports=imports)
    said = cast("Completer", Says("fmt.Sprint(1)", "nowhere", "1"))
    offer = Completing().offer_for(OfferRequest(site, wishes, time.perf_counter() + 60), said)
    if imports:
        assert offer.texts == ("fmt.Sprint(1)", "1")
        added, none = offer.imports
        assert none is None
        assert added == AddedImport("fmt", 'import "fmt"', 12, 12, '\n\nimport "fmt"')
    else:
        assert offer.texts == ("1",)


@pytest.mark.parametrize(
    ("module", "folder", "expected"),
    [
        (PurePosixPath("/shop/lib/till.js"), PurePosixPath("/shop/lib"), "./till.js"),
        (PurePosixPath("/shop/lib/till.js"), PurePosixPath("/shop/test/unit"), "../../lib/till.js"),
        (PureWindowsPath("C:/shop/lib/till.js"), PureWindowsPath(r"C:\shop\lib"), "./till.js"),
        (PureWindowsPath("c:/shop/lib/till.js"), PureWindowsPath(r"C:\shop\test"), "../lib/till.js"),
        (PureWindowsPath("D:/lib/till.js"), PureWindowsPath(r"C:\shop"), None),
    ],
)
def test_a_module_is_called_by_its_way_from_the_file(
    module: PurePath, folder: PurePath, expected: str | None
) -> None:
    assert near_module(module, folder) == expected


@pytest.mark.parametrize("name", ["a.js", "a.ts", "a.go", "A.java"])
def test_a_new_file_s_folder_need_not_be_there_yet(name: str, tmp_path: Path) -> None:
    """Each request in such a file of JavaScript once failed."""
    heads = {".go": "package a\n", ".java": "class A {\n"}
    marked = heads.get(Path(name).suffix, "import { a } from 'a'\n") + "$0\n"
    assert brought(tmp_path / "none", name, marked, "unknown(a)") is None
