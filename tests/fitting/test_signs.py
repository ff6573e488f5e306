"""`fim_lsp.fit` of texts with models' special tokens in them, and of streams of them."""

from __future__ import annotations

import pytest

import fim_lsp
from fim_lsp.fitting.signs import SIGN

PLACES = [
    ("python", "def f(a):\n    $0\n", "return a + 1"),
    ("javascript", "f($0);\n", "a, b"),
    ("javascriptreact", "x = <p>hi $0</p>;\n", "{a} b"),
    ("typescript", "f($0);\n", "a, b"),
    ("typescriptreact", "x = <p>{$0}</p>;\n", "a"),
    ("go", "package p\nvar x = $0\n", "a + b"),
    ("java", "class A { int x = $0; }\n", "a + b"),
    ("json", '{"a": $0}\n', "[1, 2]"),
    ("toml", "a = $0\n", "[1, 2]"),
]


def fitted(language: str, file: str, text: str) -> fim_lsp.Fit:
    left, right = file.split("$0")
    return fim_lsp.fit(left, text, right, language=language)


@pytest.mark.parametrize(("language", "file", "text"), PLACES)
@pytest.mark.parametrize(
    "sign", ["<|endoftext|>", "<fim_pad>", "<|fim_middle|>", "<\uff5cfim\u2581end\uff5c>"]
)
def test_signs_of_models_are_no_part_of_a_text(language: str, file: str, text: str, sign: str) -> None:
    for said in (f"{text}{sign}", f"{text}{sign}\nfoo(", f"{sign}{text}", f"{sign}{text}{sign}{sign}"):
        found = fitted(language, file, said)
        # Behind elements, some of these tokens are tags, with which the file parses.
        if found.is_changed:
            assert (found.text, found.is_without_signs) == (text, True), (said, found)
        else:
            assert language.startswith("typescript")


@pytest.mark.parametrize(("language", "file", "text"), PLACES)
@pytest.mark.parametrize("sign", ["</s>", "<EOT>", "<eos>"])
def test_signs_that_could_be_tags_are_taken_off_at_the_end(
    language: str, file: str, text: str, sign: str
) -> None:
    found = fitted(language, file, f"{text}{sign}\n")
    if found.is_changed:
        assert (found.text or "").rstrip() == text, found


def test_tags_are_no_signs() -> None:
    found = fitted("javascriptreact", "x = <p>$0</p>;\n", "<s>a</s> b</q>")
    assert found.text == "<s>a</s> b"


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("s = ['$0]\n", "<|endoftext|>', b)", "<|endoftext|>', b"),
        ("end = $0\n", "'<|endoftext|>')", "'<|endoftext|>'"),
        ("# what is $0\n", "<|endoftext|>\nx)", "<|endoftext|>\nx"),
        ("s = '$0'\n", "a<|endoftext|>", "a<|endoftext|>"),
    ],
)
def test_a_sign_in_a_string_or_a_comment_is_text(file: str, text: str, expected: str) -> None:
    found = fitted("python", file, text)
    assert found.text == expected, found
    assert not found.is_without_signs


def test_a_mark_of_the_order_of_bytes_is_no_part_of_a_text() -> None:
    assert fitted("python", "def f():\n    $0\n", "\ufeffreturn 1").text == "return 1"


def test_a_stream_behind_a_sign_goes_on_up_to_the_next_one() -> None:
    fitting = fim_lsp.Fitting("x = f(", ")\n")
    pieces = ("<fim_", "middle>", "```python\n", "a, ", "b", "<|end", "oftext|>")
    assert [fitting.feed(piece) for piece in pieces] == [True, True, True, True, True, False, False]
    assert fitting.fit().text == "a, b"
    fitting = fim_lsp.Fitting("x = f(", ")\n")
    assert [fitting.feed(piece) for piece in ("<", "fi", "x")] == [True, True, False]


@pytest.mark.parametrize(("language", "file", "text"), PLACES)
def test_a_stream_that_ends_inside_of_a_sign_has_none_of_it(language: str, file: str, text: str) -> None:
    left, right = file.split("$0")
    fitting = fim_lsp.Fitting(left, right, language=language)
    for character in f"{text}<|endoftext|>":
        if not fitting.feed(character):
            break
    assert fitting.fit().text == text
    # Code that was cut off does not look like such a token.
    found = fitted("javascript", "if ($0\n", "a <fi")
    assert (found.text or "").startswith("a <fi")
    assert (
        fitted("python", "def f(a):\n    $0\n", "def f(a):\nb = a\nreturn b<|endo").text
        == "b = a\n    return b"
    )


def test_signs_are_what_no_programmer_writes() -> None:
    assert not any(
        SIGN.search(text) for text in ("a < b", "<s></s>", "f<T>(a)", "[PREFIX]", "a <| b", "<fim>")
    )


def test_half_a_sign_does_not_count() -> None:
    text = "def f(self, a):\nif a:\n            return g(a)\n        return a"
    found = fitted("python", "class A:\n    def f(self, a):\n        $0\n", f"{text}<|endofte")
    assert found.text == "if a:\n            return g(a)\n        return a"
    assert found.is_without_signs
