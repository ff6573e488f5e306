"""`python -m tests.windows`: the tests on a Windows that stands in a folder, then a day of an editor there.

    python -m tests.windows [--wheel FILE] [--edits 10000] [FILE ...]

Prints a table of what passed and of why the rest was skipped. `make windows` runs it; names of files run
those alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.windows.chosen import files, needs
from tests.windows.results import Outcome, read, table
from tests.windows.setting_up import FOLDER, HOME, ROOT, Missing, python, set_up

REPORTS = HOME / "reports"
# A file of tests takes a minute at most on Linux.
LIMIT = 900.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.windows", description="the tests on Windows")
    parser.add_argument(
        "names", nargs="*", metavar="FILE", help="files of tests (default: all that are chosen)"
    )
    parser.add_argument("--wheel", type=Path, help="our wheel for Windows (default: the one in dist/wheels)")
    parser.add_argument(
        "--edits", type=int, default=10_000, help="of the editor's day; 0 for none (%(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files at a time (%(default)s)")
    options = parser.parse_args()
    wheel = options.wheel or next((ROOT / "dist" / "wheels").glob("fim_lsp-*-win_amd64.whl"), None)
    try:
        if wheel is None:
            raise Missing("there is no wheel for it: make wheels PLATFORM=win32-x64")
        set_up(wheel)
    except Missing as missing:
        print(f"windows: no Windows on this machine. {missing}", file=sys.stderr)
        return 1
    outcomes = run(options.names, options.jobs)
    (FOLDER / "results.md").write_text(table(outcomes) + "\n", encoding="utf-8")
    print(table(outcomes))
    failures = [(one.name, test, why) for one in outcomes for test, why in one.failed.items()]
    for name, test, why in failures:
        print(f"windows: {name}: {test}: {why}", file=sys.stderr)
    is_day_held = not options.edits or day(options.edits)
    return 0 if is_day_held and not failures else 1


def run(names: list[str], jobs: int) -> list[Outcome]:
    """Each file in a process of its own; those that ask for a package that is not there count as skipped."""
    REPORTS.mkdir(exist_ok=True)
    chosen = [path for path in files(ROOT / "tests") if not names or path.name in names or path.stem in names]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(outcome, chosen))


def outcome(path: Path) -> Outcome:
    if package := needs(path):
        without = Outcome(path.name)
        without.skipped[f"{package} is not installed there"] = counted(path)
        return without
    report = REPORTS / f"{path.stem}.xml"
    report.unlink(missing_ok=True)
    arguments = ["-p", "tests.windows.lacking", "-p", "no:cacheprovider", "-q", "--tb=short"]
    try:
        done = python(
            "-m", "pytest", *arguments, rf"--junitxml=C:\fim\reports\{report.name}",
            r"--rootdir=C:\fim\sources",
            "-c", r"C:\fim\sources\pyproject.toml", rf"C:\fim\sources\tests\{path.name}", timeout=LIMIT,
        )  # fmt: skip
        (REPORTS / f"{path.stem}.txt").write_bytes(done.stdout + done.stderr)
    except subprocess.TimeoutExpired:
        print(f"windows: {path.name} took longer than {LIMIT:.0f} s", file=sys.stderr)
    found = read(path.name, report)
    counts = f"{found.passed} passed, {found.skipped.total()} skipped, {len(found.failed)} failed"
    print(f"windows: {path.name}: {counts}", flush=True)
    return found


def counted(path: Path) -> int:
    """How many tests a file has on this machine."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", str(path)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return sum("::" in line for line in said.splitlines())


def day(edits: int) -> bool:
    """An editor's day, played by a program that runs there, too."""
    done = python("-m", "tests.windows.day", str(edits), timeout=1500)
    said = done.stdout.decode(errors="replace")
    print(said if done.returncode == 0 else f"{said}{done.stderr.decode(errors='replace')[-3000:]}")
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
