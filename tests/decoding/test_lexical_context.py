"""Code, strings and comments, as completions tell them apart at their ends."""

from __future__ import annotations

import pytest

from fim_lsp.decoding.choices.lexical_context import LexicalContext
from fim_lsp.decoding.endings.edges import RightEdge
from quotient import Language

PYTHON = Language.load("python", version="3.11")


def test_code_strings_and_comments_are_told_apart() -> None:
    lexical = LexicalContext(PYTHON.recognizer("x = ", "\n"))
    assert lexical.is_code(b"")
    assert lexical.is_code(b"(1, ")
    assert lexical.is_code(b"f'{")
    assert not lexical.is_code(b"'a")
    assert not lexical.is_code(b"f'a")
    assert not lexical.is_code(b"1  # a")
    assert lexical.comment(b"'#' + 1  # a # b") == len(b"'#' + 1  ")
    assert lexical.comment(b"'#'") is None
    assert lexical.comment(b"1  # a\n") is None


@pytest.mark.parametrize(
    ("language", "left", "text", "right", "comment"),
    [
        ("python", "x = b'", "[", "'\n", None),
        ("python", "x = 6 ", "// 2", "\n", None),
        ("javascript", "class A { #a = 1; b() { return this", ".#a", " } }", None),
        ("javascript", "a = ", "1  // one", "\nb()", 3),
        ("javascript", "a = ", "'http://b'", "\n", None),
        ("typescript", "class A { f() {\n  ", "a();", "\n} }", None),
        ("go", "package a\n\nvar b = ", "1 // one", "\n", 2),
        ("java", "class A { int b = ", "1; // one", "\n}", 3),
        ("toml", "a = ", "1 # one", "\n", 2),
    ],
)
def test_comments_are_known_in_every_language(
    language: str, left: str, text: str, right: str, comment: int | None
) -> None:
    lexical = LexicalContext(Language.load(language).recognizer(left, right))
    assert lexical.behind(text.encode()) is not None
    assert lexical.comment(text.encode()) == comment
    assert lexical.is_code(text.encode()) == (comment is None and not left.endswith("'"))


def test_the_rest_of_a_line_is_what_is_not_blank() -> None:
    assert RightEdge(b" x\n").has_rest
    assert not RightEdge(b"  \nx").has_rest
    assert not RightEdge(b"").has_rest
