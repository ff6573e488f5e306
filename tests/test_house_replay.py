"""`fim-lsp replay` and `fim-lsp bench`, on folders small enough for every run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.replay import random_spans

GOOD = 'def f(x, *, y=1):\n    """Doc."""\n    return [x, {y: f"{x!r}"}]\n\n\nprint(f(2))\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text("def f(:\n")
    return tmp_path


def test_true_middles_are_accepted_and_files_that_do_not_parse_excluded(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "stack-randspan", "--source", str(folder), "--cuts", "30"]) == 0
    assert capsys.readouterr().out.startswith("30 cases: 30 accepted; 1 files excluded")


def test_the_same_seed_gives_the_same_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def rows(seed: int) -> list[object]:
        arguments = ["--source", str(folder), "--cuts", "5", "--seed", str(seed), "--json"]
        main(["replay", "stack-randspan", *arguments])
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)
    assert len(rows(1)) == 5


def test_the_limit_counts_cases(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["replay", "stack-randspan", "--source", str(folder), "--limit", "3"])
    assert capsys.readouterr().out.startswith("3 cases: ")


def test_spans_are_cut_as_the_paper_cuts_them() -> None:
    for n_characters in (0, 1, 50, 10_000):
        for start, stop in random_spans(n_characters, 200, "seed"):
            assert 0 <= start <= n_characters * 9 // 10
            assert start <= stop <= n_characters
            assert stop - start <= min(100, n_characters // 5)


def test_a_folder_without_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "stack-randspan", "--source", str(tmp_path)]) == 2
    assert "no cases" in capsys.readouterr().err


def test_a_dataset_that_is_not_there_yet(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "human-eval"]) == 2
    assert "not there yet" in capsys.readouterr().err


def test_bench_prints_a_row_per_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--runs", "2", "--json", str(folder / "good.py")]) == 0
    [timing] = json.loads(capsys.readouterr().out)
    assert timing["n_characters"] == len(GOOD)
    assert all(
        timing[name] > 0
        for name in ("ast_parse", "first", "again", "advance", "is_member", "fork", "witness")
    )
    assert main(["bench", "--runs", "1", str(folder / "good.py")]) == 0
    assert "good.py" in capsys.readouterr().out


def test_bench_says_which_file_has_no_hole_to_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file with a fault before its middle, where the hole would be."""
    (folder / "bad.py").write_text("x = )\n" + "y = 1\n" * 10)
    assert main(["bench", str(folder / "bad.py")]) == 2
    assert "bad.py" in capsys.readouterr().err
