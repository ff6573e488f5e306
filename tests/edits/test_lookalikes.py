"""Places that look like those that follow, but mean something else: they stay."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

CASES = (
    case(
        "keywords of calls that have the value by its place",
        """\
class Cart:
    def add(self, item, count=1, gift=False):
        self.rows.append((item, count, gift))


def fill(cart, path, mode):
    cart.add("a")
    cart.add("b")
    cart.add("e", 2)
    cart.add("f", 1, True)
    send(path)
    send(mode)
    send(path, True)
""",
        ('cart.add("a")', 'cart.add("a", gift=True)'),
        ('cart.add("b")', 'cart.add("b", gift=True)'),
        ("send(path)", "send(path, wait=True)"),
        ("send(mode)", "send(mode, wait=True)"),
        then=(('cart.add("e", 2)', 'cart.add("e", 2, gift=True)'),),
    ),
    case(
        "an encoding, and files of bytes",
        """\
def copy(path, mode):
    with open(path) as handle:
        one = handle.read()
    with open(path, "w") as handle:
        handle.write(one)
    with open(path, "a", 1, "utf-8") as handle:
        handle.write("x")
    with open(path, mode) as handle:
        handle.write("x")
    with open(path, "r+b") as handle:
        handle.write(b"")
    with open(path, "w", 1) as handle:
        handle.write("x")
    return open("ab").read()
""",
        ("open(path) as", 'open(path, encoding="utf-8") as'),
        ('open(path, "w")', 'open(path, "w", encoding="utf-8")'),
        then=(
            ('open(path, "w", 1)', 'open(path, "w", 1, encoding="utf-8")'),
            ('open("ab")', 'open("ab", encoding="utf-8")'),
        ),
    ),
    case(
        "comparisons with None of which a database makes something",
        """\
def find(session, a, b):
    if a == None or b == None:
        return None
    rows = session.query(User).filter(User.name == None, users.c.age != None)
    return [row for row in rows if row.name == None]
""",
        ("a == None", "a is None"),
        ("b == None", "b is None"),
        then=(("row.name == None", "row.name is None"),),
    ),
    case(
        "a named text in messages and in what tests expect",
        """\
import logging

TABLE = "orders"
log = logging.getLogger("orders")


def load(db):
    return db.query("orders")


def clear(db):
    log.info("orders")
    if not db.drop("orders"):
        raise ValueError("orders")


def test_load(db):
    assert load(db) == {"orders": 1}
    assert db.has("orders")
""",
        ('db.query("orders")', "db.query(TABLE)"),
        then=(
            ('db.drop("orders")', "db.drop(TABLE)"),
            ('db.has("orders")', "db.has(TABLE)"),
        ),
    ),
    case(
        "a named number that other keys have",
        """\
PORT = 8080


def serve(run, connect):
    run(port=8080)
    connect(port=8080)
    resize(width=8080, sizes={"port": 8080, "size": 8080})
    size = 8080
    return size


def check(port=8080):
    return port
""",
        ("run(port=8080)", "run(port=PORT)"),
        then=(("connect(port=8080)", "connect(port=PORT)"), ("port=8080", "port=PORT")),
    ),
    case(
        "joined paths that must be texts",
        """\
import json
import os
import sys
from pathlib import Path


def find(root, name):
    a = os.path.join(root, name)
    b = os.path.join(root, "b")
    sys.path.append(os.path.join(root, "c"))
    os.environ["D"] = os.path.join(root, "d")
    os.environ.setdefault("E", os.path.join(root, "e"))
    print(json.dumps({"f": os.path.join(root, "f")}), name == os.path.join(root, "g"))
    return a, b, os.path.join(root, "h")
""",
        ("os.path.join(root, name)", "Path(root) / name"),
        ('os.path.join(root, "b")', 'Path(root) / "b"'),
        then=(('os.path.join(root, "h")', 'Path(root) / "h"'),),
    ),
    case(
        "a named number of another field",
        """\
package a

const wait = 30

func dial() []Conf {
	c := Conf{Wait: 30, Max: 30}
	d := Conf{Max: 30, Wait: 30}
	return []Conf{c, d}
}
""",
        ("Wait: 30, Max", "Wait: wait, Max"),
        then=(("Wait: 30}", "Wait: wait}"),),
        language="go",
    ),
    case(
        "quotes within a text with fields, where a key changed",
        """\
def save(res):
    out = {}
    out["user_id"] = 2
    if "user_id" in out or "user_id" in res:
        return out.get("user_id"), res.get("user_id"), f"{out['user_id']}"
    return {"user_id": 1, **out}
""",
        ('out["user_id"] = 2', 'out["id"] = 2'),
        then=(
            ('"user_id" in out', '"id" in out'),
            ('out.get("user_id")', 'out.get("id")'),
            ("out['user_id']", "out['id']"),
        ),
    ),
    case(
        "a column of what another is made of",
        """\
def run(df, other):
    df["total"] = df["a"] + df["b"]
    other["total"] = 1
    df = df.sort_values("total")
    df.groupby("total")["total"].sum()
    return df[["a", "total"]], df["total"], other["total"], df.total
""",
        ('df["total"] = df', 'df["sum"] = df'),
        then=((', df["total"]', ', df["sum"]'),),
    ),
    case(
        "a keyword behind arguments on lines of their own, and another object's method",
        """\
def load(session, cache):
    session.get("a")
    session.get("b")
    cache.get("c")
    session.get(
        "d",
        headers={},
    )
""",
        ('session.get("a")', 'session.get("a", timeout=10)'),
        ('session.get("b")', 'session.get("b", timeout=10)'),
        then=(("        headers={},\n", "        headers={},\n        timeout=10,\n"),),
    ),
    case(
        "a parameter for which a class has no slot",
        """\
class A:
    __slots__ = ("name", "size")

    def __init__(self, name, size):
        self.name = name
        self.size = size
""",
        ("(self, name, size)", "(self, name, size, colour)"),
    ),
    case(
        "a named text as a name of members, and in tests",
        """\
const USER = "user";

export const load = () => localStorage.getItem("user");
export const save = (x) => localStorage.setItem("user", x);
const { "user": u } = save;
class K { "user" = u; }
it("user", () => {
  expect(load()).toBe("user");
});
""",
        ('getItem("user")', "getItem(USER)"),
        then=(('setItem("user"', "setItem(USER"),),
        language="javascript",
    ),
    case(
        "null among comparisons of the same name",
        """\
export const a = (x: any) => x == 1;
export const b = (x: any) => x == 2;
export const c = (x: any) => x == null;
export const d = (x: any) => x != null && x != 0 && x != void 0;
export const e = (x: any, y: any) => x == y;
""",
        ("x == 1", "x === 1"),
        ("x == 2", "x === 2"),
        then=(("x != 0", "x !== 0"), ("x == y", "x === y")),
        language="typescript",
    ),
    case(
        "promises that are waited for further down",
        """\
function load(id) {
  return fetch(id);
}

async function one() {
  const row = load(1);
  const other = load(2);
  const third = load(3);
  await third;
  return row.then((x) => x.name + other);
}
""",
        ("function load", "async function load"),
        then=(("const other = load(2)", "const other = await load(2)"),),
        language="javascript",
    ),
    case(
        "a key that is looked for",
        """\
function f(state, other) {
  state["name"] = 1;
  if ("name" in state && "name" in other) return state["name"];
  return other["name"];
}
""",
        ('state["name"] = 1', 'state["title"] = 1'),
        then=(('"name" in state', '"title" in state'), ('return state["name"]', 'return state["title"]')),
        language="javascript",
    ),
    case(
        "the same field of other rows",
        """\
package a

func TestSum(t *T) {
	tests := []struct{ in, want int }{{in: 1, want: 1}, {in: 2, want: 2}}
	for _, tt := range tests {
		t.Equal(tt.in, tt.want)
	}
	others := []Row{{want: 1}, {want: 2}}
	for _, o := range others {
		t.Check(o.want)
	}
}
""",
        ("in, want int", "in, expected int"),
        then=(
            ("in: 1, want: 1", "in: 1, expected: 1"),
            ("in: 2, want: 2", "in: 2, expected: 2"),
            ("tt.want", "tt.expected"),
        ),
        language="go",
    ),
    case(
        "a constant of a class in a class where it is not seen",
        """\
class A {
    private static final int LIMIT = 10;

    List<Row> take(Db db) {
        return db.take(10);
    }

    List<Row> more(Db db) {
        return db.take(10);
    }
}

class B {
    List<Row> take(Db db) {
        return db.take(10);
    }
}
""",
        ("return db.take(10)", "return db.take(LIMIT)"),
        then=(("return db.take(10)", "return db.take(LIMIT)"),),
        language="java",
    ),
    case(
        "a constant that a member of an enumeration hides",
        """\
class A {
    static final String USERS = "users";

    enum Kind {
        USERS("users"), ROWS("rows");

        Kind(String name) { }
    }

    String load(Db db) {
        log.info("users");
        return db.get("users");
    }

    void drop(Db db) {
        db.drop("users");
        throw new IllegalStateException("users");
    }
}
""",
        ('db.get("users")', "db.get(USERS)"),
        then=(('db.drop("users")', "db.drop(USERS)"),),
        language="java",
    ),
    case(
        "a constructor of another class",
        """\
class A {
    private final String name;
    private int age;

    A(String name, int age) {
        this.name = name;
        this.age = age;
    }
}

class B extends A {
    B(String name, int age) {
        super(name, age);
    }
}
""",
        ("A(String name, int age) {", "A(String name, int age, int size) {"),
        language="java",
    ),
    case(
        "a value that is called as the key in front of it",
        """\
{
  "users": [
    { "id": 1, "name": "a" },
    { "id": 2, "name": "b" },
    { "id": 3, "name": "name" }
  ]
}
""",
        ('"name": "a"', '"title": "a"'),
        then=(('"name": "b"', '"title": "b"'), ('"name": "name"', '"title": "name"')),
        language="json",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.language}: {case.name}")
def test_what_stays(case: Case) -> None:
    check(case)
