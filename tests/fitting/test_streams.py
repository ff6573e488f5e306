"""Unfinished texts: a stream is called hopeless as soon as it is, and not earlier."""

from __future__ import annotations

import pytest

import fim_lsp


@pytest.mark.parametrize(
    ("language", "file", "text"),
    [
        ("python", "def f(r):\n    return $0\n\nf(1)\n", "return 3.14 * r"),
        ("python", "def f(r):\n    re$0\n", "return r ** 2"),
        ("python", "class A:\n    def f(self):\n$0\n", "class A:\n    def f(self):\n        return 1"),
        ("javascript", "const x = $0;\n", "const x = 1;"),
        ("go", "package p\nfunc f() int {\n\t$0\n}\n", "func f() int {\n\treturn 1\n}"),
        ("go", "package p\nfunc f() int {\n\t$0\n}\n", "```go\nfunc f() int {\n\treturn 1\n}\n```"),
    ],
)
def test_a_stream_whose_beginning_is_said_twice_is_not_hopeless(language: str, file: str, text: str) -> None:
    left, right = file.split("$0")
    expected = fim_lsp.fit(left, text, right, language=language)
    assert expected.said_before
    fitting = fim_lsp.Fitting(left, right, language=language)
    last = text.rindex((expected.text or "").split()[-1])
    assert all(fitting.feed(character) for character in text[:last])
    # Nothing behind this can be kept.
    fitting.feed("\n?)]}?)]}")
    assert fitting.is_hopeless


def test_a_stream_is_called_hopeless_at_once() -> None:
    fitting = fim_lsp.Fitting("x = f(", ")\ny = 1\n")
    assert [fitting.feed(piece) for piece in ("a, ", "b", ")", "\ny", "]", " = 2")] == [
        True,
        True,
        True,
        True,
        False,
        False,
    ]
    assert fitting.text == "a, b)\ny] = 2"
    assert fitting.fit() == fim_lsp.fit("x = f(", "a, b)\ny] = 2", ")\ny = 1\n")


def test_a_stream_at_the_margin_is_not_hopeless() -> None:
    fitting = fim_lsp.Fitting("def f():\n", "\n")
    assert all(fitting.feed(character) for character in "a = 1\nreturn a")
    assert fitting.fit().text == "    a = 1\n    return a"


def test_a_stream_without_a_hole_is_hopeless_from_the_start() -> None:
    fitting = fim_lsp.Fitting("x = )", "\n")
    assert fitting.is_hopeless
    assert not fitting.feed("1")
    assert fitting.fit() == fim_lsp.fit("x = )", "1", "\n")
