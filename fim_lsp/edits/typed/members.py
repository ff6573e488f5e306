"""Renamed members of classes in languages other than Python: their own class's uses by `this`, in Go by the
receiver, follow.

    add(item) { ... }                   put(item) { ... }
    twice(item) { this.add(item) }      twice(item) { this.add(item) }
                                                           ^ `put` now

Members of other objects are left alone, since their class is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.scoped import is_one_of_several, name_space

Path = Sequence[tree_sitter.Node]


@dataclass(frozen=True, slots=True)
class Membership:
    """A language's nodes: declarations of members, bodies of classes, and nodes with another `this`."""

    declaring: frozenset[tuple[str, str]]
    bodies: frozenset[str]
    others: frozenset[str]
    # The nodes that access a member, with the fields of the object and the member.
    access: frozenset[tuple[str, str, str]]


JAVASCRIPT = Membership(
    frozenset(
        {
            ("method_definition", "name"),
            ("field_definition", "property"),
            ("public_field_definition", "name"),
        }
    ),
    frozenset({"class_body"}),
    frozenset({"function_expression", "function_declaration", "generator_function", "object"}),
    frozenset({("member_expression", "object", "property")}),
)
JAVA = Membership(
    frozenset({("method_declaration", "name"), ("variable_declarator", "name")}),
    frozenset({"class_body", "enum_body_declarations"}),
    frozenset({"object_creation_expression"}),
    frozenset({("field_access", "object", "field"), ("method_invocation", "object", "name")}),
)
MEMBERSHIPS = {
    "javascript": JAVASCRIPT,
    "javascriptreact": JAVASCRIPT,
    "typescript": JAVASCRIPT,
    "typescriptreact": JAVASCRIPT,
    "java": JAVA,
}


def renamed_calls(change: FileChange) -> Iterator[Replacement]:
    """The uses of renamed members in their own class."""
    is_go = change.old.known_language.name == "go"
    membership = MEMBERSHIPS.get(change.old.known_language.name)
    if membership is None and not is_go:
        return
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            before, after = change.old.path_to(old[0]), change.new.path_to(new[0])
            names = change.old.text[old[0] : old[1]], change.new.text[new[0] : new[1]]
            if is_one_of_several(change.old, before):
                continue
            if membership is not None:
                places = own_places(change.old, membership, names, before, after)
            else:
                places = received_members(change.old, names, before, after)
            for start in places:
                at = change.to_new(start)
                if at is not None and change.new.text[at : at + len(names[0])] == names[0]:
                    reason = f"`{names[0]}` is called `{names[1]}` now"
                    yield Replacement(
                        at, at + len(names[0]), names[1], reason, SURE, f"rename {' '.join(names)}"
                    )


def own_places(
    source: SourceText, membership: Membership, names: tuple[str, str], before: Path, after: Path
) -> Iterator[int]:
    """The places of a member behind `this` in the class that declares it."""
    body = body_declaring(membership, before)
    if body is None or body_declaring(membership, after) is None:
        return
    for start in source.places(names[1]):
        path = source.path_to(start)
        if body_declaring(membership, path) == body and name_space(path) == name_space(before):
            # It has a member of that name already.
            return
    for start in source.places(names[0]):
        path = source.path_to(start)
        is_own = is_of_this(membership, path) and body_around(membership, path) == body
        if is_own and name_space(path) == name_space(before):
            yield start


def body_declaring(membership: Membership, path: Path) -> tree_sitter.Node | None:
    """The body of the class whose member a name declares."""
    if len(path) < 3 or not any(
        path[-2].type == node and path[-2].child_by_field_name(field) == path[-1]
        for node, field in membership.declaring
    ):
        return None
    around = path[-4:-2] if path[-3].type == "field_declaration" else path[-3:-2]
    return around[0] if around and around[0].type in membership.bodies else None


def is_of_this(membership: Membership, path: Path) -> bool:
    around = path[-2]
    for node, field, member in membership.access:
        if around.type == node and around.child_by_field_name(member) == path[-1]:
            said = around.child_by_field_name(field)
            return said is not None and said.type == "this"
    return False


def body_around(membership: Membership, path: Path) -> tree_sitter.Node | None:
    """The body of the class that `this` means at a place."""
    for node in reversed(path):
        if node.type in membership.bodies:
            return node
        if node.type in membership.others:
            return None
    return None


# --- Go ----------------------------------------------------------------------------------------------------


def received_members(source: SourceText, names: tuple[str, str], before: Path, after: Path) -> Iterator[int]:
    """The places of a method or field behind the receiver in the methods of its type."""
    owner = type_declaring(source, before)
    if not owner or after[-1].type != before[-1].type:
        return
    if any(type_declaring(source, source.path_to(start)) == owner for start in source.places(names[1])):
        return
    for start in source.places(names[0]):
        path = source.path_to(start)
        around = path[-2]
        if around.type != "selector_expression" or around.child_by_field_name("field") != path[-1]:
            continue
        method = next((node for node in reversed(path) if node.type == "method_declaration"), None)
        said = source.text_of(around.child_by_field_name("operand"))
        if method is not None and receiver_of(source, method) == (said, owner):
            yield start


def type_declaring(source: SourceText, path: Path) -> str:
    """The type whose method or field a name declares."""
    if len(path) > 1 and path[-2].type == "method_declaration" and path[-1].type == "field_identifier":
        return receiver_of(source, path[-2])[1]
    if len(path) > 3 and path[-2].type == "method_elem" and path[-4].type == "type_spec":
        return source.text_of(path[-4].child_by_field_name("name"))
    if len(path) > 4 and path[-2].type == "field_declaration" and path[-1].type == "field_identifier":
        spec = path[-5]
        return source.text_of(spec.child_by_field_name("name")) if spec.type == "type_spec" else ""
    return ""


def receiver_of(source: SourceText, method: tree_sitter.Node) -> tuple[str, str]:
    """The name and the type of a method's receiver."""
    listed = method.child_by_field_name("receiver")
    one = listed.named_children[0] if listed is not None and listed.named_children else None
    if one is None:
        return "", ""
    name = source.text_of(one.child_by_field_name("name"))
    return name, source.text_of(one.child_by_field_name("type")).lstrip("*").partition("[")[0]
