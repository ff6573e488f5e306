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

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.names import BINDING, Occurrence

LOOPS = ("for_statement", "while_statement")
BRANCHED = ("if_statement", "match_statement")
# Several targets and several values of one assignment.
UNPACKING, PACKED = ("pattern_list", "tuple_pattern", "list_pattern"), ("expression_list", "tuple", "list")
CLAUSES = ("except_clause", "except_group_clause", "case_clause")


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


def is_of_another_clause(variable: Sequence[Occurrence], bound: Occurrence, place: Occurrence) -> bool:
    """Whether a place is outside of the clause for which a binding holds: the name that `except` binds is
    gone behind it, and the one in a `case` is its own, unless something behind all of them uses it."""
    clause = clause_of(bound)
    if clause is None:
        return False
    if clause in place.path:
        inner = place.path[place.path.index(clause) + 1 :]
        return any((other := clause_of(one)) is not None and other in inner for one in variable)
    if clause.type != "case_clause":
        return True
    matched = bound.path[bound.path.index(clause) - 2]
    return not any(one.role == "use" and one.path[-1].start_byte >= matched.end_byte for one in variable)


def clause_of(bound: Occurrence) -> tree_sitter.Node | None:
    """The clause in whose header a name is bound."""
    around = next((node for node in reversed(bound.path) if node.type in (*CLAUSES, "block")), None)
    return around if around is not None and around.type in CLAUSES else None


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
        return is_said_the_same(change, before, after)
    old, new = change.old.text_of(was), change.new.text_of(now)
    name, called = change.old.text[before.start : before.stop], change.new.text[after.start : after.stop]
    if old == new:
        return True
    plain, called = name.strip("_"), called.strip("_")
    as_word = re.sub(rf"\b{re.escape(plain)}\b", lambda _: called, old)
    return bool(plain) and new in (old.replace(plain, called), as_word)


def is_said_the_same(change: FileChange, before: Occurrence, after: Occurrence) -> bool:
    """Whether the declared kind of a name has stayed: its type, or the number of a function's parameters."""
    was, now = before.parent, after.parent
    if before.role == "function":
        return n_parameters(was) == n_parameters(now)
    if was.type != "assignment" or now.type != "assignment":
        return True
    types = was.child_by_field_name("type"), now.child_by_field_name("type")
    return None in types or change.old.text_of(types[0]) == change.new.text_of(types[1])


def n_parameters(function: tree_sitter.Node) -> int:
    listed = function.child_by_field_name("parameters")
    return 0 if listed is None else sum(child.type != "comment" for child in listed.named_children)


def is_made_of(variable: Sequence[Occurrence], bound: Occurrence, use: Occurrence) -> bool:
    """Whether a use is in the value that a binding gives to a variable which had another value before: the
    old value keeps its name there, as `path` in `whole = join(folder, path)`. In a loop it may be the new
    one."""
    value = value_given(bound)
    if value is None or any(node.type in LOOPS for node in bound.path):
        return False
    is_inside = value.start_byte <= use.path[-1].start_byte < value.end_byte
    return is_inside and any(one.role in BINDING and one.start < bound.start for one in variable)


def keeps_kind(before: Occurrence, after: Occurrence) -> bool:
    """Whether a name's new value is of the same kind as its old one: `self._changed = {}` to
    `self._is_changed = False` is another attribute."""
    was, now = value_given(before), value_given(after)
    return was is None or now is None or was.type == now.type


def value_given(one: Occurrence) -> tree_sitter.Node | None:
    """The value that a name is assigned, also as one of several: `build(row)` for `data` in
    `first, data = 1, build(row)`."""
    at = assignment_at(one)
    value = one.path[at].child_by_field_name("right") if at else None
    for around, inner in zip(one.path[at + 1 :], one.path[at + 2 :], strict=False):
        if around.type not in UNPACKING or value is None:
            break
        targets, values = around.named_children, value.named_children
        is_each = value.type in PACKED and len(targets) == len(values)
        if not is_each or any("splat" in node.type for node in (*targets, *values)):
            return None
        value = values[targets.index(inner)]
    return value


def assignment_at(one: Occurrence) -> int:
    """Where on the way down to a name the assignment is that gives it a value; 0 if none does."""
    at = len(one.path) - (3 if one.role == "attribute" else 2)
    while at > 0 and one.path[at].type in UNPACKING:
        at -= 1
    is_left = at > 0 and one.path[at].child_by_field_name("left") == one.path[at + 1]
    return at if is_left and one.path[at].type == "assignment" else 0


def is_set(one: Occurrence) -> bool:
    """Whether an attribute is assigned at its place."""
    attribute = one.parent
    around = one.path[-3] if len(one.path) > 2 else None
    return (
        around is not None
        and around.type in ("assignment", "augmented_assignment")
        and around.child_by_field_name("left") == attribute
    )
