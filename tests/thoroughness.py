"""How often a law is tried: as there is time for in `make test`, many more times in `make verify`, and less
often on another system, which has the same engine and is slow here.
"""

from __future__ import annotations

import os

# `make verify` and `make windows` set it, for Hypothesis (tests/conftest.py) and for tests that draw examples
# by themselves.
VARIABLE = "HYPOTHESIS_PROFILE"
PROFILE = os.environ.get(VARIABLE, "test")
# How much less often.
ELSEWHERE = 5


def n_tries(few: int, many: int, least: int = 10) -> int:
    """Few in `make test`, many in `make verify`, and elsewhere fewer, unless the test wants that many."""
    if PROFILE == "elsewhere":
        return max(few // ELSEWHERE, min(few, least))
    return many if PROFILE == "verify" else few
