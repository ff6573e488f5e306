"""`fim-lsp check`: do files parse, and if not, where is the first fault; can a hole be filled?

    $ fim-lsp check app.py
    app.py:3:8: ...

Faults are printed as `path:line:column: message`, one a line, which editors and CI turn into links.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass

from fim_lsp.cli import Unable
from fim_lsp.commands.languages import OF_PROJECT, add_python_version, chosen_language, language_of_file
from fim_lsp.holes import Filled, Unfillable, fill, first_fault
from fim_lsp.positions import Lines
from fim_lsp.sources import Place, Unreadable, read_source, source_names
from quotient import Language


@dataclass(frozen=True, slots=True)
class Verdict:
    """One line of the report. Lines and columns count from 1; `shortest` is for holes that can be filled."""

    path: str
    ok: bool
    line: int | None
    column: int | None
    message: str
    shortest: str | None = None

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}:{self.column}"
        return f"{place}: {self.message}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "places",
        nargs="+",
        metavar="PLACE",
        help="a file, a folder (its .py and .pyi files), `-` for standard input, or a hole FILE:LINE:COL",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON array instead of lines")
    parser.add_argument("--quiet", action="store_true", help="print faults only, no summary")
    add_python_version(parser, default=OF_PROJECT)


def run(arguments: argparse.Namespace) -> int:
    if arguments.python_version:
        # A version that there is no grammar for is said at once, even where there is no file.
        chosen_language(arguments)
    verdicts: list[Verdict] = []
    n_unreadable = 0
    for argument in arguments.places:
        place = Place.parse(argument)
        for name in [place.name] if place else source_names([argument]):
            language = language_of_file(arguments, name)
            try:
                verdict = hole_verdict(language, place) if place else file_verdict(language, name)
            except Unreadable as error:
                n_unreadable += 1
                print(f"fim-lsp check: {error}", file=sys.stderr)
                continue
            verdicts.append(verdict)
            if not arguments.json and (place or not verdict.ok):
                print(verdict)
    if arguments.json:
        print(json.dumps([asdict(verdict) for verdict in verdicts], indent=2))
    elif not arguments.quiet:
        print(summary(verdicts, n_unreadable), file=sys.stderr)
    if n_unreadable:
        return 2
    return 0 if all(verdict.ok for verdict in verdicts) else 1


def file_verdict(language: Language, name: str) -> Verdict:
    source = read_source(name)
    fault = first_fault(language, source.text)
    if fault is None:
        return Verdict(name, True, None, None, "parses")
    position = Lines(source.text).position(fault.offset)
    return Verdict(name, False, position.line + 1, position.column + 1, fault.message)


def hole_verdict(language: Language, place: Place) -> Verdict:
    text = read_source(place.name).text
    try:
        offset = place.offset(text)
    except ValueError as error:
        raise Unable(str(error)) from error
    match fill(language, text[:offset], text[offset:]):
        case Filled() as filled if filled.is_filled_already:
            return Verdict(place.name, True, place.line, place.column, "parses as it stands", "")
        case Filled(shortest):
            message = f"can be filled; the shortest text is {shortest!r}"
            return Verdict(place.name, True, place.line, place.column, message, shortest)
        case Unfillable(side, fault_offset, message):
            return Verdict(
                place.name,
                False,
                place.line,
                place.column,
                unfillable_message(text, side, fault_offset, message),
            )


def unfillable_message(text: str, side: str, fault_offset: int | None, message: str) -> str:
    if fault_offset is None:
        return f"no text fits here ({side}): {message}"
    position = Lines(text).position(fault_offset)
    return f"no text fits here ({side}, line {position.line + 1}, column {position.column + 1}): {message}"


def summary(verdicts: list[Verdict], n_unreadable: int) -> str:
    n_bad = sum(not verdict.ok for verdict in verdicts)
    counted = f"{len(verdicts)} checked, {n_bad} with a fault"
    return f"{counted}, {n_unreadable} unreadable" if n_unreadable else counted
