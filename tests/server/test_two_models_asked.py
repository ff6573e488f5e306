"""Which of a quick model and a better one answers, and the better one's text in the meantime."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from fim_lsp.bundled_models import BUNDLED_NAME
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer import Offer
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.two_models import BetterModelTask, TwoModels

WISHES = Wishes(1, 64, 20, True, "", False, None)
URI = "file:///a.py"
BEFORE, TYPED, OTHERWISE = "def f(a):\n    return ", "def f(a):\n    return a", "def f(a):\n    return b"
SILENT = Offer(reason="model silent")
QUICK = Offer(("quick",))


@dataclass
class Writer:
    """The better model: writes one character per step, and keeps the finished text."""

    text: str
    name: str = "better"
    left: str = ""
    so_far: str = ""
    kept: dict[str, str] = field(default_factory=dict)

    def has_written(self, _uri: str, left: str, _right: str) -> bool:
        return bool(self.rest(left))

    def is_writing(self, _uri: str, left: str, _right: str) -> bool:
        return (self.left + self.so_far).startswith(left) or left.startswith(self.left + self.so_far)

    def rest(self, left: str) -> str:
        wholes = (begun + text for begun, text in self.kept.items() if left.startswith(begun))
        return next((whole[len(left) :] for whole in wholes if whole.startswith(left)), "")

    def written(self, left: str, request: OfferRequest) -> str:
        if rest := self.rest(left):
            return rest
        if request.is_kept:
            return ""
        self.left, self.so_far = left, ""
        for character in self.text:
            if request.is_cancelled_meanwhile():
                return ""
            self.so_far += character
        self.kept[left] = self.text
        return self.text


@dataclass
class Quick:
    """A quick model with the same text at each place."""

    offer: Offer
    name: str = "quick"


@dataclass
class SimulatedJudging:
    """A simulated judge: never sure of an offer, and each is worth 1, except for named ones."""

    sure: dict[str, float] = field(default_factory=dict)
    worths: dict[str, float] = field(default_factory=dict)

    def sureness(self, _uri: str, offer: str) -> float:
        return self.sure.get(offer, 0.0)

    def worth(self, _uri: str, offer: str) -> float:
        return self.worths.get(offer, 1.0)


@dataclass
class SimulatedChoosing:
    judging: SimulatedJudging = field(default_factory=SimulatedJudging)


@dataclass
class Line:
    """A simulated worker's line, which records the model and the place of each request."""

    asked: list[tuple[str, str]] = field(default_factory=list)
    choosing: SimulatedChoosing = field(default_factory=SimulatedChoosing)
    requests: list[OfferRequest] = field(default_factory=list)

    def offer_for(self, request: OfferRequest, completer: Any) -> Offer:
        left = request.site.left
        self.asked.append((completer.name, left))
        self.requests.append(request)
        if isinstance(completer, Quick):
            return completer.offer
        text = completer.written(left, request)
        if request.is_cancelled():
            return Offer(reason="cancelled")
        return Offer((text,)) if text else SILENT


def site_of(left: str, uri: str = URI) -> Site:
    return Site.of(WorkerText(SentText(uri, 1, "3.11", None), left + "\n"), Hole(len(left), len(left)))


class Two:
    """Both models, and a loop without other requests for the next `n_steps` steps of the better model."""

    def __init__(self, quick: Offer, text: str = "a + 1") -> None:
        self.line, self.quick, self.better = Line(), Quick(quick), Writer(text)
        self.n_steps = 1000
        self.two = TwoModels(cast(Completing, self.line), self.is_waited)
        self.told: list[tuple[str, str]] = []

    def is_waited(self) -> bool:
        self.n_steps -= 1
        return self.n_steps < 0

    def at(
        self, left: str, n_steps: int = 1000, uri: str = URI, is_cancelled: Callable[[], bool] = lambda: False
    ) -> str | None:
        """The text that is shown at once, None for nothing yet; then the better model takes some steps."""
        request = OfferRequest(site_of(left, uri), WISHES, time.perf_counter() + 5.0, is_cancelled)

        def answer(offer: Offer) -> None:
            self.told.append((left, said(offer)))

        wanted = BetterModelTask(request, cast(Completer, self.better), answer)
        offer = self.two.offer_at(wanted, cast(Completer, self.quick))
        self.go_on(n_steps)
        return None if offer is None else said(offer)

    def go_on(self, n_steps: int = 1000) -> bool:
        self.n_steps = n_steps
        return self.two.go_on()

    @property
    def written_at(self) -> list[str]:
        return [left for name, left in self.line.asked if name == "better"]


def said(offer: Offer) -> str:
    return offer.texts[0] if offer.texts else str(offer.reason)


def test_an_offer_of_the_quick_one_is_shown_and_the_better_one_writes_for_the_next_key() -> None:
    two = Two(QUICK)
    assert two.at(BEFORE) == "quick"
    assert two.told == []
    # The key contradicts the shown text, but agrees with the one that was written behind it.
    assert two.at(TYPED) == " + 1"
    assert two.better.left == BEFORE


@pytest.mark.parametrize(("name", "expected"), [("better", True), (BUNDLED_NAME, False)])
def test_the_quick_one_knows_whether_the_other_one_is_better_than_those_in_the_box(
    name: str, expected: bool
) -> None:
    two = Two(QUICK)
    two.better.name = name
    two.at(BEFORE)
    assert two.line.requests[0].is_before_better is expected


def test_where_the_quick_one_is_sure_the_better_one_does_not_write() -> None:
    two = Two(QUICK)
    two.line.choosing.judging.sure["quick"] = 0.9
    assert two.at(BEFORE) == "quick"
    assert two.written_at == []


@pytest.mark.parametrize(("worth", "expected"), [(0.5, " + 1"), (2.0, "quick")])
def test_of_what_is_kept_and_what_the_quick_one_offers_that_is_shown_which_is_worth_more(
    worth: float, expected: str
) -> None:
    two = Two(QUICK)
    two.line.choosing.judging.worths["quick"] = worth
    two.at(BEFORE)
    assert two.at(TYPED) == expected


def test_what_keys_agree_with_stays_whatever_is_worth_more() -> None:
    two = Two(Offer(("abcd",)))
    two.line.choosing.judging.worths[" + 1"] = 9.0
    assert two.at(BEFORE) == "abcd"
    two.quick.offer = Offer(("bcd",))
    assert two.at(TYPED) == "bcd"


def test_what_goes_on_with_what_is_shown_takes_its_place_without_the_quick_one() -> None:
    two = Two(Offer(("a +",)))
    assert two.at(BEFORE) == "a +"
    two.line.asked.clear()
    assert two.at(TYPED) == " + 1"
    assert two.line.asked == [("better", TYPED)]


def test_an_offer_of_the_better_one_that_keys_agree_with_stays() -> None:
    two = Two(SILENT)
    two.at(BEFORE)
    two.line.choosing.judging.worths["quick"] = 9.0
    two.quick.offer = QUICK
    assert two.at(TYPED) == " + 1"


def test_what_was_shown_in_a_document_that_was_closed_holds_nothing_back() -> None:
    two = Two(Offer(("abcd",)))
    two.at(BEFORE)
    two.two.close(URI)
    two.quick.offer = QUICK
    two.line.choosing.judging.worths["quick"] = 2.0
    assert two.at(TYPED) == "quick"


def test_where_the_quick_one_has_nothing_the_better_one_is_waited_for() -> None:
    two = Two(SILENT)
    assert two.at(BEFORE) is None
    assert two.told == [(BEFORE, "a + 1")]


def test_a_key_that_agrees_does_not_end_what_is_being_written() -> None:
    two = Two(SILENT)
    two.at(BEFORE, n_steps=2)
    assert two.told == []
    two.at(TYPED)
    assert two.told == [(BEFORE, "cancelled"), (TYPED, " + 1")]
    # It was written once; the second time nothing was computed.
    assert two.written_at == [BEFORE, TYPED]
    assert two.better.left == BEFORE


def test_a_key_that_does_not_agree_ends_it_and_it_is_begun_anew() -> None:
    two = Two(SILENT)
    two.at(BEFORE, n_steps=2)
    two.at(OTHERWISE)
    assert two.told == [(BEFORE, "cancelled"), (OTHERWISE, "a + 1")]
    assert two.better.left == OTHERWISE
    assert BEFORE not in two.better.kept


def test_nothing_is_waited_for_twice_where_the_better_one_has_nothing_either() -> None:
    two = Two(SILENT, text="")
    two.at(BEFORE)
    assert two.told == [(BEFORE, "model silent")]
    assert not two.go_on()


def test_who_does_not_wait_any_more_is_told_and_the_text_is_kept() -> None:
    two, gone = Two(SILENT), False
    two.at(BEFORE, n_steps=2, is_cancelled=lambda: gone)
    gone = True
    two.two.cancel()
    assert two.told == [(BEFORE, "cancelled")]
    assert not two.go_on()
    assert two.better.kept == {BEFORE: "a + 1"}


def test_another_document_goes_first_and_the_older_one_is_not_forgotten() -> None:
    two = Two(SILENT)
    two.at(BEFORE, n_steps=2)
    two.at(OTHERWISE, uri="file:///b.py")
    assert two.told == [(OTHERWISE, "a + 1"), (BEFORE, "a + 1")]


def test_where_the_model_is_needed_for_something_else_everybody_is_answered() -> None:
    two = Two(SILENT)
    two.at(BEFORE, n_steps=2)
    two.two.end()
    assert two.told == [(BEFORE, "cancelled")]
    assert not two.go_on()
    assert two.better.kept == {}


def test_where_no_model_can_help_no_other_is_asked() -> None:
    two = Two(Offer(reason="broken"))
    assert two.at(BEFORE) == "broken"
    assert two.written_at == []


def test_for_a_cancelled_request_no_other_model_is_asked() -> None:
    two = Two(SILENT)
    assert two.at(BEFORE, is_cancelled=lambda: True) == "model silent"
    assert two.written_at == []


def test_an_error_of_the_better_one_is_told_and_the_next_place_is_served() -> None:
    two = Two(SILENT)
    text, two.better.text = two.better.text, cast(Any, None)
    with pytest.raises(TypeError):
        two.at(BEFORE)
    assert two.told == [(BEFORE, "worker")]
    two.better.text = text
    two.at(OTHERWISE)
    assert two.told[1:] == [(OTHERWISE, "a + 1")]


def test_without_a_model_nothing_has_been_written() -> None:
    assert not GrammarAlone().has_written(URI, BEFORE, "")
