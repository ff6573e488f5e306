"""A quick model and a better one for one place: who answers.

The quick one's offer is shown as soon as it is there, so that with a better model there is never less than
without it; where it has none, the better one is asked. Where the better one has written already what a key
goes on with, little is left to compute, and it comes first.
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

# How long a key waits for what the better one has written already: nobody sees the difference.
MOST_BEHIND_KEY = 0.05


def offer_of_two(
    completing: Completing, site: Site, terms: Terms, quick: Completer, better: Completer
) -> Offer:
    spent = Offer()
    if better.has_written(site.uri, site.left):
        deadline = min(terms.deadline, time.perf_counter() + MOST_BEHIND_KEY)
        spent = completing.offer_at(site, replace(terms, deadline=deadline, is_whole=True), better)
        if spent.texts or terms.is_cancelled():
            return spent
    offer = completing.offer_at(site, terms, quick).behind(spent)
    if offer.texts or terms.is_cancelled() or offer.reason in ("broken", "comment"):
        return offer
    return completing.offer_at(site, terms, better).behind(offer)
