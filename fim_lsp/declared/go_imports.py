"""The import that a file of Go lacks for a name in front of a dot, and where it goes.

A name means what the package's own files import by it, if they agree; else what the module's files import;
else the one package of the standard library with that name:

    import (
        "fmt"
        "os"                 joins those of its kind, where it belongs: `strings` behind `os`

        "example.org/shop"
    )
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path

import tree_sitter

from fim_lsp.declared.beside import FileLocation, root_of_source, source
from fim_lsp.declared.go_package import (
    MODULE,
    TEST,
    GoImport,
    imports,
    is_qualifier,
    known_names,
    module_around,
    package_name,
)
from fim_lsp.declared.tree import text
from fim_lsp.known_languages import GO
from fim_lsp.sources import files_below

# The most files of a module that are looked at.
MOST_FILES = 400
# Packages that nothing else may import, or that only their own programs do.
INSIDE = ("internal", "vendor", "cmd")


def missing_in_go(node: tree_sitter.Node, place: FileLocation) -> GoImport | None:
    """The import that would bind a name; None where it is not certain."""
    name = text(node)
    if not is_qualifier(node) or place.path is None:
        return None
    beside = {one for one in set(imported_beside(place)) if imported_name(one, place) == name}
    if beside:
        return only(beside)
    module = module_around(place.path.parent)
    others = {one for one in set(module_imports(module, place)) if imported_name(one, place) == name}
    # A package of the own module may lead back to this one.
    own = MODULE.search(module[1]) if module else None
    if any(own is not None and (one.path + "/").startswith(own[1] + "/") for one in others):
        return None
    if others:
        return only(others)
    paths = standard().get(name, ())
    return GoImport(paths[0], "") if len(paths) == 1 else None


def only(found: set[GoImport]) -> GoImport | None:
    """The import that all of them mean; if some files rename the package, the import without a name."""
    if len({one.path for one in found}) > 1:
        return None
    return min(found, key=lambda one: one.name)


def imported_name(one: GoImport, place: FileLocation) -> str | None:
    return None if one.name in ("_", ".") else one.name or package_name(one.path, place)


def imported_beside(place: FileLocation) -> Iterator[GoImport]:
    assert place.path is not None
    return imports_of_files(sorted(place.path.parent.glob("*.go")), place)


def module_imports(module: tuple[Path, str] | None, place: FileLocation) -> Iterator[GoImport]:
    """The imports of a module's files, as far as they are looked at."""
    if module is None:
        return iter(())
    below = map(Path, files_below(str(module[0]), GO.extensions))
    files = (path for path in below if "vendor" not in path.relative_to(module[0]).parts)
    return imports_of_files(islice(files, MOST_FILES), place)


def imports_of_files(paths: Iterable[Path], place: FileLocation) -> Iterator[GoImport]:
    """The imports of files; those of tests count for tests alone."""
    is_test = place.path is not None and place.path.name.endswith(TEST)
    for path in paths:
        is_counted = path != place.path and (is_test or not path.name.endswith(TEST))
        if is_counted and (content := source(path, place)) is not None:
            yield from imports_of(content)


@lru_cache(maxsize=4_000)
def imports_of(content: bytes) -> tuple[GoImport, ...]:
    return tuple(imports(root_of_source(content, GO)))


@cache
def standard() -> dict[str, tuple[str, ...]]:
    """The paths of the standard library's packages that others may import, by their names."""
    found: dict[str, tuple[str, ...]] = {}
    for path, name in known_names()[1].items():
        if not any(part in INSIDE for part in path.split("/")):
            found[name] = (*found.get(name, ()), path)
    return found


def place_in_go(one: GoImport, root: tree_sitter.Node, line_end: str) -> tuple[int, str] | None:
    """Where an import goes, as a byte, and the text to write there; None where the file has no package."""
    written = f'{one.name} "{one.path}"' if one.name else f'"{one.path}"'
    declarations = [node for node in root.named_children if node.type == "import_declaration"]
    for declaration in declarations:
        specs = [
            spec
            for part in declaration.named_children
            if part.type == "import_spec_list"
            for spec in part.named_children
            if spec.type == "import_spec"
        ]
        if specs and specs[0].start_point.row > declaration.start_point.row:
            return in_a_list(one.path, written, specs, line_end)
    if declarations:
        return declarations[-1].end_byte, f"{line_end}import {written}"
    clause = next((node for node in root.named_children if node.type == "package_clause"), None)
    return None if clause is None else (clause.end_byte, f"{line_end}{line_end}import {written}")


def in_a_list(path: str, written: str, specs: list[tree_sitter.Node], line_end: str) -> tuple[int, str]:
    """Among those of its kind, in front of the first that comes later."""
    kin = [spec for spec in specs if is_standard(path_of(spec)) == is_standard(path)]
    later = next((spec for spec in kin if path_of(spec) > path), None)
    indentation = "\t" * specs[0].start_point.column
    if later is not None:
        return later.start_byte, f"{written}{line_end}{indentation}"
    if not kin and is_standard(path):
        return specs[0].start_byte, f"{written}{line_end}{line_end}{indentation}"
    if not kin:
        return specs[-1].end_byte, f"{line_end}{line_end}{indentation}{written}"
    return kin[-1].end_byte, f"{line_end}{indentation}{written}"


def path_of(spec: tree_sitter.Node) -> str:
    path = spec.child_by_field_name("path")
    return "" if path is None else text(path)[1:-1]


def is_standard(path: str) -> bool:
    return "." not in path.partition("/")[0]
