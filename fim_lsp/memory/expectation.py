"""The expectation of memory without a model: the words that may come next, with their probabilities.

This is prediction by partial matching. For each length of context the words that followed it are counted. A
longer context gets more weight if fewer different words followed it, and leaves the rest to the shorter ones.
Below the shortest are all words that begin like the cursor's word, by their frequency.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum

import numpy as np
import numpy.typing as npt

from fim_lsp.memory.index import Index
from fim_lsp.memory.recall import RecallSource
from fim_lsp.memory.words import Words

# The lengths of contexts that are used.
LENGTHS = frozenset((1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22))
# The weight of a place by its source.
COUNTED = {"file": 1.0, "open": 0.8, "workspace": 0.6}
# The weight of shorter contexts for each different word that followed, and a constant.
LEFT_FOR_EACH, LEFT = 0.5, 0.6
# The weight of unseen words for each word that begins alike, and a constant.
UNSEEN_FOR_EACH, UNSEEN = 0.3, 1.0


@dataclass(slots=True)
class Uses:
    """The number of uses of each word in the texts of an index."""

    index: Index
    counts: npt.NDArray[np.intp]
    # The spans of the index that do not count.
    hidden: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, index: Index, hidden: Sequence[tuple[int, int]] = ()) -> Uses:
        """The uses, without those in the hidden spans."""
        counts = np.bincount(index.tokens)
        for start, stop in merged_spans(hidden):
            counts -= np.bincount(index.tokens[start:stop], minlength=len(counts))
        return cls(index, counts, tuple(hidden))

    def count(self, word: int) -> int:
        """The number of uses of a word. The index counts words from 1, since 0 parts its texts."""
        return int(self.counts[word + 1]) if word + 1 < len(self.counts) else 0


@dataclass(frozen=True, slots=True)
class ExpectedWords:
    """The words that may come next, each with its probability; `followers` counts those that followed the
    longest context that was found, of `n_agreeing` words."""

    probabilities: Mapping[int, float]
    followers: Mapping[int, float] = field(default_factory=dict)
    n_agreeing: int = 0


@dataclass(slots=True)
class Expectation:
    """The expectation at one place. `uses` counts words in a source."""

    words: Words
    sources: Sequence[RecallSource]
    uses: Callable[[RecallSource], Uses]

    def next(self, context: Sequence[int], begun: str) -> ExpectedWords:
        """The words that may come behind a context, of those that begin so."""
        expected = self._by_use(begun) if begun else {}
        by_length = self._followers(context, begun)
        for counts in by_length.values():
            # An exact sum does not depend on the order.
            total = fsum(counts.values())
            left = LEFT_FOR_EACH * len(counts) + LEFT
            share = left / (total + left)
            expected = {word: share * amount for word, amount in expected.items()}
            for word, count in counts.items():
                expected[word] = expected.get(word, 0.0) + count / (total + left)
        n_agreeing, followers = next(reversed(by_length.items()), (0, {}))
        return ExpectedWords(expected, followers, n_agreeing)

    def _by_use(self, begun: str) -> dict[int, float]:
        counts: dict[int, float] = {}
        for word in self.words.beginning_with(begun):
            count = sum(COUNTED[source.name] * self.uses(source).count(word) for source in self.sources)
            if count:
                counts[word] = count
        left = UNSEEN_FOR_EACH * len(counts) + UNSEEN
        total = fsum(counts.values()) + left
        return {word: count / total for word, count in counts.items()}

    def _followers(self, context: Sequence[int], begun: str) -> dict[int, dict[int, float]]:
        """The followers at each length of context that says something, the shortest first."""
        by_length: dict[int, dict[int, float]] = {}
        for source in self.sources:
            for matches in source.index.matches_of_each_length(context):
                if matches.length not in LENGTHS:
                    continue
                places = matches.places
                for start, stop in source.hidden:
                    places = places[(places < start) | (places >= stop)]
                found = by_length.setdefault(matches.length, {})
                for word, count in Counter(source.index.following(places).tolist()).items():
                    if word >= 0 and (not begun or self.words.text(word).startswith(begun)):
                        found[word] = found.get(word, 0.0) + COUNTED[source.name] * count
        return {length: by_length[length] for length in sorted(by_length) if by_length[length]}


def merged_spans(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The union of spans, some of which may lie inside others."""
    found: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        first, last = found[-1] if found else (0, 0)
        if start < last:
            found[-1] = first, max(last, stop)
        else:
            found.append((start, stop))
    return found
