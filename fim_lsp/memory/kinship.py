"""Which of a workspace's folders have to do with each other: what is remembered of one project is offered in
another only where one of the two imports the other.

A name that both of them have says nothing: `tests`, `utils`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
# Folders in a project that are no packages themselves.
AROUND = ("src", "lib", "python")


@dataclass(frozen=True, slots=True)
class Kinship:
    # The folders' URIs, with a slash at their end, the longest first.
    roots: tuple[str, ...] = ()
    kin: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, files: Iterable[tuple[str, PurePosixPath, frozenset[str]]]) -> Kinship:
        """From each file its folder's URI, its path below that, and the packages that it imports."""
        provided: dict[str, set[str]] = {}
        imported: dict[str, set[str]] = {}
        for root, path, imports in files:
            provided.setdefault(root, set()).add(package(path))
            imported.setdefault(root, set()).update(imports)
        kin = set()
        for one in provided:
            for other in provided:
                own = provided[other] - provided[one]
                if one != other and imported[one] & own:
                    kin |= {(one, other), (other, one)}
        return cls(tuple(sorted(provided, key=len, reverse=True)), frozenset(kin))

    def root(self, uri: str) -> str | None:
        """The folder that a document is in; None for one that is in none of them."""
        return next((root for root in self.roots if uri.startswith(root)), None)

    def are_strangers(self, one: str, other: str) -> bool:
        """Whether two documents are of projects that have nothing to do with each other."""
        first, second = self.root(one), self.root(other)
        known = first is not None and second is not None
        return known and first != second and (first, second) not in self.kin


NO_KINSHIP = Kinship()


def imports(text: str) -> frozenset[str]:
    """The packages that a file imports, by their first names."""
    return frozenset(IMPORT.findall(text))


def package(path: PurePosixPath) -> str:
    """The name by which a file of a project is imported, as far as its first dot."""
    parts = [part for part in path.parts if part not in AROUND] or [path.name]
    return parts[0].removesuffix(".pyi").removesuffix(".py")


@dataclass(frozen=True, slots=True)
class Spans:
    """From which number to which a folder's texts stand in an index, where they stand behind each other."""

    numbers: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, roots: Iterable[str]) -> Spans:
        """From the folder of each text."""
        numbers: dict[str, tuple[int, int]] = {}
        for number, root in enumerate(roots):
            first, last = numbers.get(root, (number, number))
            numbers[root] = min(first, number), max(last, number)
        return cls(numbers)
