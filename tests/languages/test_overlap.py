"""Text right of the cursor is not repeated at the end of an offer, in any language."""

from __future__ import annotations

import pytest

import fim_lsp
from fim_lsp.overlap import without_overlap
from fim_lsp.recognizers import hides_code
from quotient import Language


@pytest.mark.parametrize(
    ("language", "file", "text", "expected"),
    [
        ("typescript", "const x: $0 = 1;\n", "number = 1", "number"),
        ("javascript", "class A {\n  constructor(a) {\n    this.$0 = a;\n  }\n}\n", "a = a", "a"),
        ("java", "class A {\n  private $0 name;\n}\n", "name", None),
        ("java", "class A {\n  A(String name) {\n    this.$0 = name;\n  }\n}\n", "name = name", "name"),
        ("go", "package p\nvar x $0 = 1\n", "int  =  1", "int"),
        ("python", "x = $0 + total\n", "a + total", "a"),
        ("python", "f($0, b)\n", "a, b", "a"),
        # An item may be meant twice, but in models' texts it hardly ever is (see the module).
        ("python", "x = [1$0, 1]\n", ", 2, 1", ", 2"),
        ("python", "x = [1$0, 1]\n", ", 1", None),
        ("go", "package p\nvar x = f(a$0, a)\n", ", b, a", ", b"),
        ("typescript", "const x: $0 = 1;\n", "1 = 1", "1"),
        ("json", "[1$0, 1]\n", ", 1", None),
        # Only a part of the text is there, it is another word, or it is a closer.
        ("python", "x = $0 + total\n", "a + subtotal", "a + subtotal"),
        ("python", "x = $0 + total\n", "total", "total"),
        ("python", "x = f($0)\n", "g()", "g()"),
        ("python", "x = $0value\n", "a.value", "a.value"),
        ("python", "x = $0\ny = 1\n", "y = 1", "y = 1"),
        # A string may repeat anything.
        ("python", "s = 'a $0 b c'\n", "d b c", "d b c"),
        ("json", '{"a": $0, "b": 1}\n', '2, "b": 1', "2"),
        ("toml", "a = [$0, 2]\n", "1, 2", "1"),
    ],
)
def test_a_text_does_not_end_with_what_stands_there(
    language: str, file: str, text: str, expected: str | None
) -> None:
    left, right = file.split("$0")
    recognizer = Language.load(language).recognizer(left, right)
    assert without_overlap(recognizer, text, right) == expected


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_no_comment_of_html_is_offered(language: str) -> None:
    recognizer = Language.load(language).recognizer("f();\n", "\ng();\n")
    if recognizer.fork().advance("<!-- a"):
        assert hides_code(recognizer, "<!-- a", "\ng();\n")
    assert not hides_code(recognizer, "'<!-- a'", "\ng();\n")
    assert not hides_code(recognizer, "a < !b", "\ng();\n")


@pytest.mark.parametrize("language", ["javascriptreact", "typescriptreact"])
@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("const A = <p>{a}</$0>;\n", "p"),
        ("const A = <$0>{a}</p>;\n", "p"),
        ("const A = <b.c>{a}</b.$0>;\n", "c"),
        ("const A = <ul><li>{a}$0</ul>;\n", "</li>"),
        ("const A = <ul>{a}$0;\n", "</ul>"),
    ],
)
def test_the_shortest_text_calls_tags_as_their_others(language: str, file: str, expected: str) -> None:
    left, right = file.split("$0")
    [found] = fim_lsp.complete(left + right, len(left), language=language, model="none")
    assert found.text == expected
