"""The limits of the decoding loop: tokens, time, cancellation, and several texts from one request.

Models are scripted; `$0` marks the cursor in the sources.
"""

from __future__ import annotations

import ast
import time
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.reader import PromptReader
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.runtime import GivenUp, Rows
from tests.decoding.scripted import PYTHON, check, completions
from tests.models import tiny_model, writing_model


@pytest.mark.parametrize("max_tokens", range(1, 9))
@pytest.mark.parametrize("constraint", ["constrained", "checked", "none"])
def test_nothing_ends_inside_a_character(max_tokens: int, constraint: str) -> None:
    left, right = "s = 'x", "'\n"
    options = Options(max_tokens=max_tokens, constraint=constraint, steer=False)  # type: ignore[arg-type]
    session = DecodingSession(writing_model(left, "é𝒳数"))
    told: list[str] = []
    found = session.complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right), options, on_partial=told.append)
    )
    for text in [*told, *(completion.text for completion in found)]:
        assert "é𝒳数".startswith(text)


@pytest.mark.parametrize("max_tokens", [2, 5, 10, 40])
def test_a_model_that_opens_brackets_for_ever_is_led_out(max_tokens: int) -> None:
    left, right = "x = ", "\n"
    session = DecodingSession(writing_model(left, "[({" * 100))
    [completion] = session.complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right), Options(max_tokens=max_tokens))
    )
    ast.parse(left + completion.text + right)
    assert completion.stopped_by == "forced"
    assert 0 < completion.n_tokens <= max_tokens


def test_without_steering_such_a_model_has_no_completion() -> None:
    assert completions("x = $0\n", "[" * 100, Options(max_tokens=10, steer=False)) == []


def test_the_limit_takes_the_best_place_to_end() -> None:
    check("x = $0\n", "1 + 2 + (((((((((((((((((((", "1 + 2", "limit", max_tokens=10)


def test_forced_text_needs_no_step_of_the_model() -> None:
    left, right = "x = 1 if a el", " 2\n"
    model = writing_model(left, "se")
    [completion] = DecodingSession(model).complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right))
    )
    assert completion.text == "se"
    assert completion.n_forced <= completion.n_tokens


def test_without_time_it_still_fits() -> None:
    [completion] = completions("x = ($0\n", "1 + 2", Options(budget_s=0.0))
    assert completion.stopped_by == "forced"
    assert completion.n_forced == completion.n_tokens


def test_the_time_that_is_left_is_kept() -> None:
    left, right = "x = ", "\n"
    session = DecodingSession(writing_model(left, " + ".join(map(str, range(5000)))))
    start = time.perf_counter()
    options = Options(budget_s=0.3, max_tokens=200)
    [completion] = session.complete(CompletionRequest(left, right, PYTHON.recognizer(left, right), options))
    assert completion.stopped_by in ("budget", "limit")
    assert time.perf_counter() - start < 3


def test_a_reading_that_is_given_up_ends_the_text_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large network gives up a long reading when the time is over, also one behind the first tokens."""
    left, right = "x = ", "\n"
    behind, n_read = PromptReader.behind, 0

    def give_up(reader: PromptReader, n_prompt: int, tokens: list[int], n_last: int) -> Rows:
        nonlocal n_read
        n_read += 1
        if n_read <= 3:
            return behind(reader, n_prompt, tokens, n_last)
        time.sleep(2)
        raise GivenUp

    monkeypatch.setattr(PromptReader, "behind", give_up)
    session = DecodingSession(writing_model(left, "1 + 2 + 3 + 4 + 5 + 6"))
    request = CompletionRequest(left, right, PYTHON.recognizer(left, right), Options(budget_s=2))
    [completion] = session.complete(request)
    assert n_read == 4
    assert completion.text.startswith("1")


@pytest.mark.parametrize("strategy", ["greedy", "sample", "beam"])
def test_alternatives_differ(strategy: str) -> None:
    left, right = "def f(a, b):\n    return ", "\n"
    options = Options(strategy=strategy, n=3, max_tokens=6, temperature=1.5)  # type: ignore[arg-type]
    found = DecodingSession(tiny_model()).complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right), options)
    )
    assert len({completion.text for completion in found}) == len(found) == 3
    for completion in found:
        ast.parse(left + completion.text + right)


@pytest.mark.parametrize("strategy", ["greedy", "sample", "beam"])
def test_the_same_seed_gives_the_same_text(strategy: str) -> None:
    left, right = "def f(a, b):\n    retu", "\n\nf(1, 2)\n"

    def texts(seed: int) -> list[str]:
        options = Options(strategy=strategy, n=2, max_tokens=10, seed=seed)  # type: ignore[arg-type]
        found = DecodingSession(tiny_model()).complete(
            CompletionRequest(left, right, PYTHON.recognizer(left, right), options)
        )
        return [completion.text for completion in found]

    assert texts(7) == texts(7)
    assert (texts(7) != texts(8)) == (strategy == "sample")


@given(st.integers(0, 12), st.sampled_from(["greedy", "sample", "beam"]), st.integers(1, 2))
def test_cancellation_leaves_no_state_behind(n_asked: int, strategy: str, n: int) -> None:
    left, right = "import os\n\ndef f(a):\n    y = os.pa", "\n    return y\n"
    options = Options(strategy=strategy, n=n, max_tokens=6)  # type: ignore[arg-type]
    recognizer = PYTHON.recognizer(left, right)
    session = DecodingSession(tiny_model())
    asked = count()
    stopped = session.complete(
        CompletionRequest(left, right, recognizer, options, is_cancelled=lambda: next(asked) >= n_asked)
    )
    for completion in stopped:
        ast.parse(left + completion.text + right)
    assert next(asked) <= n_asked + 2 or not stopped
    again = session.complete(CompletionRequest(left, right, recognizer, options))
    fresh = DecodingSession(tiny_model()).complete(CompletionRequest(left, right, recognizer, options))
    assert [one.text for one in again] == [one.text for one in fresh]


def test_partial_results_grow_and_are_told_whole() -> None:
    told: list[str] = []
    left, right = "x = ", "\n"
    DecodingSession(writing_model(left, "a + b + c")).complete(
        CompletionRequest(left, right, PYTHON.recognizer(left, right), on_partial=told.append)
    )
    assert told[-1] == "a + b + c"
    assert all(later.startswith(earlier) for earlier, later in pairwise(told))
