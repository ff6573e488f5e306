"""The kit for a machine with a GPU, end to end at toy size: by the same commands, on a CPU."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from training.__main__ import main
from training.collect import TrainingDocument
from training.kit import MANIFEST, pack, take, write_parts
from training.progress import Progress
from training.recipe import TINY
from training.tokenizer import train_tokenizer

FUNCTION = "def total_{0}(prices, rate):\n    total = sum(prices)\n    return total * rate + {0}\n\n\n"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The folder that is packed: documents and a tokenizer."""
    folder = tmp_path / "work"
    folder.mkdir()
    texts = ["".join(FUNCTION.format(100 * file + number) for number in range(40)) for file in range(12)]
    documents = [TrainingDocument("shop", f"shop/{index}.py", text) for index, text in enumerate(texts)]
    lines = "".join(json.dumps(asdict(document)) + "\n" for document in documents)
    (folder / "documents.jsonl").write_text(lines)
    train_tokenizer(texts, TINY.n_vocab).save(str(folder / "tokenizer.json"))
    return folder


def piece(kit: Path, out: Path, *more: str) -> set[str]:
    """Runs a piece as on the other machine, with nothing but the kit and a Python. Returns its imports."""
    told = {"PYTHON": sys.executable, "PYTHONSAFEPATH": "", "PYTHONPROFILEIMPORTTIME": "1"}
    command = ["bash", str(kit / "piece"), "5", str(out), *more, "--tiny", "--no-compile"]
    ran = subprocess.run(
        command, env={**os.environ, **told}, cwd=kit, timeout=200, stderr=subprocess.PIPE, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return {found[1] for found in re.finditer(r"^import time:.*\| *(\w+)", ran.stderr, re.MULTILINE)}


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr("sys.argv", ["training", *arguments])
    assert main() == 0


def test_a_kit_trains_in_pieces_and_its_weights_come_back(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(monkeypatch, "pack", "--work", str(work))
    kit = work / "kit"
    # The first piece stops early; the second one continues it and takes the branch to its end.
    imported = piece(kit, tmp_path / "first", "--tokens", "256")
    assert {"torch", "transformers", "training"} <= imported
    assert not imported & {"fim_lsp", "quotient", "matplotlib", "lark", "pygls"}, "they are not there"
    piece(kit, tmp_path / "second")
    piece(kit, tmp_path / "third", "decay")
    run(monkeypatch, "take", str(tmp_path / "third"), "--work", str(work))
    steps = [json.loads(line)["step"] for line in (work / "gpu" / "losses.jsonl").read_text().splitlines()]
    assert steps == [1, 2, 3, 4, 5, 6]
    run(monkeypatch, "export", "--work", str(work / "gpu"), "--output", str(tmp_path / "model"))
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "model", local_files_only=True)
    assert model.config.model_type == "qwen3"
    there = torch.load(work / "kit-work" / "branch.pt", weights_only=True)["model"]
    assert (model.state_dict()["model.norm.weight"] == there["model.norm.weight"].half()).all()


@pytest.mark.long
def test_a_piece_on_a_fresh_machine_goes_on_from_the_weights_that_were_taken(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(monkeypatch, "pack", "--work", str(work))
    piece(work / "kit", tmp_path / "first", "--tokens", "256")
    run(monkeypatch, "take", str(tmp_path / "first"), "--work", str(work))
    (work / "kit-work").rename(work / "gone")
    run(monkeypatch, "pack", "--work", str(work))
    piece(work / "kit", tmp_path / "second")
    steps = [
        json.loads(line)["step"] for line in (work / "kit-work" / "losses.jsonl").read_text().splitlines()
    ]
    assert steps == [1, 2, 3, 4]


def test_a_kit_takes_as_many_documents_as_fit(work: Path, tmp_path: Path) -> None:
    whole = pack(work, tmp_path / "whole", Progress("pack")).stat().st_size
    smaller = pack(work, tmp_path / "smaller", Progress("pack"), max_bytes=whole - 400).stat().st_size
    assert smaller <= whole - 400
    with pytest.raises(ValueError, match="cannot be smaller than"):
        pack(work, tmp_path / "none", Progress("pack"), max_bytes=1000)


@pytest.fixture
def parts(work: Path, tmp_path: Path) -> Path:
    """Parts of a checkpoint of one matrix."""
    held = {"config": "{}", "model": {"weight": torch.randn(50, 40)}, "state": {"average": {}}}
    torch.save(held, work / "branch.pt")
    (work / "losses.jsonl").write_text('{"step": 1}\n')
    written = write_parts(work, tmp_path / "parts", part_bytes=1500)
    assert len(written) >= 4
    assert max(part.stat().st_size for part in written) <= 1500
    return tmp_path / "parts"


def test_parts_are_joined_to_what_they_were(work: Path, parts: Path) -> None:
    held = torch.load(take(parts, work), weights_only=True)["model"]["weight"]
    assert (held == torch.load(work / "branch.pt", weights_only=True)["model"]["weight"].half()).all()


def test_a_missing_or_damaged_part_is_told(work: Path, parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (parts / "part.01").write_bytes(b"?" + (parts / "part.01").read_bytes()[1:])
    with pytest.raises(SystemExit, match="the checksum differs"):
        run(monkeypatch, "take", str(parts), "--work", str(work))
    (parts / "part.01").unlink()
    with pytest.raises(SystemExit, match=r"a part of the weights is missing: .*part\.01"):
        run(monkeypatch, "take", str(parts), "--work", str(work))
    (parts / MANIFEST).unlink()
    with pytest.raises(SystemExit, match="is missing"):
        run(monkeypatch, "take", str(parts), "--work", str(work))
    with pytest.raises(SystemExit, match="say which folder"):
        run(monkeypatch, "take", "--work", str(work))
    assert not (work / "gpu").exists()
