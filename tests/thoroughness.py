"""How often a law is tried: as there is time for in `make test`, and many more times in `make verify`."""

from __future__ import annotations

import os

# `make verify` sets it, for Hypothesis (tests/conftest.py) and for tests that draw examples by themselves.
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "test")


def n_tries(few: int, many: int) -> int:
    """Few in `make test`, many in `make verify`."""
    return many if PROFILE == "verify" else few
