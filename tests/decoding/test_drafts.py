"""Drafts ahead of the model, from the file or from memory, save steps and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.memory.project import ProjectMemory
from fim_lsp.memory.recall import Recall
from fim_lsp.memory.weights import Weights
from quotient import Language
from tests.models import Script, writing_model

PYTHON = Language.load("python", version="3.11")


REPETITIVE = "".join(f"self.value_{name} = values.get('{name}')\n" for name in ("one", "two", "three"))


def test_drafts_save_steps_and_change_nothing() -> None:
    left, right = REPETITIVE, "\n"
    wants = "".join(
        f"self.value_{name} = values.get('{name}')\n" for name in ("four", "five", "six")
    ).rstrip()
    found, calls = [], []
    for drafts in (True, False):
        model = writing_model(left, wants)
        script = model.runtime
        assert isinstance(script, Script)
        options = Options(drafts=drafts)
        found.append(
            DecodingSession(model)
            .complete(CompletionRequest(left, right, PYTHON.recognizer(left, right), options))[0]
            .text
        )
        calls.append(script.n_calls)
    assert found == [wants, wants]
    assert calls[0] < 0.7 * calls[1]


def remembering(model: Model, left: str, right: str) -> Callable[[int], Recall]:
    """The memory of a file, which only drafts and does not change the logits."""
    project = ProjectMemory(model.encode, len(model.vocabulary), Weights())

    def recall(n_pending: int) -> Recall:
        found = project.recall("file:///a.py", left, right, n_pending)
        return replace(found, weights=Weights(), likely=0.0)

    return recall


@pytest.mark.parametrize("begun", ["", "ret", "return self.v"])
@pytest.mark.parametrize("is_confirmed", [True, False])
def test_a_draft_from_memory_that_the_model_confirms_costs_one_step(begun: str, is_confirmed: bool) -> None:
    line = "return self.value_one + self.value_two * self.value_three"
    left, right = f"def f(self):\n    {line}\n\ndef g(self):\n    {begun}", "\n"
    wants = (line if is_confirmed else "return self.variable").removeprefix(begun)
    n_calls = []
    for drafts in (True, False):
        model = writing_model(left, wants)
        script = model.runtime
        assert isinstance(script, Script)
        [found] = DecodingSession(model).complete(
            CompletionRequest(
                left,
                right,
                PYTHON.recognizer(left, right),
                Options(drafts=drafts),
                remembers=remembering(model, left, right),
            )
        )
        assert found.text == wants
        n_calls.append(script.n_calls)
    n_steps, n_plain = n_calls
    assert n_steps <= n_plain
    if is_confirmed:
        assert n_steps <= 2 + n_plain / 4


def test_a_key_that_agrees_with_the_last_text_reads_nothing_whatever_memory_drafts() -> None:
    line = "return self.value_one + self.value_two * self.value_three"
    left, right = f"def f(self):\n    {line}\n\ndef g(self):\n    ", "\n"
    wants = "return self.variable"
    model = writing_model(left, wants)
    script = model.runtime
    assert isinstance(script, Script)
    session = DecodingSession(model)
    n_calls = []
    for n_typed in (0, 1, 3, 7):
        before, at = script.n_calls, left + wants[:n_typed]
        [found] = session.complete(
            CompletionRequest(
                at, right, PYTHON.recognizer(at, right), remembers=remembering(model, at, right)
            )
        )
        assert found.text == wants[n_typed:]
        n_calls.append(script.n_calls - before)
    assert n_calls[0] > 1
    assert n_calls[1:] == [0, 0, 0]
