"""The last shown offer, as far as the worker knows: while keys agree with it, it stays on the screen, and
only a continuation replaces it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from fim_lsp.server.worker.offer import Offer
from fim_lsp.server.worker.site import Site

# The most documents between which a user switches.
MOST = 8


@dataclass(frozen=True, slots=True)
class ShownText:
    """A shown text with both its sides."""

    before: str
    text: str
    right: str


@dataclass(slots=True)
class LastShown:
    _shown: OrderedDict[str, ShownText] = field(default_factory=OrderedDict)

    def note(self, site: Site, offer: Offer) -> Offer:
        """Notes a shown offer; one without texts clears the screen."""
        self._shown.pop(site.uri, None)
        if offer.texts:
            before = site.left[: len(site.left) - len(site.hole.begun)]
            self._shown[site.uri] = ShownText(before, offer.texts[0], site.right)
            while len(self._shown) > MOST:
                self._shown.popitem(last=False)
        return offer

    def rest_at(self, site: Site) -> str:
        """The rest of the offer at a place; empty if keys disagree with it, or there is none."""
        shown = self._shown.get(site.uri)
        if shown is None or shown.right != site.right or not site.left.startswith(shown.before):
            return ""
        typed = site.left[len(shown.before) :]
        return shown.text[len(typed) :] if shown.text.startswith(typed) else ""

    def may_follow(self, site: Site, offer: Offer) -> bool:
        """Whether an offer continues the shown one, so that nothing flickers."""
        begun = len(site.hole.begun)
        return bool(offer.texts) and offer.texts[0][begun:].startswith(self.rest_at(site))

    def forget(self, uri: str) -> None:
        self._shown.pop(uri, None)
