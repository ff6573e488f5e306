"""Names that a checker misses in files whose own project was withdrawn: ruff reports names that are no longer
defined (F821), mypy reports members of classes that are empty.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from fim_lsp.other_programs import finished_program
from fim_lsp.positions import Lines
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.cross_file.withdrawal import Withdrawn
from fim_lsp.replay.typing.undefined import ruff

Kind = Literal["name", "member"]
SECONDS = 900.0
NO_ATTRIBUTE = re.compile(r'has no attribute "(\w+)"')


@dataclass(frozen=True, slots=True)
class MissingName:
    """A name that is missing, from an offset in the text of a file."""

    file: str
    start: int
    name: str
    kind: Kind


def missing(texts: Mapping[str, str], spoilt: Mapping[str, Withdrawn]) -> list[MissingName]:
    """The missing names in the files of one project."""
    names = sorted(spoilt)
    found = {(one.file, one.start): one for one in [*names_missing(texts, spoilt, names)]}
    for one in members_missing(texts, spoilt, names):
        found[one.file, one.start] = one
    return sorted(found.values(), key=lambda one: (one.file, one.start))


def names_missing(
    texts: Mapping[str, str], spoilt: Mapping[str, Withdrawn], names: Sequence[str]
) -> Iterator[MissingName]:
    """Names that ruff misses; where one stands in front of a dot, the member is missing, too."""
    checker = ruff()
    if checker is None:
        raise NoData("ruff finds the holes, and is not installed: pip install ruff")
    with TemporaryDirectory() as folder:
        for number, name in enumerate(names):
            write(Path(folder, f"f{number}.py"), spoilt[name].without_names)
        command = [checker, "check", "--isolated", "--no-cache", "--exit-zero", "--output-format=json"]
        said = output([*command, "--select=F821", "--ignore-noqa", folder])
    found: dict[str, set[tuple[int, int]]] = {}
    for one in json.loads(said or "[]"):
        if one["code"] == "F821":
            name = names[int(Path(one["filename"]).stem[1:])]
            found.setdefault(name, set()).add((one["location"]["row"], one["location"]["column"] - 1))
    for name, places in sorted(found.items()):
        yield from with_members(name, texts[name], places)


def with_members(file: str, text: str, places: set[tuple[int, int]]) -> Iterator[MissingName]:
    lines = Lines(text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and (node.lineno, node.col_offset) in places:
            start = lines.starts[node.lineno - 1] + node.col_offset
            if text.startswith(node.id, start):
                yield MissingName(file, start, node.id, "name")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = node.value
            if (name.lineno, name.col_offset) in places and node.end_lineno == name.end_lineno:
                start = lines.starts[name.lineno - 1] + name.col_offset + len(name.id) + 1
                if text.startswith(node.attr, start):
                    yield MissingName(file, start, node.attr, "member")


def members_missing(
    texts: Mapping[str, str], spoilt: Mapping[str, Withdrawn], names: Sequence[str]
) -> Iterator[MissingName]:
    """Members that mypy misses in classes that have none any more."""
    with TemporaryDirectory() as folder:
        for number, name in enumerate(names):
            write(Path(folder, f"f{number}.py"), spoilt[name].without_members)
            write(Path(folder, f"e{number}.pyi"), spoilt[name].empty)
        command = [sys.executable, "-m", "mypy", "--output=json", "--show-column-numbers", "--show-error-end"]
        command += ["--check-untyped-defs", "--ignore-missing-imports", "--follow-imports=silent"]
        command += ["--no-site-packages", f"--cache-dir={os.devnull}", "--config-file="]
        files = [f"f{number}.py" for number in range(len(names))]
        said = output([*command, *files], folder)
    for line in said.splitlines():
        if not line.startswith("{"):
            continue
        one = json.loads(line)
        match = NO_ATTRIBUTE.search(one["message"])
        if one["code"] == "attr-defined" and match is not None and one["file"].startswith("f"):
            name = names[int(Path(one["file"]).stem[1:])]
            lines = Lines(texts[name])
            start = lines.starts[one["line"] - 1] + one["column"]
            at = texts[name].find(f".{match[1]}", start, start + 200)
            if at >= 0 and "\n" not in texts[name][start:at]:
                yield MissingName(name, at + 1, match[1], "member")


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace", newline="")


def output(command: list[str], folder: str | None = None) -> str:
    said = finished_program(command, SECONDS, folder)
    if said.returncode not in (0, 1) and not said.stdout:
        raise NoData(f"{command[0]} failed: {said.stderr.strip()[-300:]}")
    return said.stdout


def versions() -> str:
    """The versions of the checkers that found the holes, as a plan keeps them."""
    checker = ruff()
    told = output([checker, "--version"]).strip() if checker else "no ruff"
    return f"{told}, {output([sys.executable, '-m', 'mypy', '--version']).strip()}"
