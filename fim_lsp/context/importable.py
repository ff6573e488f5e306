"""The names that a file can import, with their sources.

A name counts if it is unambiguous: all files import it from one source, and no other imported module defines
it. Names of installed packages count if a file of the workspace imports them, so `Path` is `pathlib`'s once
one file says so; so do the exports of declared dependencies (`dependencies.py`), if no file of the workspace
uses them for anything else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from fim_lsp.context.modules import Modules
from fim_lsp.context.outline import Definition, PythonImport

# The most names of a workspace, the most imported first. Each costs 0.1 us per request.
MOST_NAMES = 4_000
# The most files whose imports are followed in search of a circular import.
MOST_FOLLOWED = 500
# Modules from which only tests import.
TESTS = frozenset({"test", "tests", "conftest"})


@dataclass(frozen=True, slots=True)
class ImportSource:
    """The source of `alias` in an import. `name` is empty if `alias` stands for the module itself."""

    module: str
    name: str
    alias: str
    # The workspace file that is imported, and the one that defines the name; None for installed packages.
    uri: str | None = None
    home: str | None = None

    @property
    def is_import(self) -> bool:
        """Whether it is an `import` without `from`."""
        return not self.name


NO_SOURCES: Mapping[str, ImportSource] = {}


@dataclass(frozen=True, slots=True)
class Importable:
    """The importable names of a workspace, and their sources."""

    sources: Mapping[str, ImportSource] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    _imports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, workspace: Modules, installed: Mapping[str, ImportSource] = NO_SOURCES) -> Importable:
        return WorkspaceImports(workspace).importable(installed)

    def names(self, uri: str) -> list[str]:
        """The names that a file can import."""
        return [name for name in self.sources if self.source(name, uri) is not None]

    def source(self, name: str, uri: str) -> ImportSource | None:
        """The source of a name for a file; None if there is none, or if it is the file itself or a test."""
        found = self.sources.get(name)
        if found is None or uri in (found.uri, found.home):
            return None
        if found.uri is not None and uri not in self._imports:
            # A file outside the workspace has unknown module paths.
            return None
        is_test = not TESTS.isdisjoint(found.module.split("."))
        return None if is_test and TESTS.isdisjoint(uri.split("/")) else found

    def parts(self, uri: str) -> frozenset[str] | None:
        """The modules in the package of an `__init__.py`; None if it is not known."""
        package = self.module_name(uri)
        if not package:
            return None
        inside = (name[len(package) + 1 :] for name in self.modules if name.startswith(f"{package}."))
        return frozenset(name.partition(".")[0] for name in inside)

    def leads_to(self, source: ImportSource, uri: str) -> bool:
        """Whether importing a source would, in the end, import the asking file again. Doubt means yes."""
        if source.uri is None:
            return False
        # The packages around the asking file are already being imported.
        around = self._packages_of(uri)
        pending, seen = [source.uri], {source.uri}
        while pending:
            for other in self._imports.get(pending.pop(), ()):
                if other == uri or len(seen) > MOST_FOLLOWED:
                    return True
                if other not in seen and other not in around:
                    seen.add(other)
                    pending.append(other)
        return False

    def module_name(self, uri: str) -> str:
        """A file's module name; empty if it has none."""
        return next((name for name, known in self.modules.items() if known == uri), "")

    def _packages_of(self, uri: str) -> set[str]:
        parts = self.module_name(uri).split(".")
        packages = (".".join(parts[:n]) for n in range(1, len(parts)))
        return {self.modules[one] for one in packages if one in self.modules}


class WorkspaceImports:
    """The imports of a workspace, collected once."""

    def __init__(self, workspace: Modules) -> None:
        self.workspace = workspace
        self.dotted = {uri: workspace.module_name(uri) for uri in workspace.outlines}
        self.modules: dict[str, str] = {}
        for uri, name in self.dotted.items():
            if name:
                self.modules.setdefault(name, uri)
        # The imported sources of each name, with their numbers of files.
        self.votes: dict[str, Counter[ImportSource]] = defaultdict(Counter)
        self.imported: set[str] = set()
        self._known: dict[tuple[str, str, str], ImportSource] = {}

    def importable(self, installed: Mapping[str, ImportSource]) -> Importable:
        imports = {}
        for uri, outline in self.workspace.outlines.items():
            imports[uri] = tuple({other for one in outline.imports for other in self._files(one, uri)})
            for one in outline.imports:
                if (source := self._source(one, uri)) is not None:
                    self.votes[source.alias][source] += 1
        self.imported.update(other for others in imports.values() for other in others)
        found = {name: chosen for name, votes in self.votes.items() if (chosen := self._only(name, votes))}
        ordered = sorted(found, key=lambda name: (-self.votes[name].total(), name))
        for name, source in self._unimported_definitions():
            if name not in self.votes:
                found[name] = source
                ordered.append(name)
        for name, source in installed.items():
            if name not in self.votes and name not in self.modules and not self.workspace.defining(name):
                found[name] = source
                ordered.append(name)
        sources = {name: found[name] for name in ordered[:MOST_NAMES]}
        return Importable(sources, self.modules, imports)

    def _only(self, name: str, votes: Counter[ImportSource]) -> ImportSource | None:
        """The most frequent import of a name, if all agree on its source."""
        homes = {(one.home, "") if one.home else (one.module, one.name) for one in votes}
        homes |= {(uri, "") for uri in self.workspace.defining(name) if uri in self.imported}
        if len(homes) != 1:
            return None
        return min(votes, key=lambda one: (-votes[one], one.module.count("."), one.module))

    def _unimported_definitions(self) -> Iterator[tuple[str, ImportSource]]:
        """The definitions of imported modules that no file imports yet."""
        homes: dict[str, list[str]] = defaultdict(list)
        for uri in sorted(self.imported):
            outline = self.workspace.outlines[uri]
            for name, definition in outline.definitions.items():
                if self.dotted[uri] and is_meant(definition):
                    homes[name].append(uri)
        for name, uris in sorted(homes.items()):
            if len(uris) == 1:
                yield name, ImportSource(self.dotted[uris[0]], name, name, uris[0], uris[0])

    def _source(self, one: PythonImport, uri: str) -> ImportSource | None:
        """An import in absolute form; None if it binds no name."""
        module = self._absolute(one.module, uri)
        is_whole = one.alias.isidentifier() and one.name != "*"
        if not module or not is_whole or module == "__future__" or one.alias.startswith("_"):
            return None
        key = module, one.name, one.alias
        if key not in self._known:
            self._known[key] = self._source_of(*key)
        return self._known[key]

    def _source_of(self, module: str, name: str, alias: str) -> ImportSource:
        uri = self.modules.get(module)
        if uri is None or not name:
            return ImportSource(module, name, alias, uri, uri)
        if (found := self.workspace.definition_of(uri, name)) is not None:
            return ImportSource(module, name, alias, uri, found.uri)
        part = self.modules.get(f"{module}.{name}")
        return ImportSource(module, name, alias, part or uri, part)

    def _absolute(self, module: str, uri: str) -> str:
        """The absolute name of a module; empty if it has none."""
        n_dots = len(module) - len(module.lstrip("."))
        if not n_dots:
            return module
        own = self.dotted[uri].split(".")
        is_package = PurePosixPath(self.workspace.paths[uri]).stem == "__init__"
        package = own if is_package else own[:-1]
        n_kept = len(package) - n_dots + 1
        if not self.dotted[uri] or n_kept < 1:
            return ""
        return ".".join([*package[:n_kept], *filter(None, module[n_dots:].split("."))])

    def _files(self, one: PythonImport, uri: str) -> Iterator[str]:
        """The files that an import reads: the module, the packages around it, and a module in it."""
        module = self._absolute(one.module, uri)
        parts = module.split(".")
        names = [".".join(parts[:n]) for n in range(1, len(parts) + 1)]
        for name in [*names, f"{module}.{one.name}"]:
            if (found := self.modules.get(name)) is not None:
                yield found


def is_meant(definition: Definition) -> bool:
    """Whether a definition is meant for other files: a public class, function or constant."""
    is_definition = definition.text.startswith(("class ", "def ", "async def "))
    return not definition.name.startswith("_") and (is_definition or definition.name.isupper())


NOTHING_IMPORTABLE = Importable()
