"""How probable it is that a substitution is wanted at a place, by counted evidence.

A place has a few answers to short questions: was it made in this file, once or more often; how often at
all; was it passed over; is what stands around it the same. For each row of answers it was counted on pairs of
releases how often the substitution was made there (`python -m fim_lsp.replay.edits.counting` counts again).
Rows that are rare lean on what the first answers alone say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

KEPT = Path(__file__).with_name("counted.json")
# A row of answers leans on the one with an answer less as if that had been seen so often.
LEANING = 6.0
# Rows that were seen less often are not kept.
RAREST = 2.0
# Who has changed the first of some lines that follow each other and are alike changes the next. Releases do
# not say: there all of such lines are one hunk.
IN_A_RUN = 0.8


def answers(features: Mapping[str, float]) -> tuple[str, ...]:
    """What is known of a place, the most telling first."""
    around = features["same on the left"] + features["same on the right"]
    return (
        f"made in this file: {bucket(features['made in this file'], 1, 2)}",
        f"passed over: {bucket(features['passed over'], 1)}",
        f"same around: {bucket(around, 2, 4)}",
        f"made: {bucket(features['made'], 2, 4)}",
        f"line ends the same: {bucket(features['line ends the same'], 1)}",
        f"is code with a long word: {int(is_code(features) and features['longest word'] >= 6)}",
        f"stands here: {bucket(features['stands here'], 2)}",
        f"others became something else: {bucket(features['rivals'], 1)}",
    )


def bucket(value: float, *edges: float) -> int:
    return sum(value >= edge for edge in edges)


def is_code(features: Mapping[str, float]) -> bool:
    return not features["in a comment"] and not features["in a string"]


@dataclass(frozen=True, slots=True)
class Judge:
    """How often a substitution was made, of the places with the same first answers: of them, and of which."""

    counts: Mapping[str, tuple[float, float]]

    @classmethod
    def of(cls, rows: Iterable[tuple[Mapping[str, float], bool, float]]) -> Judge:
        """From places, whether it was made there, and how much each counts."""
        counts: dict[str, tuple[float, float]] = {}
        for features, was_made, weight in rows:
            for key in keys(features):
                n, made = counts.get(key, (0.0, 0.0))
                counts[key] = n + weight, made + weight * was_made
        return cls(counts)

    def probability(self, features: Mapping[str, float]) -> float:
        if is_in_a_run(features):
            return IN_A_RUN
        found = 0.1
        for key in keys(features):
            n, made = self.counts.get(key, (0.0, 0.0))
            found = (made + LEANING * found) / (n + LEANING)
        return found

    def of_template(self, features: Mapping[str, float]) -> float:
        """What two places have in common is done at a third one, unless others were passed over."""
        return 0.85 if not features["passed over"] else 0.6

    def as_json(self) -> dict[str, list[float]]:
        """Rows that say nothing of their own are left out."""
        kept = sorted(item for item in self.counts.items() if item[1][0] >= RAREST)
        return {key: [round(n, 1), round(made, 1)] for key, (n, made) in kept}


def keys(features: Mapping[str, float]) -> list[str]:
    """The rows of answers that a place is counted in, the shortest first."""
    said = answers(features)
    return ["; ".join(said[:n]) for n in range(len(said) + 1)]


def is_in_a_run(features: Mapping[str, float]) -> bool:
    """Whether the line stands directly behind the one that was changed, is like it, and so are more."""
    around = features["same on the left"] + features["same on the right"]
    return (
        features["lines behind the last"] == 1
        and not features["passed over"]
        and features["made in this file"] >= 1
        and features["stands here"] >= 2
        and around >= 3
        and bool(features["line begins the same"])
        and is_code(features)
    )


@cache
def judge() -> Judge:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    return Judge({key: (n, made) for key, (n, made) in kept.items()})
