"""Texts that repeat what stands left or right of the cursor: the repetition is left off."""

from __future__ import annotations

import pytest

from fim_lsp.fitting.said_again import lengths_said_again
from fim_lsp.fitting.said_before import length_said_before, without_beginning
from tests.fitting.held import check_fit


def test_what_stands_left_of_the_cursor_is_not_said_twice() -> None:
    file = "class A:\n    pass\nclass B:\n$0\n"
    found = check_fit(
        file, "class B:\n    def f(self):\n        pass", "    def f(self):\n        pass", "left of"
    )
    assert found.said_before == "class B:"


@pytest.mark.parametrize("n_lines", [1, 60])
def test_a_whole_definition_is_not_said_twice(n_lines: int) -> None:
    head = "def f(a):\n" + "".join(f"    b{number} = a\n" for number in range(n_lines))
    text = f"{head}    for b in a:\n        g(b)\n    return a\n"
    found = check_fit(
        f"{head}    $0\n    return a\n",
        text,
        "for b in a:\n        g(b)",
        "is left of the cursor already",
    )
    assert found.said_before == head.rstrip()


@pytest.mark.parametrize(
    ("language", "file", "text", "expected"),
    [
        ("python", "def f(r):\n    re$0\n", "return r ** 2", "turn r ** 2"),
        ("python", "def f(r):\n    if r: ret$0\n", "return r ** 2", "urn r ** 2"),
        ("python", "def f(r):\n    i$0\n", "if r:\n        return r", "f r:\n        return r"),
        ("go", "package p\nfunc f() int {\n\tret$0\n}\n", "return 1 + 2", "urn 1 + 2"),
        ("java", "class A { int f() { ret$0 } }\n", "return 1 + 2;", "urn 1 + 2;"),
        ("javascript", "cons$0\n", "const a = 1;", "t a = 1;"),
        ("typescript", "export inter$0\n", "interface A { b: c }", "face A { b: c }"),
        ("json", '{"a": tr$0}\n', 'true, "b": 1', 'ue, "b": 1'),
    ],
)
def test_half_a_word_is_not_said_twice(language: str, file: str, text: str, expected: str) -> None:
    assert check_fit(file, text, expected, "is left of the cursor", language=language).said_before


def test_white_space_that_stands_left_of_the_cursor_is_not_said_twice() -> None:
    file = "package p\n\nfunc f() {\n\ta := 1\n\t$0\n}\n"
    check_fit(file, "func f() {\n\ta := 1\n\tg(a)\n}", "g(a)", "is left of the cursor already", language="go")
    check_fit("x: y = f(1, $0\n", "x: y = f(1, 2", "2)", "is left of")


def test_what_stands_on_both_sides_leaves_nothing() -> None:
    file = "class A {\n  f() {\n  }\n$0\n  g() {\n  }\n}\n"
    found = check_fit(file, "  }\n\n  g() {\n  }", "", "'}' is left of the cursor", language="javascript")
    assert found.said_before == "  }"


def test_a_text_that_stands_there_already_leaves_nothing() -> None:
    file = "class A:\n$0\n    def f(self):\n        pass\n"
    check_fit(file, "    def f(self):", "", "'def f(self):' is right of the cursor already")


@pytest.mark.parametrize(
    ("text", "right", "lengths"),
    [
        ("a)", ")", [0, 1, 0]),
        ("a)\n}", " )}", [0, 3, 0, 0, 0]),
        ("ab", "abc", [0, 0, 0]),
        ("ab c", "ab d", [2, 0, 0, 0, 0]),
        (")))", "))", [2, 2, 1, 0]),
        ("", "a", [0]),
        ("a", "", [0, 0]),
    ],
)
def test_what_is_said_again(text: str, right: str, lengths: list[int]) -> None:
    assert lengths_said_again(text, right) == lengths


def test_what_was_said_before() -> None:
    assert length_said_before("a\nx = f(", "x = f(1)") == 6
    assert length_said_before("a\nx = f(", "f(1)") == 0
    assert length_said_before("ab", "abc") == 2
    assert length_said_before("ab ", "abc") == 0
    assert length_said_before("x = ab", "abc") == 2
    assert length_said_before("x = ab", "ac") == 0
    assert length_said_before("", "a") == 0
    assert without_beginning("if a:\n", "if a:\n    b", 5) == "    b"
    assert without_beginning("x = f(", "x = f(1)", 6) == "1)"
