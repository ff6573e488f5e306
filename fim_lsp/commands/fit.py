"""`fim-lsp fit FILE:LINE:COL < text`: a text from elsewhere, made to fit the hole at a place.

    $ printf 'line)' | fim-lsp fit reader.py:5:22
    line
    fim-lsp fit: ')' is right of the cursor already

The text is printed without a line end behind it; changes and their reasons go to standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from fim_lsp.cli import CommandError
from fim_lsp.commands.language_options import (
    add_language,
    add_unique_keys,
    grammar_of_file,
    language_of_arguments,
    language_of_text,
)
from fim_lsp.fitting.fit import fit
from fim_lsp.known_languages import PYTHON, UnknownLanguage
from fim_lsp.sources import STANDARD_INPUT, SourcePosition, Unreadable, read_source
from quotient import TooCostly


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "place", metavar="FILE:LINE:COL", help="where to put the text; lines and columns count from 1"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--names",
        action="store_true",
        help="also refuse errors beyond the grammar: names of Python, early errors of JavaScript "
        "(docs/names.md)",
    )
    add_unique_keys(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    place = SourcePosition.parse(arguments.place)
    if place is None:
        raise CommandError(f"{arguments.place!r} is not FILE:LINE:COL, such as app.py:12:8")
    if place.name == STANDARD_INPUT:
        raise CommandError("standard input holds the text, so the file must be on disk")
    try:
        known_language = language_of_arguments(arguments, place.name)
        file = read_source(place.name, is_python=known_language is PYTHON).text
        known_language = language_of_text(arguments, known_language, file)
        offset = place.offset(file)
        text = read_source(STANDARD_INPUT, is_python=False).text
    except (Unreadable, UnknownLanguage, ValueError) as error:
        raise CommandError(str(error)) from error
    language = grammar_of_file(arguments, known_language, place.name)
    names = () if known_language.has_law(arguments.names, arguments.unique_keys) else None
    try:
        found = fit(file[:offset], text, file[offset:], language=language, names=names)
    except TooCostly as error:
        raise CommandError(f"{arguments.place}: unknown whether any text fits here: {error}") from error
    if arguments.json:
        print(json.dumps(asdict(found), indent=2))
    else:
        sys.stdout.write(found.text or "")
        if found.is_changed:
            sys.stdout.flush()
            print(f"fim-lsp fit: {found.reason}", file=sys.stderr)
    return 1 if found.text is None else 0
