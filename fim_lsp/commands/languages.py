"""The option that says which Python a file is written in; several subcommands share it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fim_lsp.cli import Unable
from fim_lsp.python_version import python_version
from fim_lsp.sources import STANDARD_INPUT
from quotient import Language, available_languages

OF_PROJECT = "the lowest of requires-python in pyproject.toml, or the Python in use"


def add_python_version(parser: argparse.ArgumentParser, default: str = "that of this interpreter") -> None:
    parser.add_argument(
        "--python-version",
        default=None,
        metavar="X.Y",
        help=f"the Python that the files are written in (default: {default})",
    )


def language_of_file(arguments: argparse.Namespace, name: str) -> Language:
    """The language that is asked for, or else the one that the file's project or its environment says."""
    path = None if name == STANDARD_INPUT else Path(name)
    return language_of_version(arguments.python_version or python_version(path, None))


def chosen_language(arguments: argparse.Namespace) -> Language:
    """The language that is asked for, or else that of this interpreter."""
    return language_of_version(arguments.python_version or interpreter_version())


def language_of_version(version: str | None) -> Language:
    try:
        return Language.load("python", version=version)
    except ValueError as error:
        known = ", ".join(available_languages()["python"])
        raise Unable(f"no grammar for Python {version}; there are {known}") from error


def interpreter_version() -> str | None:
    """The version of the interpreter in use, or None for the newest known one if it has no grammar."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return version if version in available_languages()["python"] else None
