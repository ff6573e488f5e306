"""Renamed members of classes in languages other than Python: their own class's uses by `this`, in Go by the
receiver, follow.

    add(item) { ... }                   put(item) { ... }
    twice(item) { this.add(item) }      twice(item) { this.add(item) }
                                                           ^ `put` now

So do those of keys of an object literal in its own methods. Members of other objects are left alone, since
their class is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, pairs
from fim_lsp.edits.texts.change import FileChange, Replaced
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.name_spaces import declared_space, has_space, is_one_of_several
from fim_lsp.known_languages import JAVASCRIPT as SCRIPT

Path = Sequence[tree_sitter.Node]
OBJECT, METHOD, PRIVATE = "object", "method_definition", "private_property_identifier"
ACCESSORS = {"get", "set"}
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Membership:
    """A language's nodes: declarations of members, bodies of classes and objects, and nodes with another
    `this`."""

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
            ("pair", "key"),
        }
    ),
    frozenset({"class_body", OBJECT}),
    frozenset(
        {
            "function_expression",
            "function_declaration",
            "generator_function",
            "generator_function_declaration",
        }
    ),
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
        for old, new in [*private_pairs(change, replaced)] or pairs(replaced):
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


def private_pairs(change: FileChange, replaced: Replaced) -> Iterator[tuple[Span, Span]]:
    """The old and the new name of a member of JavaScript, one of which begins with `#`."""
    if change.old.known_language.family != SCRIPT.family:
        return
    old, new = name_at(change.old, replaced.old_start), name_at(change.new, replaced.new_start)
    if old is not None and new is not None and PRIVATE in (old.type, new.type):
        spans = change.old.span(old), change.new.span(new)
        if change.old.text[slice(*spans[0])] != change.new.text[slice(*spans[1])]:
            yield spans


def own_renames(change: FileChange) -> Iterator[tuple[str, str]]:
    """The old and new words, with a dot in front of them and without, of private members and of keys of an
    object that has methods: such an object is no row of data, of which there may be others."""
    for replaced in change.replaced if change.old.known_language.family == SCRIPT.family else ():
        for old, new in private_pairs(change, replaced):
            names = change.old.text[slice(*old)], change.new.text[slice(*new)]
            for dot in ("", "."):
                yield dot + names[0], dot + names[1]
        for old, new in pairs(replaced):
            body = body_declaring(JAVASCRIPT, change.old.path_to(old[0]))
            members = body.named_children if body is not None and body.type == OBJECT else []
            if any(is_method(one) for one in members):
                yield change.old.text[slice(*old)], change.new.text[slice(*new)]


def is_method(member: tree_sitter.Node) -> bool:
    value = member.child_by_field_name("value") if member.type == "pair" else member
    return value is not None and value.child_by_field_name("body") is not None


def name_at(source: SourceText, offset: int) -> tree_sitter.Node | None:
    """The member's name behind the blanks at a place, if a class declares it there."""
    stop = len(source.text)
    offset = next((at for at in range(offset, stop) if not source.text[at].isspace()), stop)
    path = source.path_to(offset)
    return path[-1] if body_declaring(JAVASCRIPT, path) is not None else None


def own_places(
    source: SourceText, membership: Membership, names: tuple[str, str], before: Path, after: Path
) -> Iterator[int]:
    """The places of a member behind `this` in the class that declares it."""
    body = body_declaring(membership, before)
    if body is None or body_declaring(membership, after) is None:
        return
    space = declared_space(source, before)
    for path in paths_of(source, names[1]):
        if body_declaring(membership, path) == body and has_space(path, space):
            # It has a member of that name already.
            return
    for path in paths_of(source, names[0]):
        is_own = is_of_this(membership, path) and body_around(membership, path) == body
        is_other = body_declaring(membership, path) == body and is_other_accessor(before, path)
        if (is_own or is_other) and has_space(path, space):
            yield source.span(path[-1])[0]


def paths_of(source: SourceText, name: str) -> Iterator[Path]:
    """The paths to the places of a member's whole name, with its `#` if it has one."""
    for start in source.places(name.lstrip("#")):
        path = source.path_to(start)
        if (path[-1].type == PRIVATE) == name.startswith("#"):
            yield path


def is_other_accessor(before: Path, path: Path) -> bool:
    """Whether a name is that of the setter beside a getter, or of the getter beside a setter."""
    one, other = ({child.type for child in of[-2].children if not child.is_named} for of in (before, path))
    return before[-2].type == path[-2].type == METHOD and one ^ other == ACCESSORS


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
    """The body of the class, or the object literal, that `this` means at a place."""
    for at in range(len(path) - 1, 1, -1):
        node, around = path[at], path[at - 1]
        if node.type in membership.bodies and node.type != OBJECT:
            return node
        if node.type == METHOD and around.type == OBJECT:
            return around
        if node.type in membership.others:
            return path[at - 2] if around.type == "pair" else None
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
