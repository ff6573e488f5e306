"""The import that a file of Java lacks for a type, and where it goes.

A type's name means what the package's and the project's other files import by it, if they agree; else the one
file of the project with that name; else the one package of `java.` that has such a type, the most used
packages first.

    import java.util.List;
    import java.util.Map;          goes among those of its kind, where it belongs
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import tree_sitter

from fim_lsp.declared.beside import FileLocation, source
from fim_lsp.declared.java_builds import project_of
from fim_lsp.declared.java_outline import JavaOutline, import_of, imports, outline, outline_of
from fim_lsp.declared.java_package import known_names
from fim_lsp.declared.java_scopes import NAMING, TYPE
from fim_lsp.declared.scopes import Used
from fim_lsp.declared.tree import text
from fim_lsp.known_languages import JAVA
from fim_lsp.sources import files_below

# The most files of a project that are looked at.
MOST_FILES = 400
# The packages that users nearly always mean, if several of the JDK have a type of a name.
FIRST = ("java.util", "java.io", "java.util.function", "java.util.concurrent", "java.nio.file", "java.time")
# Text and pictures of these are meant by programs with windows alone.
RARE = ("java.awt", "javax.", "java.beans", "java.rmi", "java.sql")


def missing_in_java(use: tree_sitter.Node, root: tree_sitter.Node, place: FileLocation) -> str | None:
    """The full name of the type that a name means; None where that is not certain."""
    meant = NAMING.meaning(use)
    if not isinstance(meant, Used) or not meant.kinds >= TYPE or place.path is None:
        return None
    own, name = outline_of(root), text(use)
    paths = list(project_files(place.path, own.package))
    found = set(imported_types(name, paths, place))
    if not found:
        found = {path for path in defined_types(name, paths, place) if path.rpartition(".")[0] != own.package}
    if not found:
        found = set(of_jdk(name))
    return found.pop() if len(found) == 1 else None


def project_files(path: Path, package: str) -> list[Path]:
    """The files of the project around one, or of its source root where no build says what a project is."""
    parts = [part for part in package.split(".") if part]
    own = path.parent.parents[len(parts) - 1] if len(path.parent.parts) > len(parts) > 0 else path.parent
    return [Path(one) for one in files_below(str(project_of(own) or own), JAVA.extensions)]


def imported_types(name: str, paths: list[Path], place: FileLocation) -> Iterator[str]:
    """The types that other files import by a name, those beside this one first."""
    assert place.path is not None
    near = place.path.parent
    line = re.compile(rb"(?m)^import\s+[\w.]+\." + re.escape(name.encode()) + rb"\s*;")
    some = islice(sorted(paths, key=lambda path: path.parent != near), MOST_FILES)
    for path in some:
        content = None if path == place.path else source(path, place)
        if content is not None and line.search(content):
            said = outline(content)
            yield from (one.path for one in said.imports if one.name == name and not one.is_static)


def defined_types(name: str, paths: list[Path], place: FileLocation) -> Iterator[str]:
    """The types of the project that lie in a file of this name and are visible to others."""
    for path in paths:
        content = source(path, place) if path.stem == name and path != place.path else None
        if content is not None and is_public(name, content):
            said: JavaOutline = outline(content)
            if said.package:
                yield f"{said.package}.{name}"


def is_public(name: str, content: bytes) -> bool:
    kinds = rb"(?:class|interface|enum|record)"
    found = re.search(
        rb"(?m)^\s*public\s[\w\s@-]*?" + kinds + rb"\s+" + re.escape(name.encode()) + rb"\b", content
    )
    return found is not None


@cache
def packages_of_types() -> dict[str, tuple[str, ...]]:
    """The JDK's packages that have a type of a name."""
    found: dict[str, tuple[str, ...]] = {}
    for package, types in known_names().items():
        for name in types:
            if "." not in name:
                found[name] = (*found.get(name, ()), package)
    return found


def of_jdk(name: str) -> Iterator[str]:
    packages = packages_of_types().get(name, ())
    first = [one for one in FIRST if one in packages]
    some = [one for one in packages if not one.startswith(RARE)]
    for package in first[:1] or some or packages:
        yield f"{package}.{name}"


def place_in_java(path: str, root: tree_sitter.Node, line_end: str) -> tuple[int, str] | None:
    """Where an import goes, as a byte, and the text to write there; None where it has no place."""
    written = f"import {path};"
    own = [(node, one) for node in imports(root) if (one := import_of(node)) is not None]
    plain = [(node, one.path) for node, one in own if not one.is_static]
    if plain:
        kin = [(node, other) for node, other in plain if other.partition(".")[0] == path.partition(".")[0]]
        later = next((node for node, other in kin if other > path), None)
        if later is not None:
            return later.start_byte, f"{written}{line_end}"
        if kin:
            return kin[-1][0].end_byte, f"{line_end}{written}"
        return plain[-1][0].end_byte, f"{line_end}{written}"
    if own:
        return own[0][0].start_byte, f"{written}{line_end}{line_end}"
    package = next((one for one in root.named_children if one.type == "package_declaration"), None)
    if package is not None:
        return package.end_byte, f"{line_end}{line_end}{written}"
    first = next((one for one in root.named_children if "comment" not in one.type), None)
    return None if first is None else (first.start_byte, f"{written}{line_end}{line_end}")
