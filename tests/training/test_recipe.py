"""The recipe of the bundled model from end to end, with a corpus of a few files and a model of toy size."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from transformers import AutoModelForCausalLM, AutoTokenizer

from training.__main__ import main
from training.recipe import TINY
from training.samples import Samples

ROOT = Path(__file__).parents[2]
LIBRARY = Path(json.__file__).parent
FUNCTION = "def total_{0}(prices, rate):\n    total = sum(prices)\n    return total * rate + {0}\n\n\n"


def add_package(folder: Path, name: str, licence: str, files: dict[str, str]) -> None:
    """A package as pip installs it: sources, metadata, and a record of both."""
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
    # A package of those that judge the model.
    add_package(folder, "HTTPie", "BSD", {"httpie/rates.py": shop(600)})
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
    """The files of every step except the last."""
    folder = tmp_path_factory.mktemp("work")
    with pytest.MonkeyPatch.context() as monkeypatch:
        run(monkeypatch, "collect", folder, "--packages", str(packages))
        for step in ("tokenizer", "train", "decay", "export"):
            run(monkeypatch, step, folder)
    return folder


def losses(work: Path, name: str = "losses.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (work / name).read_text().splitlines()]


def test_only_code_under_permissive_licences_is_collected_once(work: Path) -> None:
    documents = [json.loads(line) for line in (work / "documents.jsonl").read_text().splitlines()]
    taken = {document["path"] for document in documents}
    assert len(documents) == len(taken) == 2
    assert "shop/rates.py" in taken
    # The same code occurs twice, once under a header about its licence: one copy is enough.
    assert len(taken & {"shop/prices.py", "shop/copied.py"}) == 1
    assert not any("Copyright" in document["text"] for document in documents)


def test_the_sources_are_written_out(work: Path) -> None:
    table = (work / "SOURCES.md").read_text()
    assert "| shop | 1.0 | MIT | 2 |" in table
    assert "bank" not in table
    assert "both" not in table
    assert "HTTPie" not in table


def test_the_training_ends_with_its_tokens_and_rows_grow(work: Path) -> None:
    assert [row["step"] for row in losses(work)] == [1, 2, 3, 4]
    assert [row["rows"] for row in losses(work)] == [[32, 32], [32, 32], [32, 64], [32, 64]]
    assert losses(work)[-1]["tokens"] == 512


def test_a_branch_leaves_the_training_where_it_was(work: Path) -> None:
    held = {name: torch.load(work / f"{name}.pt", weights_only=True) for name in ("checkpoint", "branch")}
    assert [row["step"] for row in losses(work, "branch-losses.jsonl")] == [5, 6]
    assert (held["checkpoint"]["state"]["step"], held["branch"]["state"]["step"]) == (4, 6)
    assert held["branch"]["state"]["branched_at"] == 512
    # The rate of the last step was half of the highest.
    rates = [held["branch"]["optimizers"][0]["param_groups"][0]["lr"], TINY.matrix_rate / 2]
    assert rates[0] == pytest.approx(rates[1])


def test_a_branch_that_the_training_has_left_behind_is_made_anew(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in work.iterdir():
        if path.is_file():
            shutil.copyfile(path, tmp_path / path.name)
    run(monkeypatch, "decay", tmp_path)
    assert [row["step"] for row in losses(tmp_path, "branch-losses.jsonl")] == [5, 6]
    run(monkeypatch, "train", tmp_path, "--tokens", "640")
    run(monkeypatch, "decay", tmp_path, "--tokens", "640")
    assert [row["step"] for row in losses(tmp_path, "branch-losses.jsonl")] == [6, 7, 8]
    assert torch.load(tmp_path / "branch.pt", weights_only=True)["state"]["branched_at"] == 640


def test_what_is_exported_is_the_branch(work: Path) -> None:
    exported = AutoModelForCausalLM.from_pretrained(work / "model", local_files_only=True).state_dict()
    branch = torch.load(work / "branch.pt", weights_only=True)["model"]
    assert (exported["model.norm.weight"] == branch["model.norm.weight"].half()).all()


def test_without_a_branch_the_average_is_exported(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("checkpoint.pt", "tokenizer.json"):
        shutil.copyfile(work / name, tmp_path / name)
    run(monkeypatch, "export", tmp_path)
    exported = AutoModelForCausalLM.from_pretrained(tmp_path / "model", local_files_only=True).state_dict()
    average = torch.load(work / "checkpoint.pt", weights_only=True)["state"]["average"]
    assert (exported["model.norm.weight"] == average["model.norm.weight"].half()).all()


def test_there_is_no_branch_without_a_training(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("documents.jsonl", "tokenizer.json"):
        shutil.copyfile(work / name, tmp_path / name)
    with pytest.raises(FileNotFoundError, match="no training to branch off from"):
        run(monkeypatch, "decay", tmp_path)


def test_a_training_that_was_killed_goes_on_as_if_it_had_not_been(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(monkeypatch, work, tmp_path, lambda: (_ for _ in ()).throw(RuntimeError("killed")))
    assert len(losses(tmp_path)) == 2
    run(monkeypatch, "train", tmp_path)
    assert [row["loss"] for row in losses(tmp_path)] == [row["loss"] for row in losses(work)]


def test_a_training_that_is_told_to_stop_saves_the_step_that_it_is_at(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(monkeypatch, work, tmp_path, lambda: os.kill(os.getpid(), signal.SIGTERM))
    assert torch.load(tmp_path / "checkpoint.pt", weights_only=True)["state"]["step"] == 3
    run(monkeypatch, "train", tmp_path)
    assert [row["loss"] for row in losses(tmp_path)] == [row["loss"] for row in losses(work)]


def interrupted(
    monkeypatch: pytest.MonkeyPatch, work: Path, folder: Path, happens: Callable[[], object]
) -> None:
    """A training in another folder, which is interrupted in its third step."""
    for name in ("documents.jsonl", "tokenizer.json"):
        shutil.copyfile(work / name, folder / name)
    passes = Samples.passes

    def stopping(self: Samples, step: int, contexts: tuple[int, ...]) -> list[NDArray[np.int64]]:
        if step == 2:
            happens()
        return passes(self, step, contexts)

    with monkeypatch.context() as patched, suppress(RuntimeError):
        patched.setattr(Samples, "passes", stopping)
        run(patched, "train", folder)


def test_a_training_whose_checkpoint_is_lost_goes_on_from_its_model(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copyfile(work / "documents.jsonl", tmp_path / "documents.jsonl")
    shutil.copytree(work / "model", tmp_path / "model")
    run(monkeypatch, "restore", tmp_path)
    restored = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    exported = AutoModelForCausalLM.from_pretrained(work / "model", local_files_only=True).state_dict()
    assert all((restored["model"][name] == weight.float()).all() for name, weight in exported.items())
    run(monkeypatch, "train", tmp_path, "--tokens", "1024")
    assert [row["step"] for row in losses(tmp_path)] == [7, 8]
    with pytest.raises(SystemExit, match="a training is there already"):
        run(monkeypatch, "restore", tmp_path)


def test_a_training_goes_on_elsewhere_from_the_weights_that_were_kept(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("checkpoint.pt", "documents.jsonl"):
        shutil.copyfile(work / name, tmp_path / name)
    run(monkeypatch, "keep", tmp_path)
    average = torch.load(tmp_path / "checkpoint.pt", weights_only=True)["state"]["average"]
    (tmp_path / "checkpoint.pt").unlink()
    shutil.copyfile(work / "tokenizer.json", tmp_path / "model" / "tokenizer.json")
    run(monkeypatch, "restore", tmp_path)
    restored = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert restored["state"]["n_tokens"] == 512
    assert all((restored["model"][name] == weight.half().float()).all() for name, weight in average.items())


def test_a_model_that_does_not_say_what_it_has_seen_cannot_be_gone_on_from(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(work / "model", tmp_path / "model")
    config = tmp_path / "model" / "config.json"
    without = {key: value for key, value in json.loads(config.read_text()).items() if key != "trained_tokens"}
    config.write_text(json.dumps(without))
    with pytest.raises(SystemExit, match="how many tokens"):
        run(monkeypatch, "restore", tmp_path)


def test_a_model_of_the_same_layout_is_loaded_without_a_network(work: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(work / "model", local_files_only=True)
    model = AutoModelForCausalLM.from_pretrained(work / "model", local_files_only=True)
    assert model.config.model_type == "qwen3"
    text = "def f(naïve):\n    return 12 + '\\t'\n"
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    assert tokenizer.decode(ids[0]) == text
    assert model(ids).logits.shape == (1, ids.shape[1], len(tokenizer))


@pytest.mark.parametrize("name", ["packages.txt", "held-out.txt"])
def test_every_package_is_pinned(name: str) -> None:
    lines = (ROOT / "training" / name).read_text(encoding="utf-8").splitlines()
    pinned = re.compile(r"[A-Za-z0-9][\w.-]*==\d[\w.]*")
    assert [line for line in lines if not line.startswith("#") and not pinned.fullmatch(line)] == []
