"""Who answers of a quick model and a better one, and how long is waited for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from fim_lsp.server.worker.attempt import Terms
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.hole import Hole
from fim_lsp.server.worker.messages import Text, Wishes
from fim_lsp.server.worker.offer import Offer
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.texts import WorkerText
from fim_lsp.server.worker.two_models import MOST_BEHIND_KEY, offer_of_two

WISHES = Wishes(1, 64, 20, True, "", False, None)
BEFORE, TYPED = "def f(a):\n    return ", "def f(a):\n    return a"
SILENT = Offer(reason="model silent")
QUICK, BETTER = Offer(("quick",)), Offer(("better",))


@dataclass
class Playing:
    """A completer that was never loaded."""

    name: str
    offer: Offer
    written: str = "\0"

    def has_written(self, _uri: str, left: str) -> bool:
        return left.startswith(self.written)


@dataclass
class Line:
    """In the place of the worker's line: who was asked, and for how long they could have written."""

    asked: list[tuple[str, float, bool]] = field(default_factory=list)

    def offer_at(self, _site: Site, terms: Terms, completer: Any) -> Offer:
        self.asked.append((completer.name, terms.seconds_left, terms.is_whole))
        offer: Offer = completer.offer
        return offer


def site_of(left: str, right: str = "\n") -> Site:
    return Site.of(
        WorkerText(Text("file:///a.py", 1, "3.11", None), left + right), Hole(len(left), len(left))
    )


class Two:
    def __init__(self, quick: Offer, better: Offer, written: str = "\0") -> None:
        self.line = Line()
        self.quick, self.better = Playing("quick", quick), Playing("better", better, written)

    def at(self, left: str, is_cancelled: Callable[[], bool] = lambda: False) -> str:
        terms = Terms(WISHES, time.perf_counter() + 5.0, is_cancelled)
        quick, better = cast(Completer, self.quick), cast(Completer, self.better)
        offer = offer_of_two(cast(Completing, self.line), site_of(left), terms, quick, better)
        return offer.texts[0] if offer.texts else str(offer.reason)

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.line.asked]


def test_an_offer_of_the_quick_one_is_shown_and_nobody_else_is_asked() -> None:
    two = Two(QUICK, BETTER)
    assert two.at(BEFORE) == "quick"
    assert two.names == ["quick"]


def test_where_the_quick_one_has_nothing_the_better_one_is_asked() -> None:
    two = Two(SILENT, BETTER)
    assert two.at(BEFORE) == "better"
    assert two.names == ["quick", "better"]
    assert Two(SILENT, SILENT).at(BEFORE) == "model silent"


def test_what_the_better_one_has_written_already_comes_first() -> None:
    two = Two(QUICK, BETTER, written=BEFORE)
    assert two.at(TYPED) == "better"
    [(name, seconds, is_whole)] = two.line.asked
    assert (name, is_whole) == ("better", True)
    assert seconds <= MOST_BEHIND_KEY


def test_where_that_comes_to_nothing_the_quick_one_is_asked_and_then_the_better_one_again() -> None:
    assert Two(QUICK, SILENT, written=BEFORE).at(TYPED) == "quick"
    two = Two(SILENT, SILENT, written=BEFORE)
    two.at(TYPED)
    assert two.names == ["better", "quick", "better"]


def test_where_nobody_can_help_nobody_else_is_asked() -> None:
    two = Two(Offer(reason="broken"), BETTER)
    assert two.at(BEFORE) == "broken"
    assert two.names == ["quick"]


def test_for_a_cancelled_request_nobody_else_is_asked() -> None:
    two = Two(QUICK, SILENT, written=BEFORE)
    two.at(TYPED, lambda: True)
    assert two.names == ["better"]


def test_without_a_model_nothing_has_been_written() -> None:
    assert not GrammarAlone().has_written("file:///a.py", BEFORE)
