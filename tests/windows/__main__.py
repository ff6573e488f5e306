"""`python -m tests.windows`: the tests on a Windows in a folder, then a day of an editor there.

    python -m tests.windows [--wheel FILE] [--edits 10000] [FILE ...]

It prints a table of passed tests and of the reasons for skips, the share of all tests, and how many
completions are the same as on this machine. `make windows` runs it; named files, such as
`server/test_life.py`, run alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.systems.compared import MODULE, ask_both
from tests.systems.compared import table as table_of_answers
from tests.systems.results import Outcome, slowest, table
from tests.systems.running import Runner
from tests.windows.chosen import files, name_of, needs
from tests.windows.setting_up import FOLDER, HOME, ROOT, Missing, kept_running, on_drive, python, set_up
from tests.windows.share import collect, shared, table_of_shares

REPORTS = HOME / "reports"
TESTS = ROOT / "tests"
# On Linux a file of tests takes at most a minute.
LIMIT = 900.0
# They wait for servers more than they compute.
JOBS = 2 * (os.cpu_count() or 1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.windows", description="the tests on Windows")
    parser.add_argument(
        "names", nargs="*", metavar="FILE", help="files of tests (default: all that are chosen)"
    )
    parser.add_argument("--wheel", type=Path, help="our wheel for Windows (default: the one in dist/wheels)")
    parser.add_argument(
        "--edits", type=int, default=10_000, help="of the editor's day; 0 for none (%(default)s)"
    )
    parser.add_argument(
        "--places", type=int, default=500, help="completed on both systems; 0 for none (%(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=JOBS, help="processes at a time (%(default)s)")
    options = parser.parse_args()
    wheel = options.wheel or next((ROOT / "dist" / "wheels").glob("fim_lsp-*-win_amd64.whl"), None)
    try:
        if wheel is None:
            raise Missing("there is no wheel for it: make wheels PLATFORM=win32-x64")
        set_up(wheel)
    except Missing as missing:
        print(f"windows: no Windows on this machine. {missing}", file=sys.stderr)
        return 1
    with kept_running():
        said, has_held = everything(options, wheel)
    print(said)
    (FOLDER / "results.md").write_text(said + "\n", encoding="utf-8")
    return 0 if has_held else 1


def everything(options: argparse.Namespace, wheel: Path) -> tuple[str, bool]:
    """The tests, the places and the day: the printed lines, and whether everything passed."""
    # Work of a single process runs beside the tests, which often wait.
    with ThreadPoolExecutor(1) as beside:
        asked = beside.submit(ask_both, options.places, FOLDER, answers) if options.places else None
        played = beside.submit(day, options.edits) if options.edits else None
        collected = collect(options.names)
        outcomes = run(options.names, options.jobs, wheel, collected)
        failures = [(one.name, test, why) for one in outcomes for test, why in one.failed.items()]
        for name, test, why in failures:
            print(f"windows: {name}: {test}: {why}", file=sys.stderr)
        told, held = [table(outcomes), slowest(outcomes)], [not failures]
        if not options.names:
            counts = shared(collected, outcomes)
            told.append(table_of_shares(counts))
            held.append(counts.is_enough)
        if asked is not None:
            told.append(table_of_answers(asked.result(), "Windows"))
            held.append(asked.result().is_same)
        if played is not None:
            held.append(played.result())
    return "\n\n".join(told), all(held)


def answers(count: int) -> Path:
    """The answers of Windows at the same places."""
    written = HOME / "answers.json"
    done = python("-m", MODULE, on_drive(written), str(count), timeout=None)
    if done.returncode != 0:
        raise SystemExit(f"windows: {done.stderr.decode(errors='replace')[-2000:]}")
    return written


def run(names: list[str], jobs: int, wheel: Path, collected: Counter[str]) -> list[Outcome]:
    """Runs the tests. Those that need a missing package count as skipped."""
    chosen = [path for path in files(TESTS) if not names or name_of(path, TESTS) in names]
    runner = Runner("windows", begin, on_drive, TESTS, REPORTS, wheel, LIMIT)
    there = [path for path in chosen if needs(path, TESTS) is None]
    outcomes = runner.run(there, jobs, collected)
    for path in chosen:
        if package := needs(path, TESTS):
            without = Outcome(name_of(path, TESTS))
            without.skipped[f"{package} is not installed there"] = collected[without.name]
            outcomes.append(without)
    return sorted(outcomes, key=lambda one: one.name)


def begin(
    paths: Sequence[Path], arguments: list[str], variables: dict[str, str], limit: float
) -> subprocess.CompletedProcess[bytes]:
    there = ["--timeout=900", r"--rootdir=C:\fim\sources", "-c", r"C:\fim\sources\pyproject.toml"]
    tests = ["\\".join([r"C:\fim\sources\tests", *path.relative_to(TESTS).parts]) for path in paths]
    return python("-m", "pytest", *arguments, *there, *tests, timeout=limit, variables=variables)


def day(edits: int) -> bool:
    """An editor's day, played by a program that runs there, too."""
    done = python("-m", "tests.systems.day", str(edits), timeout=1500 + edits / 2)
    said = done.stdout.decode(errors="replace")
    print(said if done.returncode == 0 else f"{said}{done.stderr.decode(errors='replace')[-3000:]}")
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
