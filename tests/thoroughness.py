"""The number of tries of a law: few in `make test`, many in `make verify`, and fewer on another system, which
has the same engine and is slow here."""

from __future__ import annotations

import os

# `make verify` and `make windows` set it, for Hypothesis (tests/conftest.py) and for tests that draw their
# own examples.
VARIABLE = "HYPOTHESIS_PROFILE"
PROFILE = os.environ.get(VARIABLE, "test")
# The factor of fewer tries.
ELSEWHERE = 5


def n_tries(few: int, many: int, least: int = 10) -> int:
    """Few tries in `make test`, many in `make verify`, and fewer elsewhere, unless the test wants all of
    them."""
    if PROFILE == "elsewhere":
        return max(few // ELSEWHERE, min(few, least))
    return many if PROFILE == "verify" else few
