"""The judge of memory's own offers: its features, and how sure a text has to be."""

from __future__ import annotations

import pytest

from fim_lsp.known_languages import GO, JAVA
from fim_lsp.memory.alone import Remembered, RememberedWord
from fim_lsp.worth.bars import bar_of_remembered
from fim_lsp.worth.features import JudgedPlace
from fim_lsp.worth.judge import REMEMBERED, Judged, judge_of
from fim_lsp.worth.remembered import remembered_features

LEFT = (
    "package p\n\nfunc f(r *Request) {\n\tcounted := registry.Lookup(r.Name)\n\tuse(counted)\n\tother := reg"
)
PLACE = JudgedPlace(LEFT, "\n}\n", 0, GO)


def remembered(probability: float, n_agreeing: int, n_words: int = 3) -> Remembered:
    word = RememberedWord(probability, (1 - probability) / 2, n_agreeing, probability, 4.0, 2)
    return Remembered("istry.Lookup(r.Name)", probability, probability**n_words, words=(word,) * n_words)


def judged(one: Remembered) -> Judged:
    cut = Judged(one.text, True, remembered_features(one.text, one, PLACE), is_remembered=True)
    [found] = judge_of(REMEMBERED).judged_cuts([cut])
    return found


def test_a_text_of_probable_words_is_surer_than_one_of_improbable_words() -> None:
    likely, unlikely = judged(remembered(0.95, 8)), judged(remembered(0.3, 1))
    assert likely.useful > unlikely.useful + 0.2
    assert likely.whole > unlikely.whole


def test_the_judge_asks_for_what_there_is() -> None:
    names = set(remembered_features("a", Remembered("a", 0.5, 0.5), PLACE))
    assert {*judge_of(REMEMBERED).useful.names, *judge_of(REMEMBERED).whole.names} <= names


@pytest.mark.parametrize(
    ("text", "whole", "bar", "expected"),
    [
        # A text that saves little has to be surer than one that saves much.
        ("his", 0.0, 0.4, 0.6),
        ("x" * 11, 1.0, 0.4, 0.4),
        ("x" * 21, 1.0, 0.4, 0.2),
        ("x" * 99, 1.0, 0.4, 0.2),
        # The setting `eager` shows everything.
        ("his", 0.0, 0.0, 0.0),
    ],
)
def test_the_bar_of_a_text_depends_on_the_keys_that_it_saves(
    text: str, whole: float, bar: float, expected: float
) -> None:
    cut = Judged(text, True, {"words": 1.0}, whole, whole, is_remembered=True)
    assert bar_of_remembered(cut, bar) == pytest.approx(expected)


def test_memory_has_to_be_surer_where_a_better_model_would_write() -> None:
    cut = Judged("x" * 11, True, {"words": 1.0}, 1.0, 1.0, is_remembered=True)
    assert bar_of_remembered(cut, 0.4, GO) == pytest.approx(0.6)
    assert bar_of_remembered(cut, 0.0, GO) == 0.0
    assert bar_of_remembered(cut, 0.4, JAVA) == pytest.approx(0.4)
