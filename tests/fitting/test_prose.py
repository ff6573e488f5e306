"""`fim_lsp.fit` of texts with sentences around the code, and of streams of them."""

from __future__ import annotations

import pytest

import fim_lsp

PLACES = [
    ("python", "def f(a):\n    $0\n\nf(1)\n", "return a + 1"),
    ("python", "def f(a):\n$0\n", "b = a\nreturn b"),
    ("javascript", "function f(a) {\n  $0\n}\n", "g(a);\n  return a + 1;"),
    ("javascriptreact", "const x = () => {\n  $0\n};\n", "return <p>{a}</p>;"),
    ("typescript", "function f(a: number) {\n  $0\n}\n", "return a as number;"),
    ("typescriptreact", "const x = () => {\n  $0\n};\n", "return <p>{a as b}</p>;"),
    ("go", "package p\nfunc f() {\n\t$0\n}\n", "x := 1\n\tg(x)"),
    ("java", "class A {\n  int f() {\n    $0\n  }\n}\n", "String s = null;\n    return 1;"),
    ("json", "{\n  $0\n}\n", '"a": [1, 2]'),
    ("toml", "[a]\n$0\n", "b = [1, 2]"),
]


def lines(text: str | None) -> list[str]:
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


@pytest.mark.parametrize(("language", "file", "text"), PLACES)
@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("Here is the code:\n\n", ""),
        ("Sure, the code is this:\n", ""),
        ("", "\n\nThis code adds one to `a`."),
        ("", "\nNote: the rest is as it was"),
        ("Here is the code:\n\n", "\n\nIt returns a number. It may fail."),
    ],
)
def test_sentences_are_no_part_of_a_text(
    language: str, file: str, text: str, before: str, behind: str
) -> None:
    left, right = file.split("$0")
    said = before + text + behind
    found = fim_lsp.fit(left, said, right, language=language)
    assert found.is_without_prose
    assert "sentences around the code" in found.reason
    assert lines(found.text) == lines(text)
    fitting = fim_lsp.Fitting(left, right, language=language)
    for character in said:
        if not fitting.feed(character):
            break
    assert fitting.text.startswith(before + text)
    assert lines(fitting.fit().text) == lines(text)


@pytest.mark.parametrize(
    ("language", "file", "text", "expected"),
    [
        # Sentences in strings and comments are text, and two words may begin code.
        ("python", 's = """$0"""\n', 'a\nThis is text."""', "a\nThis is text."),
        ("python", "x = (\n$0\n)\n", "a and\nThis is b)", "a and\nThis is b"),
        ("java", "class A {\n  void f() {\n    $0\n  }\n}\n", "g();\n    String na", "g();\n    String na;"),
        ("go", "package p\ntype A struct {\n\t$0\n}\n", "a int\n\tName string}", "a int\n\tName string"),
        ("javascript", "f();\n$0\n", "/* a\nThis is text. */ )", "/* a\nThis is text. */"),
    ],
)
def test_what_looks_like_a_sentence_may_be_text_or_code(
    language: str, file: str, text: str, expected: str
) -> None:
    left, right = file.split("$0")
    found = fim_lsp.fit(left, text, right, language=language)
    assert (found.text or "").rstrip() == expected
    assert not found.is_without_prose


def test_sentences_alone_are_nothing() -> None:
    text = "Sure! Here's the missing part:\n\n\n\nThis fills the gap by using the existing variables.\n"
    for language, left, right in (("java", "class A {\n  ", "\n}\n"), ("python", "x = 1\n", "\ny = 2\n")):
        assert not (fim_lsp.fit(left, text, right, language=language).text or "").strip()
