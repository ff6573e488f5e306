"""The exports of a project's declared dependencies, as far as they are installed.

pyproject.toml    dependencies = ["requests>=2"]         what is declared,
.venv             requests-2.32.3.dist-info/RECORD       the files that are installed,
requests          from .sessions import Session          and what they define or re-export

No code is run: regular files are parsed, up to a size and a number. A name counts if all modules that
export it mean the same thing, as in the project's own files (`importable.py`). A single lower-case word
does not count: `get` is more often a variable than the function of `requests`.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path, PurePosixPath

import tree_sitter
import tree_sitter_toml

from fim_lsp.bounded_files import OverLimit, bounded_text
from fim_lsp.context.importable import TESTS, ImportSource, is_meant
from fim_lsp.context.modules import MOST_HANDS, Modules
from fim_lsp.context.outline import Definition, PythonImport, PythonOutline, text_of

# A requirement begins with the name of a distribution (PEP 508).
REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)")
ENVIRONMENTS = (".venv", "venv")
INSTALLED_FOLDERS = ("lib/python3*/site-packages", "Lib/site-packages")
# Tables of a pyproject.toml whose arrays hold requirements, and the one whose keys do.
IN_ARRAYS = {("project", "dependencies"), ("project", "optional-dependencies")}
IN_KEYS = ("tool", "poetry", "dependencies")
# The most packages in an environment; the most files of all declared ones, those near the top first; and the
# most bytes of a file.
MOST_INSTALLED, MOST_FILES, MOST_BYTES = 2_000, 2_000, 300_000
# The list of a package's files, with their checksums.
MOST_RECORD_BYTES = 4 << 20


@dataclass(slots=True)
class Dependencies:
    """The exports of some folders' dependencies. They are read again after a change of the declarations, or
    of an installed package's list of files."""

    sources: Mapping[str, ImportSource] = field(default_factory=dict)
    _known: tuple[Installed, ...] = ()

    def again(self) -> Dependencies:
        """A copy for another scan, since the previous one may still be running."""
        return replace(self)

    def read(self, folders: Sequence[str], is_stopped: Callable[[], bool], rest: Callable[[], None]) -> None:
        """Reads the folders' declared dependencies as they are installed. `rest` is called between two
        files."""
        installed = tuple(one for folder in folders for one in installed_packages(Path(folder)))
        if installed == self._known:
            return
        outlines: dict[PurePosixPath, PythonOutline] = {}
        for site, path in islice(sources_of(installed), MOST_FILES):
            rest()
            if is_stopped():
                return
            text = text_within(site / path, MOST_BYTES)
            if text is not None:
                outlines.setdefault(path, face_of(text))
        self.sources, self._known = exported_names(outlines), installed


def face_of(text: str) -> PythonOutline:
    """The names that a file defines for others, and its imports."""
    outline = PythonOutline.of(text)
    names = [name for name, definition in outline.definitions.items() if is_meant(definition)]
    return PythonOutline({name: Definition(name, "") for name in names}, outline.imports, 0)


# --- declarations and installed files --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Installed:
    """A package in an environment: its list of files, and that list's time."""

    record: Path
    state: tuple[int, int]


def installed_packages(folder: Path) -> Iterator[Installed]:
    """The declared packages of a folder that its environment has."""
    wanted = declared_dependencies(folder)
    site = site_packages(folder) if wanted else None
    if site is None:
        return
    for record in sorted(islice(site.glob("*.dist-info/RECORD"), MOST_INSTALLED)):
        if normalized_name(record.parent.name.partition("-")[0]) in wanted:
            with suppress(OSError):
                state = record.stat()
                yield Installed(record, (state.st_mtime_ns, state.st_size))


def sources_of(installed: Iterable[Installed]) -> Iterator[tuple[Path, PurePosixPath]]:
    """The sources of packages, those near the top first: the folder of packages, and the path in it."""
    found: dict[tuple[Path, PurePosixPath], None] = {}
    for one in installed:
        record = text_within(one.record, MOST_RECORD_BYTES) or ""
        found.update(((one.record.parents[1], path), None) for path in sources_in(record))
    for site, path in sorted(found, key=lambda one: (len(one[1].parts), one[1])):
        # A stub file beside a module replaces it.
        if path.suffix == ".pyi" or (site, path.with_suffix(".pyi")) not in found:
            yield site, path


def declared_dependencies(folder: Path) -> frozenset[str]:
    """The dependencies that a folder declares, by their normalized names."""
    pyproject = text_within(folder / "pyproject.toml") or ""
    lines = (text_within(folder / "requirements.txt") or "").splitlines()
    found = (REQUIREMENT.match(one) for one in (*requirements_in(pyproject), *lines))
    return frozenset(normalized_name(one[1]) for one in found if one is not None)


def requirements_in(pyproject: str) -> Iterator[str]:
    """The requirements in a pyproject.toml, which may have errors elsewhere."""
    root = tree_sitter.Parser(toml()).parse(pyproject.encode(errors="replace")).root_node
    for node in root.named_children:
        table = key_of(node) if node.type == "table" else ()
        for pair in node.named_children if node.type == "table" else [node]:
            if pair.type != "pair":
                continue
            key = (*table, *key_of(pair))
            if key[:-1] == IN_KEYS and key[-1] != "python":
                yield key[-1]
            elif key[:2] in IN_ARRAYS:
                yield from strings_in(pair)


def key_of(node: tree_sitter.Node) -> tuple[str, ...]:
    """The key of a pair or a table, part by part."""
    keys = [child for child in node.named_children if child.type.endswith("_key")]
    if node.type == "dotted_key" or (keys and node.type in ("table", "pair")):
        return tuple(part for key in keys for part in key_of(key))
    return (text_of(node).strip("\"'"),)


def strings_in(pair: tree_sitter.Node) -> Iterator[str]:
    arrays = [child for child in pair.named_children if child.type == "array"]
    for array in arrays:
        for child in array.named_children:
            if child.type == "string":
                yield text_of(child).strip("\"'")


@cache
def toml() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_toml.language())


def site_packages(folder: Path) -> Path | None:
    """The folder with the packages of a folder's virtual environment."""
    for name in ENVIRONMENTS:
        environment = folder / name
        if not (environment / "pyvenv.cfg").is_file():
            continue
        for pattern in INSTALLED_FOLDERS:
            if found := sorted(islice(environment.glob(pattern), 100)):
                return found[-1]
    return None


def sources_in(record: str) -> Iterator[PurePosixPath]:
    """The importable sources among a package's files."""
    try:
        for row in csv.reader(record.splitlines()):
            path = PurePosixPath(row[0] if row else "")
            is_source = path.suffix in (".py", ".pyi")
            if is_source and all(part.isidentifier() for part in path.with_suffix("").parts):
                yield path
    except csv.Error:
        return


def normalized_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def text_within(path: Path, limit: int = 1 << 20) -> str | None:
    """The text of a regular file; None if it is missing or too large."""
    try:
        return bounded_text(path, limit)
    except OverLimit:
        return None


# --- exports ---------------------------------------------------------------------------------------------


def exported_names(outlines: Mapping[PurePosixPath, PythonOutline]) -> dict[str, ImportSource]:
    """The exports of packages' files by unambiguous names; the shortest module names first."""
    modules = Modules.of(
        {str(path): outline for path, outline in outlines.items()}, {str(path): path for path in outlines}
    )
    homes: dict[str, set[str]] = defaultdict(set)
    sources: dict[str, list[ImportSource]] = defaultdict(list)
    for path in outlines:
        parts = path.parent.parts if path.stem == "__init__" else path.with_suffix("").parts
        module = ".".join(parts)
        if any(part.startswith("_") or part in TESTS for part in parts):
            continue
        if len(parts) == 1:
            sources[module].append(ImportSource(module, "", module))
            homes[module].add(module)
        for name, home in exports_of(modules, str(path), MOST_HANDS):
            if is_telling(name):
                sources[name].append(ImportSource(module, name, name))
                homes[name].add(home)
    ones = [
        min(found, key=lambda one: (one.module.count("."), len(one.module), one.module))
        for name, found in sources.items()
        if len(homes[name]) == 1
    ]
    return {one.alias: one for one in sorted(ones, key=lambda one: (one.module.count("."), one.alias))}


def exports_of(modules: Modules, uri: str, hands: int) -> Iterator[tuple[str, str]]:
    """The names that a file defines, or that a package's `__init__` re-exports from the package; each with
    its home."""
    outline = modules.outlines[uri]
    for name in outline.definitions:
        yield name, uri
    path = modules.paths[uri]
    if path.stem != "__init__" or hands <= 0:
        return
    for one in outline.imports:
        if not one.name or not (one.module.startswith(".") or one.module.split(".")[0] == path.parts[0]):
            continue
        if one.name == "*":
            other = modules.module(one.module, path)
            if other is not None and other != uri:
                yield from exports_of(modules, other, hands - 1)
        elif one.alias.isidentifier() and not one.alias.startswith("_"):
            yield one.alias, home_of(modules, one, path)


def home_of(modules: Modules, one: PythonImport, path: PurePosixPath) -> str:
    """The home of an imported name; if it is not known, the imported module."""
    found = modules.import_target(one, path)
    if found is None:
        return f"{one.module} {one.name} of {path.parent}"
    return found if isinstance(found, str) else found.uri


def is_telling(name: str) -> bool:
    """Whether a name is more specific than one lower-case word, which may name any variable."""
    return not name.startswith("_") and ("_" in name or not name.islower())
