"""`fim-lsp replay`: the papers' experiments and ours, on any machine, with any model, in one command each."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fim_lsp.bundled_models import NO_MODEL, model_knows
from fim_lsp.cli import CommandError
from fim_lsp.commands import (
    replay_compare,
    replay_cross_file,
    replay_edits,
    replay_report,
    replay_show,
    replay_typing,
)
from fim_lsp.commands.argument_types import positive
from fim_lsp.commands.language_options import add_python_version, chosen_language
from fim_lsp.commands.model_options import add_runtime
from fim_lsp.commands.replay_run import STOPPED, is_finished
from fim_lsp.decoding.models.model import (
    ModelError,
    check_gguf,
    check_torch,
    is_gguf,
    local_folder,
    locate_model,
    needs_torch,
)
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.known_languages import KNOWN, PYTHON, language_named
from fim_lsp.replay import devbench
from fim_lsp.replay.case import Case, Excluded
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.journal import NotResumable, line, replace
from fim_lsp.replay.judge import ParserJudge
from fim_lsp.replay.modes import MODES, USUAL, HoleFiller, Mode, ReplaySettings
from fim_lsp.replay.plan import Plan, runs
from fim_lsp.replay.recipes import INFILLINGS, RECIPES, Gathered, Recipe, Selection, gather_cases
from fim_lsp.replay.report import Report, write_report
from fim_lsp.replay.running import Pair, in_this_process, in_workers
from fim_lsp.replay.sandbox import IS_SUPPORTED, shortcomings
from fim_lsp.replay.stack import RULES
from fim_lsp.replay.through_lsp import through_server
from fim_lsp.runtimes.served.address import address_of, is_address
from fim_lsp.runtimes.served.finding import find

TOOLS: dict[str, Any] = {
    "typing": replay_typing,
    "cross-file": replay_cross_file,
    "edits": replay_edits,
    "show": replay_show,
    "compare": replay_compare,
    "report": replay_report,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    subparsers = parser.add_subparsers(
        dest="what", metavar="WHAT", title="data sets, and tools", required=True
    )
    for recipe in RECIPES.values():
        run_arguments(
            subparsers.add_parser(recipe.name, help=recipe.summary, description=recipe.summary), recipe
        )
    for name, tool in TOOLS.items():
        tool.add_arguments(subparsers.add_parser(name, help=tool.SUMMARY, description=tool.SUMMARY))


def run_arguments(parser: argparse.ArgumentParser, recipe: Recipe) -> None:
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="a folder, a GGUF file, the address of a server, a name on the hub, or with --through-lsp `none`"
        " (default: bundled)",
    )
    add_runtime(parser)
    parser.add_argument(
        "--limit",
        type=limit,
        default=recipe.limit,
        metavar="N",
        help=f"replay the first N cases, or `all` (default: {recipe.limit or 'all'})",
    )
    parser.add_argument(
        "--modes",
        type=modes,
        default=USUAL,
        metavar="MODE,...",
        help=f"of {', '.join(MODES)} (default: {', '.join(USUAL)})",
    )
    parser.add_argument(
        "--scope",
        choices=("statement", "block", "bracket", "free"),
        help="what a steered text may not leave (default: as in an editor)",
    )
    parser.add_argument(
        "--max-tokens",
        type=positive,
        default=recipe.n_tokens,
        metavar="N",
        help="the longest text (default: the paper's %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, help="same seed, same cases, same rows (%(default)s)")
    parser.add_argument("--data", metavar="SOURCE", help=data_help(recipe))
    if recipe.name in RULES:
        parser.add_argument(
            "--cuts", type=positive, default=10, metavar="N", help="cases per file (%(default)s)"
        )
        parser.add_argument(
            "--longest",
            type=positive,
            default=100_000,
            metavar="N",
            help="leave out files with more characters (%(default)s)",
        )
        parser.add_argument(
            "--language",
            choices=[known_language.name for known_language in KNOWN],
            help=f"what the files of --data are written in (default: {PYTHON.name})",
        )
    if recipe.name == "devbench":
        parser.add_argument(
            "--language",
            choices=devbench.LANGUAGES,
            help=f"which of its languages is replayed (default: {PYTHON.name})",
        )
    if recipe.name == "human-eval-infilling":
        parser.add_argument(
            "--infilling", choices=tuple(INFILLINGS), help="one kind of hole (default: all three, mixed)"
        )
    if recipe.has_tests:
        parser.add_argument("--no-tests", action="store_true", help="do not run what the model wrote")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes (%(default)s)")
    parser.add_argument(
        "--out",
        type=Path,
        default=runs() / recipe.name,
        metavar="DIR",
        help="keep rows and reports here, and continue a run that is there (default: %(default)s)",
    )
    parser.add_argument("--fresh", action="store_true", help="start over: the rows in DIR are lost")
    parser.add_argument("--parquet", action="store_true", help="write the rows as rows.parquet, too")
    parser.add_argument(
        "--through-lsp", action="store_true", help="send the cases through the language server over stdio"
    )
    parser.add_argument(
        "--cases", type=Path, metavar="FILE", help="only write the cases to FILE (JSON lines), and stop"
    )
    parser.add_argument("--json", action="store_true", help="print the tables as JSON")
    add_python_version(parser)


def data_help(recipe: Recipe) -> str:
    if recipe.name == "devbench":
        return f"the folder of the data set, which is published at {devbench.ORIGIN}"
    if recipe.name not in RULES:
        return "the published file of problems (default: the one in this repository)"
    return (
        "files from a folder, a .jsonl, .jsonl.gz or .parquet file, or a name on the hub such as"
        " bigcode/the-stack-smol-xl (default: the standard library)"
    )


def limit(text: str) -> int | None:
    return None if text == "all" else positive(text)


def modes(text: str) -> tuple[Mode, ...]:
    wanted = [name.strip() for name in text.split(",")]
    if unknown := [name for name in wanted if name not in MODES]:
        raise argparse.ArgumentTypeError(f"no mode {unknown[0]!r}; there are {', '.join(MODES)}")
    # One order for all, so that a run with the same modes is the same run.
    return tuple(mode for mode in MODES if mode in wanted)


def run(arguments: argparse.Namespace) -> int:
    if arguments.what in TOOLS:
        return int(TOOLS[arguments.what].run(arguments))
    plan = planned_run(arguments)
    try:
        found = gather_cases(plan.selection, arguments.limit)
        if arguments.cases is not None:
            return write_cases(arguments.cases, found)
        return replay_cases(arguments, plan, found)
    except (NoData, NotResumable, ModelError) as error:
        raise CommandError(str(error)) from error


def planned_run(arguments: argparse.Namespace) -> Plan:
    try:
        ParserJudge.of(arguments.python_version, language_of(arguments))
    except ValueError as error:
        raise CommandError(str(error)) from error
    selection = Selection(
        arguments.what,
        arguments.data,
        arguments.seed,
        getattr(arguments, "cuts", 10),
        getattr(arguments, "longest", None),
        getattr(arguments, "infilling", None),
        arguments.python_version,
        language_of(arguments),
    )
    settings = ReplaySettings(
        modes=("served",) if arguments.through_lsp else arguments.modes,
        task=RECIPES[arguments.what].task,
        model=arguments.model,
        device=arguments.device,
        runtime=arguments.runtime,
        max_tokens=arguments.max_tokens,
        scope=arguments.scope,
        seed=arguments.seed,
        python_version=chosen_language(arguments).version,
        has_tests=not getattr(arguments, "no_tests", False),
        language=language_of(arguments),
    )
    return Plan(selection, settings)


def language_of(arguments: argparse.Namespace) -> str:
    """The data sets of problems are Python's."""
    return getattr(arguments, "language", None) or PYTHON.name


def write_cases(path: Path, found: Gathered) -> int:
    replace(
        path,
        (
            line({"case": case.id, "left": case.left, "middle": case.middle, "right": case.right})
            for case in found.cases
        ),
    )
    print(f"{len(found.cases)} cases of {found.origin} in {path}; {excluded_in_words(found.excluded)}")
    return 0


def excluded_in_words(excluded: list[Excluded]) -> str:
    reasons = Counter(one.reason for one in excluded)
    if not reasons:
        return "no file excluded"
    counts = "; ".join(f"{reason}: {count}" for reason, count in sorted(reasons.items()))
    return f"{len(excluded)} files excluded ({counts})"


def replay_cases(arguments: argparse.Namespace, plan: Plan, found: Gathered) -> int:
    """Runs the missing cases and writes the reports; the exit code says whether anything of ours went
    wrong."""
    if plan.settings.has_tests and any(case.tests for case in found.cases):
        tell_shortcomings()
    journal = arguments.out, plan.row(), arguments.fresh
    if not is_finished(found.cases, filler(arguments, plan), journal, found.excluded):
        return STOPPED
    report = Report.of(arguments.out)
    files = write_report(report, arguments.out, has_parquet=arguments.parquet)
    print(json.dumps(report.as_json(), indent=2) if arguments.json else report.as_text())
    print(f"in {arguments.out}: {', '.join(path.name for path in files)}", file=sys.stderr)
    return 1 if report.n_errors else 0


def tell_shortcomings() -> None:
    """Says what the sandbox of this system cannot do, before any program that a model wrote is run."""
    if sentence := shortcomings():
        if not IS_SUPPORTED:
            raise CommandError(f"{sentence}; --no-tests leaves them out")
        print(f"{sentence} (--no-tests leaves them out)", file=sys.stderr)


def filler(arguments: argparse.Namespace, plan: Plan) -> Callable[[Sequence[Case]], Iterator[Pair]]:
    """The function that fills the holes, by this process, by others, or by the server."""
    settings = plan.settings
    needs_none = settings.modes == ("truth",) or (arguments.through_lsp and settings.model == NO_MODEL)
    if not needs_none:
        if not model_knows(settings.model, language_named(settings.language)):
            raise CommandError(
                f"the bundled model does not write {language_named(settings.language).title};"
                " --model names another one, and `--modes truth` replays what was cut out"
            )
        check_model(settings)
    if arguments.through_lsp:
        return through_server(settings)
    maker = partial(HoleFiller.of, settings)
    return in_this_process(maker) if arguments.workers == 1 else in_workers(maker, arguments.workers)


def check_model(settings: ReplaySettings) -> None:
    """Reports what is missing before any work begins, and fetches a hub's model only once."""
    name = settings.model
    if is_address(name):
        find(address_of(str(name)))
        return
    if name is not None and is_gguf(name):
        check_gguf(name, settings.runtime)
        return
    local_folder(name)
    try:
        if needs_torch(settings.model, RuntimeWishes(settings.runtime, settings.device)):
            check_torch()
    except ModelError as error:
        raise CommandError(
            f"{error}; `--modes truth` replays what was cut out, with the engine alone"
        ) from error
    locate_model(settings.model, False, lambda what, _share: print(what, file=sys.stderr))
