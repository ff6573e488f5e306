"""Texts that do nothing are told from those that do something, and another text comes instead of one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from fim_lsp.declared.idle import is_idle
from fim_lsp.decoding.complete import known_completion
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.writing.effective import effective_completions
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.known_languages import language_named
from fim_lsp.runtimes.contexts import HoleContexts
from quotient import Language

GO = "package p\n\nfunc f(total int, prices []int) {\n\tfor _, price := range prices {\n\t\t$0\n\t}\n}\n"


@pytest.mark.parametrize(
    ("language", "marked", "text", "expected"),
    [
        ("python", "def f(a):\n    $0\n", "a", True),
        ("python", "def f(a):\n    $0\n", "a.b[0]", True),
        ("python", "def f(a):\n    $0\n", "a == 1", True),
        ("python", "def f(a):\n    $0\n", "a = 1", False),
        ("python", "def f(a):\n    $0\n", '"""Text."""', False),
        ("python", "def f(a):\n    $0\n", "...", False),
        ("python", "def f(a):\n    $0\n", "if a or a:\n        b()", True),
        ("python", "def f(a):\n    $0\n", "a.b = a.b", True),
        # The user has begun the statement.
        ("python", "def f(a):\n    a$0\n", ".b", False),
        ("python", "$0\n", "a", False),
        ("python", "f(a, $0)\n", "a", True),
        ("python", "f(a, $0)\n", "b, a", False),
        ("python", "f(a, a, $0)\n", "b", False),
        ("python", "f($0)\n", "0, 0", False),
        ("go", GO, "price", True),
        ("go", GO, "total += price", False),
        ("go", GO, "total = total", True),
        ("go", GO, "<-done", False),
        ("java", "class A { int f(int a) { return g($0); } }", "a, a", True),
        ("javascript", "function f() { $0 }\n", "'use strict'", False),
        ("javascript", "function f(a) { $0 }\n", "a && a.b()", False),
        ("javascript", "function f(a) { $0 }\n", "a.b;", True),
        ("json", '{"a": $0}', "1", False),
    ],
)
def test_what_does_nothing(language: str, marked: str, text: str, expected: bool) -> None:
    left, right = marked.split("$0")
    assert is_idle(left, text, right, language_named(language)) is expected


@dataclass
class Texts:
    """A session whose model writes these texts, the likeliest first."""

    texts: tuple[str, ...]
    asked_for: list[int] = field(default_factory=list)

    def complete(self, request: CompletionRequest) -> list[Completion]:
        n = request.options.n
        self.asked_for.append(n)
        return [Completion(text, "eos", 1, 0, -number / 2, 0.0) for number, text in enumerate(self.texts[:n])]


def taken(marked: str, language: str, *texts: str, n: int = 1, **options: Any) -> tuple[list[str], list[int]]:
    left, right = marked.split("$0")
    grammar = Language.load(language)
    session: Any = Texts(texts)
    request = CompletionRequest(
        left,
        right,
        grammar.recognizer(left, right),
        Options(n=n, **options),
        contexts=HoleContexts(left, right, grammar.name, grammar.version, has_law=False),
    )
    return [one.text for one in effective_completions(session, request)], session.asked_for


def test_the_next_text_comes_where_the_likeliest_does_nothing() -> None:
    assert taken(GO, "go", "price", "total", "total += price") == (["total += price"], [1, 3])
    assert taken(GO, "go", "total += price", "price") == (["total += price"], [1])
    assert taken("f($0)\n", "python", "a, a", "a, b") == (["a, b"], [1, 3])


def test_it_is_not_much_less_likely() -> None:
    assert taken("f($0)\n", "python", "a, a", "b, b", "c, c", "d") == (["a, a"], [1, 3])
    assert taken("f($0)\n", "python", "a, a", "b, b", "c") == (["c"], [1, 3])


def test_no_comment_comes_in_the_place_of_what_is_lacking() -> None:
    lacks = "package p\n\nfunc f() {\n\tx := $0\n}\n"
    assert taken(lacks, "go", "// to do\n\tg()", "g()") == (["g()"], [1, 3])
    assert taken(lacks, "go", "// to do\n\tg()", "// a\n\tb") == (["// to do\n\tg()"], [1, 3])
    assert taken("x = 1$0\n", "python", "  # one", ", 2") == (["  # one"], [1])
    assert taken("x = '$0'\n", "python", "# one", "a") == (["# one"], [1])


def test_of_several_texts_those_that_do_nothing_come_last() -> None:
    assert taken("f($0)\n", "python", "a, a", "a, b", n=2) == (["a, b", "a, a"], [2])
    # Go does not compile it.
    assert taken(GO, "go", "price", "total += price", n=2) == (["total += price"], [2])
    assert taken(GO, "go", "price", "total", "f") == ([], [1, 3])


def test_no_time_is_no_reason_to_write_again() -> None:
    assert taken("f($0)\n", "python", "a, a", "a, b", budget_s=0.0) == (["a, a"], [1])


def test_memory_does_not_know_what_does_nothing_either() -> None:
    left, right = GO.replace("$0", "price\n\t\tprice\n\t\tprice\n\t\t$0").split("$0")
    recognizer = Language.load("go").recognizer(left, right)
    found = known_completion(left, right, recognizer, language_named("go"))
    assert found is None or not is_idle(left, found.text, right, language_named("go"))
