"""`python -m tests.names.offers`: offers that use names that do not exist, or that do not compile.

    python -m tests.names.offers --count 1000
    python -m tests.names.offers --count 10000 --workers 2
    python -m tests.names.offers --count 500 --on src/of/a/project src/of/another

The bundled model fills regions of packages that no training saw (`fim_lsp/replay/typing/held_out.txt`), with
and without names, at every kind of place, until about `--count` offers were made. The same command continues
a stopped run. At its end, a run prints a table and each wrong offer; `--report` shows those so far.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from fim_lsp.commands.replay_run import STOPPED, digest_of, is_finished, parallel_fill
from fim_lsp.replay.journal import read_rows
from fim_lsp.replay.plan import checksum_of_code, name_of_model, runs
from fim_lsp.replay.typing.drawing import Typing, draw_regions
from fim_lsp.replay.typing.projects import digest, of_folders, of_set
from tests.names.filling import MODES, Auditor, Settings

Row = dict[str, Any]
# The mean number of offers per region: one while the user types, and up to three on request.
OFFERS_OF_A_REGION = 2.75
# The number of regions that are filled before the next project begins, because reading a project's memory
# takes longer than filling ten regions. A stopped run has seen all projects after the first round.
TURN = 400
COLUMNS = (
    "holes",
    "offers",
    "do not compile",
    "undefined inside: ruff",
    "pyflakes",
    "elsewhere",
    "with an import",
    "exact",
)


def main() -> int:
    options = parsed()
    projects, _ = of_folders(options.on) if options.on else of_set("packages")
    n_regions = round(options.count / OFFERS_OF_A_REGION)
    cases = [one for one in draw_regions(projects, options.seed, n_regions) if isinstance(one, Typing)]
    version = ".".join(map(str, sys.version_info[:2]))
    settings = Settings(python_version=version, modes=tuple(options.modes), is_asked=not options.typing)
    plan = {
        "code": checksum_of_code(),
        "python": version,
        "data": f"{', '.join(project.name for project in projects)} ({digest(projects)})",
        "model": name_of_model(settings.model),
        "selection": {"dataset": "audit", "seed": options.seed, "limit": n_regions},
        "settings": asdict(settings),
    }
    folder = options.out or runs() / f"offers-{digest_of(plan)}"
    fill = parallel_fill(partial(Auditor.of, settings, projects), options.workers)
    turns = {case.id: (number // TURN, case.project, case.file) for number, case in enumerate(cases)}
    if options.report:
        print(report(read_rows(folder)))
        return 0
    if not is_finished(cases, fill, (folder, plan, options.fresh), [], turn=lambda case: turns[case.id]):
        return STOPPED
    rows = read_rows(folder)
    print(report(rows))
    return 1 if any(row["error"] for row in rows) else 0


def report(rows: list[Row]) -> str:
    """A table for each mode, and the faults in the modes with names."""
    lines = [f"{n}  {why}" for why, n in Counter(row["left_out"] or "filled" for row in rows).items()]
    lines += [f"crash: {row['case']}: {row['error']}" for row in rows if row["error"]]
    for mode in {mode: None for row in rows for mode in row["offers"]}:
        groups = {"all": rows, "in whole files": [row for row in rows if row["kind"] != "broken"]}
        for group in ("kind", "project"):
            for name in sorted({row[group] for row in rows}):
                groups[name] = [row for row in rows if row[group] == name]
        lines += ["", f"| {mode} | {' | '.join(COLUMNS)} |", "|---|" + "---:|" * len(COLUMNS)]
        lines += [f"| {name} | {' | '.join(tally(some, mode))} |" for name, some in groups.items()]
    for mode in ("names", "imports"):
        lines += ["", *wrong(rows, mode)]
    return "\n".join(lines)


def tally(rows: Iterable[Row], mode: str) -> list[str]:
    holes = [row for row in rows if mode in row["offers"]]
    offers = [offer for row in holes for offer in row["offers"][mode]]

    def bring(judge: str) -> int:
        return sum(any(found[0] == judge for found in offer["inside"]) for offer in offers)

    elsewhere = sum(bool(offer["elsewhere"]) for offer in offers)
    exact = sum(any(offer["text"] == row["typed"] for offer in row["offers"][mode]) for row in holes)
    imports = sum(offer["import"] is not None for offer in offers)
    broken = sum(not offer["compiles"] for offer in offers)
    counts = [broken, bring("ruff"), bring("pyflakes"), elsewhere, imports]
    shares = [f"{count} ({count / max(1, len(offers)):.2%})" for count in counts]
    return [str(len(holes)), str(len(offers)), *shares, f"{exact / max(1, len(holes)):.1%}"]


def wrong(rows: Iterable[Row], mode: str) -> Iterable[str]:
    """The offers that need an explanation."""
    for row in rows:
        for offer in row["offers"].get(mode, ()):
            if not offer["compiles"] or offer["inside"]:
                names = ", ".join(sorted({found[2] for found in offer["inside"]}))
                what = "does not compile" if not offer["compiles"] else f"undefined: {names}"
                yield f"{row['case']}: {what}: {offer['text']!r}"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.names.offers", description="names in offers")
    parser.add_argument("--on", nargs="+", metavar="DIR", help="folders of Python files, a project each")
    parser.add_argument("--count", type=int, default=1000, help="about how many offers (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (%(default)s)")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=["without names", "names"])
    parser.add_argument("--typing", action="store_true", help="what is shown while somebody types, alone")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the rows here")
    parser.add_argument("--report", action="store_true", help="what was done so far, and no more")
    parser.add_argument("--fresh", action="store_true", help="begin anew")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
