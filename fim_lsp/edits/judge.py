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
# Who has changed the first of some lines that follow each other and are alike changes the next. Releases do
# not say: there all of such lines are one hunk. Who has done nothing else in two lines, and left none out,
# does it in the third: 30 of 36 between releases.
FOLLOWED = 0.8
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
        """What two places have in common is done at a third one, unless others were passed over: of 576 such
        places between releases three in four, of 850 others one in twelve."""
        return 0.8 if not features["passed over"] else 0.2


def adjusted_probability(probability: float, features: Mapping[str, float]) -> float:
    """What the trees say, and what they cannot know."""
    if features["made"] == 1 and not features["words"]:
        return min(probability, A_NUMBER_ONCE)
    is_sure = is_in_a_run(features) or is_made_again(features) or is_made_throughout(features)
    return max(probability, FOLLOWED) if is_sure else probability


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
