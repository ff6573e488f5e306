"""Names of Python that are reached in other ways than by their variable: overloads, functions that are handed
on, texts that repeat a name, routes, results; and names that another binding hides."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

REACHED = (
    drawn(
        "an inner loop with the same variable",
        """\
def grid(rows):
    for <<i|row>> in rows:
        print([[i|row]])
        for i in range(3):
            print(i)
    for i in rows:
        print(i)
""",
    ),
    drawn(
        "an inner loop over the variable itself",
        """\
def flat(rows):
    for <<part|row>> in rows:
        for cell in [[part|row]]:
            print(cell, [[part|row]])
""",
    ),
    drawn(
        "a type in an annotation that is a string",
        """\
<<Rows|Table>> = list[dict]


def write(rows: "[[Rows|Table]]", name="Rows") -> "None | [[Rows|Table]]":
    return [rows]
""",
    ),
    drawn(
        "what is told its own name",
        """\
from typing import NewType, TypeVar

<<T|Item>> = TypeVar("[[T|Item]]")
Key = NewType("Key", str)


def first(rows: tuple[int, [[T|Item]]]) -> [[T|Item]]:
    return rows[0]
""",
    ),
    drawn(
        "a logger keeps its text",
        """\
import logging

<<log|logger>> = logging.getLogger("log")
[[log|logger]].info("log")
""",
    ),
    drawn(
        "overloads",
        """\
from typing import overload


@overload
def get(<<key|name>>: str) -> str: ...
@overload
def get([[key|name]]: int) -> int: ...
def get([[key|name]]):
    return [[key|name]]


def put(key):
    return key
""",
    ),
    drawn(
        "no overloads",
        """\
if FAST:
    def get(<<key|name>>):
        return [[key|name]]
else:
    def get(key):
        return key
""",
    ),
    drawn(
        "a function that is handed on with its keywords",
        """\
from functools import partial
from threading import Thread


def f(x, <<n|times>>):
    return x * [[n|times]]


double = partial(f, [[n|times]]=2)
done = pool.submit(f, 3, [[n|times]]=2)
Thread(target=f, kwargs={"x": 1, "[[n|times]]": 2}).start()
other = partial(g, n=2)
plot(f, n=2)
""",
    ),
    drawn(
        "a parameter of a route",
        """\
@app.get("/users/{user_id}/{page}")
def show(<<user_id|uid>>: int, page):
    return load([[user_id|uid]], page)
""".replace("{user_id}", "{[[user_id|uid]]}"),
    ),
    drawn(
        "a route with another parameter",
        """\
@app.route("/users/<int:<<user_id|uid>>>")
def show([[user_id|uid]]):
    return load([[user_id|uid]])


@app.route("/pets/<int:user_id>")
def pets(user_id):
    return user_id
""",
    ),
    drawn(
        "an option that was made longer",
        """\
import click


@click.command()
@click.option("--<<dry|dry-run>>", is_flag=True)
def main([[dry|dry_run]]):
    print([[dry|dry_run]])
""",
    ),
    drawn(
        "a parameter of an inherited constructor",
        """\
class Base:
    def __init__(self, <<title|name>>):
        self.name = [[title|name]]


class Sub(Base):
    pass


class Own(Base):
    def __init__(self, title):
        super().__init__(title)


class Both(Base, Other):
    pass


Sub([[title|name]]="x")
Own(title="y")
Both(title="z")
""",
    ),
    drawn(
        "an attribute that the class lists twice",
        """\
class Point:
    __slots__ = ("[[x|left]]", "y")
    __match_args__ = ("[[x|left]]", "y")

    def __init__(self, x, y):
        self.<<x|left>> = x
        self.y = y
""",
    ),
    drawn(
        "values of loggers",
        """\
def f(a, b, c, d):
    log.info(<<f"a {a}"|"a %s", a>>)
    log.info([[f"b {b.x!r} {{c}}"|"b %r {c}", b.x]])
    self.logger.warning([[f"{c}"|"%s", c]], exc_info=True)
    log.info(f"{d:>3} 100%")
    log.info("c")
    print(f"c {c}")
""",
    ),
    drawn(
        "filled texts of loggers",
        """\
def f(a, b, c):
    log.info(<<"a %s" % a|"a %s", a>>)
    log.info([["%s and %s" % (b, c)|"%s and %s", b, c]])
    log.info("%s" % b, c)
    raise ValueError("%s" % b)
""",
    ),
    drawn(
        "a key of a result",
        """\
def build(row):
    return {"<<uid|user_id>>": row[0], "name": row[1]}


def show(row, other):
    data = build(row)
    print(data["[[uid|user_id]]"], data["name"], build(row)["[[uid|user_id]]"], other["uid"])
    data = None


def again(row):
    found = build(row)
    return found.get("[[uid|user_id]]")
""",
    ),
    drawn(
        "a variable of a comprehension, renamed where it is used first",
        """\
def names(users):
    a = [<<u|user>>.name for [[u|user]] in users if [[u|user]].ok]
    b = [u.id for u in users]
    return a, b
""",
    ),
    drawn(
        "another variable in a comprehension",
        """\
def names(users, first):
    return [<<u|first>>.name for u in users if u.ok]
""",
    ),
)


@pytest.mark.parametrize("one", REACHED, ids=lambda one: one.name)
def test_what_comes_next(one: Case) -> None:
    check(one)
