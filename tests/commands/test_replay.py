"""`fim-lsp replay` and `fim-lsp bench`, on folders small enough for every run."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fim_lsp.cli import main
from fim_lsp.replay.report import plots

GOOD = 'def f(x, *, y=1):\n    """Doc."""\n    return [x, {y: f"{x!r}"}]\n\n\nprint(f(2))\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = tmp_path / "files"
    files.mkdir()
    (files / "good.py").write_bytes(GOOD.encode())
    (files / "bad.py").write_text("def f(:\n")
    return files


@pytest.fixture(autouse=True)
def _without_figures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips drawing, which takes seconds; only the test of reports draws."""
    if request.function is not test_reports_in_all_forms:
        monkeypatch.setattr(plots, "has_plots", lambda: False)


def replay(folder: Path, *arguments: str, out: str = "run") -> int:
    """Replays the true middles of a folder's files, without a model."""
    where = ["--data", str(folder), "--modes", "truth", "--out", str(folder.parent / out)]
    return main(["replay", "stack-randspan", *where, *arguments])


def rows(folder: Path, out: str = "run") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder.parent / out / "rows.jsonl").read_text().splitlines()]


def test_true_middles_are_accepted_and_files_that_do_not_parse_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(folder, "--cuts", "30", "--json") == 0
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert tables["success"][0]["Parse"] == "30"
    assert tables["excluded"] == [{"Reason": "does not parse", "Files": "1"}]


def test_the_same_seed_gives_the_same_file_of_rows(folder: Path) -> None:
    for seed, out in (("1", "one"), ("1", "again"), ("2", "two")):
        replay(folder, "--seed", seed, out=out)
    one, again, two = ((folder.parent / out / "rows.jsonl").read_bytes() for out in ("one", "again", "two"))
    assert one == again
    assert one != two


def test_many_workers_write_the_same_file_as_one(folder: Path) -> None:
    replay(folder, "--cuts", "5")
    replay(folder, "--cuts", "5", "--workers", "2", out="many")
    assert rows(folder) == rows(folder, "many")


def test_a_run_goes_on_where_it_stopped(folder: Path) -> None:
    replay(folder, "--limit", "3", out="parts")
    assert len(rows(folder, "parts")) == 3
    # A kill leaves a row that is cut off.
    path = folder.parent / "parts" / "rows.jsonl"
    path.write_bytes(path.read_bytes()[:-5])
    replay(folder, out="parts")
    replay(folder, out="whole")
    whole = (folder.parent / "whole" / "rows.jsonl").read_bytes()
    assert path.read_bytes() == whole


def test_a_folder_with_another_run_is_left_alone_unless_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay(folder)
    assert replay(folder, "--seed", "1") == 2
    assert "holds another run (seed was 0, is 1)" in capsys.readouterr().err
    assert replay(folder, "--seed", "1", "--fresh") == 0


def test_reports_in_all_forms(folder: Path) -> None:
    replay(folder, "--parquet", "--limit", "5")
    run = folder.parent / "run"
    table = import_module("pyarrow.parquet").read_table(run / "rows.parquet")
    assert table.num_rows == 5
    assert table["truth.parses"].to_pylist() == [True] * 5
    assert "| True middle | 5 | 5 | 100.00 % |" in (run / "report.md").read_text(encoding="utf-8")
    page = (run / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "success,True middle,Parse,5" in (run / "tables.csv").read_text(encoding="utf-8")
    assert len((run / "cases.csv").read_text(encoding="utf-8").splitlines()) == 6
    before = (run / "report.md").read_bytes()
    assert main(["replay", "report", str(run)]) == 0
    assert (run / "report.md").read_bytes() == before


def test_the_tables_go_between_their_marks_in_a_document(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay(folder, "--limit", "5")
    page = folder.parent / "page.md"
    page.write_text("# Page\n\n<!-- begin stack-randspan -->\nold\n<!-- end stack-randspan -->\n\nbehind\n")
    command = ["replay", "report", str(folder.parent / "run"), "--into", str(page)]
    assert main(command) == main(command) == 0
    text = page.read_text()
    assert text.startswith("# Page\n\n<!-- begin stack-randspan -->\n\nCases: 5;")
    assert text.endswith("<!-- end stack-randspan -->\n\nbehind\n")
    assert text.count("| True middle | 5 | 5 | 100.00 % |") == 1
    assert "old" not in text
    page.write_text("no marks")
    assert main(command) == 2
    assert "has no place" in capsys.readouterr().err


def test_the_cases_alone(folder: Path) -> None:
    path = folder.parent / "cases.jsonl"
    assert replay(folder, "--cases", str(path), "--limit", "4") == 0
    cases = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(cases) == 4
    assert all(case["left"] + case["middle"] + case["right"] == GOOD for case in cases)


def test_comparing_a_run_with_itself_and_with_a_worse_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay(folder, "--limit", "3")
    replay(folder, "--limit", "3", out="worse")
    run, worse = str(folder.parent / "run"), str(folder.parent / "worse")
    path = folder.parent / "worse" / "rows.jsonl"
    broken = rows(folder, "worse")
    broken[1]["modes"]["truth"]["parses"] = False
    path.write_text("".join(json.dumps(row) + "\n" for row in broken))
    capsys.readouterr()
    assert main(["replay", "compare", run, run]) == 0
    assert "3 compared: 0 better, 0 worse" in capsys.readouterr().out
    assert main(["replay", "compare", run, worse]) == 1
    assert f"worse: {broken[1]['case']} (truth) no longer parses" in capsys.readouterr().out
    assert main(["replay", "compare", worse, run]) == 0
    assert "1 better, 0 worse" in capsys.readouterr().out
    assert main(["replay", "compare", run, str(folder)]) == 2


def test_cases_through_the_server_over_stdio(folder: Path) -> None:
    """Without a model, only open brackets and blocks are closed."""
    (folder / "crlf.py").write_bytes(b"x = (1,\r\n     '\xf0\x9f\x90\x8d', 2)\r\n")
    (folder / "nested.py").write_text(f"x = {'(' * 30}1{')' * 30}\n")
    out = ["--data", str(folder), "--out", str(folder.parent / "run")]
    assert main(["replay", "stack-boundary", "--through-lsp", "--model", "none", "--cuts", "6", *out]) == 0
    served = [row["modes"]["served"] for row in rows(folder)]
    assert len(served) == 18
    assert all(outcome["error"] is None for outcome in served), served
    assert all(outcome["parses"] for outcome in served if outcome["stopped_by"] == "item"), served
    assert any(outcome["text"] for outcome in served)


def test_a_run_leaves_the_folder_that_it_is_started_in_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files, here = tmp_path / "files", tmp_path / "here"
    files.mkdir()
    here.mkdir()
    (files / "a.py").write_text("def f(a, b):\n    return (a + b) * 2\n")
    monkeypatch.chdir(here)
    monkeypatch.setenv("FIM_LSP_CACHE", str(tmp_path / "cache"))
    command = ["replay", "stack-randspan", "--modes", "truth", "--limit", "1", "--data", str(files)]
    assert main(command) == 0
    assert list(here.iterdir()) == []
    kept = tmp_path / "cache" / "replays" / "stack-randspan"
    assert (kept / "report.md").is_file()
    assert f"in {kept}: " in capsys.readouterr().err


def test_a_folder_without_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "stack-randspan", "--modes", "truth", "--data", str(tmp_path)]) == 2
    assert "no cases: there are no Python files in" in capsys.readouterr().err
    assert main(["bench", str(tmp_path)]) == 2
    nothing = f"{tmp_path}: there is no file of Python, Go, Java, JavaScript, "
    assert capsys.readouterr().err.startswith(f"fim-lsp bench: {nothing}")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--modes", "truth,guessed"], "no mode 'guessed'"),
        (["--limit", "0"], "at least 1"),
        (["--modes", "truth", "--python-version", "3.99"], "run fim-lsp on Python 3.99 or later"),
        (["--modes", "truth", "--data", "no/such/folder/at/all"], "no such folder"),
        (["--model", "no/such/folder/at/all"], "neither a folder nor a name"),
    ],
)
def test_what_cannot_be_done(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["replay", "stack-randspan", "--out", str(tmp_path), "--limit", "1", *arguments]
    try:
        code = main(command)
    except SystemExit as usage:
        code = usage.code if isinstance(usage.code, int) else -1
    assert code == 2
    assert words in capsys.readouterr().err


def test_bench_prints_a_row_per_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--runs", "2", "--json", str(folder / "good.py")]) == 0
    [timing] = json.loads(capsys.readouterr().out)["files"]
    assert timing["n_characters"] == len(GOOD)
    assert all(
        timing[name] > 0
        for name in ("ast_parse", "first", "again", "advance", "is_member", "fork", "witness")
    )
    assert main(["bench", "--runs", "1", str(folder / "good.py")]) == 0
    assert "good.py" in capsys.readouterr().out


def test_bench_says_which_file_has_no_hole_to_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file has a fault in front of its middle, where the hole would be."""
    (folder / "bad.py").write_text("x = )\n" + "y = 1\n" * 10)
    assert main(["bench", str(folder / "bad.py")]) == 2
    assert "bad.py" in capsys.readouterr().err
