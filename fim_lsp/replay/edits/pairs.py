"""Where pairs come from: two folders, or two releases of packages that are pinned here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fim_lsp.replay.case import Excluded
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.typing.projects import fetch_packages
from fim_lsp.sources import Unreadable, python_files, read_source

# A pair a line: the project, its older release, its newer one. The first list is for the tables of
# docs/edits.md; the judge's evidence is counted on the second one, and on nothing else.
LISTS = {"packages": "held_out.txt", "tuning": "tuning.txt"}
# Larger files are data, or made by programs.
MOST_CHARACTERS = 300_000
TOO_LONG = "too long"


@dataclass(frozen=True, slots=True)
class Pair:
    """A file in two releases."""

    project: str
    path: str
    old: str
    new: str

    @property
    def id(self) -> str:
        return f"{self.project}/{self.path}"


@dataclass(frozen=True, slots=True)
class ReleasePair:
    """The files that two releases of a project have, and that differ, in the order of their paths."""

    name: str
    pairs: tuple[Pair, ...]


def projects(name: str) -> list[ReleasePair]:
    """The projects of a list. Raises `NoData` for a package that cannot be fetched."""
    return [of_folders(*one)[0] for one in releases(name)]


def releases(name: str) -> Iterator[tuple[str, Path, Path]]:
    lines = (Path(__file__).parent / LISTS[name]).read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line.strip() and not line.startswith("#"):
            project, old, new = line.split()
            before, after = fetch_packages([f"{project}=={old}", f"{project}=={new}"])
            yield project, before, after


def of_folders(name: str, old: Path, new: Path) -> tuple[ReleasePair, list[Excluded]]:
    """The files that lie in both folders and differ."""
    for folder in (old, new):
        if not folder.is_dir():
            raise NoData(f"{folder}: no such folder")
    pairs, excluded = [], []
    for found in python_files(str(old)):
        path = Path(found).relative_to(old)
        if not (new / path).is_file():
            continue
        try:
            before, after = read_source(found).text, read_source(str(new / path)).text
        except Unreadable as error:
            excluded.append(Excluded(f"{name}/{path.as_posix()}", "cannot be read", str(error)))
            continue
        if max(len(before), len(after)) > MOST_CHARACTERS:
            excluded.append(Excluded(f"{name}/{path.as_posix()}", TOO_LONG))
        elif before != after:
            pairs.append(Pair(name, path.as_posix(), before, after))
    return ReleasePair(name, tuple(pairs)), excluded


def digest(some: Sequence[ReleasePair]) -> str:
    """The beginning of a checksum of all texts."""
    found = hashlib.sha256()
    for project in some:
        for pair in project.pairs:
            for text in (pair.id, pair.old, pair.new):
                found.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return found.hexdigest()[:12]
