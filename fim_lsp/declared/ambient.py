"""Ambient names: those that a JavaScript or TypeScript file has from its project without an import.

Declaration files (`.d.ts`) declare names for all its files. We look for them where people put them: in
the file's folder, and in the folder of the package or project around it, in its `src`, `types`, `typings` and
`@types`. Every declaration counts, also in a module's file: a name too many here is merely never refused.
Files of TypeScript in the package declare some, too (`declare global`). Words of the configurations in which
linters and bundlers are told of names count, and with programs that import by themselves any name. So do
names that another file of the package uses although nothing there declares them (`uses_elsewhere.py`).
Scripts share their names; so a file that imports and exports nothing yet may have any name, unless all
others beside it are modules.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from fim_lsp.declared.beside import FileLocation, source, sources
from fim_lsp.declared.javascript_imports import project_files
from fim_lsp.declared.undeclared import COMMON_MODULE
from fim_lsp.declared.uses_elsewhere import is_free_elsewhere
from fim_lsp.known_languages import KNOWN

PROJECT_SIGNS = ("package.json", "tsconfig.json", "jsconfig.json", "deno.json", ".git")
USUAL_FOLDERS = ("", "src", "types", "typings", "@types", "src/types", "src/@types")
# How far up a project is looked for, and how many declaration files of a folder are read.
MOST_LEVELS, MOST_FILES = 12, 100
DECLARED = re.compile(
    rb"\b(?:const|let|var|function\*?|class|interface|type|enum|namespace|module)\s+([\w$\x80-\xff]+)"
)
# What a module's file declares for all.
GLOBAL = re.compile(rb"\bdeclare\s+global\b")
TYPESCRIPT = (".ts", ".tsx", ".mts", ".cts")
MOST_LISTED, MOST_MODULES = 5_000, 1_000
# Files in which linters and bundlers are told of names, and the words there.
CONFIGURATIONS = ("*.config.*", ".eslintrc*", ".jshintrc", ".oxlintrc.json", "biome.json")
MOST_CONFIGURATIONS = 40
CONFIGURED = re.compile(rb"[A-Za-z_$][\w$]*")
# Dependencies that import whatever name a file uses.
IMPORTING = re.compile(
    rb'"(?:nuxt|nuxt-nightly|@nuxt/[\w-]+|nitro|nitropack|unimport|unplugin-auto-import|wxt)"\s*:'
)
# What the types of some dependencies declare for all.
BY_DEPENDENCY = ((b'"@types/vscode"', "Thenable"), (b'"@angular/localize"', "$localize"))
# What Svelte's compiler has in the modules that it compiles.
OF_SVELTE = frozenset(("$state", "$derived", "$effect", "$props", "$bindable", "$inspect", "$host"))
MODULE_SUFFIXES = (".mjs", ".mts", ".cjs", ".cts")
# What a script asks that is a module only where a loader is.
ASKING = re.compile(rb"\btypeof\s+(?:exports|module|define|require)\b")
MODULE_LINE = re.compile(rb"^\s*(?:import|export)\b", re.MULTILINE)


class AnyName(Container[str]):
    """The names of a project that imports what a file uses."""

    def __contains__(self, name: object) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class NamesAround(Container[str]):
    """The names that a project declares, and those that another file of the package takes for granted."""

    declared: frozenset[str]
    place: FileLocation

    def __contains__(self, name: object) -> bool:
        return name in self.declared or (isinstance(name, str) and is_free_elsewhere(name, self.place))


def ambient_names(place: FileLocation) -> Container[str]:
    """The names declared around a file; none around one that lies nowhere."""
    if place.path is None:
        return frozenset()
    found: set[str] = set()
    for folder in folders_around(place.path.parent):
        package = source(folder / "package.json", place)
        if package is not None and IMPORTING.search(package):
            return AnyName()
        found.update(name for dependency, name in BY_DEPENDENCY if package and dependency in package)
        for path in declaration_files(folder):
            content = None if path == place.path else source(path, place)
            if content is not None:
                found |= names_in(content)
        found |= configured_words(folder, place)
    for path in modules_around(place.path):
        content = source(path, place)
        if content is not None and declares_globals(content):
            found |= names_in(content)
    if ".svelte." in place.path.name:
        found |= OF_SVELTE
    return NamesAround(frozenset(found), place)


def modules_around(path: Path) -> list[Path]:
    """The files of TypeScript in the package around a file, those of declarations alone last."""
    listed = islice(project_files(path), MOST_LISTED)
    found = [one for one in listed if one.suffix in TYPESCRIPT and one != path]
    return sorted(found, key=lambda one: one.name.endswith(".d.ts"))[:MOST_MODULES]


@lru_cache(maxsize=2_000)
def declares_globals(content: bytes) -> bool:
    return GLOBAL.search(content) is not None


def configured_words(folder: Path, place: FileLocation) -> set[str]:
    """The words of a project's configurations, where linters and bundlers are told of names."""
    if not any((folder / sign).exists() for sign in PROJECT_SIGNS):
        return set()
    found: set[str] = set()
    paths = (path for glob in CONFIGURATIONS for path in sorted(folder.glob(glob)))
    for path in islice(paths, MOST_CONFIGURATIONS):
        content = source(path, place)
        found.update(match[0].decode() for match in CONFIGURED.finditer(content or b""))
    return found


def lies_among_modules(place: FileLocation) -> bool:
    """Whether a file is a module by its name, or has files of its kind beside it that are all modules."""
    if place.path is None:
        return False
    if place.path.suffix in MODULE_SUFFIXES:
        return True
    language = next((one for one in KNOWN if place.path.suffix in one.extensions), None)
    beside = {} if language is None else sources(place.path.parent, language, place) or {}
    return bool(beside) and all(
        MODULE_LINE.search(content) or (COMMON_MODULE.search(content) and not ASKING.search(content))
        for content in beside.values()
    )


def folders_around(folder: Path) -> Iterator[Path]:
    yield folder
    for around in (folder, *folder.parents[:MOST_LEVELS]):
        if any((around / sign).exists() for sign in PROJECT_SIGNS):
            yield from (around / name for name in USUAL_FOLDERS if around / name != folder)
            return


def declaration_files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(".d.ts"))[:MOST_FILES]
    except OSError:
        return []


@lru_cache(maxsize=500)
def names_in(content: bytes) -> frozenset[str]:
    return frozenset(match[1].decode("utf-8", "replace") for match in DECLARED.finditer(content))
