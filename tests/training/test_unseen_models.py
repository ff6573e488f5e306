"""The judge of any model, before the offers of a model that it never saw."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from fim_lsp.known_languages import PYTHON
from training.judge import Row
from training.unseen_models import area_table, collected_offers, judgements

pytest.importorskip("sklearn", reason="judges are fitted by scikit-learn, of the group `judge`")
N_PROJECTS, N_OFFERS = 4, 60


def offers_of(model: str, is_sure_right: bool) -> list[Row]:
    """Offers of which the sure ones are useful, or of which they are not."""
    random = Random(model)
    rows: list[Row] = []
    for number in range(N_PROJECTS * N_OFFERS):
        sureness, chance = random.random(), random.random()
        cut = {"text": "x", "features": [sureness, chance], "useful": (sureness > 0.5) == is_sure_right}
        row = {"case": str(number), "place": 0, "project": f"project {number % N_PROJECTS}", "names": []}
        rows.append(row | {"cuts": [cut | {"whole": False, "saved": 0}]})
    rows[0]["names"] = ["model: mean", "chance"]
    return rows


def written(folder: Path, models: dict[str, bool]) -> None:
    for model, is_sure_right in models.items():
        lines = [json.dumps(row) + "\n" for row in offers_of(model, is_sure_right)]
        (folder / f"offers-{model}-python.jsonl").write_text("".join(lines), "utf-8")


def test_a_judge_serves_a_model_that_is_like_those_that_it_saw(tmp_path: Path) -> None:
    written(tmp_path, {"one": True, "two": True})
    found = judgements(collected_offers(tmp_path, PYTHON))
    assert [(one.model, one.n_offers) for one in found] == [("one", 240), ("two", 240)]
    assert all(one.unseen > 0.95 for one in found)


def test_a_judge_misjudges_a_model_that_is_unlike_them(tmp_path: Path) -> None:
    written(tmp_path, {"odd": False, "one": True})
    odd, one = judgements(collected_offers(tmp_path, PYTHON))
    assert odd.unseen < 0.1 < odd.seen
    assert one.unseen < 0.1 < one.seen
    assert area_table([odd]).rows == [["odd", "240", f"{odd.unseen:.3f}", f"{odd.seen:.3f}"]]
