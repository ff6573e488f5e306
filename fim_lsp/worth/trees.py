"""Boosted decision trees: what they say of some numbers, and which of the numbers made them say so.

They are fitted with scikit-learn and kept as JSON; to ask them takes nothing but this. A tree is lists of
nodes: the feature that is compared, with what, and where to go on; a leaf has a value. Values add up to the
logarithm of the odds.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any


@dataclass(frozen=True, slots=True)
class Tree:
    """Node 0 is the root. A leaf has the feature -1."""

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]

    def path(self, numbers: Sequence[float]) -> list[int]:
        node, found = 0, [0]
        while self.feature[node] >= 0:
            is_left = numbers[self.feature[node]] <= self.threshold[node]
            node = self.left[node] if is_left else self.right[node]
            found.append(node)
        return found


@dataclass(frozen=True, slots=True)
class Trees:
    """All of them, with the names of what they look at."""

    names: tuple[str, ...]
    base: float
    trees: tuple[Tree, ...]

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Trees:
        """From JSON."""
        trees = tuple(
            Tree(*(tuple(tree[part]) for part in ("feature", "threshold", "left", "right", "value")))
            for tree in kept["trees"]
        )
        return cls(tuple(kept["names"]), float(kept["base"]), trees)

    def log_odds(self, features: Mapping[str, float]) -> float:
        numbers = [features[name] for name in self.names]
        found = self.base
        for tree in self.trees:
            node = 0
            feature, threshold = tree.feature, tree.threshold
            while feature[node] >= 0:
                is_left = numbers[feature[node]] <= threshold[node]
                node = tree.left[node] if is_left else tree.right[node]
            found += tree.value[node]
        return found

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """How much each feature has moved the logarithm of the odds, the most important first.

        Along a path, what a comparison changes in the mean value of what lies below is put down to the
        feature that is compared (Saabas' attribution).
        """
        numbers = [features[name] for name in self.names]
        moved: dict[str, float] = defaultdict(float)
        for tree in self.trees:
            path = tree.path(numbers)
            for node, following in pairwise(path):
                moved[self.names[tree.feature[node]]] += tree.value[following] - tree.value[node]
        return dict(sorted(moved.items(), key=lambda one: -abs(one[1])))


def probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(min(log_odds, 30.0), -30.0)))
