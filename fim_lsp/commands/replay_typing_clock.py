"""`fim-lsp replay typing --clock`: the regions typed by a person, on the wall's clock (docs/clock.md)."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fim_lsp.bundled_models import is_bundled
from fim_lsp.cli import CommandError
from fim_lsp.commands.language_options import chosen_language
from fim_lsp.commands.replay_projects import plan_on
from fim_lsp.commands.replay_run import STOPPED, digest_of, is_finished, report_run
from fim_lsp.replay.case import Excluded
from fim_lsp.replay.plan import name_of_model, runs
from fim_lsp.replay.running import in_this_process
from fim_lsp.replay.typing.clock.filler import ClockFiller, ClockSettings
from fim_lsp.replay.typing.clock.report import DATASET, ClockReport
from fim_lsp.replay.typing.drawing import TypedProject, Typing
from fim_lsp.replay.typing.undefined import checker_name

WARM = 10.0
# The options that only a user with endless patience has, by name.
PATIENT_ONLY = ("without", "parts", "no_curve", "runtime")
CLOCK_ONLY = ("patient", "just_opened", "warm", "setting")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    clock = parser.add_argument_group("on the wall's clock (docs/clock.md)")
    clock.add_argument(
        "--clock",
        action="store_true",
        help="type as a person does, in the server as an editor runs it: what comes too late was not offered",
    )
    clock.add_argument(
        "--patient", action="store_true", help="type each region with endless patience, too: what is lost?"
    )
    clock.add_argument(
        "--warm",
        type=seconds,
        metavar="SECONDS",
        help=f"open the file so long before the typing begins (default: {WARM:g})",
    )
    clock.add_argument(
        "--just-opened", action="store_true", help="open the file where the typing begins at once: --warm 0"
    )
    clock.add_argument(
        "--setting",
        action="append",
        type=setting,
        metavar="NAME=VALUE",
        help="a setting of the server, its value as JSON, such as timeBudget=2000",
    )


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of seconds, not {text!r}")
    return value


def setting(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not (name and sign):
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, not {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def check(arguments: argparse.Namespace) -> None:
    """Refuses what says nothing together."""
    wrong = PATIENT_ONLY if arguments.clock else CLOCK_ONLY
    for name in wrong:
        if getattr(arguments, name) not in (None, (), False):
            when = "goes without --clock" if arguments.clock else "goes with --clock"
            raise CommandError(f"--{name.replace('_', '-')} {when}")
    if arguments.clock and arguments.workers > 1:
        raise CommandError("on the clock one region is typed at a time: --workers goes without --clock")
    if not arguments.clock and len(arguments.model or ()) > 1:
        raise CommandError(
            "several models are typed with on the clock: --model is given once without --clock"
        )
    if arguments.just_opened and arguments.warm:
        raise CommandError("--just-opened is --warm 0")


def settings_of(arguments: argparse.Namespace) -> ClockSettings:
    models = tuple(None if is_bundled(name) else name for name in arguments.model or (None,))
    if len(set(models)) < len(models):
        raise CommandError("--model names a model twice")
    warm = 0.0 if arguments.just_opened else WARM if arguments.warm is None else arguments.warm
    return ClockSettings(
        models=models,
        device=arguments.device,
        python_version=chosen_language(arguments).version,
        eagerness=arguments.eagerness,
        seed=arguments.seed,
        warm=warm,
        patient=arguments.patient,
        server=tuple(sorted(dict(arguments.setting or ()).items())),
    )


def replay_clock(
    arguments: argparse.Namespace,
    projects: list[TypedProject],
    typings: list[Typing],
    excluded: list[Excluded],
    selection: dict[str, Any],
) -> int:
    """Types the missing regions and writes the report; exit code 1 if anything of ours went wrong."""
    settings = settings_of(arguments)
    plan = planned_clock(settings, projects, selection)
    folder = arguments.out or runs() / f"typing-clock-{digest_of(plan)}"
    with TemporaryDirectory(prefix="typing-") as copies:
        fill = in_this_process(partial(ClockFiller.of, settings, projects, Path(copies)))
        if not is_finished(typings, fill, (folder, plan, arguments.fresh), excluded):
            return STOPPED
    return report_run(ClockReport.of(folder), folder, arguments, "rows.jsonl")


def planned_clock(
    settings: ClockSettings, projects: list[TypedProject], selection: dict[str, Any]
) -> dict[str, Any]:
    kept = asdict(settings) | {"model": settings.models[0], "runtime": None}
    plan = plan_on(projects, selection | {"dataset": DATASET}, kept, names_judged_by=checker_name())
    plan["settings"]["models"] = [name_of_model(model) for model in settings.models]
    plan["settings"]["labels"] = settings.labels
    return plan
