"""The options that say which language a file is in, and which version of it; several commands share them."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from fim_lsp.cli import CommandError
from fim_lsp.dialects import read_as
from fim_lsp.known_languages import (
    IN_FOLDERS,
    KNOWN,
    PYTHON,
    TOML,
    KnownLanguage,
    UnknownLanguage,
    language_named,
    of_file,
)
from fim_lsp.python_version import known_version, python_version
from fim_lsp.sources import STANDARD_INPUT, Unreadable, files_below, is_folder
from quotient import Language, available_languages

OF_PROJECT = "the lowest of requires-python in pyproject.toml, or the Python in use"


def add_python_version(parser: argparse.ArgumentParser, default: str = "that of this interpreter") -> None:
    parser.add_argument(
        "--python-version",
        default=None,
        metavar="X.Y",
        help=f"the Python version of the files (default: {default})",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    add_python_version(parser, OF_PROJECT)
    parser.add_argument(
        "--toml-version",
        choices=available_languages()[TOML.name],
        help="the TOML version of the files (default: 1.0)",
    )
    parser.add_argument(
        "--language",
        choices=[language.name for language in KNOWN],
        help="the language of the files (default: from their extensions)",
    )


def add_unique_keys(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--unique-keys", action="store_true", help="refuse duplicate keys in JSON, which JSON allows"
    )


def language_of_arguments(arguments: argparse.Namespace, name: str) -> KnownLanguage:
    """The language of a file.

    Raises `UnknownLanguage` where nothing says which one it is, and `Unreadable` where there is no file.
    """
    if is_folder(name):
        raise Unreadable(f"{name} is a folder, not a file")
    if arguments.language is not None:
        return language_named(arguments.language)
    try:
        return PYTHON if name == STANDARD_INPUT else of_file(name)
    except UnknownLanguage:
        if os.path.lexists(name):
            raise
        raise Unreadable(f"{name}: {os.strerror(errno.ENOENT)}") from None


def language_of_text(
    arguments: argparse.Namespace, known_language: KnownLanguage, text: str
) -> KnownLanguage:
    """The language of a file once it is read; a version that is asked for stays."""
    return known_language if arguments.language is not None else read_as(known_language, text)


def files_of(arguments: argparse.Namespace, argument: str) -> Iterator[str]:
    """A file as it is named, or those of a folder that are sources."""
    if not is_folder(argument):
        yield argument
        return
    wanted = [language_named(arguments.language)] if arguments.language else list(IN_FOLDERS)
    found = False
    for name in files_below(argument, tuple(end for language in wanted for end in language.extensions)):
        found = True
        yield name
    if not found:
        *others, last = [language.title for language in wanted]
        titles = f"{', '.join(others)} or {last}" if others else last
        raise Unreadable(f"{argument}: there is no file of {titles} in this folder")


def grammar_of_file(arguments: argparse.Namespace, known_language: KnownLanguage, name: str) -> Language:
    """The grammar in the version that is asked for; Python's else in the one of the file's project."""
    if known_language is not PYTHON:
        return Language.load(
            known_language.name, version=arguments.toml_version if known_language is TOML else None
        )
    path = None if name == STANDARD_INPUT else Path(name)
    return language_of_version(arguments.python_version or python_version(path, None))


def chosen_language(arguments: argparse.Namespace) -> Language:
    """The Python that the user asks for, or else this interpreter's."""
    return language_of_version(arguments.python_version or interpreter_version())


def language_of_version(version: str | None) -> Language:
    try:
        return Language.load("python", version=version and (known_version(version) or version))
    except ValueError as error:
        known = ", ".join(available_languages()["python"])
        raise CommandError(f"no grammar for Python {version}; there are {known}") from error


def interpreter_version() -> str | None:
    """The version of the interpreter in use, or None for the newest known one if it has no grammar."""
    return known_version(".".join(map(str, sys.version_info[:3])))
