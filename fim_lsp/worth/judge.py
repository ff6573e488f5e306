"""The judge: the probabilities that an offer is accepted in part or whole, and the best of its beginnings.

`useful` is the probability that a typist takes any part of an offer, `whole` that all of it is right. An
offer is cut at the most valuable of its places (`cuts.py`), by the keys that it saves if all of it is right,
or if only its first words are. `bars.py` has the probability that it needs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from math import exp
from pathlib import Path

from fim_lsp.bundled_models import BUNDLED_NAME
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.worth.features import WORD
from fim_lsp.worth.odds import probability
from fim_lsp.worth.trees import Trees

HERE = Path(__file__).parent
# The judge of texts that memory writes alone.
REMEMBERED = "remembered"
# In languages with braces the first words of an offer inside quotes, where any text may stand, are right by
# themselves less often than the trees believe: it is at most so many times as likely to be of use there as to
# be right as a whole. In Python this saved fewer keys, and hardly more of the offers were useful.
WHOLE_IN_QUOTES = 2.5
# The number of features that an explanation names.
N_REASONS = 6


@dataclass(frozen=True, slots=True)
class Judged:
    """An offer, or a beginning of it, with the judge's numbers."""

    text: str
    is_whole: bool
    features: dict[str, float]
    useful: float = 0.0
    whole: float = 0.0
    # Whether memory has given the numbers, and no trees.
    is_remembered: bool = False

    @property
    def worth(self) -> float:
        """The expected number of saved keys."""
        n_characters = len(self.text.strip())
        words = self.features["words"]
        # If not all of it is right, about half of its words may be.
        partly = max(self.useful - self.whole, 0.0) * max(n_characters - words, 0.0) / 2
        return self.whole * (n_characters - 1) + partly


@dataclass(frozen=True, slots=True)
class OfferJudge:
    """The trees for both probabilities."""

    name: str
    useful: Trees
    whole: Trees

    @classmethod
    def of(cls, path: Path) -> OfferJudge:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return cls(kept["model"], Trees.of(kept["useful"]), Trees.of(kept["whole"]))

    def judged_cuts(self, cuts: Iterable[Judged], known_language: KnownLanguage = PYTHON) -> list[Judged]:
        found = list(cuts)
        useful, whole = (
            [probability(odds) for odds in trees.log_odds([cut.features for cut in found])]
            for trees in (self.useful, self.whole)
        )
        judged = [
            replace(cut, useful=useful_, whole=whole_)
            for cut, useful_, whole_ in zip(found, useful, whole, strict=True)
        ]
        return [held_in_quotes(cut) for cut in judged] if known_language.blocks == "braces" else judged

    def best(
        self, cuts: Iterable[Judged], bar: Callable[[Judged], float], known_language: KnownLanguage = PYTHON
    ) -> Judged | None:
        """The most valuable cut among those that reach their bar, or among all if none does."""
        judged = self.judged_cuts(cuts, known_language)
        sure = [cut for cut in judged if cut.useful >= bar(cut)]
        return max(sure or judged, key=lambda cut: cut.worth, default=None)


def held_in_quotes(cut: Judged) -> Judged:
    """A cut that counts, inside quotes, as no more useful than it is likely to be right as a whole."""
    if not cut.features.get("in quotes"):
        return cut
    return replace(cut, useful=min(cut.useful, WHOLE_IN_QUOTES * cut.whole))


def remembered_judgement(offer: str, useful: float, evidence: Completion) -> Judged:
    """The judgement of an offer whose completer gives its probabilities."""
    n_words = float(len(WORD.findall(offer)))
    return Judged(offer, True, {"words": n_words}, useful, exp(evidence.mean_logprob), is_remembered=True)


def reasons(judge: OfferJudge, judged: Judged, bar: float) -> list[str]:
    """The reasons why an offer is shown or not, in a few lines: its probability, and the features behind
    it."""
    verdict = "shown" if judged.useful >= bar else "not shown"
    moved = judge.useful.contributions(judged.features)
    lines = [
        f"{name} is {judged.features[name]:.4g}: {'for' if amount > 0 else 'against'} it ({amount:+.2f})"
        for name, amount in list(moved.items())[:N_REASONS]
    ]
    return [f"{verdict}: {judged.useful:.0%} sure to be useful, {bar:.0%} needed", *lines]


@cache
def judge_of(name: str) -> OfferJudge:
    """The judge for the bundled model, for memory, or the one for any other model."""
    known = {BUNDLED_NAME: "bundled.json", REMEMBERED: "remembered.json"}
    return OfferJudge.of(HERE / known.get(name, "any.json"))
