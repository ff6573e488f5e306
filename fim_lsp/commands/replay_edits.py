"""`fim-lsp replay edits`: the hunks between two releases of a file, made one after the other; are the next
ones foreseen?"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path

from fim_lsp.cli import CommandError, version
from fim_lsp.commands.language_options import add_python_version, chosen_language
from fim_lsp.commands.model_options import add_edits_model, edits_model
from fim_lsp.commands.replay_run import (
    STOPPED,
    add_run_options,
    digest_of,
    is_finished,
    parallel_fill,
    report_run,
)
from fim_lsp.edits.next_edits import BAR
from fim_lsp.replay.case import Excluded
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.edits.filler import EditReplaySettings, PairWalker
from fim_lsp.replay.edits.pairs import LISTS, ReleasePair, digest, of_folders, projects
from fim_lsp.replay.edits.report import DATASET, EditsReport
from fim_lsp.replay.journal import NotResumable
from fim_lsp.replay.plan import checksum_of_code, name_of_model, runs
from fim_lsp.replay.typing.undefined import checker_name
from fim_lsp.runtimes.folder import ModelError

SUMMARY = "make the hunks between two releases one by one: which are foreseen, and how often is that wrong?"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--between",
        nargs=2,
        type=Path,
        metavar=("OLD", "NEW"),
        help="two folders, a project before and after",
    )
    source.add_argument(
        "--set", choices=[*LISTS], default="packages", help="pairs that are pinned (default: %(default)s)"
    )
    parser.add_argument(
        "--only", nargs="+", metavar="PROJECT", help="of the pinned pairs, those of some projects"
    )
    parser.add_argument(
        "--least-probability",
        type=float,
        default=BAR,
        metavar="P",
        help="show nothing less probable (%(default)s)",
    )
    add_run_options(parser)
    add_python_version(parser)
    add_edits_model(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        found, excluded = chosen_pairs(arguments)
        if not any(project.pairs for project in found):
            raise NoData("no file differs between the two")
        return replay_pairs(arguments, found, excluded)
    except (NoData, NotResumable, ModelError) as error:
        raise CommandError(str(error)) from error


def chosen_pairs(arguments: argparse.Namespace) -> tuple[list[ReleasePair], list[Excluded]]:
    if arguments.between is not None:
        old, new = arguments.between
        project, excluded = of_folders(new.resolve().name, old, new)
        return [project], excluded
    found = projects(arguments.set)
    if arguments.only:
        known = {one.name for one in found}
        if unknown := [name for name in arguments.only if name not in known]:
            raise NoData(f"no pair of {unknown[0]!r}; there are {', '.join(sorted(known))}")
        found = [one for one in found if one.name in arguments.only]
    return found, []


def replay_pairs(arguments: argparse.Namespace, found: list[ReleasePair], excluded: list[Excluded]) -> int:
    """Walks where that is missing, and writes the report; exit code 1 if anything of ours went wrong."""
    model = edits_model(arguments)
    settings = EditReplaySettings(
        arguments.least_probability,
        chosen_language(arguments).version,
        model,
        arguments.device,
        arguments.runtime,
    )
    plan = {
        "fim_lsp": version(),
        "code": checksum_of_code(),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "data": f"{', '.join(one.name for one in found)} ({digest(found)})",
        "names_judged_by": checker_name(),
        "selection": {"dataset": DATASET},
        "settings": {
            name: value for name, value in asdict(settings).items() if name not in ("device", "runtime")
        }
        | {"model": None if model is None else name_of_model(model)},
    }
    folder = arguments.out or runs() / f"edits-{digest_of(plan)}"
    cases = [pair for project in found for pair in project.pairs]
    fill = parallel_fill(partial(PairWalker.of, settings, found), arguments.workers)
    if not is_finished(cases, fill, (folder, plan, arguments.fresh), excluded):
        return STOPPED
    return report_run(EditsReport.of(folder), folder, arguments, "rows.jsonl", "timings.jsonl")
