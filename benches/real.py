"""`FIM_GGUF=FILE python -m benches.real`: the papers' experiments with a real model beside the bundled one.

Each experiment is a `fim-lsp replay` in a folder of its own, so the same command continues a stopped run. A
few cases of each experiment run first, to estimate the time of all of them. `--into` puts the table between
its marks (`real`) in a page.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from fim_lsp.bundled_models import BUNDLED_NAME
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.journal import TIMINGS, read_rows
from fim_lsp.replay.progress import clock_time
from fim_lsp.replay.recipes import RECIPES
from fim_lsp.replay.report import put_between
from fim_lsp.replay.report.results import MODE_NAMES, Results
from fim_lsp.replay.report.tables import Table, share
from fim_lsp.replay.report.writing import aligned_table, markdown_table

MODES = "unconstrained,checked,paper,named"
# The number of cases by which an experiment's time is estimated.
N_TRIED = 2
# The exit status of a replay in which our side failed. Its table says so, too.
OUR_ERROR = 1


@dataclass(frozen=True, slots=True)
class Experiment:
    """A `fim-lsp replay`, and the number of its cases that are run; None for all."""

    name: str
    what: str
    options: tuple[str, ...] = ()
    most: int | None = None
    # The maximum length: an Instruct model seldom ends a middle by itself, and an offer never has 500 tokens.
    n_tokens: int = 64

    def n_cases(self, *limits: int | None) -> int | None:
        return min((number for number in (self.most, *limits) if number is not None), default=None)


EXPERIMENTS = (
    Experiment("STACK-BOUNDARY", "stack-boundary", most=200),
    Experiment("STACK-RANDSPAN", "stack-randspan", most=200),
    Experiment("HumanEval, single lines", "human-eval-infilling", ("--infilling", "single-line")),
    Experiment("HumanEval, several lines", "human-eval-infilling", ("--infilling", "multi-line"), 200),
    Experiment("HumanEval, random spans", "human-eval-infilling", ("--infilling", "random-span"), 200),
    Experiment("HumanEval", "human-eval", n_tokens=256),
    Experiment("MBXP", "mbxp", n_tokens=256),
)
# The number of all cases, used only for the estimate of the time.
ALL = {"HumanEval, single lines": 1033, "HumanEval": 164, "MBXP": 972}


@dataclass(frozen=True, slots=True)
class ExperimentRun:
    experiment: Experiment
    model: str
    out: Path

    @property
    def model_name(self) -> str:
        return Path(self.model).name

    @property
    def folder(self) -> Path:
        return self.out / self.model_name / self.experiment.name.lower().replace(", ", "-").replace(" ", "-")

    def replayed(self, n_cases: int | None, *, has_tests: bool, n_workers: int) -> int:
        command = [sys.executable, "-m", "fim_lsp", "replay", self.experiment.what, *self.experiment.options]
        command += ["--model", self.model, "--modes", MODES, "--out", str(self.folder)]
        command += ["--limit", "all" if n_cases is None else str(n_cases), "--workers", str(n_workers)]
        command += ["--max-tokens", str(self.experiment.n_tokens)]
        if not has_tests and RECIPES[self.experiment.what].has_tests:
            command.append("--no-tests")
        print(f"{self.experiment.name}, {self.model_name}:", file=sys.stderr, flush=True)
        return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode

    def seconds(self) -> list[float]:
        """The seconds of the finished cases."""
        if not (self.folder / TIMINGS).exists():
            return []
        return [
            sum(cost["seconds"] for cost in row["modes"].values()) for row in read_rows(self.folder, TIMINGS)
        ]

    def n_missing(self, limit: int | None) -> int:
        n_cases = self.experiment.n_cases(limit) or ALL[self.experiment.name]
        return max(0, n_cases - len(self.seconds()))

    def seconds_left(self, limit: int | None) -> float:
        """The estimated seconds of the missing cases, by the mean of the finished ones."""
        return mean(self.seconds() or [0.0]) * self.n_missing(limit)


def rows(runs: Sequence[ExperimentRun]) -> Iterator[list[str]]:
    for run in runs:
        results = Results.of(run.folder)
        for mode in results.modes:
            outcomes = results.outcomes(mode)
            tested = [outcome for outcome in outcomes if outcome.passes is not None]
            n = len(outcomes)
            yield [
                run.experiment.name,
                run.model_name,
                MODE_NAMES[mode],
                str(n),
                share(sum(outcome.is_success for outcome in outcomes), n),
                share(sum(outcome.is_exact for outcome in outcomes), n),
                share(sum(bool(outcome.passes) for outcome in tested), len(tested)),
            ]


def table(runs: Sequence[ExperimentRun]) -> Table:
    """The table of cases that parse, are exact, and pass their tests."""
    return Table(
        "real",
        "The papers' experiments with a real model",
        ["Cases of", "Model", "Mode", "Cases", "Parse", "Exact", "pass@1"],
        [*rows(runs)],
        "Greedily, one text each, of 64 tokens at most where a hole is filled and of 256 left to right.",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benches.real",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--model", default=os.environ.get("FIM_GGUF"), help="(default: FIM_GGUF)")
    parser.add_argument("--limit", type=int, metavar="N", help="the most cases of each experiment")
    parser.add_argument("--only", metavar="NAME", help="one experiment, by its `fim-lsp replay NAME`")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("target/real"))
    parser.add_argument("--into", type=Path, metavar="FILE", help="put the table into a page, too")
    parser.add_argument("--no-tests", action="store_true", help="do not run what the models wrote")
    chosen = parser.parse_args(arguments)
    if not chosen.model:
        print("no model: name one with --model or FIM_GGUF", file=sys.stderr)
        return 2
    runs = [
        ExperimentRun(experiment, model, chosen.out)
        for experiment in EXPERIMENTS
        if chosen.only in (None, experiment.what)
        for model in dict.fromkeys((BUNDLED_NAME, chosen.model))
    ]
    if not runs:
        print(f"no experiment {chosen.only!r}", file=sys.stderr)
        return 2
    worst = 0
    for n_most in (N_TRIED, None):
        for run in runs:
            if n_most is None and not run.n_missing(chosen.limit):
                continue
            code = run.replayed(
                run.experiment.n_cases(chosen.limit, n_most),
                has_tests=not chosen.no_tests,
                n_workers=chosen.workers,
            )
            if code not in (0, OUR_ERROR):
                return code
            worst = max(worst, code)
        if n_most is not None:
            left = clock_time(sum(run.seconds_left(chosen.limit) for run in runs) / chosen.workers)
            print(
                f"all of it takes about {left}; it may be stopped, and goes on", file=sys.stderr, flush=True
            )
    found = table(runs)
    print(f"{found.title}\n{aligned_table(found)}")
    if chosen.into is not None:
        try:
            put_between(chosen.into, "real", f"{markdown_table(found)}\n\n{found.note}")
        except NoData as error:
            print(error, file=sys.stderr)
            return 2
    return worst


if __name__ == "__main__":
    sys.exit(main())
