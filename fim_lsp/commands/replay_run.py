"""The run that all replays have in common: Ctrl+C stops it, and the same command continues it."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from fim_lsp.replay.journal import Journal
from fim_lsp.replay.progress import CaseProgress
from fim_lsp.replay.running import CaseT, Maker, Pair, in_this_process, in_workers, run_cases

Fill = Callable[[Sequence[CaseT]], Iterator[Pair]]
# The status that a shell has for a program that Ctrl+C has ended.
STOPPED = 130


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
