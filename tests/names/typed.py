"""`python -m tests.names.typed`: the value of a type checker to a user who types.

    python -m tests.names.typed --limit 120

Regions of the packages of `docs/worth.md` are typed key by key (`fim-lsp replay typing`), without a checker
and with `ty`, which gets as much time to answer as in an editor. `pip install ty` brings it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from statistics import quantiles

from fim_lsp.checkers.advice import Checkers
from fim_lsp.replay.typing.drawing import Typing, draw_regions
from fim_lsp.replay.typing.filler import RegionTyper, Tally, TypingSettings
from fim_lsp.replay.typing.projects import of_set
from tests.names.checked import OF_USE, OfProjects

COUNTED = ("characters", "keys", "shown", "useful", "whole", "in_vain")


def main() -> int:
    options = parsed()
    projects, _ = of_set("packages")
    cases = [one for one in draw_regions(projects, options.seed, options.limit) if isinstance(one, Typing)]
    version = ".".join(map(str, sys.version_info[:2]))
    filler = RegionTyper.of(TypingSettings(python_version=version), projects)
    checkers = OfProjects({one.name: one.folder for one in projects if one.folder is not None})
    checkers.patience = OF_USE
    sums = {"without types": Tally(), "with types": Tally()}
    seconds: dict[str, list[float]] = {mode: [] for mode in sums}
    for number, case in enumerate(cases, 1):
        for mode in sums:
            filler.worker.job_loop.around.checkers = checkers if mode == "with types" else Checkers()
            row, timing = filler.rows(case)
            assert not row["error"], row
            seconds[mode] += timing["seconds"]
            sums[mode] += Tally(*(row[name] for name in COUNTED))
        if number % 10 == 0 or number == len(cases):
            print("\n".join(table(number, sums, seconds)), flush=True)
    checkers.end()
    return 0


def table(n_regions: int, sums: dict[str, Tally], seconds: dict[str, list[float]]) -> Iterator[str]:
    yield f"\n| {n_regions} regions | saved | shown | useful | whole | keys | answer, p50 | p95 |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for mode, tally in sums.items():
        saved, useful, whole = (
            "-" if share is None else f"{share:.1%}"
            for share in (tally.saved, tally.share_useful, tally.share_whole)
        )
        twentieths = quantiles(seconds[mode], n=20)
        answers = " | ".join(f"{1000 * twentieths[n]:.0f} ms" for n in (9, 18))
        yield f"| {mode} | {saved} | {tally.shown} | {useful} | {whole} | {tally.keys} | {answers} |"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.names.typed", description="types while typing")
    parser.add_argument("--limit", type=int, default=120, help="how many regions (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
