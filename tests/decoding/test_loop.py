"""The decoding loop and the preferences of a model. Models are scripted, so that each rule takes effect.

`$0` marks the cursor in the sources.
"""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.runtime import Row
from tests.decoding.scripted import PYTHON, check, completions
from tests.models import Script, tiny_model, writing_model


def test_the_model_writes_and_ends() -> None:
    check("x = $0\n", "1 + 2", "1 + 2", "eos")
    check("def f(a):\n    $0\n", "return a + 1", "return a + 1", "eos")


def test_an_end_that_does_not_fit_is_not_an_end() -> None:
    [completion] = completions("x = $0\n", "(1 + 2", Options(max_tokens=12))
    assert completion.text.startswith("(1 + 2")


def test_what_does_not_parse_is_left_out() -> None:
    """`]` is refused, and the model's next preference is written instead."""
    [completion] = completions("x = $0\n", "]1", Options(max_tokens=3))
    assert "]" not in completion.text


@pytest.mark.parametrize(
    ("source", "wants", "expected"),
    [
        ("print(x$0)\n", ", y)\nprint(1)", ", y"),
        ("print(x$0)\n", ")\n", ""),
        ("a = [1, 2$0]\n", ", 3]\n\nb = 4", ", 3"),
        ("a = {'k': f(1$0)}\n", ", 2)}\n", ", 2"),
        ("a = 'word$0'\n", "s'\n", "s"),
    ],
)
def test_closers_are_not_doubled(source: str, wants: str, expected: str) -> None:
    check(source, wants, expected, "eos")


@pytest.mark.parametrize(
    ("source", "wants", "expected"),
    [
        ("a = 1\n$0\nb = 2\n", "c = 3\nb = 2\nd = 4", "c = 3"),
        ("def f(x):\n    y = x$0\n    print(y)\n", " + 1\n    print(y)\n    return y", " + 1"),
        ("def f(x):\n    y = x$0\n\n    print(y)\n", " + 1\n    print(y)\n", " + 1"),
        ("a = $0\nb = 2\n", "1\nb = 20\nb = 2", "1\nb = 20"),
    ],
)
def test_lines_of_the_right_context_are_not_repeated(source: str, wants: str, expected: str) -> None:
    check(source, wants, expected, "eos")


@pytest.mark.parametrize(
    ("scope", "source", "wants", "expected"),
    [
        ("block", "def f():\n    $0\n\n\nprint(1)\n", "return 1\n\n\ndef g():\n    pass", "return 1"),
        ("block", "def f():\n$0\n\n\nprint(1)\n", "    return 1\ndef g():\n    pass", "    return 1"),
        ("block", "if a:\n    b\n    $0\n", "c\n    d\ne", "c\n    d"),
        ("block", "if a:\n    b\n$0\n", "c\nd", "c\nd"),
        ("statement", "def f():\n    $0\n\n\nprint(1)\n", "a = 1\n    return a", "a = 1"),
        ("statement", "x$0\n", " = 1\ny = 2\n", " = 1"),
        ("statement", "$0\n", "if a:\n    b\n    c\nd", "if a:\n    b\n    c"),
        ("statement", "if a:\n    $0\n", "b\n    c", "b"),
        ("bracket", "if a:\n    f(b$0, c)\n", ", d", ", d"),
        ("bracket", "if a:\n    $0\n", "b\nc = 2", "b\nc = 2"),
    ],
)
def test_a_completion_stays_in_its_scope(scope: str, source: str, wants: str, expected: str) -> None:
    [completion] = completions(source, wants, Options(scope=scope))  # type: ignore[arg-type]
    assert completion.text == expected
    assert completion.stopped_by == ("eos" if wants == expected else "scope")


def test_a_bracket_is_not_left_and_begun_anew() -> None:
    """`) + g(` fits, but the right context's bracket would then close another one."""
    check("f(a$0, b)\n", ") + g(c", "", "scope", scope="block")
    check("f(a$0, b)\n", ") + g(c", ") + g(c", "eos", scope="free", max_tokens=12)


def test_a_scope_is_left_where_the_right_context_leaves_no_other_way() -> None:
    """Only this closes the bracket, and `try` needs its `except`."""
    check("f(a$0\n", ", b)", ", b)", "eos", scope="block")
    check(
        "try:\n    a$0\nb\n",
        " = 1\nexcept E:\n    pass",
        " = 1\nexcept E:\n    pass",
        "eos",
        scope="statement",
    )


def test_a_single_line() -> None:
    check("def f():\n    $0\n", "a = 1\n    b = 2", "a = 1", "scope", multi_line=False)
    [completion] = completions("if a:$0", "\n    b", Options(multi_line=False, max_tokens=8))
    ast.parse("if a:" + completion.text)


@pytest.mark.parametrize(
    ("source", "wants", "expected"),
    [
        ("def f(a):\n    $0\n", "for b in a:\n        g(b)\n        h(b)", "for b in a:\n        g(b)"),
        (
            "def f(a):\n    $0\n",
            "if a:\n        if b:\n            g()\n",
            "if a:\n        if b:\n            g()",
        ),
        # The text behind the cursor is its body.
        ("def f(a):\n    $0\n        g(b)\n", "for b in a:\n        h(b)", "for b in a:"),
        ("$0\n", "class Store:\n    pass\n", "class Store:\n    pass"),
        # This is not a header, so a line break begins another line.
        ("a = $0\n", "{\n    b: c}", None),
    ],
)
def test_a_header_in_a_single_line_ends_or_has_its_body(
    source: str, wants: str, expected: str | None
) -> None:
    found = completions(source, wants, Options(multi_line=False))
    if expected is None:
        assert "\n" not in found[0].text
    else:
        assert found[0].text == expected


def test_what_is_left_where_every_wish_is_refused_is_not_wanted() -> None:
    """`]` is refused, and the alternatives are no better than any other text."""
    wanted, junk = (completions("x = $0\n", wants, Options(max_tokens=3))[0] for wants in ("1", "]"))
    assert wanted.is_wanted
    assert not junk.is_wanted


@pytest.mark.parametrize("typed", ["retu", "r", "return", "    ", "f(", '"caf'])
def test_healing_begins_with_what_was_typed(typed: str) -> None:
    """The text left of the cursor is neither repeated nor lost, however its tokens were cut."""
    wants = {"retu": "rn 1", "r": "eturn 1", "return": " 1", "    ": "return 1", "f(": "1)", '"caf': 'é"'}
    left = "def g():\n    " + typed
    session = DecodingSession(writing_model(left, wants[typed]))
    [completion] = session.complete(CompletionRequest(left, "\n", PYTHON.recognizer(left, "\n")))
    assert completion.text == wants[typed]


class Surprised(Script):
    """A network that did not expect the typed text: where that is spelled, it prefers another token.

    `is_splitting`: it prefers the shortest beginning of the text instead, and nothing at all behind that.
    """

    def __init__(self, model: Model, left: str, text: str, is_splitting: bool) -> None:
        super().__init__(model, left, text)
        self.n_left, self.is_splitting, self.n_before = len(left), is_splitting, len(left)

    def row(self, history: list[int]) -> Row:
        row, token_bytes = super().row(history), self.model.token_bytes
        assert self.model.middle is not None
        start = len(history) - history[::-1].index(self.model.middle)
        n_written = sum(len(token_bytes[token]) for token in history[start:])
        if n_written >= self.n_left:
            return row
        self.n_before = min(self.n_before, n_written)
        if not self.is_splitting:
            row[token_bytes.index(b"=")] = 40
        elif n_written > self.n_before:
            return row.clip(max=1)
        else:
            shortest = self.model.beginnings_of(self.wanted[n_written:])[0]
            row[shortest] = row.max() + 1
        return row


@pytest.mark.parametrize("is_splitting", [False, True])
@pytest.mark.parametrize("typed", ["retu", "re"])
def test_typed_text_that_the_model_did_not_expect_spoils_nothing(typed: str, is_splitting: bool) -> None:
    """It does not count as improbable, and is not spelled in pieces that the model hardly knows."""
    wants, left = "return 1".removeprefix(typed), "def g():\n    " + typed
    model = replace(tiny_model(), runtime=Surprised(tiny_model(), left, wants, is_splitting))
    options = Options(least_logprob=-6.0)
    request = CompletionRequest(left, "\n", PYTHON.recognizer(left, "\n"), options)
    [completion], steps = DecodingSession(model).trace(request)
    assert (completion.text, completion.stopped_by) == (wants, "eos")
    assert [step.text for step in steps[-2:]] == [b" return", b" 1"]


def test_no_special_token_is_written_however_much_it_is_wanted() -> None:
    model = tiny_model()
    assert model.middle is not None
    signs = [model.prefix, model.suffix, model.middle]
    left, right = "s = '", "'\n"
    script = writing_model(left, "text", signs)
    for constraint in ("constrained", "checked", "none"):
        options = Options(constraint=constraint, max_tokens=6)
        [completion] = DecodingSession(script).complete(
            CompletionRequest(left, right, PYTHON.recognizer(left, right), options)
        )
        assert completion.text.startswith("text")
        assert "<" not in completion.text


def test_signs_of_the_model_in_a_file_are_text() -> None:
    left = "s = '<fim-middle> <|endoftext|>"
    model = tiny_model()
    assert not set(model.encode(left)) & {0, 1, 2, 3, 4}
    assert b"".join(model.token_bytes[token] for token in model.encode(left)).decode() == left


def test_what_becomes_improbable_is_not_written_on() -> None:
    """Each token of the scripted model is about as probable as the next one."""
    source, wants = "x = $0\n", "first(second, third) + fourth(fifth, sixth)"
    [whole] = completions(source, wants)
    assert whole.text == wants
    total = sum(mark.logprob or 0.0 for mark in whole.marks)
    [cut] = completions(source, wants, Options(least_logprob=total / 2))
    assert cut.stopped_by in ("unlikely", "forced")
    assert cut.n_tokens < whole.n_tokens
    assert completions(source, wants, Options(least_logprob=2 * total))[0].text == wants


@pytest.mark.parametrize(
    ("wants", "expected"),
    [("1 + 2  # three, which is enough\n", "1 + 2"), ("'# none'\n", "'# none'")],
)
def test_a_line_ends_in_front_of_a_comment_that_the_model_adds(wants: str, expected: str) -> None:
    [found] = completions("x = $0\n", wants, Options(multi_line=False))
    assert (found.text, found.stopped_by) == (expected, "scope")
    # No token of the comment was written, but perhaps the blanks in front of it.
    assert found.marks[-1].n_bytes <= len(expected + "  ")


def test_the_checked_baseline_ends_where_the_file_parses() -> None:
    options = Options(constraint="checked", max_tokens=16)
    check("f(a$0)\n", ", b)\n\ng(c", ", b", "eos", constraint="checked", max_tokens=16)
    left, right = "x = 1", "\n"
    [completion] = DecodingSession(writing_model(left, "]]]")).complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right), options)
    )
    assert completion.text == ""


def test_a_trace_tells_ranks_and_refusals() -> None:
    left, right = "x = ", "\n"
    session = DecodingSession(writing_model(left, "]1"))
    _, steps = session.trace(
        CompletionRequest(left, right, PYTHON.recognizer(left, right), Options(max_tokens=3))
    )
    written = [step for step in steps if step.refusals]
    assert written[0].rank is not None
    assert written[0].rank >= 1
    assert {refusal.why for refusal in written[0].refusals} == {"grammar"}
    assert session.model.token_bytes[written[0].refusals[0].token].startswith(b"]")


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": 0},
        {"max_tokens": 0},
        {"temperature": -1.0},
        {"temperature": float("inf")},
        {"budget_s": float("nan")},
        {"top_p": 0.0},
        {"budget_s": -1.0},
        {"scope": "file"},
        {"strategy": "best"},
    ],
)
def test_options_without_a_meaning_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Options(**wrong)  # type: ignore[arg-type]
