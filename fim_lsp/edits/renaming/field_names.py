"""Renamed fields of data classes: the places that name them by keywords, patterns and strings.

class Order:                     Order(count=1), replace(order, count=2), order._replace(count=3)
    count: int                   order.model_copy(update={"count": 4})
Order = namedtuple("Order", "count")        case Order(count=5): ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.renaming.literal_keys import is_whole, key_of
from fim_lsp.edits.renaming.objects import (
    class_made,
    class_of,
    family,
    family_of,
    is_member_of,
    names_field,
    object_copied,
)
from fim_lsp.edits.renaming.renames import SURE, Rename, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import Occurrence, Scope
from fim_lsp.edits.texts.source import SourceText

# Variables of a class that list members.
LISTING = ("__slots__", "__match_args__")
ENUMERATION = "Enum"
# Functions that take the name of a member as a string.
ASKING = ("getattr", "hasattr", "setattr", "delattr")
# The functions that make a class from strings that name its members.
MAKERS = (
    "namedtuple", "collections.namedtuple", "NamedTuple", "typing.NamedTuple", "Enum", "enum.Enum", "IntEnum",
    "StrEnum", "make_dataclass", "dataclasses.make_dataclass",
)  # fmt: skip


def renamed_field_names(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places that name a field of a class by a keyword, or by a string in a copy's changes."""
    if not is_kept_in_field(rename):
        return
    classes = family(change, rename.owner)
    for one in change.old_names.of(rename.old):
        is_named = names_field(change.old, change.old_names, one, classes.values(), classes)
        if is_named or names_copied_field(change, one, set(classes.values())):
            yield from renamed_place(change, one, rename.old, rename.new, rename.reason, rename.group)


def is_kept_in_field(rename: Rename) -> bool:
    """Whether a name is a field of a class that annotates its fields."""
    around = rename.before.parent
    is_typed = around.type == "assignment" and around.child_by_field_name("type") is not None
    return is_typed and rename.owner is not None and rename.owner[1] == "class_definition"


def names_copied_field(change: FileChange, one: Occurrence, classes: set[str]) -> bool:
    """Whether a string is the key of a field in `order.model_copy(update={"count": 4})`."""
    if one.role != "text" or not key_of(change.old, one):
        return False
    call = next((node for node in reversed(one.path) if node.type == "call"), None)
    of = None if call is None else object_copied(change.old, call)
    if of is None:
        return False
    made = class_made(change.old, change.old_names, one, change.old.text_of(of))
    return made in classes


def renamed_attribute_texts(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places that name a member of a class by a whole string: in its `__slots__`, and for `getattr`."""
    if rename.owner is None or rename.owner[1] != "class_definition":
        return
    yield from attribute_texts(change, rename, family(change, rename.owner), ENUMERATION in change.old.text)


def renamed_texts_there(
    other: FileChange, rename: Rename, classes: Mapping[Scope | None, str], declaring: SourceText
) -> Iterator[Replacement]:
    """The places in another file that name a member of some classes by a whole string."""
    if rename.owner is not None and rename.owner[1] == "class_definition":
        yield from attribute_texts(other, rename, classes, ENUMERATION in declaring.text)


def attribute_texts(
    change: FileChange, rename: Rename, classes: Mapping[Scope | None, str], is_enumeration: bool
) -> Iterator[Replacement]:
    for one in change.old_names.of(rename.old):
        if one.role != "text" or not is_whole(change.old, one):
            continue
        if tells_member(change, one, classes, is_enumeration):
            yield from renamed_place(change, one, rename.old, rename.new, rename.reason, rename.group)


def tells_member(
    change: FileChange, one: Occurrence, classes: Mapping[Scope | None, str], is_enumeration: bool
) -> bool:
    """Whether a whole string names a member of some classes."""
    source = change.old
    statement = next((node for node in reversed(one.path) if node.type == "assignment"), None)
    if statement is not None and source.text_of(statement.child_by_field_name("left")) in LISTING:
        return class_of(one) in classes
    asked = next((node for node in reversed(one.path) if node.type in ("call", "subscript")), None)
    if asked is not None and asked.type == "subscript" and is_enumeration:
        # `Kind["OLD"]` is the member of that name.
        said = source.text_of(asked.child_by_field_name("value"))
        return said.isidentifier() and said in classes.values()
    call = next((node for node in reversed(one.path) if node.type == "call"), None)
    listed = None if call is None else call.child_by_field_name("arguments")
    if call is None or listed is None or source.text_of(call.child_by_field_name("function")) not in ASKING:
        return False
    given = listed.named_children
    if len(given) < 2 or source.span(given[1]) != (one.start - 1, one.stop + 1):
        return False
    said = source.text_of(given[0])
    if said in ("self", "cls"):
        return class_of(one) in classes
    of = change.old_names.at(*source.span(given[0]))
    return said in classes.values() or class_made(source, change.old_names, of, said) in classes.values()


# --- classes that are made from strings ---------------------------------------------------------------------


class MadeClass(NamedTuple):
    """A class that a call makes from strings: its name, and the call."""

    name: str
    call: tree_sitter.Node


def renamed_listed_fields(change: FileChange) -> Iterator[Replacement]:
    """The uses of fields that were changed in the string from which a class is made."""
    is_made = any(maker in change.old.text for maker in MAKERS)
    for replaced in change.replaced if is_made else ():
        for old, new in pairs(replaced):
            before = made_class(change.old, change.old_names.at(*old))
            after = made_class(change.new, change.new_names.at(*new))
            if before is None or after is None or before.name != after.name:
                continue
            names = change.old.text[slice(*old)], change.new.text[slice(*new)]
            classes = family_of(change.old, None, (before.name,))
            said = {before.name, *classes.values()}
            reason = f"the field `{names[0]}` of `{before.name}` is called `{names[1]}` now"
            for one in change.old_names.of(names[0]):
                is_it = is_member_of(change.old, change.old_names, one, said, classes)
                if is_it or names_field(change.old, change.old_names, one, said, classes):
                    yield from renamed_place(change, one, *names, reason, f"field {' '.join(names)}")


def made_class(source: SourceText, one: Occurrence) -> MadeClass | None:
    """The class whose field a string names where the class is made: `Point = namedtuple("Point", "x y")`."""
    at = next((number for number, node in enumerate(one.path) if node.type == "call"), 0)
    if one.role != "text" or not at:
        return None
    call, around = one.path[at], one.path[at - 1]
    listed = call.child_by_field_name("arguments")
    given = [] if listed is None else listed.named_children
    if source.text_of(call.child_by_field_name("function")) not in MAKERS or len(given) < 2:
        return None
    if not given[1].start_byte <= source.byte(one.start) < given[1].end_byte:
        return None
    if around.type == "assignment":
        return MadeClass(source.text_of(around.child_by_field_name("left")), call)
    owner = one.path[at - 2] if around.type == "argument_list" else around
    if owner.type != "class_definition":
        return None
    return MadeClass(source.text_of(owner.child_by_field_name("name")), call)


def renamed_place(
    change: FileChange, one: Occurrence, old: str, new: str, reason: str, group: str
) -> Iterator[Replacement]:
    start = change.to_new(one.start)
    if start is not None and change.new.text[start : start + len(old)] == old:
        yield Replacement(start, start + len(old), new, reason, SURE, group)
