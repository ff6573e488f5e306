"""The outline of a Java file for other files: its package, its imports, and its types with their members and
base types, whatever their visibility.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import tree_sitter

from fim_lsp.declared.beside import root_of_source
from fim_lsp.declared.java_scopes import TYPES
from fim_lsp.declared.tree import text
from fim_lsp.known_languages import JAVA

BODIES = frozenset(
    {"class_body", "interface_body", "enum_body", "enum_body_declarations", "annotation_type_body"}
)
# The declarations of members whose names stand in declarators.
FIELDS = ("field_declaration", "constant_declaration")
NAMED = TYPES | {"method_declaration", "annotation_type_element_declaration", "enum_constant"}
# Where a type says what it extends, and what it extends without a word.
EXTENDING = ("superclass", "super_interfaces", "extends_interfaces")
UNSAID = {
    "enum_declaration": "java.lang.Enum",
    "record_declaration": "java.lang.Record",
    "annotation_type_declaration": "java.lang.annotation.Annotation",
}
# The members that an enum has without a word.
OF_ENUMS = frozenset({"values", "valueOf"})


@dataclass(frozen=True, slots=True)
class JavaImport:
    """An import: its path, whether that is a type's member, and whether it imports everything in there."""

    path: str
    is_static: bool
    is_all: bool

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class TypeOutline:
    """The names of a type's members and base types, as they are written."""

    names: frozenset[str]
    extended: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JavaOutline:
    """The outline of a file: its types by their simple names, and the outermost of them."""

    package: str
    imports: tuple[JavaImport, ...]
    types: dict[str, TypeOutline]
    outermost: frozenset[str]
    # Whether it has members without a class around them, or imports a module: then much is there unsaid.
    is_compact: bool


@lru_cache(maxsize=4_000)
def outline(content: bytes) -> JavaOutline:
    return outline_of(root_of_source(content, JAVA))


def outline_of(root: tree_sitter.Node) -> JavaOutline:
    types: dict[str, TypeOutline] = {}
    for node in types_in(root):
        name, found = name_of(node), TypeOutline(frozenset(members(node)), tuple(extended_types(node)))
        other = types.get(name, TypeOutline(frozenset(), ()))
        types[name] = TypeOutline(other.names | found.names, other.extended + found.extended)
    package = next((one for one in root.named_children if one.type == "package_declaration"), None)
    outermost = frozenset(name_of(one) for one in root.named_children if one.type in TYPES)
    kinds = {one.type for one in root.named_children}
    is_compact = not kinds.isdisjoint(("method_declaration", *FIELDS, "local_variable_declaration"))
    found_imports = tuple(import_of(one) for one in imports(root))
    return JavaOutline(
        "" if package is None else "".join(text(package.named_children[-1]).split()),
        tuple(one for one in found_imports if one is not None),
        types,
        outermost,
        is_compact or None in found_imports,
    )


def types_in(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The types of a file that other files can name: those in functions are not."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in TYPES:
            yield node
        if node.type in TYPES or node.type in BODIES or node.type == "program":
            waiting += node.named_children


def imports(root: tree_sitter.Node) -> list[tree_sitter.Node]:
    return [one for one in root.named_children if one.type == "import_declaration"]


def import_of(node: tree_sitter.Node) -> JavaImport | None:
    """None for a file that cannot be read, as a module's."""
    path = next((one for one in node.named_children if one.type in ("scoped_identifier", "identifier")), None)
    if path is None or node.has_error:
        return None
    kinds = {one.type for one in node.children}
    return JavaImport("".join(text(path).split()), "static" in kinds, "asterisk" in kinds)


def name_of(node: tree_sitter.Node) -> str:
    name = node.child_by_field_name("name")
    return "" if name is None else text(name)


def members(declaration: tree_sitter.Node) -> Iterator[str]:
    """The names of a type's own members."""
    if declaration.type == "enum_declaration":
        yield from OF_ENUMS
    parameters = declaration.child_by_field_name("parameters")
    waiting = [] if parameters is None else list(parameters.named_children)
    waiting += [one for one in declaration.named_children if one.type in BODIES]
    while waiting:
        node = waiting.pop()
        if node.type in BODIES or node.type in FIELDS or node.type == "spread_parameter":
            waiting += node.named_children
        elif node.type in NAMED or node.type in ("variable_declarator", "formal_parameter"):
            yield name_of(node)


def extended_types(declaration: tree_sitter.Node) -> Iterator[str]:
    """The types that a type extends, as they are written, without arguments."""
    if declaration.type in UNSAID:
        yield UNSAID[declaration.type]
    if declaration.type == "object_creation_expression":
        kind = declaration.child_by_field_name("type")
        yield "" if kind is None else dotted_name(kind)
    for part in declaration.named_children:
        if part.type in EXTENDING:
            for one in part.named_children:
                yield from map(dotted_name, one.named_children if one.type == "type_list" else (one,))


def dotted_name(kind: tree_sitter.Node) -> str:
    """A type's name with its dots; empty for what has none."""
    match kind.type:
        case "type_identifier":
            return text(kind)
        case "generic_type" | "annotated_type" | "scoped_type_identifier":
            parts = [
                dotted_name(one)
                for one in kind.named_children
                if one.type not in ("type_arguments", "annotation", "marker_annotation")
            ]
            return ".".join(parts)
    return ""
