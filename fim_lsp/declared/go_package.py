"""Names that a file of Go has from elsewhere: the universe, its package's other files, its imports.

`python -m tests.names.go_names --write` writes `go_names.json` from the installed Go. A package's name stands
in its own files, if we find them: in the module, its `vendor` folder or the module cache. The names of the
standard library's packages are known. If a package's name is unknown, no name in front of a dot is refused.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

import tree_sitter

from fim_lsp.bounded_files import OverLimit, bounded_text
from fim_lsp.declared.beside import FileLocation, root_of_source, source, sources
from fim_lsp.declared.scopes import Use
from fim_lsp.declared.tree import text
from fim_lsp.known_languages import GO

TEST = "_test.go"
# Declarations whose parts are each a specification with names.
SPECIFIED = ("const_declaration", "var_declaration", "type_declaration", "var_spec_list")
SPECIFICATIONS = ("const_spec", "var_spec", "type_spec", "type_alias")
MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
REQUIRED = re.compile(r"^\s*(?:require\s+)?([^\s()]+\.[^\s()]+)\s+(v\S+)", re.MULTILINE)
CAPITAL = re.compile(r"[A-Z]")
# Each folder of a module's path is looked for so far up.
MOST_FOLDERS = 40


@dataclass(frozen=True, slots=True)
class GoOutline:
    """The outline of a file: its package, and the names that it declares at its own level."""

    package: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class GoImport:
    """An import: its path, and the name that the file gives it, empty for none."""

    path: str
    name: str


@cache
def known_names() -> tuple[frozenset[str], dict[str, str]]:
    """The universe's names, and the names of the standard library's packages, by path."""
    said = json.loads((files("fim_lsp.declared") / "go_names.json").read_text(encoding="utf-8"))
    return frozenset(said["universe"]), said["packages"]


@dataclass(frozen=True, slots=True)
class GoPackage:
    """The names that a file has from elsewhere."""

    names: frozenset[str]
    # Whether a package is imported whose name is not known.
    has_unknown: bool

    def has(self, use: Use) -> bool:
        """Whether a name is there, or may be."""
        return use.name == "_" or use.name in self.names or (self.has_unknown and is_qualifier(use.node))


def package_around(root: tree_sitter.Node, place: FileLocation) -> GoPackage | None:
    """None where the names are not known."""
    own = outline_of(root)
    found = imports(root)
    if not own.package or place.path is None or any(one.name == "." for one in found):
        return None
    # Ebitengine's shaders are in a language of their own, with the syntax of Go.
    if any(text(one).startswith("//kage:") for one in root.named_children if one.type == "comment"):
        return None
    beside = names_beside(own.package, place.path, place)
    if beside is None:
        return None
    called = [one.name or package_name(one.path, place) for one in found]
    known = {name for name in called if name}
    return GoPackage(known_names()[0] | beside | known, None in called)


def is_qualifier(node: tree_sitter.Node) -> bool:
    """Whether a name stands where a package's may: in front of a dot."""
    around = node.parent
    return around is not None and (
        around.type == "qualified_type"
        or (around.type == "selector_expression" and around.children[0] == node)
    )


# --- the package's other files ---------------------------------------------------------------------------


def names_beside(package: str, path: Path, place: FileLocation) -> frozenset[str] | None:
    """The names declared in the other files of a file's package, for any operating system."""
    beside = sources(path.parent, GO, place)
    if beside is None:
        return None
    is_test = path.name.endswith(TEST)
    outlines = [
        outline(content) for other, content in beside.items() if is_test or not other.name.endswith(TEST)
    ]
    return frozenset().union(*(one.names for one in outlines if one.package == package))


@lru_cache(maxsize=4_000)
def outline(content: bytes) -> GoOutline:
    return outline_of(root_of_source(content, GO))


def outline_of(root: tree_sitter.Node) -> GoOutline:
    clause = next((one for one in root.named_children if one.type == "package_clause"), None)
    package = "" if clause is None else text(clause.named_children[-1])
    return GoOutline(package, frozenset(declared_at_top(root)))


def declared_at_top(root: tree_sitter.Node) -> Iterator[str]:
    waiting = list(root.named_children)
    while waiting:
        node = waiting.pop()
        if node.type in SPECIFIED:
            waiting += node.named_children
        elif node.type in SPECIFICATIONS or node.type == "function_declaration":
            yield from (text(one) for one in node.children_by_field_name("name"))


# --- imports ---------------------------------------------------------------------------------------------


def imports(root: tree_sitter.Node) -> list[GoImport]:
    """The imports of a file, as they are written."""
    waiting = [one for one in root.named_children if one.type == "import_declaration"]
    found = []
    while waiting:
        node = waiting.pop()
        if node.type != "import_spec":
            waiting += node.named_children
            continue
        path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
        if path is not None:
            found.append(GoImport(text(path)[1:-1], "" if name is None else text(name)))
    return found


def package_name(path: str, place: FileLocation) -> str | None:
    """The name of a package that is imported by its path; None where it is not known."""
    known = known_names()[1].get(path)
    if known is not None or path == "C":
        return known or path
    if place.path is None:
        return None
    folder = folder_of(path, place.path.parent)
    return None if folder is None else clause_in(folder, place)


def clause_in(folder: Path, place: FileLocation) -> str | None:
    """The package of a folder's files, except tests and programs that run alone."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".go")
    except OSError:
        return None
    for path in paths:
        content = None if path.name.endswith(TEST) else source(path, place)
        if content is not None and b"//go:build ignore" not in content:
            package = outline(content).package
            # A folder has documentation that is not of its package.
            if package and package != "documentation":
                return package
    return None


def folder_of(path: str, beside: Path) -> Path | None:
    """The folder of a package's files, searched from a folder: in its module, in `vendor`, in the cache."""
    module = module_around(beside)
    if module is None:
        return None
    folder, content = module
    named = MODULE.search(content)
    for root, name in ((folder, named[1] if named else ""), (folder / "vendor", "")):
        if not name or path == name or path.startswith(name + "/"):
            inside = root / path.removeprefix(name).strip("/")
            if (name or root.name == "vendor") and inside.is_dir():
                return inside
    for required, version in REQUIRED.findall(content):
        if path == required or path.startswith(required + "/"):
            inside = (
                module_cache()
                / f"{escaped_path(required)}@{version}"
                / path.removeprefix(required).strip("/")
            )
            if inside.is_dir():
                return inside
    return None


def module_around(folder: Path) -> tuple[Path, str] | None:
    """The nearest folder upwards that has a module's file, and the file's text."""
    for around in (folder, *folder.parents)[:MOST_FOLDERS]:
        try:
            content = bounded_text(around / "go.mod")
        except OverLimit:
            return None
        if content is not None:
            return around, content
    return None


def module_cache() -> Path:
    own = os.environ.get("GOMODCACHE")
    if own:
        return Path(own)
    first = os.environ.get("GOPATH", "").split(os.pathsep)[0]
    return (Path(first) if first else Path.home() / "go") / "pkg" / "mod"


def escaped_path(path: str) -> str:
    """A module's path as a folder: as in Go, a capital is a sign and the small letter."""
    return CAPITAL.sub(lambda match: "!" + match[0].lower(), path)
