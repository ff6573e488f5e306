"""Literals that get a name: where the same value follows, and where it means something else."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

CASES = (
    case(
        "extract a constant in python",
        """\
import time


def poll():
    time.sleep(30)


def wait():
    time.sleep(30)


def rest():
    time.sleep(30)
""",
        (
            "import time\n",
            """\
import time

DELAY = 30
""",
        ),
        ("time.sleep(30)", "time.sleep(DELAY)"),
        then=(
            ("time.sleep(30)", "time.sleep(DELAY)"),
            ("time.sleep(30)", "time.sleep(DELAY)"),
        ),
    ),
    case(
        "extract a constant text in python",
        """\
def load(db):
    return db.get("users")


def save(db, row):
    db.put("users", row)


def clear(db):
    db.drop("users")
""",
        (
            "def load",
            """\
TABLE = "users"


def load""",
        ),
        ('db.get("users")', "db.get(TABLE)"),
        then=(
            ('db.put("users"', "db.put(TABLE"),
            ('db.drop("users")', "db.drop(TABLE)"),
        ),
    ),
    case(
        "extract a constant in javascript",
        """\
function poll(run) {
  setTimeout(run, 3000);
}

function wait(run) {
  setTimeout(run, 3000);
}

function rest(run) {
  setTimeout(run, 3000);
}
""",
        (
            "function poll",
            """\
const DELAY = 3000;

function poll""",
        ),
        ("setTimeout(run, 3000)", "setTimeout(run, DELAY)"),
        then=(
            ("setTimeout(run, 3000)", "setTimeout(run, DELAY)"),
            ("setTimeout(run, 3000)", "setTimeout(run, DELAY)"),
        ),
        language="javascript",
    ),
    case(
        "extract a constant text in javascript",
        """\
export function load(db) {
  return db.get("users");
}

export function save(db, row) {
  db.put("users", row);
}
""",
        (
            "export function load",
            """\
const TABLE = "users";

export function load""",
        ),
        ('db.get("users")', "db.get(TABLE)"),
        then=(('db.put("users"', "db.put(TABLE"),),
        language="javascript",
    ),
    case(
        "extract a constant text in go",
        """\
package a

func load(db *DB) string {
	return db.Get("users")
}

func save(db *DB, row string) {
	db.Put("users", row)
}
""",
        (
            "func load",
            """\
const table = "users"

func load""",
        ),
        ('db.Get("users")', "db.Get(table)"),
        then=(('db.Put("users"', "db.Put(table"),),
        language="go",
    ),
    case(
        "extract a constant text in java",
        """\
class Store {
    String load(Db db) {
        return db.get("users");
    }

    void save(Db db, String row) {
        db.put("users", row);
    }
}
""",
        (
            "class Store {\n",
            """\
class Store {
    private static final String TABLE = "users";

""",
        ),
        ('db.get("users")', "db.get(TABLE)"),
        then=(('db.put("users"', "db.put(TABLE"),),
        language="java",
    ),
    case(
        "control: a named text that is no value in python",
        '''\
"""users"""
from typing import Literal

KIND = Literal["users"]
OTHER = "users"


def load(db, kind):
    """users"""
    match kind:
        case "users":
            return db.get("users")
    return f"{kind}: users"
''',
        (
            "OTHER",
            """\
TABLE = "users"
OTHER""",
        ),
        ('db.get("users")', "db.get(TABLE)"),
    ),
    case(
        "control: a named number elsewhere in python",
        """\
def poll(job):
    job.sleep(30)
    job.resize(30)
    return job.sleep(300) + 30
""",
        (
            "def poll",
            """\
DELAY = 30


def poll""",
        ),
        ("sleep(30)", "sleep(DELAY)"),
    ),
    case(
        "control: a local name in python",
        """\
def a(db):
    return db.get("users")


def b(db):
    return db.get("users")
""",
        (
            '    return db.get("users")',
            """\
    table = "users"
    return db.get(table)""",
        ),
    ),
    case(
        "control: key and import in javascript",
        """\
import { a } from "users";

export const get = (db) => db.get("users");
export const all = { "users": 1, b: "users" };
""",
        (
            "export const get",
            """\
const TABLE = "users";
export const get""",
        ),
        ('db.get("users")', "db.get(TABLE)"),
        then=(('b: "users"', "b: TABLE"),),
        language="javascript",
    ),
    case(
        "control: union type in typescript",
        """\
type Kind = "users" | "rows";

export const get = (db: any): Kind => db.get("users");
export const put = (db: any) => db.put("users");
""",
        (
            "export const get",
            """\
const TABLE = "users";
export const get""",
        ),
        ('db.get("users")', "db.get(TABLE)"),
        then=(('db.put("users")', "db.put(TABLE)"),),
        language="typescript",
    ),
    case(
        "control: struct tag and import in go",
        """\
package a

import "users"

type A struct {
	B string "users"
}

func load(db *DB) string {
	return db.Get("users")
}
""",
        (
            "func load",
            """\
const table = "users"

func load""",
        ),
        ('db.Get("users")', "db.Get(table)"),
        language="go",
    ),
    case(
        "control: not static in java",
        """\
class Store {
    static String load(Db db) {
        return db.get("users");
    }

    String save(Db db) {
        return db.get("users");
    }
}
""",
        (
            "class Store {\n",
            """\
class Store {
    private final String table = "users";

""",
        ),
        (
            """\
    String save(Db db) {
        return db.get("users")""",
            """\
    String save(Db db) {
        return db.get(table)""",
        ),
        language="java",
    ),
    case(
        "const in Go locals in go",
        """\
package a

func wait() {
	sleep(250)
	sleep(250)
	size(250)
}
""",
        (
            "\tsleep(250)",
            """\
	const delay = 250
	sleep(delay)""",
        ),
        then=(("sleep(250)", "sleep(delay)"),),
        language="go",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
