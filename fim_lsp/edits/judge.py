"""How probable it is that a substitution is wanted at a place.

Decision trees say so (`fim_lsp/worth/trees.py`), from what is known of the place: how often the substitution
was made, here and elsewhere, what was seen and left alone, what the places have in common
(`candidates.py`). They are fitted on pairs of releases by `python -m training.edits_judge`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fim_lsp.worth.odds import probability

if TYPE_CHECKING:
    from fim_lsp.worth.trees import Trees

KEPT = Path(__file__).with_name("judge.json")
# A user who has changed the first of some lines that follow each other and are alike changes the next.
# Releases do not say: there all of such lines are one hunk. A user who has done nothing else in two lines,
# and left none out, does it in the third: 30 of 36 between releases.
FOLLOWED = 0.8
# A replacement among equal surroundings is less sure after two than after three.
ALIKE, LEAST_FOR_ALIKE = 0.75, 0.4
# Places that many lines away are far; a far one, or one of several, is doubted where it is not very sure.
FAR, DOUBTED, UNDOUBTED = 60, 0.64, 0.85
# What the trees hold for less sure, and is shown where it was done more than once.
LEAST_KNOWN, SHOWN = 0.5, 0.65
# A number that was changed once may mean anything elsewhere.
A_NUMBER_ONCE = 0.4


@dataclass(frozen=True, slots=True)
class EditJudge:
    trees: Trees

    @classmethod
    def of(cls, path: Path) -> EditJudge:
        # Not before the user asks: numpy comes with them.
        from fim_lsp.worth.trees import Trees

        return cls(Trees.of(json.loads(path.read_text(encoding="utf-8"))["trees"]))

    def probabilities(self, many: Sequence[Mapping[str, float]]) -> list[float]:
        """Of some places, by what is known of them."""
        found = [probability(odds) for odds in self.trees.log_odds(many)]
        return [adjusted_probability(one, features) for one, features in zip(found, many, strict=True)]

    def of_template(self, features: Mapping[str, float]) -> float:
        """The probability of a template at a third place, unless others were passed over: of 576 such
        places between releases three in four, of 850 others one in twelve."""
        return 0.8 if not features["passed over"] else 0.2


def adjusted_probability(probability: float, features: Mapping[str, float]) -> float:
    """The probability that the trees say, adjusted by what they cannot know."""
    if features["made"] == 1 and not features["words"]:
        return min(probability, A_NUMBER_ONCE)
    is_sure = is_in_a_run(features) or is_made_again(features) or is_made_throughout(features)
    probability = max(probability, FOLLOWED if is_sure else alike_probability(probability, features))
    if is_far(features) or is_one_of_several(features):
        return min(probability, DOUBTED) if probability < UNDOUBTED else probability
    return max(probability, SHOWN) if is_known(features) and probability >= LEAST_KNOWN else probability


def is_known(features: Mapping[str, float]) -> bool:
    """Whether something was done more than once, or in another file: of 413 such places between releases that
    the trees hold for less sure than all that is shown 73 % were done, of 233 others 46 %."""
    return features["made"] > 1 or not features["made in this file"]


def alike_probability(probability: float, features: Mapping[str, float]) -> float:
    """How sure it is that what was done where the same stood on either side, each time, is done here: between
    releases 88 of 111 places that the trees had thought too little of were done, too."""
    if features["passed over alike"] or features["is passed over"] or features["share of rivals"] < 0.8:
        return 0.0
    if features["made alike"] >= 3:
        return FOLLOWED
    return ALIKE if features["made alike"] >= 2 and probability >= LEAST_FOR_ALIKE else 0.0


def is_far(features: Mapping[str, float]) -> bool:
    """Whether a place is far from the only one in the file: 27 of 47 others were done."""
    return features["made in this file"] == 1 and features["lines behind the last"] > FAR


def is_one_of_several(features: Mapping[str, float]) -> bool:
    """Whether the same words became something else elsewhere, and what is around a place does not tell: 17 of
    32 others were done."""
    return features["share of rivals"] < 0.8 and features["made alike"] < 2


def is_in_a_run(features: Mapping[str, float]) -> bool:
    """Whether the line stands directly behind the one that was changed, is like it, and so are more."""
    return (
        features["lines behind the last"] == 1
        and not features["passed over here"]
        and features["made in this file"] >= 1
        and features["stands here"] >= 2
        and features["same around"] >= 3
        and bool(features["line begins the same"])
        and is_code(features)
    )


def is_code(features: Mapping[str, float]) -> bool:
    return not features["in a comment"] and not features["in a string"]


def is_made_again(features: Mapping[str, float]) -> bool:
    """Whether nothing but this was done to two lines or more, and to all that were there."""
    return (
        features["made so in this file"] >= 2
        and not features["passed over here"]
        and not features["is passed over"]
        and features["share alone"] == 1
        and features["share of rivals"] == 1
        and features["fewest lines"] <= 3
    )


def is_made_throughout(features: Mapping[str, float]) -> bool:
    """Whether nothing but this was done to many lines, and to nearly all that were there, in whichever files:
    263 of 294 of the others followed between releases."""
    return (
        features["made so"] >= 6
        and features["share of places elsewhere"] >= 0.85
        and not features["passed over here"]
        and not features["is passed over"]
        and features["share alone"] == 1
        and features["share of rivals"] == 1
        and is_code(features)
    )


@cache
def judge() -> EditJudge:
    return EditJudge.of(KEPT)
