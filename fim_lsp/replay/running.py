"""A run: each case that is not yet in the journal goes to a worker, and its row to the journal.

Only the parent writes. Workers are processes, each with its own model, and get few cases ahead, so that a
stop is quick. With one worker, the parent does the work itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from threading import Thread
from typing import Any, Protocol, TypeVar

from fim_lsp.replay.journal import Journal, Row
from fim_lsp.replay.progress import CaseProgress
from fim_lsp.system.processes import deaf_children

Pair = tuple[Row, Row]


class Identified(Protocol):
    """A case with an identity, by which the journal knows its row."""

    @property
    def id(self) -> str: ...


class Fills(Protocol):
    """A filler makes the rows of cases, in one process."""

    def rows(self, case: Any) -> Pair: ...


class Maker(Protocol):
    """Makes a filler, with a number of threads for the network on a processor; None suits its size."""

    def __call__(self, *, n_threads: int | None = None) -> Fills: ...


CaseT = TypeVar("CaseT", bound=Identified)
# The number of cases that wait for a worker, beyond those in work.
N_AHEAD = 2


def run_cases(
    cases: Sequence[CaseT],
    fill: Callable[[Sequence[CaseT]], Iterator[Pair]],
    journal: Journal,
    progress: CaseProgress,
) -> None:
    """Does all cases that the journal lacks. An interruption leaves it whole, and the next run continues."""
    missing = [case for case in cases if case.id not in journal.done]
    for row, timing in fill(missing):
        journal.append(row, timing)
        progress.step(note(row))


def note(row: Row) -> str:
    """A few words on the case that was just done, for the progress bar."""
    if row.get("error"):
        return f"{row['case']}: failed"
    bad = [mode for mode, outcome in row.get("modes", {}).items() if outcome["error"]]
    return f"{row['case']}: {', '.join(bad)} failed" if bad else ""


def in_this_process(maker: Maker) -> Callable[[Sequence[CaseT]], Iterator[Pair]]:
    def fill(cases: Sequence[CaseT]) -> Iterator[Pair]:
        if cases:
            filler = maker()
            for case in cases:
                yield filler.rows(case)

    return fill


def in_workers(maker: Maker, n_workers: int) -> Callable[[Sequence[CaseT]], Iterator[Pair]]:
    def fill(cases: Sequence[CaseT]) -> Iterator[Pair]:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(n_workers, context, _begin, (maker,)) as pool:
            try:
                yield from _completed_pairs(pool, cases, n_workers + N_AHEAD)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    return fill


def _completed_pairs(pool: ProcessPoolExecutor, cases: Sequence[CaseT], n_at_once: int) -> Iterator[Pair]:
    waiting = iter(cases)
    running = _submitted_cases(pool, islice(waiting, n_at_once))
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        running |= _submitted_cases(pool, islice(waiting, len(done)))
        for future in done:
            yield future.result()


def _submitted_cases(pool: ProcessPoolExecutor, cases: Iterable[CaseT]) -> set[Future[Pair]]:
    # This starts a worker where one is missing.
    with deaf_children():
        return {pool.submit(_rows, case) for case in cases}


# The filler in a worker, which its cases share. A pool calls functions by name and keeps no state for them.
_filler: Any = None


def _begin(maker: Maker) -> None:
    global _filler
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _filler = maker(n_threads=1)


def _end_with_parent() -> None:
    """Ends a worker with its parent: a killed parent tells no worker, which would wait for cases for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _rows(case: Any) -> Pair:
    pair: Pair = _filler.rows(case)
    return pair
