"""`fim-lsp replay show CASE`: one case of a run, step by step."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fim_lsp.cli import CommandError
from fim_lsp.decoding.models.model import ModelError
from fim_lsp.replay.case import Case
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.journal import PLAN, NotResumable, read_plan, read_rows
from fim_lsp.replay.modes import WITH_MODEL, HoleFiller
from fim_lsp.replay.plan import Plan, runs
from fim_lsp.replay.recipes import RECIPES, Selection, candidates
from fim_lsp.replay.show import case_lines
from fim_lsp.terminal import Palette

SUMMARY = "replay one case step by step: each token, its rank, what was refused and why"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", metavar="CASE", help="the id of a case, as in rows.jsonl and in reports")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help=f"the run that it is from (default: one in {runs()})"
    )
    parser.add_argument("--mode", choices=WITH_MODEL, help="default: the last of the run with a model")
    parser.add_argument("--model", metavar="NAME", help="another model than that of the run")


def run(arguments: argparse.Namespace) -> int:
    try:
        plan = Plan.of(read_plan(run_folder(arguments.case, arguments.out)))
        case = found_case(plan.selection, arguments.case)
        modes = [mode for mode in plan.settings.modes if mode in WITH_MODEL]
        mode = arguments.mode or (modes or list(WITH_MODEL))[-1]
        settings = replace(plan.settings, modes=(mode,), model=arguments.model or plan.settings.model)
        for line in case_lines(HoleFiller.of(settings), case, mode, Palette.of(sys.stdout)):
            print(line)
    except (NotResumable, NoData, ModelError) as error:
        raise CommandError(str(error)) from error
    return 0


def run_folder(case: str, folder: Path | None) -> Path:
    """The run that is named, or the one in the usual place that has the case."""
    if folder is not None:
        return folder
    kept = sorted(path.parent for path in runs().glob(f"*/{PLAN}"))
    found = next((run for run in kept if any(row["case"] == case for row in read_rows(run))), None)
    if found is None:
        raise NotResumable(f"no run in {runs()} has a case {case!r}; name the run's folder with --out")
    return found


def found_case(selection: Selection, wanted: str) -> Case:
    case = next((case for case in cases(selection) if case.id == wanted), None)
    if case is None:
        raise NoData(f"{RECIPES[selection.dataset].name} has no case {wanted!r}")
    return case


def cases(selection: Selection) -> Iterator[Case]:
    return (case for case in candidates(selection) if isinstance(case, Case))
