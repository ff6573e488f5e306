"""The kinship of a workspace's folders: memory of one project is used in another only if one of them imports
the other.

A name that both of them have, such as `tests` or `utils`, is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from fim_lsp.context.imports_said import Name, Said
from fim_lsp.system.addresses import own_address


@dataclass(frozen=True, slots=True)
class Kinship:
    # The folders' URIs with a final slash, the longest first.
    roots: tuple[str, ...] = ()
    kin: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, folders: Sequence[str], files: Iterable[tuple[str, Said]]) -> Kinship:
        """The kinship from the files' folders, as URIs, and their imports."""
        provided = {root_of(folder): {location(folder)} for folder in folders}
        imported: dict[str, set[Name]] = {root: set() for root in provided}
        for root, said in files:
            provided[root] |= said.own
            imported[root] |= said.imports
        kin = set()
        for one in provided:
            for other in provided:
                own = provided[other] - provided[one]
                if one != other and any(begins_with(name, own) for name in imported[one]):
                    kin |= {(one, other), (other, one)}
        return cls(tuple(sorted(provided, key=len, reverse=True)), frozenset(kin))

    def with_folders(self, folders: Sequence[str]) -> Kinship:
        """The kinship with new folders, of which nothing was read yet."""
        roots = {*self.roots, *map(root_of, folders)}
        return replace(self, roots=tuple(sorted(roots, key=len, reverse=True)))

    def root(self, uri: str) -> str | None:
        """The folder of a document; None if it is in none."""
        own = own_address(uri)
        return next((root for root in self.roots if own.startswith(own_address(root))), None)

    def are_strangers(self, one: str, other: str) -> bool:
        """Whether two documents belong to unrelated projects."""
        first, second = self.root(one), self.root(other)
        known = first is not None and second is not None
        return known and first != second and (first, second) not in self.kin


NO_KINSHIP = Kinship()


@lru_cache(maxsize=64)
def root_of(folder: str) -> str:
    """The URI of a folder with a final slash. A path from a URI may have a lower-case drive."""
    return with_slash(Path(folder).absolute().as_uri())


def with_slash(folder_uri: str) -> str:
    """An editor's URI of a folder, with a final slash."""
    return own_address(folder_uri).rstrip("/") + "/"


def location(folder: str) -> Name:
    """The name of a folder in import paths."""
    return Path(folder).absolute().parts


def begins_with(name: Name, beginnings: set[Name]) -> bool:
    return any(name[:n_parts] in beginnings for n_parts in range(1, len(name) + 1))


@dataclass(frozen=True, slots=True)
class Spans:
    """The span of each folder's texts in an index, by their numbers."""

    numbers: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, roots: Iterable[str]) -> Spans:
        """The spans, from the folder of each text."""
        numbers: dict[str, tuple[int, int]] = {}
        for number, root in enumerate(roots):
            first, last = numbers.get(root, (number, number))
            numbers[root] = min(first, number), max(last, number)
        return cls(numbers)
