"""The option that says which Python a file is written in; several subcommands share it."""

from __future__ import annotations

import argparse
import sys

from fim_lsp.cli import Unable
from quotient import Language, available_languages


def add_python_version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--python-version",
        default=None,
        metavar="X.Y",
        help="the Python that the files are written in (default: that of this interpreter)",
    )


def chosen_language(arguments: argparse.Namespace) -> Language:
    version = arguments.python_version or interpreter_version()
    try:
        return Language.load("python", version=version)
    except (ValueError, LookupError, OSError) as error:
        raise Unable(f"no grammar for Python {version}: {error}") from error


def interpreter_version() -> str | None:
    """The version of the interpreter in use, or None for the newest known one if it has no grammar."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return version if version in available_languages()["python"] else None
