"""`fim-lsp replay edits`: what is foreseen between two releases, the same rows again, and the tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fim_lsp.cli import main
from fim_lsp.edits.hunks import Difference
from fim_lsp.edits.judge import Judge, judge
from fim_lsp.replay.edits.pairs import LISTS
from fim_lsp.replay.journal import read_rows

OLD = "def area(width):\n    a = 1\n    return width\n\n\ndef other():\n    return area(width=2)\n"
NEW = OLD.replace("area(width)", "area(breadth)").replace("return width", "return breadth")
TARGET = NEW.replace("width=2", "breadth=2")


@pytest.fixture
def releases(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, text in ((old, OLD), (new, TARGET)):
        folder.mkdir()
        (folder / "area.py").write_text(text)
        (folder / "same.py").write_text("x = 1\n")
    (old / "gone.py").write_text("x = 1\n")
    return old, new


def replayed(releases: tuple[Path, Path], out: Path, *more: str) -> int:
    old, new = map(str, releases)
    return main(["replay", "edits", "--between", old, new, "--out", str(out), *more])


def test_what_follows_is_foreseen(
    releases: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replayed(releases, tmp_path / "run", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    # The header is changed by hand, the other two hunks are taken as they are shown.
    assert (said["hunks"], said["exact"], said["wrong"], said["files"]) == (3, 2, 0, 1)
    assert said["precision"] == 1.0
    assert (said["taken"], said["not_compiling"], said["undefined"], said["reversed"]) == (2, 0, 0, 0)
    assert said["errors"] == 0


def test_the_same_again_gives_the_same_rows(releases: tuple[Path, Path], tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    assert replayed(releases, one) == replayed(releases, other) == 0
    assert (one / "rows.jsonl").read_bytes() == (other / "rows.jsonl").read_bytes()
    # Going on with what is whole changes nothing.
    assert replayed(releases, one) == 0
    assert read_rows(one) == read_rows(other)


def test_the_tables_go_into_a_page(
    releases: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replayed(releases, tmp_path / "run") == 0
    page = tmp_path / "page.md"
    page.write_text("# Edits\n\n<!-- begin edits -->\n<!-- end edits -->\n")
    assert main(["replay", "report", str(tmp_path / "run"), "--into", str(page)]) == 0
    assert "**What is foreseen**" in page.read_text()
    assert "a name that was changed" in capsys.readouterr().out


def test_a_wrong_proposal_is_counted_and_not_shown_again(
    releases: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (releases[1] / "area.py").write_text(NEW.replace("return breadth", "return 0"))
    assert replayed(releases, tmp_path / "run", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["exact"] == 0
    assert said["wrong"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--between", "nowhere", "nowhere"], "no such folder"),
        (["--between", "a", "a"], "no file differs"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    assert main(["replay", "edits", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_what_is_tuned_on_is_not_measured_on() -> None:
    folder = Path(__file__).parent.parent / "fim_lsp" / "replay" / "edits"
    lists = [
        {line.split()[0] for line in (folder / name).read_text().splitlines() if line[:1] not in ("", "#")}
        for name in LISTS.values()
    ]
    assert not lists[0] & lists[1]
    assert len(lists[0]) == 8


LINES = st.lists(st.sampled_from(["a\n", "b\n", "\n", "c\r\n", "d\r", "e"]), max_size=8).map("".join)


@given(LINES, LINES)
def test_hunks_lead_from_one_text_to_the_other(old: str, new: str) -> None:
    found, at = "", 0
    for hunk in Difference.of(old, new).hunks:
        found += old[at : hunk.old_start] + new[hunk.new_start : hunk.new_stop]
        at = hunk.old_stop
    assert found + old[at:] == new


def test_the_judge_counts() -> None:
    names = (
        "made in this file|passed over|same on the left|same on the right|made|line ends the same"
        "|longest word|stands here|rivals|in a comment|in a string|lines behind the last|line begins the same"
    )
    once = dict.fromkeys(names.split("|"), 0.0) | {"made in this file": 1.0, "made": 1.0}
    often = once | {"made in this file": 3.0, "made": 3.0}
    rows = [(once, False, 1.0)] * 50 + [(often, True, 1.0)] * 50
    found = Judge.of(rows)
    assert found.probability(often) > 0.9
    assert found.probability(once) < 0.1
    assert judge().probability(often) > judge().probability(once)
