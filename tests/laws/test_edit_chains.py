"""Chains of next edits: each is taken, and the law sees what a wrong one would do."""

from __future__ import annotations

from fim_lsp.edits.next_edits import BAR
from fim_lsp.replay.edits.filler import EditReplaySettings, PairWalker
from fim_lsp.replay.edits.pairs import Pair, ReleasePair
from tests.laws.edit_chains import VERSION, chain_counts

OLD = "def area(width):\n    return width * 2\n\n\nprint(area(width=1), area(width=2))\n"
NEW = OLD.replace("area(width)", "area(breadth)")


def test_every_edit_of_a_chain_is_taken_and_judged() -> None:
    pair = Pair("shop", "area.py", OLD, NEW)
    walker = PairWalker.of(EditReplaySettings(BAR, VERSION), [ReleasePair("shop", (pair,))])
    counts = chain_counts(walker, 10)
    assert (counts.n_chains, counts.faults) == (1, [])
    assert counts.n_taken == 2
