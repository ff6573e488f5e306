"""Where completions begin and end: texts that the grammar allows, but a programmer would not write.

The models are scripted; `$0` marks the cursor in the sources.
"""

from __future__ import annotations

import ast
from typing import Any

import pytest

from fim_lsp.decoding.choices.layout import Layout
from fim_lsp.decoding.endings.repetition import loop
from fim_lsp.decoding.endings.steering import way_out
from fim_lsp.decoding.models.model import load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.completion import StoppedBy
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from quotient import Language, Recognizer
from tests.models import tiny_model, writing_model

PYTHON = Language.load("python", version="3.11")


def written(source: str, wants: str, **options: object) -> tuple[str, StoppedBy]:
    left, right = source.split("$0")
    session = DecodingSession(writing_model(left, wants))
    recognizer = PYTHON.recognizer(left, right)
    [found] = session.complete(CompletionRequest(left, right, recognizer, Options(**options)))  # type: ignore[arg-type]
    ast.parse(left + found.text + right)
    return found.text, found.stopped_by


@pytest.mark.parametrize(
    ("source", "wants", "token", "expected"),
    [
        ("f(g(a$0), b)\n", ", []), c", b" []", ", []"),
        ("a = [f('x$0')]\n", "y')", b"')", "y"),
        ("d = {'k': ($0)}\n", "())", b"())", "()"),
        ("def f(a$0):\n    pass\n", ", b):\n    return", b"):", ", b"),
    ],
)
def test_a_token_is_cut_where_the_right_context_begins(
    source: str, wants: str, token: bytes, expected: str
) -> None:
    """Tokens know nothing of the cursor's brackets: `):` closes a bracket that is closed already."""
    assert token in tiny_model().token_bytes or token == b"())"
    assert written(source, wants)[0] == expected


@pytest.mark.parametrize("max_tokens", [8, 16, 32])
@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    a = 1\n    b = (2)\n  $0or)\n    c = 3\n    return a\n",
        "class A:\n    def f(self):\n        a(1)\n        a(x, str)\n  $0nt)\n        b()\n        c()\n",
    ],
)
def test_a_comment_stays_where_nothing_else_takes_in_the_rest_of_the_line(
    source: str, max_tokens: int
) -> None:
    """No code fits at that column in front of half a word and a bracket without an opener."""
    left, right = source.split("$0")
    session = DecodingSession(load_model(None))
    [found] = session.complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right), Options(max_tokens=max_tokens))
    )
    ast.parse(left + found.text + right)


def test_a_token_that_leaves_the_scope_is_kept_up_to_there() -> None:
    """`')` ends the string and closes the bracket, behind which `, b)` would fit."""
    assert b"')" in tiny_model().token_bytes
    assert written("f(g(a, $0), b)\n", "'x') + h('y'")[0] == "'x'"


@pytest.mark.parametrize(
    ("source", "wants", "expected"),
    [
        ("try:\n    a\nexcept Exception$0:\n    b\n", " as e:\n        raise\n", " as e"),
        ("if a$0:\n    b\n", ":\n    c", ""),
        ("if a$0:\n    b\n", " and b:\n    c", " and b"),
        ("d = {$0: 1}\n", "'k': 2", "'k'"),
        ("x = {'k'$0: 1}\n", ": 2", ""),
    ],
)
@pytest.mark.parametrize("multi_line", [True, False])
def test_a_colon_is_not_put_twice(source: str, wants: str, expected: str, multi_line: bool) -> None:
    assert written(source, wants, multi_line=multi_line) == (expected, "eos")


def test_a_word_of_the_right_context_is_not_said_again() -> None:
    assert written("def f(n):\n    retur$0 n % 2\n", "n n % 2 == 0") == ("n", "eos")


def test_how_the_line_goes_on_is_not_said_again() -> None:
    assert written("def f(items$0, name, key: str):\n    pass\n", ": list, name, key: str = 1") == (
        ": list",
        "eos",
    )


@pytest.mark.parametrize(
    ("source", "wants", "expected"),
    [
        # The right context has this word already.
        ("if a:\n    x$0exit(b())\n", ".exit()\n\nif c:\n    d\n", "."),
        # The rest of the line begins a line of the block.
        ("if a:\n    $0c()\n", "b()\n\nif d:\n    e\n", "b()\n\n    "),
        ("def f():\n    if a:\n        $0c()\n", "b()\n\ndef g():\n    e\n", "b()\n\n        "),
        # A rest without a first word fits anywhere.
        ("if a:\n    x$0('b')\n", "('c')\n\nif d:\n    e\n", "('c')\n\n    "),
    ],
)
def test_the_rest_of_the_line_has_its_place_in_the_scope_that_the_model_leaves(
    source: str, wants: str, expected: str
) -> None:
    assert written(source, wants) == (expected, "scope")


@pytest.mark.parametrize(
    ("source", "wants", "expected"),
    [
        ("def f():\n    $0\n", "    return 1", "return 1"),
        ("def f():\n    a\n    $0\n", "\n    return 1", "return 1"),
        ("f(\n    a,\n    $0\n)\n", "    b,", "b,"),
    ],
)
def test_an_indented_line_is_gone_on_with_where_the_cursor_is(source: str, wants: str, expected: str) -> None:
    left, right = source.split("$0")
    session = DecodingSession(writing_model(left, wants))
    [found] = session.complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right), Options(max_tokens=12))
    )
    ast.parse(left + found.text + right)
    assert found.text == found.text.lstrip()
    # A model that writes the text without the blanks is left alone.
    assert written(source, expected, max_tokens=12)[0] == expected


@pytest.mark.parametrize(
    ("source", "wants", "expected"),
    [
        ("if a:\n$0\n", "    b", "    b"),
        ("def f():\n    if a:\n    $0\n", "    b", "    b"),
        ("$0\n", "\n\nx = 1", "\n\nx = 1"),
        ('s = """\n    $0\n"""\n', "  indented", "  indented"),
    ],
)
def test_white_space_comes_first_where_it_has_to_or_is_text(source: str, wants: str, expected: str) -> None:
    assert written(source, wants)[0] == expected


@pytest.mark.parametrize(
    ("wants", "expected"),
    [
        ("a = 1\n    ", "a = 1"),
        ("a = 1  # ", "a = 1"),
        ("a = 1  #", "a = 1"),
        ("a = 1  # one", "a = 1"),
        ("a = 1  # one\n    # two\n", "a = 1"),
        ("a = 1  # one\n    b = '#'", "a = 1  # one\n    b = '#'"),
        ("a = '1  '", "a = '1  '"),
    ],
)
def test_nothing_is_left_over_at_the_end(wants: str, expected: str) -> None:
    assert written("def f():\n    $0\n", wants) == (expected, "eos")


def test_the_end_at_the_limit_is_no_half_of_a_comment() -> None:
    wants = "a = 1  # " + " ".join(f"word{n}" for n in range(40))
    text, _ = written("def f():\n    $0\n", wants, max_tokens=16)
    assert text == "a = 1"


def test_the_end_at_the_limit_is_no_half_of_a_name() -> None:
    """`value.n` would fit as well, but the model is in the middle of a name there."""
    for max_tokens in range(8, 16):
        text, _ = written("x = [a, $0]\n", "bisect_left, collections.namedtuple", max_tokens=max_tokens)
        assert text in ("bisect_left", "bisect_left, collections.namedtuple")


def test_no_comment_takes_in_the_rest_of_the_line() -> None:
    text, _ = written("total = sum($0prices)\n", "  # all ", max_tokens=8)
    assert "#" not in text


@pytest.mark.parametrize(
    ("source", "wants"),
    [
        ("def f():\n    $0\n", "# only talk\n    # and more"),
        ("import os\nimport $0\n", "os\nimport os"),
        ("def f(self, x):\n    self.x = x\n    $0\n", "self.x = x\n"),
    ],
)
def test_what_says_nothing_is_begun_anew(source: str, wants: str) -> None:
    """A comment alone, or the previous line again, is replaced by the next best beginning."""
    text, _ = written(source, wants, max_tokens=10)
    first = wants.split("\n")[0]
    assert not text.startswith(first)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    assert not lines or any(line[0] != "#" for line in lines)


@pytest.mark.parametrize(
    ("source", "wants", "expected"),
    [
        ("def f(a):\n    $0\n", "a.b = 1\n    " * 30, "a.b = 1"),
        ("def f(a):\n    $0\n", "c = 1\n    g(a, c)\n    " * 9, "c = 1\n    g(a, c)"),
        ("f(a$0)\n", ", True" * 40, ", True"),
    ],
)
def test_circles_are_left(source: str, wants: str, expected: str) -> None:
    assert written(source, wants)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        b"x = [0, 0, 0, 0]",
        b"# ------------------------------------------------------------",
        b"a = 1\nb = 2\na = 2\nb = 1\n",
        b"_, _, _, x = f()",
        b"foo(a)\nbar(a)\nfoo(b)\nbar(b)\n",
        b"next(f)\nnext(f)\n",
        b"        ]\n    ]\n]\n",
        b"x = (None, None, None)",
    ],
)
def test_what_code_repeats_is_no_circle(text: bytes) -> None:
    for length in range(len(text) + 1):
        assert loop(b"", text[:length]) is None
    assert loop(b"", text, is_end=True) is None


def test_a_circle_begins_where_it_is_said_again() -> None:
    assert loop(b"", b"x = 1\nx = 1\n").n_bytes == len(b"x = 1")  # type: ignore[union-attr]
    assert loop(b"    x = 1\n    ", b"x = 1", is_end=True).n_bytes == 0  # type: ignore[union-attr]
    phrase = b"of the class "
    assert loop(b"", b"a" + phrase * 3).n_bytes == len(b"a" + phrase)  # type: ignore[union-attr]


def test_a_blank_line_ends_what_stands_in_a_bracket() -> None:
    """`@` multiplies matrices, so it would fit."""
    assert written("print($0)\n", "total\n\n\n@property") == ("total", "scope")


FENCED = "g(1)\n```\n\nIn this solution, `g` is called."


@pytest.mark.parametrize("source", ["f()\n$0", "f()\n$0\nh()\n", "if a:\n    f()\n    $0\n"])
def test_the_fence_of_a_chat_model_ends_its_text(source: str) -> None:
    found, stopped_by = written(source, FENCED)
    assert (found.strip(), stopped_by) == ("g(1)", "eos")


@pytest.mark.parametrize(
    ("language", "left", "before", "text", "expected"),
    [
        ("javascript", "f();\n", b"g();\n", b"``", True),
        ("javascript", "f();\n  ", b"", b"```\n", True),
        ("javascript", "f();\n", b"g();", b"\n```", False),
        ("javascript", "f();", b"", b"``", True),
        # A string in a line of its own, an empty one, a string's text, and a comment's.
        ("javascript", "f(\n", b"", b"`a", False),
        ("javascript", "f(", b"", b"``)", False),
        ("javascript", "const a = `\n", b"", b"```\n", False),
        ("javascript", "/*\n", b"", b"```\n", False),
        ("go", "package a\n", b"", b"``", True),
        ("python", "f()\n", b"", b"`", True),
        ("python", 'f("""\n', b"", b"```", False),
    ],
)
def test_fences_are_no_strings(language: str, left: str, before: bytes, text: bytes, expected: bool) -> None:
    right = {"f(": ")\n", "f(\n": ")\n", "/*\n": "*/\n", 'f("""\n': '""")\n', "const a = `\n": "`;\n"}
    recognizer = Language.load(language).recognizer(left, right.get(left, "\n"))
    layout = Layout.around(recognizer, left, b"\n", multi_line=True, comment=b"//")
    assert recognizer.advance(before)
    hypothesis = Hypothesis(recognizer, text=before)
    assert layout.begins_fence(hypothesis, text) is expected
    assert not (expected and layout.allows(hypothesis, text))


@pytest.mark.parametrize("max_tokens", range(1, 16))
def test_the_rest_of_the_line_stays_in_its_block(max_tokens: int) -> None:
    """A text that ends with a line break moves the rest of the line. It may not end where the rest would
    leave the block."""
    text, _ = written("def f(a):\n    $0return a\n", "b = a\n\n", max_tokens=max_tokens)
    assert not ast.parse("def f(a):\n    " + text + "return a\n").body[1:]


@pytest.mark.parametrize("max_tokens", range(16, 24))
def test_lines_of_their_own_end_with_a_line_break(max_tokens: int) -> None:
    """`    b =` would fit, too, because the next line continues it."""
    wants = "    b = a\n" + "".join(f"    c{n} = g({n})\n" for n in range(40))
    text, _ = written("def f(a):\n$0    return a\n", wants, max_tokens=max_tokens)
    assert text.startswith("    b = a\n")
    assert text.endswith("\n")


@pytest.mark.parametrize("strategy", ["greedy", "sample"])
def test_every_strategy_ends_well(strategy: str) -> None:
    left, right = "try:\n    a\nexcept Exception", ":\n    b\n"
    session = DecodingSession(writing_model(left, " as e:\n        raise\n"))
    options = Options(strategy=strategy, temperature=0.05)  # type: ignore[arg-type]
    [found] = session.complete(CompletionRequest(left, right, PYTHON.recognizer(left, right), options))
    assert (found.text, found.stopped_by) == (" as e", "eos")


class Hopeless:
    """A recognizer for which nothing ever fits. It records how often a way out is requested."""

    def __init__(self, recognizer: Recognizer, asked: list[str]) -> None:
        self.recognizer, self.asked = recognizer, asked

    def is_member(self) -> bool:
        return False

    def fork(self) -> Hopeless:
        return Hopeless(self.recognizer.fork(), self.asked)

    def witness_bytes(self) -> bytes:
        self.asked.append("way out")
        return self.recognizer.witness_bytes()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.recognizer, name)


@pytest.mark.parametrize("right", ["\n", "name, path)\n"])
def test_where_no_way_out_has_names_that_exist_it_is_not_looked_for_again_and_again(right: str) -> None:
    """Each search may take a third of a second: a text that repeated itself took eight minutes."""
    left = "raise TypeError('of "
    asked: list[str] = []
    recognizer: Any = Hopeless(PYTHON.recognizer(left, right), asked)
    session = DecodingSession(writing_model(left, "a list', " + "str, " * 30))
    assert session.complete(CompletionRequest(left, right, recognizer, Options(max_tokens=120))) == []
    assert 0 < len(asked) < 100


@pytest.mark.parametrize("names", [None, ()])
@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("def f(values):\n    for value in values", "\n", ":\n        pass"),
        ("import json\n\n\nclass Store", "\n", ":\n    pass"),
        ("def f(values):\n\twhile values", "\n", ":\n            pass"),
    ],
)
def test_a_header_has_no_name_for_a_body(
    names: tuple[str, ...] | None, left: str, right: str, expected: str
) -> None:
    """`for value in values:f` is the shortest way out, because any existing name is a body."""
    assert way_out(PYTHON.recognizer(left, right, names)).decode() == expected
