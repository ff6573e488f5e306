"""A model that prefers an unknown name: the text goes back to the beginning of the name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fim_lsp.decoding.endings import connecting
from fim_lsp.decoding.endings.hole_context import HoleContext
from fim_lsp.decoding.endings.steering import Steering
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.texts.step import DecodedToken
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from quotient import Language
from tests.models import Wavering, tiny_model

PYTHON = Language.load("python", version="3.11")


def traced(
    source: str, *wants: str, names: bool = True, **options: object
) -> tuple[Completion, list[DecodedToken]]:
    left, right = source.split("$0")
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), left, wants))
    recognizer = PYTHON.recognizer(left, right, () if names else None)
    request = CompletionRequest(left, right, recognizer, Options(**options))  # type: ignore[arg-type]
    [found], steps = DecodingSession(model).trace(request)
    compile(left + found.text + right, "offer", "exec")
    return found, steps


@pytest.mark.parametrize(
    ("source", "first", "second"),
    [
        ("value = 1\n$0\n", "print(wrong)", "print(value)"),
        ("value = 1\n$0\n", "wrong.append(value)", "value.append(value)"),
        ("value = 1\nother = $0\n", "wrong + 1", "value + 1"),
        ("value = 1\nother = [$0]\n", "wrong, 1", "value, 1"),
        ("def f(value):\n    $0\n", "return wrong", "return value"),
        ("value = 1\nprint($0)\n", "wrong", "value"),
    ],
)
def test_a_wrong_name_is_gone_back_to(source: str, first: str, second: str) -> None:
    completion, _ = traced(source, first, second)
    assert completion.text == second
    completion, _ = traced(source, first, second, names=False)
    assert completion.text == first


def test_a_model_that_wants_nothing_else_is_led_out() -> None:
    completion, _ = traced("value = 1\nprint($0)\n", "wrong", max_tokens=12)
    assert "wrong" not in completion.text


def test_a_name_is_gone_back_to_once_where_the_way_out_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """One choice is a wrong name; the next one, which looks for a way out, is not."""
    go_back = Steering.go_back

    def go_back_late(steering: Steering, hypothesis: Hypothesis) -> None:
        go_back(steering, hypothesis)
        steering.is_connecting = True

    monkeypatch.setattr(Steering, "go_back", go_back_late)
    # Nothing is pending there, and no text is left to go back to.
    completion, _ = traced("value = 1\nprint(value+$0)\n", "wrong + 1")
    assert completion.text


def test_where_no_way_out_resolves_nothing_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = "value = 1\nprint(value + ", ")\n"
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), left, ["(" * 20]))

    def wrong(_context: HoleContext, hypothesis: Hypothesis, _steering: Steering) -> Hypothesis:
        assert hypothesis.recognizer is not None
        found = hypothesis.fork()
        found.recognizer = None
        return found

    options = Options(max_tokens=6)
    assert DecodingSession(model).complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right, ()), options)
    )
    monkeypatch.setattr(connecting, "led_out_text", wrong)
    assert not DecodingSession(model).complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right, ()), options)
    )


def test_names_that_the_text_binds_may_be_used() -> None:
    text = "total = [row for row in value]\nprint(total)"
    completion, _ = traced("value = 1\n$0\n", text)
    assert completion.text == text


def test_the_reason_is_told() -> None:
    _, steps = traced("value = 1\n$0\n", "print(value + wrong.real)", "print(value + value.real)")
    words = {refusal.why for step in steps for refusal in step.refusals}
    assert any("is not defined here" in why or why == "name" for why in words)


def test_a_session_says_what_was_refused() -> None:
    left, right = "value = 1\nprint(", ")\n"
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), left, ["wrong", "value"]))
    session = DecodingSession(model)
    session.complete(CompletionRequest(left, right, PYTHON.recognizer(left, right, ())))
    assert session.refused == ["`wrong` is not defined here"]
    session.complete(CompletionRequest(left, right, PYTHON.recognizer(left, right)))
    assert session.refused == []


@pytest.mark.parametrize(
    ("source", "first", "second"),
    [
        ("value = 1\nprint($0)\n", "ↆ", "value"),
        ("value = 1\nprint($0)\n", "va‿", "value"),
        # The file has such names, or the text is not a name: it is allowed.
        ("größe = 1\nprint($0)\n", "größe", "größe"),
        ("value = 1  # größe\nprint($0)\n", "größe", "größe"),
        ("value = 1\nprint($0)\n", "'größe'", "'größe'"),
    ],
)
def test_no_letters_beyond_ascii_where_the_file_has_none(source: str, first: str, second: str) -> None:
    completion, _ = traced(source, first, second)
    assert completion.text == second


@pytest.mark.parametrize(
    ("source", "first", "second"),
    [
        ("value = 1\n__all__ = [$0]\n", "'wrong'", "'value'"),
        ("value = 1\n__all__ = ['va$0\n", "in']", "lue']"),
        ("value = 1\n__all__ = ['other', # why\n'$0\n", "wrong']", "value']"),
        ("value = 1\n$0\n", "__all__ = ('wrong',)", "__all__ = ('value',)"),
        # The rest of the list to the right belongs to it.
        ("value = 1\n__all__ = [$0 'wrong']\n", "'wrong',", "'value',"),
        # Only a plain string is an item.
        ("value = 1\n__all__ = [$0]\n", "('wrong')", "'value'"),
        ("value = 1\n__all__ = [$0]\n", "'\\x76alue'", "'value'"),
        ("value = 1\n__all__ = [$0]\n", '"val\'"', '"value"'),
        # Another list, and a file whose names are unknown.
        ("value = 1\nall_ = [$0]\n", "'wrong'", "'wrong'"),
        ("__all__ = ['a']\nall_ = [$0]\n", "'wrong'", "'wrong'"),
        ("from shop import *\n__all__ = [$0]\n", "'wrong'", "'wrong'"),
    ],
)
def test_what_is_exported_is_bound(source: str, first: str, second: str) -> None:
    completion, _ = traced(source, first, second)
    assert completion.text == second


def test_what_may_be_exported_need_not_be_likely() -> None:
    # The model prefers fifty tokens, none of which is right.
    completion, _ = traced("value = 1\n__all__ = [$0]\n", "'wrong'", max_tokens=12)
    assert completion.text.startswith("'value'")


def test_a_package_may_export_its_modules() -> None:
    completion, _ = traced("value = 1\n__all__ = [$0]\n", "'wrong'", "'value'", exports=False)
    assert completion.text == "'wrong'"
    modules = frozenset({"part"})
    completion, _ = traced("value = 1\n__all__ = [$0]\n", "'wrong'", "'part'", modules=modules)
    assert completion.text == "'part'"


@pytest.mark.parametrize(
    ("source", "first", "second"),
    [
        ("value = 1\n$0\nprint(total)\n", "print(value)", "total = value"),
        ("value = [1]\n$0\n    print(total)\n", "if value:", "for total in value:"),
        ("def f(value):\n    $0\n    return total\n", "value += 1", "total = value"),
        ("$0\nmath.sin(1)\n", "print(1)", "import math"),
    ],
)
def test_what_is_used_below_is_bound(source: str, first: str, second: str) -> None:
    assert traced(source, first, second)[0].text == second
    assert traced(source, first, second, binds=False)[0].text == first


@pytest.mark.parametrize(
    ("source", "only"),
    [
        # The model has no other preference, the name is bound already, or the text binds it.
        ("value = 1\n$0\nprint(total)\n", "print(value)"),
        ("value = total = 1\n$0\nprint(total)\n", "print(value)"),
        ("from a import *\n$0\nprint(total)\n", "print(1)"),
        ("value = 1\n$0\nprint(total)\n", "value, total = 1, 2"),
    ],
)
def test_where_nothing_else_comes_out_a_text_stays(source: str, only: str) -> None:
    assert traced(source, only)[0].text == only
