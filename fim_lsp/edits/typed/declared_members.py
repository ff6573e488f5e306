"""Members where types declare them, in languages other than Python: the type of a member, the class around a
place, and the bases of a type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD
from fim_lsp.edits.typed.members import type_declaring

Path = Sequence[tree_sitter.Node]
# The bodies of types, and the nodes in front of them that have the type's name.
BODIES = ("class_body", "interface_body", "object_type", "enum_body", "enum_body_declarations")
MEMBERS = {
    ("method_definition", "name"), ("field_definition", "property"), ("public_field_definition", "name"),
    ("property_signature", "name"), ("method_signature", "name"), ("enum_assignment", "name"),
    ("method_declaration", "name"), ("variable_declarator", "name"), ("enum_constant", "name"),
    ("enum_body", ""), ("abstract_method_signature", "name"),
    ("class_declaration", "name"), ("interface_declaration", "name"), ("record_declaration", "name"),
    ("enum_declaration", "name"),
}  # fmt: skip
TYPES = ("class_declaration", "abstract_class_declaration", "interface_declaration", "record_declaration",
         "enum_declaration")  # fmt: skip
CLASSES = ("class_declaration", "abstract_class_declaration")
EXTENDS = re.compile(r"\bextends\s+([\w.$]+)")


@lru_cache(maxsize=64)
def members_called(source: SourceText, name: str) -> dict[str, list[Path]]:
    """The paths to the declarations of a member by a name, by the types that declare it."""
    found: dict[str, list[Path]] = {}
    for start in source.places(name):
        path = source.path_to(start)
        declared = type_of_member(source, path) or type_keeping(source, path)
        if declared:
            found.setdefault(declared, []).append(path)
    return found


def type_keeping(source: SourceText, path: Path) -> str:
    """The class whose constructor's parameter is a member, as in `constructor(private store: Store)`."""
    if len(path) < 2 or path[-2].type != "required_parameter":
        return ""
    is_kept = path[-2].children[0].type in ("accessibility_modifier", "readonly")
    return class_around(source, path[-1]) if is_kept else ""


def type_of_member(source: SourceText, path: Path) -> str:
    """The type whose member a name declares; empty if it declares none."""
    if source.known_language.name == "go":
        return type_declaring(source, path)
    if len(path) > 4 and path[-2].type == "formal_parameter" and path[-4].type == "record_declaration":
        # A record has a method for each of its components.
        return source.text_of(path[-4].child_by_field_name("name"))
    if is_set_at_first(source, path):
        return class_around(source, path[-1])
    if len(path) < 3 or not any(
        path[-2].type == node and (not field or path[-2].child_by_field_name(field) == path[-1])
        for node, field in MEMBERS
    ):
        return ""
    for number, node in enumerate(reversed(path[:-1])):
        if node.type in BODIES:
            around = path[-3 - number] if number + 3 <= len(path) else None
            return "" if around is None else source.text_of(around.child_by_field_name("name"))
        if number > 2:
            break
    return ""


def is_set_at_first(source: SourceText, path: Path) -> bool:
    """Whether a constructor of JavaScript sets a member there, as in `this.rows = []`."""
    if len(path) < 4 or path[-2].type != "member_expression" or path[-3].type != "assignment_expression":
        return False
    held = path[-2].child_by_field_name("object")
    if held is None or held.type != "this" or path[-3].child_by_field_name("left") != path[-2]:
        return False
    method = next((node for node in reversed(path) if node.type == "method_definition"), None)
    return method is not None and source.text_of(method.child_by_field_name("name")) == "constructor"


def class_around(source: SourceText, node: tree_sitter.Node) -> str:
    """The name of the class whose object `this` is at a place."""
    one: tree_sitter.Node | None = node
    while one is not None:
        if one.type in TYPES or one.type == "class":
            return source.text_of(one.child_by_field_name("name"))
        if one.type in ("function_expression", "function_declaration", "generator_function", "object"):
            return ""
        one = one.parent
    return ""


@lru_cache(maxsize=256)
def bases_declared(source: SourceText, name: str) -> frozenset[str]:
    """The bases of a type of the file."""
    for start in source.places(name):
        path = source.path_to(start)
        around = path[-2] if len(path) > 1 else path[-1]
        if around.type in TYPES and around.child_by_field_name("name") == path[-1]:
            return frozenset(bases_of(source, around))
        if around.type == "type_spec" and around.child_by_field_name("name") == path[-1]:
            return frozenset(embedded_types(source, around))
    return frozenset()


def embedded_types(source: SourceText, spec: tree_sitter.Node) -> Iterator[str]:
    """The types that a struct of Go embeds, whose members it has."""
    kind = spec.child_by_field_name("type")
    listed = kind.named_children[0] if kind is not None and kind.type == "struct_type" else None
    for one in [] if listed is None else listed.named_children:
        if one.type == "field_declaration" and one.child_by_field_name("name") is None:
            said = source.text_of(one.child_by_field_name("type"))
            yield said.lstrip("*").partition("[")[0].rpartition(".")[2]


def superclass_of(source: SourceText, name: str) -> str:
    """The class from which a class of the file is derived."""
    for start in source.places(name):
        path = source.path_to(start)
        around = path[-2] if len(path) > 1 else path[-1]
        body = around.child_by_field_name("body") if around.type in CLASSES else None
        if body is not None and around.child_by_field_name("name") == path[-1]:
            start, stop = source.offset(path[-1].end_byte), source.offset(body.start_byte)
            found = EXTENDS.search(source.text, start, stop)
            return found[1] if found else ""
    return ""


def bases_of(source: SourceText, declaration: tree_sitter.Node) -> set[str]:
    """The bases of a type: the words between its name and its body."""
    name, body = declaration.child_by_field_name("name"), declaration.child_by_field_name("body")
    if name is None or body is None:
        return set()
    return {*WORD.findall(source.text[source.offset(name.end_byte) : source.offset(body.start_byte)])}
