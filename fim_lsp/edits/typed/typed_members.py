"""Renamed members of types in languages other than Python, on objects whose type the file itself states.

    type User struct {                    class User { String mail; ...
        Mail string                           boolean same(User other) { return other.mail ... }
    }                                                                             ^ `other` is a `User`
    func send(user *User) { user.Mail }
    User{Mail: "a"}                       enum Color { Red }       Color.Red

`object_types.py` finds the types of the objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.lent_names import declared_name
from fim_lsp.edits.texts.opposites import is_turned
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.declared_members import (
    bases_declared,
    bases_of,
    is_set_at_first,
    members_called,
    type_keeping,
    type_of_member,
)
from fim_lsp.edits.typed.expected_types import expected_type
from fim_lsp.edits.typed.handed_names import SHORTHAND
from fim_lsp.edits.typed.members import JAVA, JAVASCRIPT, PRIVATE
from fim_lsp.edits.typed.name_spaces import declared_space, has_space, is_one_of_several
from fim_lsp.edits.typed.object_types import type_name_of
from fim_lsp.edits.typed.scoped import SCOPINGS, owner, renamed_declarations
from fim_lsp.edits.typed.typed_patterns import SHORTHANDS, is_in_object_of
from fim_lsp.edits.typed.written_types import bare_name

Path = Sequence[tree_sitter.Node]
BOTH = "both"
# The nodes of Java that name a member behind what has it.
QUALIFIED = ("method_reference", "scoped_type_identifier")
MEMBER_NODES, CALL_NODE = ("field_access", "method_reference"), "method_invocation"
# What declares a name of Java's.
DECLARING = ("variable_declarator", "method_declaration", "formal_parameter", "class_declaration")
ACCESS = JAVASCRIPT.access | JAVA.access | {("selector_expression", "operand", "field")}


class MemberRename(NamedTuple):
    """A member that was changed where it is declared, and its type. `space` is its name space: in Java a
    field and a method may share one name."""

    old: str
    new: str
    declared: str
    space: str


def renamed_member_uses(change: FileChange) -> Iterator[Replacement]:
    for name, now, declared, space in renamed_members(change):
        others = members_called(change.old, now).get(declared, ())
        if any(is_in_space(path, space) for path in others):
            # The type already has a member of that name.
            continue
        reason = f"`{name}` of `{declared}` is called `{now}` now"
        for start in change.old.places(name):
            at = change.to_new(start)
            if at is None or change.new.text[at : at + len(name)] != name:
                continue
            path = change.old.path_to(start)
            if is_in_space(path, space) and is_use_of(change.old, path, declared):
                written = f"{now}: {name}" if path[-1].type in SHORTHANDS else now
                yield Replacement(at, at + len(name), written, reason, SURE, f"rename {name} {now}")


def renamed_embedded_types(change: FileChange) -> Iterator[Replacement]:
    """The fields that a struct of Go has by the name of a type that it embeds."""
    if change.old.known_language.name != "go":
        return
    for name, now, _ in renamed_declarations(change):
        reason = f"`{name}` is called `{now}` now"
        for start in change.old.places(name):
            at, path = change.to_new(start), change.old.path_to(start)
            if at is None or change.new.text[at : at + len(name)] != name:
                continue
            if name in bases_declared(change.old, holder_type(change.old, path)):
                yield Replacement(at, at + len(name), now, reason, SURE, f"rename {name} {now}")


def holder_type(source: SourceText, path: Path) -> str:
    """The type of the struct whose field is named at a place: `user.base`, `User{base: ...}`."""
    around = path[-2] if len(path) > 1 else path[-1]
    if around.type == "selector_expression" and around.child_by_field_name("field") == path[-1]:
        operand = around.child_by_field_name("operand")
        return "" if operand is None else type_name_of(source, operand)
    if len(path) > 4 and path[-3].type == "keyed_element" and path[-3].named_children[:1] == [around]:
        return bare_name(expected_type(source, path[-4]))
    return ""


def renamed_members(change: FileChange) -> Iterator[MemberRename]:
    """Members that were changed where they are declared."""
    if change.old.known_language.name not in SCOPINGS:
        return
    for replaced in change.replaced:
        for old, new in [] if is_turned(change, replaced) else pairs(replaced):
            before = change.old.path_to(old[0])
            is_unclear = before[-1].type == PRIVATE or is_one_of_several(change.old, before)
            declared = "" if is_unclear else type_having(change.old, before)
            if is_set_at_first(change.old, before) and not keeps_value(change, before, new[0]):
                continue
            if declared and type_having(change.new, change.new.path_to(new[0])) == declared:
                names = change.old.text[slice(*old)], change.new.text[slice(*new)]
                is_both = before[-2].type == "formal_parameter"
                yield MemberRename(*names, declared, BOTH if is_both else declared_space(change.old, before))


def keeps_value(change: FileChange, before: Path, place: int) -> bool:
    """Whether a constructor gives a member that was changed there the same value as before."""
    after = change.new.path_to(place)
    if not is_set_at_first(change.new, after):
        return False
    was, now = before[-3].child_by_field_name("right"), after[-3].child_by_field_name("right")
    name, called = change.old.text_of(before[-1]), change.new.text_of(after[-1])
    said = change.old.text_of(was)
    return change.new.text_of(now) in (said, said.replace(name, called))


def type_having(source: SourceText, path: Path) -> str:
    """The type whose member a name declares where it stands, as a parameter that is kept, too."""
    return type_of_member(source, path) or type_keeping(source, path)


def is_in_space(path: Path, space: str) -> bool:
    """Whether a name is in the name space of a member. A component of a record is a field and a method."""
    return space == BOTH or has_space(path, space)


def is_use_of(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a member of an object of a type, or a key of one, as far as the file shows."""
    if is_of(source, path, declared) or is_in_object_of(source, path, declared):
        return True
    return is_inherited(source, path, declared)


def is_inherited(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a bare name of Java is a member that its class has from one of its bases."""
    if source.known_language.name != "java" or len(path) < 2 or path[-1].type != "identifier":
        return False
    around = path[-2]
    is_bare = around.type not in (*MEMBER_NODES, *DECLARING) and (
        around.type != CALL_NODE
        or around.child_by_field_name("name") != path[-1]
        or around.child_by_field_name("object") is None
    )
    holder = next((node for node in reversed(path) if node.type == "class_declaration"), None)
    if not is_bare or holder is None or declared not in bases_of(source, holder):
        return False
    return owner(source, SCOPINGS["java"], source.text_of(path[-1]), path) is None


def is_of(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a member of an object whose type the file states."""
    around = path[-2] if len(path) > 1 else path[-1]
    for node, said, member in ACCESS:
        if around.type == node and around.child_by_field_name(member) == path[-1]:
            value = around.child_by_field_name(said)
            return value is not None and (
                declared_name(source, source.text_of(value)) == declared
                or is_kind_of(source, type_name_of(source, value), declared, source.text_of(path[-1]))
            )
    if around.type in QUALIFIED and around.named_children[-1:] == [path[-1]]:
        value = around.named_children[0]
        said = source.text_of(value)
        return declared in (said, said.rpartition(".")[2], type_name_of(source, value))
    return is_key(source, path, declared) or is_label(source, path, declared)


def is_label(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a label in a Java `switch` over a value of the type."""
    if len(path) < 3 or path[-2].type != "switch_label":
        return False
    around = next((node for node in reversed(path) if node.type.startswith("switch_e")), None)
    asked = None if around is None else around.child_by_field_name("condition")
    inside = asked.named_children[0] if asked is not None and asked.named_children else None
    return inside is not None and declared_name(source, type_name_of(source, inside)) == declared


def is_key(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a key of a literal of the type."""
    if len(path) > 4 and path[-3].type == "keyed_element" and path[-3].named_children[:1] == [path[-2]]:
        return is_type(source, expected_type(source, path[-4]), declared)
    if len(path) > 3 and path[-2].type == "pair" and path[-2].child_by_field_name("key") == path[-1]:
        return is_type(source, expected_type(source, path[-3]), declared)
    return path[-1].type == SHORTHAND and is_type(source, expected_type(source, path[-2]), declared)


def is_type(source: SourceText, said: str, declared: str) -> bool:
    """Whether a written type is the one that was declared by a name."""
    return declared_name(source, bare_name(said)) == declared


def is_kind_of(source: SourceText, name: str, declared: str, member: str) -> bool:
    """Whether a type is another one, or is derived from it and has no overloads of a member, by the file."""
    if not name or declared_name(source, name) == declared:
        return bool(name)
    n_most = 0 if source.known_language.name == "go" else 1
    n_own = len(members_called(source, member).get(name, ()))
    return declared in bases_declared(source, name) and n_own <= n_most
