"""Snippets of other files for a model in JavaScript, TypeScript, Go and Java, and their format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fim_lsp.commands.project import FileInProject
from fim_lsp.context.snippet import Context
from fim_lsp.declared.beside import FileLocation
from fim_lsp.known_languages import of_file
from fim_lsp.related_files.snippets import LocatedPlace, related_context
from tests.models import tiny_model

SHAPES = """\
export const TOKEN = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4";
export interface Point { x: number; y: number }
export default class Shop extends Base {
  name: string = "a";
  private items = new Map<string, number>();
  constructor(private till: Till) { super(); }
  price(item: string, count = 1): number { return item.length * count; }
}
export const area = (w: number, h: number): number => w * h;
"""
TILL_GO = """\
package shop

// Till is one.
type Till struct {
	Name string
}

func (t *Till) Price(item string) int { return len(item) }

func NewTill(name string) *Till { return &Till{name} }
"""
TILL_JAVA = """\
package org.shop;

public class Till<T> extends Base {
    private int count = 3;

    public Till(String name) { this.name = name; }

    public int price(String item) throws Closed { return item.length(); }
}
"""


def context_at(folder: Path, name: str, marked: str, files: dict[str, str], opened: str = "") -> Context:
    """The context at the `|` of a file. One of the files around it is open with a text that differs from the
    disk's."""
    for one, text in files.items():
        (folder / one).parent.mkdir(parents=True, exist_ok=True)
        (folder / one).write_text(text)
    left, _, right = marked.partition("|")
    others = {(folder / next(iter(files))).as_uri(): opened} if opened else {}
    location = FileLocation.of((folder / name).as_uri(), others)
    return related_context(LocatedPlace(location, left, right, of_file(name), (folder,)))


def test_what_a_file_of_typescript_imports_is_told(tmp_path: Path) -> None:
    marked = (
        'import Shop, { area as size, type Point, TOKEN } from "./shapes.js";\nimport fs from "fs";\n'
        "export function f(shop: Shop, at: Point) {\n  size(1, 2);\n  return shop.|\n}\n"
    )
    files = {"shop/src/shapes.ts": SHAPES, "shop/package.json": "{}"}
    found = context_at(tmp_path, "shop/src/uses.ts", marked, files)
    assert (found.repository, found.path) == ("shop", "src/uses.ts")
    shop, *others = found.snippets
    assert shop.path == "src/shapes.ts"
    assert shop.text == (
        "class Shop extends Base {\n  name: string;\n  private items;\n  constructor(private till: Till);\n"
        "  price(item: string, count = 1): number;\n}\n"
    )
    assert "in front of the cursor's dot" in shop.reason
    texts = {one.text for one in others}
    assert texts == {
        "const area = (w: number, h: number): number\n",
        "interface Point { x: number; y: number }\n",
    }


def test_what_is_required_is_told(tmp_path: Path) -> None:
    files = {
        "mean.js": "function mean(values) { return values[0]; }\nmodule.exports = mean;\n",
        "all.js": "exports.sum = function (values) { return 1; };\nexports.one = 1;\n",
        "class.js": "class Till {\n  price(item) { return 1; }\n}\nexports.Till = Till;\n",
    }
    marked = (
        "const mean = require('./mean');\nconst all = require('./all.js');\n"
        "const { Till } = require('./class');\n"
        "all.sum([1]);\nnew Till();\nmean(|"
    )
    found = context_at(tmp_path, "uses.js", marked, files)
    assert {one.text for one in found.snippets} == {
        "function mean(values);\n",
        "exports.sum = function (values)\n",
        "class Till {\n  price(item);\n}\n",
    }


def test_a_document_is_told_of_as_it_is_in_the_editor(tmp_path: Path) -> None:
    marked = 'import { area } from "./shapes";\narea(|'
    found = context_at(
        tmp_path, "uses.ts", marked, {"shapes.ts": SHAPES}, "export function area(radius: number) {}\n"
    )
    assert [one.text for one in found.snippets] == ["function area(radius: number);\n"]


def test_what_may_not_be_read_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "shapes.ts").write_text(SHAPES)
    left = 'import { area } from "./shapes";\n'
    location = FileLocation.of((tmp_path / "uses.ts").as_uri())
    place = LocatedPlace(location, left, "", of_file("uses.ts"), (tmp_path,), lambda _path: False)
    assert related_context(place).snippets == ()
    assert related_context(replace(place, is_admitted=lambda _path: True)).snippets


def test_what_lies_outside_of_the_folder_is_told_only_if_it_is_open(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "far.ts").write_text(SHAPES)
    (tmp_path / "project" / "linked.ts").symlink_to(tmp_path / "far.ts")
    for module in ("../far", "./linked"):
        left = f'import {{ area }} from "{module}";\n'
        own = (tmp_path / "project" / "uses.ts").as_uri()
        for opened, expected in (
            ({}, 0),
            ({(tmp_path / "far.ts").as_uri(): SHAPES}, int(module == "../far")),
        ):
            location = FileLocation.of(own, opened)
            place = LocatedPlace(location, left, "", of_file("uses.ts"), (tmp_path / "project",))
            assert len(related_context(place).snippets) == expected


@pytest.mark.parametrize("near", [True, False])
def test_go_s_package_is_told_as_far_as_it_is_used_nearby(tmp_path: Path, near: bool) -> None:
    use = "\ttill := NewTill(1)\n" if near else ""
    marked = f"package shop\n\nfunc f() int {{\n{use}\treturn |\n}}\n"
    files = {"till.go": TILL_GO, "till_test.go": "package shop\n\nfunc NewTill() {}\n", "go.mod": "module a"}
    found = context_at(tmp_path, "uses.go", marked, files)
    assert [one.text for one in found.snippets] == near * ["func NewTill(name string) *Till;\n"]


def test_a_type_of_go_is_told_with_its_methods(tmp_path: Path) -> None:
    marked = "package shop\n\nfunc f(till *Till) int {\n\treturn till.|\n}\n"
    [till] = context_at(tmp_path, "uses.go", marked, {"till.go": TILL_GO}).snippets
    assert till.text == "type Till struct {\n\tName string\n}\nfunc (t *Till) Price(item string) int\n"


def test_types_of_java_are_told_that_are_imported_or_lie_beside(tmp_path: Path) -> None:
    files = {
        "src/org/shop/Till.java": TILL_JAVA,
        "src/org/app/Beside.java": "package org.app;\n\nenum Beside { A, B }\n",
        "pom.xml": "",
    }
    marked = (
        "package org.app;\n\nimport org.shop.Till;\n\nclass Uses {\n    Beside beside;\n"
        "    int f(Till<String> till) {\n        return till.|\n    }\n}\n"
    )
    till, beside = context_at(tmp_path, "src/org/app/Uses.java", marked, files).snippets
    assert till.path == "src/org/shop/Till.java"
    assert till.text == (
        "public class Till<T> extends Base {\n  private int count;\n  public Till(String name);\n"
        "  public int price(String item) throws Closed;\n}\n"
    )
    assert beside.text == "enum Beside { A, B }\n"
    assert beside.reason == "Beside is used 2 lines away"


def test_on_the_command_line_the_project_s_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "shapes.ts").write_text(SHAPES)
    left, model = 'import { area } from "./shapes";\narea(', tiny_model()
    for folder, expected in ((tmp_path, ["shapes.ts"]), (None, [])):
        project = FileInProject.of(folder, tmp_path / "uses.ts")
        found = project.context_tokens(model, left, ")\n", of_file("uses.ts"))
        assert [one.path for one in found.snippets] == expected
    (tmp_path / ".gitignore").write_text("shapes.ts\n")
    project = FileInProject.of(tmp_path, tmp_path / "uses.ts")
    assert not project.context_tokens(model, left, ")\n", of_file("uses.ts")).snippets
