"""Imports of a grammar from files beside it, with the lines for the language that is read.

Lark opens imported files itself and does not know sections (`@only`, `@since`). But it accepts functions as
import paths, and this is one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lark.exceptions import GrammarError

from quotient.compiler.directives import DirectiveError, directives_and_text

# A function from the importing grammar's folder and a path in it to the file's path and text.
Loader = Callable[[str | None, str], tuple[str, str]]


def imported_parts(version: str | None, name: str) -> Loader:
    """A function that reads imported files for a version of a language."""

    def load(folder: str | None, path: str) -> tuple[str, str]:
        if folder is None:
            raise FileNotFoundError(path)
        file = Path(folder, path)
        try:
            _, text = directives_and_text(file.read_text(encoding="utf-8"), version, name)
        except DirectiveError as error:
            raise GrammarError(f"{path}: {error}") from error
        return str(file), text

    return load
