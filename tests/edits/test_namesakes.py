"""Other functions and calls with the name of a changed one."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check, drawn

CASES = (
    case(
        "a method that is called like a function",
        """\
def send(to, body):
    return to, body


def one(user, subject):
    send(user, "x")


def two(user):
    send(user, "y")


def three(user):
    subject = make()
    send(user, "z")
    other.send(user, "z")
""",
        ("def send(to, body):", "def send(to, subject, body):"),
        then=(
            ('send(user, "x")', 'send(user, body="x", subject=subject)'),
            ('send(user, "z")', 'send(user, body="z", subject=subject)'),
        ),
    ),
    case(
        "two calls of one line, one of them with brackets around it",
        """\
def rows(db):
    return db.rows


async def main(db):
    return rows(db)[0], rows, len(rows(db))
""",
        ("def rows", "async def rows"),
        then=(
            ("return rows(db)[0]", "return (await rows(db))[0]"),
            ("len(rows(db))", "len(await rows(db))"),
        ),
    ),
    case(
        "calls that are awaited for another reason",
        """\
import asyncio


async def find(key):
    return key


async def run():
    a = await find(1)
    b = await find(await find(2))
    await asyncio.sleep(3)
    await asyncio.gather(a, b)
""",
        ("async def find", "def find"),
        then=(("await find(1)", "find(1)"), ("await find(await find(2))", "find(find(2))")),
    ),
    case(
        "calls that are awaited for another reason",
        """\
async function find(key) { return key; }
async function run() {
  const a = await find(1);
  const b = await find(await find(2));
  await Promise.all([a, b]);
  await sleep(3);
}
""",
        ("async function find", "function find"),
        then=(("await find(1)", "find(1)"), ("await find(await find(2))", "find(find(2))")),
        language="javascript",
    ),
    case(
        "a method with other results, and one of a package",
        """\
package a

type Store interface {
	Get(key string) string
}

type mem struct{}

func (m *mem) Get(key string) string { return key }

type other struct{}

func (o other) Get(key string) int { return 1 }

func f(s Store, m *mem, o other, ctx Context) {
	s.Get("a")
	m.Get("b")
	o.Get("c")
	http.Get("d")
}
""",
        ("\tGet(key string) string", "\tGet(ctx Context, key string) string"),
        then=(
            ("mem) Get(key string)", "mem) Get(ctx Context, key string)"),
            ('s.Get("a")', 's.Get(ctx, "a")'),
            ('m.Get("b")', 'm.Get(ctx, "b")'),
        ),
        language="go",
    ),
    drawn(
        "a header of a class that has nothing to do with the others",
        """\
class Shape:
    def scale(self, factor<<|, origin=None>>):
        raise NotImplementedError


class Circle(Shape):
    def scale(self, factor[[|, origin=None]]):
        return factor


class Square(Shape):
    def scale(self, factor[[|, origin=None]]):
        return factor * 2


class Disc(Circle):
    def scale(self, factor[[|, origin=None]]):
        return factor * 3


class Ruler:
    def scale(self, factor):
        return self
""",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.language}: {case.name}")
def test_what_follows(case: Case) -> None:
    check(case)
