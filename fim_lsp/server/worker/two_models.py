"""A quick model and a better one for one place: which of them is waited for.

While somebody types, the quick one's offer is shown as soon as it is there. Where somebody has just come, by
a jump or a line break, they look first: there the better one is waited for, unless the quick one is sure.
Where the better one has written already what a key goes on with, it has no more to compute, and comes first.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from fim_lsp.server.worker.attempt import Terms
from fim_lsp.server.worker.completers import Completer
from fim_lsp.server.worker.offer import Offer
from fim_lsp.server.worker.site import Site

if TYPE_CHECKING:
    from fim_lsp.server.worker.completing import Completing

# How long a key waits for what the better one has written already, and a place where somebody has just come
# for anything of it, while there is an offer of the quick one.
MOST_BEHIND_KEY, MOST_AT_PLACE = 0.05, 0.8
# How likely an offer of the quick one is of use where the better one is not asked.
ENOUGH = 0.75
# More than this is not typed between two requests.
MOST_TYPED = 40


class TwoModels:
    """Knows where somebody was last."""

    def __init__(self) -> None:
        self._last = "", ""

    def offer_at(
        self, completing: Completing, site: Site, terms: Terms, quick: Completer, better: Completer
    ) -> Offer:
        is_new = self._has_come(site)
        spent = Offer()
        if not is_new and better.has_written(site.uri, site.left):
            whole = replace(until(terms, MOST_BEHIND_KEY), is_whole=True)
            spent = completing.offer_at(site, whole, better)
            if spent.texts or terms.is_cancelled():
                return spent
        offer = completing.offer_at(site, terms, quick).behind(spent)
        if terms.is_cancelled() or offer.reason in ("broken", "comment"):
            return offer
        is_sure = offer.useful is None or offer.useful >= ENOUGH
        if offer.texts and (is_sure or not is_new):
            # The better one reads the place meanwhile, for where the offer does not help.
            better.rests_at(site.uri, site.left, site.right)
            return offer
        waiting = until(terms, MOST_AT_PLACE) if offer.texts else terms
        other = completing.offer_at(site, waiting, better).behind(offer)
        if not offer.texts:
            return other
        is_better = other.useful is None or offer.useful is None or other.useful >= offer.useful
        return other if other.texts and is_better else replace(offer, model_seconds=other.model_seconds)

    def _has_come(self, site: Site) -> bool:
        """Whether somebody has just come to a place: by more than a few keys, or to an empty line."""
        uri, before = self._last
        self._last = site.uri, site.left
        left = site.left
        is_typed = left.startswith(before) or before.startswith(left)
        if uri != site.uri or not is_typed or abs(len(left) - len(before)) > MOST_TYPED:
            return True
        return "\n" in left[len(before) :] and not site.line_before.strip()


def until(terms: Terms, seconds: float) -> Terms:
    """The same, for so long at most."""
    return replace(terms, deadline=min(terms.deadline, time.perf_counter() + seconds))
