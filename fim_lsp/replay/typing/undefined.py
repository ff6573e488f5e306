"""The second judge: whether an offer brings undefined names, and whether the file compiles with it.

ruff judges names if it is installed (F821, F822, F823), else pyflakes; without both there is no verdict.
Other languages have their own checkers (`fim_lsp/replay/judges/names.py`). Only faults within the offer
count: a name that is missing elsewhere is missing because the region was cut out.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.other_programs import finished_program
from fim_lsp.positions import Lines, Position, Units
from fim_lsp.replay.judges.names import NamedNowhere, judge_of, names_nowhere
from fim_lsp.replay.typing.parsing import parses
from fim_lsp.system.programs import program_of_package

RULES = ("F821", "F822", "F823")
SECONDS = 60.0
PYFLAKES_KINDS = ("UndefinedName", "UndefinedExport", "UndefinedLocal")


@dataclass(frozen=True, slots=True)
class FilledText:
    """A text with an offer in it, from one offset to another."""

    text: str
    start: int
    stop: int
    known_language: KnownLanguage = PYTHON
    # The path of the file, and the texts of those beside it.
    path: Path | None = None
    beside: tuple[str, ...] = ()

    @property
    def compiles(self) -> bool:
        """Whether Python compiles the file, which is more than parsing, as `return` outside a function shows;
        in another language, whether its parser accepts it."""
        if self.known_language is not PYTHON:
            return parses(self.text, self.known_language)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(self.text, "offer", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return True


def new_undefined(files: Sequence[FilledText]) -> list[bool] | None:
    """Whether the offer of each file brings an undefined name; None where there is no judge."""
    if not files:
        return []
    checker = ruff()
    if checker is not None:
        return asked_of_ruff(checker, files)
    if find_spec("pyflakes") is not None:
        return [asked_of_pyflakes(file) for file in files]
    return None


def new_undeclared(files: Sequence[FilledText], original: FilledText) -> list[bool] | None:
    """Whether each file's text brings an undeclared name, in other languages than Python; None without a
    judge, as for JSON. Checkers see the file and what lies beside it: a name that the original has from
    elsewhere, or that the file uses at another place undeclared, is not what an offer brings."""
    if judge_of(original.known_language) == "nobody":
        return None
    known_ones = {one.name for one in names_declared_nowhere(original)}
    found = []
    for file in files:
        names = names_declared_nowhere(file)
        others = known_ones | {one.name for one in names if not file.start <= one.start < file.stop}
        found.append(any(file.start <= one.start < file.stop and one.name not in others for one in names))
    return found


def names_declared_nowhere(file: FilledText) -> list[NamedNowhere]:
    return names_nowhere(file.known_language, file.text, file.beside, file.path)


def checker_name(known_language: KnownLanguage = PYTHON) -> str:
    """The judge of names, as a report says it."""
    if known_language is not PYTHON:
        return judge_of(known_language)
    if ruff() is not None:
        return "ruff"
    return "pyflakes" if find_spec("pyflakes") is not None else "nobody"


@cache
def ruff() -> str | None:
    return program_of_package("ruff") or which("ruff")


def asked_of_ruff(checker: str, files: Sequence[FilledText]) -> list[bool]:
    with TemporaryDirectory() as folder:
        for number, file in enumerate(files):
            Path(folder, f"{number}.py").write_text(file.text, encoding="utf-8", errors="replace", newline="")
        command = [checker, "check", "--isolated", "--no-cache", "--exit-zero", "--output-format=json"]
        command += [f"--select={','.join(RULES)}", "--ignore-noqa", folder]
        said = finished_program(command, SECONDS)
    found = [False] * len(files)
    for one in json.loads(said.stdout or "[]"):
        number = int(Path(one["filename"]).stem)
        if one["code"] in RULES:
            place = Position(one["location"]["row"] - 1, one["location"]["column"] - 1)
            found[number] |= is_within(files[number], place, "utf-32")
    return found


def asked_of_pyflakes(file: FilledText) -> bool:
    checker = import_module("pyflakes.checker")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(file.text)
        messages = checker.Checker(tree, "offer.py").messages
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(
        type(message).__name__ in PYFLAKES_KINDS
        and is_within(file, Position(message.lineno - 1, message.col), "utf-8")
        for message in messages
    )


def is_within(file: FilledText, place: Position, units: Units) -> bool:
    return file.start <= Lines(file.text).offset(place, units) < file.stop
