"""`fim-lsp bench`: the cost of holes in your files; for Python, next to `ast.parse` of the same files."""

from __future__ import annotations

import argparse
import json
import sysconfig
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from fim_lsp.cli import CommandError
from fim_lsp.commands.language_options import (
    add_language,
    chosen_language,
    files_of,
    grammar_of_file,
    language_of_arguments,
    language_of_text,
)
from fim_lsp.known_languages import PYTHON, UnknownLanguage
from fim_lsp.sources import Unreadable, read_source
from fim_lsp.terminal import duration
from fim_lsp.timing import Timing, time_language
from quotient import NoCompletion, TooCostly

# Modules of the standard library, one file of each size: about 3, 13, 58 and 120 kB.
SAMPLE = ("bisect.py", "shlex.py", "dataclasses.py", "typing.py")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="default: four of the standard library")
    parser.add_argument(
        "--runs", type=int, default=5, metavar="N", help="take medians of N runs (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, times in seconds")
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.runs < 1:
        raise CommandError("--runs must be at least 1")
    if arguments.python_version:
        # A version without a grammar is reported at once, even if there is no file.
        chosen_language(arguments)
    try:
        names = [name for one in arguments.files for name in files_of(arguments, one)] or default_files()
        timings = [timing_of(arguments, name) for name in names]
    except (Unreadable, UnknownLanguage) as error:
        raise CommandError(str(error)) from error
    if arguments.json:
        print(json.dumps({"files": [asdict(timing) for timing in timings]}, indent=2))
    else:
        print("\n".join(table(timings)))
    return 0


def timing_of(arguments: argparse.Namespace, name: str) -> Timing:
    known_language = language_of_arguments(arguments, name)
    text = read_source(name, is_python=known_language is PYTHON).text
    known_language = language_of_text(arguments, known_language, text)
    try:
        return time_language(grammar_of_file(arguments, known_language, name), name, text, arguments.runs)
    except (NoCompletion, TooCostly) as error:
        raise CommandError(f"{name}: {error}") from error


def default_files() -> list[str]:
    library = Path(sysconfig.get_path("stdlib"))
    return [str(library / name) for name in SAMPLE]


def parse_time(timing: Timing) -> str:
    if timing.language != PYTHON.name:
        return "-"
    return duration(timing.ast_parse) if timing.ast_parse else "rejected"


def table(timings: list[Timing]) -> Iterator[str]:
    yield (
        f"{'file':20} {'characters':>10} {'ast.parse':>10} {'first':>10} {'ratio':>6} {'again':>10}"
        f" {'advance':>10} {'is_member':>10} {'fork':>10} {'witness':>10}"
    )
    for timing in timings:
        yield (
            f"{Path(timing.name).name:20} {timing.n_characters:>10}"
            f" {parse_time(timing):>10}"
            f" {duration(timing.first):>10} {f'{timing.first_ratio:.2f}' if timing.first_ratio else '-':>6}"
            f" {duration(timing.again):>10} {duration(timing.advance):>10} {duration(timing.is_member):>10}"
            f" {duration(timing.fork):>10} {duration(timing.witness):>10}"
        )
    yield "first, again: a recognizer for a hole in the middle of the file, once and then in the median;"
    yield "ratio: first to ast.parse; advance: one character typed into the hole; all others medians"
