"""Two models for one place: the quick one's text is shown if it is sure, and otherwise the large one is
asked."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from fim_lsp.document.sent import SentText
from fim_lsp.server.answering import seconds_for_worker
from fim_lsp.server.settings import ASKED_MS, BUDGET_MS, Settings
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.messages import Answer, Close, Complete, FromWorker, Wishes
from fim_lsp.server.worker.pace import seconds_an_offer, sentence
from fim_lsp.server.worker.waiting import Waiting
from tests.models import tiny_model
from tests.scripted.worker import Scripted

WISHES = Wishes(1, 64, 20, True, "", False, None)
N_TRIES = 5
LEFT = "def area(width):\n    return "
SLOW = {"answers": [["return ", ["width ** 2"]]], "steps": 20, "step_s": 0.05}


def asked(script: dict[str, Any], *, is_asked: bool = False, budget: float = 5.0) -> tuple[Answer, float]:
    """The answer, and its seconds."""
    sent: list[FromWorker] = []
    job_loop = JobLoop(sent.append, lambda _ready: None)
    job_loop.serving.completer = Scripted("large", script)
    wishes = Wishes(1, 64, 20, True, "", False, None, is_asked=is_asked)
    start = time.perf_counter()
    text = SentText("file:///area.py", 1, "3.11", LEFT + "\n")
    job_loop.handle(Complete(1, text, len(LEFT), len(LEFT), "", wishes, budget))
    [answer] = sent
    assert isinstance(answer, Answer)
    return answer, time.perf_counter() - start


def quick(*texts: str, steps: int = 1) -> dict[str, Any]:
    return {"answers": [["return ", [*texts]]], "steps": steps, "step_s": 0.02}


def test_what_the_quick_model_alone_would_show_is_shown_at_most_50_ms_later() -> None:
    """The law of two models. The large model would take a second. The quickest of some tries counts, because
    the machine may be busy."""
    alone, both = (
        [asked(script) for _ in range(N_TRIES)]
        for script in (quick("width"), SLOW | {"quick": quick("width")})
    )
    assert {answer.texts for answer, _ in [*alone, *both]} == {("width",)}
    assert min(seconds for _, seconds in both) < min(seconds for _, seconds in alone) + 0.05


def test_where_the_quick_model_has_nothing_the_large_one_is_asked() -> None:
    answer, _ = asked(SLOW | {"quick": quick()})
    assert answer.texts == ("width ** 2",)
    assert answer.model_seconds >= 1.0


def test_where_nothing_of_the_quick_model_fits_the_large_one_is_asked() -> None:
    answer, _ = asked(SLOW | {"quick": quick(")")})
    assert answer.texts == ("width ** 2",)


def test_a_user_who_asks_gets_the_large_models_answer() -> None:
    answer, _ = asked(SLOW | {"quick": quick("width")}, is_asked=True)
    assert answer.texts == ("width ** 2",)


def test_a_user_who_asks_gets_the_quick_models_answer_where_the_large_one_was_not_ready() -> None:
    late = {"answers": [], "steps": 20, "step_s": 0.05, "quick": quick("width")}
    assert asked(late, is_asked=True, budget=0.5)[0].texts == ("width",)
    # The large one is ready here, and has nothing to add.
    assert asked(late, is_asked=True)[0].texts == ()


@pytest.mark.parametrize(
    ("left", "is_asked", "expected"), [(10.0, True, 9.0), (0.5, True, 0.45), (10.0, False, 10.0)]
)
def test_a_user_who_asks_gets_what_is_ready_when_a_step_takes_long(
    left: float, is_asked: bool, expected: float
) -> None:
    """A step of a large model may take half a second. The worker ends earlier, so that the texts that are
    ready by then are not lost."""
    assert seconds_for_worker(left, is_asked) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("chosen_ms", "seconds_an_offer", "is_asked", "expected"),
    [
        (BUDGET_MS, None, False, 0.8),
        (BUDGET_MS, 0.3, False, 0.8),
        # A slower model gets more time, within limits.
        (BUDGET_MS, 1.0, False, 1.4),
        (BUDGET_MS, 60.0, False, 4.0),
        (BUDGET_MS, 1.0, True, 10.0),
        # A chosen budget is kept.
        (500, 1.0, False, 0.5),
        (500, 1.0, True, 0.5),
    ],
)
def test_the_time_budget_is_the_models_unless_one_was_chosen(
    chosen_ms: int, seconds_an_offer: float | None, is_asked: bool, expected: float
) -> None:
    settings = Settings(time_budget=chosen_ms)
    assert settings.budget_s(is_asked, seconds_an_offer) == pytest.approx(expected)


def test_what_an_offer_takes_is_measured(tmp_path: Path) -> None:
    model = tiny_model()
    assert 0 < seconds_an_offer(model) < 5
    path = str(tmp_path / "qwen.gguf")
    assert sentence(path, 0.62) == "qwen.gguf: an offer takes about 0.6 s here."
    assert sentence("owner/name", 1.0) == "owner/name: an offer takes about 1.0 s here."


def test_a_quick_model_of_python_is_not_asked_in_other_languages() -> None:
    sent: list[FromWorker] = []
    job_loop = JobLoop(sent.append, lambda _ready: None)
    large = Scripted("large", {"answers": [["= ", ["1"]]]})
    bundled = Scripted("bundled", {"answers": [["= ", ["2"]]]})
    large.quick = bundled
    job_loop.serving.completer = large
    text = SentText("file:///a.toml", 1, "3.11", "a = \n", language="toml")
    job_loop.handle(Complete(1, text, 4, 4, "", WISHES, 1.0))
    [answer] = sent
    assert isinstance(answer, Answer)
    assert answer.texts == ("1",)


@pytest.mark.parametrize(("n_pieces", "n_read"), [(0, 1), (3, 4)])
def test_reading_ahead_comes_to_an_end(n_pieces: int, n_read: int) -> None:
    job_loop = JobLoop(lambda _message: None, lambda _ready: None)
    job_loop.serving.completer = Scripted("large", {"ahead": n_pieces})
    n_calls = 1
    while job_loop.read_ahead(lambda: False):
        n_calls += 1
    assert n_calls == n_read


def test_a_fault_while_reading_ahead_ends_it_and_nothing_else() -> None:
    class Faulty(Scripted):
        def read_ahead(self, *_arguments: Any) -> bool:
            raise RuntimeError("the network is gone")

    job_loop = JobLoop(lambda _message: None, lambda _ready: None)
    job_loop.serving.completer = Faulty("faulty", {})
    assert not job_loop.read_ahead(lambda: False)


def test_a_message_ends_the_rest() -> None:
    waiting: Waiting[str] = Waiting()
    found = [waiting.rests(0.0), waiting.is_empty]
    waiting.put(Close("file:///a.py"))
    found += [waiting.is_empty, waiting.rests(60.0)]
    assert found == [True, True, False, False]
    assert waiting.next() == Close("file:///a.py")


def test_a_user_who_asks_waits_unless_a_budget_was_chosen() -> None:
    assert Settings().budget_s(is_asked=False) == BUDGET_MS / 1000
    assert Settings().budget_s(is_asked=True) == ASKED_MS / 1000
    chosen, complaints = Settings().updated_settings({"timeBudget": 300})
    assert not complaints
    assert chosen.budget_s(is_asked=True) == 0.3
