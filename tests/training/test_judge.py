"""Collecting the judge's training data: a killed run continues, and loses nothing."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from fim_lsp.replay.corpus import File
from fim_lsp.replay.typing.drawing import TypedProject, Typing
from training import judge

TEXT = "".join(
    f"def area_{number}(width, height):\n    return width * height + {number}\n\n\n" for number in range(40)
)
N_REGIONS = 3


def collected(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The regions that were typed; each brings two offers."""
    typed: list[str] = []

    def rows(typing: Typing) -> tuple[judge.Row, judge.Row]:
        typed.append(typing.id)
        return {"offers": [{"case": typing.id, "place": place, "cuts": []} for place in (0, 1)]}, {}

    monkeypatch.setattr(judge.Collector, "of", lambda *_args, **_named: SimpleNamespace(rows=rows))
    judge.collect([TypedProject("shop", (File("a.py", TEXT),))], 0, N_REGIONS, None, path, 1)
    return typed


# The cut is in the middle of a row, and in its last byte; the file ends with the second row of the last
# region.
@pytest.mark.parametrize("n_lost", [5, 1])
def test_a_torn_last_row_is_collected_again_and_hides_none(
    n_lost: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "offers.jsonl"
    typed = collected(path, monkeypatch)
    assert len(typed) == N_REGIONS
    whole = path.read_bytes()
    path.write_bytes(whole[:-n_lost])
    # A region with missing rows is collected again completely.
    assert collected(path, monkeypatch) == typed[-1:]
    assert path.read_bytes() == whole
    assert [json.loads(line)["case"] for line in whole.splitlines()] == [
        row["case"] for row in judge.read(path)
    ]
    assert collected(path, monkeypatch) == []
