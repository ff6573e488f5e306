"""Names in strings and comments, of types' parameters and of imports, after a change of the thing itself."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

PROP = """\
class Person:
    __slots__ = ("_name", "age")
    LIMIT = 10

    def __init__(self, name, age=0):
        self._name = name
        self.age = age

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, value):
        if len(value) > self.LIMIT:
            raise ValueError(f"longer than {Person.LIMIT}")
        self._name = value

    @classmethod
    def most(cls):
        return cls.LIMIT


class Employee(Person):
    def __init__(self, name, boss):
        super().__init__(name=name, age=3)
        self.boss = boss

    def shown(self):
        return f"{self.name} of {self.boss.name}, {getattr(self, 'age')}"


bob = Person("bob")
bob.name = "rob"
print(bob.name, hasattr(bob, "age"), Person.LIMIT)
"""
DOC = """\
/**
 * Adds up prices.
 * @param {number[]} prices the prices
 * @param {number} rate what is added
 */
function total(prices, rate) {
  return prices.reduce((sum, one) => sum + one, 0) * rate;
}

/** @param {string} rate */
function other(rate) {
  return rate;
}
"""
JDOC = """\
class Bank {
    /**
     * Adds to it.
     *
     * @param amount how much, see {@code amount}
     * @return what is there
     */
    int add(int amount) {
        this.sum += amount;
        return sum;
    }

    private int sum;

    int getSum() {
        return sum;
    }

    void setSum(int sum) {
        this.sum = sum;
    }
}
"""
GEN = """\
import { User, type Role } from "./users";
import * as api from "./api";

export function first<T>(rows: T[], fallback: T): T {
  return rows[0] ?? fallback;
}

export class Box<T> {
  constructor(private value: T) {}
  get(): T {
    return this.value;
  }
}

export async function load(id: number): Promise<User> {
  const user: User = await api.get(`/users/${id}`);
  return user;
}

export const roles = (users: User[]): Role[] => users.map((user) => user.role as Role);
"""
TRY = """\
def load(path):
    try:
        return open(path).read()
    except IOError as err:
        raise StoreError("cannot read")


def save(path, text):
    try:
        open(path, "w").write(text)
    except IOError as err:
        raise StoreError("cannot write")


def drop(path):
    try:
        os.remove(path)
    except IOError as err:
        raise StoreError("cannot remove")
"""
PROMI = """\
import { get } from "./api";

export function name(id) {
  return get(id).then((user) => user.name);
}

export function mail(id) {
  return get(id).then((user) => user.mail);
}

export const age = (id) => {
  return get(id).then((user) => user.age);
};
"""
TOM = """\
[project]
name = "shop"
version = "1.0"

[tool.lint]
select = ["E"]

[tool.format]
line-length = 88

[[tool.task]]
cmd = "build"
cwd = "."

[[tool.task]]
cmd = "test"
cwd = "."

[[tool.task]]
cmd = "lint"
cwd = "."
"""

SAID = (
    case(
        "a property, and what sets it",
        PROP,
        ("    @property\n    def name(self)", "    @property\n    def title(self)"),
        then=(
            ("@name.setter\n    def name", "@title.setter\n    def title"),
            ("{self.name}", "{self.title}"),
            ('bob.name = "rob"', 'bob.title = "rob"'),
            ("print(bob.name", "print(bob.title"),
        ),
    ),
    case(
        "an attribute that a class has a slot for",
        PROP,
        ("self._name = name", "self._title = name"),
        then=(
            ('("_name"', '("_title"'),
            ("return self._name", "return self._title"),
            ("self._name = value", "self._title = value"),
        ),
    ),
    case(
        "an attribute that is asked for by a text",
        PROP,
        ("self.age = age", "self.years = age"),
        then=(('"age")', '"years")'), ("'age'", "'years'"), ('"age")', '"years")')),
    ),
    case(
        "a parameter that a comment speaks of",
        DOC,
        ("total(prices, rate)", "total(prices, factor)"),
        then=(("@param {number} rate", "@param {number} factor"), ("* rate;", "* factor;")),
        language="javascript",
    ),
    case(
        "a parameter that a comment of Java speaks of",
        JDOC,
        ("int add(int amount)", "int add(int cents)"),
        then=(
            ("@param amount", "@param cents"),
            ("{@code amount}", "{@code cents}"),
            ("+= amount", "+= cents"),
        ),
        language="java",
    ),
    case(
        "a function's type parameter",
        GEN,
        ("first<T>(", "first<Row>("),
        then=(("rows: T[], fallback: T): T", "rows: Row[], fallback: Row): Row"),),
        language="typescript",
    ),
    case(
        "a class's type parameter",
        GEN,
        ("Box<T>", "Box<Value>"),
        then=(("value: T)", "value: Value)"), ("get(): T", "get(): Value")),
        language="typescript",
    ),
    case(
        "another name of a module of the project",
        GEN,
        ("{ User,", "{ Person,"),
        then=(
            ("Promise<User>", "Promise<Person>"),
            ("user: User", "user: Person"),
            ("users: User[]", "users: Person[]"),
        ),
        language="typescript",
    ),
    case(
        "the cause of an exception",
        TRY,
        ('raise StoreError("cannot read")', 'raise StoreError("cannot read") from err'),
        ('raise StoreError("cannot write")', 'raise StoreError("cannot write") from err'),
        then=(('raise StoreError("cannot remove")', 'raise StoreError("cannot remove") from err'),),
    ),
    case(
        "functions that are made asynchronous",
        PROMI,
        (
            "export function name(id) {\n  return get(id).then((user) => user.name);",
            "export async function name(id) {\n  const user = await get(id);\n  return user.name;",
        ),
        then=(
            ("export function mail", "export async function mail"),
            ("return get(id).then((user) => user.mail);", "const user = await get(id);\n  return user.mail;"),
            ("age = (id)", "age = async (id)"),
            ("return get(id).then((user) => user.age);", "const user = await get(id);\n  return user.age;"),
        ),
        language="javascript",
    ),
    case(
        "a line that came into two tables",
        TOM,
        ('cmd = "build"\ncwd = "."', 'cmd = "build"\ncwd = "."\nshell = true'),
        ('cmd = "test"\ncwd = "."', 'cmd = "test"\ncwd = "."\nshell = true'),
        then=(('cmd = "lint"\ncwd = "."', 'cmd = "lint"\ncwd = "."\nshell = true'),),
        language="toml",
    ),
    case(
        "a key of tables",
        TOM,
        ('cwd = "."', 'dir = "."'),
        then=(('cwd = "."', 'dir = "."'), ('cwd = "."', 'dir = "."')),
        language="toml",
    ),
    case(
        "an import of another module's other thing",
        'import { useState } from "react";\n\nconst a = useState(1);\n',
        ("{ useState }", "{ useMemo }"),
        language="javascript",
    ),
    case(
        "a type parameter of Go, and not the next function's",
        "package a\n\nfunc f[T any](x T) T { return x }\n\nfunc g[T any](x T) T { return x }\n",
        ("f[T any]", "f[Row any]"),
        then=(("(x T) T", "(x Row) Row"),),
        language="go",
    ),
    case(
        "a type parameter of Java",
        "class Box<T> {\n    T value;\n    <U> U f(U a, T b) { return a; }\n}\n",
        ("Box<T>", "Box<Row>"),
        then=(("    T value", "    Row value"), ("T b", "Row b")),
        language="java",
    ),
)


@pytest.mark.parametrize("one", SAID, ids=lambda one: f"{one.language}: {one.name}")
def test_what_is_said_follows(one: Case) -> None:
    check(one)
