"""Literals that were given a name, values that constructors keep, classes in patterns, next to similar code
with another meaning: what follows, and what does not."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

CASES = (
    case(
        "control: constant used, default of another in python",
        """\
import os

DEBUG = "debug"


def level(name="debug"):
    return {"debug": 10}[name]


def mode():
    return os.environ.get("debug")
""",
        ('os.environ.get("debug")', "os.environ.get(DEBUG)"),
        then=(
            ('name="debug"', "name=DEBUG"),
            ('{"debug": 10}', "{DEBUG: 10}"),
        ),
    ),
    case(
        "control: f-string and concat in python",
        """\
NAME = "shop"


def f(x):
    a = "shop" "keeper"
    b = f"{'shop'}: {x}"
    return a, b, x["shop"], x == "shop", getattr(x, "shop")
""",
        ('x["shop"]', "x[NAME]"),
        then=(
            ('x == "shop"', "x == NAME"),
            ('getattr(x, "shop")', "getattr(x, NAME)"),
        ),
    ),
    case(
        "control: __all__ and annotations in python",
        """\
__all__ = ["shop"]

NAME = "shop"


def shop(x: "shop") -> "shop":
    return x.get("shop")


def other(x):
    return x.get("shop")
""",
        ('return x.get("shop")', "return x.get(NAME)"),
        then=(('return x.get("shop")', "return x.get(NAME)"),),
    ),
    case(
        "control: two-digit same call in go",
        """\
package a

const size = 16

func f() {
	a := make([]byte, 16)
	b := make([]byte, 16)
	c := 16
	_, _, _ = a, b, c
}
""",
        ("make([]byte, 16)", "make([]byte, size)"),
        then=(("make([]byte, 16)", "make([]byte, size)"),),
        language="go",
    ),
    case(
        "control: switch label java in java",
        """\
class A {
    static final String NAME = "shop";

    int f(String x) {
        switch (x) {
            case "shop":
                return 1;
            default:
                return x.equals("shop") ? 2 : 3;
        }
    }
}
""",
        ('x.equals("shop")', "x.equals(NAME)"),
        then=(('case "shop"', "case NAME"),),
        language="java",
    ),
    case(
        "control: enum text ts in typescript",
        """\
const NAME = "shop";

enum Kind {
  Shop = "shop",
}

type K = { "shop": number };
export const f = (x: string) => x === "shop";
export const g = (x: string) => x === "shop";
export const h = <K extends "shop">(x: K) => x;
""",
        ('x === "shop"', "x === NAME"),
        then=(('x === "shop"', "x === NAME"),),
        language="typescript",
    ),
    case(
        "control: jsx text attr in typescriptreact",
        """\
const NAME = "shop";

export const A = (x: string) => <p id="shop">{x === "shop" ? "shop" : x}</p>;
""",
        ('x === "shop"', "x === NAME"),
        then=(('? "shop"', "? NAME"),),
        language="typescriptreact",
    ),
    case(
        "control: directive in javascript",
        """\
"use strict";
const MODE = "use strict";
check("use strict");
check2("use strict");
""",
        ('check("use strict")', "check(MODE)"),
        then=(('check2("use strict")', "check2(MODE)"),),
        language="javascript",
    ),
    case(
        "control: name inside inner scope in javascript",
        """\
function a() {
  const KEY = "user";
  return get(KEY);
}
function b(get) {
  return get("user");
}
""",
        ("return get(KEY)", "return get(KEY, 1)"),
        language="javascript",
    ),
    case(
        "control: kept, child class super in typescript",
        """\
class A extends B {
  private name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }
}
""",
        ("constructor(name: string)", "constructor(name: string, other: B)"),
        language="typescript",
    ),
    case(
        "control: js kept uses other place in javascript",
        """\
class A {
  constructor(name) {
    this.name = name;
    this.rows = load(name);
  }
}
""",
        ("constructor(name)", "constructor(name, rows)"),
        language="javascript",
    ),
    case(
        "control: await in arrow of gather js in typescript",
        """\
async function load(n: number) {
  return n;
}
function get(n: number) {
  return n;
}

export async function f(ns: number[]) {
  const all = await Promise.all(ns.map((n) => get(n)));
  const p = get(1);
  return [all, p];
}
""",
        ("function get", "async function get"),
        then=(("p = get", "p = await get"),),
        language="typescript",
    ),
    case(
        "ts readonly ctor property in typescript",
        """\
class A {
  constructor(private readonly repo: Repo) {}

  all() {
    return this.repo.all();
  }
}
""",
        ("readonly repo", "readonly store"),
        then=(("this.repo", "this.store"),),
        language="typescript",
    ),
    case(
        "ts optional param added in typescript",
        """\
function send(host: string): void {}

send("a");
send("b");
""",
        ("host: string)", "host: string, port?: number)"),
        language="typescript",
    ),
    case(
        "js default param in javascript",
        """\
function send(host, port = 80) {
  return host + port;
}
send("a", 80);
send("b");
""",
        ("port = 80", "port = 443"),
        language="javascript",
    ),
    case(
        "py global var in python",
        """\
count = 0


def inc():
    global count
    count += 1


def show():
    count = 3
    return count
""",
        ("count = 0", "total = 0"),
        then=(
            (
                """\
global count
    count +=""",
                """\
global total
    total +=""",
            ),
        ),
    ),
    case(
        "py match class in python",
        """\
class Add:
    pass


class Sub:
    pass


def f(op):
    match op:
        case Add():
            return 1
        case Sub():
            return 2
""",
        ("class Add", "class Plus"),
        then=(("case Add()", "case Plus()"),),
    ),
    case(
        "toml dependency group in toml",
        """\
[tool.a]
line-length = 100
target = "x"

[tool.b]
line_length = 100
""",
        ("line-length = 100", "line-length = 110"),
        language="toml",
    ),
    case(
        "json tsconfig in json",
        '{"compilerOptions": {"target": "es2020", "lib": ["es2020"]}, "x": "es2020"}\n',
        ('"target": "es2020"', '"target": "es2022"'),
        language="json",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
