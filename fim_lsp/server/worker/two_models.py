"""Two models for one place, a quick one and a better one, and the choice between their texts.

    typed        the quick one     the better one
    ret          nothing           begins: `urn self.total`
    retu         nothing           goes on, since the key agrees with it
    retur        shows `n`         goes on
    return       ...               is done: ` self.total` is kept, and comes first while keys agree with it

The quick model's offer is shown at once, so a better model never gives less. Without such an offer, the
request waits for the better model, which writes beside the loop: keys are answered between two of its steps,
and a key that agrees with its text does not end it. It also writes behind an offer of the quick model, for
keys that disagree with that offer, unless the quick model is sure. An offer stays on the screen while keys
agree with it, and only a continuation replaces it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fim_lsp.bundled_models import is_bundled
from fim_lsp.server.worker.completers import Completer
from fim_lsp.server.worker.last_shown import LastShown
from fim_lsp.server.worker.offer import Offer
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.pausable_work import PausableWork
from fim_lsp.server.worker.site import Site

if TYPE_CHECKING:
    from fim_lsp.server.worker.completing import Completing

CANCELLED = Offer(reason="cancelled")
# If the judge's probability is higher, the better model does not write. In 270 regions of the tuning packages
# 43% of the bundled model's offers were that sure, and 90% of those were right.
SURE = 0.8
# The time of the quick model where the better one has used all of it.
QUICK_SECONDS = 0.3


@dataclass(slots=True)
class BetterModelTask:
    """A place for the better model. `answer` gets its offer; None if no request waits for it."""

    request: OfferRequest
    better: Completer
    answer: Callable[[Offer], None] | None
    # The quick model's offer.
    spent: Offer = field(default_factory=Offer)

    def tell(self, offer: Offer) -> None:
        answer, self.answer = self.answer, None
        if answer is not None:
            answer(offer.behind(self.spent))

    @property
    def site(self) -> Site:
        return self.request.site

    @property
    def is_written(self) -> bool:
        """Whether a kept text continues at its place."""
        return self.better.has_written(self.site.uri, self.site.left, self.site.right)


class TwoModels:
    """The better model's writing, and the requests that wait for it. The better model writes until
    `is_waited` says that a message waits for the loop."""

    def __init__(self, completing: Completing, is_waited: Callable[[], bool]) -> None:
        self._completing = completing
        self._is_waited = is_waited
        self._shown = LastShown()
        self._aside = PausableWork[Offer]("better model")
        # The tasks by document, the newest last.
        self._wanted: OrderedDict[str, BetterModelTask] = OrderedDict()
        # The running task, and whether it has become useless.
        self._writing: BetterModelTask | None = None
        self._is_dropped = False

    def offer_at(self, wanted: BetterModelTask, quick: Completer) -> Offer | None:
        """The offer at a place now; None if `answer` gets it later."""
        site, request = wanted.site, wanted.request
        if request.wishes.is_asked:
            return self._asked_offer(wanted, quick)
        self.forget(site.uri)
        kept, worth_kept = self._kept_at(wanted)
        if self._shown.rest_at(site) and self._shown.may_follow(site, kept):
            return self._shown.note(site, kept)
        # The quick model is done so soon that nothing needs to go ahead meanwhile.
        is_before_better = not is_bundled(wanted.better.name)
        request = replace(
            request, is_cancelled_meanwhile=request.is_cancelled, is_before_better=is_before_better
        )
        offer = self._offer(request, quick)
        if request.is_cancelled() or offer.reason in ("broken", "comment"):
            return offer
        if kept.texts and not self._is_preferred(site, offer, worth_kept):
            return self._shown.note(site, kept)
        self._shown.note(site, offer)
        if not self._is_sure(site, offer):
            if offer.texts:
                wanted.answer = None
            wanted.spent = offer
            self._wanted[site.uri] = wanted
        return offer if offer.texts else None

    def offer_alone(self, request: OfferRequest, completer: Completer) -> Offer:
        """The offer of the one completer that there is."""
        offer = self._offer(request, completer)
        return offer if request.wishes.is_asked else self._shown.note(request.site, offer)

    def _offer(self, request: OfferRequest, completer: Completer) -> Offer:
        """The offer of a completer; while the user types, without a text that was refused there."""
        offer = self._completing.offer_for(request, completer)
        return offer if request.wishes.is_asked else self._shown.without_refused(request.site, offer)

    def _asked_offer(self, wanted: BetterModelTask, quick: Completer) -> Offer:
        """The better model's offer, for which a user who asks waits; the quick one's if it was not ready."""
        self.end()
        request = wanted.request
        offer = self._offer(request, wanted.better)
        if offer.texts or request.seconds_left or request.is_cancelled():
            return offer
        request = replace(request, deadline=time.perf_counter() + QUICK_SECONDS)
        return self._offer(request, quick).behind(offer)

    def _kept_at(self, wanted: BetterModelTask) -> tuple[Offer, float]:
        """The rest at a place of a finished text of the better model, and its worth."""
        site = wanted.site
        if not wanted.is_written:
            return Offer(), 0.0
        kept = self._offer(replace(wanted.request, is_kept=True), wanted.better)
        return kept, self._completing.choosing.judging.worth(site.uri, kept.texts[0]) if kept.texts else 0.0

    def _is_preferred(self, site: Site, offer: Offer, worth_kept: float) -> bool:
        """Whether the quick model's offer is shown although a text of the better one is kept."""
        if not offer.texts:
            return False
        if self._shown.rest_at(site):
            return self._shown.may_follow(site, offer)
        return self._completing.choosing.judging.worth(site.uri, offer.texts[0]) > worth_kept

    def _is_sure(self, site: Site, offer: Offer) -> bool:
        return (
            bool(offer.texts) and self._completing.choosing.judging.sureness(site.uri, offer.texts[0]) >= SURE
        )

    def go_on(self) -> bool:
        """Lets the better model write until a message waits for the loop; says whether there is more to
        write."""
        while self._writing is not None or self._wanted:
            if self._writing is None:
                self._begin(self._wanted[next(reversed(self._wanted))])
            elif not self._is_of_use(self._writing):
                self._is_dropped = True
            if self._writing is not None and not self._goes_on(self._writing):
                return True
        return False

    def cancel(self) -> None:
        """Answers cancelled requests. The text in progress for them may still be useful."""
        for wanted in [*self._wanted.values()]:
            if wanted.answer is not None and wanted.request.is_cancelled():
                self.forget(wanted.site.uri)

    def close(self, uri: str) -> None:
        """Drops a closed document."""
        self.end()
        self._shown.forget(uri)

    def forget(self, uri: str) -> None:
        """Drops a document's task."""
        wanted = self._wanted.pop(uri, None)
        if wanted is not None:
            wanted.tell(CANCELLED)

    def end(self) -> None:
        """Ends all writing, since the model is needed for something else."""
        for uri in [*self._wanted]:
            self.forget(uri)
        self._is_dropped = True
        while self._writing is not None:
            self._goes_on(self._writing)

    def _is_of_use(self, writing: BetterModelTask) -> bool:
        """Whether the text in progress agrees with the place that is wanted now."""
        if not self._wanted:
            return True
        newest = self._wanted[next(reversed(self._wanted))]
        site = newest.site
        return newest is writing or newest.better.is_writing(site.uri, site.left, site.right)

    def _begin(self, wanted: BetterModelTask) -> None:
        if wanted.answer is None and wanted.is_written:
            del self._wanted[wanted.site.uri]
            return
        self._writing, self._is_dropped = wanted, False
        # Keys may change the document meanwhile.
        site = replace(wanted.site, text=wanted.site.text.snapshot())

        def is_overtaken() -> bool:
            return wanted.answer is None or wanted.request.is_cancelled()

        def is_dropped() -> bool:
            if self._is_waited():
                self._aside.pause()
            return self._is_dropped

        request = replace(
            wanted.request, site=site, is_cancelled=is_overtaken, is_cancelled_meanwhile=is_dropped
        )
        self._aside.begin(lambda: self._completing.offer_for(request, wanted.better))

    def _goes_on(self, writing: BetterModelTask) -> bool:
        """Lets a task go on; says whether it is done."""
        try:
            offer = self._aside.go_on()
        except BaseException:
            self._done(writing, Offer(reason="worker"))
            raise
        if offer is None:
            return False
        self._done(writing, offer)
        return True

    def _done(self, writing: BetterModelTask, offer: Offer) -> None:
        self._writing = None
        # The kept text serves a request that came meanwhile, and a postponed one gets its turn again.
        if not self._is_dropped and self._wanted.get(writing.site.uri) is writing:
            del self._wanted[writing.site.uri]
            if writing.answer is not None:
                offer = self._shown.without_refused(writing.site, offer)
                self._shown.note(writing.site, offer)
            writing.tell(offer)
