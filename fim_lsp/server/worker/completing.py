"""The worker's line from a site to an offer, through a footing and attempts."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from fim_lsp.document.repair import REPAIR_SECONDS
from fim_lsp.idioms.idiom import idioms
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.attempt import Attempt, CandidateText
from fim_lsp.server.worker.choosing import Choosing
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.ladder import footing, name_passes
from fim_lsp.server.worker.offer import Offer
from fim_lsp.server.worker.offer_filters import restrained_wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.surroundings import Surroundings
from quotient import Recognizer


@dataclass(slots=True)
class Completing:
    """The surroundings and the choice of offers, which all sites share. The completer comes with each
    request, since several may serve one site."""

    around: Surroundings = field(default_factory=Surroundings)
    choosing: Choosing = field(default_factory=Choosing)
    repair_s: float = REPAIR_SECONDS
    has_idioms: bool = True

    def offer_for(self, request: OfferRequest, completer: Completer) -> Offer:
        """The offer at a request's site."""
        site, wishes = request.site, request.wishes
        filters = self.choosing.filters_of(wishes)
        # While the user types, docstrings count as comments.
        if not wishes.in_comments and (("docstring" in filters and site.is_docstring) or site.is_comment):
            return Offer(reason="comment")
        held = footing(site, self.repair_s, is_asked=wishes.is_asked)
        if held is None:
            return Offer(reason="broken")
        # Closers add no names, and the text in front is the user's own.
        may_have_law = not isinstance(completer, GrammarAlone)
        has_law = may_have_law and site.known_language.has_law(wishes.names, wishes.unique_keys)
        may_import = has_law and wishes.imports and site.known_language is PYTHON
        importable = self.around.imports.names(site.uri) if may_import else ()
        passes = name_passes(held, importable) if has_law else [(held, None)]
        request = replace(request, wishes=restrained_wishes(wishes, site.lines, held.recognizer, filters))
        offer = Offer()
        for pass_footing, without_imports in passes:
            attempt = self.around.attempt(pass_footing, request, without_imports)
            offer = self.outcome(attempt, completer).behind(offer)
            if offer.is_final or not request.seconds_left:
                break
        return offer

    def outcome(self, attempt: Attempt, completer: Completer) -> Offer:
        """The offer of one attempt, if the request still waits."""
        start = time.perf_counter()
        at = attempt.left, attempt.right, attempt.known_language
        idiom = None if isinstance(completer, GrammarAlone) else self.idiom(*at, attempt.recognizer)
        if idiom is not None and not attempt.wishes.is_asked:
            return Offer((attempt.footing.site.hole.begun + idiom,), rung=attempt.footing.rung)
        proposals = completer.propose_texts(attempt)
        spent = Offer(
            rung=attempt.footing.rung,
            model_seconds=time.perf_counter() - start,
            refused=proposals.refused,
        )
        if attempt.request.is_cancelled():
            return replace(spent, reason="cancelled")
        if idiom is not None:
            proposals = replace(
                proposals, candidates=(CandidateText(idiom), *proposals.candidates), reason=None
            )
        if proposals.reason is not None:
            return replace(spent, reason=proposals.reason)
        texts, reason = self.choosing.chosen_texts(attempt, proposals.candidates, completer.name)
        found = self.around.imports.needed_imports(attempt, texts)
        return replace(spent, texts=tuple(found), reason=reason, imports=tuple(found.values()))

    def idiom(
        self, left: str, right: str, known_language: KnownLanguage, recognizer: Recognizer
    ) -> str | None:
        """The idiom at this place, if it fits. The judge's training uses only the model."""
        if not self.has_idioms or self.choosing.judging.on_judged is not None:
            return None
        tried = idioms(left, right, known_language)
        return next((text for text in tried if fits(recognizer, text)), None)

    def forget(self, uri: str) -> None:
        """Drops the state of a closed document."""
        self.choosing.forget(uri)
        self.around.forget(uri)
