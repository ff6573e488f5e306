"""Files of tests on the other system, several in one process, and in further processes if that one crashes.

A process takes some seconds to start and to collect its tests, so files share one. Each file's journal has a
name that depends on the wheel, the file and the modules that its tests use. A file that ended without a
failure is not run again, so a stopped run can continue.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
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
    # A file that cannot be read does not stop its neighbours.
    *("-q", "--tb=short", "--continue-on-collection-errors"),
)
# The number of crashes per file of a process: two in one test end that test.
FALLS = 4
# The number of files per process.
TOGETHER = 8
# The folders that only start tests, and do not affect their results.
BEGINNERS = ("arm", "systems", "windows")
# The names of modules in imports and in commands. More are found than are used.
NAMED = re.compile(r"\btests(?: import (?s:\([^)]*\)|.*)|(?:\.|/|\" / \")\w+)")


def is_stood_on(path: Path) -> bool:
    """Whether other tests may use a file: it is Python, and contains no tests."""
    return path.suffix == ".py" and not path.name.startswith("test_")


@dataclass(frozen=True)
class Runner:
    """A function that starts pytest there with files, some arguments, variables and a time limit in
    seconds."""

    system: str
    begin: Callable[[Sequence[Path], list[str], dict[str, str], float], subprocess.CompletedProcess[bytes]]
    # The name of a file on the other system.
    called: Callable[[Path], str]
    tests: Path
    reports: Path
    wheel: Path
    # The seconds per file.
    limit: float

    @cached_property
    def foundation(self) -> bytes:
        """A digest of the wheel's content without its dates, which differ for each commit."""
        with zipfile.ZipFile(self.wheel) as wheel:
            entries = sorted((entry.filename, entry.CRC) for entry in wheel.infolist())
        return hashlib.sha256(repr(entries).encode()).digest()

    @cached_property
    def foundations(self) -> dict[str, tuple[str, bytes]]:
        """The modules and packages that tests use, by name: their sources, and a checksum of these."""
        found = {}
        for place in sorted(self.tests.iterdir()):
            if place.stem in BEGINNERS:
                continue
            paths = sorted(place.rglob("*.py")) if place.is_dir() else [place]
            contents = [path.read_bytes() for path in paths if is_stood_on(path)]
            found[place.stem] = (b"\n".join(contents).decode(), hashlib.sha256(b"\0".join(contents)).digest())
        return found

    def key(self, path: Path) -> str:
        """A key of the wheel, a file of tests, the reasons of its skips, and the modules that it uses."""
        lacking = repr(sorted(LACKING.get(self.name(path), {}).items())).encode()
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

    def name(self, path: Path) -> str:
        return name_of(path, self.tests)

    def kept(self, path: Path) -> str:
        """The name of the files that are kept about a file of tests."""
        return self.name(path).removesuffix(".py").replace("/", "-")

    def journal(self, path: Path) -> Path:
        return self.reports / f"{self.kept(path)}-{self.key(path)}.jsonl"

    def run(self, paths: list[Path], jobs: int, counts: Mapping[str, int]) -> list[Outcome]:
        """Runs all files, in `jobs` processes at a time, with a line for each finished file."""
        self.reports.mkdir(exist_ok=True)

        # Sources may change meanwhile, and the results belong to the earlier ones.
        journals = {path: self.journal(path) for path in paths}

        def found(path: Path) -> Outcome:
            return read(self.name(path), journals[path], counts.get(self.name(path), 1))

        def say(path: Path) -> None:
            one = outcomes[path]
            numbers = f"{one.passed} passed, {one.skipped.total()} skipped, {len(one.failed)} failed"
            print(f"{self.system}: {paths.index(path) + 1}/{len(paths)} {one.name}: {numbers}", flush=True)

        outcomes = {path: found(path) for path in paths}
        left = [path for path, outcome in outcomes.items() if outcome.failed]
        for path in paths:
            if path not in left:
                say(path)
        # Neighbours are similar, and may all be slow.
        n_batches = max(1, -(-len(left) // TOGETHER), min(jobs, len(left)))
        batches = [left[number::n_batches] for number in range(n_batches)]

        def one(batch: list[Path]) -> None:
            self._run_batch({path: journals[path] for path in batch})
            for path in batch:
                outcomes[path] = found(path)
                say(path)

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, batches))
        return list(outcomes.values())

    def _run_batch(self, journals: Mapping[Path, Path]) -> None:
        for path, journal in journals.items():
            for earlier in self.reports.glob(f"{self.kept(path)}-????????????????.jsonl"):
                if earlier != journal or is_done(journal):
                    earlier.unlink()
        called = {self.name(path): self.called(journal) for path, journal in journals.items()}
        said = b""
        for _ in range(FALLS * len(journals)):
            left = [path for path, journal in journals.items() if not is_done(journal)]
            if not left:
                break
            said += self._begun(left, {VARIABLE: json.dumps(called)})
        for path in journals:
            (self.reports / f"{self.kept(path)}.txt").write_bytes(said)

    def _begun(self, paths: Sequence[Path], variables: dict[str, str]) -> bytes:
        limit = self.limit * len(paths)
        try:
            done = self.begin(paths, [*ARGUMENTS], variables, limit)
        except subprocess.TimeoutExpired as late:
            names = ", ".join(map(self.name, paths))
            print(f"{self.system}: {names} took longer than {limit:.0f} s", file=sys.stderr)
            return late.stdout or b""
        return done.stdout + done.stderr
