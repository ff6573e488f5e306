"""The judge of edits: the probability that the user wants a substitution at a place.

Decision trees (`fim_lsp/worth/trees.py`) compute it from the place's features (`candidates.py`): how often
the user made the substitution, here and elsewhere, where the user passed it over, and what the places have
in common. `python -m training.edits_judge` fits the trees on pairs of releases.
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
# A user who has changed the first of several similar consecutive lines changes the next. Releases do not show
# it, since there all such lines are one hunk. A user who has made only this change in two lines, and left
# none out, makes it in the third: 30 of 36 between releases.
FOLLOWED = 0.8
# A replacement in equal surroundings is less probable after two examples than after three.
ALIKE, LEAST_FOR_ALIKE = 0.75, 0.4
# Places more than FAR lines away are far. A far place, or one with rivals, gets at most DOUBTED, unless its
# probability is UNDOUBTED or more.
FAR, DOUBTED, UNDOUBTED = 60, 0.64, 0.85
# A place that the trees rate LEAST_KNOWN or more gets at least SHOWN if the change was made more than once.
LEAST_KNOWN, SHOWN = 0.5, 0.65
# A whole line that was changed once stands elsewhere, too.
IN_SAME_LINE = 0.7
# A number that was changed once may mean anything elsewhere.
A_NUMBER_ONCE = 0.4


@dataclass(frozen=True, slots=True)
class EditJudge:
    trees: Trees

    @classmethod
    def of(cls, path: Path) -> EditJudge:
        # Imported late, since this imports numpy.
        from fim_lsp.worth.trees import Trees

        return cls(Trees.of(json.loads(path.read_text(encoding="utf-8"))["trees"]))

    def probabilities(self, many: Sequence[Mapping[str, float]]) -> list[float]:
        """The probabilities of several places, from their features."""
        found = [probability(odds) for odds in self.trees.log_odds(many)]
        return [adjusted_probability(one, features) for one, features in zip(found, many, strict=True)]

    def most_probable(self, features: Mapping[str, float], likeliest: Mapping[str, float]) -> float:
        """The largest probability of a place of which only some features are known; `likeliest` are values of
        the others that the adjustments like best."""
        return adjusted_probability(
            probability(self.trees.most_log_odds(features)), {**features, **likeliest}
        )

    def of_template(self, features: Mapping[str, float]) -> float:
        """The probability of a template at a third place. Between releases three in four of 576 places
        followed if the user had passed over none, and one in twelve of 850 others."""
        return 0.8 if not features["passed over"] else 0.2


def adjusted_probability(probability: float, features: Mapping[str, float]) -> float:
    """The trees' probability, adjusted by what they cannot know."""
    if features["made"] == 1 and not features["words"]:
        return min(probability, A_NUMBER_ONCE)
    is_sure = is_in_a_run(features) or is_made_again(features) or is_made_throughout(features)
    probability = max(probability, FOLLOWED if is_sure else alike_probability(probability, features))
    if is_same_line(features):
        probability = max(probability, IN_SAME_LINE)
    if is_far(features) or is_one_of_several(features):
        return min(probability, DOUBTED) if probability < UNDOUBTED else probability
    return max(probability, SHOWN) if is_known(features) and probability >= LEAST_KNOWN else probability


def is_same_line(features: Mapping[str, float]) -> bool:
    """Whether nothing but this was changed in a line that is equal to this place's: between releases 23 of 26
    such places that the trees had rated too low were changed, too."""
    return (
        bool(features.get("same line"))
        and is_code(features)
        and not features["passed over here"]
        and not features["is passed over"]
        and features["share alone"] == 1
        and features["share of rivals"] == 1
    )


def is_known(features: Mapping[str, float]) -> bool:
    """Whether a change was made more than once, or in another file. The trees rate 413 such places between
    releases below the bar, and 73 % of them were changed; of 233 others 46 % were."""
    return features["made"] > 1 or not features["made in this file"]


def alike_probability(probability: float, features: Mapping[str, float]) -> float:
    """The probability if all examples have equal text on both sides, as this place does. Between releases 88
    of 111 such places that the trees had rated too low were changed, too."""
    if features["passed over alike"] or features["is passed over"] or features["share of rivals"] < 0.8:
        return 0.0
    if features["made alike"] >= 3:
        return FOLLOWED
    return ALIKE if features["made alike"] >= 2 and probability >= LEAST_FOR_ALIKE else 0.0


def is_far(features: Mapping[str, float]) -> bool:
    """Whether a place is far from the only example in the file: 27 of 47 such places were changed."""
    return features["made in this file"] == 1 and features["lines behind the last"] > FAR


def is_one_of_several(features: Mapping[str, float]) -> bool:
    """Whether the old text also became something else, and the text around this place does not decide: 17 of
    32 such places were changed."""
    return features["share of rivals"] < 0.8 and features["made alike"] < 2


def is_in_a_run(features: Mapping[str, float]) -> bool:
    """Whether the line directly follows a changed one in a run of similar lines."""
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
    """Whether two lines or more had only this change, and none of the file's earlier places was passed
    over."""
    return (
        features["made so in this file"] >= 2
        and not features["passed over here"]
        and not features["is passed over"]
        and features["share alone"] == 1
        and features["share of rivals"] == 1
        and features["fewest lines"] <= 3
    )


def is_made_throughout(features: Mapping[str, float]) -> bool:
    """Whether many lines of any files had only this change, and hardly any place was passed over: between
    releases 263 of 294 further places followed."""
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
