"""A recall: one request's look-ups of the tokens that followed the text before, mixed into the model's row.

Each match moves a share of the probability to the tokens that followed it. The longest match comes last, so
that it has the strongest effect.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fim_lsp.memory.index import Index, Matches
from fim_lsp.memory.weights import Weights, bucket, left_by
from fim_lsp.runtimes.logits import logsumexp
from fim_lsp.runtimes.runtime import Row

# The length of a second, shorter match, which has more places.
SHORT = 2
# The least probability of a draft. It is memory's own, since a weight is small for a good network although
# drafts are confirmed as often. With the bundled model, eight tokens read in vain cost as much as one saved
# read, and drafts between 0.15 and 0.25 are confirmed for two tokens on average. With a limit above 0.25,
# which excludes a single place that agrees for four tokens, all reads behind a prompt take 15% longer.
LIKELY = 0.15


@dataclass(frozen=True, slots=True)
class RecallSource:
    """An index with its name and its hidden spans, in which places do not count."""

    name: str
    index: Index
    hidden: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class RecalledTokens:
    """The tokens that followed a context in one source, with their shares and the match's bucket."""

    source: str
    length: int
    count: int
    shares: dict[int, float]
    bucket: str
    index: Index
    places: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Recalled:
    """The match at one step, for the judge."""

    length: int = 0
    count: int = 0
    # Memory's own probabilities of the tokens that it knows.
    shares: dict[int, float] = field(default_factory=dict)
    # The logsumexp of the network's own row.
    own_sum: float = 0.0


NOTHING = Recalled()


@dataclass(slots=True)
class Recall:
    """Looks up the tokens that followed a context."""

    sources: Sequence[RecallSource]
    weights: Weights
    context: list[int]
    # The least probability, by memory alone, of a draft.
    likely: float = LIKELY
    # The match of the last look-up.
    last: Recalled = NOTHING
    # The last look-up, since a draft and the next token's choice are for the same place.
    _looked: tuple[list[int], list[RecalledTokens]] | None = None

    def recalled_tokens(self, written: Sequence[int]) -> list[RecalledTokens]:
        """The matches of the context with the written tokens, in the order of mixing."""
        if self._looked is None or self._looked[0] != written:
            self._looked = list(written), self._look(written)
        return self._looked[1]

    def draft(self, written: Sequence[int], most: int) -> list[int]:
        """A draft for the network to check in one step; empty if memory is unsure."""
        found = self.recalled_tokens(written)
        if not found or self.weights.of(found[-1].bucket) * max(found[-1].shares.values()) < self.likely:
            return []
        return found[-1].index.going_on(found[-1].places, most)

    def sure(self, written: Sequence[int]) -> tuple[int, float] | None:
        """The token that is likeliest whatever the network says, with its least log-probability; None if the
        network decides."""
        if self.weights.yields:
            return None
        found = self.recalled_tokens(written)
        kept, added = self._weighed_shares(found)
        best = sorted(added, key=lambda token: -added[token])[:2]
        others = kept + sum(added[token] for token in best[1:])
        if not best or added[best[0]] <= others:
            return None
        self.last = Recalled(found[-1].length, found[-1].count, found[-1].shares)
        return best[0], math.log(added[best[0]])

    def _look(self, written: Sequence[int]) -> list[RecalledTokens]:
        context = [*self.context, *written]
        found = [
            one
            for source in self.sources
            for matches in source.index.matches_from(context, SHORT)
            if (one := counted_followers(source, matches)) is not None
        ]
        return sorted(found, key=lambda one: one.length)

    def mixed_row(self, row: Row, written: Sequence[int]) -> Row:
        """A row of logits with memory mixed in."""
        found = self.recalled_tokens(written)
        if not found:
            self.last = NOTHING
            return row
        own_sum = logsumexp(row)
        part = left_by(math.exp(float(row.max()) - own_sum)) if self.weights.yields else 1.0
        kept, added = self._weighed_shares(found, part)
        self.last = Recalled(found[-1].length, found[-1].count, found[-1].shares, own_sum)
        mixed: Row = row + np.float32(math.log(kept) - own_sum)
        tokens = np.fromiter(added, np.intp, len(added))
        amounts = np.fromiter(added.values(), np.float64, len(added))
        # Tokens without a share stay as they are.
        with np.errstate(divide="ignore"):
            mixed[tokens] = np.log(np.exp(mixed[tokens]) + amounts)
        return mixed

    def _weighed_shares(
        self, found: Sequence[RecalledTokens], part: float = 1.0
    ) -> tuple[float, dict[int, float]]:
        """The share that the network keeps, and memory's shares of tokens; `part` scales memory's weight."""
        kept, added = 1.0, dict[int, float]()
        for one in found:
            weight = part * self.weights.of(one.bucket)
            kept *= 1 - weight
            added = {token: amount * (1 - weight) for token, amount in added.items()}
            for token, share in one.shares.items():
                added[token] = added.get(token, 0.0) + weight * share
        return kept, added


def counted_followers(source: RecallSource, matches: Matches) -> RecalledTokens | None:
    """The tokens that followed at the places of a match, hidden spans excluded."""
    places = matches.places
    for start, stop in source.hidden:
        places = places[(places < start) | (places >= stop)]
    if not len(places):
        return None
    counts = Counter(source.index.following(places).tolist())
    n_places = len(places)
    shares = {token: count / n_places for token, count in counts.items()}
    name = bucket(source.name, matches.length, n_places, max(shares.values()))
    return RecalledTokens(source.name, matches.length, n_places, shares, name, source.index, places)
