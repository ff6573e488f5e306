"""Renamed fields of data classes, of named tuples, and of format strings."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

FORMATS = """\
TEMPLATE = "{name} of {total}"


def summary(name, total):
    text = "{name}: {total:>5} {{name}}".format(name=name, total=total)
    return text + "%(name)s" % {"name": name}


def row(name, total):
    return "%(name)s has %(total)d" % {"name": name, "total": total}


def shown(name):
    return TEMPLATE.format(name=name, total=3)
"""
TUPLES = """\
from collections import namedtuple
from typing import NamedTuple

Point = namedtuple("Point", "x y")
Pair = namedtuple("Pair", ["left", "right"])


class Size(NamedTuple):
    width: int
    height: int


def area(size: Size) -> int:
    bigger = size._replace(width=3)
    return bigger.width * size.height


def move(point: Point, by, other):
    moved = Point(x=point.x + by, y=point.y)
    return moved._replace(x=other.x)


p = Point(x=1, y=2)
print(p.x, p.y)
q = Pair(left=1, right=2)
print(q.left, q.right)
match q:
    case Pair(left=1, right=r):
        print(r)
"""
ORDERS = """\
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Order:
    owner: str
    count: int = 1

    def twice(self):
        return replace(self, count=self.count * 2)


def more(order: Order, by: int) -> Order:
    match order:
        case Order(owner="me", count=c):
            print(c)
        case Other(count=0):
            return order
    return replace(order, count=order.count + by)


def all_of(orders: list[Order], others) -> int:
    largest = max(orders, key=lambda each: each.count)
    return sum(order.count for order in orders) + sum(one.count for one in others) + largest.count


order = more(Order("me", count=2), 3)
print(order.count, more(order, 3).count, "x".replace("a", count=1))
"""
MODELS = """\
from attrs import define, evolve
from pydantic import BaseModel


@define
class User:
    name: str
    age: int = 0


class Model(BaseModel):
    name: str
    size: int = 3


def older(user: User) -> User:
    return evolve(user, age=user.age + 1)


u = User(name="a", age=2)
print(u.age, u.name)
m = Model(name="m", size=4)
print(m.size, m.model_copy(update={"size": 5}), {"size": 5})
"""
STATES = """\
from enum import Enum

Color = Enum("Color", "RED GREEN")


class State(Enum):
    OPEN = 1
    DONE = 2


def shown(state, color):
    match state:
        case State.OPEN | State.DONE:
            return color is Color.RED
        case Other.DONE:
            return Color.GREEN
"""

FIELDS = (
    case(
        "a field of a text: what fills it",
        FORMATS,
        ('"{name}: {total', '"{label}: {total'),
        then=((".format(name=name", ".format(label=name"),),
    ),
    case(
        "what fills a text: its fields",
        FORMATS,
        (".format(name=name", ".format(label=name"),
        then=(('"{name}: {total', '"{label}: {total'),),
    ),
    case(
        "a field of a text that a name is given: the call that fills it",
        FORMATS,
        ('TEMPLATE = "{name}', 'TEMPLATE = "{label}'),
        then=(("TEMPLATE.format(name", "TEMPLATE.format(label"),),
    ),
    case(
        "a field of a text: its key",
        FORMATS,
        ('"%(name)s has', '"%(label)s has'),
        then=(('{"name": name, ', '{"label": name, '),),
    ),
    case(
        "a key of a dictionary that fills a text",
        FORMATS,
        ('{"name": name, "total"', '{"label": name, "total"'),
        then=(('"%(name)s has', '"%(label)s has'),),
    ),
    case("another field of a text", FORMATS, ('"{name}: {total', '"{total}: {total')),
    case(
        "a field of a tuple with names, as a text",
        TUPLES,
        ('"x y"', '"left y"'),
        then=(
            ("Point(x=point.x", "Point(left=point.x"),
            ("=point.x +", "=point.left +"),
            ("_replace(x=other.x", "_replace(left=other.x"),
            ("Point(x=1", "Point(left=1"),
            ("p.x", "p.left"),
        ),
    ),
    case(
        "a field of a tuple with names, in a list",
        TUPLES,
        ('["left"', '["first"'),
        then=(
            ("Pair(left=1, right=2)", "Pair(first=1, right=2)"),
            ("q.left", "q.first"),
            ("case Pair(left=", "case Pair(first="),
        ),
    ),
    case(
        "a field of a class of tuples",
        TUPLES,
        ("width: int", "breadth: int"),
        then=(("_replace(width", "_replace(breadth"), ("bigger.width", "bigger.breadth")),
    ),
    case(
        "a field of a class of data: in copies, in patterns, of what is given back, of things of a list",
        ORDERS,
        ("count: int = 1", "amount: int = 1"),
        then=(
            ("count=self.count", "amount=self.amount"),
            ('"me", count=c', '"me", amount=c'),
            ("replace(order, count=order.count", "replace(order, amount=order.amount"),
            ("each.count", "each.amount"),
            ("sum(order.count", "sum(order.amount"),
            ('"me", count=2', '"me", amount=2'),
            ("print(order.count, more(order, 3).count", "print(order.amount, more(order, 3).amount"),
        ),
    ),
    case(
        "a field of a class of attrs",
        MODELS,
        ("age: int", "years: int"),
        then=(
            ("evolve(user, age=user.age", "evolve(user, years=user.years"),
            ('"a", age=2', '"a", years=2'),
            ("u.age", "u.years"),
        ),
    ),
    case(
        "a field of a model: in the changes of a copy",
        MODELS,
        ("size: int", "length: int"),
        then=(('"m", size=4', '"m", length=4'), ("m.size", "m.length"), ('{"size": 5})', '{"length": 5})')),
    ),
    case("a member in a pattern", STATES, ("DONE = 2", "OVER = 2"), then=(("State.DONE", "State.OVER"),)),
    case(
        "a member of what is made of a text",
        STATES,
        ('"RED GREEN"', '"CRIMSON GREEN"'),
        then=(("Color.RED", "Color.CRIMSON"),),
    ),
)


@pytest.mark.parametrize("one", FIELDS, ids=lambda one: one.name)
def test_the_uses_of_a_field_follow(one: Case) -> None:
    check(one)
