"""What a quick model and a better one write alike at one place."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.texts.marks import Mark
from fim_lsp.server.worker import judging as judging_module
from fim_lsp.server.worker.attempt import Attempt, CandidateText
from fim_lsp.server.worker.choosing import Choosing
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.worth.bars import bar_of_agreed
from fim_lsp.worth.judge import OfferJudge
from fim_lsp.worth.odds import log_odds
from fim_lsp.worth.trees import Trees
from tests.footings import WISHES, footing_between

LEFT, RIGHT = "def area(width):\n    return ", "\n"
BAR = 0.4


@pytest.fixture(autouse=True)
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that gives each text 0.3 to be of use, which is less than the bar and more than its half."""
    useful = Trees.of({"names": [], "base": log_odds(0.3), "trees": []})
    judge = OfferJudge("toy", useful, useful)
    monkeypatch.setattr(judging_module, "judge_of", lambda _model: judge)


def written(text: str) -> CandidateText:
    n_bytes = len(text.encode())
    evidence = Completion(text, "eos", 1, 0, -1.0, 0.0, (Mark(n_bytes, -1.0, -1.0, -1.0),))
    return CandidateText(text, evidence=evidence)


def chosen(choosing: Choosing, text: str, *, is_quick: bool, footing: Footing | None = None) -> str:
    footing = footing or footing_between(LEFT, RIGHT)
    wishes = replace(WISHES, bar=BAR)
    request = OfferRequest(footing.site, wishes, time.perf_counter() + 5.0, is_before_better=is_quick)
    texts, _ = choosing.chosen_texts(
        Attempt(footing, request), [written(text)], "bundled" if is_quick else "some.gguf"
    )
    return "".join(texts)


@pytest.mark.parametrize(
    ("quick", "better", "shown"),
    [
        ("width * 2", "width * 2", "width * 2"),
        # Only the beginning that is the same is shown.
        ("width + 1", "width * 2", "width"),
        ("height", "width * 2", ""),
        # No word is cut.
        ("wide", "width", ""),
    ],
)
def test_what_neither_is_sure_of_is_shown_as_far_as_both_write_it(
    quick: str, better: str, shown: str
) -> None:
    choosing = Choosing()
    assert chosen(choosing, quick, is_quick=True) == ""
    assert chosen(choosing, better, is_quick=False) == shown


def test_what_the_quick_one_wrote_elsewhere_does_not_count() -> None:
    choosing = Choosing()
    chosen(choosing, "width", is_quick=True, footing=footing_between(f"{LEFT}1 + ", RIGHT))
    assert chosen(choosing, "width", is_quick=False) == ""
    chosen(choosing, "width", is_quick=True)
    choosing.forget("file:///a")
    assert chosen(choosing, "width", is_quick=False) == ""


def test_where_everything_is_shown_no_bar_is_moved() -> None:
    assert bar_of_agreed(0.0) == 0.0
    assert bar_of_agreed(0.4) < 0.4
