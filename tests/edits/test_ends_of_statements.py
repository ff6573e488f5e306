"""Tests of names at the end of a statement, names that occur twice in one line, and labels of loops."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

ROWS_OF_GO = """\
package shop

func count(rows [][]int) int {
\tn := 0
outer:
\tfor _, row := range rows {
\t\tfor _, one := range row {
\t\t\tif one < 0 {
\t\t\t\tcontinue outer
\t\t\t}
\t\t\tif one == 0 {
\t\t\t\tbreak outer
\t\t\t}
\t\t\tn++
\t\t}
\t}
\treturn n
}
"""
ROWS_OF_JAVA = """\
class Rows {
    int first(int[][] rows) {
        outer:
        for (int[] row : rows) {
            for (int n : row) {
                if (n < 0) continue outer;
                if (n > 9) break outer;
            }
        }
        outer:
        while (true) { break outer; }
        return 0;
    }
}
"""
ROWS_OF_SCRIPT = """\
outer: for (const row of rows) {
  for (const n of row) {
    if (n < 0) continue outer;
    use(n, outer);
  }
}
"""
GENERIC = """\
from typing import Generic, TypeVar

T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value

    def get(self) -> T:
        return self.value
"""
DELETED = """\
def load(path):
    raw = read(path)
    rows = parse(raw)
    del raw
    raw = 3
    return rows, raw
"""

CASES = [
    case(
        "a label of Go",
        ROWS_OF_GO,
        ("outer:", "scan:"),
        then=(("continue outer", "continue scan"), ("break outer", "break scan")),
        language="go",
    ),
    case(
        "the first of two labels of Java",
        ROWS_OF_JAVA,
        ("outer:", "scan:"),
        then=(("continue outer", "continue scan"), ("break outer", "break scan")),
        language="java",
    ),
    case(
        "a label of JavaScript, of which a variable has the name",
        ROWS_OF_SCRIPT,
        ("outer: for", "scan: for"),
        then=(("continue outer", "continue scan"),),
        language="javascript",
    ),
    case(
        "a type variable and its text",
        GENERIC,
        ('T = TypeVar("T")', 'Item = TypeVar("Item")'),
        then=(("Generic[T]", "Generic[Item]"), ("value: T", "value: Item"), ("-> T", "-> Item")),
    ),
    case(
        "a variable that is deleted, and then another value",
        DELETED,
        ("    raw = read", "    text = read"),
        then=(("parse(raw)", "parse(text)"), ("del raw", "del text")),
    ),
]


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_its_other_places_follow(one: Case) -> None:
    check(one)
