"""The last shown offer, as far as the worker knows. While keys agree with it, it stays on the screen, and
only a text that continues it takes its place. If the user types a blank instead of it, it does not come back:
the user has seen it.

    name|             the offer ` string` is shown
    name  |           and refused: `string` is not offered at each of the blanks that follow
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace

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
        """Notes a shown offer; an empty one removes the shown text, and keeps the refused one."""
        if not self._is_refused(site):
            self._shown.pop(site.uri, None)
        if offer.texts:
            self._shown.pop(site.uri, None)
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

    def without_refused(self, site: Site, offer: Offer) -> Offer:
        """An offer without the text that was shown before the blanks in front of the cursor."""
        if not self._is_refused(site):
            return offer
        refused, begun = self._shown[site.uri].text.strip(), len(site.hole.begun)
        kept = [idx for idx, text in enumerate(offer.texts) if text[begun:].strip() != refused]
        if len(kept) == len(offer.texts):
            return offer
        texts = tuple(offer.texts[idx] for idx in kept)
        imports = tuple(offer.imports[idx] for idx in kept) if offer.imports else ()
        return replace(offer, texts=texts, imports=imports, reason=None if texts else "unsure")

    def _is_refused(self, site: Site) -> bool:
        """Whether only blanks were typed since, and the shown text does not begin with them."""
        shown = self._shown.get(site.uri)
        if shown is None or shown.right != site.right or not site.left.startswith(shown.before):
            return False
        typed = site.left[len(shown.before) :]
        is_in_line = typed.isspace() and "\n" not in typed
        return is_in_line and not shown.text.startswith(typed)

    def may_follow(self, site: Site, offer: Offer) -> bool:
        """Whether an offer continues the shown one, so that nothing flickers."""
        begun = len(site.hole.begun)
        return bool(offer.texts) and offer.texts[0][begun:].startswith(self.rest_at(site))

    def forget(self, uri: str) -> None:
        self._shown.pop(uri, None)
