"""The weights of matches: by where one was found, how far back it agrees, how often, and how unanimously.

The weights are fitted by `python -m training memory` on projects that nothing is tested on (`weights.json`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

FITTED = Path(__file__).with_name("weights.json")
LENGTHS = (1, 2, 3, 4, 6, 9, 14)
COUNTS = (1, 2, 4)
# The weight where nothing was fitted.
UNKNOWN = 0.1
HIGHEST = 0.98


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each bucket, from 0 to 1."""

    of_buckets: Mapping[str, float] = field(default_factory=dict)
    # Whether the model is a better one than they were fitted on: then what it is sure of stays.
    yields: bool = False

    def of(self, bucket: str) -> float:
        return min(self.of_buckets.get(bucket, UNKNOWN), HIGHEST)


def left_by(probability: float) -> float:
    """The part of its weight that memory has where a better model gives its best token such a probability.

    None where that has more than half; so memory replaces what has less than 0.38, if it is quite sure.
    """
    return max(0.0, 1 - 2 * probability)


def bucket(source: str, length: int, count: int, share: float) -> str:
    """The name of a match's bucket. `count`: how often; `share`: of the most frequent continuation."""
    at_length = max(edge for edge in LENGTHS if edge <= length)
    at_count = max(edge for edge in COUNTS if edge <= count)
    unanimity = "one" if share == 1.0 else "most" if share >= 0.5 else "some"
    return f"{source} {at_length} {at_count} {unanimity}"


@cache
def shipped_weights(yields: bool = False) -> Weights:
    """The weights that are shipped."""
    found: dict[str, float] = json.loads(FITTED.read_text(encoding="utf-8"))["weights"]
    return Weights(found, yields)
