"""Files in the middle of a change: what is not complete yet is neither removed nor followed."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

CASES = (
    drawn(
        "an import without a name",
        """\
from os import <<path|>>
print(path)
""",
    ),
    drawn(
        "a parameter whose type is not there yet",
        """\
def f(a<<|:>>, b):
    return a + b
""",
    ),
    drawn(
        "a use that was renamed ahead of its binding",
        """\
def f(rows):
    total = 0
    for row in rows:
        <<total|tot>> += row
    return total
""",
    ),
    drawn(
        "a line that was taken out of use",
        """\
def f(x):
    <<|# >>print(x)
    print(x)
    return x
""",
    ),
    drawn(
        "a name that is half typed",
        """\
def f(rows):
    <<result|re>> = []
    for row in rows:
        [[result|re]].append(row)
    return [[result|re]]
""",
    ),
    drawn(
        "a name that is half typed in javascript",
        """\
function f(rows) {
  const <<result|re>> = [];
  rows.forEach((row) => [[result|re]].push(row));
  return [[result|re]];
}
""",
        "javascript",
    ),
    drawn(
        "a brace in go",
        """\
package main

func f(a int) int {
	if a > 1 {
		return 1
	<<}|>>[[|}]]
	return 2
}
""",
        "go",
    ),
    drawn(
        "two parameters that changed places",
        """\
def f(<<a, b|b, a>>):
    return a - b


f([[1, 2|2, 1]])
""",
    ),
    drawn(
        "an attribute that is typed anew",
        """\
def f(table, name):
    return table.<<rate|>>(name)
""",
    ),
    drawn(
        "a value that is typed anew",
        """\
def f(table):
    total = <<0|>>
    return total
""",
    ),
    drawn(
        "a member that is typed anew in java",
        """\
class A {
  double f(Item item) {
    double sum = 0;
    sum += item.<<price()|>>;
    return sum;
  }
}
""",
        "java",
    ),
    drawn(
        "a value that is typed anew in go",
        """\
package main

func f() float64 {
	sum := <<0.0|>>
	return sum
}
""",
        "go",
    ),
    drawn(
        "a member that is typed anew in typescript",
        """\
export function f(rows: string[], before: number) {
  const changed = rows.<<length|>> !== before;
  return changed;
}
""",
        "typescript",
    ),
    drawn(
        "an operator without its second half is left over",
        """\
def f(a, b):
    return (a [[+|]]<< b|>>)
""",
    ),
)


@pytest.mark.parametrize("one", CASES, ids=[one.name for one in CASES])
def test_what_comes_next(one: Case) -> None:
    check(one)
