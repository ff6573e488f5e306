"""Two judges of names: ruff (F821, F822, F823) and pyflakes, with the places of their findings."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from fim_lsp.positions import Lines, Position
from fim_lsp.replay.typing.undefined import PYFLAKES_KINDS, RULES, SECONDS, FilledText, ruff

QUOTED = re.compile(r"[`']([^`']*)[`']")


@dataclass(frozen=True, slots=True)
class Finding:
    """An undefined name, its place, and the judge that found it."""

    judge: str
    code: str
    name: str
    offset: int


@dataclass(frozen=True, slots=True)
class Judged:
    """All findings in a file."""

    file: FilledText
    findings: tuple[Finding, ...]


def judged(files: Sequence[FilledText], name: str) -> list[Judged]:
    """Both judges' findings by file; `name` is the name of all files, because a package's `__init__` may
    export its modules. A file that does not parse has no findings."""
    of_ruff = asked_of_ruff(files, name)
    return [
        Judged(file, (*found, *asked_of_pyflakes(file, name)))
        for file, found in zip(files, of_ruff, strict=True)
    ]


def asked_of_ruff(files: Sequence[FilledText], name: str) -> list[list[Finding]]:
    command = ruff()
    assert command is not None, "ruff is one of the tools for development"
    found: list[list[Finding]] = [[] for _ in files]
    if not files:
        return found
    with TemporaryDirectory() as folder:
        for number, file in enumerate(files):
            path = Path(folder, str(number), name)
            path.parent.mkdir()
            path.write_text(file.text, encoding="utf-8", errors="replace", newline="")
        arguments = [
            "check",
            "--isolated",
            "--no-cache",
            "--exit-zero",
            "--output-format=json",
            "--ignore-noqa",
        ]
        said = subprocess.run(
            [command, *arguments, f"--select={','.join(RULES)}", folder],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            encoding="utf-8",
        )
    for one in json.loads(said.stdout or "[]"):
        if one["code"] in RULES:
            number, place = int(Path(one["filename"]).parent.name), one["location"]
            position = Position(place["row"] - 1, place["column"] - 1)
            offset = Lines(files[number].text).offset(position)
            found[number].append(Finding("ruff", one["code"], name_in(one["message"]), offset))
    return found


def asked_of_pyflakes(file: FilledText, name: str) -> Iterator[Finding]:
    checker = import_module("pyflakes.checker")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            messages = checker.Checker(ast.parse(file.text), name).messages
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = Lines(file.text)
    for message in messages:
        kind = type(message).__name__
        if kind in PYFLAKES_KINDS:
            # pyflakes reports the column of `ast`, in bytes.
            offset = lines.offset(Position(message.lineno - 1, message.col), "utf-8")
            yield Finding("pyflakes", kind, str(message.message_args[0]), offset)


def name_in(message: str) -> str:
    found = QUOTED.search(message)
    return message if found is None else found[1]
