"""Figures know the code that they were measured on, and `benches.age` reports the outdated ones."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from benches.age import MEASURED, Age, ages
from benches.origin import origin, origin_sentence
from tests.house.own_files import path_of, tracked

needs_git = pytest.mark.skipif(not shutil.which("git"), reason="git is not there")


def commit(root: Path, **files: str) -> str:
    """Commits files, each with `_` in front of its ending. Returns git's name of the commit."""
    for name, text in files.items():
        (root / name.replace("_", ".")).write_text(text, encoding="utf-8")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    for command in (["add", "."], [*who, "commit", "--quiet", "-m", "a"]):
        subprocess.run(["git", "-C", str(root), *command], check=True)
    said = ["git", "-C", str(root), "rev-parse", "--short", "HEAD"]
    return subprocess.run(said, capture_output=True, text=True, check=True).stdout.strip()


@needs_git
def test_figures_are_as_old_as_what_has_changed_since(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    first = commit(tmp_path, code_py="1", other_py="1")
    # One file names its commit; for the other one, its last change counts.
    said = json.dumps({"head": f"{first}+", "figures": {}})
    second = commit(tmp_path, code_py="2", said_json=said, page_md="On a machine.")
    commit(tmp_path, other_py="2")
    measured = {"said.json": ("code.py",), "page.md": ("code.py",)}
    assert [*ages(measured, tmp_path)] == [Age("said.json", first, 1), Age("page.md", second, 0)]
    commit(tmp_path, code_py="3")
    assert [age.n_commits for age in ages(measured, tmp_path)] == [2, 1]


def test_all_results_are_of_some_code_that_is_there() -> None:
    results = [name for name in tracked("benches/results") if name.endswith(".json")]
    assert {*results} == {name for name in MEASURED if name.endswith(".json")}
    for name, code in MEASURED.items():
        assert path_of(name).is_file()
        assert [one for one in code if not path_of(one).exists()] == []


def test_results_say_their_machine_their_day_and_their_code() -> None:
    assert origin().keys() == {"machine", "date", "head"}
    told = origin_sentence({"machine": "a machine", "date": "2026-01-02", "head": "abc"})
    assert told == "a machine, 2026-01-02, of abc"
    assert (
        origin_sentence({"machine": "a machine", "date": "2026-01-02", "head": ""}) == "a machine, 2026-01-02"
    )
