"""The tables of docs/models.md: their rows for given measurements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benches.runtime_texts import Difference, RuntimeText, differences, written
from benches.runtimes import DOCS, END, RuntimeRun, alike_table, begin_of, merged, times_table
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.prompt import N_PENDING
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from quotient import Language
from tests.models import tiny_model
from training.holes import MeasuredHole

MEASURE = RuntimeRun(
    "measure", [RuntimeText("a", (1, 2), True, 0.010), RuntimeText("b", (3,), True, 0.020)], []
)
OTHER = RuntimeRun(
    "server",
    [RuntimeText("a", (1, 2), True, 0.030, 1, 5), RuntimeText("c", (4,), False, 0.060, 3, 7)],
    [Difference(1, b"b", b"c", 0.25), Difference(0, b"", b"", None)],
)


def test_how_many_texts_are_alike_and_how_near_the_others_are() -> None:
    assert list(alike_table([MEASURE, OTHER]))[2:] == [
        "| measure | 2 |  | 2 |",
        "| server | 0 | 0.250, 1 by their ends | 1 |",
    ]


def test_a_margin_is_that_of_the_prompt_that_was_shown() -> None:
    """The margin depends on earlier prompts, since a second file's prompt leaves room for typing."""
    model, options = tiny_model(), Options(max_tokens=4, context_tokens=120)
    first, second = (
        MeasuredHole("".join(f"{name}_{number} = {number}\n" for number in range(60)) + "x = ", "1", "\n")
        for name in ("one", "two")
    )
    ours = written(model, [first, second], options)
    token = ours[1].tokens[0]
    other = next(known for known in range(len(model.token_bytes)) if known != token)
    theirs = [ours[0], replace(ours[1], text="other", tokens=(other,))]
    (found,) = differences(model, [first, second], options, ours, theirs)

    session = DecodingSession(model)
    recognizer = Language.load("python").recognizer(first.left, first.right)
    session.trace(CompletionRequest(first.left, first.right, recognizer, options))
    prompt = session.window.prompt(second.left, second.right, 120 - N_PENDING).tokens
    row = session.reader.prompt(prompt, 1, lambda: False)[0]
    assert found.margin == pytest.approx(abs(float(row[token] - row[other])), abs=0.001)
    (alone,) = differences(model, [second], options, ours[1:], theirs[1:])
    assert alone.margin is not None
    assert found.margin is not None
    assert abs(alone.margin - found.margin) > 0.01


def test_what_a_completion_takes() -> None:
    assert list(times_table([MEASURE, OTHER]))[2:] == [
        "| measure |  |  | 10.0 | 15 |",
        "| server | 2.0 (at most 3) | 12, 3 | 30.0 | 45 |",
    ]


def test_the_page_has_a_place_for_each() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for what in ("alike", "times"):
        _, _, table = text.partition(begin_of(what))
        rows = table.partition(END)[0].strip().splitlines()
        assert len(rows) >= 5, what


def test_what_was_not_run_keeps_its_row_if_it_is_about_as_many_holes() -> None:
    head = ["| 200 holes | the same text |", "|---|---|"]
    before = [*head, "| here | 200 |", "| there | 190 |", "| elsewhere | 180 |"]
    assert merged(before, [*head, "| here | 199 |", "| new | 7 |", "| elsewhere | 181 |"]) == [
        *head,
        "| here | 199 |",
        "| there | 190 |",
        "| new | 7 |",
        "| elsewhere | 181 |",
    ]
    fewer = ["| 20 holes | the same text |", "|---|---|", "| here | 20 |"]
    assert merged(before, fewer) == fewer
