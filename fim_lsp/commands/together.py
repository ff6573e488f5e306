"""`fim-lsp complete --together FILE:LINE:COL ...`: several holes of one file, filled so that it parses."""

from __future__ import annotations

import argparse
import json

from fim_lsp.cli import CommandError
from fim_lsp.commands.language_options import grammar_of_file, language_of_arguments, language_of_text
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.together import SeveralHoles, written_together
from fim_lsp.known_languages import KnownLanguage, UnknownLanguage
from fim_lsp.sources import SourcePosition, Unreadable, read_source
from quotient import NoCompletion


def run_together(arguments: argparse.Namespace, options: Options) -> int:
    from fim_lsp.commands.complete import chosen_model

    said = [arguments.place, *arguments.more]
    places = [place for one in said if (place := SourcePosition.parse(one)) is not None]
    if len(places) < len(said) or len({place.name for place in places}) != 1:
        raise CommandError("--together takes several FILE:LINE:COL of one file")
    name = places[0].name
    try:
        known_language: KnownLanguage = language_of_arguments(arguments, name)
        text = read_source(name, is_python=known_language.name == "python").text
        known_language = language_of_text(arguments, known_language, text)
        offsets = [place.offset(text) for place in places]
    except (Unreadable, UnknownLanguage, ValueError) as error:
        raise CommandError(str(error)) from error
    language = grammar_of_file(arguments, known_language, name)
    model, _ = chosen_model(arguments, known_language)
    has_law = known_language.has_law(not arguments.no_names, arguments.unique_keys)
    holes = SeveralHoles(language, text, offsets, has_law, name)
    try:
        # The shortest texts come last, for callers that want them.
        found = written_together(holes, model, options)[: options.n]
    except NoCompletion as error:
        print(json.dumps([]) if arguments.json else str(error))
        return 1
    if arguments.json:
        print(json.dumps([[*texts] for texts in found], indent=2))
        return 0
    for number, texts in enumerate(found):
        if number:
            print()
        for one, written in zip(said, texts, strict=True):
            print(f"{one}: {written!r}")
    return 0
