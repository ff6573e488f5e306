"""The judge's share in the choice of offers: the part of each fitting text that is sure enough, and what was
thought of the last offers for each document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf

from fim_lsp.recognizers import fits
from fim_lsp.server.worker.agreement import Agreement
from fim_lsp.server.worker.attempt import Attempt, CandidateText
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.wording import right_part
from fim_lsp.worth.bars import bar_for, bar_of_agreed, bar_of_remembered
from fim_lsp.worth.cuts import cuts
from fim_lsp.worth.judge import REMEMBERED, Judged, judge_of, reasons, remembered_judgement
from fim_lsp.worth.remembered import remembered_features

# A text as it would be offered, and as it was written.
FittingText = tuple[str, CandidateText]
# The judge's numbers of an offer, and the bar that it was held to.
Judgement = tuple[Judged, float]


class OfferJudging:
    def __init__(self) -> None:
        self.has_judge = True
        # Gets judged offers with their site, for the judge's training.
        self.on_judged: Callable[[Site, list[Judged]], None] | None = None
        # Of the last offers for each document.
        self._judged: dict[str, list[Judgement]] = {}
        self.agreement = Agreement()

    def sure_parts(self, attempt: Attempt, fitting: list[FittingText], model: str) -> list[str]:
        """The texts that are sure enough, or their beginnings; if a user asks and none is sure, all."""
        if self.has_judge and any(candidate.remembered is not None for _, candidate in fitting):
            fitting = self.with_memory_judged(attempt, fitting)
        parts = [self.sure_part(attempt, text, candidate, model) for text, candidate in fitting]
        noted = [judgement for _, judgement in parts if judgement is not None]
        if noted:
            self._judged[attempt.uri] = noted
        sure = [part for part, _ in parts if part is not None]
        return [text for text, _ in fitting] if not sure and attempt.wishes.is_asked else sure

    def with_memory_judged(self, attempt: Attempt, fitting: list[FittingText]) -> list[FittingText]:
        """The same texts; those that memory has written word by word stand first, the most worth of them in
        front. None of these ends in front of a call, where the call fits."""
        remembered: list[tuple[Judged, CandidateText]] = []
        others: list[FittingText] = []
        place = attempt.judged_place
        for offer, candidate in fitting:
            if candidate.remembered is None:
                others.append((offer, candidate))
            elif not any(other.startswith(f"{offer}(") for other, _ in fitting):
                numbers = remembered_features(offer, candidate.remembered, place)
                remembered.append((Judged(offer, True, numbers, is_remembered=True), candidate))
        unjudged = [one for one, _ in remembered]
        if self.on_judged is not None:
            self.on_judged(attempt.footing.site, unjudged)
            return []
        judged = judge_of(REMEMBERED).judged_cuts(unjudged, attempt.known_language)
        ranked = sorted(zip(judged, remembered, strict=True), key=lambda one: -one[0].worth)
        first = [
            (one.text, replace(candidate, confidence=one.useful, judged=one))
            for one, (_, candidate) in ranked
        ]
        return [*first, *others]

    def sure_part(
        self, attempt: Attempt, offer: str, candidate: CandidateText, model: str
    ) -> tuple[str | None, Judgement | None]:
        """An offer, or the beginning of it that is most worth; None if that is too unsure. Beside it stands
        what was thought of it, if it was judged."""
        wishes, evidence = attempt.wishes, candidate.evidence
        # The engine alone has written it.
        if evidence is None:
            return offer, None
        # Memory has written it, and its judge has spoken.
        if candidate.judged is not None:
            before_better = attempt.known_language if attempt.request.is_before_better else None
            bar = bar_of_remembered(candidate.judged, wishes.bar, before_better)
            is_sure = wishes.is_asked or candidate.judged.useful >= bar
            return offer if is_sure else None, (candidate.judged, bar)
        # Its completer says itself how sure it is, or a user asks.
        if wishes.is_asked or candidate.is_judged or not self.has_judge:
            if not wishes.is_asked and candidate.confidence < wishes.bar:
                return None, None
            part = right_part(attempt.recognizer, offer, evidence.right_until(offer))
            if not candidate.is_judged:
                return part, None
            return part, (remembered_judgement(offer, candidate.confidence, evidence), wishes.bar)
        # The judge finds the best beginning.
        found = cuts(offer, evidence, attempt.judged_place, partial(fits, attempt.recognizer))
        if self.on_judged is not None:
            self.on_judged(attempt.footing.site, [*found])
            return None, None
        is_better = not attempt.request.is_before_better
        n_agreed = self.agreement.n_agreed(attempt.uri, attempt.left, offer) if is_better else 0

        def bar_of(cut: Judged) -> float:
            bar = bar_for(model, attempt.known_language, wishes.bar, cut)
            return bar_of_agreed(bar) if len(cut.text) <= n_agreed else bar

        best = judge_of(model).best(found, bar_of, attempt.known_language)
        if best is None:
            return None, None
        bar = bar_of(best)
        return best.text if best.useful >= bar else None, (best, bar)

    def sureness(self, uri: str, offer: str) -> float:
        """The judge's probability that a whole offer is right; 0 if it was not judged."""
        judged = self._judged_as(uri, offer)
        return 0.0 if judged is None else judged.whole

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
        self.agreement.forget(uri)
