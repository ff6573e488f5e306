"""Holes that begin at the left margin: data sets have them, and lines that the user has cut.

The models are scripted; `$0` marks the cursor in the sources.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from fim_lsp.decoding.choices.constraint import Distinct
from fim_lsp.decoding.choices.unwritten_body import unwritten_body
from fim_lsp.decoding.endings.margin import (
    begins_outside,
    header_column,
    lacks_blanks,
    outer_column,
    usual_lines,
)
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.recognizers import fits
from tests.decoding.scripted import PYTHON, written, written_in
from tests.models import Wavering, tiny_model


@pytest.mark.parametrize(
    ("source", "wants", "expected"),
    [
        # The right context would continue behind the loop, too.
        (
            "def f(n):\n    if n < 2:\n$0    for k in range(n):\n        g(k)\n",
            "        return False\n    for i in range(9):\n        h(i)\n",
            "        return False\n",
        ),
        # A comment further left speaks of something else.
        ("def f(n):\n    x = n\n$0", "    return x\n\n# Tests\nprint(f(1))\n", "    return x"),
        ("def f(n):\n    x = n\n$0", "    return x\n\ndef g(n):\n    pass\n", "    return x"),
        # Lines of the same block, and further right, belong to it.
        (
            "def f(n):\n    x = n\n$0    return x\n",
            "    if n:\n        x = 1\n    y = 2\n",
            "    if n:\n        x = 1\n    y = 2\n",
        ),
        # The last lines of blocks that end in the hole, but none of the next method.
        (
            "def f(n):\n    for k in n:\n        if k:\n$0    return n\n",
            "            g(k)\n        h(k)\n    i(n)\n",
            "            g(k)\n        h(k)\n",
        ),
        (
            "class A:\n    def f(self):\n        for k in self:\n$0",
            "            g(k)\n        return k\n\n    def h(self):\n        pass\n",
            "            g(k)\n        return k",
        ),
        # The left margin is a block, too.
        ("import a\n$0", "def f():\n    pass\n\n\nx = 1\n", "def f():\n    pass\n\n\nx = 1"),
    ],
)
def test_a_text_ends_in_front_of_a_line_outside_its_blocks(source: str, wants: str, expected: str) -> None:
    assert written(source, wants) == expected


def test_a_text_may_go_further_left_where_only_that_fits() -> None:
    source = "def f():\n    try:\n$0        h()\n"
    wants = "        g()\n    except E:\n"
    assert written(source, wants) == wants


@pytest.mark.parametrize("behind", ["\n\n    h(1)\n", "\n    def h(): 1\n", "    @h\n    def i(): 1\n"])
@pytest.mark.parametrize("unplaced", ["if rows:\n", "g(rows)\n"])
def test_a_text_stays_in_the_block_that_surely_goes_on_behind_it(behind: str, unplaced: str) -> None:
    source = f"def f(rows):\n    g(rows)\n$0{behind}    return rows\n"
    assert written(source, unplaced, "    k(rows)\n").strip("\n") == "    k(rows)"


def test_the_next_line_may_be_the_body_of_a_missing_header() -> None:
    source = "def f(rows):\n    if rows:\n        g(rows)\n$0        h(rows)\n"
    assert written(source, "    else:\n") == "    else:\n"


def test_the_block_may_be_left_for_what_the_right_context_needs() -> None:
    source = "def f(rows):\n    try:\n        g(rows)\n$0        h(rows)\n    finally:\n        h(rows)\n"
    wants = "        g(1)\n    except E:\n"
    assert written(source, wants) == "        g(1)\n"


def test_blanks_are_taken_back_in_front_of_a_brace_that_would_leave_the_block() -> None:
    source = "function f(rows) {\n  while (rows) {\n    g(rows);\n$0    h(rows);\n  }\n}\n"
    assert written_in("javascript", source, "  }\n", "k(rows);\n") == "k(rows);\n"


@pytest.mark.parametrize(
    ("language", "source", "comment"),
    [
        ("python", "def f(a):\n    g(a)\n$0    return a\n", "    # Again.\n    g(a)\n"),
        ("javascript", "g(a);\n$0h(a);\n", "// Again.\ng(b);\n"),
    ],
)
def test_whole_lines_may_begin_with_a_comment(language: str, source: str, comment: str) -> None:
    assert written_in(language, source, comment) == comment


def test_a_comment_alone_fills_no_gap() -> None:
    assert "//" not in written_in("javascript", "g(a);\n$0h(a);\n", "// Again.\n")


def test_a_comment_does_not_swallow_the_rest_of_its_line() -> None:
    assert "#" not in written_in("python", "g(a, $0b)\n", "# Again.\nc, ", "c, ")


def test_a_text_ends_behind_the_header_that_the_right_context_needs() -> None:
    source = "def f(rows):\n    g()\n$0        n -= 1\n    return n\n"
    assert written(source, "    if rows:\n        h()\n") == "    if rows:\n"


def test_a_text_goes_on_behind_a_header_that_is_too_far_left_for_the_body_on_the_right() -> None:
    source = "def f(rows):\n    g()\n$0            n -= 1\n    return n\n"
    wants = "    for row in rows:\n        if row:\n            h()\n"
    assert written(source, wants) == "    for row in rows:\n        if row:\n"


@pytest.mark.parametrize("begun", ["    g()\n", "    for row in rows:\n"])
@pytest.mark.parametrize("ends", ["        else:\n            g()\n", "        except E:\n            g()\n"])
def test_lines_are_whole_where_the_right_context_goes_on_with_a_header(begun: str, ends: str) -> None:
    left, right = "def f(rows):\n" + begun, "            h(1)\n" + ends + "    return 1\n"
    recognizer = PYTHON.recognizer(left, right)
    assert any(fits(recognizer, line) for line in usual_lines(recognizer, right.encode()))


@pytest.mark.parametrize(
    ("left", "right", "column"),
    [
        ("def f():\n    a\n", "            b\n", 8),
        ("def f():\n  a\n", "      b\n", 4),
        ("a\n", "        b\n", 4),
        ("def f():\n    a\n", "  # b\n\n        b\n", 4),
        ("a\n", "b\n", 0),
        ("if a:\n    b\n", "else:\n    b\n", 0),
    ],
)
def test_columns_of_headers_in_front_of_a_body(left: str, right: str, column: int) -> None:
    assert header_column(PYTHON.recognizer(left, right), right.encode()) == column


def test_lines_are_not_joined_with_the_line_on_the_right() -> None:
    """`    while n:\\n  ` would join its blanks with those of `    i = 2`, and make that the body."""
    source = "def f(n):\n    import math\n$0    i = 2\n    return i\n"
    found = written(source, "    fact = []\n    while n:\n        if n % 2:\n            g(n)\n")
    assert found.endswith("\n")


def test_an_indentation_is_taken_back_if_what_is_meant_does_not_fit_behind_it() -> None:
    source = "def f(s):\n    for c in s:\n        if c:\n            g(c)\n        else:\n$0    return 1\n"
    assert written(source, "    return 1\n", "            h(c)\n") == "            h(c)\n"


@pytest.mark.parametrize("right", ["", "\n\nprint(f(1))\n"])
def test_a_line_whose_names_are_those_of_the_block_above_is_indented(right: str) -> None:
    left = "def f(value):\n    both = value * 2\n    # The root.\n"
    wants = "root = both ** 0.5\n", "    root = both ** 0.5\n"
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), left, wants))
    request = CompletionRequest(left, right, PYTHON.recognizer(left, right, ()), Options())
    [found] = DecodingSession(model).complete(request)
    assert found.text.rstrip("\n") == "    root = both ** 0.5"


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        (b"c = b", b"\n", True),
        (b"c = (b", b" +", True),
        (b"c = d", b"\n", False),
        (b"", b"b\n", False),
        (b"    c = b", b"\n", False),
        (b"a\nc = b", b"\n", False),
    ],
)
def test_a_line_that_lacks_its_blanks(text: bytes, wanted: bytes, expected: bool) -> None:
    recognizer = PYTHON.recognizer("def f(b):\n    a = b\n", "\n", ())
    assert lacks_blanks(recognizer, text, wanted) is expected


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        (b"    a = 1\n", b"  b", True),
        (b"    a = 1\n   ", b" b", False),
        (b"    a = 1\n  ", b"b", True),
        (b"    a = 1", b"\n\n# c", True),
        (b"    a = 1\n", b"    ", False),
        (b"    a = f(\n", b"b", False),
        (b"    a = '''\n", b"b", False),
        (b"    # a\n", b"    ", False),
    ],
)
def test_lines_further_left(text: bytes, wanted: bytes, expected: bool) -> None:
    recognizer = PYTHON.recognizer("if a:\n    pass\n", "\n")
    assert recognizer.advance(text)
    assert begins_outside(recognizer, text, wanted, (b"if a:\n    pass\n", b"\n")) is expected


@pytest.mark.parametrize(
    ("left", "right", "inner", "outer"),
    [
        ("def f():\n    for a in b:\n", "    c\n", 8, 4),
        ("def f():\n    for a in b:\n", "\n    # c\n\n        c\n", 8, 8),
        ("class A:\n    def f():\n        if a:\n", "", 12, 4),
        ("class A:\n    def f():\n        if a:\n", "\nb\n", 12, 4),
        ("def f():\n    def g():\n        pass\n\n    if a:\n", "b\n", 8, 0),
        ("for a in b:\n", "", 4, 0),
    ],
)
def test_outside_are_the_next_line_and_the_function_header(
    left: str, right: str, inner: int, outer: int
) -> None:
    assert outer_column(left.encode(), right.encode(), inner) == outer


def test_a_text_behind_a_lone_docstring_is_the_body() -> None:
    source = 'def area(side):\n    """Area of a square."""\n\n$0'
    assert written(source, "area(2)\n", "    return side ** 2\n") == "    return side ** 2"


@pytest.mark.parametrize(
    ("left", "column"),
    [
        ('def f(a: dict[str, int] = {}) -> str:  # b\n    """C."""\n', 0),
        ("class A:\n    async def f(self):\n        'C'\n\n", 4),
        ('def f():\n    """C.\n\n    def g():\n        pass\n    """\n', 0),
        # It has a body, two blank lines follow, or it is no function.
        ('def f():\n    """C."""\n    return ""\n', None),
        ('def f():\n    """C."""\n\n\n', None),
        ('class A:\n    """C."""\n', None),
        ('def f():\n    a = "C"\n', None),
        ('def f(:\n    "C"\n', None),
        ('"""C."""\n', None),
    ],
)
def test_functions_with_only_a_docstring(left: str, column: int | None) -> None:
    found = unwritten_body(left)
    assert (None if found is None else found.column) == column


def test_a_gap_whose_first_text_repeats_the_right_context_gets_another_one() -> None:
    source = "def f(x, y):\n    if x > y:\n$0        return y\n    return x\n"
    assert written(source, "        return y\n    return x\n", "        y = x\n") == "        y = x\n"


def test_a_gap_whose_first_text_finds_no_end_gets_another_one() -> None:
    source = "def f(x, y):\n    if x > y:\n$0        y = x\n    return x\n"
    endless = "        g(" + ", ".join(f"a{number}" for number in range(60))
    assert written(source, endless, "        y += 1\n") == "        y += 1\n"


@pytest.mark.parametrize(
    ("written", "token", "is_allowed"),
    [
        (b"", b"        return", False),
        (b"    ", b"return", False),
        (b"    ret", b"urn", False),
        (b"    ret", b"ry", True),
        (b"    ", b"returned", True),
        (b"    a = ", b"return", True),
    ],
)
def test_a_gap_is_filled_with_another_word_than_the_right_context_begins_with(
    written: bytes, token: bytes, is_allowed: bool
) -> None:
    constraint = Distinct(set(), {b"return"})
    assert constraint.allows(Hypothesis(None, text=written), token) is is_allowed
