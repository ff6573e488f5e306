"""A file's imports, and the names by which others import it, found by patterns in its lines, since thousands
of files are read at the start.

    Python    from shop.orders import ...       the first folder of a file's path, or its own name
    Java      import org.example.shop.Order;    a file's `package`
    Go        import "example.org/shop/orders"  the `module` of a go.mod
    JS, TS    import ... from "@acme/shop"      the `name` in a package.json, or where the file lies
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from fim_lsp.bounded_files import OverLimit, bounded_text
from fim_lsp.known_languages import GO, JAVA, JAVASCRIPT, PYTHON, extensions_of

# The parts of a name or of a path; those of a path begin with the root.
Name = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """The names by which files import each other. An import begins with the name of its target."""

    imports: frozenset[Name] = frozenset()
    own: frozenset[Name] = frozenset()


@dataclass(frozen=True, slots=True)
class Manifest:
    """A file that gives the import name of everything below its folder."""

    file_name: str
    name: Callable[[str], str]


PYTHON_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
# In a block of imports, a line has only the path.
GO_IMPORT = re.compile(r'^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([^"\s]+)"[ \t]*\r?$', re.MULTILINE)
GO_MODULE = re.compile(r"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE)
JAVA_IMPORT = re.compile(r"^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)", re.MULTILINE)
JAVA_PACKAGE = re.compile(r"^[ \t]*package[ \t]+([\w.]+)[ \t]*;", re.MULTILINE)
SCRIPT_IMPORT = re.compile(r"""\b(?:from|import|require)[ \t]*\(?[ \t]*(?:"([^"\n]+)"|'([^'\n]+)')""")
# Folders in a Python project that are no packages.
AROUND = ("src", "lib", "python")


def said_in_python(path: PurePath, folder: PurePath, text: str) -> Said:
    parts = [part for part in path.relative_to(folder).parts if part not in AROUND] or [path.name]
    own = parts[0].removesuffix(".pyi").removesuffix(".py")
    return Said(frozenset((name,) for name in PYTHON_IMPORT.findall(text)), frozenset({(own,)}))


def said_in_java(_path: PurePath, _folder: PurePath, text: str) -> Said:
    return Said(split(JAVA_IMPORT.findall(text), "."), split(JAVA_PACKAGE.findall(text)[:1], "."))


def said_in_go(_path: PurePath, _folder: PurePath, text: str) -> Said:
    return Said(split(GO_IMPORT.findall(text), "/"))


def said_in_scripts(path: PurePath, _folder: PurePath, text: str) -> Said:
    imports = {one or other for one, other in SCRIPT_IMPORT.findall(text)}
    lying = {name for name in imports if name.startswith(".")}
    paths = {PurePath(os.path.normpath(path.parent / name)).parts for name in lying}
    return Said(split(imports - lying, "/") | paths)


def name_in_go_mod(text: str) -> str:
    found = GO_MODULE.search(text)
    return found[1] if found else ""


def name_in_package_json(text: str) -> str:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    name = found.get("name") if isinstance(found, dict) else None
    return name if isinstance(name, str) else ""


READERS = {
    PYTHON.family: said_in_python,
    JAVA.family: said_in_java,
    GO.family: said_in_go,
    JAVASCRIPT.family: said_in_scripts,
}
MANIFESTS = {
    GO.family: Manifest("go.mod", name_in_go_mod),
    JAVASCRIPT.family: Manifest("package.json", name_in_package_json),
}
FAMILY = {end: family for family in READERS for end in extensions_of(family)}


def said_imports(path: str, folder: str, text: str) -> Said:
    """The imports that a file below a folder states; none in a language without imports."""
    family = FAMILY.get(extension(path))
    return Said() if family is None else READERS[family](PurePath(path), PurePath(folder), text)


def names_of_manifests(
    folder: str, paths: Iterable[str], is_admitted: Callable[[str], bool]
) -> frozenset[Name]:
    """The names by which others import the files below a folder, according to manifests."""
    wanted = {
        (around, manifest)
        for path in paths
        if (manifest := MANIFESTS.get(FAMILY.get(extension(path), ""))) is not None
        for around in folders_between(path, folder)
    }
    found = set()
    for around, manifest in wanted:
        file = Path(around, manifest.file_name)
        text = text_of(file) if is_admitted(file.as_uri()) else None
        found.add(manifest.name(text or ""))
    return split(found - {""}, "/")


def folders_between(path: str, folder: str) -> Iterator[str]:
    """The folders around a file, up to the given one."""
    around = os.path.dirname(path)  # noqa: PTH120, thousands of them
    while len(around) >= len(folder.rstrip(os.sep)):
        yield around
        above = os.path.dirname(around)  # noqa: PTH120
        if above == around:
            return
        around = above


def text_of(path: Path) -> str | None:
    try:
        return bounded_text(path)
    except OverLimit:
        return None


def extension(path: str) -> str:
    return os.path.splitext(path)[1].lower()  # noqa: PTH122, thousands of them


def split(names: Iterable[str], sign: str) -> frozenset[Name]:
    return frozenset(tuple(name.split(sign)) for name in names)
