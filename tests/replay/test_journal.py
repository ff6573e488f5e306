"""A run's folder survives any end of its process, and only the same run can continue it."""

from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from fim_lsp.replay.case import Excluded
from fim_lsp.replay.journal import ROWS, TIMINGS, Journal, NotResumable, read_rows, replace
from fim_lsp.replay.progress import CaseProgress
from fim_lsp.replay.report.results import Results
from tests.kills import RETURNED

PLAN = {"seed": 0, "modes": ["truth"]}


def add(journal: Journal, *names: str) -> None:
    for name in names:
        journal.append({"case": name, "text": "ä\n"}, {"case": name, "seconds": 1.0})


def cases(folder: Path, name: str = ROWS) -> list[str]:
    return [row["case"] for row in read_rows(folder, name)]


def test_rows_are_there_at_once_and_in_order_at_the_end(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN) as journal:
        add(journal, "b", "a", "c")
        assert cases(tmp_path) == cases(tmp_path, TIMINGS) == ["b", "a", "c"]
        journal.finish(["a", "b", "c"], [Excluded("bad.py", "does not parse")])
    assert cases(tmp_path) == cases(tmp_path, TIMINGS) == ["a", "b", "c"]
    assert read_rows(tmp_path, "excluded.jsonl") == [
        {"name": "bad.py", "reason": "does not parse", "detail": ""}
    ]


@pytest.mark.parametrize("n_torn", range(1, 30))
def test_a_torn_last_line_is_cut_off(tmp_path: Path, n_torn: int) -> None:
    with Journal(tmp_path, PLAN) as journal:
        add(journal, "a", "b")
    path = tmp_path / ROWS
    path.write_bytes(path.read_bytes()[:-n_torn])
    with Journal(tmp_path, PLAN) as journal:
        assert journal.done == {"a"}
        add(journal, "b")
        journal.finish(["a", "b"], [])
    assert cases(tmp_path) == cases(tmp_path, TIMINGS) == ["a", "b"]


def test_zeros_as_a_power_cut_leaves_them_are_cut_off(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN) as journal:
        add(journal, "a")
    with (tmp_path / ROWS).open("ab") as file:
        file.write(b"\0" * 100 + b"\n")
    with Journal(tmp_path, PLAN) as journal:
        assert journal.done == {"a"}


def test_a_timing_without_a_row_is_of_a_case_that_is_not_done(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN) as journal:
        add(journal, "a")
    with (tmp_path / TIMINGS).open("ab") as file:
        file.write(b'{"case":"b","seconds":1.0}\n')
    with Journal(tmp_path, PLAN) as journal:
        assert journal.done == {"a"}
        journal.append({"case": "b"}, {"case": "b", "seconds": 2.0})
        journal.finish(["a", "b"], [])
    assert [row["seconds"] for row in read_rows(tmp_path, TIMINGS)] == [1.0, 2.0]


def test_another_run_does_not_go_on_here(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN) as journal:
        add(journal, "a")
    other = PLAN | {"seed": 1}
    with pytest.raises(NotResumable, match="seed was 0, is 1"), Journal(tmp_path, other):
        pass
    with Journal(tmp_path, other, is_fresh=True) as journal:
        assert journal.done == set()


def test_a_plan_that_came_to_nothing_is_not_in_the_way(tmp_path: Path) -> None:
    """A run that had no model, for example, leaves such a plan."""
    with Journal(tmp_path, PLAN):
        pass
    with Journal(tmp_path, PLAN | {"seed": 1}) as journal:
        add(journal, "a")
    with pytest.raises(NotResumable, match="seed was 1, is 0"), Journal(tmp_path, PLAN):
        pass


@pytest.mark.parametrize("plan", ["", "{", "[]", "5", "{}", '{"settings": 1, "selection": 2}'])
def test_a_plan_of_something_else_is_no_run(tmp_path: Path, plan: str) -> None:
    (tmp_path / "plan.json").write_text(plan)
    with pytest.raises(NotResumable, match=r"plan\.json: not "):
        Results.of(tmp_path)


@pytest.mark.parametrize("row", ["5", '"a"', "{}", '{"case": "a"}'])
def test_rows_of_something_else_are_no_run(tmp_path: Path, row: str) -> None:
    (tmp_path / "plan.json").write_text('{"settings": {}, "selection": {}}')
    (tmp_path / ROWS).write_text(f"{row}\n")
    with pytest.raises(NotResumable, match="a row of something else"):
        Results.of(tmp_path)


def test_what_cannot_be_written_leaves_nothing_beside_it(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Is a directory") as raised:
        replace(tmp_path, [b"a"])
    assert raised.value.filename == str(tmp_path)
    assert not tmp_path.with_name(f"{tmp_path.name}.new").exists()


def test_rows_without_a_plan_are_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / ROWS).write_text("{}\n")
    with pytest.raises(NotResumable, match="it is not known"), Journal(tmp_path, PLAN):
        pass


@pytest.mark.parametrize("is_fresh", [False, True])
def test_one_process_at_a_time(tmp_path: Path, is_fresh: bool) -> None:
    """A run that begins anew does not delete the rows of a running one either."""
    with Journal(tmp_path, PLAN) as journal:
        add(journal, "a")
        with pytest.raises(NotResumable, match="another process"), Journal(tmp_path, PLAN, is_fresh):
            pass
        assert cases(tmp_path) == ["a"]


KILLED = """
import sys
import psutil
from pathlib import Path
from fim_lsp.replay.journal import Journal
with Journal(Path(sys.argv[1]), {"seed": 0}) as journal:
    for name in "abcde":
        journal.append({"case": name}, {"case": name})
    psutil.Process().kill()
"""


def test_kill_9_loses_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    assert subprocess.run(command, check=False, cwd=Path(__file__).parents[2]).returncode == RETURNED
    with Journal(tmp_path, {"seed": 0}) as journal:
        assert journal.done == set("abcde")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_where_signs_are_drawn_there_is_a_bar_and_elsewhere_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert CaseProgress(Terminal(), 4, 1).text().startswith("[######------------------] 1/4")
    assert CaseProgress(StringIO(), 4, 1).text().startswith("1/4")
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patched:
            patched.setenv(name, value)
            stream = Terminal()
            progress = CaseProgress(stream, 1)
            progress.step()
            progress.close()
            assert stream.getvalue().startswith("1/1")
            assert not set("\r\x1b[#") & set(stream.getvalue())


def test_the_bar_tells_the_rate_and_the_time_that_is_left() -> None:
    now = [0.0]
    stream = StringIO()
    progress = CaseProgress(stream, total=10, n_before=2, clock=lambda: now[0])
    assert "waiting" in progress.text()
    for _ in range(4):
        now[0] += 15.0
        progress.step()
    assert progress.text().endswith("6/10  4.0 cases/min, 1:00 left")
    assert progress.text().startswith("6/10")
    # Without a terminal: a line every half minute, and whole lines only.
    assert stream.getvalue().count("\n") == 2
    assert "\r" not in stream.getvalue()
    while progress.n_done < 10:
        now[0] += 0.01
        progress.step()
    assert "10/10" in stream.getvalue().splitlines()[-1]


def test_rows_are_plain_lines_of_ascii(tmp_path: Path) -> None:
    """So a row cannot be cut inside a character, and no two rows share a line."""
    with Journal(tmp_path, PLAN) as journal:
        journal.append({"case": "a", "text": "\u2028\x85ä\udc80"}, {"case": "a"})
    content = (tmp_path / ROWS).read_bytes()
    assert content.isascii()
    assert content.count(b"\n") == 1
    assert json.loads(content)["text"] == "\u2028\x85ä\udc80"
