"""The judge: how likely something of an offer is to be accepted, and where it is best cut off.

`useful` says how likely a typist takes anything of an offer, `whole` that all of it is right. An offer is cut
back to where it is most worth, among the places where it fits: what it saves if all of it is right, against
what it saves if only its first words are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp
from pathlib import Path

from fim_lsp.bundled_models import BUNDLED_NAME, is_model_of_braces
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.worth.features import WORD, JudgedPlace, features
from fim_lsp.worth.odds import probability
from fim_lsp.worth.trees import Trees

HERE = Path(__file__).parent
# The judge of what memory writes alone.
REMEMBERED = "remembered"
# The fewest characters of an offer: fewer save nothing worth a key.
SHORTEST = 3
MOST_CUTS = 8
# The part behind a name that is called: up to the bracket.
CALLED = re.compile(r"(?<=\w)(?:\.\w+)*\(")
# The judge has seen the bundled model of Python, and is surer of the other one than it is right: of 1,025 of
# its offers in the tuning packages that were held to 0.4 62 % were of use, and held to 0.6 71 % of 566.
MORE_IN_BRACES = 0.2
# A text of memory that saves ten keys has to be as sure as the setting says; one that saves less by up to 0.2
# surer, one that saves more by as much less sure.
MORE_FOR_NO_KEY, LESS_A_KEY, MOST_KEYS = 0.2, 0.02, 20
# The number of features that are told to people who ask.
N_REASONS = 6


@dataclass(frozen=True, slots=True)
class Judged:
    """A beginning of an offer, or all of it, and the judge's numbers on it."""

    text: str
    is_whole: bool
    features: dict[str, float]
    useful: float = 0.0
    whole: float = 0.0
    # Whether what is remembered has said how likely it is, and no trees.
    is_remembered: bool = False

    @property
    def worth(self) -> float:
        """The keys that are saved, as far as one knows."""
        n_characters = len(self.text.strip())
        words = self.features["words"]
        # If not all of it is right, some of its words may be: about half of them.
        partly = max(self.useful - self.whole, 0.0) * max(n_characters - words, 0.0) / 2
        return self.whole * (n_characters - 1) + partly


@dataclass(frozen=True, slots=True)
class OfferJudge:
    """Trees for both questions."""

    name: str
    useful: Trees
    whole: Trees

    @classmethod
    def of(cls, path: Path) -> OfferJudge:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return cls(kept["model"], Trees.of(kept["useful"]), Trees.of(kept["whole"]))

    def judged_cuts(self, cuts: Iterable[Judged]) -> list[Judged]:
        found = list(cuts)
        useful, whole = (
            [probability(odds) for odds in trees.log_odds([cut.features for cut in found])]
            for trees in (self.useful, self.whole)
        )
        return [
            replace(cut, useful=useful_, whole=whole_)
            for cut, useful_, whole_ in zip(found, useful, whole, strict=True)
        ]

    def best(self, cuts: Iterable[Judged], bar: float) -> Judged | None:
        """The cut that is worth most of those that are sure enough, or of all if none is."""
        judged = self.judged_cuts(cuts)
        sure = [cut for cut in judged if cut.useful >= bar]
        return max(sure or judged, key=lambda cut: cut.worth, default=None)


def cuts(
    offer: str, evidence: Completion, site: JudgedPlace, fits: Callable[[str], bool]
) -> Iterator[Judged]:
    """An offer, and beginnings of it that end with a word and fit, the longest first. Of many, those behind
    which it goes on least surely. None of them has the error that a checker sees, and none ends in front of
    a call: of `json.load(file)` `json.load` alone is not wanted.
    """
    n_right = evidence.right_until(offer)
    if n_right == len(offer):
        yield Judged(offer, True, features(offer, evidence, site, is_whole=True))
    if not evidence.text.startswith(offer):
        # The offer was written anew in the file's style: its tokens are not those of the evidence.
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
    """An offer of a completer that knows how likely it is to be of use, and all of it to be right."""
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
    """The reasons why an offer is shown or not, in a few lines: how sure it is, and what made it so."""
    verdict = "shown" if judged.useful >= bar else "not shown"
    moved = judge.useful.contributions(judged.features)
    lines = [
        f"{name} is {judged.features[name]:.4g}: {'for' if amount > 0 else 'against'} it ({amount:+.2f})"
        for name, amount in list(moved.items())[:N_REASONS]
    ]
    return [f"{verdict}: {judged.useful:.0%} sure to be of use, {bar:.0%} asked for", *lines]


@cache
def judge_of(name: str) -> OfferJudge:
    """The judge for the bundled model, for memory, or the one for any other model."""
    known = {BUNDLED_NAME: "bundled.json", REMEMBERED: "remembered.json"}
    return OfferJudge.of(HERE / known.get(name, "any.json"))


def bar_for(model: str, known_language: KnownLanguage, bar: float) -> float:
    """The bar for what a model writes in a language, where a setting asks for `bar`."""
    return bar + MORE_IN_BRACES if bar and is_model_of_braces(model, known_language) else bar


def bar_of_remembered(judged: Judged, bar: float) -> float:
    """The bar for a text of memory, where a setting asks for `bar`."""
    return bar + MORE_FOR_NO_KEY - LESS_A_KEY * min(judged.worth, MOST_KEYS) if bar else bar
