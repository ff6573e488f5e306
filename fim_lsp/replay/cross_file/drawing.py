"""The holes that are drawn: half of them names, half members, each from another file while there are files.

The same projects and the same seed give the same holes in the same order, so the first N are a sample of all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePosixPath
from random import Random

from fim_lsp.context.modules import Modules
from fim_lsp.context.outline import PythonOutline
from fim_lsp.replay.case import Excluded
from fim_lsp.replay.cross_file.missing import Kind, MissingName, missing
from fim_lsp.replay.cross_file.withdrawal import Withdrawn, withdrawn
from fim_lsp.replay.typing.drawing import LONGEST_FILE, TOO_LONG, TypedProject
from fim_lsp.replay.typing.page import uri_of

SHORTEST_NAME, LONGEST_REST = 3, 160
NOTHING_MISSING = "uses nothing of its project that could be taken away"


@dataclass(frozen=True, slots=True)
class CrossFileHole:
    """The rest of a line, from a name on that another file defines."""

    id: str
    project: str
    file: str
    start: int
    stop: int
    name: str
    kind: Kind
    text: str
    # Whether the name stands elsewhere in the file, imports aside.
    is_used_elsewhere: bool

    @property
    def left(self) -> str:
        return self.text[: self.start]

    @property
    def right(self) -> str:
        return self.text[self.stop :]

    @property
    def rest(self) -> str:
        return self.text[self.start : self.stop]


def modules_of(project: TypedProject) -> Modules:
    """The project as the workspace of an editor is kept."""
    outlines = {uri_of(project.name, file.name): PythonOutline.of(file.text) for file in project.files}
    paths = {uri_of(project.name, file.name): PurePosixPath(file.name) for file in project.files}
    return Modules.of(outlines, paths)


def draw_holes(
    projects: Sequence[TypedProject], seed: int, limit: int
) -> tuple[list[CrossFileHole], list[Excluded]]:
    """The first `limit` holes, and the files that have none."""
    by_kind: dict[Kind, dict[str, list[CrossFileHole]]] = {"name": {}, "member": {}}
    excluded: list[Excluded] = []
    for project in projects:
        holes, without = holes_of(project)
        excluded += without
        for hole in holes:
            by_kind[hole.kind].setdefault(f"{hole.project}/{hole.file}", []).append(hole)
    in_turn = [by_turns(holes, Random(f"{seed} {kind}")) for kind, holes in by_kind.items()]
    mixed = [hole for pair in zip_longest(*in_turn) for hole in pair if hole is not None]
    return mixed[:limit], excluded


def by_turns(holes: dict[str, list[CrossFileHole]], random: Random) -> list[CrossFileHole]:
    """The holes in turns over the files: one of each file, then a second one of each, and so on."""
    files = sorted(holes)
    random.shuffle(files)
    for file in files:
        random.shuffle(holes[file])
    return [
        hole for turn in zip_longest(*(holes[file] for file in files)) for hole in turn if hole is not None
    ]


def holes_of(project: TypedProject) -> tuple[list[CrossFileHole], list[Excluded]]:
    modules = modules_of(project)
    texts: dict[str, str] = {}
    spoilt: dict[str, Withdrawn] = {}
    excluded: list[Excluded] = []
    for file in project.files:
        name = f"{project.name}/{file.name}"
        if len(file.text) > LONGEST_FILE:
            excluded.append(Excluded(name, TOO_LONG, f"{len(file.text)} characters"))
            continue
        uri = uri_of(project.name, file.name)
        # `Lines` and `ast` count lines alike only where they end with a line feed.
        is_plain = "\r" not in file.text and "\f" not in file.text
        path = PurePosixPath(file.name)
        without = withdrawn(file.text, uri, path, modules, f"e{len(spoilt)}") if is_plain else None
        if without is None:
            excluded.append(Excluded(name, NOTHING_MISSING))
            continue
        texts[file.name], spoilt[file.name] = file.text, without
    if not spoilt:
        return [], excluded
    found = [hole_at(project.name, texts[one.file], one) for one in missing(texts, spoilt)]
    return [hole for hole in found if hole is not None], excluded


def hole_at(project: str, text: str, one: MissingName) -> CrossFileHole | None:
    """The hole at a missing name; None where a line is not worth a case."""
    stop = text.find("\n", one.start)
    stop = len(text) if stop < 0 else stop
    line = text[text.rfind("\n", 0, one.start) + 1 : stop]
    is_import = line.lstrip().startswith(("import ", "from "))
    if is_import or len(one.name) < SHORTEST_NAME or stop - one.start > LONGEST_REST:
        return None
    stop = one.start + len(text[one.start : stop].rstrip())
    elsewhere = text[: one.start] + text[stop:]
    without_imports = re.sub(r"^(?:from|import)\b.*(?:\([^)]*\))?", "", elsewhere, flags=re.MULTILINE)
    is_used = re.search(rf"\b{re.escape(one.name)}\b", without_imports) is not None
    number = text.count("\n", 0, one.start) + 1
    return CrossFileHole(
        f"{project}/{one.file}:{number}:{one.start}",
        project,
        one.file,
        one.start,
        stop,
        one.name,
        one.kind,
        text,
        is_used,
    )
