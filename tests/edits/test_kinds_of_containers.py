"""Containers of another kind, and names of members that classes and keywords say."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

CASES = (
    drawn(
        "a list that became a set",
        """\
def unique(rows, more):
    seen = <<[]|set()>>
    for row in rows:
        seen.[[append|add]](row)
    seen.[[extend|update]](more)
    other = []
    other.append(1)
    return seen, other
""",
    ),
    drawn(
        "an attribute that became a set",
        """\
class A:
    def __init__(self):
        self.seen = <<[]|set()>>
        self.rows = []

    def add(self, row):
        self.seen.[[append|add]](row)
        self.rows.append(row)
""",
    ),
    drawn(
        "a set that became a list",
        """\
names = <<set()|[]>>
for row in rows:
    names.[[add|append]](row.name)
print(names)
""",
    ),
    drawn(
        "a class's attribute in a derived class",
        """\
class View:
    <<template|template_name>> = "a"

    def render(self):
        return load(self.[[template|template_name]])


class Page(View):
    [[template|template_name]] = "b"


class Mail:
    template = "c"
""",
    ),
    drawn(
        "a class's attribute, and another class",
        """\
class Base:
    <<table|table_name>> = "base"

    def sql(self):
        return f"select * from {self.[[table|table_name]]}"


class User(Base):
    [[table|table_name]] = "users"


class Furniture:
    table = "oak"


print(User.[[table|table_name]], Furniture.table)
""",
    ),
    drawn(
        "a member of an enumeration by its name",
        """\
from enum import Enum


class Kind(Enum):
    <<OLD|LEGACY>> = "OLD"


def f(row):
    if row["OLD"]:
        return Kind["[[OLD|LEGACY]]"]
    return Kind("OLD")
""",
    ),
    drawn(
        "keywords in a literal",
        """\
def style(<<col|color>>="red"):
    return [[col|color]]


style(**{"[[col|color]]": "a"})
other(**{"col": "b"})
""",
    ),
    drawn(
        "assertions of two kinds",
        """\
class TestA(unittest.TestCase):
    def test_a(self):
        <<self.assertTrue(ok(1))|assert ok(1)>>
        <<self.assertIn(1, rows)|assert 1 in rows>>
        [[self.assertFalse(ok(2))|assert not ok(2)]]
        [[self.assertIsNone(find(3))|assert find(3) is None]]
        self.assertAlmostEqual(1.0, x)

    def assertOk(self, x):
        self.assertRaises(ValueError, x)
""",
    ),
)


@pytest.mark.parametrize("one", CASES, ids=[one.name for one in CASES])
def test_what_comes_next(one: Case) -> None:
    check(one)
