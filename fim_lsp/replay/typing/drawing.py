"""The draw of regions: of every kind in turn, each from another file while there are files left.

The same folders and the same seed give the same regions in the same order, so the first N are a sample of
all. Files that cannot be used are listed with the reason; none of them ends a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from fim_lsp.known_languages import PYTHON, KnownLanguage, language_named
from fim_lsp.positions import LINE_END
from fim_lsp.replay.case import Excluded
from fim_lsp.replay.corpus import File
from fim_lsp.replay.typing.new_lines import OldLines
from fim_lsp.replay.typing.regions import Anatomy, Kind, Region, Takeable, region_of
from fim_lsp.replay.typing.tree_regions import TreeAnatomy

# The kinds of a round; there are most statements, as people type these most.
ROUND: tuple[Kind, ...] = (
    "statement",
    "rest",
    "statement",
    "name",
    "body",
    "statement",
    "bracket",
    "broken",
    "statement",
    "prose",
)
TOO_LONG = "too long"
# The server completes no larger documents, so none are typed in.
LONGEST_FILE = 300_000
NO_REGION = "has nothing to be typed"


@dataclass(frozen=True, slots=True)
class TypedProject:
    """A folder of files of one language, which is one workspace in an editor. `folder` is None for texts from
    a table."""

    name: str
    files: tuple[File, ...]
    folder: Path | None = None
    # The lines of an older release; regions are drawn from what is new since then. None: from all.
    old: OldLines | None = None
    # The language by name: a worker's process has a table of its own.
    language: str = PYTHON.name

    @property
    def known_language(self) -> KnownLanguage:
        return language_named(self.language)


@dataclass(frozen=True, slots=True)
class Typing:
    """A region to be typed, and its origin."""

    id: str
    project: str
    file: str
    region: Region
    # Whether the same text stands elsewhere in the file.
    is_repeated: bool
    # The language by name: a worker's process has a table of its own.
    language: str = PYTHON.name

    @property
    def known_language(self) -> KnownLanguage:
        return language_named(self.language)


def draw_regions(
    projects: Sequence[TypedProject], seed: int, limit: int, lengths: range | None = None
) -> Iterator[Typing | Excluded]:
    """The first `limit` regions, and the files that could not be used. Files with other `lengths`, in lines,
    are left out."""
    languages = {project.name: project.known_language for project in projects}
    files = [
        (project.name, file)
        for project in projects
        for file in project.files
        if lengths is None or n_lines(file.text) in lengths
    ]
    is_new = {project.name: None if project.old is None else project.old.is_new for project in projects}
    Random(f"{seed} typing").shuffle(files)
    taken: dict[tuple[str, str], set[int]] = {}
    useless: set[tuple[str, str]] = set()
    n_drawn = place = 0
    while n_drawn < limit and len(useless) < len(files):
        kind = ROUND[n_drawn % len(ROUND)]
        found = None
        # Each file was looked at once: there are no more regions of this kind.
        for _ in range(len(files)):
            name, file = files[place % len(files)]
            place += 1
            key = name, file.name
            if key in useless:
                continue
            if len(file.text) > LONGEST_FILE:
                useless.add(key)
                yield Excluded(f"{name}/{file.name}", TOO_LONG, f"{len(file.text)} characters")
                continue
            anatomy = anatomy_of(file, languages[name])
            random = Random(f"{seed} {name} {file.name} {n_drawn}")
            known = taken.setdefault(key, set())
            found = region_of(anatomy, kind, random, known, is_new[name])
            if found is None and kind != "broken" and not anatomy.parses:
                found = region_of(anatomy, "broken", random, known, is_new[name])
            if found is not None:
                known.add(found.place)
                yield typing_of(name, file, found, languages[name])
                n_drawn += 1
                break
        else:
            # There is none of this kind: another kind is taken, or the files are used up.
            found = None
            for name, file in files:
                key = name, file.name
                if key in useless:
                    continue
                known = taken.setdefault(key, set())
                random = Random(f"{seed} {name} {file.name} {n_drawn}")
                for other in dict.fromkeys(ROUND):
                    found = region_of(anatomy_of(file, languages[name]), other, random, known, is_new[name])
                    if found is not None:
                        break
                if found is None:
                    useless.add(key)
                    if not known:
                        yield Excluded(f"{name}/{file.name}", NO_REGION)
                    continue
                known.add(found.place)
                yield typing_of(name, file, found, languages[name])
                n_drawn += 1
                break


def n_lines(text: str) -> int:
    """The number of lines: those with an end, and a last one without."""
    return len(LINE_END.findall(text)) + (not text.endswith(("\n", "\r")))


@lru_cache(maxsize=1024)
def anatomy_of(file: File, known_language: KnownLanguage) -> Takeable:
    return Anatomy(file.text) if known_language is PYTHON else TreeAnatomy(file.text, known_language)


def typing_of(project: str, file: File, region: Region, known_language: KnownLanguage) -> Typing:
    line = region.text.count("\n", 0, region.start) + 1
    typed = region.typed.strip()
    name = f"{project}/{file.name}:{line}:{region.place} {region.kind}"
    return Typing(name, project, file.name, region, region.text.count(typed) > 1, known_language.name)
