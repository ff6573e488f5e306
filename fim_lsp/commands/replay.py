"""`fim-lsp replay`: cut holes into real files and count what becomes of them.

The datasets that need a model are not there yet. `stack-randspan` without one replays the true middles, which
shows that the engine never refuses what people really wrote.
"""

from __future__ import annotations

import argparse
import json
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Iterable
from random import Random

from fim_lsp.cli import Unable
from fim_lsp.commands.languages import add_python_version, chosen_language
from fim_lsp.replay import Case, Excluded, Outcome, replay
from fim_lsp.sources import source_names
from fim_lsp.terminal import duration

LATER = ("stack-boundary", "human-eval-infilling", "human-eval", "mbxp")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "dataset", choices=("stack-randspan", *LATER), help="stack-randspan; the others are not there yet"
    )
    parser.add_argument(
        "--source", metavar="FOLDER", help="take the files from here (default: the standard library)"
    )
    parser.add_argument(
        "--limit", type=int, default=1000, metavar="N", help="stop after N cases (%(default)s)"
    )
    parser.add_argument("--cuts", type=int, default=10, metavar="N", help="cases per file (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same cases (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print each case as a line of JSON")
    add_python_version(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.dataset in LATER:
        raise Unable(f"{arguments.dataset} needs a model, which is not there yet; try stack-randspan")
    language = chosen_language(arguments)
    paths = list(source_names([arguments.source or sysconfig.get_path("stdlib")]))
    Random(arguments.seed).shuffle(paths)
    start = time.perf_counter()
    rows = replay(language, paths, arguments.cuts, arguments.seed)
    outcomes, n_excluded = counted(rows, arguments.limit, arguments.json)
    seconds = time.perf_counter() - start
    n_cases = outcomes.total()
    if n_cases == 0:
        raise Unable(f"no cases: no file of {len(paths)} could be parsed by this interpreter")
    print(
        f"{n_cases} cases: {described(outcomes)}; {n_excluded} files excluded, which this interpreter"
        f" ({sys.version_info.major}.{sys.version_info.minor}) does not parse; {duration(seconds)}",
        file=sys.stderr if arguments.json else sys.stdout,
    )
    return 0 if outcomes[Outcome.ACCEPTED] == n_cases else 1


def counted(rows: Iterable[Case | Excluded], limit: int, has_json: bool) -> tuple[Counter[Outcome], int]:
    """Counts the outcomes, and prints every case (as JSON) or those that were not accepted."""
    outcomes: Counter[Outcome] = Counter()
    n_excluded = 0
    for row in rows:
        match row:
            case Excluded():
                n_excluded += 1
            case Case():
                outcomes[row.outcome] += 1
                if has_json:
                    print(json.dumps(as_json(row)))
                elif row.outcome is not Outcome.ACCEPTED:
                    print(f"{row.path}: characters {row.start} to {row.stop}: {described_case(row)}")
                if outcomes.total() >= limit:
                    break
    return outcomes, n_excluded


def as_json(case: Case) -> dict[str, object]:
    return {
        "path": case.path,
        "start": case.start,
        "stop": case.stop,
        "outcome": case.outcome.value,
        "refused_at": case.refused_at,
    }


def described_case(case: Case) -> str:
    where = "" if case.refused_at is None else f" at character {case.refused_at}"
    return f"{case.outcome.value}{where}"


def described(outcomes: Counter[Outcome]) -> str:
    return ", ".join(f"{outcomes[outcome]} {outcome.value}" for outcome in Outcome if outcomes[outcome])
