"""A quick sample of every law; `python -m tests.laws` checks them by the hundred thousand."""

import sys

import pytest

from tests.laws.chunks import Chunk, check
from tests.laws.laws import LAWS

# The law of costs runs only in `make verify` and `make bench`, because a busy machine must not fail a test.
SAMPLES = {
    "a": 30,
    "b": 250,
    "c": 250,
    "d": 1500,
    "e": 30,
    "f": 30,
    "g": 30,
    "h": 120,
    "j": 30,
    "k": 150,
    "l": 60,
}

pytestmark = pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the judge is CPython 3.11")


@pytest.mark.parametrize("law", SAMPLES)
def test_sample(law: str) -> None:
    outcome = check(Chunk(law, SAMPLES[law], seed=f"sample {law}", largest=12_000, seconds_to_shrink=5))
    assert outcome.tally[LAWS[law].unit] >= SAMPLES[law]
    assert not outcome.failures
