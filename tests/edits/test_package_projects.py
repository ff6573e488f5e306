"""Edits that follow in a project of several files that import each other, accepted one by one until there is
none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.edits.taken_in_project import take_edits

Files = Mapping[str, str]


@dataclass(frozen=True)
class PackageCase:
    """The files of a project, the user's replacement in the first one, and the others after their edits."""

    name: str
    files: Files
    made: tuple[str, str]
    follows: Files


PRICES = "def net(price):\n    return price / 1.19\n\n\ndef gross(price):\n    return price * 1.19\n"
OWN = 'from .prices import gross, net\n\n__all__ = ["gross", "net"]\n'
ORDERS = (
    "class Order:\n    def __init__(self, total):\n        self.total = total\n\n"
    "    def with_tax(self):\n        return self.total * 1.19\n"
)
API = (
    "export interface User {\n  id: number;\n  name: string;\n}\n\n"
    "export async function fetchUser(id: number): Promise<User> {\n"
    "  return (await fetch(`/users/${id}`)).json();\n}\n"
)
PAGE = (
    'import { fetchUser } from "./api";\n\n'
    "export function Page({ id }: { id: number }) {\n"
    "  return <button onClick={() => fetchUser(id)}>load</button>;\n}\n"
)
UTIL = (
    "function readJson(path) {\n  return JSON.parse(path);\n}\n"
    "function inner() {\n  return readJson('a');\n}\nmodule.exports = { readJson, size: inner };\n"
)
MAIN = (
    'const { readJson } = require("./util");\nconst { readJson: read } = require("./util.js");\n'
    'const util = require("./util");\n\nreadJson(util.readJson(read(util.size())));\n'
)
INDEX = 'export { fetchUser as load } from "./api";\nexport type { User } from "./api";\n'
VIEW = (
    'import { useState } from "react";\nimport { fetchUser, type User } from "./api";\n\n'
    "export function View() {\n  const [user, setUser] = useState<User | null>(null);\n"
    "  const [other] = useState<{ name: string }>({ name: 'a' });\n"
    "  return <h1 onClick={() => fetchUser(1).then(setUser)}>{user?.name ?? other.name}</h1>;\n}\n"
)
ASKING = (
    'import { load } from ".";\nimport * as api from "./api";\n\n'
    "export async function run(stranger: { name: string }) {\n  const user = await load(1);\n"
    '  const made: api.User = { id: 2, name: "x" };\n  console.log(user.name, stranger.name);\n'
    "  return [user, made].map(({ name }: api.User) => name);\n}\n"
)
STORE = "export class Store {\n  get(id: number) {\n    return id;\n  }\n}\n"
STORE_USES = (
    'import { Store } from "./store";\n\n'
    "export async function run(store: Store, others: Map<number, number>) {\n"
    "  return [store.get(1).toFixed(), others.get(2)];\n}\n\n"
    "export const first = (store: Store) => store.get(3) + 1;\n"
)
GO_MAIN = (
    'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/shop/store"\n)\n\n'
    "func main() {\n\ts := store.New()\n\tfmt.Println(s.Get(1))\n}\n"
)
CART = (
    "export default class Cart {\n  items: string[] = [];\n  add(item: string) {\n    return item;\n  }\n}\n"
)
CART_USES = '\nconst cart = new Basket();\ncart.add("a");\nconst names = new Set();\nnames.add("b");\n'
JAVA_ITEM = "package shop;\n\npublic record Item(String name, double price) {\n}\n"
JAVA_REPORT = (
    "package app;\n\nimport java.util.List;\nimport shop.Item;\n\nclass Report {\n"
    "    Object all(List<Item> items, Other name) {\n"
    "        name.name();\n"
    "        return items.stream().map(Item::name).toList() + items.get(0).name();\n    }\n}\n"
)
APP = 'import { load } from "./api";\nimport * as api from "./api";\n\nload();\napi.save();\n'
CASES = (
    PackageCase(
        "a member of an interface, by what is given back, held in a state, said with a module and handed on",
        {"src/api.ts": API, "src/index.ts": INDEX, "src/view.tsx": VIEW, "src/app.ts": ASKING},
        ("  name: string", "  fullName: string"),
        {
            "src/view.tsx": VIEW.replace("user?.name", "user?.fullName"),
            "src/app.ts": ASKING.replace("user.name", "user.fullName")
            .replace('name: "x"', 'fullName: "x"')
            .replace("{ name }", "{ fullName: name }"),
        },
    ),
    PackageCase(
        "a function that another module hands on with all others",
        {
            "src/api.ts": API,
            "src/index.ts": 'export * from "./api";\n',
            "src/app.ts": 'import { fetchUser } from ".";\nimport { fetchUser as other } from "@/index";\n\n'
            "fetchUser(1);\nother(2);\n",
        },
        ("fetchUser", "loadUser"),
        {
            "src/index.ts": 'export * from "./api";\n',
            "src/app.ts": 'import { loadUser } from ".";\nimport { loadUser as other } from "@/index";\n\n'
            "loadUser(1);\nother(2);\n",
        },
    ),
    PackageCase(
        "a method that became asynchronous",
        {"src/store.ts": STORE, "src/app.ts": STORE_USES},
        ("  get(", "  async get("),
        {"src/app.ts": STORE_USES.replace("store.get(1).", "(await store.get(1)).")},
    ),
    PackageCase(
        "a method of Go, of what a function of the package gives back",
        {
            "store/store.go": "package store\n\ntype Store struct{ Items []int }\n\n"
            "func New() *Store { return &Store{} }\n\n"
            "func (s *Store) Get(at int) int { return s.Items[at] }\n",
            "cmd/main.go": GO_MAIN,
        },
        (") Get(", ") Lookup("),
        {"cmd/main.go": GO_MAIN.replace("s.Get", "s.Lookup")},
    ),
    PackageCase(
        "a record of Java",
        {"shop/Item.java": JAVA_ITEM, "app/Report.java": JAVA_REPORT},
        ("record Item", "record Product"),
        {"app/Report.java": JAVA_REPORT.replace("Item", "Product")},
    ),
    PackageCase(
        "a part of a record, of what a list holds and by a reference",
        {"shop/Item.java": JAVA_ITEM, "app/Report.java": JAVA_REPORT},
        ("String name", "String label"),
        {
            "app/Report.java": JAVA_REPORT.replace("Item::name", "Item::label").replace(
                ").name()", ").label()"
            )
        },
    ),
    PackageCase(
        "a method of a class that is a module's default",
        {"src/cart.ts": CART, "src/app.ts": 'import Basket from "./cart";\n' + CART_USES},
        ("add(item: string)", "put(item: string)"),
        {"src/app.ts": 'import Basket from "./cart";\n' + CART_USES.replace("cart.add", "cart.put")},
    ),
    PackageCase(
        "a function that is a module's default, with a parameter less",
        {
            "lib/send.js": "function send(text, to) {\n  return [text, to];\n}\nmodule.exports = send;\n",
            "lib/app.js": 'const deliver = require("./send");\n\ndeliver("a", 1);\nother.send("b", 2);\n',
        },
        ("(text, to) {\n  return [text, to]", "(text) {\n  return [text]"),
        {"lib/app.js": 'const deliver = require("./send");\n\ndeliver("a");\nother.send("b", 2);\n'},
    ),
    PackageCase(
        "what CommonJS hands out by its own name",
        {"lib/util.js": UTIL, "lib/main.js": MAIN},
        ("function readJson", "function loadJson"),
        {
            "lib/util.js": UTIL.replace("readJson", "loadJson"),
            "lib/main.js": MAIN.replace("readJson", "loadJson"),
        },
    ),
    PackageCase(
        "what CommonJS hands out by another key stays there",
        {"lib/util.js": UTIL, "lib/main.js": MAIN},
        ("function inner", "function measured"),
        {
            "lib/util.js": UTIL.replace("inner", "measured"),
            "lib/main.js": MAIN,
        },
    ),
    PackageCase(
        "what a module lists, and what it does not hand out",
        {
            "src/api.ts": "function load() {}\nfunction save() {}\nexport { load };\nload();\nsave();\n",
            "src/app.ts": APP,
        },
        ("function", "async function"),
        {
            "src/app.ts": APP,
        },
    ),
    PackageCase(
        "a function that a package hands on, and lists",
        {
            "shop/prices.py": PRICES,
            "shop/__init__.py": OWN,
            "tests/test_shop.py": "from shop import net\n\n\ndef test_net():\n    assert net(119) == 100\n",
        },
        ("def net(", "def net_price("),
        {
            "shop/__init__.py": OWN.replace("net", "net_price"),
            "tests/test_shop.py": "from shop import net_price\n\n\ndef test_net():\n"
            "    assert net_price(119) == 100\n",
        },
    ),
    PackageCase(
        "a method of a class that a package hands on",
        {
            "shop/orders.py": ORDERS,
            "shop/__init__.py": "from .orders import Order\n",
            "tests/test_shop.py": "from shop import Order\n\n\ndef test_it():\n"
            "    assert Order(total=100).with_tax() == 119\n",
        },
        ("with_tax", "gross_total"),
        {
            "shop/__init__.py": "from .orders import Order\n",
            "tests/test_shop.py": "from shop import Order\n\n\ndef test_it():\n"
            "    assert Order(total=100).gross_total() == 119\n",
        },
    ),
    PackageCase(
        "a function of TypeScript, in a file with JSX",
        {"src/api.ts": API, "src/page.tsx": PAGE},
        ("fetchUser", "loadUser"),
        {"src/page.tsx": PAGE.replace("fetchUser", "loadUser")},
    ),
    PackageCase(
        "a component, in a file without JSX",
        {
            "src/page.tsx": PAGE,
            "src/routes.ts": 'import { Page } from "./page";\n\n'
            'export const routes = [{ path: "/", Page }];\n'
            "export const other = <any>Page;\n",
        },
        ("function Page", "function UserPage"),
        {
            "src/routes.ts": 'import { UserPage } from "./page";\n\n'
            'export const routes = [{ path: "/", Page: UserPage }];\nexport const other = <any>UserPage;\n',
        },
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows_in_the_files_of_a_project(
    case: PackageCase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "project"
    for name, text in case.files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(text.encode())
    changed, text = next(iter(case.files.items()))
    own, old = project / changed, tmp_path / f"old{Path(changed).suffix}"
    old.write_bytes(text.encode())
    own.write_bytes(text.replace(*case.made).encode())
    take_edits(own, old, project, capsys)
    assert {name: (project / name).read_bytes().decode() for name in case.follows} == case.follows
