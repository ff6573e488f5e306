"""The run that all replays have in common: Ctrl+C stops it, and the same command continues it."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from fim_lsp.commands.argument_types import positive
from fim_lsp.replay.journal import Journal, Row
from fim_lsp.replay.plan import runs
from fim_lsp.replay.progress import CaseProgress
from fim_lsp.replay.running import CaseT, Maker, Pair, in_this_process, in_workers, run_cases

Fill = Callable[[Sequence[CaseT]], Iterator[Pair]]
# The status that a shell has for a program that Ctrl+C has ended.
STOPPED = 130


class RunReport(Protocol):
    """The report of a run."""

    @property
    def n_errors(self) -> int: ...

    def summary(self) -> Row: ...

    def as_text(self) -> str: ...

    def write(self, folder: Path) -> list[str]: ...


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """The options of a run whose folder depends on its plan."""
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes (%(default)s)")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="keep rows and reports here, and continue a run that is there"
        f" (default: one of its own in {runs()})",
    )
    parser.add_argument("--fresh", action="store_true", help="start over: the rows in DIR are lost")
    parser.add_argument(
        "--json", action="store_true", help="end with one line of JSON in place of the tables"
    )


def digest_of(plan: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plan, sort_keys=True).encode()).hexdigest()[:12]


def parallel_fill(maker: Maker, n_workers: int) -> Fill[Any]:
    return in_this_process(maker) if n_workers == 1 else in_workers(maker, n_workers)


def is_finished(
    cases: Sequence[CaseT],
    fill: Fill[CaseT],
    journal: tuple[Path, dict[str, Any], bool],
    excluded: list[Any],
    *,
    turn: Callable[[CaseT], Any] | None = None,
) -> bool:
    """Works out what the journal (its folder, plan, and whether it is begun anew) does not have yet.

    The rows are in the order of the cases, whatever the order of their turns was.
    """
    folder, plan, fresh = journal
    with Journal(folder, plan, fresh) as rows:
        progress = CaseProgress(sys.stderr, len(cases), sum(case.id in rows.done for case in cases))
        try:
            run_cases(cases if turn is None else sorted(cases, key=turn), fill, rows, progress)
        except KeyboardInterrupt:
            progress.close()
            print(
                f"stopped; {len(rows.done)} rows are in {folder}; the same command goes on", file=sys.stderr
            )
            return False
        progress.close()
        rows.finish([case.id for case in cases], excluded)
    return True


def report_run(report: RunReport, folder: Path, arguments: argparse.Namespace, *rows: str) -> int:
    """Writes and prints the report; exit code 1 if anything of ours went wrong."""
    names = ", ".join([*rows, *report.write(folder)])
    print(f"in {folder}: {names}", file=sys.stderr)
    print(json.dumps(report.summary()) if arguments.json else report.as_text())
    return 1 if report.n_errors else 0
