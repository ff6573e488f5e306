"""`python -m tests.verify`: the long correctness runs, one after the other, as in `make verify`.

    python -m tests.verify                # all steps that have not passed yet, for this state of the sources
    python -m tests.verify climb laws     # single steps, by the beginnings of their names
    python -m tests.verify --list         # the steps, and those that have passed

A passed step is remembered with its seconds, until the engine or a file other than prose changes; so a
stopped run can continue another day. Climbs, histories, laws, names and the sweep also continue within
themselves. A failed step does not stop the others.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from quotient import _native
from tests.laws.chains import KINDS
from tests.laws.climb import MATERIALS, VERSIONS
from tests.laws.domains import DOMAINS
from tests.laws.laws import LAWS

ROOT = Path(__file__).parents[1]
HELD = ROOT / "target" / "verify.json"
# The scale of checks of other languages: they have fewer files, and their judges are slower.
SCALE = "0.25"


@dataclass(frozen=True, slots=True)
class Step:
    """A command that exits with 0 if everything is right."""

    name: str
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()


def steps(jobs: int) -> Iterator[Step]:
    """All steps; those that find most within a minute come first."""

    def module(name: str, *arguments: str) -> tuple[str, ...]:
        return (sys.executable, "-m", name, *arguments)

    n_jobs = ("--jobs", str(jobs))
    for law in LAWS:
        yield Step(f"law {law}", module("tests.laws", "--law", law, *n_jobs))
    for language in DOMAINS:
        if language != "python":
            scaled = ("--all", "--scale", SCALE, "--language", language)
            yield Step(f"laws {language}", module("tests.laws", *scaled, *n_jobs))
    for version in VERSIONS:
        yield Step(f"climb {version}", module("tests.laws.climb", "--versions", version))
    for language in MATERIALS:
        if language != "python":
            yield Step(f"climb {language}", module("tests.laws.climb", "--languages", language))
    for language in KINDS:
        yield Step(f"chains {language}", module("tests.laws.chains", "--languages", language))
    yield Step("suites", module("tests.suites"))
    yield Step("patterns", module("tests.laws.patterns", "--count", "60000"))
    yield Step("names", module("tests.names", *n_jobs))
    yield Step("histories", module("tests.laws.histories", "--edits", "100000", *n_jobs))
    yield Step("sessions", module("tests.sessions", "--keystrokes", "5000"))
    yield Step("protocol", module("tests.protocol_fuzz", "--messages", "100000"))
    yield Step("endpoint", module("tests.endpoint.fuzz", "--requests", "100000"))
    thorough = (("HYPOTHESIS_PROFILE", "verify"),)
    # Those in editors need the machine for themselves.
    chosen = ("--timeout=0", "--ignore", "tests/vscode", "--ignore", "tests/editors")
    # One after the other, because some take gigabytes and others run real servers.
    yield Step("long tests", module("pytest", "-m", "long", *chosen), thorough)
    yield Step("tests", module("pytest", "-n", str(jobs), "--dist", "loadfile", *chosen), thorough)
    yield Step("editors", module("pytest", "--timeout=0", "-m", "not long", "tests/vscode", "tests/editors"))
    # Each builds its system in a folder of its own.
    yield Step("windows", ("make", "windows"))
    yield Step("arm", ("make", "arm"))
    yield Step("sweep", module("tests.laws.sweep", *n_jobs))


def state() -> str:
    """What results depend on: the tracked files in their present state, and the engine."""
    digest = hashlib.sha256(sys.version.encode() + Path(_native.__file__).read_bytes())
    beside_prose = ("--", ".", ":!*.md", ":!docs")
    for command in (["git", "ls-files", "-s", *beside_prose], ["git", "diff", "HEAD", *beside_prose]):
        digest.update(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    return digest.hexdigest()


def held(now: str) -> dict[str, float]:
    """The steps that have passed in this state, with their seconds."""
    try:
        known = json.loads(HELD.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known["seconds"] if known.get("state") == now else {}


def remember(now: str, seconds: dict[str, float]) -> None:
    """Records the passed steps."""
    HELD.parent.mkdir(exist_ok=True)
    HELD.write_text(json.dumps({"state": now, "seconds": seconds}, indent=1), encoding="utf-8")


def run(step: Step) -> bool:
    """Runs a step and shows its output."""
    environment = os.environ | dict(step.environment)
    return subprocess.run(step.command, cwd=ROOT, env=environment, check=False).returncode == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the steps that have not passed yet, and prints the time of all."""
    parser = argparse.ArgumentParser(prog="python -m tests.verify", description="the long correctness runs")
    parser.add_argument("names", nargs="*", help="steps, by the beginnings of their names (default: all)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="worker processes (%(default)s)"
    )
    parser.add_argument("--list", action="store_true", help="say what there is and what has held")
    options = parser.parse_args(arguments)
    now = state()
    seconds = held(now)
    failed: list[str] = []
    chosen = [
        step
        for step in steps(options.jobs)
        if not options.names or step.name.startswith(tuple(options.names))
    ]
    if not chosen:
        parser.error("no step is called like this")
    for step in chosen:
        if options.list:
            print(
                f"{step.name}: "
                + (f"held, {seconds[step.name]:.0f} s" if step.name in seconds else "not yet")
            )
        elif step.name not in seconds:
            print(f"verify: {step.name} ...", file=sys.stderr, flush=True)
            begin = monotonic()
            if run(step):
                seconds[step.name] = monotonic() - begin
                remember(now, seconds)
            else:
                failed.append(step.name)
    if not options.list:
        total = sum(seconds.get(step.name, 0.0) for step in chosen)
        outcome = f"did not hold: {', '.join(failed)}" if failed else "all held"
        print(f"verify: {len(chosen)} steps, {total / 60:.0f} min, {outcome}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("verify: stopped; the same command goes on with the step that was under way")
