"""`fim-lsp languages`: the languages of files, their names, and the work that is done in each."""

from __future__ import annotations

import argparse
import json

from fim_lsp.bundled_models import model_knows
from fim_lsp.known_languages import KNOWN
from quotient import available_languages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    versions = available_languages()
    if arguments.json:
        listed = [
            {
                "name": language.name,
                "title": language.title,
                "extensions": list(language.extensions),
                "versions": versions[language.name],
                "written_by_bundled_model": model_knows(None, language),
            }
            for language in KNOWN
        ]
        print(json.dumps({"languages": listed}, indent=2))
        return 0
    name_width = max(len(language.name) for language in KNOWN)
    ends_width = max(len(" ".join(language.extensions)) for language in KNOWN)
    for language in KNOWN:
        known = versions[language.name]
        span = f" {known[0]} to {known[-1]}" if known else ""
        done = "" if model_knows(None, language) else "; the bundled model does not know it, others may"
        ends = " ".join(language.extensions)
        columns = f"{language.name:{name_width}}  {ends:{ends_width}}"
        print(f"{columns}  {language.title}{span}: checked and completed{done}")
    return 0
