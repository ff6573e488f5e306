"""Undeclared names: the verdict of TypeScript's checker, and true middles of real packages.

    python -m tests.names.undeclared FOLDER --count 2000

It takes middles of a few lines from the files below a folder of packages. It counts the middles that the law
refuses, which should be none, and the middles with one changed name that it refuses, which should be all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fim_lsp.declared.roles import Plain, role
from fim_lsp.declared.undeclared import identifiers_between, is_module, undeclared_names
from fim_lsp.dialects import read_as
from fim_lsp.document.syntax import parser
from fim_lsp.known_languages import JAVASCRIPT, KnownLanguage, extensions_of, of_file
from fim_lsp.replay.judges.names import of_typescript

EXTENSIONS = extensions_of(JAVASCRIPT.family)
LARGEST = 80_000
LINES = (1, 1, 2, 3, 6, 12)
# The letters that are appended to a name to make it another name.
PLANTED = "Qx"


def by_checker(texts: list[str], extension: str) -> list[list[str]]:
    """The names in modules that the checker does not find. Raises `NoJudge` without TypeScript."""
    return [[one.name for one in found] for found in of_typescript(texts, extension)]


def by_law(text: str, known_language: KnownLanguage, first: int = 0, last: int | None = None) -> list[str]:
    """The names between two bytes to which the law objects."""
    content = text.encode()
    root = parser(known_language).parse(content).root_node
    return [
        one.name for one in undeclared_names(root, content, first, len(content) if last is None else last)
    ]


@dataclass(slots=True)
class Counted:
    """The findings in some middles."""

    n_middles: int = 0
    n_modules: int = 0
    refused: list[str] | None = None
    n_planted: int = 0
    n_caught: int = 0


def middles(folder: Path, count: int, seed: int) -> Iterator[tuple[Path, str, KnownLanguage, int, int]]:
    """Return whole lines of files, by package and file at random, with their bytes."""
    random = Random(seed)
    packages: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        is_source = path.suffix in EXTENSIONS and ".d." not in path.name and ".min." not in path.name
        if is_source and path.is_file() and path.stat().st_size <= LARGEST:
            packages.setdefault(path.relative_to(folder).parts[0], []).append(path)
    while count:
        path = random.choice(packages[random.choice(sorted(packages))])
        text = path.read_bytes().decode("utf-8", "replace")
        content = text.encode()
        starts = [0, *(place + 1 for place, byte in enumerate(content) if byte == 10)]
        if len(starts) < 4:
            continue
        index = random.randrange(len(starts) - 1)
        stop = min(index + random.choice(LINES), len(starts) - 1)
        count -= 1
        yield path, text, read_as(of_file(path.name), text), starts[index], starts[stop]


def counted(folder: Path, count: int, seed: int) -> Counted:
    """The law's findings in middles, and in the same middles with a replaced name."""
    random = Random(seed)
    found = Counted(refused=[])
    assert found.refused is not None
    for path, text, known, first, last in middles(folder, count, seed):
        content = text.encode()
        root = parser(known).parse(content).root_node
        found.n_middles += 1
        found.n_modules += is_module(root, content)
        if names := undeclared_names(root, content, first, last):
            found.refused.append(f"{path.relative_to(folder)}: {', '.join(one.name for one in names)}")
        uses = [
            one
            for one in identifiers_between(root, first, last)
            if one.type == "identifier"
            and role(one) in (Plain.USE, Plain.TYPE_USE)
            and first <= one.start_byte
            and one.end_byte <= last
        ]
        if uses and is_module(root, content):
            use = random.choice(uses)
            planted = content[: use.end_byte] + PLANTED.encode() + content[use.end_byte :]
            found.n_planted += 1
            named = by_law(planted.decode(), known, first, last + len(PLANTED))
            found.n_caught += any(name.endswith(PLANTED) for name in named)
    return found


def main(arguments: list[str]) -> int:
    """Prints the findings."""
    parsed = argparse.ArgumentParser(description=__doc__)
    parsed.add_argument("folder", type=Path)
    parsed.add_argument("--count", type=int, default=2000)
    parsed.add_argument("--seed", type=int, default=1)
    given = parsed.parse_args(arguments)
    found = counted(given.folder, given.count, given.seed)
    for one in found.refused or ():
        print(one)
    print(
        f"{found.n_middles:,} middles, {found.n_modules:,} in modules: {len(found.refused or ())} refused;"
        f" of {found.n_planted:,} planted names {found.n_caught:,} found"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
