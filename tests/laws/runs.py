"""A long run: chunks of work in processes, with progress on standard error. An interrupted run can continue.

The outcome of each chunk is written at once, in `target/laws/`. The same command continues a stopped run, if
the engine and the laws are unchanged; a finished run leaves no files.
"""

import hashlib
import json
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import TypeVar

import fim_lsp
from quotient import _native
from tests.laws.cases import LOST, Case, Failure, Outcome, Tally

TESTS = Path(__file__).parents[1]
JOURNALS = TESTS.parent / "target" / "laws"
Chunk = TypeVar("Chunk")


class Journal:
    """The outcomes of an unfinished run's chunks, by their names."""

    def __init__(self, title: str, asked: str) -> None:
        digest = hashlib.sha256(f"{fingerprint()} {asked}".encode()).hexdigest()[:16]
        self.path = JOURNALS / f"{title.replace(' ', '-')}-{digest}.jsonl"

    def outcomes(self) -> dict[str, Outcome]:
        """The known outcomes. A last line that was cut off is ignored."""
        found: dict[str, Outcome] = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    name, tally, failures = json.loads(line)
                except ValueError:
                    continue
                found[name] = Outcome(Tally(tally), [failure_of(row) for row in failures])
        return found

    def add(self, name: str, outcome: Outcome) -> None:
        """Writes the outcome of a chunk."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        row = [name, outcome.tally, [asdict(failure) for failure in outcome.failures]]
        # The line break comes first, so that this line is whole behind one that was cut off.
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(row))

    def forget(self) -> None:
        """Deletes the outcomes, which are no longer needed."""
        self.path.unlink(missing_ok=True)


def failure_of(row: Mapping[str, object]) -> Failure:
    """A failure, read from its written form."""
    case = row["case"]
    assert isinstance(case, dict)
    return Failure(str(row["law"]), str(row["kind"]), Case(**case), str(row["detail"]), str(row["origin"]))


def fingerprint() -> str:
    """What a result depends on beside the command: the engine, the package, the laws, the host's parser."""
    digest = hashlib.sha256(sys.version.encode())
    laws = [path for path in TESTS.glob("*/*.py") if not path.name.startswith("test_")]
    package = Path(fim_lsp.__file__).parent.rglob("*.py")
    for path in (Path(_native.__file__), *sorted(laws), *sorted(package)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Runs:
    """The runs of one command, one after the other."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._journals: list[Journal] = []

    def run(
        self,
        title: str,
        check: Callable[[Chunk], Outcome],
        chunks: Mapping[str, Chunk],
        unit: str,
        asked: str,
    ) -> Outcome:
        """Works off named chunks, and returns their total outcome."""
        journal = Journal(title, asked)
        self._journals.append(journal)
        total = Outcome()
        known = {name: outcome for name, outcome in journal.outcomes().items() if name in chunks}
        for outcome in known.values():
            total.add(outcome)
        if known:
            print(f"{title}: {len(known)} of {len(chunks)} chunks were done before", file=sys.stderr)
        start = monotonic()
        waiting = {name: chunk for name, chunk in chunks.items() if name not in known}
        for done, (name, outcome) in enumerate(outcomes(check, waiting, self.jobs), start=len(known) + 1):
            journal.add(name, outcome)
            total.add(outcome)
            counts = f"{total.tally[unit]:,} {unit}, {total.n_failures} failures"
            line = f"{title}: {done}/{len(chunks)} chunks, {counts}, {monotonic() - start:.0f} s"
            print(f"\r{line}", end="", file=sys.stderr, flush=True)
        if waiting:
            print(file=sys.stderr)
        return total

    def end(self) -> None:
        """Ends a run whose results were shown: the same command then begins anew."""
        for journal in self._journals:
            journal.forget()


def outcomes(
    check: Callable[[Chunk], Outcome], waiting: Mapping[str, Chunk], jobs: int
) -> Iterator[tuple[str, Outcome]]:
    """Runs the chunks. If a crash breaks the pool, runs the rest again, each chunk in a process of its
    own."""
    with pool_of(jobs) as pool:
        futures = {pool.submit(check, chunk): name for name, chunk in waiting.items()}
        lost: list[str] = []
        try:
            for future in as_completed(futures):
                if isinstance(future.exception(), BrokenProcessPool):
                    lost.append(futures[future])
                else:
                    yield futures[future], future.result()
        except BaseException:
            # Chunks that wait are not started, because their results would be lost.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if len(waiting) == 1 and lost:
        yield lost[0], Outcome(Tally({LOST: 1, f"lost: {lost[0]}": 1}))
    else:
        for name in lost:
            yield from outcomes(check, {name: waiting[name]}, 1)


def pool_of(jobs: int) -> ProcessPoolExecutor:
    """Processes that end at once and silently at Ctrl-C."""
    quietly = (signal.SIGINT, signal.SIG_DFL)
    return ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=signal.signal, initargs=quietly
    )


def exit_status(main: Callable[[], int]) -> int:
    """Calls a command that can be stopped and continued by calling it again."""
    try:
        return main()
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        return 130
