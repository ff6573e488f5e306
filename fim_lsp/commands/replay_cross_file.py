"""`fim-lsp replay cross-file`: whether a model uses names of other files, with and without their context."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from functools import partial
from typing import Any

from fim_lsp.cli import CommandError
from fim_lsp.commands.argument_types import positive
from fim_lsp.commands.language_options import add_python_version, chosen_language
from fim_lsp.commands.model_options import add_runtime
from fim_lsp.commands.replay_projects import plan_on
from fim_lsp.commands.replay_run import (
    STOPPED,
    add_run_options,
    digest_of,
    is_finished,
    parallel_fill,
    report_run,
)
from fim_lsp.decoding.models.model import ModelError
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.cross_file.drawing import CrossFileHole, draw_holes
from fim_lsp.replay.cross_file.filler import CONDITIONS, CrossFileFiller, CrossFileSettings
from fim_lsp.replay.cross_file.missing import versions
from fim_lsp.replay.cross_file.report import DATASET, CrossFileReport
from fim_lsp.replay.journal import NotResumable
from fim_lsp.replay.plan import runs
from fim_lsp.replay.typing.drawing import TypedProject
from fim_lsp.replay.typing.projects import LISTS, of_folders, of_set

SUMMARY = "fill in names that other files of a project define, with and without their context"
LIMIT = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--on", nargs="+", metavar="DIR", help="folders of Python files, a project each")
    source.add_argument(
        "--set",
        choices=tuple(LISTS),
        default="packages",
        help="pinned packages, fetched from PyPI where no folder is named (default: %(default)s)",
    )
    parser.add_argument(
        "--limit", type=positive, default=LIMIT, metavar="N", help="how many holes to fill (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="same seed, same holes, same rows (%(default)s)")
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="a folder, a GGUF file, a server or a name on the hub (default: bundled)",
    )
    add_runtime(parser)
    parser.add_argument(
        "--told",
        nargs="+",
        choices=tuple(one.name for one in CONDITIONS),
        default=tuple(one.name for one in CONDITIONS),
        metavar="WHAT",
        help=f"of {', '.join(one.name for one in CONDITIONS)} (default: each of them)",
    )
    parser.add_argument(
        "--budget",
        type=positive,
        default=CrossFileSettings().budget,
        metavar="N",
        help="tokens of a prompt that may tell of other files (%(default)s)",
    )
    add_run_options(parser)
    add_python_version(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        projects, unreadable = of_folders(arguments.on) if arguments.on else of_set(arguments.set)
        holes, excluded = draw_holes(projects, arguments.seed, arguments.limit)
        if not holes:
            raise NoData(
                f"no line of {', '.join(arguments.on or [arguments.set])} uses a name of another file"
            )
        return replay_holes(arguments, projects, holes, [*unreadable, *excluded])
    except (NoData, NotResumable, ModelError) as error:
        raise CommandError(str(error)) from error


def settings_of(arguments: argparse.Namespace) -> CrossFileSettings:
    return CrossFileSettings(
        model=arguments.model,
        device=arguments.device,
        runtime=arguments.runtime,
        python_version=chosen_language(arguments).version,
        budget=arguments.budget,
        conditions=tuple(one.name for one in CONDITIONS if one.name in arguments.told),
    )


def replay_holes(
    arguments: argparse.Namespace,
    projects: list[TypedProject],
    holes: list[CrossFileHole],
    excluded: list[Any],
) -> int:
    """Fills the missing holes and writes the report; exit code 1 if anything of ours went wrong."""
    settings = settings_of(arguments)
    selection = {"dataset": DATASET, "seed": arguments.seed, "limit": arguments.limit}
    plan = plan_on(projects, selection, asdict(settings), found_by=versions())
    folder = arguments.out or runs() / f"cross-file-{digest_of(plan)}"
    fill = parallel_fill(partial(CrossFileFiller.of, settings, projects), arguments.workers)
    journal = folder, plan, arguments.fresh
    # Holes of one project after the other: the project's facts take a while to be read.
    if not is_finished(holes, fill, journal, excluded, turn=lambda hole: hole.project):
        return STOPPED
    return report_run(CrossFileReport.of(folder), folder, arguments, "rows.jsonl", "timings.jsonl")
