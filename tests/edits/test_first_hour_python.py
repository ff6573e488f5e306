"""Pairs of the kind that users try in their first hour, in Python."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

SVC = """\
import os
import logging

logger = logging.getLogger(__name__)

DEFAULT_TIMEOUT = 30


class ConfigError(Exception):
    pass


def read_config(path, timeout=DEFAULT_TIMEOUT):
    if not os.path.exists(path):
        raise ConfigError(f"no such file: {path}")
    print("reading", path)
    with open(path) as handle:
        return parse(handle.read(), timeout)


def parse(text, timeout):
    rows = {}
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if value == None:
            raise ConfigError("no value")
        rows[key] = value
    print("parsed", len(rows))
    return rows


def write_config(path, rows):
    folder = os.path.join(os.path.dirname(path), "backup")
    if not os.path.exists(folder):
        os.makedirs(folder)
    print("writing", path)
    with open(path, "w") as handle:
        for key, value in rows.items():
            if value == None:
                continue
            handle.write(f"{key}={value}\\n")


def main():
    try:
        rows = read_config("app.cfg", timeout=DEFAULT_TIMEOUT)
    except ConfigError as error:
        print("failed", error)
        return 1
    if rows.get("mode") == None:
        rows["mode"] = "fast"
    write_config("app.cfg", rows)
    return 0
"""
TESTS = """\
import unittest

from shop import Cart


class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart("me")

    def test_add(self):
        self.cart.add("apple")
        self.assertEqual(self.cart.total(), 1)
        self.assertTrue(self.cart.rows)

    def test_empty(self):
        self.assertEqual(self.cart.total(), 0)
        self.assertFalse(self.cart.rows)

    def test_owner(self):
        self.assertEqual(self.cart.owner, "me")
        self.assertIn("me", self.cart.people)
"""
ROUTES = """\
from app import db, login_required, route


@route("/users")
def users():
    rows = db.query("select * from users")
    return {"user_name": [row["user_name"] for row in rows]}


@route("/carts")
def carts():
    rows = db.query("select * from carts")
    return {"user_name": rows[0]["user_name"], "n": len(rows)}


@route("/items")
def items():
    rows = db.query("select * from items")
    return {"user_name": rows[0]["user_name"]}


def helper():
    return 3
"""
LOGS = """\
import logging

log = logging.getLogger("shop")


def buy(item):
    log.info("buying %s", item)
    if not item.price:
        log.warning("no price for %s", item)
    return item.price


def sell(item):
    log.info("selling %s", item)
    try:
        item.sell()
    except ValueError:
        log.error("cannot sell %s", item)
        raise
"""
EXC = """\
class NotFound(Exception):
    pass


class Repo:
    def __init__(self, rows):
        self.rows = rows

    def get(self, key):
        if key not in self.rows:
            raise KeyError(key)
        return self.rows[key]

    def drop(self, key):
        if key not in self.rows:
            raise KeyError(key)
        del self.rows[key]

    def rename(self, key, to):
        if key not in self.rows:
            raise KeyError(key)
        self.rows[to] = self.rows.pop(key)


def show(repo, key):
    try:
        return repo.get(key)
    except KeyError:
        return None
"""
ENUM = """\
from enum import Enum


class Status(Enum):
    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


class Task:
    def __init__(self, name, status=Status.OPEN):
        self.name = name
        self.status = status

    def finish(self):
        if self.status is Status.DONE:
            return
        self.status = Status.DONE

    def is_open(self):
        return self.status == Status.OPEN


def report(tasks):
    done = [task for task in tasks if task.status is Status.DONE]
    match tasks[0].status:
        case Status.OPEN:
            print("open")
        case Status.DONE:
            print("done")
    return {"done": len(done), Status.DONE: done}
"""
OPT = """\
from typing import Dict, List, Optional


class Store:
    def __init__(self, path: Optional[str] = None) -> None:
        self.path = path
        self.rows: Dict[str, int] = {}

    def get(self, key: str) -> Optional[int]:
        return self.rows.get(key)

    def first(self, keys: List[str]) -> Optional[int]:
        for key in keys:
            found: Optional[int] = self.get(key)
            if found is not None:
                return found
        return None

    def names(self) -> List[str]:
        return sorted(self.rows)
"""
SIX = """\
from shop.mail import send

send("a@x", "welcome", "text a")
x = 1
send("b@x", "welcome", "text b")
y = 2
send("c@x", "bye", "text c")
z = 3
send("d@x", "bye", "text d")


def later(address, text):
    send(address, "later", text)
    return send(address, "again", text)
"""

PARAMETRIZED = """\
import pytest


@pytest.mark.parametrize("name, price", [("apple", 1), ("pear", 2)])
@pytest.mark.parametrize("other", ["name"])
def test_add(cart, name, price, other):
    cart.add(name, price)
    assert cart.total(name="name") == price


@pytest.mark.parametrize("name", ["a"])
def test_name(name):
    assert name
"""
HOUR = (
    case(
        "a name that a test is given",
        PARAMETRIZED,
        ('"name, price"', '"label, price"'),
        then=(
            ("test_add(cart, name, price", "test_add(cart, label, price"),
            ("add(name, price)", "add(label, price)"),
        ),
    ),
    case(
        "a parameter of a test that is given it",
        PARAMETRIZED,
        ("test_add(cart, name", "test_add(cart, label"),
        then=(('"name, price"', '"label, price"'), ("add(name, price)", "add(label, price)")),
    ),
    case(
        "the type of one parameter is not that of others",
        "class A:\n    def __init__(self, a: float) -> None:\n        self.a = a\n\n\n"
        "class B:\n    def __init__(self, b: float) -> None:\n        self.b = b\n",
        ("a: float", "a: int"),
    ),
    case(
        "a constant that functions above it ask for",
        "def f(x):\n    ROWS.append(x)\n    return len(ROWS)\n\n\n"
        "def g(ROWS):\n    return ROWS\n\n\nROWS = []\n",
        ("\n\nROWS = []", "\n\nITEMS = []"),
        then=(("ROWS.append", "ITEMS.append"), ("len(ROWS)", "len(ITEMS)")),
    ),
    case(
        "prints of several values that became lines of a log",
        SVC,
        ('print("reading", path)', 'logger.info("reading %s", path)'),
        ('print("parsed", len(rows))', 'logger.info("parsed %s", len(rows))'),
        then=(
            ('print("writing", path)', 'logger.info("writing %s", path)'),
            ('print("failed", error)', 'logger.info("failed %s", error)'),
        ),
    ),
    case(
        "a path's method",
        SVC,
        ("import os\n", "import os\nfrom pathlib import Path\n"),
        ("not os.path.exists(path)", "not Path(path).exists()"),
        then=(("not os.path.exists(folder)", "not Path(folder).exists()"),),
    ),
    case(
        "two assertions of unittest",
        TESTS,
        ("self.assertEqual(self.cart.total(), 1)", "assert self.cart.total() == 1"),
        ("self.assertTrue(self.cart.rows)", "assert self.cart.rows"),
        then=(
            ("self.assertEqual(self.cart.total(), 0)", "assert self.cart.total() == 0"),
            ("self.assertFalse(self.cart.rows)", "assert not self.cart.rows"),
            ('self.assertEqual(self.cart.owner, "me")', 'assert self.cart.owner == "me"'),
            ('self.assertIn("me", self.cart.people)', 'assert "me" in self.cart.people'),
        ),
    ),
    case(
        "a decorator behind another one",
        ROUTES,
        ('@route("/users")\n', '@route("/users")\n@login_required\n'),
        ('@route("/carts")\n', '@route("/carts")\n@login_required\n'),
        then=(('@route("/items")\n', '@route("/items")\n@login_required\n'),),
    ),
    case(
        "what is put in front of the texts of a log",
        LOGS,
        ('"buying', '"shop: buying'),
        ('"no price', '"shop: no price'),
        then=(('"selling', '"shop: selling'), ('"cannot', '"shop: cannot')),
    ),
    case(
        "other quotes",
        "a = f('x')\nb = 1\nc = g('yy')\nd = 2\ne = h('zzz')\n",
        ("'x'", '"x"'),
        ("'yy'", '"yy"'),
        then=(("'zzz'", '"zzz"'),),
    ),
    case(
        "an exception's class, and where it is caught",
        EXC,
        ("raise KeyError(key)", "raise NotFound(key)"),
        ("raise KeyError(key)", "raise NotFound(key)"),
        then=(("raise KeyError(key)", "raise NotFound(key)"), ("except KeyError", "except NotFound")),
    ),
    case(
        "a member of an enumeration, in a pattern as well",
        ENUM,
        ('DONE = "done"', 'FINISHED = "done"'),
        then=(
            ("is Status.DONE", "is Status.FINISHED"),
            ("status = Status.DONE", "status = Status.FINISHED"),
            ("is Status.DONE", "is Status.FINISHED"),
            ("case Status.DONE", "case Status.FINISHED"),
            ("Status.DONE: done", "Status.FINISHED: done"),
        ),
    ),
    case(
        "a type that may be nothing",
        OPT,
        ("path: Optional[str] = None", "path: str | None = None"),
        then=(
            ("-> Optional[int]:\n        return self", "-> int | None:\n        return self"),
            ("-> Optional[int]:\n        for", "-> int | None:\n        for"),
            ("found: Optional[int]", "found: int | None"),
            ("Dict, List, Optional", "Dict, List"),
        ),
    ),
    case(
        "an argument by its name, at six calls",
        SIX,
        ('"welcome", "text a"', '"welcome", body="text a"'),
        ('"welcome", "text b"', '"welcome", body="text b"'),
        then=(
            ('"text c"', 'body="text c"'),
            ('"text d"', 'body="text d"'),
            ('"later", text', '"later", body=text'),
            ('"again", text', '"again", body=text'),
        ),
    ),
    case(
        "a path's method is no other one's",
        "import os\nfrom pathlib import Path\n\n\n"
        "def f(path, a, b):\n    if os.path.exists(path):\n        return a\n"
        "    return os.path.samefile(a, b)\n",
        ("os.path.exists(path)", "Path(path).exists()"),
    ),
    case(
        "what only one text of a log begins with",
        LOGS,
        ('"buying', '"shop: buying'),
    ),
    case("other quotes, once", "a = f('x')\nb = 1\nc = g('yy')\n", ("'x'", '"x"')),
)


@pytest.mark.parametrize("one", HOUR, ids=lambda one: f"{one.language}: {one.name}")
def test_what_comes_next(one: Case) -> None:
    check(one)
