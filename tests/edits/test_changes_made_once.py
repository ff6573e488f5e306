"""Changes that were made once and are meant for their place: other places stay."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

CASES = (
    drawn(
        "operator once",
        """\
def a(n):
    return n <<>|>=>> 3


def b(n):
    return n > 3


def c(n, m):
    return n > m
""",
    ),
    drawn(
        "boolean flag once",
        """\
def a(run):
    run("ls", shell=<<True|False>>)


def b(run):
    run("cat", shell=True)
    run("du", shell=True, check=True)
""",
    ),
    drawn(
        "log level once",
        """\
import logging

log = logging.getLogger(__name__)


def a(x):
    log.<<info|warning>>("no %s", x)


def b(x):
    log.info("got %s", x)


def c(x):
    log.info("done %s", x)
""",
    ),
    drawn(
        "http method once",
        """\
import requests


def a(url):
    return requests.<<get|post>>(url, timeout=3)


def b(url):
    return requests.get(url, timeout=3)


def c(row):
    return row.get("a")
""",
    ),
    drawn(
        "except type once",
        """\
def a(x):
    try:
        return int(x)
    except <<Exception|ValueError>>:
        return None


def b(x):
    try:
        return open(x)
    except Exception:
        return None
""",
    ),
    drawn(
        "default value once",
        """\
def a(x, n=<<None|0>>):
    return x + (n or 0)


def b(x, n=None):
    return x, n
""",
    ),
    drawn(
        "annotation once",
        """\
def a(x: <<int|float>>) -> str:
    return str(x)


def b(x: int) -> str:
    return str(x + 1)


def c(n: int, x: int) -> int:
    return n + x
""",
    ),
    drawn(
        "regular expression once",
        """\
import re

A = re.compile(r"\\d<<+|*>>")
B = re.compile(r"\\d+")
""",
    ),
    drawn(
        "method called otherwise on one object",
        """\
def a(path, rows):
    text = path.<<read_text|read_bytes>>()
    return text, rows


def b(other):
    return other.read_text().splitlines()
""",
    ),
    drawn(
        "and to or once",
        """\
def a(x, y):
    return x <<and|or>> y


def b(x, y):
    return x and y
""",
    ),
    drawn(
        "format width once",
        """\
def a(x):
    return f"{x:<<.2f|.3f>>}"


def b(y):
    return f"{y:.2f}"
""",
    ),
    drawn(
        "local variable value once",
        """\
def a():
    url = "http://<<a|b>>.example"
    return url


def b():
    url = "http://a.example"
    return url
""",
    ),
    drawn(
        "negated once",
        """\
if (<<|!>>user.ok) stop();
if (user.ok) run();
if (row.ok) run();
""",
        "javascript",
    ),
    drawn(
        "format verb once",
        """\
package main

func a(x int) {
	fmt.Printf("a %<<d|v>>\\n", x)
	fmt.Printf("b %d\\n", x)
}
""",
        "go",
    ),
    drawn(
        "max to min once",
        """\
def a(rows):
    return <<max|min>>(rows)


def b(rows):
    return max(rows), max(rows, key=len)
""",
    ),
    drawn(
        "string method once",
        """\
def a(x):
    return x.<<strip|lstrip>>()


def b(x):
    return x.strip()


def c(y):
    return y.strip().lower()
""",
    ),
    drawn(
        "self attribute swapped once",
        """\
class A:
    def a(self):
        return self.<<left|right>>

    def b(self):
        return self.left

    def c(self):
        return self.left + self.right
""",
    ),
    drawn(
        "removed keyword once",
        """\
def a(x):
    return open(x<<, "w"|>>)


def b(x):
    return open(x, "w")
""",
    ),
    drawn(
        "int to long once",
        """\
class A {
    <<int|long>> a(int x) {
        return x;
    }

    int b(int x) {
        return x;
    }
}
""",
        "java",
    ),
    drawn(
        "type once",
        """\
function a(x: <<string|number>>) {
  return x;
}

function b(x: string): string {
  return x;
}
""",
        "typescript",
    ),
    drawn(
        "condition inverted in one place",
        """\
def a(x):
    if <<x.ok|not x.ok>>:
        return 1


def b(x):
    if x.ok:
        return 2
""",
    ),
    drawn(
        "string flag value of call",
        """\
def a(f):
    return f.open(mode="<<r|rb>>")


def b(f):
    return f.open(mode="r")
""",
    ),
    drawn(
        "jest test description no change",
        """\
test("adds <<one|two>>", () => {
  expect(add(1)).toBe(2);
});

test("removes one", () => {
  expect(sub(1)).toBe(0);
});
""",
        "javascript",
    ),
    drawn(
        "any to unknown once is not repeated",
        """\
function a(x: <<any|unknown>>) {
  return x;
}

function b(x: any) {
  return x.y;
}
""",
        "typescript",
    ),
    drawn(
        "a parameter of a constructor, and that of a derived class",
        """\
class Base:
    def __init__(self, name<<|, size=0>>):
        self.name = name
[[|        self.size = size
]]

class Child(Base):
    def __init__(self, name):
        super().__init__(name)
""",
    ),
    drawn(
        "a key of a dictionary in a dictionary",
        """\
DATA = {
    "user": {"<<nm|name>>": "a"},
    "city": {"nm": "b"},
}


def f():
    return DATA["city"]["nm"]
""",
    ),
    drawn(
        "the variable of one comprehension",
        """\
names = [<<x|row>>.name for [[x|row]] in rows]
ids = [x.id for x in rows]
""",
    ),
    drawn(
        "a log's level once in javascript",
        """\
export function push(queue, item) {
  if (queue.isFull) {
    log.<<warn|error>>("queue is full", queue.size);
    return false;
  }
  if (queue.isEmpty) {
    log.warn("queue is empty");
  }
  return true;
}
""",
        "javascript",
    ),
)


@pytest.mark.parametrize("one", CASES, ids=[one.name for one in CASES])
def test_what_comes_next(one: Case) -> None:
    check(one)
