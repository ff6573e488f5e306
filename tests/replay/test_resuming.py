"""A run that is killed or interrupted continues where it stopped, and ends with the same table."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fim_lsp.cli import main
from fim_lsp.replay.journal import Journal, Row
from fim_lsp.replay.report import plots
from fim_lsp.system.kind import is_windows
from fim_lsp.system.processes import deaf_children
from tests.kills import RETURNED

# mypy knows no types for it.
psutil: Any = import_module("psutil")
ROOT = Path(__file__).parents[2]
# A program that replays true middles, prints its workers' ids, and dies as if by `kill -9` at the fourth row.
KILLED = """
import json, sys
import psutil
from fim_lsp.cli import main
from fim_lsp.replay.journal import Journal
append = Journal.append
def dying(self, row, timing):
    append(self, row, timing)
    if len(self.done) == 4:
        print(json.dumps([child.pid for child in psutil.Process().children(recursive=True)]), flush=True)
        psutil.Process().kill()
Journal.append = dying
if __name__ == "__main__":
    main(sys.argv[1:])
"""


@pytest.fixture(autouse=True)
def _without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "has_plots", lambda: False)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.py").write_text(f"def f_{number}(x):\n    return [x, {number}]\n" * 3)
    return folder


def command(files: Path, out: Path, *arguments: str) -> list[str]:
    where = ["--data", str(files), "--out", str(out)]
    return ["replay", "stack-boundary", "--modes", "truth", "--cuts", "4", *where, *arguments]


# The tables with figures in seconds.
TIMED = ("cost,", "overhead,")


def tables(out: Path) -> tuple[bytes, str]:
    """The rows, and the report without figures in seconds."""
    report = (out / "tables.csv").read_text(encoding="utf-8").splitlines()
    return (out / "rows.jsonl").read_bytes(), "\n".join(line for line in report if not line.startswith(TIMED))


@pytest.mark.parametrize("n_workers", [1, 2])
def test_a_killed_run_goes_on_to_the_same_table(tmp_path: Path, files: Path, n_workers: int) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    out = tmp_path / "killed"
    arguments = command(files, out, "--workers", str(n_workers))
    killed = subprocess.run(
        [sys.executable, str(script), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert killed.returncode == RETURNED, killed.stderr
    assert len((out / "rows.jsonl").read_text().splitlines()) == 4
    # No process is left that waits for further cases.
    workers = [psutil.Process(pid) for pid in json.loads(killed.stdout) if psutil.pid_exists(pid)]
    assert psutil.wait_procs(workers, timeout=30)[1] == []

    assert main(arguments) == 0
    assert main(command(files, tmp_path / "whole")) == 0
    assert tables(out) == tables(tmp_path / "whole")


def test_an_interrupted_run_says_how_to_go_on(
    tmp_path: Path, files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    append = Journal.append

    def interrupted(self: Journal, row: Row, timing: Row) -> None:
        append(self, row, timing)
        if len(self.done) == 5:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", interrupted)
        assert main(command(files, tmp_path / "run")) == 130
    assert "5 rows are in" in capsys.readouterr().err
    assert main(command(files, tmp_path / "run")) == 0
    assert main(command(files, tmp_path / "whole")) == 0
    assert tables(tmp_path / "run") == tables(tmp_path / "whole")


# The test sends Ctrl-C to all processes at once, as a terminal does, after the server's first answer.
# Background processes, which these tests may be, ignore it by default.
INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from fim_lsp.cli import main
from fim_lsp.replay.journal import Journal
append = Journal.append
def interrupted(self, row, timing):
    append(self, row, timing)
    os.killpg(0, signal.SIGINT)
Journal.append = interrupted
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(is_windows(), reason="Windows sends no signals to groups of processes")
def test_ctrl_c_is_heard_by_the_parent_and_not_by_the_server(tmp_path: Path, files: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    answer = subprocess.run(
        [sys.executable, str(script), *command(files, tmp_path / "run", "--through-lsp", "--model", "none")],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert answer.returncode == 130, answer.stderr
    assert "1 rows are in" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.skipif(is_windows(), reason="Windows has no signals to be deaf to")
def test_workers_are_deaf_to_ctrl_c_before_they_can_say_so() -> None:
    script = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with deaf_children():
        answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout == "True\n"
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before
