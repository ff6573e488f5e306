"""Renamed members of types in languages other than Python, on objects whose type the file itself states.

    type User struct {                    class User { String mail; ...
        Mail string                           boolean same(User other) { return other.mail ... }
    }                                                                             ^ `other` is a `User`
    func send(user *User) { user.Mail }
    User{Mail: "a"}                       enum Color { Red }       Color.Red

A variable counts if its own scope declares its type. The types of returned values are not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.change import FileChange
from fim_lsp.edits.edit import Replacement
from fim_lsp.edits.members import JAVA, JAVASCRIPT, type_declaring
from fim_lsp.edits.renames import SURE, pairs
from fim_lsp.edits.scoped import SCOPINGS, is_declared, is_one_of_several, owner, scope_of
from fim_lsp.edits.source import SourceText
from fim_lsp.edits.typed_patterns import SHORTHANDS, is_in_object_of

Path = Sequence[tree_sitter.Node]
# The bodies of types, and the nodes in front of them that have the type's name.
BODIES = ("class_body", "interface_body", "object_type", "enum_body", "enum_body_declarations")
MEMBERS = {
    ("method_definition", "name"), ("field_definition", "property"), ("public_field_definition", "name"),
    ("property_signature", "name"), ("method_signature", "name"), ("enum_assignment", "name"),
    ("method_declaration", "name"), ("variable_declarator", "name"), ("enum_constant", "name"),
    ("enum_body", ""),
}  # fmt: skip
ACCESS = JAVASCRIPT.access | JAVA.access | {("selector_expression", "operand", "field")}
# `*User`, `User | null`, `User<T>`, `: User` count as users.
BARE = re.compile(r"^[:*&\s]*([^\W\d]\w*)(?:<.*>)?(?:\s*\|\s*(?:null|undefined))*$")
MADE = re.compile(r"^(?:&|new\s+)?([^\W\d]\w*)(?:<.*>)?\s*[({]")


def renamed_member_uses(change: FileChange) -> Iterator[Replacement]:
    for name, now, declared in renamed_members(change):
        places = change.old.places(now)
        if any(type_of_member(change.old, change.old.path_to(start)) == declared for start in places):
            # The type already has a member of that name.
            continue
        reason = f"`{name}` of `{declared}` is called `{now}` now"
        for start in change.old.places(name):
            at = change.to_new(start)
            if at is None or change.new.text[at : at + len(name)] != name:
                continue
            path = change.old.path_to(start)
            if is_of(change.old, path, declared) or is_in_object_of(change.old, path, declared):
                written = f"{now}: {name}" if path[-1].type in SHORTHANDS else now
                yield Replacement(at, at + len(name), written, reason, SURE, f"rename {name} {now}")


def renamed_members(change: FileChange) -> Iterator[tuple[str, str, str]]:
    """Renamed declarations of members: the old name, the new name and the type."""
    if change.old.known_language.name not in SCOPINGS:
        return
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            before = change.old.path_to(old[0])
            declared = "" if is_one_of_several(change.old, before) else type_of_member(change.old, before)
            if declared and type_of_member(change.new, change.new.path_to(new[0])) == declared:
                yield change.old.text[slice(*old)], change.new.text[slice(*new)], declared


def type_of_member(source: SourceText, path: Path) -> str:
    """The type whose member a place declares; empty elsewhere."""
    if source.known_language.name == "go":
        return type_declaring(source, path)
    if len(path) > 4 and path[-2].type == "formal_parameter" and path[-4].type == "record_declaration":
        # A record has a method for each of its components, with the same name.
        return source.text_of(path[-4].child_by_field_name("name"))
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


def is_of(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a member of an object whose type the file states."""
    around = path[-2] if len(path) > 1 else path[-1]
    for node, said, member in ACCESS:
        if around.type == node and around.child_by_field_name(member) == path[-1]:
            value = around.child_by_field_name(said)
            return value is not None and (
                source.text_of(value) == declared or type_said(source, value) == declared
            )
    return is_key(source, path, declared) or is_label(source, path, declared)


def is_label(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a label in a Java `switch` over a value of the type."""
    if len(path) < 3 or path[-2].type != "switch_label":
        return False
    around = next((node for node in reversed(path) if node.type.startswith("switch_e")), None)
    asked = None if around is None else around.child_by_field_name("condition")
    inside = asked.named_children[0] if asked is not None and asked.named_children else None
    return inside is not None and type_said(source, inside) == declared


def is_key(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a key of a literal of the type."""
    if len(path) > 4 and path[-3].type == "keyed_element" and path[-3].named_children[:1] == [path[-2]]:
        literal = path[-5]
        return (
            literal.type == "composite_literal"
            and bare(source, literal.child_by_field_name("type")) == declared
        )
    if len(path) > 3 and path[-2].type == "pair" and path[-2].child_by_field_name("key") == path[-1]:
        around = path[-4]
        return (
            around.type == "variable_declarator"
            and bare(source, around.child_by_field_name("type")) == declared
        )
    return False


def bare(source: SourceText, node: tree_sitter.Node | None) -> str:
    found = BARE.match(source.text_of(node))
    return found[1] if found else ""


def type_said(source: SourceText, value: tree_sitter.Node) -> str:
    """The type in a variable's declaration."""
    if value.type != "identifier":
        made = (
            MADE.match(source.text_of(value))
            if value.type in ("new_expression", "object_creation_expression")
            else None
        )
        return made[1] if made else ""
    scoping, name = SCOPINGS[source.known_language.name], source.text_of(value)
    mine = owner(source, scoping, name, source.path_to(source.span(value)[0]))
    found = set()
    for start in source.places(name) if mine is not None else ():
        path = source.path_to(start)
        if is_declared(scoping, path):
            scope = scope_of(scoping, path)
            if (scope.start_byte, scope.end_byte) == mine:
                found.add(type_declared(source, path))
    return next(iter(found)) if len(found) == 1 else ""


def type_declared(source: SourceText, path: Path) -> str:
    """The type of a variable by its declaration: the stated type, or the class that it constructs."""
    for node in reversed(path[-4:-1]):
        said = node.child_by_field_name("type")
        if said is not None and source.text_of(said) != "var":
            return bare(source, said)
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if value is not None:
            made = MADE.match(source.text_of(value))
            is_one = value.type != "expression_list" or len(value.named_children) == 1
            is_made = source.text_of(value).startswith(("new ", "&")) or "literal" in inner(value).type
            return made[1] if made and is_one and is_made else ""
    return ""


def inner(node: tree_sitter.Node) -> tree_sitter.Node:
    return node.named_children[0] if node.type == "expression_list" and node.named_children else node
