"""Renames in Python: a name was changed at its binding, and its other places follow.

    def area(width):         ->      def area(breadth):
        return width ** 2                return width ** 2
                                                ^ was that parameter, so it is `breadth` now

The old text shows to which variable a place belongs; the new text, that the new name means it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import tree_sitter

from fim_lsp.edits.renaming.bound_values import (
    is_made_of,
    is_of_another_clause,
    is_set,
    keeps_its_value,
    keeps_kind,
    keeps_value,
)
from fim_lsp.edits.renaming.objects import class_of, family, is_member_of, object_in_front
from fim_lsp.edits.renaming.only_imports import is_only_import
from fim_lsp.edits.texts.change import FileChange, Replaced
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING, FUNCTIONS, LOOPED, MODULE, Occurrence, Role, Scope
from fim_lsp.edits.texts.opposites import is_turned
from fim_lsp.edits.texts.source import SourceText

NAME = re.compile(r"[^\W\d]\w*")
WORDS: dict[str, str] = {
    "parameter": "parameter",
    "function": "function",
    "class": "class",
    "import": "import",
    "bind": "variable",
    "augment": "variable",
    "attribute": "attribute",
}
# The probability that a user who renames something wants its other places renamed.
SURE, LIKELY, PERHAPS = 0.97, 0.85, 0.45
# The probability if an imported name replaces another, and one name contains the other.
PARTLY = 0.7
# The least similarity of a name and its successor.
LEAST_ALIKE = 0.6
# A larger changed run of lines counts as new text.
MOST_LINES = 3


@dataclass(frozen=True, slots=True)
class Rename:
    """A renamed binding."""

    role: Role
    old: str
    new: str
    # Its binding in the old text and in the new one.
    before: Occurrence
    after: Occurrence
    owner: Scope | None

    @property
    def reason(self) -> str:
        return f"the {self.word} `{self.old}` is called `{self.new}` now"

    @property
    def word(self) -> str:
        """The word for the user: a member of a class is called neither a function nor a variable."""
        if self.owner is not None and self.owner[1] == "class_definition":
            return {"function": "method", "bind": "attribute"}.get(self.role, WORDS[self.role])
        return WORDS[self.role]

    @property
    def group(self) -> str:
        return f"rename {self.old} {self.new} {self.owner}"


def renames(change: FileChange) -> list[Rename]:
    """The renames of a change, each variable once."""
    found: dict[tuple[str, str, Scope | None, bool], Rename] = {}
    for replaced in change.replaced:
        if is_turned(change, replaced):
            continue
        for old, new in pairs(replaced):
            one = rename_at(change, old, new)
            if one is not None and is_meant(change, replaced, one):
                found.setdefault((one.old, one.new, one.owner, one.role == "attribute"), one)
    return [*found.values()]


def is_meant(change: FileChange, replaced: Replaced, rename: Rename) -> bool:
    """Whether a name is the successor of another. In a large rewrite something else may have replaced it, so
    there the names must be alike."""
    hunk = change.hunks[replaced.hunk]
    n_old, n_new = hunk.old_last - hunk.old_first, hunk.new_last - hunk.new_first
    is_small = n_old == n_new and n_old <= MOST_LINES
    return (is_small and keeps_value(change, rename.before, rename.after)) or (
        are_alike(rename.old, rename.new) and keeps_kind(rename.before, rename.after)
    )


def pairs(replaced: Replaced) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of old and new names, one for one and in order, if all else is the same."""
    old = [*NAME.finditer(replaced.old)]
    new = [*NAME.finditer(replaced.new)]
    if len(old) != len(new) or NAME.sub("_", replaced.old) != NAME.sub("_", replaced.new):
        return
    for one, other in zip(old, new, strict=True):
        if one[0] != other[0]:
            yield (
                (replaced.old_start + one.start(), replaced.old_start + one.end()),
                (replaced.new_start + other.start(), replaced.new_start + other.end()),
            )


def rename_at(change: FileChange, old: tuple[int, int], new: tuple[int, int]) -> Rename | None:
    """The rename of one name to another; None if the names bind nothing."""
    before, after = change.old_names.at(*old), change.new_names.at(*new)
    if before.role != after.role:
        return None
    names = change.old.text[before.start : before.stop], change.new.text[after.start : after.stop]
    if before.role == "attribute" and is_set(before) and is_set(after) and is_own(change.old, before):
        return Rename("attribute", *names, before, after, class_of(before))
    if before.role not in BINDING or (before.role == "augment" and is_bound_elsewhere(change, before)):
        return None
    owner = change.old_names.owner(before)
    return Rename(before.role, *names, before, after, owner)


def is_bound_elsewhere(change: FileChange, augmented: Occurrence) -> bool:
    """Whether the variable that `total += 1` adds to is still bound by its old name: then that is where a
    rename would begin."""
    name = change.old.text[augmented.start : augmented.stop]
    bound = [
        one
        for one in change.old_names.variable(name, change.old_names.owner(augmented))
        if one.role in BINDING and one.role != "augment"
    ]
    places = (change.to_new(one.start) for one in bound)
    return any(at is not None and change.new.text[at : at + len(name)] == name for at in places)


def is_own(source: SourceText, one: Occurrence) -> bool:
    """Whether an attribute belongs to `self` in a method."""
    said = source.text_of(one.parent.child_by_field_name("object"))
    return said in ("self", "cls") and class_of(one) is not None


# --- variables -------------------------------------------------------------------------------------------


def variables(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places of a renamed variable, as far as its value reaches."""
    if is_rebound_by_others(change, rename) or rename.owner in change.old_names.binding_scopes(rename.new):
        return
    sure = SURE
    if rename.role == "import":
        sure = import_certainty(change, rename)
        if is_bound_still(change, rename):
            return
    until, found = reach(change, rename), change.old_names.variable(rename.old, rename.owner)
    kept_from = kept_by_hand(change, rename, found)
    for one in found:
        if one.start >= kept_from:
            continue
        start = change.to_new(one.start)
        # A use may also stand in front of the binding of a parameter, function or class.
        is_anywhere = rename.role in ("function", "class", "import", "parameter") or (
            rename.owner is not None and rename.owner[1] in LOOPED
        )
        is_anywhere = is_anywhere or is_asked_later(change, rename, one)
        if start is None or not (is_anywhere or rename.before.start < one.start < until):
            continue
        if one.role == "import" and rename.role != "import":
            continue
        if rename.role == "bind" and (
            keeps_its_value(found, rename.before, one)
            or is_made_of(found, rename.before, one)
            or is_of_another_clause(found, rename.before, one)
        ):
            continue
        stop = start + len(rename.old)
        if change.new.text[start:stop] != rename.old or not is_free(change, rename, start):
            continue
        yield Replacement(start, stop, rename.new, rename.reason, sure, rename.group)


def kept_by_hand(change: FileChange, rename: Rename, found: Sequence[Occurrence]) -> int:
    """The first place at which the user has changed the uses in a statement that binds the name anew, and
    has left the name itself: `rows = parse(text)` where `rows` was the parameter that is `text` now."""
    for one in found:
        is_assigned = one.role == "bind" and one.parent.type == "assignment"
        at = change.to_new(one.start) if is_assigned else None
        if at is None or not change.new.text.startswith(rename.old, at):
            continue
        start, stop = change.old.span(statement_of(one))
        used = [other for other in found if other.role == "use" and start <= other.start < stop]
        if used and all(change.to_new(other.start) is None for other in used):
            return one.start
    return len(change.old.text)


def is_asked_later(change: FileChange, rename: Rename, one: Occurrence) -> bool:
    """Whether a place is in a function, which reads the file's variable, bound once, when it runs."""
    is_inside = any(scope[1] in FUNCTIONS for scope in one.scopes)
    found = change.old_names.variable(rename.old, rename.owner)
    return rename.owner == MODULE and is_inside and sum(other.role in BINDING for other in found) == 1


def are_alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= LEAST_ALIKE


def import_certainty(change: FileChange, rename: Rename) -> float:
    """The probability that the new import is the old one under a new name."""
    before, after = statement_of(rename.before), statement_of(rename.after)
    module = change.old.text_of(before.child_by_field_name("module_name"))
    is_from_the_same = module == change.new.text_of(after.child_by_field_name("module_name"))
    is_followed = any(
        (one.old, one.new) == (rename.old, rename.new) and one.old_start != rename.before.start
        for one in change.replaced
    )
    is_sure = is_followed or (is_from_the_same and are_alike(rename.old, rename.new))
    if is_sure or (is_from_the_same and is_only_import(change, rename.old, rename.new, module)):
        return LIKELY
    return PARTLY if rename.old in rename.new or rename.new in rename.old else 0.0


def is_bound_still(change: FileChange, rename: Rename) -> bool:
    """Whether the new text still binds the old name."""
    return MODULE in change.new_names.binding_scopes(rename.old)


def is_rebound_by_others(change: FileChange, rename: Rename) -> bool:
    """Whether something new binds the old name in the same scope: then its meaning is not known."""
    for one in change.new_names.of(rename.old):
        if one.role in BINDING and change.to_old(one.start) is None:
            scope = change.new_names.owner(one)
            if scope is not None and scope[1] == (rename.owner or MODULE)[1] and one.role == rename.role:
                return True
    return False


def reach(change: FileChange, rename: Rename) -> int:
    """The end of a value's reach: the first later statement, not in a deeper block, that assigns the variable
    again."""
    if rename.role not in ("bind", "augment"):
        return len(change.old.text)
    block = block_of(rename.before)
    inside = {
        (node.start_byte, node.end_byte) for node in rename.before.path if node.type in ("block", "module")
    }
    for one in change.old_names.variable(rename.old, rename.owner):
        if one.start <= rename.before.start or one.role != "bind" or is_deleted(one):
            continue
        start = change.to_new(one.start)
        other = block_of(one)
        if start is None:
            continue
        if is_looped_inside(block, one) and not uses_itself(change, rename, statement_of(one)):
            return one.start
        if (other.start_byte, other.end_byte) not in inside:
            continue
        if block.start_byte != other.start_byte and block.end_byte > one.path[-1].start_byte:
            continue
        statement = statement_of(one)
        if uses_itself(change, rename, statement):
            continue
        return one.start
    return len(change.old.text)


def is_looped_inside(block: tree_sitter.Node, one: Occurrence) -> bool:
    """Whether a place binds the variable of a loop that stands deeper in a block."""
    statement = statement_of(one)
    is_target = statement.type == "for_statement" and one.path[-1].end_byte <= statement_body(statement)
    return is_target and block in one.path and block != block_of(one)


def statement_body(statement: tree_sitter.Node) -> int:
    """The first byte of a statement's block."""
    body = statement.child_by_field_name("body")
    return statement.end_byte if body is None else body.start_byte


def is_deleted(one: Occurrence) -> bool:
    """Whether a place deletes the variable, whose value it still has there."""
    return statement_of(one).type == "delete_statement"


def uses_itself(change: FileChange, rename: Rename, statement: tree_sitter.Node) -> bool:
    """Whether a statement that binds a name also uses it, such as `rows = rows[1:]`."""
    start, stop = change.old.span(statement)
    if statement.type in ("for_statement", "with_statement"):
        stop = change.old.offset(statement.child_by_field_name("body").start_byte)  # type: ignore[union-attr]
    return any(
        one.role in ("use", "augment") and start <= one.start < stop
        for one in change.old_names.variable(rename.old, rename.owner)
    )


def block_of(one: Occurrence) -> tree_sitter.Node:
    return next(
        node for node in reversed(one.path) if node.type in ("block", "module") or node.parent is None
    )


def statement_of(one: Occurrence) -> tree_sitter.Node:
    for index in range(len(one.path) - 1, 0, -1):
        if one.path[index - 1].type in ("block", "module"):
            return one.path[index]
    return one.path[-1]


def is_free(change: FileChange, rename: Rename, start: int) -> bool:
    """Whether the new name means the renamed variable at a place of the new text."""
    here = change.new_names.at(start, start + len(rename.old))
    if not here.is_variable:
        return False
    wanted = change.new_names.owner(rename.after)
    return change.new_names.binding_scope(rename.new, here.scopes) == wanted


# --- attributes and methods ------------------------------------------------------------------------------


def attributes(change: FileChange, rename: Rename, owner: Scope | None) -> Iterator[Replacement]:
    """`self.old` in the class itself and in its subclasses in the file."""
    if owner is None:
        return
    classes = family(change, owner)
    others = [
        one
        for one in change.old_names.of(rename.old)
        if (
            one.role in ("function", "bind")
            and one.scopes[0][1] == "class_definition"
            and one.scopes[0] != owner
        )
        or (one.role == "attribute" and is_set(one) and class_of(one) != owner)
    ]
    for one in change.old_names.of(rename.old):
        if one.role != "attribute":
            continue
        start = change.to_new(one.start)
        if start is None or change.new.text[start : start + len(rename.old)] != rename.old:
            continue
        said = object_in_front(change.old, one)
        if said.startswith("super(") and class_of(one) == owner:
            # `super()` means the parent's member.
            continue
        if rename.role == "attribute" and said in classes.values() and has_own(change, owner, rename.old):
            continue
        is_sure = is_member_of(change.old, change.old_names, one, classes.values(), classes)
        if is_sure:
            yield Replacement(start, start + len(rename.old), rename.new, rename.reason, SURE, rename.group)
        elif not others and said not in ("self", "cls") and not is_module(change, said):
            yield Replacement(
                start, start + len(rename.old), rename.new, rename.reason, PERHAPS, rename.group
            )


def has_own(change: FileChange, owner: Scope, name: str) -> bool:
    """Whether a class itself binds a name, and still does, beside what its methods set."""
    bound = [one for one in change.old_names.variable(name, owner) if one.role in BINDING]
    return any(
        (start := change.to_new(one.start)) is not None and change.new.text[start : start + len(name)] == name
        for one in bound
    )


def is_module(change: FileChange, said: str) -> bool:
    """Whether the name in front of a dot was imported."""
    first = said.partition(".")[0]
    return (
        "import" in change.old_names.binding_scopes(first).get(MODULE, set())
        if NAME.fullmatch(first)
        else False
    )
