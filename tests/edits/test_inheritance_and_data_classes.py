"""Inheritance, classes of data, and texts that name things: the edits that follow a change."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

SHAPES = """\
class Shape:
    def area(self, scale):
        raise NotImplementedError

    def show(self):
        return f"{self.area(1)} square metres"


class Square(Shape):
    def area(self, scale):
        '''The area.

        :param scale: how much larger
        '''
        return scale * 4


class Half(Square):
    def area(self, scale):
        return super().area(scale=scale) / 2


class Other:
    def area(self, scale=1):
        return scale
"""

OVERRIDES = (
    case(
        "a method, its calls, and those that override it",
        SHAPES,
        ("def area(self, scale):\n        raise", "def surface(self, scale):\n        raise"),
        then=(
            ("self.area(1)", "self.surface(1)"),
            ("    def area(self, scale):\n        '''", "    def surface(self, scale):\n        '''"),
            (
                "    def area(self, scale):\n        return super",
                "    def surface(self, scale):\n        return super",
            ),
            ("super().area", "super().surface"),
        ),
    ),
    case(
        "a parameter, in those that override the method, too",
        SHAPES,
        ("area(self, scale):\n        raise", "area(self, factor):\n        raise"),
        then=(
            ("area(self, scale):\n        '''", "area(self, factor):\n        '''"),
            (":param scale", ":param factor"),
            ("return scale * 4", "return factor * 4"),
            (
                "area(self, scale):\n        return super().area(scale=scale)",
                "area(self, factor):\n        return super().area(factor=factor)",
            ),
        ),
    ),
    case(
        "a new parameter that has a default",
        SHAPES,
        ("area(self, scale):\n        raise", "area(self, scale, unit='m'):\n        raise"),
        then=(
            ("area(self, scale):\n        '''", "area(self, scale, unit='m'):\n        '''"),
            (
                "area(self, scale):\n        return super",
                "area(self, scale, unit='m'):\n        return super",
            ),
            ("super().area(scale=scale)", "super().area(scale=scale, unit=unit)"),
        ),
    ),
    case(
        "a parameter that is gone stays where it is used, and calls that override the method stay with it",
        "class A:\n    def f(self, a, b):\n        return a\n\n\nclass B(A):\n    def f(self, a, b):\n"
        "        return a\n\n\nclass C(A):\n    def f(self, a, b):\n        return a + b\n",
        ("f(self, a, b)", "f(self, a)"),
        then=(("f(self, a, b):\n        return a\n", "f(self, a):\n        return a\n"),),
    ),
    case(
        "a method that takes other parameters is left alone",
        "class A:\n    def f(self, a):\n        return a\n\n\nclass B(A):\n    def f(self, a, more):\n"
        "        return a, more\n",
        ("f(self, a)", "f(self, value)"),
        then=(("return a\n", "return value\n"),),
    ),
)

POINT = """\
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
    rows: list[int] = field(default_factory=list)

    @classmethod
    def origin(cls):
        return cls(0, 0)


one = Point(1, 2)
two = Point(x=1, y=2, rows=[])
"""

FIELDS = (
    case(
        "a field that is new, and one object was given it",
        POINT,
        ("    x: int\n", "    x: int\n    z: int\n"),
        ("one = Point(1, 2)", "one = Point(1, 0, 2)"),
        then=(("cls(0, 0)", "cls(0, y=0, z=0)"), ("(x=1, y=2", "(x=1, z=0, y=2")),
    ),
    case(
        "a field that is gone",
        POINT,
        ("    y: int = 0\n", ""),
        then=(("cls(0, 0)", "cls(0)"), ("Point(1, 2)", "Point(1)"), (", y=2", "")),
    ),
    case(
        "fields in another order",
        "from typing import NamedTuple\n\n\nclass Row(NamedTuple):\n    name: str\n    size: int\n\n\n"
        "a = Row('a', 1)\nb = Row(name='b', size=2)\n",
        ("    name: str\n    size: int\n", "    size: int\n    name: str\n"),
        then=(("Row('a', 1)", "Row(1, 'a')"),),
    ),
    case(
        "a field that the caller has",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Job:\n    name: str\n\n\n"
        "def job(name, timeout):\n    return Job(name)\n",
        ("    name: str\n", "    name: str\n    timeout: float\n"),
        then=(("Job(name)", "Job(name, timeout)"),),
    ),
    case(
        "a default of a factory is written nowhere",
        POINT,
        ("rows: list[int] = field(default_factory=list)", "rows: list[int]"),
        then=(("import dataclass, field", "import dataclass"),),
    ),
    case(
        "a class with a constructor of its own, or made of another, says nothing",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass A(B):\n    x: int\n    y: int\n\n\n"
        "@dataclass\nclass C:\n    x: int\n    y: int\n\n    def __init__(self, y, x):\n"
        "        self.x, self.y = x, y\n\n\n"
        "a = A(1, 2, 3)\nc = C(1, 2)\n",
        ("    x: int\n    y: int\n\n\n@", "    y: int\n    x: int\n\n\n@"),
        ("    x: int\n    y: int\n\n    def", "    y: int\n    x: int\n\n    def"),
    ),
)

KEPT = (
    case(
        "an attribute that keeps an object of the class",
        "class Store:\n    def get(self):\n        return 1\n\n\nclass Other:\n    def get(self):\n"
        "        return 2\n\n\n"
        "class Shop:\n    def __init__(self, other: Other):\n        self.store = Store()\n"
        "        self.other = other\n\n"
        "    def first(self):\n        return self.store.get() + self.other.get()\n",
        ("def get(self):\n        return 1", "def fetch(self):\n        return 1"),
        then=(("self.store.get()", "self.store.fetch()"),),
    ),
    case(
        "docstrings and comments that speak of it as code",
        "def net_price(gross):\n    return gross\n\n\n# The net_price, by net_price().\n"
        "def gross_price(net):\n"
        "    '''The inverse of `net_price`; a net_price is less.\n\n    >>> net_price(3)\n    3\n"
        "    '''\n    return net\n",
        ("def net_price", "def price_of"),
        then=(
            ("by net_price()", "by price_of()"),
            ("of `net_price`", "of `price_of`"),
            (">>> net_price", ">>> price_of"),
        ),
    ),
)


@pytest.mark.parametrize("case", [*OVERRIDES, *FIELDS, *KEPT], ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
