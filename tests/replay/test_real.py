"""The papers' experiments with a real model, by one command. Here the bundled model stands in for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benches import real


@pytest.fixture
def one_experiment(monkeypatch: pytest.MonkeyPatch) -> None:
    short = "--max-tokens", "8"
    found = real.Experiment("HumanEval", "human-eval"), real.Experiment("MBXP", "mbxp", short)
    monkeypatch.setattr(real, "EXPERIMENTS", found)


@pytest.mark.usefixtures("one_experiment")
def test_a_table_says_who_parses_and_is_put_into_a_page(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n<!-- begin real -->\nold\n<!-- end real -->\nbehind\n")
    command = ["--model", "bundled", "--only", "mbxp", "--limit", "1", "--no-tests"]
    command += ["--out", str(tmp_path / "runs"), "--into", str(page)]
    assert real.main(command) == 0
    said = capfd.readouterr()
    assert "all of it takes about 0:00" in said.err
    assert "HumanEval" not in said.out
    text = page.read_text()
    assert "old" not in text
    assert text.endswith("<!-- end real -->\nbehind\n")
    rows = [line for line in text.splitlines() if line.startswith("| MBXP | bundled |")]
    # The bundled model is not run twice.
    assert len(rows) == len(real.MODES.split(","))
    assert rows[-1].startswith("| MBXP | bundled | Constrained, in scope, names that exist | 1 | 100.00 % |")
    # Nothing is computed again, because the times would differ.
    kept = (tmp_path / "runs/bundled/mbxp/timings.jsonl").read_text()
    assert real.main(command) == 0
    assert (tmp_path / "runs/bundled/mbxp/timings.jsonl").read_text() == kept


def test_what_is_left_is_told_by_what_was_seen(tmp_path: Path) -> None:
    run = real.ExperimentRun(real.EXPERIMENTS[0], "bundled", tmp_path)
    assert run.seconds_left(None) == 0
    run.folder.mkdir(parents=True)
    (run.folder / "timings.jsonl").write_text(
        '{"case": "a", "modes": {"paper": {"seconds": 1.5}, "named": {"seconds": 0.5}}}\n'
    )
    assert run.seconds_left(None) == 2.0 * 199
    assert run.seconds_left(11) == 2.0 * 10
    assert run.seconds_left(1) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [([], "no model: name one"), (["--model", "bundled", "--only", "no"], "no experiment 'no'")],
)
def test_what_cannot_be_run_is_said(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FIM_GGUF", raising=False)
    assert real.main(arguments) == 2
    assert message in capsys.readouterr().err
