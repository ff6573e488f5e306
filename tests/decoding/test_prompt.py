"""A model's prompts, and how few of their tokens are read again after a keystroke."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.prompt import Window
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.fim_formats import Order
from quotient import Language
from tests.models import corpus, tiny_model

PYTHON = Language.load("python", version="3.11")
ORDERS: tuple[Order, ...] = ("prefix-suffix-middle", "suffix-prefix-middle", "suffix-middle-prefix")


def asked(order: Order) -> Model:
    model = tiny_model(n_positions=2048)
    return replace(model, fim_format=replace(model.fim_format, order=order, heals_blanks=False))


def spelled(model: Model, tokens: list[int]) -> str:
    signs = {model.prefix: "<P>", model.suffix: "<S>", model.middle: "<M>"}
    text = b"".join(signs[token].encode() if token in signs else model.token_bytes[token] for token in tokens)
    return text.decode()


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("prefix-suffix-middle", "<P>a = b<S>\nb\n<M>"),
        ("suffix-prefix-middle", "<S>\nb\n<P>a = b<M>"),
        ("suffix-middle-prefix", "<P><S>\nb\n<M>a = b"),
    ],
)
def test_the_order_is_that_of_the_format(order: Order, expected: str) -> None:
    model = asked(order)
    prompt = Window(model).prompt("a = b", "\nb\n", 100)
    # The network writes the pending text first, so it stands at the end in every order.
    pending = spelled(model, prompt.pending)
    assert pending
    if order == "suffix-middle-prefix":
        assert spelled(model, prompt.tokens) + pending == expected
    else:
        before = "a = b".removesuffix(pending)
        assert spelled(model, prompt.tokens).replace(f"<P>{before}", "<P>a = b", 1) == expected


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("left", ["def f():\n    ", "if a:\n\t", "a = ", "f(a, ", "class A:\n\n        "])
def test_blanks_at_the_cursor_stay_in_front_of_it(order: Order, left: str) -> None:
    # Behind `<|fim_middle|>`, real models write less indentation than the line has, and then nothing fits.
    model = asked(order)
    prompt = Window(model).prompt(left, "\nb\n", 100)
    assert not prompt.pending
    assert left in spelled(model, prompt.tokens)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("typed", [" ", "    ", "\n        "])
def test_indentation_that_was_typed_becomes_part_of_the_prefix(order: Order, typed: str) -> None:
    model = asked(order)
    window = Window(model)
    window.prompt("if a:\n", "\nb\n", 100)
    prompt = window.prompt("if a:\n" + typed, "\nb\n", 100)
    assert not prompt.pending
    assert "if a:\n" + typed in spelled(model, prompt.tokens)


def test_a_model_that_was_trained_to_writes_blanks_again() -> None:
    model = asked("suffix-prefix-middle")
    model = replace(model, fim_format=replace(model.fim_format, heals_blanks=True))
    assert spelled(model, Window(model).prompt("def f():\n    ", "\nb\n", 100).pending).isspace()


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_a_model_is_shown_one_kind_of_line_end(line_end: str) -> None:
    session, options = (
        DecodingSession(asked("prefix-suffix-middle")),
        Options(max_tokens=4, constraint="none"),
    )
    sent = []
    for end in ("\n", line_end):
        left, right = (text.replace("\n", end) for text in ("a = 1\nif a:\n    b = a", "\n    c = b\n"))
        session.complete(CompletionRequest(left, right, None, options))
        sent.append(session.sent)
    assert sent[0] == sent[1]


def test_a_window_is_balanced_and_cut_at_lines() -> None:
    model, text = asked("suffix-middle-prefix"), corpus()[1]
    at = text.index("\n", len(text) // 2)
    prompt = Window(model).prompt(text[:at], text[at:], 600)
    shown = spelled(model, [*prompt.tokens, *prompt.pending])
    right, left = shown.removeprefix("<P><S>").split("<M>")
    assert text[:at].endswith(left)
    assert text[at:].startswith(right)
    assert text[: at - len(left)].endswith("\n")
    assert right.endswith("\n")
    n_left, n_right = len(model.encode(left)), len(model.encode(right))
    assert 450 < n_left + n_right <= 600
    assert abs(n_left - n_right) < 150


def test_what_one_side_does_not_need_the_other_one_gets() -> None:
    model, text = asked("suffix-middle-prefix"), corpus()[1]
    at = text.index("\n", 200)
    prompt = Window(model).prompt(text[:at], text[at:], 800)
    assert 500 < len(prompt.tokens) <= 800
    at = text.rindex("\n", 0, len(text) - 200)
    prompt = Window(model).prompt(text[:at], text[at:], 800)
    assert 690 < len(prompt.tokens) <= 800


def test_one_endless_line_is_shown_as_far_as_there_is_room() -> None:
    model = asked("suffix-middle-prefix")
    prompt = Window(model).prompt("x = '" + "word " * 5000, "word " * 5000 + "'\n", 300)
    assert 200 < len(prompt.tokens) + len(prompt.pending) <= 300


@pytest.mark.parametrize("order", ORDERS)
def test_after_five_characters_at_most_a_tenth_is_read_again(order: Order) -> None:
    text = corpus()[1]
    at = text.index("\n", len(text) // 2)
    left, right = text[:at] + "\n        ", text[at:]
    session = DecodingSession(asked(order))
    options = Options(max_tokens=4, context_tokens=600, constraint="none")
    session.complete(CompletionRequest(left, right, None, options))
    n_first = session.reader.n_computed
    assert n_first > 450
    for typed in ("retur", "\n    "):
        before = session.reader.n_computed
        left += typed
        session.complete(CompletionRequest(left, right, None, options))
        n_written = options.max_tokens * 5
        assert session.reader.n_computed - before - n_written <= 0.1 * n_first


@pytest.mark.parametrize("order", ORDERS)
def test_what_was_kept_is_what_would_be_read(order: Order) -> None:
    """After typing, deleting and editing elsewhere, the answer equals the one without a history."""
    model = asked(order)
    text = corpus()[6][:3000]
    at = text.index("\n", 1500)
    left, right = text[:at], text[at:]
    states = [
        (left, right),
        (left + "\nretu", right),
        (left + "\nreturn x", right),
        (left + "\nreturn", right),
        (left, right + "\nx = 1\n"),
        ("# new\n" + left, right),
    ]
    options = Options(max_tokens=6, context_tokens=400)
    kept = DecodingSession(model)
    for left, right in states:
        found = kept.complete(CompletionRequest(left, right, None, options))
        # The cache is exact: its logits equal those of the network that reads all tokens at once.
        tokens = list(kept.reader.tokens)
        fresh = DecodingSession(model)
        fresh.reader.prompt(tokens[:-1], 1, lambda: False)
        expected = fresh.reader.read(tokens[-1:], 1)[0]
        kept.reader.crop(len(tokens) - 1)
        assert np.abs(kept.reader.read(tokens[-1:], 1)[0] - expected).max() < 1e-3
        assert found


def test_typing_keeps_the_window_where_it_is() -> None:
    model, text = asked("suffix-middle-prefix"), corpus()[1]
    at = text.index("\n", len(text) // 2)
    window, left, right = Window(model), text[:at], text[at:]
    first = window.prompt(left, right, 500)
    n_kept = 0
    for character in "\n        value = self.compute(a, b, c)\n        return value":
        left += character
        prompt = window.prompt(left, right, 500)
        assert len(prompt.tokens) + len(prompt.pending) <= 500
        n_kept += prompt.tokens[: len(first.tokens) - 10] == first.tokens[:-10]
        first = prompt
    # The window is full, so it moves sometimes, but not with each character.
    assert n_kept >= 45


def test_recognizers_are_left_as_they_are() -> None:
    recognizer = PYTHON.recognizer("x = ", "\n")
    witness = recognizer.witness()
    DecodingSession(tiny_model()).complete(CompletionRequest("x = ", "\n", recognizer, Options(max_tokens=5)))
    assert recognizer.witness() == witness


def test_halves_of_pairs_do_not_break_a_prompt() -> None:
    found = DecodingSession(tiny_model()).complete(
        CompletionRequest("s = '\ud83d", "'\n", None, Options(max_tokens=3))
    )
    assert len(found) == 1
