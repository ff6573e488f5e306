"""`fim-lsp replay typing`: real text is typed again, key by key, with the offers that an editor would get."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from functools import partial
from typing import Any

from fim_lsp.cli import CommandError
from fim_lsp.commands import replay_typing_clock
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
from fim_lsp.known_languages import KNOWN, PYTHON, language_named
from fim_lsp.replay.case import Excluded
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.journal import NotResumable
from fim_lsp.replay.plan import runs
from fim_lsp.replay.typing.drawing import TypedProject, Typing, draw_regions
from fim_lsp.replay.typing.filler import RegionTyper, TypingSettings
from fim_lsp.replay.typing.parsing import parser_name
from fim_lsp.replay.typing.projects import PAIRS, SETS, of_folders, of_set, since
from fim_lsp.replay.typing.report import DATASET, TypingReport
from fim_lsp.replay.typing.undefined import checker_name
from fim_lsp.server.settings import EAGERNESS
from fim_lsp.server.worker.offer_filters import OFFER_FILTERS

SUMMARY = "type real text again, key by key: how many keys offers save, and how often they are wrong"
LIMIT = 120
PARTS = ("judge", "memory", "names", "filters", *OFFER_FILTERS)
# The bars of the curve: everything is shown at the first one.
BARS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--on", nargs="+", metavar="DIR", help="folders of source files, a project each")
    source.add_argument(
        "--set",
        choices=SETS,
        default="standard-library",
        help="what is typed where no folder is named (default: %(default)s)",
    )
    parser.add_argument(
        "--since",
        nargs="+",
        metavar="OLDDIR",
        help="with --on: type only lines that an older release does not have, a folder for each DIR",
    )
    parser.add_argument(
        "--language",
        choices=[language.name for language in KNOWN],
        default=PYTHON.name,
        help="what is typed in; of others than Python `--set packages` and `--set tuning` have some"
        " (default: %(default)s)",
    )
    parser.add_argument(
        "--lines",
        type=lengths,
        metavar="LEAST-MOST",
        help="type only in files of this many lines, such as 200-2000 (default: in all)",
    )
    parser.add_argument(
        "--limit", type=positive, default=LIMIT, metavar="N", help="how many regions to type (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="same seed, same regions, same rows (%(default)s)"
    )
    parser.add_argument(
        "--model",
        action="append",
        metavar="NAME",
        help="a folder, a GGUF file, a server's address or a name, or `none` (default: bundled); on the clock"
        " it may be given several times: they type beside one another",
    )
    add_runtime(parser)
    parser.add_argument(
        "--no-curve", action="store_true", help="type with the setting alone, at no other bar"
    )
    parser.add_argument(
        "--without",
        nargs="+",
        choices=PARTS,
        default=(),
        metavar="PART",
        help=f"leave out what makes offers better, to see what it does: {', '.join(PARTS)}",
    )
    parser.add_argument(
        "--parts",
        action="store_true",
        help="type each region without each part, too: what do they do? (three times as long)",
    )
    add_run_options(parser)
    parser.add_argument(
        "--eagerness", choices=EAGERNESS, default="balanced", help="as the setting (default: %(default)s)"
    )
    add_python_version(parser)
    replay_typing_clock.add_arguments(parser)


def lengths(text: str) -> range:
    least, sign, most = text.partition("-")
    if not (sign and least.isdecimal() and most.isdecimal() and int(least) <= int(most)):
        raise argparse.ArgumentTypeError(f"must be two numbers such as 200-2000, not {text!r}")
    return range(int(least), int(most) + 1)


def run(arguments: argparse.Namespace) -> int:
    replay_typing_clock.check(arguments)
    try:
        projects, unreadable = source(arguments)
        typings, excluded = chosen_typings(projects, arguments)
        excluded = [*unreadable, *excluded]
        known_language = language_named(arguments.language)
        if not typings:
            where, ends = ", ".join(arguments.on or [arguments.set]), ", ".join(known_language.extensions)
            why = f"there is no file of {known_language.title} ({ends}) with lines for that"
            raise NoData(f"nothing to be typed in {where}: {why}")
        selection: dict[str, Any] = {"dataset": DATASET, "seed": arguments.seed, "limit": arguments.limit}
        if known_language is not PYTHON:
            selection |= {"language": known_language.name, "parsed_by": parser_name(known_language)}
        if arguments.lines:
            selection["lines"] = [arguments.lines[0], arguments.lines[-1]]
        run_typings = replay_typing_clock.replay_clock if arguments.clock else replay_typings
        return run_typings(arguments, projects, typings, excluded, selection)
    except (NoData, NotResumable) as error:
        raise CommandError(str(error)) from error


def source(arguments: argparse.Namespace) -> tuple[list[TypedProject], list[Excluded]]:
    if arguments.since and not arguments.on:
        raise CommandError(f"--since goes with --on; of the sets, {', '.join(PAIRS)} has what is new")
    known_language = language_named(arguments.language)
    found = (
        of_folders(arguments.on, known_language) if arguments.on else of_set(arguments.set, known_language)
    )
    return since(found, arguments.since) if arguments.since else found


def chosen_typings(
    projects: list[TypedProject], arguments: argparse.Namespace
) -> tuple[list[Typing], list[Excluded]]:
    found = list(draw_regions(projects, arguments.seed, arguments.limit, arguments.lines))
    return (
        [one for one in found if isinstance(one, Typing)],
        [one for one in found if isinstance(one, Excluded)],
    )


def settings_of(arguments: argparse.Namespace) -> TypingSettings:
    return TypingSettings(
        model=arguments.model[0] if arguments.model else None,
        device=arguments.device,
        runtime=arguments.runtime,
        python_version=chosen_language(arguments).version,
        eagerness=arguments.eagerness,
        bars=() if arguments.no_curve else BARS,
        without=tuple(sorted(set(arguments.without))),
        parts=tuple(part for part in PARTS if part not in arguments.without) if arguments.parts else (),
        bars_of_parts=BARS[::2] if arguments.parts and not arguments.no_curve else (),
    )


def replay_typings(
    arguments: argparse.Namespace,
    projects: list[TypedProject],
    typings: list[Typing],
    excluded: list[Excluded],
    selection: dict[str, Any],
) -> int:
    """Types the missing regions and writes the report; exit code 1 if anything of ours went wrong."""
    settings = settings_of(arguments)
    plan = plan_on(
        projects,
        selection,
        asdict(settings),
        names_judged_by=checker_name(language_named(arguments.language)),
    )
    folder = arguments.out or runs() / f"typing-{digest_of(plan)}"
    fill = parallel_fill(partial(RegionTyper.of, settings, projects), arguments.workers)
    if not is_finished(typings, fill, (folder, plan, arguments.fresh), excluded):
        return STOPPED
    return report_run(TypingReport.of(folder), folder, arguments, "rows.jsonl", "timings.jsonl")
