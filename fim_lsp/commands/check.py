"""`fim-lsp check`: do files parse, and if not, where are the faults; can a hole be filled?

    $ fim-lsp check app.py
    app.py:3:8: ...

Faults are printed as `path:line:column: message`, one a line, which editors and CI turn into links. At a
terminal the line itself follows, with a caret under the place.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass, field

from fim_lsp.cli import CommandError
from fim_lsp.commands.language_options import (
    add_language,
    chosen_language,
    files_of,
    grammar_of_file,
    language_of_arguments,
    language_of_text,
)
from fim_lsp.faults import faults, key_said_twice
from fim_lsp.holes import FilledHole, FirstFault, Unfillable, fill
from fim_lsp.known_languages import PYTHON, TOML, KnownLanguage, UnknownLanguage
from fim_lsp.positions import Lines
from fim_lsp.snippet import snippet
from fim_lsp.sources import SourcePosition, Unreadable, read_source
from fim_lsp.terminal import Palette
from quotient import TooCostly


@dataclass(frozen=True, slots=True)
class PlacedFault:
    """Lines and columns count from 1."""

    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class FileVerdict:
    path: str
    language: str
    ok: bool
    faults: list[PlacedFault]


@dataclass(frozen=True, slots=True)
class HoleVerdict:
    """`shortest` is for holes that can be filled."""

    path: str
    language: str
    line: int
    column: int
    ok: bool
    message: str
    shortest: str | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class Unread:
    path: str
    message: str


@dataclass(slots=True)
class Checked:
    """The verdicts that are reported."""

    files: list[FileVerdict] = field(default_factory=list)
    holes: list[HoleVerdict] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)

    @property
    def verdicts(self) -> list[FileVerdict | HoleVerdict]:
        return [*self.files, *self.holes]

    def as_json(self) -> dict[str, object]:
        return {
            "files": [asdict(verdict) for verdict in self.files],
            "holes": [asdict(verdict) for verdict in self.holes],
            "unreadable": [asdict(one) for one in self.unread],
        }

    def summary(self) -> str:
        n_bad = sum(not verdict.ok for verdict in self.verdicts)
        counted = f"{len(self.verdicts)} checked, {n_bad} with a fault"
        return f"{counted}, {len(self.unread)} unreadable" if self.unread else counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "places",
        nargs="+",
        metavar="PLACE",
        help="a file, a folder (its sources), `-` for standard input, or a hole FILE:LINE:COL",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.add_argument("--quiet", action="store_true", help="print faults only, no summary")
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.python_version:
        # A version without a grammar is reported at once, even if there is no file.
        chosen_language(arguments)
    checked = Checked()
    for argument in arguments.places:
        check(arguments, argument, checked)
    if arguments.json:
        print(json.dumps(checked.as_json(), indent=2))
    elif not arguments.quiet:
        print(checked.summary(), file=sys.stderr)
    if checked.unread:
        return 2
    return 0 if all(verdict.ok for verdict in checked.verdicts) else 1


def check(arguments: argparse.Namespace, argument: str, checked: Checked) -> None:
    """Checks one argument: a hole, a file, or the files in a folder."""
    place = SourcePosition.parse(argument)
    try:
        if not argument:
            read_source(argument)
        names = [place.name] if place else list(files_of(arguments, argument))
    except Unreadable as error:
        refuse(checked, argument, str(error))
        return
    for name in names:
        try:
            known_language = language_of_arguments(arguments, name)
            if place is not None:
                checked.holes.append(hole_verdict(arguments, known_language, place))
            else:
                checked.files.append(file_verdict(arguments, known_language, name))
        except (Unreadable, UnknownLanguage) as error:
            refuse(checked, name, str(error))
        except TooCostly as error:
            refuse(checked, argument, f"{argument}: unknown whether any text fits here: {error}")


def refuse(checked: Checked, name: str, message: str) -> None:
    print(f"fim-lsp check: {message}", file=sys.stderr)
    checked.unread.append(Unread(name, message.removeprefix(f"{name}: ")))


def file_verdict(arguments: argparse.Namespace, known_language: KnownLanguage, name: str) -> FileVerdict:
    text = read_source(name, is_python=known_language is PYTHON).text
    known_language = language_of_text(arguments, known_language, text)
    language = grammar_of_file(arguments, known_language, name)
    found = faults(language, text, known_language)
    if not found and known_language is TOML:
        found = [fault for fault in [key_said_twice(language, text)] if fault is not None]
    lines = Lines(text)
    placed = [placed_fault(lines, fault) for fault in found]
    if not arguments.json:
        for fault, place in zip(found, placed, strict=True):
            show(f"{name}:{place.line}:{place.column}", place.message, lines, fault.offset, is_good=False)
    return FileVerdict(name, known_language.name, not found, placed)


def placed_fault(lines: Lines, fault: FirstFault) -> PlacedFault:
    position = lines.position(fault.offset)
    return PlacedFault(position.line + 1, position.column + 1, fault.message)


def hole_verdict(
    arguments: argparse.Namespace, known_language: KnownLanguage, place: SourcePosition
) -> HoleVerdict:
    text = read_source(place.name, is_python=known_language is PYTHON).text
    known_language = language_of_text(arguments, known_language, text)
    language = grammar_of_file(arguments, known_language, place.name)
    try:
        offset = place.offset(text)
    except ValueError as error:
        raise CommandError(str(error)) from error
    shortest: str | None = None
    match fill(language, text[:offset], text[offset:]):
        case FilledHole() as filled if filled.is_filled_already:
            message, shortest = "parses as it stands", ""
        case FilledHole(shortest):
            message = f"can be filled; the shortest text is {shortest!r}"
        case Unfillable(side, fault_offset, reason):
            message = unfillable_message(text, side, fault_offset, reason)
    is_good = shortest is not None
    verdict = HoleVerdict(
        place.name, known_language.name, place.line, place.column, is_good, message, shortest
    )
    if not arguments.json:
        show(f"{place.name}:{place.line}:{place.column}", message, Lines(text), offset, is_good)
    return verdict


def show(place: str, message: str, lines: Lines, offset: int, is_good: bool) -> None:
    """A line for programs; at a terminal in colour, and with the line of the file."""
    palette = Palette.of(sys.stdout)
    painted = message if is_good else palette.bad(message)
    print(f"{palette.bold(place)}: {painted}")
    if palette.has_colours or sys.stdout.isatty():
        print(snippet(lines, offset, palette))


def unfillable_message(text: str, side: str, fault_offset: int | None, message: str) -> str:
    if fault_offset is None:
        return f"no text fits here ({side}): {message}"
    position = Lines(text).position(fault_offset)
    return f"no text fits here ({side}, line {position.line + 1}, column {position.column + 1}): {message}"
