"""Columns that the fitted text gets where several would do: those of the cursor's block."""

from __future__ import annotations

import pytest

from tests.fitting.held import check_fit

CLASS = "class A:\n    b = 1\n\n    def f(self):\n        $0\n\n    def g(self):\n        pass\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The lines behind the first one would also parse a step further inside, but outside of the function.
        (
            "a = 0\nfor b in self.c:\n    a += b\nreturn a",
            "a = 0\n        for b in self.c:\n            a += b\n        return a",
        ),
        ("a = 0\nreturn a", "a = 0\n        return a"),
    ],
)
def test_lines_at_the_margin_go_into_the_cursors_block(text: str, expected: str) -> None:
    assert check_fit(CLASS, text, expected, "not in the columns").is_moved


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (CLASS, "# to do", "# to do\n        a"),
        (CLASS, "# to do\n        # or not", "# to do\n        # or not\n        a"),
        ("if a:\n\t$0\n", "# to do", "# to do\n\ta"),
        ("if a:\n$0\n", "    # to do", "    # to do\n    a"),
        ("if a:  # b\n$0\n", "  # to do", "  # to do\n  a"),
    ],
)
def test_a_statement_behind_a_comment_stands_in_its_column(file: str, text: str, expected: str) -> None:
    check_fit(file, text, expected, "closes what was open")


@pytest.mark.parametrize(
    ("language", "file", "text", "end"),
    [
        ("javascript", "function f(a) {\n  $0\n}\n", "if (a) { return 1", "}"),
        ("java", "class A { void f() {\n    $0\n} }\n", "int[] a = {1, 2", "};"),
        ("typescript", "function f() {\n  $0\n}\n", "const { b } = { a: 1, b: 2", "}"),
    ],
)
def test_a_block_that_begins_in_a_line_may_end_there(language: str, file: str, text: str, end: str) -> None:
    check_fit(file, text, text + end, "closes what was open", language=language)


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        # All lines have the same column, so all belong to the cursor's block.
        (CLASS, "\ta = 1\n\tb = a", "a = 1\n        b = a"),
        (CLASS, "  a = 1\n  return a", "a = 1\n        return a"),
        # A function's value is not returned outside of it, though that would parse.
        (CLASS, "a = 1\n  return a", "a = 1\n        return a"),
        (CLASS.replace("    ", "\t"), "a = 1\n    return a", "a = 1\n\t\treturn a"),
        # There is a block around the cursor's, in the same function.
        ("def f(b):\n\tif b:\n\t\t$0\n", "a = 1\n    return a", "a = 1\n\treturn a"),
    ],
)
def test_lines_do_not_leave_the_cursors_function(file: str, text: str, expected: str) -> None:
    assert check_fit(file, text, expected, "not in the columns").is_moved


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (
            "match x:\n    case 1:\n        $0\n    case _:\n        b()\n",
            "a()\ncase 2:\n    c()",
            "a()\n    case 2:\n        c()",
        ),
        ("def f(b):\n    if b:\n        $0\n", "a()\nelse:\n    c()", "a()\n    else:\n        c()"),
        ("def f(b):\n\tif b:\n\t\t$0\n", "a()\nelif c:\n    c()", "a()\n\telif c:\n\t\tc()"),
    ],
)
def test_the_first_line_of_a_block_that_the_next_line_ends_stays_in_its_column(
    file: str, text: str, expected: str
) -> None:
    assert check_fit(file, text, expected, "not in the columns").is_moved


def test_behind_a_repeated_head_the_lines_stand_where_the_cursor_does() -> None:
    file = "def f(b):\n    for a in b:\n        $0\n    return c\n"
    check_fit(file, "for a in b:\n    c += a\nreturn c", "c += a", "left of the cursor already")
    check_fit(file, "for a in b:\n    c += a\n    d()", "c += a\n        d()", "left of the cursor already")
