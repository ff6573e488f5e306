"""`fim-lsp languages`: what files are read in, by which names, and what is done with each."""

from __future__ import annotations

import argparse
import json

from fim_lsp.known_languages import KNOWN, PYTHON
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
                "written_by_bundled_model": language is PYTHON,
            }
            for language in KNOWN
        ]
        print(json.dumps({"languages": listed}, indent=2))
        return 0
    for language in KNOWN:
        known = versions[language.name]
        span = f" {known[0]} to {known[-1]}" if known else ""
        done = "" if language is PYTHON else "; the bundled model does not know it, others may"
        ends = " ".join(language.extensions)
        print(f"{language.name:8} {ends:14} {language.title}{span}: checked and completed{done}")
    return 0
