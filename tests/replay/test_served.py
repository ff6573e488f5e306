"""Replays with a model on a server or in a GGUF file, which can be resumed like others."""

from __future__ import annotations

from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.commands import replay as replaying
from fim_lsp.decoding.models.model import ModelError
from fim_lsp.replay.modes import ReplaySettings
from tests.models import tiny_model
from tests.served_models import ServedModel, serving

SOURCE = "def area(width, height):\n    return width * height\n\n\n" * 4


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "area.py").write_text(SOURCE)
    (folder / "cart.py").write_text(
        "from area import area\n\n\ndef total(a, b):\n    result = area(a, b)\n    return result\n\n\n"
        "print(total(1, 2))\n"
    )
    return folder


def test_the_papers_holes_are_filled_by_a_server(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    with serving(ServedModel(tiny_model())) as address:
        command = ["replay", "stack-randspan", "--data", str(data), "--modes", "steered", "--max-tokens", "8"]
        command += ["--model", address, "--out", str(out)]
        assert main([*command, "--limit", "2"]) == 0
        first = (out / "rows.jsonl").read_text()
        assert len(first.splitlines()) == 2
        # An existing row is not requested again.
        assert main([*command, "--limit", "2"]) == 0
        assert (out / "rows.jsonl").read_text() == first
    assert address in (out / "plan.json").read_text()
    assert "Traceback" not in capsys.readouterr().err
    # The server is gone, which is reported before anything else.
    assert main([*command, "--limit", "2", "--fresh"]) == 2
    assert "cannot be reached" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["typing", "cross-file"])
def test_projects_are_replayed_with_a_server(what: str, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with serving(ServedModel(tiny_model())) as address:
        command = ["replay", what, "--on", str(data), "--limit", "1", "--model", address, "--out", str(out)]
        command += ["--no-curve"] if what == "typing" else ["--told", "nothing"]
        assert main(command) in (0, 1)
        assert address in (out / "plan.json").read_text()
        assert (out / "rows.jsonl").read_text()


def test_a_gguf_file_is_looked_at_before_any_work_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a file was once taken for a folder, or for a name on the hub."""
    asked: list[str] = []
    monkeypatch.setattr("fim_lsp.decoding.models.gguf.probe_format", asked.append)
    replaying.check_model(ReplaySettings(("steered",), "hole", model="./Qwen.GGUF"))
    assert asked == ["./Qwen.GGUF"]
    monkeypatch.undo()
    with pytest.raises(ModelError, match="--runtime torch cannot"):
        replaying.check_model(ReplaySettings(("steered",), "hole", model="a.gguf", runtime="torch"))
