"""The choice of offers: which of the written texts are offered, and how much of each.

A text passes the files in this order, and each may change it or refuse it: `wording.py` puts it into the
file's style, `closed_beginnings.py` ends what its model did not end, `offer_filters.py` refuses what is not
wanted, `judging.py` finds the part that is sure enough. What harms the rest of the file is refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from fim_lsp.declared.advice import Declared
from fim_lsp.decoding.writing.advised import Adviser
from fim_lsp.server.worker.attempt import Attempt, CandidateText
from fim_lsp.server.worker.closed_beginnings import needs_closing, sound_text
from fim_lsp.server.worker.columns import in_columns
from fim_lsp.server.worker.judging import FittingText, OfferJudging
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Reason, Wishes
from fim_lsp.server.worker.missing_import import declared_import
from fim_lsp.server.worker.offer_filters import OFFER_FILTERS, OfferFilter, restrained_offer
from fim_lsp.server.worker.wording import apart, offered_text


class Choosing:
    def __init__(self) -> None:
        self.filters: Collection[OfferFilter] = OFFER_FILTERS
        self.judging = OfferJudging()

    def filters_of(self, wishes: Wishes) -> Collection[OfferFilter]:
        """The filters of offers; none for a user's request."""
        return () if wishes.is_asked else self.filters

    def chosen_texts(
        self, attempt: Attempt, written: Sequence[CandidateText], model: str
    ) -> tuple[tuple[str, ...], Reason | None]:
        """The offered ones of a model's texts, each with its begun part, or else the reason."""
        footing, wishes, known_language = attempt.footing, attempt.wishes, attempt.known_language
        if written and attempt.request.is_before_better:
            self.judging.agreement.note_quick(attempt.uri, attempt.left, written[0].text)
        filters = self.filters_of(wishes)
        fitting: list[FittingText] = []
        reason: Reason = "model silent"
        for candidate in written:
            # 1. In the file's style, or nothing.
            text = offered_text(candidate.text, footing, wishes)
            # 2. With an end that the engine did not make up. A text without a model has only closers.
            evidence = candidate.evidence
            if text is not None and evidence is not None:
                if needs_closing(text, evidence, known_language, "made up" not in filters):
                    text, candidate = sound_text(attempt, text, candidate, model, self.judging.has_judge)
                # 3. Through the filters.
                if text and (text := restrained_offer(text, footing, filters)) is None:
                    reason = "trifling"
            if text:
                fitting.append((text, candidate))
        if not fitting:
            return (), reason
        # 4. The sure ones, or their beginnings.
        sure = self.judging.sure_parts(attempt, fitting, model)
        # 5. Those that harm nothing. A judged text may be offered in many beginnings.
        most = wishes.n if any(candidate.is_judged for candidate in written) else len(sure)
        harm_of = partial(harm, footing=footing, adviser=attempt.adviser, may_import=wishes.imports)
        unharmful, reason = unharmful_texts(sure, most, harm_of)
        # 6. As they are inserted.
        begun, at = footing.site.hole.begun, (attempt.left, attempt.right, known_language)
        spaced = (apart(attempt.recognizer, offer, attempt.left) for offer in unharmful)
        texts = tuple(begun + in_columns(offer, *at) for offer in spaced)
        return texts, None if texts else reason

    def forget(self, uri: str) -> None:
        self.judging.forget(uri)


def harm(offer: str, footing: Footing, adviser: Adviser | None, may_import: bool) -> Reason | None:
    """The harm of an offer that fits: new faults in the rest of the file, or names that are known to be
    declared nowhere, even with an import.

    If the engine has read the whole file, tree-sitter is not asked.
    """
    site, hole = footing.site, footing.site.hole
    if not footing.has_whole_file and site.text.is_worse_with(hole.start, hole.stop, hole.begun + offer):
        return "tree"
    if not isinstance(adviser, Declared) or not adviser.diagnostics(offer):
        return None
    is_imported = may_import and declared_import(site, adviser, offer) is not None
    return None if is_imported else "undeclared"


def unharmful_texts(
    texts: Iterable[str], most: int, harm_of: Callable[[str], Reason | None]
) -> tuple[list[str], Reason]:
    """The first texts that harm nothing, each once, and the reason why another one is not offered."""
    unharmful: list[str] = []
    reason: Reason = "unsure"
    for text in dict.fromkeys(texts):
        if len(unharmful) == most:
            break
        found = harm_of(text)
        if found is None:
            unharmful.append(text)
        else:
            reason = found
    return unharmful, reason


def show_part(
    send: Callable[[str], None], footing: Footing, wishes: Wishes, adviser: Adviser | None, written: str
) -> None:
    """Shows a model's text so far, if it may be offered without an import."""
    offer = offered_text(written, footing, wishes)
    if offer is not None and harm(offer, footing, adviser, may_import=False) is None:
        send(footing.site.hole.begun + offer)
