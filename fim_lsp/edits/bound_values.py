"""The values of a variable, and which value a place uses if one `if` assigns several.

def values(value):
    if isinstance(value, str):
        found = [value]            the user wrote `found` here: the target below becomes `found`, too,
    else:                          but `value` in `list(value)` is still the parameter
        value = list(value)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import tree_sitter

from fim_lsp.edits.change import FileChange
from fim_lsp.edits.names import BINDING, Occurrence

BRANCHED = ("if_statement", "match_statement")


def keeps_its_value(variable: Sequence[Occurrence], bound: Occurrence, use: Occurrence) -> bool:
    """Whether a use takes an older value than a binding gives: the use stands in another branch, and nothing
    in that branch binds the variable before it. `variable` are all places of the variable."""
    if use.role in BINDING or not any(one.role in BINDING and one.start < bound.start for one in variable):
        return False
    branch = other_branch(bound, use)
    return branch is not None and not any(
        one.role in BINDING
        and branch.start_byte <= one.path[-1].start_byte
        and statement_end(one) <= use.path[-1].start_byte
        for one in variable
    )


def other_branch(bound: Occurrence, use: Occurrence) -> tree_sitter.Node | None:
    """The branch of a use, if a binding stands in another branch of the same statement."""
    for one, other, around in zip(bound.path[1:], use.path[1:], use.path, strict=False):
        if one != other:
            return other if around.type in BRANCHED and bound.start < use.start else None
    return None


def statement_end(one: Occurrence) -> int:
    """The end of a name's statement; if the statement has a block, the end of its header."""
    for inner, around in zip(reversed(one.path), reversed(one.path[:-1]), strict=False):
        if around.type in ("block", "module"):
            body = inner.child_by_field_name("body")
            return inner.end_byte if body is None else body.start_byte
    return one.path[-1].end_byte


def keeps_value(change: FileChange, before: Occurrence, after: Occurrence) -> bool:
    """Whether a name is still assigned the same value, apart from the name itself; without an assignment
    that holds. `self.rows = {}` to `self.is_full = False` is another attribute."""
    was, now = value_given(before), value_given(after)
    if was is None or now is None:
        return True
    old, new = change.old.text_of(was), change.new.text_of(now)
    name, called = change.old.text[before.start : before.stop], change.new.text[after.start : after.stop]
    return old == new or called in new or re.sub(rf"\b{re.escape(name)}\b", called, old) == new


def value_given(one: Occurrence) -> tree_sitter.Node | None:
    """The value that a name is assigned."""
    around = one.path[-3] if one.role == "attribute" and len(one.path) > 2 else one.parent
    return around.child_by_field_name("right") if around.type == "assignment" else None


def is_set(one: Occurrence) -> bool:
    """Whether an attribute is assigned at its place."""
    attribute = one.parent
    around = one.path[-3] if len(one.path) > 2 else None
    return (
        around is not None
        and around.type in ("assignment", "augmented_assignment")
        and around.child_by_field_name("left") == attribute
    )
