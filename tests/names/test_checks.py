"""Small runs of `python -m tests.names`, whose full counts `make verify` runs."""

import sys
from pathlib import Path

import pytest

from tests.laws.cases import Outcome
from tests.names import files
from tests.names.checks import Share, check

ROOT = Path(__file__).parents[2]
FILES = tuple(sorted(path for part in ("quotient", "benches") for path in (ROOT / part).rglob("*.py")))
OWN = ".".join(map(str, sys.version_info[:2]))
COUNTS = {"middles": 10, "masks": 4, "invented": 30, "spoilt": 10}


@pytest.mark.parametrize("name", COUNTS)
def test_a_small_part_holds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "paths", lambda _: FILES)
    outcome = check(Share(name, OWN, COUNTS[name], f"small {name}", 12_000))
    assert not shown(outcome)
    assert sum(outcome.tally.values()) >= COUNTS[name]


def shown(outcome: Outcome) -> list[str]:
    """The failures, without those of the grammar, which finds no witness with names; docs/names.md counts
    those."""
    found = [failure for failure in outcome.failures if "a witness" not in failure.kind]
    return [f"{failure.kind}: {failure.detail}: {failure.case}" for failure in found]
