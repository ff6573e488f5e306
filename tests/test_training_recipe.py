"""The recipe of the bundled model from end to end, on a corpus of a few files and a model of toy size."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from transformers import AutoModelForCausalLM, AutoTokenizer

from training.__main__ import main
from training.samples import Samples

LIBRARY = Path(json.__file__).parent
FUNCTION = "def total_{0}(prices, rate):\n    total = sum(prices)\n    return total * rate + {0}\n\n\n"


def add_package(folder: Path, name: str, licence: str, files: dict[str, str]) -> None:
    """A package as pip leaves it behind: sources, metadata, and a record of both."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\nLicense-Expression: {licence}\n"
    (info / "METADATA").write_text(metadata)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in files))


def shop(first: int) -> str:
    return "".join(FUNCTION.format(number) for number in range(first, first + 40))


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    files = {
        "shop/prices.py": "# Copyright: somebody\n\n" + shop(0),
        "shop/copied.py": shop(0),
        "shop/rates.py": shop(100),
        "shop/tests/test_prices.py": shop(200),
        "shop/broken.py": shop(300) + "def (:\n",
        "shop/table.py": "TABLE = [\n" + "    1.2345678, 2.3456789,\n" * 60 + "]\n",
        "shop/standard.py": (LIBRARY / "decoder.py").read_text(),
    }
    add_package(folder, "shop", "MIT", files)
    add_package(folder, "bank", "GPL-3.0-or-later", {"bank/rates.py": shop(400)})
    add_package(folder, "both", "MIT AND LGPL-2.1", {"both/rates.py": shop(500)})
    return folder


def run(monkeypatch: pytest.MonkeyPatch, step: str, work: Path, *more: str) -> None:
    command = [
        "training",
        step,
        "--tiny",
        "--no-compile",
        "--work",
        str(work),
        "--output",
        str(work / "model"),
    ]
    monkeypatch.setattr("sys.argv", [*command, *more])
    n_threads = torch.get_num_threads()
    try:
        assert main() == 0
    finally:
        torch.set_num_threads(n_threads)


@pytest.fixture(scope="module")
def work(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What every step but the last has left behind."""
    folder = tmp_path_factory.mktemp("work")
    with pytest.MonkeyPatch.context() as monkeypatch:
        run(monkeypatch, "collect", folder, "--packages", str(packages))
        for step in ("tokenizer", "train", "export"):
            run(monkeypatch, step, folder)
    return folder


def losses(work: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (work / "losses.jsonl").read_text().splitlines()]


def test_only_code_under_permissive_licences_is_collected_once(work: Path) -> None:
    documents = [json.loads(line) for line in (work / "documents.jsonl").read_text().splitlines()]
    taken = {document["path"] for document in documents}
    assert len(documents) == len(taken) == 2
    assert "shop/rates.py" in taken
    # The same code twice, one of them under a header about its licence: one of both is enough.
    assert len(taken & {"shop/prices.py", "shop/copied.py"}) == 1
    assert not any("Copyright" in document["text"] for document in documents)


def test_the_sources_are_written_out(work: Path) -> None:
    table = (work / "SOURCES.md").read_text()
    assert "| shop | 1.0 | MIT | 2 |" in table
    assert "bank" not in table
    assert "both" not in table


def test_the_training_ends_after_its_steps_and_the_rows_grow_for_the_last_ones(work: Path) -> None:
    assert [row["step"] for row in losses(work)] == [1, 2, 3, 4]
    assert [row["context"] for row in losses(work)] == [32, 32, 64, 64]


def test_a_training_that_was_stopped_goes_on_as_if_it_had_not_been(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("documents.jsonl", "tokenizer.json"):
        shutil.copyfile(work / name, tmp_path / name)
    batch = Samples.batch

    def stopping(self: Samples, step: int, context: int) -> NDArray[np.int64]:
        if step == 2:
            raise KeyboardInterrupt
        return batch(self, step, context)

    with monkeypatch.context() as patched:
        patched.setattr(Samples, "batch", stopping)
        with pytest.raises(KeyboardInterrupt):
            run(patched, "train", tmp_path)
    assert len(losses(tmp_path)) == 2
    run(monkeypatch, "train", tmp_path)
    assert [row["loss"] for row in losses(tmp_path)] == [row["loss"] for row in losses(work)]


def test_a_model_of_the_same_layout_is_loaded_without_a_network(work: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(work / "model", local_files_only=True)
    model = AutoModelForCausalLM.from_pretrained(work / "model", local_files_only=True)
    assert model.config.model_type == "gpt_bigcode"
    text = "def f(naïve):\n    return 12 + '\\t'\n"
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    assert tokenizer.decode(ids[0]) == text
    assert model(ids).logits.shape == (1, ids.shape[1], len(tokenizer))
