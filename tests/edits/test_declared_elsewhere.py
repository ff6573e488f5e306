"""Edits that follow in another file of JavaScript, TypeScript, Go and Java, accepted one by one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from fim_lsp.cli import main

MOST_STEPS = 12


@dataclass(frozen=True)
class LanguageCase:
    """A file and its replacement, another file and the replacement that follows there."""

    name: str
    path: str
    text: str
    made: tuple[tuple[str, str], ...]
    other: str
    other_text: str
    follows: tuple[tuple[str, str], ...] = ()


SHAPES = """\
export function area(width: number, height: number): number {
  return width * height;
}
export class Shop {
  price(item: string, count: number): number {
    return item.length * count;
  }
}
"""
USES = """\
import { area, Shop } from "./shapes";
import * as shapes from "../src/shapes.js";
import { area as other } from "./strangers";
export { area } from "./shapes";

export function all(shop: Shop, stranger: Other): number {
  return area(1, 2) + shapes.area(3, 4) + shop.price("a", 1) + stranger.price("b", 2);
}
export const mine = { area };
function inner(area: any) {
  return area(5, 6);
}
"""
GO = """\
package shop

type Till struct{ Name string }

func (t *Till) Price(item string, count int) int { return len(item) * count }

func Net(gross int) int { return gross }
"""
GO_USES = """\
package shop

func all(till *Till) int {
	return Net(1) + till.Price("a", 2) + len(till.Name)
}
"""
JAVA = """\
package shop;

public class Till {
    public String name;

    public static Till made(String name) {
        return new Till();
    }

    public int price(String item, int count) {
        return item.length() * count;
    }
}
"""
JAVA_USES = """\
package app;

import shop.Till;

class Uses {
    int all(Till till, Other other) {
        return till.price("a", 1) + other.price("b", 2) + Till.made("c").price("d", 3) + till.name.length();
    }
}
"""
GO_STANDING = """\
package shop

type Memory struct{}

func (m *Memory) Get(key string) string { return key }

func (m *Memory) Put(key string) {}

type Half struct{}

func (h *Half) Get(key string) string { return key }

func all(one Store, half *Half) string {
	made := &Memory{}
	return one.Get("a") + made.Get("b") + half.Get("c")
}
"""
CASES = (
    LanguageCase(
        "a function that is imported, as a whole, handed on and its own key",
        "src/shapes.ts",
        SHAPES,
        (("area(", "size("),),
        "src/uses.ts",
        USES,
        (
            ("import { area, Shop }", "import { size, Shop }"),
            ("export { area }", "export { size as area }"),
            ("return area(1, 2) + shapes.area(3, 4)", "return size(1, 2) + shapes.size(3, 4)"),
            ("mine = { area }", "mine = { area: size }"),
        ),
    ),
    LanguageCase(
        "a function's parameter is gone",
        "src/shapes.ts",
        SHAPES,
        (("(width: number, height: number)", "(width: number)"), ("width * height", "width * width")),
        "src/uses.ts",
        USES,
        (("area(1, 2) + shapes.area(3, 4)", "area(1) + shapes.area(3)"),),
    ),
    LanguageCase(
        "parameters in another order would be changed again and again",
        "src/shapes.ts",
        SHAPES,
        (("(width: number, height: number)", "(height: number, width: number)"),),
        "src/uses.ts",
        USES,
    ),
    LanguageCase(
        "a method and its parameter",
        "src/shapes.ts",
        SHAPES,
        (("price(item: string, count: number)", "cost(item: string)"), ("length * count", "length")),
        "src/uses.ts",
        USES,
        (('shop.price("a", 1)', 'shop.cost("a")'),),
    ),
    LanguageCase(
        "an interface's method, in a class that stands for it",
        "src/store.ts",
        "export interface Store {\n  get(key: string): string;\n}\n",
        (("get(key", "find(key"),),
        "src/memory.ts",
        'import { Store } from "./store";\n\nclass Memory implements Store {\n  get(key: string) {}\n}\n'
        "class Other {\n  get(key: string) {}\n}\n",
        (("Store {\n  get", "Store {\n  find"),),
    ),
    LanguageCase(
        "a member of what a function takes that is imported",
        "src/dialog.tsx",
        "type Props = { title: string; onClose: () => void };\n\n"
        "export function Dialog({ title, onClose }: Props) {\n  return null;\n}\n",
        (("; onClose", "; onDismiss"), ("title, onClose", "title, onDismiss: onClose")),
        "src/app.tsx",
        'import { Dialog } from "./dialog";\nimport { Dialog as Other } from "./strangers";\n\n'
        'const a = <Dialog title="a" onClose={leave} />;\nconst b = <Other onClose={leave} />;\n',
        (('<Dialog title="a" onClose', '<Dialog title="a" onDismiss'),),
    ),
    LanguageCase(
        "a function of another file that is called alike",
        "src/others.ts",
        SHAPES,
        (("area(", "size("),),
        "src/uses.ts",
        USES,
    ),
    LanguageCase(
        "what is required keeps its key, and follows in its calls",
        "lib/shapes.js",
        "function area(a, b) {\n  return a;\n}\nmodule.exports = { area };\n",
        (("(a, b)", "(a)"),),
        "app.js",
        'const { area } = require("./lib/shapes");\nconst all = require("./lib/shapes");\n'
        "area(1, 2);\nall.area(3, 4);\n",
        (("area(1, 2)", "area(1)"), ("all.area(3, 4)", "all.area(3)")),
    ),
    LanguageCase(
        "Go's package in another of its files",
        "shop/till.go",
        GO,
        (
            ("Net(gross", "NetOf(gross"),
            ("Name string", "Title string"),
            ("item string, count int", "item string"),
            ("len(item) * count", "len(item)"),
        ),
        "shop/uses.go",
        GO_USES,
        (("Net(1)", "NetOf(1)"), ('till.Price("a", 2)', 'till.Price("a")'), ("till.Name", "till.Title")),
    ),
    LanguageCase(
        "Go's package in another one",
        "shop/till.go",
        GO,
        (("Net(gross int)", "NetOf(gross int)"),),
        "app/main.go",
        'package app\n\nimport "example.org/x/shop"\n\nfunc Net(a int) int { return a }\n\n'
        "var x = shop.Net(1) + Net(2)\n",
        (("shop.Net(1)", "shop.NetOf(1)"),),
    ),
    LanguageCase(
        "a method of an interface of Go, in a type of another file, and where that is used",
        "shop/store.go",
        "package shop\n\ntype Store interface {\n\tGet(key string) string\n\tPut(key string)\n}\n",
        (("Get(key", "Find(key"),),
        "shop/memory.go",
        GO_STANDING,
        (
            (") Get(key", ") Find(key"),
            ("one.Get(", "one.Find("),
            ("made.Get(", "made.Find("),
        ),
    ),
    LanguageCase(
        "what a method of an interface of Go takes, in a type of another file",
        "shop/store.go",
        "package shop\n\ntype Store interface {\n\tGet(key string) string\n\tPut(key string)\n}\n",
        (("Put(key string)", "Put(key string, value string)"),),
        "shop/memory.go",
        GO_STANDING,
        ((") Put(key string)", ") Put(key string, value string)"),),
    ),
    LanguageCase(
        "a method of an interface of Java, in a class of another file",
        "shop/Store.java",
        "package shop;\n\npublic interface Store {\n    String get(String key);\n}\n",
        (("String get(", "String find("),),
        "shop/Memory.java",
        "package shop;\n\nclass Memory implements Store {\n    public String get(String key) {\n"
        "        return key;\n    }\n\n"
        "    static String run(Store store, Other other) {\n"
        '        return store.get("a") + new Memory().get("b") + other.get("c");\n    }\n}\n',
        (
            ("String get(", "String find("),
            ('store.get("a") + new Memory().get("b")', 'store.find("a") + new Memory().find("b")'),
        ),
    ),
    LanguageCase(
        "Java's members by what a file says of types",
        "shop/Till.java",
        JAVA,
        (("name;", "title;"), ("String item, int count", "String item"), ("length() * count", "length()")),
        "app/Uses.java",
        JAVA_USES,
        (
            ('till.price("a", 1)', 'till.price("a")'),
            ('made("c").price("d", 3)', 'made("c").price("d")'),
            ("till.name.length()", "till.title.length()"),
        ),
    ),
    LanguageCase(
        "Java's static members",
        "shop/Till.java",
        JAVA,
        (("made(String name)", "opened(String name)"),),
        "app/Uses.java",
        JAVA_USES,
        (("Till.made", "Till.opened"),),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows_in_another_file(
    case: LanguageCase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "project"
    own, other, old = project / case.path, project / case.other, tmp_path / f"old{Path(case.path).suffix}"
    for path, text in ((own, replaced(case.text, case.made)), (other, case.other_text), (old, case.text)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    for _ in range(MOST_STEPS):
        arguments = ["edits", str(own), "--since", str(old), "--project", str(project), "--json"]
        assert main(arguments) == 0
        found = [one for one in json.loads(capsys.readouterr().out) if Path(one["path"]) == other]
        if not found:
            break
        text = other.read_bytes().decode()
        edited = text[: found[0]["start"]] + found[0]["new"] + text[found[0]["end"] :]
        other.write_bytes(edited.encode())
    assert other.read_bytes().decode() == replaced(case.other_text, case.follows)


def replaced(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
