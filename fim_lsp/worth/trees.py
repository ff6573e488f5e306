"""Boosted decision trees: their log odds for some features, and each feature's contribution.

They are fitted with scikit-learn and kept as JSON; evaluating them needs only this module. A tree is a list
of nodes: a feature, a threshold, and the next nodes; a leaf has a value. The values add up to the log odds.

All comparisons of all trees are made at once, and their outcomes give the leaf of each tree: a comparison
that goes right excludes the leaves on its left, and the first remaining leaf is the result (Lucchese et al.,
*QuickScorer*, 2015). Following the paths one by one took twenty times as long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

# The most leaves, one for each bit.
MOST_LEAVES = 64
EVERY = (1 << MOST_LEAVES) - 1


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """Node 0 is the root. A leaf has the feature -1."""

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]

    @property
    def leaves(self) -> list[int]:
        """The leaves from left to right."""
        found, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            if self.feature[node] < 0:
                found.append(node)
            else:
                waiting += [self.right[node], self.left[node]]
        return found

    def path(self, numbers: Sequence[float]) -> list[int]:
        node, found = 0, [0]
        while self.feature[node] >= 0:
            is_left = numbers[self.feature[node]] <= self.threshold[node]
            node = self.left[node] if is_left else self.right[node]
            found.append(node)
        return found


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The inner nodes of all trees, each with the leaves that remain if it goes right, as bits; the lowest
    bit is the leftmost leaf."""

    feature: npt.NDArray[np.intp]
    threshold: npt.NDArray[np.float64]
    kept: npt.NDArray[np.uint64]
    # The start of each tree's nodes and leaves, and the leaves' values.
    first: npt.NDArray[np.intp]
    first_leaf: npt.NDArray[np.intp]
    values: npt.NDArray[np.float64]

    @classmethod
    def of(cls, trees: Sequence[DecisionTree]) -> Comparisons:
        feature: list[int] = []
        threshold: list[float] = []
        kept: list[int] = []
        first: list[int] = []
        first_leaf: list[int] = []
        values: list[float] = []
        for tree in trees:
            leaves = tree.leaves
            if not 1 < len(leaves) <= MOST_LEAVES:
                raise ValueError(f"a tree has {len(leaves)} leaves, not 2 to {MOST_LEAVES}")
            first.append(len(feature))
            first_leaf.append(len(values))
            values += [tree.value[leaf] for leaf in leaves]
            place = {leaf: number for number, leaf in enumerate(leaves)}
            for node, compared in enumerate(tree.feature):
                if compared >= 0:
                    below = leaves_below(tree, tree.left[node])
                    feature.append(compared)
                    threshold.append(tree.threshold[node])
                    kept.append(EVERY ^ sum(1 << place[leaf] for leaf in below))
        return cls(
            np.array(feature, np.intp),
            np.array(threshold),
            np.array(kept, np.uint64),
            np.array(first, np.intp),
            np.array(first_leaf, np.intp),
            np.array(values),
        )

    def sums(self, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The sums of all trees for each row, (rows,), of (rows, features)."""
        goes_right = numbers[:, self.feature] > self.threshold  # (rows, nodes)
        left = np.where(goes_right, self.kept, np.uint64(EVERY))
        left = np.bitwise_and.reduceat(left, self.first, axis=1)  # (rows, trees)
        lowest = left & (~left + np.uint64(1))
        leaf = np.log2(lowest.astype(np.float64)).astype(np.intp)
        found: npt.NDArray[np.float64] = self.values[self.first_leaf + leaf].sum(axis=1)
        return found


def leaves_below(tree: DecisionTree, node: int) -> list[int]:
    if tree.feature[node] < 0:
        return [node]
    return leaves_below(tree, tree.left[node]) + leaves_below(tree, tree.right[node])


def most_of(tree: DecisionTree, numbers: Sequence[float | None]) -> float:
    """The largest value of a tree's leaves that may be reached; None is not known."""
    found, waiting = -inf, [0]
    while waiting:
        node = waiting.pop()
        if tree.feature[node] < 0:
            found = max(found, tree.value[node])
            continue
        number = numbers[tree.feature[node]]
        if number is None or number <= tree.threshold[node]:
            waiting.append(tree.left[node])
        if number is None or number > tree.threshold[node]:
            waiting.append(tree.right[node])
    return found


@dataclass(frozen=True, slots=True)
class Trees:
    """The trees, with the names of their features."""

    names: tuple[str, ...]
    base: float
    trees: tuple[DecisionTree, ...]
    comparisons: Comparisons

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Trees:
        """The trees from JSON."""
        trees = tuple(
            DecisionTree(*(tuple(tree[part]) for part in ("feature", "threshold", "left", "right", "value")))
            for tree in kept["trees"]
        )
        return cls(tuple(kept["names"]), float(kept["base"]), trees, Comparisons.of(trees))

    def log_odds(self, many: Sequence[Mapping[str, float]]) -> list[float]:
        """The log odds for rows of features."""
        if not many:
            return []
        numbers = np.array([[features[name] for name in self.names] for features in many], np.float64)
        found: list[float] = (self.base + self.comparisons.sums(numbers)).tolist()
        return found

    def most_log_odds(self, features: Mapping[str, float]) -> float:
        """The largest log odds that features can have of which only some are known."""
        return self.base + sum(
            most_of(tree, [features.get(name) for name in self.names]) for tree in self.trees
        )

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """The contribution of each feature to the log odds, the most important first.

        Along a path, each comparison changes the mean value of the leaves below; the change is attributed to
        its feature (Saabas' attribution).
        """
        numbers = [features[name] for name in self.names]
        moved: dict[str, float] = defaultdict(float)
        for tree in self.trees:
            path = tree.path(numbers)
            for node, following in pairwise(path):
                moved[self.names[tree.feature[node]]] += tree.value[following] - tree.value[node]
        return dict(sorted(moved.items(), key=lambda one: -abs(one[1])))
