"""From a site to an offer, by way of a footing and attempts: the worker's line, one step after the other."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from fim_lsp.known_languages import PYTHON
from fim_lsp.server.worker.attempt import Attempt, Terms
from fim_lsp.server.worker.choosing import Choosing
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.ladder import Footing, footing
from fim_lsp.server.worker.manners import Manner, begins_block
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer import Offer
from fim_lsp.server.worker.repair import REPAIR_SECONDS
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.surroundings import Surroundings


@dataclass(slots=True)
class Completing:
    """What the line needs besides a site: what is known around it, and who chooses. A completer comes with
    each request, as more than one may be asked for the same site."""

    around: Surroundings = field(default_factory=Surroundings)
    choosing: Choosing = field(default_factory=Choosing)
    repair_s: float = REPAIR_SECONDS

    def offer(self, site: Site, terms: Terms, completer: Completer) -> Offer:
        """What is offered at a site."""
        manners = self.choosing.manners_of(terms.wishes)
        if is_prose(site, terms.wishes, manners):
            return Offer(reason="comment")
        held = footing(site, self.repair_s)
        if held is None:
            return Offer(reason="broken")
        offer = Offer()
        wishes = meant(terms.wishes, held, manners)
        for attempt in self.attempts(held, replace(terms, wishes=wishes), completer):
            offer = self.outcome(attempt, terms, completer).behind(offer)
            if offer.is_final:
                break
        return offer

    def attempts(self, held: Footing, terms: Terms, completer: Completer) -> Iterator[Attempt]:
        """First with the names that an import would define, then, if none of that was right and there is
        time, with those alone that are there."""
        # Closers bring no names, and what stands in front of them is somebody's who may know better.
        if not terms.wishes.names or isinstance(completer, GrammarAlone):
            yield self.around.attempt(held, terms)
            return
        own = held.with_names()
        site = held.site
        may_import = terms.wishes.imports and site.known is PYTHON and site.text.elsewhere is not None
        # Of a part it could not be told that the file is right with the import.
        if may_import and held.has_whole_file and (names := self.around.imports.names(site.uri)):
            yield self.around.attempt(held.with_names(names), terms, without_imports=own)
            if not terms.seconds_left:
                return
        yield self.around.attempt(own, terms)

    def outcome(self, attempt: Attempt, terms: Terms, completer: Completer) -> Offer:
        """What one attempt comes to, if it is still waited for."""
        start = time.perf_counter()
        proposals = completer.written(attempt)
        spent = Offer(
            rung=attempt.footing.rung,
            model_seconds=time.perf_counter() - start,
            refused=proposals.refused,
        )
        if terms.is_cancelled():
            return replace(spent, reason="cancelled")
        if proposals.reason is not None:
            return replace(spent, reason=proposals.reason)
        texts, reason = self.choosing.chosen(attempt, proposals.candidates, completer.name)
        found = self.around.imports.needed(attempt, texts)
        return replace(spent, texts=tuple(found), reason=reason, imports=tuple(found.values()))

    def forget(self, uri: str) -> None:
        """The document was closed."""
        self.choosing.forget(uri)
        self.around.forget(uri)


def is_prose(site: Site, wishes: Wishes, manners: Collection[Manner]) -> bool:
    """Whether nobody wants anything since the place is in a comment; while somebody types, docstrings are as
    good as comments."""
    return not wishes.in_comments and (("docstring" in manners and site.is_docstring) or site.is_comment)


def meant(wishes: Wishes, held: Footing, manners: Collection[Manner]) -> Wishes:
    """What is wished for at a place."""
    if "one line" in manners and not begins_block(held):
        wishes = replace(wishes, multi_line=False)
    if not wishes.scope and held.site.line_before.strip():
        # Whoever asks in the middle of a statement wants its end, and not another one behind it.
        wishes = replace(wishes, scope="statement")
    return wishes
