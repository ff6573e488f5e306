"""Completions in a block that goes on behind them: they do not leave it."""

from __future__ import annotations

import pytest

from fim_lsp.decoding.choices.enclosure import Enclosure
from fim_lsp.decoding.choices.reachable import ReachableByColumn, ReachableInBraces
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.known_languages import language_named
from quotient import Language
from tests.decoding.scripted import PYTHON, written


def may_follow(source: str, text: str, token: str) -> bool:
    """Whether a token may follow a text in a hole."""
    left, right = source.split("$0")
    recognizer = PYTHON.recognizer(left, right)
    constraint = ReachableByColumn.around(recognizer, left, right.encode())
    assert recognizer.advance(text.encode())
    return constraint is None or constraint.allows(Hypothesis(recognizer, text=text.encode()), token.encode())


@pytest.mark.parametrize(
    ("source", "text", "token", "expected"),
    [
        ("def f(a):\n    $0\n    b = a\n", "", "return", False),
        ("def f(a):\n    $0\n\n    # b\n    b = a\n", "", "raise", False),
        ("def f(a):\n$0    b = a\n", "   ", " return", False),
        ("for a in b:\n    $0\n    b = a\n", "", "continue", False),
        ("def f(a):\n    $0\n    b = a\n", "c = a\n    ", "return", False),
        ("def f(a):\n    $0\n    b = a\n", "c = a", "\n    return", False),
        # A block inside, or a name.
        ("def f(a):\n    $0\n    b = a\n", "if a:\n        ", "return", True),
        ("def f(a):\n    $0\n    b = a\n", "if a: ", "return", True),
        ("def f(a):\n    $0\n    b = a\n", "", "returned", True),
        ("def f(a):\n    $0\n    b = a\n", 'c = """\n    ', "return", True),
        # Nothing of the block is behind the hole, or the user has begun to leave it.
        ("def f(a):\n    $0\n", "", "return", True),
        ("def f(a):\n    $0\n\nb = a\n", "", "return", True),
        ("def f(a):\n    if a:\n        $0\n    b = a\n", "", "return", True),
        ("def f(a):\n    if a:\n        $0\n    else:\n        b = a\n", "", "return", True),
        ("def f(a):\n    re$0\n    b = a\n", "", "turn a", True),
        ("def f(a):\n    g($0\n    b = a)\n", "", "return_", True),
    ],
)
def test_a_line_does_not_leave_a_block_that_goes_on(
    source: str, text: str, token: str, expected: bool
) -> None:
    assert may_follow(source, text, token) is expected


def test_a_text_ends_in_front_of_such_a_line() -> None:
    source = "def f(a):\n    $0\n    b = a\n    return b\n"
    assert written(source, "c = a\n    return c\n") == "c = a"


def test_a_text_leaves_its_block_where_that_is_the_last_line() -> None:
    source = "def f(a):\n    b = a\n    $0\n"
    assert written(source, "return b") == "return b"


def may_follow_in_braces(language: str, source: str, text: str, token: str) -> bool:
    left, right = source.split("$0")
    recognizer = Language.load(language).recognizer(left, right)
    enclosure = Enclosure.around(recognizer, left, right.encode())
    known_language = language_named(language)
    constraint = ReachableInBraces.around(enclosure, known_language, left, right.encode())
    assert recognizer.advance(text.encode())
    return constraint is None or constraint.allows(Hypothesis(recognizer, text=text.encode()), token.encode())


@pytest.mark.parametrize(
    ("language", "source", "text", "token", "expected"),
    [
        ("javascript", "function f(a) {\n  $0\n  g(a);\n}\n", "", "return", False),
        ("javascript", "function f(a) {\n  $0\n  // b\n  g(a);\n}\n", "h();\n  ", "throw", False),
        ("java", "class A {\n  int f() {\n    $0\n    return 1;\n  }\n}\n", "", "return", False),
        ("go", "package a\n\nfunc f() int {\n\tb := 1\n\t$0\n\treturn b\n}\n", "", "return", False),
        ("typescript", "for (;;) {\n  $0\n  g();\n}\n", "if (a) {\n    h();\n  }\n  ", "break", False),
        # Inside another block, or behind a condition.
        ("javascript", "function f(a) {\n  $0\n  g(a);\n}\n", "if (a) ", "return", True),
        ("javascript", "function f(a) {\n  $0\n  g(a);\n}\n", "if (a) {\n    ", "return", True),
        ("javascript", "function f(a) {\n  if (a)\n    $0\n  g(a);\n}\n", "", "return", True),
        ("javascript", "function f(a) {\n  $0\n  g(a);\n}\n", "h('; ", "return", True),
        ("javascript", "function f(a) {\n  $0\n  g(a);\n}\n", "", "returned", True),
        # Nothing that runs is behind the hole.
        ("javascript", "function f(a) {\n  $0\n}\n", "", "return", True),
        ("javascript", "function f(a) {\n  $0\n  function g() {}\n}\n", "", "return", True),
        ("javascript", "switch (a) {\n  case 1:\n    g();\n    $0\n  case 2:\n}\n", "", "break", True),
    ],
)
def test_a_statement_does_not_leave_a_block_of_braces_that_goes_on(
    language: str, source: str, text: str, token: str, expected: bool
) -> None:
    assert may_follow_in_braces(language, source, text, token) is expected


def test_many_comments_are_passed_over_at_once() -> None:
    """A pattern that may end a comment at the end of a later one tries all groupings of forty, for years."""
    comments = "  /* a */\n" * 40
    assert not may_follow_in_braces("javascript", f"for (;;) {{\n  $0\n{comments}  g();\n}}\n", "", "break")
    assert may_follow_in_braces("javascript", f"for (;;) {{\n  $0\n{comments}}}\n", "", "break")
