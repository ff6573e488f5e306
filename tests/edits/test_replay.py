"""`fim-lsp replay edits`: the edits foreseen between two releases, the same rows in each run, and the
tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fim_lsp
from fim_lsp.cli import main
from fim_lsp.edits.projects.history import History
from fim_lsp.edits.repeating.judge import judge
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Addition, NextEdit
from fim_lsp.edits.texts.hunks import LineDiff
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.positions import Lines
from fim_lsp.replay.edits.pairs import LISTS
from fim_lsp.replay.edits.verdict import n_common, verdict
from fim_lsp.replay.edits.walk import Walk, judge_edit, walk
from fim_lsp.replay.journal import read_rows
from fim_lsp.worth.acceptance import AcceptanceHistory
from quotient import Language

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
    # The header is changed by hand, and the other two hunks are accepted as shown.
    assert (said["hunks"], said["exact"], said["wrong"], said["files"]) == (3, 2, 0, 1)
    assert said["precision"] == 1.0
    assert (said["taken"], said["not_compiling"], said["undefined"], said["reversed"]) == (2, 0, 0, 0)
    assert said["errors"] == 0


def test_what_another_file_defines_is_followed(
    releases: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An import and the uses of its name are one edit, and count as two foreseen hunks."""
    old, new = releases
    for folder, text in (
        (old, OLD),
        (new, TARGET.replace("def area", "def size").replace("area(b", "size(b")),
    ):
        (folder / "area.py").write_text(text)
    till = "from area import area\n\nx = 1\nprint(area(2))\n"
    (old / "till.py").write_text(till)
    (new / "till.py").write_text(till.replace("import area", "import size").replace("area(2", "size(2"))
    assert replayed(releases, tmp_path / "run", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["hunks"], said["covered"], said["wrong"]) == (5, 2, 0)
    assert said["repeated_exact"] == 4


def test_the_same_again_gives_the_same_rows(releases: tuple[Path, Path], tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    assert replayed(releases, one) == replayed(releases, other) == 0
    assert (one / "rows.jsonl").read_bytes() == (other / "rows.jsonl").read_bytes()
    # Continuing a complete run changes nothing.
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
    folder = Path(fim_lsp.__file__).parent / "replay" / "edits"
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
    for hunk in LineDiff.of(old, new).hunks:
        found += old[at : hunk.old_start] + new[hunk.new_start : hunk.new_stop]
        at = hunk.old_stop
    assert found + old[at:] == new


def test_the_judge_counts() -> None:
    """A replacement that was made often and nowhere omitted is more certain than one made once and omitted
    once."""
    names = [*judge().trees.names, "made alike", "passed over alike"]
    once = dict.fromkeys(names, 0.0) | {"made": 1.0, "files": 1.0, "passed over here": 3.0, "words": 1.0}
    once |= {name: 0.1 for name in names if name.startswith("share of")}
    often = once | {"made": 8.0, "made so": 8.0, "made so in this file": 8.0, "passed over here": 0.0}
    often |= {name: 1.0 for name in names if name.startswith("share")} | {"same around": 4.0}
    least, most = judge().probabilities([once, often])
    assert least < 0.1
    assert most > 0.7


OLD_LINE = "    self.assertEquals(a, b, 'both')\n"


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("    self.assertEqual(a, b, 'both')\n", "exact"),
        ("    self.assertEqual(a, b, 'all')\n", "inside"),
        ("    self.assertTrue(a, b, 'both')\n", "wrong"),
        ("    self.assertEquals(a, b, 'both')\n    assertEqual = 1\n", "wrong"),
        ("    check(c)\n    assertEqual = 1\n", "wrong"),
        ("", "wrong"),
    ],
)
def test_what_an_edit_comes_to(goal: str, expected: str) -> None:
    text, target = f"def f():\n{OLD_LINE}", f"def f():\n{goal}"
    start = text.index("assertEquals")
    edit = NextEdit("a.py", start, start + 12, "assertEquals", "assertEqual", "", 1.0)
    rest = LineDiff.of(text, target).hunks
    assert verdict(Lines(text), Lines(target), rest, edit)[0] == expected


def test_two_lines_of_a_hunk_are_a_part_each() -> None:
    text, target = "a = one\nb = two\n", "a = three\nb = four\n"
    edit = NextEdit("a.py", 4, 7, "one", "three", "", 1.0)
    assert verdict(Lines(text), Lines(target), LineDiff.of(text, target).hunks, edit)[0] == "part"


@given(st.lists(st.sampled_from("abc"), max_size=9), st.lists(st.sampled_from("abc"), max_size=9))
def test_the_longest_common_subsequence(one: list[str], other: list[str]) -> None:
    table = [[0] * (len(other) + 1)]
    for symbol in one:
        above, row = table[-1], [0]
        for number, said in enumerate(other):
            row.append(above[number] + 1 if said == symbol else max(above[number + 1], row[-1]))
        table.append(row)
    assert n_common(one, other) == table[-1][-1]


def test_what_was_left_alone_in_a_file_is_remembered() -> None:
    history = History()
    history.add(FileChange.of("a.py", "x = old(1)\ny = old(2)\n", "x = new(1)\ny = old(2)\n"))
    history.add(FileChange.of("b.py", "z = old(3)\nw = 1\n", "z = old(3)\nw = 2\n"))
    [one] = [one for one in history.of("old") if one.key == ("old", "new")]
    assert [made.place.path for made in one.made] == ["a.py"]
    assert [place.path for place in one.passed] == ["a.py", "b.py"]
    assert not history.of("nothing of it")


@pytest.mark.parametrize(
    ("behind", "then", "expected"),
    [
        ("b = old(2)\n", "b = new(2)\n", True),
        # A rewritten or moved line is a new replacement.
        ("b = old(2)\nx = 1\n", "b = new(2)\nreturn sorted(everything, key=len)\n", False),
        ("b = old(2)\n", "  b = new(2)\n", False),
    ],
)
def test_what_was_made_before_is_nothing_else(behind: str, then: str, expected: bool) -> None:
    old, target = f"a = old(1)\n\n{behind}", f"a = new(1)\n\n{then}"
    language = Language.load("python")
    steps = [*walk("a.py", old, target, (), language, lambda _change, _refused, _document, _acceptance: [])]
    assert [one.is_repeated for one in steps if one.is_hunk] == [False, expected]


def test_the_bar_follows_what_was_taken_and_refused() -> None:
    """If each shown edit is right, the bar falls; if each is wrong, it rises."""
    old = "".join(f"a = old({n})\n\n" for n in range(6))
    target = old.replace("old", "new")
    language = Language.load("python")

    def bars(new: str) -> list[float]:
        found: list[float] = []

        def proposed(
            change: FileChange, _refused: object, _document: object, acceptance: AcceptanceHistory
        ) -> list[NextEdit]:
            found.append(acceptance.adjusted_bar(0.65))
            start = change.new.text.index("old")
            return [NextEdit("a.py", start, start + 3, "old", new, "", 1.0)]

        assert len([*walk("a.py", old, target, (), language, proposed)]) > 5
        return found

    taken, refused = bars("new"), bars("other")
    assert taken[0] == refused[0] == pytest.approx(0.65)
    assert taken == sorted(taken, reverse=True)
    assert refused == sorted(refused)
    assert taken[-1] < 0.55
    assert 0.75 < refused[-1] < 0.8


@pytest.mark.parametrize(
    ("now", "edited", "goal", "expected"),
    [
        ("def f(a):\n", "def f(a: int):\n", "def f(a: int) -> Mapping[str, list[int]]:\n", "inside"),
        ("def f(a):\n", "def f(a: int):\n", "def f(a: int) -> Mapping[str, list[int | str]]:\n", "inside"),
        ("x._rows[k] = v  # type: ignore[attr-defined]\n", "x.__rows[k] = v  # type: ignore[attr-defined]\n",
         "x.__rows[k] = v\n", "inside"),
        # A formatter breaks a line that has become too long.
        ("def f(a, b):\n", "def f(a: int, b):\n", "def f(\n    a: int,\n    b: Sequence[int],\n) -> None:\n",
         "inside"),
        ("def f(a, b):\n", "def f(a: str, b):\n", "def f(\n    a: int,\n    b: Sequence[int],\n) -> None:\n",
         "wrong"),
        # Nothing of the edit has to be undone, although the brackets stood there before.
        ("a: Optional[dict]\n", "a: dict | None\n", "a: dict[str, int] | None\n", "inside"),
        # A line that has little in common with the other one proves nothing.
        ("f(a)\n", "f(b)\n", "x = [f(c) for c in b if c.is_open and c.name in known]\n", "wrong"),
    ],
)  # fmt: skip
def test_a_line_may_go_on_to_change(now: str, edited: str, goal: str, expected: str) -> None:
    edit = NextEdit("a.py", 0, len(now), now, edited, "", 1.0)
    assert verdict(Lines(now), Lines(goal), LineDiff.of(now, goal).hunks, edit)[0] == expected


@pytest.mark.parametrize(
    ("imported", "expected"),
    [
        ("from typing import TYPE_CHECKING, Any\n", "exact"),
        ("from shop import Any\n", "wrong"),
        ("", "wrong"),
    ],
)
def test_an_import_that_goes_with_an_edit_is_where_the_next_release_has_it(
    imported: str, expected: str
) -> None:
    now, goal = "import os\n\n\ndef f(a):\n    pass\n", "import os\n\n\ndef f(a: Any):\n    pass\n"
    goal = imported + goal
    edit = NextEdit("a.py", 18, 19, "a", "a: Any", "", 1.0, (Addition(9, 9, "\nfrom typing import Any\n"),))
    source, rest = SourceText("a.py", now), [*LineDiff.of(now, goal).hunks]
    document = Language.load("python").document(now)
    one = Walk(source, source, Lines(goal), document, rest, set())
    assert judge_edit(one, edit)[0] == expected
