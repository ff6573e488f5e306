"""Texts that fit but are not offered while the user types."""

from __future__ import annotations

import time

import pytest

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.attempt import Attempt, CandidateText
from fim_lsp.server.worker.choosing import Choosing
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_filters import (
    OFFER_FILTERS,
    OfferFilter,
    begins_block,
    restrained_offer,
)
from fim_lsp.server.worker.offer_request import OfferRequest
from tests.footings import footing_between


def footing_at(text: str, language: str = "python") -> Footing:
    """`$0` marks the cursor."""
    left, right = text.split("$0")
    return footing_between(left, right, language)


def check(
    text: str, offer: str, expected: str | None, without: OfferFilter | None = None, language: str = "python"
) -> None:
    held = footing_at(text, language)
    filters = [one for one in OFFER_FILTERS if one != without]
    assert fits(held.recognizer, offer), "what is tested fits"
    assert restrained_offer(offer, held, filters) == expected


def test_a_comment_is_offered_only_where_one_was_begun() -> None:
    check("x = $0\n", "value  # the value", "value")
    check("$0\n", "# a comment", None)
    check("$0\n", "# a comment", "# a comment", without="comment")
    check("# a co$0\n", "mment", "mment")
    check("x = $0\n", "'#fff'", "'#fff'")


@pytest.mark.parametrize("language", ["javascript", "typescript", "go", "java"])
def test_nor_is_a_comment_that_fills_lines(language: str) -> None:
    before = {"go": "package p\n", "java": "class A {\n"}.get(language, "")
    behind = "\n/** b */\n" + ("}\n" if language == "java" else "")
    assert not fits(footing_at(f"{before}$0{behind}", language).recognizer, "/**")
    check(f"{before}$0{behind}", "/* a */", None, language=language)
    check(f"{before}/* $0{behind}", "words */", "words */", language=language)


def test_a_comment_within_a_line_stays() -> None:
    check("a($0)\n", "/* b */ c", "/* b */ c", language="javascript")
    check("$0\n", "a = '/*'", "a = '/*'", language="javascript")
    assert not fits(footing_at("$0\n/** b */\n", "javascript").recognizer, "a() /**")


def test_a_block_is_not_begun_again_in_itself() -> None:
    text = "if (limit) {\n  $0\n}\n"
    check(text, "if (limit) {}", None, language="javascript")
    check(text, "if (limit) {}", "if (limit) {}", without="repetition", language="javascript")
    check(text, "if (limits) {}", "if (limits) {}", language="javascript")


def test_no_line_makes_the_next_one_dead() -> None:
    text = "def f(a):\n    $0\n    return a\n"
    check(text, "return a + 1", None)
    check(text, "return a + 1", "return a + 1", without="dead code")
    check(text, "raise ValueError", None)
    check(text, "returned = 1", "returned = 1")
    check("def f(a):\n    if a:\n        $0\n    return a\n", "return 1", "return 1")
    check("def f(a):\n    $0\n\n\ndef g():\n    pass\n", "return a", "return a")
    check("def f(a):\n    if a:\n        $0\n    else:\n        b()\n", "return 1", "return 1")


@pytest.mark.parametrize(
    ("language", "text", "offer", "is_vain"),
    [
        ("python", "def f(count):\n    for a in range($0):\n        pass\n", "count, count", True),
        ("python", "def f(count):\n    for a in range(count, $0):\n        pass\n", "count", True),
        ("python", "def f(count):\n    for a in range($0):\n        pass\n", "count, 2 * count", False),
        ("python", "def f(a):\n    if $0:\n        pass\n", "total < total", True),
        ("python", "def f(a):\n    self.total = $0\n", "total", False),
        # It may be the beginning of a statement that goes on.
        ("python", "def f(a):\n    $0\n", "total", False),
        ("go", "package p\nfunc f() {\n\t$0\n}\n", "total", False),
        ("go", "package p\nfunc f() {\n\t$0\n}\n", "total = total", True),
        ("java", "class A { void f() {\n  $0\n} }\n", "this.total = this.total;", True),
        ("java", "class A { void f() {\n  $0\n} }\n", "this.total = total;", False),
        ("javascript", "function f() {\n  $0\n}\n", "total && total;", True),
        ("javascript", "function f() {\n  $0\n}\n", "total && total();", False),
        ("typescript", "function f() {\n  if ($0) {}\n}\n", "total === total", True),
    ],
)
def test_no_name_is_said_twice_in_vain(language: str, text: str, offer: str, is_vain: bool) -> None:
    check(text, offer, None if is_vain else offer, language=language)
    check(text, offer, offer, without="twice", language=language)


def test_no_line_is_said_twice() -> None:
    check("total = 0\n$0\n", "total = 0", None)
    check("tot$0\ntotal = 0\n", "al = 0", None)
    check("total = 0\n$0\n", "total = 1", "total = 1")
    check("x = 0\n$0\n", "x = 0", "x = 0")
    check("total = 0\n$0\n", "total = 0", "total = 0", without="repetition")
    check("total = 0;\n$0\n", "total = 0;", None, language="javascript")
    check("total = 0;\n$0\n", "total = 0", None, language="javascript")
    check("total = 0;\n$0\n", "total = 10", "total = 10", language="javascript")


def test_of_several_lines_those_are_offered_that_are_not_there_yet() -> None:
    text = "items.forEach($0\n  total += item.price;\n});\n"
    offer = "(item) => {\n  total += item.price;\n  }"
    check(text, "(item) => {", "(item) => {", language="javascript")
    held = footing_at(text, "javascript")
    assert restrained_offer(offer, held, OFFER_FILTERS) == "(item) => {"
    text = "def f(items):\n    $0\n        total += item\n    return total\n"
    check(text, "total = 0\n    for item in items:", "total = 0\n    for item in items:")
    again = "total = 0\n    for item in items:\n        total += item"
    assert restrained_offer(again, footing_at(text), OFFER_FILTERS) == "total = 0\n    for item in items:"


def test_closers_alone_are_not_offered() -> None:
    check("print(max(1, 2$0\n", "))", None)
    check('print("abc$0\n', '")', None)
    check("print(max(1, 2$0\n", ", abc))", ", abc))")


def test_nothing_ends_in_a_backslash() -> None:
    check("value = $0\n1\n", "1 + \\", None)


def test_one_or_two_characters_save_nothing() -> None:
    check("value = $0\n", "ab", None)
    check("value = $0\n", "abc", "abc")


def test_a_text_that_is_held_back_is_not_called_the_models_silence() -> None:
    held = footing_at("value = $0\n")
    typed = Wishes(1, 64, 20, True, "", False, None)
    request = OfferRequest(held.site, typed, time.perf_counter() + 1.0)
    for text, reason in (("ab", "trifling"), ("", "model silent")):
        evidence = Completion(text, "eos", 1, 0, -0.1, 0.0)
        candidates = [CandidateText(text, 1.0, evidence)]
        assert Choosing().chosen_texts(Attempt(held, request), candidates, "bundled") == ((), reason)


@pytest.mark.parametrize(
    ("text", "is_begun"),
    [
        ("def f(a):\n    $0\n", True),
        ("for a in b:  # all of them\n    $0\n", True),
        ("if a:\n\n    $0\n", True),
        ("def f(a):\n    b = 1\n    $0\n", False),
        ("def f(a):\n    b$0\n", False),
        ("x = {'a':\n    $0\n}\n", False),
        ("def f(a):\n    $0 + 1\n", False),
        ("$0\n", False),
    ],
)
def test_several_lines_come_where_a_block_begins(text: str, is_begun: bool) -> None:
    held = footing_at(text)
    assert begins_block(held.site.lines, held.recognizer) is is_begun


@pytest.mark.parametrize(
    ("language", "text", "offer", "is_needless"),
    [
        ("java", "class A { void f() {\n  g();\n  $0\n} }\n", "return;", True),
        ("java", "class A { void f() {\n  ret$0\n  // b\n} }\n", "urn;", True),
        ("java", "class A { void f() {\n  if (a) {\n    $0\n  }\n} }\n", "return;", False),
        ("java", "class A { int f() {\n  $0\n} }\n", "return 1;", False),
        ("javascript", "const f = () => {\n  g();\n  $0\n};\n", "return;", True),
        ("javascript", "function f() {\n  if (a) {\n    $0\n  }\n}\n", "return;", False),
        ("go", "package a\n\nfunc f() {\n\tg()\n\t$0\n}\n", "return", True),
        ("go", "package a\n\nfunc f() {\n\tif a {\n\t\t$0\n\t}\n}\n", "return", False),
    ],
)
def test_no_return_is_offered_where_a_function_ends_anyway(
    language: str, text: str, offer: str, is_needless: bool
) -> None:
    check(text, offer, None if is_needless else offer, language=language)
    check(text, offer, offer, without="dead code", language=language)


@pytest.mark.parametrize(
    ("language", "text", "offer", "is_again"),
    [
        ("javascript", "class A {\n  constructor(a) {\n    $0\n  }\n}\n", "constructor(a);", True),
        ("javascript", "class A {\n  constructor(a) {\n    $0\n  }\n}\n", "construct(a);", False),
        ("javascript", "const a = f(1);\nif (a) {\n  $0\n}\n", "const a = f(1);", True),
        ("javascript", "const a = f(1);\nif (a) {\n  $0\n}\n", "const a = f(2);", False),
        # Another block's variables belong to it alone.
        ("javascript", "if (b) {\n  const a = f(1);\n} else {\n  $0\n}\n", "const a = f(1);", False),
        ("javascript", "if (b) {\n  if (d) {\n    const a = f(1);\n  }\n  $0\n}\n", "const a = f(1);", False),
        ("go", "package a\n\nfunc f() {\n\tb := g(1)\n\tif b {\n\t\t$0\n\t}\n}\n", "b := g(1)", True),
    ],
)  # fmt: skip
def test_no_variable_is_declared_in_the_words_of_a_block_around_it(
    language: str, text: str, offer: str, is_again: bool
) -> None:
    check(text, offer, None if is_again else offer, language=language)
    check(text, offer, offer, without="repetition", language=language)
