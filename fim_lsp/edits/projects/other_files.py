"""A file's names for the definitions of another file, in JavaScript, TypeScript, Go and Java.

    import { area as size } from "./shapes";      size(1, 2)
    import * as shapes from "./shapes";           shapes.area(1, 2)

JavaScript's files import each other by relative paths. Go's files of one folder share their names, and others
import the folder. Java's files of one folder share their types, and others import those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from posixpath import normpath

import tree_sitter

from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.handed_names import PATTERN, SHORTHAND
from fim_lsp.edits.typed.scoped import NAMES, SCOPINGS, is_declared, is_member, owner

Path = Sequence[tree_sitter.Node]
ENDINGS = re.compile(r"(\.d)?\.[cm]?[jt]sx?$")
SOURCES = ("@/", "~/")
# By the paths of files: the names of declarations by keys, or None if all are re-exported by their own names.
HandedOn = Mapping[PurePosixPath, Mapping[str, str]]
NOTHING: HandedOn = {}
# The nodes that name a member of an object, by the fields of both.
ACCESS = {
    "member_expression": ("object", "property"),
    "selector_expression": ("operand", "field"),
    "qualified_type": ("package", "name"),
    "nested_type_identifier": ("module", "name"),
}


@dataclass(frozen=True, slots=True)
class ImportedName:
    """An imported name: the place of the original name, and its name in this file."""

    member: str
    local: str
    node: tree_sitter.Node
    # Re-exported, and not bound here.
    is_exported: bool = False


@dataclass(frozen=True)
class OtherFile:
    """A file and its names from the changed file."""

    source: SourceText
    imported: tuple[ImportedName, ...] = ()
    # The names for the changed file, or its folder, as a whole.
    wholes: frozenset[str] = frozenset()
    # The file sees the other file's declarations without an import.
    shares: bool = False
    # The names under which a file re-exports declarations to this one, with those of the declarations.
    handed: Mapping[str, str] = field(default_factory=dict)
    # The names for the other file's default.
    defaults: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, source: SourceText, path: PurePosixPath, changed: PurePosixPath, handed_on: HandedOn = NOTHING
    ) -> OtherFile:
        """`path` and `changed` are the two files' paths in the project's folder; `handed_on` is what others
        re-export of the changed one."""
        match source.known_language.name:
            case "go":
                return cls(
                    source, (), frozenset(go_packages(source, changed.parent)), path.parent == changed.parent
                )
            case "java":
                is_imported = any(
                    node.type == "import_declaration"
                    and source.text_of(node).rstrip("; \t").endswith(f".{changed.stem}")
                    for node in source.root.named_children
                )
                return cls(source, shares=is_imported or path.parent == changed.parent)
            case _:
                return cls.of_module(source, path, changed, handed_on)

    @classmethod
    def of_module(
        cls, source: SourceText, path: PurePosixPath, changed: PurePosixPath, handed_on: HandedOn
    ) -> OtherFile:
        """A file of JavaScript or TypeScript, which names the files that it imports."""
        imported: list[ImportedName] = []
        wholes, handed, defaults = set[str](), dict[str, str](), set[str]()
        for node, said in imports_from(source):
            keys = [keys for other, keys in handed_on.items() if is_meant(said, path, other)]
            if is_meant(said, path, changed) or {} in keys:
                imported += names_imported(source, node)
                wholes |= set(wholes_imported(source, node))
                defaults |= set(defaults_imported(source, node))
            elif keys:
                named = names_imported(source, node)
                handed |= {one.local: keys[0][one.member] for one in named if one.member in keys[0]}
        return cls(source, tuple(imported), frozenset(wholes), handed=handed, defaults=frozenset(defaults))

    @property
    def is_related(self) -> bool:
        """Whether it has anything from the other file."""
        return bool(self.imported or self.wholes or self.handed or self.defaults)

    def uses(self, name: str) -> Iterator[Path]:
        """The paths to the uses of a top-level name."""
        scoping = SCOPINGS[self.source.known_language.name]
        top = self.source.root.start_byte, self.source.root.end_byte
        for start in self.source.places(name):
            path = self.source.path_to(start)
            if path[-1].type not in (*NAMES, SHORTHAND) or is_member(scoping, path):
                continue
            if not stands_in_import(path) and owner(self.source, scoping, name, path) in (None, top):
                yield path

    def member_uses(self, name: str) -> Iterator[Path]:
        """The paths to the uses of a name as a member of the imported file."""
        for start in self.source.places(name) if self.wholes else ():
            path = self.source.path_to(start)
            said, member = ACCESS.get(path[-2].type, ("", "")) if len(path) > 1 else ("", "")
            if not said or path[-2].child_by_field_name(member) != path[-1]:
                continue
            if self.source.text_of(path[-2].child_by_field_name(said)) in self.wholes:
                yield path

    def places_called(self, name: str, default: str) -> Iterator[Path]:
        """The paths to the places that name a definition of the other file, under any name."""
        yield from self.member_uses(name)
        local = {one.local for one in self.imported if one.member == name and not one.is_exported}
        local |= self.defaults if name == default else set()
        for called in {name} if self.shares else local:
            yield from self.uses(called)

    def has(self, name: str) -> bool:
        """Whether the file already uses a name."""
        scoping = SCOPINGS[self.source.known_language.name]
        return any(
            is_declared(scoping, path) or stands_in_import(path)
            for path in map(self.source.path_to, self.source.places(name))
        )


def stands_in_import(path: Path) -> bool:
    """Whether a name stands in an import or a re-export."""
    return any(
        node.type == "import_statement"
        or (node.type == "export_statement" and node.child_by_field_name("source") is not None)
        for node in path
    )


def names_handed_on(source: SourceText, path: PurePosixPath, changed: PurePosixPath) -> dict[str, str] | None:
    """What a file re-exports of a changed one, by its own keys; without keys, everything. None if it
    re-exports nothing."""
    found: dict[str, str] = {}
    for node, said in imports_from(source):
        if node.type == "export_statement" and is_meant(said, path, changed):
            named = [*names_imported(source, node)]
            if not named:
                return {}
            found |= {one.local: one.member for one in named}
        elif node.type == "variable_declarator" and is_meant(said, path, changed):
            local = {one.local: one.member for one in names_imported(source, node)}
            found |= {key: local[name] for key, name in names_assigned(source) if name in local}
    if any(is_meant(said, path, changed) for said in whole_files_assigned(source)):
        return {}
    return found or None


def names_assigned(source: SourceText) -> Iterator[tuple[str, str]]:
    """The keys of `module.exports = { area, size: width }`, each with its variable."""
    for value in exports_assigned(source):
        for one in value.named_children if value.type == "object" else ():
            if one.type == SHORTHAND:
                yield source.text_of(one), source.text_of(one)
            elif one.type == "pair":
                yield (
                    source.text_of(one.child_by_field_name("key")),
                    source.text_of(one.child_by_field_name("value")),
                )


def whole_files_assigned(source: SourceText) -> Iterator[str]:
    """The files that `module.exports = require("./area")` hands on as a whole."""
    for value in exports_assigned(source):
        if (
            value.type == "call_expression"
            and source.text_of(value.child_by_field_name("function")) == "require"
        ):
            yield source.text_of(value.child_by_field_name("arguments")).strip("() ")[1:-1]


def exports_assigned(source: SourceText) -> Iterator[tree_sitter.Node]:
    for node in source.root.named_children:
        given = (
            node.named_children[0] if node.type == "expression_statement" and node.named_children else node
        )
        if given.type == "assignment_expression":
            value = given.child_by_field_name("right")
            if source.text_of(given.child_by_field_name("left")) == "module.exports" and value is not None:
                yield value


def imports_from(source: SourceText) -> Iterator[tuple[tree_sitter.Node, str]]:
    """The nodes that import another file, each with the written path."""
    for node in source.root.named_children:
        if node.type in ("import_statement", "export_statement"):
            said = source.text_of(node.child_by_field_name("source"))
            if said:
                yield node, said[1:-1]
        for one in node.named_children if node.type.endswith("_declaration") else ():
            said = required_file(source, one)
            if len(said) > 1:
                yield one, said[1:-1]


def required_file(source: SourceText, node: tree_sitter.Node) -> str:
    """The file that a declaration requires, in its quotes; empty if it requires none."""
    value = node.child_by_field_name("value") if node.type == "variable_declarator" else None
    if value is None or source.text_of(value.child_by_field_name("function")) != "require":
        return ""
    return source.text_of(value.child_by_field_name("arguments")).strip("() ")


def is_meant(said: str, path: PurePosixPath, changed: PurePosixPath) -> bool:
    """Whether an import names a file."""
    wanted = ENDINGS.sub("", str(changed))
    if said.startswith(SOURCES):
        # The aliases that most projects use for their folder of sources, wherever it is.
        return f"/{wanted}".endswith(f"/{ENDINGS.sub('', said[2:])}")
    if not said.startswith("."):
        return False
    asked = ENDINGS.sub("", normpath(str(path.parent / said)))
    return asked == wanted or (changed.stem == "index" and asked == normpath(str(changed.parent)))


def names_imported(source: SourceText, node: tree_sitter.Node) -> Iterator[ImportedName]:
    """The names that an import binds, one by one."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in ("import_specifier", "export_specifier"):
            name = one.child_by_field_name("name")
            alias = one.child_by_field_name("alias")
            if name is not None:
                said = source.text_of(name)
                local = said if alias is None else source.text_of(alias)
                yield ImportedName(said, local, name, one.type == "export_specifier")
        elif one.type == PATTERN:
            said = source.text_of(one)
            yield ImportedName(said, said, one)
        elif one.type == "pair_pattern":
            key, value = one.child_by_field_name("key"), one.child_by_field_name("value")
            if key is not None and value is not None and value.type == "identifier":
                yield ImportedName(source.text_of(key), source.text_of(value), key)
        elif one.type != "call_expression":
            waiting += one.named_children


def wholes_imported(source: SourceText, node: tree_sitter.Node) -> Iterator[str]:
    """The names that an import binds to the other file as a whole."""
    if node.type == "variable_declarator":
        name = node.child_by_field_name("name")
        if name is not None and name.type == "identifier":
            yield source.text_of(name)
        return
    clause = node.named_children[0] if node.named_children else node
    for one in clause.named_children if clause.type == "import_clause" else ():
        if one.type == "namespace_import":
            yield source.text_of(one.named_children[0])


def defaults_imported(source: SourceText, node: tree_sitter.Node) -> Iterator[str]:
    """The names that an import gives to the other file's default; `require` gives the whole file."""
    if node.type == "variable_declarator":
        yield from wholes_imported(source, node)
        return
    clause = node.named_children[0] if node.named_children else node
    for one in clause.named_children if clause.type == "import_clause" else ():
        if one.type == "identifier":
            yield source.text_of(one)


def go_packages(source: SourceText, folder: PurePosixPath) -> Iterator[str]:
    """The names of a Go file for the package in a folder; not known for the project's own folder."""
    if not folder.parts:
        return
    waiting = [node for node in source.root.named_children if node.type == "import_declaration"]
    while waiting:
        node = waiting.pop()
        if node.type != "import_spec":
            waiting += node.named_children
            continue
        path = source.text_of(node.child_by_field_name("path"))[1:-1]
        if path == str(folder) or path.endswith(f"/{folder}"):
            yield source.text_of(node.child_by_field_name("name")) or folder.name
