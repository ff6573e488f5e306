"""Modules: the file that an import means, and the one that defines a name.

No code is run, and Python's own path is not used: a module is a file of the workspace whose path ends like
its name, the nearest one if there are several. A name that a package's `__init__` re-exports is followed to
its definition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from keyword import iskeyword
from pathlib import PurePosixPath

from fim_lsp.context.outline import Definition, PythonImport, PythonOutline

# The most re-exports through which a name is followed.
MOST_HANDS = 4
# Source folders that are not part of a module's name.
SOURCE_FOLDERS = ("src", "lib", "python")


@dataclass(frozen=True, slots=True)
class FoundDefinition:
    """A definition and its file."""

    uri: str
    definition: Definition


@dataclass(frozen=True, slots=True)
class Modules:
    """The outlines of a workspace by file, by module and by definition. The tables are built once; open
    documents are laid over them (`with_open`)."""

    outlines: Mapping[str, PythonOutline]
    paths: Mapping[str, PurePosixPath]
    _by_module: Mapping[str, list[str]]
    _by_name: Mapping[str, list[str]]
    # The outlines of open documents, saved or not.
    opened: Mapping[str, PythonOutline] = field(default_factory=dict)

    @classmethod
    def of(cls, outlines: Mapping[str, PythonOutline], paths: Mapping[str, PurePosixPath]) -> Modules:
        by_module: dict[str, list[str]] = defaultdict(list)
        by_name: dict[str, list[str]] = defaultdict(list)
        for uri, outline in outlines.items():
            by_module[module_name(paths[uri])].append(uri)
            for name in outline.definitions:
                by_name[name].append(uri)
        return cls(outlines, paths, dict(by_module), dict(by_name))

    def with_open(self, opened: Mapping[str, PythonOutline]) -> Modules:
        return Modules(self.outlines, self.paths, self._by_module, self._by_name, opened)

    def outline(self, uri: str) -> PythonOutline | None:
        return self.opened.get(uri) or self.outlines.get(uri)

    def module(self, name: str, asker: PurePosixPath) -> str | None:
        """The file of a module that another file names; None if it is not in the workspace."""
        dots = len(name) - len(name.lstrip("."))
        parts = [part for part in name[dots:].split(".") if part]
        if dots:
            folder = asker.parent
            for _ in range(dots - 1):
                folder = folder.parent
            wanted = (folder.joinpath(*parts)).parts
            return next(
                (uri for uri in self._uris_named(wanted[-1] if wanted else "") if self._parts(uri) == wanted),
                None,
            )
        fitting = [
            uri
            for uri in self._uris_named(parts[-1] if parts else "")
            if self._parts(uri)[-len(parts) :] == tuple(parts)
        ]
        return min(fitting, key=lambda uri: distance(self.paths[uri], asker), default=None)

    def import_target(
        self, one: PythonImport, asker: PurePosixPath, hands: int = MOST_HANDS
    ) -> FoundDefinition | str | None:
        """The target of an import: a definition, or the file of a module."""
        if not one.name:
            return self.module(one.module, asker)
        parent = self.module(one.module, asker)
        if parent is not None and (found := self.definition_of(parent, one.name, hands)) is not None:
            return found
        dot = "" if one.module.endswith(".") else "."
        return self.module(f"{one.module}{dot}{one.name}", asker)

    def definition_of(self, uri: str, name: str, hands: int = MOST_HANDS) -> FoundDefinition | None:
        """A name's definition in a file, or in the file from which it is re-exported."""
        outline = self.outline(uri)
        if outline is None or hands <= 0:
            return None
        if (definition := outline.definitions.get(name)) is not None:
            return FoundDefinition(uri, definition)
        for one in outline.imports:
            if one.alias == name or one.name == "*":
                wanted = PythonImport(one.module, name, name) if one.name == "*" else one
                found = self.import_target(wanted, self.paths.get(uri, PurePosixPath()), hands - 1)
                if isinstance(found, FoundDefinition):
                    return found
        return None

    def only_definition(self, name: str) -> FoundDefinition | None:
        """The definition of a name that only one file defines."""
        uris = self._by_name.get(name, [])
        if len(uris) != 1:
            return None
        outline = self.outline(uris[0])
        definition = None if outline is None else outline.definitions.get(name)
        return None if definition is None else FoundDefinition(uris[0], definition)

    def defining(self, name: str) -> list[str]:
        """The files that define a name, by their state on disk."""
        return self._by_name.get(name, [])

    def module_name(self, uri: str) -> str:
        """A module's name for other files; empty if no import can name it."""
        parts = self._parts(uri)
        top = len(parts) if self.paths[uri].stem == "__init__" else len(parts) - 1
        if not self._is_package(parts[:top]):
            # A module outside of packages is named from the folder on, or from a source folder.
            parts = parts[1:] if len(parts) > 1 and parts[0] in SOURCE_FOLDERS else parts
        else:
            while self._is_package(parts[:top]):
                top -= 1
            parts = parts[top:]
        return ".".join(parts) if all(part.isidentifier() and not iskeyword(part) for part in parts) else ""

    def _is_package(self, folder: tuple[str, ...]) -> bool:
        return bool(folder) and any(
            self.paths[uri].stem == "__init__" and self._parts(uri) == folder
            for uri in self._uris_named(folder[-1])
        )

    def near(self, asker: PurePosixPath) -> Iterator[str]:
        """All files, the nearest first."""
        return iter(sorted(self.paths, key=lambda uri: (distance(self.paths[uri], asker), uri)))

    def _uris_named(self, name: str) -> list[str]:
        return self._by_module.get(name, [])

    def _parts(self, uri: str) -> tuple[str, ...]:
        path = self.paths[uri]
        return path.parent.parts if path.stem == "__init__" else path.with_suffix("").parts


NO_MODULES = Modules({}, {}, {}, {})


def module_name(path: PurePosixPath) -> str:
    """The last part of a module's name."""
    return path.parent.name if path.stem == "__init__" else path.stem


def distance(one: PurePosixPath, other: PurePosixPath) -> int:
    """The number of folders between two files."""
    shared = 0
    for mine, theirs in zip(one.parent.parts, other.parent.parts, strict=False):
        if mine != theirs:
            break
        shared += 1
    return len(one.parent.parts) + len(other.parent.parts) - 2 * shared
