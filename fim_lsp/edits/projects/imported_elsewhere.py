"""Imports of a name in other files of the project: a file that needs the name imports it the same way.

A name counts if all files that are read import it from one source. It is not imported from a file that
itself imports the asking file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from fim_lsp.context.import_place import Asker
from fim_lsp.context.importable import ImportSource as Importing
from fim_lsp.edits.importing.imports import bindings
from fim_lsp.edits.projects.elsewhere import SOURCES, parts_of, resolved_module
from fim_lsp.edits.projects.project import Folder
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD
from fim_lsp.sources import Unreadable, read_source

# The most files with a name that are read; more would say the same.
MOST_FILES = 30
# The most files that are followed in search of a circular import.
MOST_FOLLOWED = 60


@dataclass(slots=True)
class ImportIndex:
    """The sources of imported names in a set of files."""

    _found: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))

    def add(self, path: PurePosixPath, source: SourceText) -> None:
        """Adds the imports of a file. Its relative imports count only if its path is relative to the
        project's folder."""
        for name, one in bindings(source).items():
            if path.is_absolute() and one.module.startswith("."):
                continue
            self._found[name].add((".".join(resolved_module(one.module, path)), one.member))

    def source(self, name: str) -> Importing | None:
        """The source of a name, if all files agree on it."""
        found = self._found.get(name, ())
        if len(found) != 1:
            return None
        [(module, member)] = found
        return Importing(module, member, name) if module else None


def asker_at(path: PurePosixPath, tops: Iterable[str] = ()) -> Asker:
    """A file of a project in the role of the importer."""
    parts = parts_of(path)
    return Asker(".".join(parts), path.stem == "__init__", frozenset((*parts[:1], *tops)))


@dataclass(slots=True)
class ImportedElsewhere:
    """The sources of names in a folder's files, each looked up on demand."""

    folder: Folder
    _known: dict[str, Importing | None] = field(default_factory=dict)

    @property
    def asker(self) -> Asker:
        return asker_at(self.folder.relative(self.folder.own))

    def source(self, name: str) -> Importing | None:
        if name not in self._known:
            self._known[name] = self._looked_up(name)
        return self._known[name]

    def _looked_up(self, name: str) -> Importing | None:
        imports = ImportIndex()
        for number, (path, text) in enumerate(self.folder.with_words([name])):
            if number == MOST_FILES:
                break
            if WORD.fullmatch(name) and "import" in text:
                imports.add(self.folder.relative(path), SourceText(str(path), text))
        found = imports.source(name)
        return None if found is None or self._leads_back(found) else found

    def _leads_back(self, found: Importing) -> bool:
        own = self.folder.own.resolve()
        waiting = [*self._files(found.module, found.name)]
        seen = {*waiting}
        while waiting:
            path = waiting.pop()
            if path == own or len(seen) > MOST_FOLLOWED:
                return True
            for other in self._imported_by(path):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return False

    def _imported_by(self, path: Path) -> list[Path]:
        try:
            source = SourceText(str(path), read_source(str(path)).text)
        except (OSError, Unreadable):
            return []
        here = self.folder.relative(path)
        found = bindings(source).values()
        return [
            file
            for one in found
            for file in self._files(".".join(resolved_module(one.module, here)), one.member)
        ]

    def _files(self, module: str, member: str) -> list[Path]:
        """The files of the folder that an import reads."""
        root = self.folder.root.resolve()
        found = []
        for dotted in (module, f"{module}.{member}" if member else module):
            at = dotted.replace(".", "/")
            for top in ("", *SOURCES):
                for name in (f"{at}.py", f"{at}/__init__.py"):
                    path = root / top / name
                    if path not in found and path.is_file():
                        found.append(path)
        return found
