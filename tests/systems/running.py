"""Files of tests on the other system, each in a process of its own, or in several where that one falls.

Each file's journal is kept under a name that tells the wheel, the file and what tests stand on. What has come
to its end without a failure is not run again, so that a run may be stopped and go on.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.systems.journal import VARIABLE
from tests.systems.results import Outcome, is_done, read
from tests.windows.chosen import name_of
from tests.windows.lacking import LACKING

ARGUMENTS = (
    *("-p", "tests.windows.lacking", "-p", "tests.systems.journal", "-p", "no:cacheprovider"),
    *("-q", "--tb=short"),
)
# How often a file's process may fall: each time costs one test.
FALLS = 4
# What only begins tests, and says nothing of what they find.
BEGINNERS = ("arm", "systems", "windows")
# How files of tests name what they stand on, in what they import and in commands. More is found than is used.
NAMED = re.compile(r"\btests(?: import (?s:\([^)]*\)|.*)|(?:\.|/|\" / \")\w+)")


def is_stood_on(path: Path) -> bool:
    """Whether other tests may stand on a file: it is Python, and holds no tests."""
    return path.suffix == ".py" and not path.name.startswith("test_")


@dataclass(frozen=True)
class Runner:
    """How pytest is begun there with some arguments, variables and a time limit in seconds."""

    system: str
    begin: Callable[[Path, list[str], dict[str, str], float], subprocess.CompletedProcess[bytes]]
    # What the other system calls a file.
    called: Callable[[Path], str]
    tests: Path
    reports: Path
    wheel: Path
    limit: float

    @cached_property
    def foundation(self) -> bytes:
        """The wheel, which all tests stand on."""
        return hashlib.sha256(self.wheel.read_bytes()).digest()

    @cached_property
    def foundations(self) -> dict[str, tuple[str, bytes]]:
        """The modules and packages that tests stand on, by name: their sources, and a checksum of these."""
        found = {}
        for place in sorted(self.tests.iterdir()):
            if place.stem in BEGINNERS:
                continue
            paths = sorted(place.rglob("*.py")) if place.is_dir() else [place]
            contents = [path.read_bytes() for path in paths if is_stood_on(path)]
            found[place.stem] = (b"\n".join(contents).decode(), hashlib.sha256(b"\0".join(contents)).digest())
        return found

    def key(self, path: Path) -> str:
        """What tells the wheel, a file of tests, why some of it are skipped, and what it stands on."""
        lacking = repr(sorted(LACKING.get(name_of(path, self.tests), {}).items())).encode()
        digest = hashlib.sha256(self.foundation + lacking + path.read_bytes())
        below, texts = set[str](), ["tests.conftest", f"tests.{path.parent.name}"]
        texts.append(path.read_text(encoding="utf-8"))
        while texts:
            named = {word for line in NAMED.findall(texts.pop()) for word in re.findall(r"\w+", line)}
            new = (named & self.foundations.keys()) - below
            below |= new
            texts += [self.foundations[name][0] for name in new]
        for name in sorted(below):
            digest.update(self.foundations[name][1])
        return digest.hexdigest()[:16]

    def run(self, paths: list[Path], jobs: int, counts: Mapping[str, int]) -> list[Outcome]:
        """All of them, so many at a time, with a line for each that has ended."""
        self.reports.mkdir(exist_ok=True)
        begun = [name_of(path, self.tests) for path in paths]

        def one(path: Path) -> Outcome:
            found = self.outcome(path, counts.get(name_of(path, self.tests), 1))
            numbers = f"{found.passed} passed, {found.skipped.total()} skipped, {len(found.failed)} failed"
            place = f"{begun.index(found.name) + 1}/{len(begun)}"
            print(f"{self.system}: {place} {found.name}: {numbers}", flush=True)
            return found

        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(one, paths))

    def outcome(self, path: Path, count: int) -> Outcome:
        name = name_of(path, self.tests)
        kept = name.removesuffix(".py").replace("/", "-")
        journal = self.reports / f"{kept}-{self.key(path)}.jsonl"
        found = read(name, journal, count)
        if not found.failed:
            return found
        for earlier in self.reports.glob(f"{kept}-????????????????.jsonl"):
            if earlier != journal or is_done(journal):
                earlier.unlink()
        said = b""
        for _ in range(FALLS):
            said += self._begun(path, journal)
            if is_done(journal):
                break
        (self.reports / f"{kept}.txt").write_bytes(said)
        return read(name, journal, count)

    def _begun(self, path: Path, journal: Path) -> bytes:
        try:
            done = self.begin(path, [*ARGUMENTS], {VARIABLE: self.called(journal)}, self.limit)
        except subprocess.TimeoutExpired as late:
            name = name_of(path, self.tests)
            print(f"{self.system}: {name} took longer than {self.limit:.0f} s", file=sys.stderr)
            return late.stdout or b""
        return done.stdout + done.stderr
