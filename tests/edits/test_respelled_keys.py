"""Keys with another spelling, keywords added to calls, strings that become format strings, destructuring
under another name: the edits that follow."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

CASES = (
    case(
        "concat to template in javascript",
        """\
function show(name, n) {
  const a = "hello " + name;
  const b = "count " + n + " rows";
  const c = "bye " + name;
  return [a, b, c];
}
""",
        ('"hello " + name', "`hello ${name}`"),
        ('"count " + n + " rows"', "`count ${n} rows`"),
        then=(('"bye " + name', "`bye ${name}`"),),
        language="javascript",
    ),
    case(
        "string key in javascript",
        """\
const session = {};
session["user_id"] = 1;
console.log(session["user_id"]);
delete session["user_id"];
""",
        ('session["user_id"] = 1', 'session["userId"] = 1'),
        then=(
            ('log(session["user_id"]', 'log(session["userId"]'),
            ('delete session["user_id"]', 'delete session["userId"]'),
        ),
        language="javascript",
    ),
    case(
        "session key python in python",
        """\
def f(session):
    session["user_id"] = 1
    print(session["user_id"])
    session.pop("user_id")
    other["user_id"] = 2
""",
        ('session["user_id"] = 1', 'session["uid"] = 1'),
        then=(
            ('print(session["user_id"]', 'print(session["uid"]'),
            ('pop("user_id")', 'pop("uid")'),
        ),
    ),
    case(
        "js destructured rename in javascript",
        """\
const { data } = await get();
show(data);
const f = (data) => data;
""",
        ("{ data }", "{ data: rows }"),
        then=(("show(data)", "show(rows)"),),
        language="javascript",
    ),
    case(
        "py return two in python",
        """\
def parse(text):
    head = text[0]
    tail = text[1:]
    return head


def run():
    head = parse("a")
    return head
""",
        ("    return head\n\n", "    return head, tail\n\n"),
        then=(("    head = parse", "    head, tail = parse"),),
    ),
    case(
        "py open encoding in python",
        """\
def f(a, b, c):
    with open(a) as x:
        x.read()
    with open(b) as y:
        y.read()
    with open(c, "w") as z:
        z.write("")
""",
        ("open(a)", 'open(a, encoding="utf-8")'),
        ("open(b)", 'open(b, encoding="utf-8")'),
        then=(('open(c, "w")', 'open(c, "w", encoding="utf-8")'),),
    ),
    case(
        "java stream method ref in java",
        """\
class User {
    String mail() {
        return "";
    }
}

class B {
    Object f(List<User> users) {
        users.stream().map(User::mail).toList();
        return users.stream().map(u -> u.mail()).toList();
    }
}
""",
        ("String mail()", "String email()"),
        then=(
            ("User::mail", "User::email"),
            ("u.mail()", "u.email()"),
        ),
        language="java",
    ),
    case(
        "no await in a generator in python",
        """\
import asyncio


def fetch(url):
    return url


async def run(urls):
    return await asyncio.gather(*(fetch(url) for url in urls))


def sync():
    return fetch("a")
""",
        ("def fetch", "async def fetch"),
    ),
    case(
        "control: another's key in javascript",
        """\
const session = {};
const other = {};
session["user_id"] = 1;
other["user_id"] = 2;
show(other["user_id"], other.user_id, "user_id");
""",
        ('session["user_id"]', 'session["userId"]'),
        language="javascript",
    ),
    case(
        "a key by its name in javascript",
        """\
export function f(row) {
  row.user_id = 1;
  show(row.user_id, row["user_id"]);
}
""",
        ("row.user_id = 1", "row.userId = 1"),
        then=(
            ("row.user_id", "row.userId"),
            ('row["user_id"]', 'row["userId"]'),
        ),
        language="javascript",
    ),
    case(
        "control: another's key python in python",
        """\
def f(session, other):
    session["user_id"] = 1
    other["user_id"] = 2
    return other["user_id"], "user_id"
""",
        ('session["user_id"]', 'session["uid"]'),
    ),
    case(
        "control: sums of numbers in javascript",
        """\
function show(a, b, n) {
  const x = "hello " + a;
  const y = "count " + n + " rows";
  const z = a + b + "c";
  const w = a + b;
  const v = "costs $" + n;
  return [x, y, z, w, v];
}
""",
        ('"hello " + a', "`hello ${a}`"),
        ('"count " + n + " rows"', "`count ${n} rows`"),
        language="javascript",
    ),
    case(
        "control: opened for bytes in python",
        """\
def f(a, b, c):
    with open(a) as x:
        x.read()
    with open(b) as y:
        y.read()
    with open(c, "rb") as z:
        z.read()
""",
        ("open(a)", 'open(a, encoding="utf-8")'),
        ("open(b)", 'open(b, encoding="utf-8")'),
    ),
    case(
        "keyword in other calls in python",
        """\
import subprocess


def f():
    subprocess.run(["a"])
    subprocess.run(["b", "c"], cwd="x")
    subprocess.run(["d"], check=False)
    subprocess.run(*rest)
    subprocess.call(["e"])
    subprocess.run(
        ["f"],
        cwd="y",
    )
""",
        ('run(["a"])', 'run(["a"], check=True)'),
        ('cwd="x")', 'cwd="x", check=True)'),
        then=(('        cwd="y",\n', '        cwd="y",\n        check=True,\n'),),
    ),
    case(
        "control: keyword left out in python",
        """\
def f(get):
    get("a")
    get("b", 1)
    get("c")
    get("d", 2)
""",
        ('get("a")', 'get("a", timeout=3)'),
        ('get("c")', 'get("c", timeout=3)'),
    ),
    case(
        "create_task is not awaited in python",
        """\
import asyncio


async def other():
    return 1


def fetch(url):
    return url


async def run(group, urls):
    a = asyncio.create_task(fetch("a"))
    b = [fetch(url) for url in urls]
    c = await asyncio.gather(*[fetch(url) for url in urls])
    d = await asyncio.wait_for(fetch("d"), timeout=1)
    return a, b, c, d
""",
        ("def fetch", "async def fetch"),
        then=(("b = [fetch", "b = [await fetch"),),
    ),
    case(
        "returned twice from one in python",
        """\
def parse(text):
    head = text[0]
    tail = text[1:]
    return head


def run():
    first = parse("a")
    print(parse("b"))
    return first


def other():
    tail = 1
    head = parse("c")
    return head, tail
""",
        ("    return head\n", "    return head, tail\n"),
        then=(("    first = parse", "    first, tail = parse"),),
    ),
    case(
        "control: early return in python",
        """\
def parse(text):
    if not text:
        return None
    return text


def run():
    first = parse("a")
    return first
""",
        ("    return text\n", "    return text, 1\n"),
    ),
    case(
        "three compared otherwise in python",
        """\
def f(a, b):
    if a == None:
        return 1
    if b == None:
        return 2
    if a.b == None:
        return 3
    return b.c != None
""",
        ("a == None", "a is None"),
        ("b == None", "b is None"),
        ("a.b == None", "a.b is None"),
        then=(("b.c != None", "b.c is not None"),),
    ),
    case(
        "paths that are put together in python",
        """\
import os
from pathlib import Path


def paths(root, name):
    a = os.path.join(root, "a")
    b = os.path.join(root, "b")
    c = os.path.join(root, "c", name)
    d = os.path.join(root, "d") + ".txt"
    e = os.path.join(root, *name)
    return a, b, c, d, e
""",
        ('os.path.join(root, "a")', 'Path(root) / "a"'),
        ('os.path.join(root, "b")', 'Path(root) / "b"'),
        then=(('os.path.join(root, "c", name)', 'Path(root) / "c" / name'),),
    ),
    case(
        "control: one path put together in python",
        """\
import os
from pathlib import Path


def paths(root):
    a = os.path.join(root, "a")
    b = os.path.join(root, "b")
    return a, b
""",
        ('os.path.join(root, "a")', 'Path(root) / "a"'),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
