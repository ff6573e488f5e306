"""Renamed members in files that import the class, if an object is proven to be of that class.

shop/cart.py    -    def add(self, item):     +    def put(self, item):
shop/till.py     from shop.cart import Cart
                 cart = Cart()
                 cart.add("apple")            `put` now
                 class Basket(Cart):
                     def add(self, item):     `put` now
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from fim_lsp.edits.renaming.field_names import is_kept_in_field
from fim_lsp.edits.renaming.objects import family_of, is_member_of, names_field
from fim_lsp.edits.renaming.renames import SURE, Rename
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import Occurrence, Scope


def class_name(change: FileChange, scope: Scope | None) -> str:
    """The name of the class of a scope in the old text; empty for a nested class."""
    for node in change.old.root.named_children:
        inner = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
        if inner is not None and (inner.start_byte, inner.type) == scope:
            return change.old.text_of(inner.child_by_field_name("name"))
    return ""


def renamed_there(other: FileChange, rename: Rename, classes: Collection[str]) -> Iterator[Replacement]:
    """The places of a renamed member in another file. `classes` are that file's names for the class."""
    if not classes:
        return
    made_of_it = family_of(other.old, None, classes)
    names = {*classes, *made_of_it.values()}
    for one in other.old_names.of(rename.old):
        start = other.to_new(one.start)
        if start is None or other.new.text[start : start + len(rename.old)] != rename.old:
            continue
        is_override = one.role == rename.role and one.scopes[0] in made_of_it
        is_it = is_override or is_of(other, one, names, made_of_it)
        if is_it or is_field(other, one, rename, names, made_of_it):
            yield Replacement(start, start + len(rename.old), rename.new, rename.reason, SURE, rename.group)


def is_of(
    other: FileChange, one: Occurrence, names: Collection[str], made_of_it: Mapping[Scope | None, str]
) -> bool:
    """Whether an attribute is one of something that is proven to be of the class."""
    return is_member_of(other.old, other.old_names, one, names, made_of_it)


def is_field(
    other: FileChange,
    one: Occurrence,
    rename: Rename,
    names: Collection[str],
    made_of_it: Mapping[Scope | None, str],
) -> bool:
    """Whether a keyword is a field of the class."""
    return is_kept_in_field(rename) and names_field(other.old, other.old_names, one, names, made_of_it)
