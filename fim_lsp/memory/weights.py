"""The weights of matches, by their source, length, number of places, and agreement.

`python -m training memory` fits the weights on projects outside of all tests (`weights.json`).
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

FITTED = Path(__file__).with_name("weights.json")
LENGTHS = (1, 2, 3, 4, 6, 9, 14)
COUNTS = (1, 2, 4)
# The weight of a bucket that was not fitted.
UNKNOWN = 0.1
HIGHEST = 0.98


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each bucket, from 0 to 1."""

    of_buckets: Mapping[str, float] = field(default_factory=dict)
    # Whether the model is better than the fitted one: then tokens of which it is sure stay.
    yields: bool = False

    def of(self, bucket: str) -> float:
        return min(self.of_buckets.get(bucket, UNKNOWN), HIGHEST)


def left_by(probability: float) -> float:
    """The part of memory's weight that remains if a better model gives its best token this probability.

    It is 0 for a probability above one half; so memory can replace a token below 0.38 if memory is quite
    sure.
    """
    return max(0.0, 1 - 2 * probability)


def bucket(source: str, length: int, count: int, share: float) -> str:
    """The name of a match's bucket. `count`: its places; `share`: that of the most frequent next token."""
    at_length = LENGTHS[bisect_right(LENGTHS, length) - 1]
    at_count = COUNTS[bisect_right(COUNTS, count) - 1]
    unanimity = "one" if share == 1.0 else "most" if share >= 0.5 else "some"
    return f"{source} {at_length} {at_count} {unanimity}"


@cache
def shipped_weights(yields: bool = False) -> Weights:
    """The shipped weights."""
    found: dict[str, float] = json.loads(FITTED.read_text(encoding="utf-8"))["weights"]
    return Weights(found, yields)
