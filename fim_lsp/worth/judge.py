"""The judge: the probabilities that an offer is accepted in part or whole, and the best place to cut it.

`useful` is the probability that a typist takes any part of an offer, `whole` that all of it is right. An
offer is cut at the most valuable place at which it fits, by the keys that it saves if all of it is right, or
if only its first words are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp
from pathlib import Path

from fim_lsp.bundled_models import BUNDLED_NAME, is_bundled, is_model_of_braces
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.worth.features import WORD, JudgedPlace, features
from fim_lsp.worth.odds import probability
from fim_lsp.worth.trees import Trees

HERE = Path(__file__).parent
# The judge of texts that memory writes alone.
REMEMBERED = "remembered"
# The fewest characters of an offer: fewer save nothing worth a key.
SHORTEST = 3
MOST_CUTS = 8
# The rest of a called name, up to the bracket.
CALLED = re.compile(r"(?<=\w)(?:\.\w+)*\(")
# The judge was fitted on the bundled model for Python, and overrates the other one: in the tuning packages,
# 62% of its 1,025 offers at a bar of 0.4 were useful, and 71% of 566 at 0.6.
MORE_IN_BRACES = 0.2
# A text of memory, or of a model that is not in the box, that saves ten keys has to be as sure as the setting
# says; one that saves less by up to 0.2 surer. A text of memory that saves more may be by as much less sure.
# For models in Python that is left out: in 28 regions of the tuning packages, beside the bundled model, it
# saved 58.6% of the keys in place of 59.4%, with 71.8% useful in place of 70.5%.
MORE_FOR_NO_KEY, LESS_A_KEY, MOST_KEYS = 0.2, 0.02, 20
# In these languages it has to be surer by so much if a better model than those in the box writes where memory
# offers nothing. In 76 regions of the tuning packages 58 of the 76 offers of memory were that sure: 86% of
# them were useful in place of 74%, and 92% of the accepted characters came from them. The other languages
# were not measured.
MORE_BEFORE_BETTER = {"go": 0.2, "javascript": 0.2, "javascriptreact": 0.2}
# A beginning that two models write alike is wanted far more often than the judge of either one knows: it need
# only be so many times as sure. In 35 regions of the tuning packages nothing was offered at 16 places where
# both wrote the same four characters or more, and 15 of these beginnings were right.
SHARE_OF_AGREED = 0.25
# An offer of the quicker model where the better one begins another text has to be surer by so much. In 35
# regions of the tuning packages 1 of 14 of them was of use below 0.6, and 2 of 5 above it; of those with
# which the better one agrees, 16 of 21.
MORE_IF_DISPUTED = 0.2
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


def cuts(
    offer: str, evidence: Completion, site: JudgedPlace, fits: Callable[[str], bool]
) -> Iterator[Judged]:
    """An offer and its beginnings that end with a word and fit, the longest first. Of many, those with the
    least sure next token. None contains the error that a checker reports, and none ends in front of a call:
    of `json.load(file)`, `json.load` alone is not wanted.
    """
    n_right = evidence.right_until(offer)
    if n_right == len(offer):
        yield Judged(offer, True, features(offer, evidence, site, is_whole=True))
    if not evidence.text.startswith(offer):
        # The offer was rewritten in the file's style, so the evidence has other tokens.
        return
    ends = [end for found in WORD.finditer(offer) if (end := found.end()) <= n_right]
    ends = ends[:-1] if n_right == len(offer) else ends
    ends = [end for end in ends if not CALLED.match(offer, end)]
    if len(ends) > MOST_CUTS:
        surest = next_logprobs(offer, ends, evidence)
        ends = sorted(sorted(ends, key=surest.__getitem__)[:MOST_CUTS])
    for end in ends[::-1]:
        beginning = offer[:end]
        if len(beginning.strip()) >= SHORTEST and "\n" not in beginning[-1:] and fits(beginning):
            yield Judged(beginning, False, features(beginning, evidence, site, is_whole=False))


def remembered_judgement(offer: str, useful: float, evidence: Completion) -> Judged:
    """The judgement of an offer whose completer gives its probabilities."""
    n_words = float(len(WORD.findall(offer)))
    return Judged(offer, True, {"words": n_words}, useful, exp(evidence.mean_logprob), is_remembered=True)


def next_logprobs(offer: str, ends: Sequence[int], evidence: Completion) -> dict[int, float]:
    """The log-probabilities of the tokens behind some places of an offer."""
    found: dict[int, float] = {}
    marks = iter(evidence.marks)
    mark = next(marks, None)
    for end in ends:
        n_bytes = len(offer[:end].encode(errors="replace"))
        while mark is not None and mark.n_bytes <= n_bytes:
            mark = next(marks, None)
        found[end] = 0.0 if mark is None or mark.logprob is None else mark.logprob
    return found


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


def bar_for(model: str, known_language: KnownLanguage, bar: float, judged: Judged) -> float:
    """The bar for a model's offer in a language, if the setting is `bar`."""
    if not bar:
        return bar
    if is_model_of_braces(model, known_language):
        return bar + MORE_IN_BRACES
    is_flat = is_bundled(model) or known_language is PYTHON
    return bar if is_flat else max(bar, bar_by_worth(judged, bar))


def bar_by_worth(judged: Judged, bar: float) -> float:
    """The bar for an offer by the keys that it saves, if the setting is `bar`."""
    return bar + MORE_FOR_NO_KEY - LESS_A_KEY * min(judged.worth, MOST_KEYS)


def bar_of_remembered(judged: Judged, bar: float, before_better: KnownLanguage | None = None) -> float:
    """The bar for a text of memory, where a setting asks for `bar`; `before_better`: the language, if a
    better model than those in the box writes where memory offers nothing."""
    if not bar:
        return bar
    more = 0.0 if before_better is None else MORE_BEFORE_BETTER.get(before_better.name, 0.0)
    return bar_by_worth(judged, bar) + more


def bar_of_agreed(bar: float) -> float:
    """The bar for what two models write alike, if it is `bar` for one."""
    return SHARE_OF_AGREED * bar


def bar_of_disputed(bar: float) -> float:
    """The bar for a model's offer where a better model begins another text, if it is `bar` for that alone."""
    return bar + MORE_IF_DISPUTED if bar else bar
