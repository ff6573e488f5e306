"""`python -m tests.arm`: the engine's tests on Linux on ARM, the same answers as here, and edits over stdio.

    python -m tests.arm [--wheel FILE] [--places 60] [--edits 200] [FILE ...]

`make arm` runs it. Named files, such as `engine/test_bytes.py`, run alone. QEMU translates, so everything
takes ten times as long.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

from tests.arm.setting_up import FOLDER, SOURCES, python, set_up
from tests.systems.compared import MODULE, ask_both
from tests.systems.compared import table as table_of_answers
from tests.systems.results import Outcome, slowest, table
from tests.systems.running import Runner
from tests.windows.chosen import name_of, needs
from tests.windows.setting_up import ROOT, Missing

# The tests that depend on the processor: those of the engine, and of arrays that cross its boundary.
CHOSEN = ("engine/*", "masks/*")
TESTS = SOURCES / "tests"
LIMIT = 1200.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.arm", description="Linux on ARM")
    parser.add_argument(
        "names", nargs="*", metavar="FILE", help="files of tests (default: all that are chosen)"
    )
    parser.add_argument("--wheel", type=Path, help="our wheel for it (default: the newest in dist/wheels)")
    parser.add_argument("--edits", type=int, default=200, help="over stdio; 0 for none (%(default)s)")
    parser.add_argument(
        "--places", type=int, default=60, help="answered on both systems; 0 for none (%(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="files at a time (%(default)s)")
    options = parser.parse_args()
    wheels = sorted((ROOT / "dist" / "wheels").glob("fim_lsp-*-manylinux_2_*_aarch64.whl"))
    try:
        if not (options.wheel or wheels):
            raise Missing("there is no wheel for it: make wheels PLATFORM=linux-arm64")
        wheel = options.wheel or wheels[-1]
        set_up(wheel)
    except Missing as missing:
        print(f"arm: no Linux on ARM on this machine. {missing}", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(1) as beside:
        compared = beside.submit(compare, options.places) if options.places else None
        played = beside.submit(day, options.edits) if options.edits else None
        outcomes = run(options.names, options.jobs, wheel)
        is_same = compared is None or compared.result()
        is_day_held = played is None or played.result()
    print(f"{table(outcomes)}\n\n{slowest(outcomes)}")
    failures = [(one.name, test, why) for one in outcomes for test, why in one.failed.items()]
    for name, test, why in failures:
        print(f"arm: {name}: {test}: {why}", file=sys.stderr)
    return 0 if is_same and is_day_held and not failures else 1


def compare(places: int) -> bool:
    found = ask_both(places, FOLDER, answers)
    print(table_of_answers(found, "Linux on ARM"), flush=True)
    return found.is_same


def answers(count: int) -> Path:
    written = FOLDER / "answers.json"
    done = python("-m", MODULE, written, str(count), timeout=None)
    if done.returncode != 0:
        raise SystemExit(f"arm: {done.stderr.decode(errors='replace')[-2000:]}")
    return written


def day(edits: int) -> bool:
    done = python("-m", "tests.systems.day", str(edits), timeout=1500)
    said = done.stdout.decode(errors="replace")
    print(said if done.returncode == 0 else f"{said}{done.stderr.decode(errors='replace')[-3000:]}")
    return done.returncode == 0


def run(names: list[str], jobs: int, wheel: Path) -> list[Outcome]:
    paths = [
        path
        for path in sorted(TESTS.rglob("test_*.py"))
        if (name_of(path, TESTS) in names if names else is_chosen(path))
    ]
    return Runner("arm", begin, str, TESTS, FOLDER / "reports", wheel, LIMIT).run(paths, jobs, {})


def begin(
    paths: Sequence[Path], arguments: list[str], variables: dict[str, str], limit: float
) -> subprocess.CompletedProcess[bytes]:
    return python("-m", "pytest", *arguments, "--timeout=0", *paths, timeout=limit, variables=variables)


def is_chosen(path: Path) -> bool:
    return any(fnmatch(name_of(path, TESTS), pattern) for pattern in CHOSEN) and needs(path, TESTS) is None


if __name__ == "__main__":
    sys.exit(main())
