"""The choice of offers: which of the written texts are offered, and how much of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from math import inf

from fim_lsp.declared.advice import Declared
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.writing.advised import Adviser
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.attempt import Attempt, CandidateText
from fim_lsp.server.worker.closed_beginnings import closed_beginnings, is_made_up
from fim_lsp.server.worker.columns import in_columns
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Reason, Wishes
from fim_lsp.server.worker.missing_import import declared_import
from fim_lsp.server.worker.offer_filters import OFFER_FILTERS, OfferFilter, restrained_offer
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.wording import apart, offered_text, right_part
from fim_lsp.shared import n_shared
from fim_lsp.worth.features import features
from fim_lsp.worth.judge import (
    REMEMBERED,
    Judged,
    bar_for,
    bar_of_agreed,
    bar_of_remembered,
    cuts,
    judge_of,
    reasons,
    remembered_judgement,
)
from fim_lsp.worth.remembered import remembered_features

WORD = re.compile(r"\w")
# Two models begin a text alike if they share so many characters.
LEAST_AGREED = 4
# A text as it would be offered, and as it was written.
FittingText = tuple[str, CandidateText]


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


def has_made_up_words(evidence: Completion, known_language: KnownLanguage) -> bool:
    """Whether the engine ended a text with words, in a language with braces: `of {})a`. In Python these are
    `pass` and the like, which a user may get on request."""
    return known_language.blocks == "braces" and WORD.search(evidence.made_up) is not None


def is_wrong_from_the_beginning(text: str, evidence: Completion, attempt: Attempt) -> bool:
    """Whether nothing in front of a text's fault fits: `if (open) { unknown(a)` has one in its block, whose
    brace must be closed."""
    found = cuts(text, evidence, attempt.judged_place, partial(fits, attempt.footing.recognizer))
    return next(found, None) is None


def show_part(
    send: Callable[[str], None], footing: Footing, wishes: Wishes, adviser: Adviser | None, written: str
) -> None:
    """Shows a model's text so far, if it may be offered without an import."""
    offer = offered_text(written, footing, wishes)
    if offer is not None and harm(offer, footing, adviser, may_import=False) is None:
        send(footing.site.hole.begun + offer)


class Choosing:
    def __init__(self) -> None:
        self.filters: Collection[OfferFilter] = OFFER_FILTERS
        self.has_judge = True
        # Gets judged offers with their site, for the judge's training.
        self.on_judged: Callable[[Site, list[Judged]], None] | None = None
        # The last offers for each document, and the bars that they were held to.
        self._judged: dict[str, list[tuple[Judged, float]]] = {}
        # The last texts of a quick model and of a better one in each document, each with what is in front.
        self._quick: dict[str, tuple[str, str]] = {}
        self._better: dict[str, tuple[str, str]] = {}

    def filters_of(self, wishes: Wishes) -> Collection[OfferFilter]:
        """The filters of offers; none for a user's request."""
        return () if wishes.is_asked else self.filters

    def chosen_texts(
        self, attempt: Attempt, written: Sequence[CandidateText], model: str
    ) -> tuple[tuple[str, ...], Reason | None]:
        """The offered ones of a model's texts, each with its begun part, or else the reason."""
        if written:
            kept = self._quick if attempt.request.is_before_better else self._better
            kept[attempt.uri] = attempt.left, written[0].text
        # 1. Those that fit in the file's style and pass the filters.
        fitting, reason = self.fitting_texts(attempt, written, model)
        if not fitting:
            return (), reason
        # 2. Those that are sure enough, or their beginnings; if a user asks and none is sure, all.
        if self.has_judge and any(candidate.remembered is not None for _, candidate in fitting):
            fitting = self.with_memory_judged(attempt, fitting)
        noted = list[tuple[Judged, float]]()
        parts = [self.sure_part(attempt, text, candidate, model, noted) for text, candidate in fitting]
        if noted:
            self._judged[attempt.uri] = noted
        sure = [part for part in parts if part is not None]
        if not sure and attempt.wishes.is_asked:
            sure = [text for text, _ in fitting]
        # 3. Those that harm nothing. A judged text may be offered in many beginnings.
        most = attempt.wishes.n if any(candidate.is_judged for candidate in written) else len(sure)
        harm_of = partial(
            harm, footing=attempt.footing, adviser=attempt.adviser, may_import=attempt.wishes.imports
        )
        unharmful, reason = unharmful_texts(sure, most, harm_of)
        begun, left = attempt.footing.site.hole.begun, attempt.left
        at = left, attempt.right, attempt.known_language
        texts = tuple(begun + in_columns(apart(attempt.recognizer, offer, left), *at) for offer in unharmful)
        return texts, None if texts else reason

    def fitting_texts(
        self, attempt: Attempt, written: Sequence[CandidateText], model: str
    ) -> tuple[list[FittingText], Reason]:
        """The texts that fit and pass the filters, as they would be offered, and the reason of the others."""
        footing, wishes, known_language = attempt.footing, attempt.wishes, attempt.known_language
        filters = self.filters_of(wishes)
        fitting: list[FittingText] = []
        reason: Reason = "model silent"
        for candidate in written:
            text = offered_text(candidate.text, footing, wishes)
            # A text without a model has only closers.
            if text is not None and candidate.evidence is not None:
                may_be_made_up = "made up" not in filters and not has_made_up_words(
                    candidate.evidence, known_language
                )
                has_made_up = is_made_up(text, candidate.evidence, known_language)
                if not may_be_made_up and (has_made_up or candidate.evidence.right_until(text) < len(text)):
                    text, candidate = self.sound_text(attempt, text, candidate, model, has_made_up)
                if text and (text := restrained_offer(text, footing, filters)) is None:
                    reason = "trifling"
            if text:
                fitting.append((text, candidate))
        return fitting, reason

    def sound_text(
        self, attempt: Attempt, text: str, candidate: CandidateText, model: str, has_made_up: bool
    ) -> tuple[str | None, CandidateText]:
        """The most valuable closed beginning of a text with a made-up end or with a fault; the text itself if
        anything in front of its fault fits, or nothing can be closed."""
        assert candidate.evidence is not None
        if has_made_up:
            return self.closed_beginning(attempt, candidate, model)
        if self.has_judge and is_wrong_from_the_beginning(text, candidate.evidence, attempt):
            closed, beginning = self.closed_beginning(attempt, candidate, model)
            return (text, candidate) if closed is None else (closed, beginning)
        return text, candidate

    def closed_beginning(
        self, attempt: Attempt, candidate: CandidateText, model: str
    ) -> tuple[str | None, CandidateText]:
        """The most valuable beginning, with closers behind it, of a text with a made-up end."""
        footing, evidence = attempt.footing, candidate.evidence
        assert evidence is not None
        place = attempt.judged_place
        found: dict[str, tuple[Judged, Completion]] = {}
        at = footing.recognizer, attempt.known_language, footing.site.lines.before
        for closed in closed_beginnings(evidence, *at):
            text = offered_text(closed.text, footing, attempt.wishes)
            if text == closed.text:
                found[text] = Judged(text, True, features(text, closed, place, is_whole=True)), closed
        bar = partial(bar_for, model, attempt.known_language, attempt.wishes.bar)
        best = judge_of(model).best([judged for judged, _ in found.values()], bar, attempt.known_language)
        if best is None:
            return None, candidate
        return best.text, replace(candidate, text=best.text, evidence=found[best.text][1])

    def with_memory_judged(self, attempt: Attempt, fitting: list[FittingText]) -> list[FittingText]:
        """Fitting texts, the most worth first of those that memory has written word by word. None of these
        ends in front of a call, where the call fits."""
        place = attempt.judged_place
        fitting = [
            (offer, one)
            for offer, one in fitting
            if one.remembered is None or not any(other.startswith(f"{offer}(") for other, _ in fitting)
        ]
        found: list[tuple[Judged, CandidateText]] = [
            (
                Judged(offer, True, remembered_features(offer, one.remembered, place), is_remembered=True),
                one,
            )
            for offer, one in fitting
            if one.remembered is not None
        ]
        if self.on_judged is not None:
            self.on_judged(attempt.footing.site, [judged for judged, _ in found])
            return []
        seen = judge_of(REMEMBERED).judged_cuts((judged for judged, _ in found), attempt.known_language)
        ranked = sorted(zip(seen, found, strict=True), key=lambda one: -one[0].worth)
        return [
            *(
                (judged.text, replace(one, confidence=judged.useful, judged=judged))
                for judged, (_, one) in ranked
            ),
            *((offer, one) for offer, one in fitting if one.remembered is None),
        ]

    def sure_part(
        self,
        attempt: Attempt,
        offer: str,
        candidate: CandidateText,
        model: str,
        noted: list[tuple[Judged, float]],
    ) -> str | None:
        """An offer, or the beginning of it that is most worth; None if that is too unsure. What was judged is
        noted, with its bar."""
        footing, wishes = attempt.footing, attempt.wishes
        if candidate.evidence is None:
            return offer
        if candidate.judged is not None:
            before_better = attempt.known_language if attempt.request.is_before_better else None
            bar = bar_of_remembered(candidate.judged, wishes.bar, before_better)
            noted.append((candidate.judged, bar))
            return offer if wishes.is_asked or candidate.judged.useful >= bar else None
        has_judge = self.has_judge and not candidate.is_judged
        if not has_judge or wishes.is_asked:
            is_sure = wishes.is_asked or candidate.confidence >= wishes.bar
            n_right = candidate.evidence.right_until(offer)
            if candidate.is_judged and is_sure:
                judged = remembered_judgement(offer, candidate.confidence, candidate.evidence)
                noted.append((judged, wishes.bar))
            return right_part(footing.recognizer, offer, n_right) if is_sure else None
        place = attempt.judged_place
        found = cuts(offer, candidate.evidence, place, partial(fits, footing.recognizer))
        if self.on_judged is not None:
            self.on_judged(footing.site, [*found])
            return None
        has_quick = attempt.uri in self._quick and not attempt.request.is_before_better
        n_agreed = self.n_agreed(attempt, offer) if has_quick else 0

        def bar_of(cut: Judged) -> float:
            bar = bar_for(model, attempt.known_language, wishes.bar, cut)
            return bar_of_agreed(bar) if len(cut.text) <= n_agreed else bar

        best = judge_of(model).best(found, bar_of, attempt.known_language)
        if best is None:
            return None
        bar = bar_of(best)
        noted.append((best, bar))
        return best.text if best.useful >= bar else None

    def n_agreed(self, attempt: Attempt, offer: str) -> int:
        """The number of characters of a better model's offer that the quick model wrote there, too."""
        left, text = self._quick.get(attempt.uri, ("", ""))
        return n_shared(offer, text) if left == attempt.left else 0

    def has_other_text(self, site: Site, offer: str) -> bool:
        """Whether a better model has begun another text in place of a quick one's offer."""
        left, text = self._better.get(site.uri, ("", ""))
        rest = offer[len(site.hole.begun) :]
        return left == site.left and n_shared(rest, text) < min(LEAST_AGREED, len(rest))

    def sureness(self, uri: str, offer: str) -> float:
        """The judge's probability that a whole offer is right; 0 if it was not judged."""
        judged = self._judged_as(uri, offer)
        return 0.0 if judged is None else judged.whole

    def usefulness(self, uri: str, offer: str) -> float:
        """The judge's probability that an offer is of use; 1 if it was not judged."""
        judged = self._judged_as(uri, offer)
        return 1.0 if judged is None else judged.useful

    def worth(self, uri: str, offer: str) -> float:
        """The keys that an offer saves, by the judge; infinite if it was not judged."""
        judged = self._judged_as(uri, offer)
        return inf if judged is None else judged.worth

    def _judged_as(self, uri: str, offer: str) -> Judged | None:
        known = [judged for judged, _ in self._judged.get(uri, ()) if offer.endswith(judged.text)]
        # Of two texts one may be the end of the other.
        return max(known, key=lambda judged: len(judged.text), default=None)

    def reasons(self, uri: str, model: str) -> tuple[str, ...]:
        """The reasons why the last offer for a document was shown or not."""
        known = self._judged.get(uri)
        if not known or known[-1][0].is_remembered:
            return ()
        return tuple(reasons(judge_of(model), *known[-1]))

    def forget(self, uri: str) -> None:
        self._judged.pop(uri, None)
        self._quick.pop(uri, None)
        self._better.pop(uri, None)
