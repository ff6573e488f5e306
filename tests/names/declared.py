"""Undeclared names of Go and Java: the law on true middles of real packages, and Go's own verdict.

    python -m tests.names.declared --language go --count 1000

Middles of a few lines are taken from the files of the packages in `packages.txt`, which are fetched once. The
command counts the middles that the law refuses, which should be none, and the middles with one changed name
that it refuses, which should be all.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import tree_sitter

from fim_lsp.declared import go_scopes, java_scopes
from fim_lsp.declared.beside import FileLocation
from fim_lsp.declared.laws import LAWS, FilePart, NameFault
from fim_lsp.declared.scopes import Naming, Used, identifiers_between
from fim_lsp.document.syntax import parser
from fim_lsp.known_languages import GO, JAVA, KnownLanguage, language_named
from fim_lsp.replay.typing.packages import folder_of, of_language

LIST = Path(__file__).with_name("packages.txt")
FETCHED = Path(__file__).parents[2] / "target" / "corpora" / "names"
NAMINGS: dict[str, Naming] = {GO.name: go_scopes.NAMING, JAVA.name: java_scopes.NAMING}
LARGEST = 80_000
LINES = (1, 1, 2, 3, 6, 12)
# The letters that are appended to a name to make it another name.
PLANTED = "Qx"


@dataclass(frozen=True, slots=True)
class Middle:
    """Some lines of a file."""

    path: Path
    content: bytes
    first: int
    last: int


@dataclass(slots=True)
class Counted:
    """The findings in some middles."""

    n_middles: int = 0
    refused: list[str] = field(default_factory=list)
    planted: Counter[bool] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)


def packages(known_language: KnownLanguage) -> list[Path]:
    """Return the folders of the listed packages."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [folder_of(one, known_language, FETCHED) for one in of_language(lines, known_language)]


def middles(folders: list[Path], known_language: KnownLanguage, count: int, seed: int) -> Iterator[Middle]:
    """Whole lines of files, by package and file at random."""
    random = Random(seed)
    files = {
        folder: [
            path
            for path in sorted(folder.rglob("*"))
            if path.suffix in known_language.extensions
            and "testdata" not in path.parts
            and path.stat().st_size <= LARGEST
        ]
        for folder in folders
    }
    while count:
        path = random.choice(files[random.choice(folders)])
        content = path.read_bytes()
        starts = [0, *(place + 1 for place, byte in enumerate(content) if byte == 10)]
        if len(starts) < 4 or parser(known_language).parse(content).root_node.has_error:
            continue
        index = random.randrange(len(starts) - 1)
        count -= 1
        yield Middle(path, content, starts[index], starts[min(index + random.choice(LINES), len(starts) - 1)])


def faults(known_language: KnownLanguage, middle: Middle) -> list[NameFault]:
    """The law's objections to a middle."""
    root = parser(known_language).parse(middle.content).root_node
    place = FileLocation.of(str(middle.path))
    return LAWS[known_language.family](FilePart(root, middle.content, middle.first, middle.last, place))


def by_law(text: str, known_language: KnownLanguage, uri: str, first: int = 0) -> list[str]:
    """The names of a text behind a byte to which the law objects."""
    content = text.encode()
    root = parser(known_language).parse(content).root_node
    found = LAWS[known_language.family](FilePart(root, content, first, len(content), FileLocation.of(uri)))
    return [one.name for one in found]


def uses(known_language: KnownLanguage, middle: Middle) -> list[tree_sitter.Node]:
    """The uses of names inside a middle."""
    naming = NAMINGS[known_language.name]
    root = parser(known_language).parse(middle.content).root_node
    return [
        one
        for one in identifiers_between(naming, root, middle.first, middle.last)
        if middle.first <= one.start_byte
        and one.end_byte <= middle.last
        and one.text != b"_"
        and isinstance(naming.meaning(one), Used)
    ]


def planted(middle: Middle, use: tree_sitter.Node) -> Middle:
    """A middle in which one name is replaced."""
    content = middle.content[: use.end_byte] + PLANTED.encode() + middle.content[use.end_byte :]
    return Middle(middle.path, content, middle.first, middle.last + len(PLANTED))


def counted(folders: list[Path], known_language: KnownLanguage, count: int, seed: int) -> Counted:
    """The law's findings in middles, and in the same middles with a replaced name."""
    random = Random(seed)
    found = Counted()
    for middle in middles(folders, known_language, count, seed):
        found.n_middles += 1
        found.refused += [f"{middle.path}: {one.name} {one.why}" for one in faults(known_language, middle)]
        if not (used := uses(known_language, middle)):
            continue
        use = random.choice(used)
        is_found = any(one.name.endswith(PLANTED) for one in faults(known_language, planted(middle, use)))
        found.planted[is_found] += 1
        if not is_found:
            row = middle.content.count(b"\n", 0, use.start_byte) + 1
            found.missed.append(f"{middle.path}:{row}: {(use.text or b'').decode()}")
    return found


def main(arguments: list[str]) -> int:
    """Print what was found."""
    parsed = argparse.ArgumentParser(description=__doc__)
    parsed.add_argument("--language", default=GO.name, choices=sorted(NAMINGS))
    parsed.add_argument("--count", type=int, default=1000)
    parsed.add_argument("--seed", type=int, default=1)
    parsed.add_argument("--missed", action="store_true", help="name the planted names that were not found")
    given = parsed.parse_args(arguments)
    known_language = language_named(given.language)
    folders = packages(known_language)
    found = counted(folders, known_language, given.count, given.seed)
    for one in (*found.refused, *(found.missed if given.missed else ())):
        print(one)
    print(
        f"{found.n_middles:,} middles of {len(folders)} packages: {len(found.refused)} names refused; of"
        f" {found.planted.total():,} planted names {found.planted[True]:,} found"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
