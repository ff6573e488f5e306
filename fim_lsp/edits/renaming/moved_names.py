"""Moved names of Python: their old binding is gone, and the user reaches them in another way.

-LIMIT = 10                          total = 0         self.total = 0
 class Cart:                         total += row      total += row
+    LIMIT = 10                                        ^ `self.total`, it is bound by nothing else
     def add(self, rows):
-        return rows[:LIMIT]
+        return rows[:self.LIMIT]    and so is each other `LIMIT`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from fim_lsp.edits.renaming.bound_values import is_set
from fim_lsp.edits.renaming.objects import class_of
from fim_lsp.edits.renaming.renames import LIKELY, is_own
from fim_lsp.edits.texts.change import FileChange, Replaced
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING, Occurrence, Scope
from fim_lsp.edits.texts.symbols import WORD

IN_FRONT = re.compile(r"(?:[^\W\d]\w*\.)+")
DOTTED = re.compile(r"(?:[^\W\d]\w*\.)+[^\W\d]\w*")
# The name, with the blanks that may stand in front of it.
NEXT = re.compile(r"[ \t]*([^\W\d]\w*)")
OWN = "self."


class Moved(NamedTuple):
    """A variable, by its name and scope, and the text that replaces it."""

    name: str
    owner: Scope
    now: str


def moved_names(change: FileChange) -> Iterator[Replacement]:
    """The other places of moved variables."""
    for moved in dict.fromkeys(variables_moved(change)):
        reason = f"`{moved.name}` is reached as `{moved.now}` now"
        left = [*places_left(change, moved)]
        if any(one.role in BINDING and one.role != "augment" for one, _ in left):
            continue
        for one, start in left:
            if one.role in ("use", "augment"):
                group = f"moved {moved.name} {moved.now}"
                yield Replacement(start, start + len(moved.name), moved.now, reason, LIKELY, group)
    yield from attributes_made_local(change)


def variables_moved(change: FileChange) -> Iterator[Moved]:
    names = change.old_names
    for replaced in change.replaced:
        found = name_moved(change, replaced)
        if found is None:
            continue
        place, now = found
        owner = names.owner(place) if place.role in ("use", "bind", "augment") else None
        name = change.old.text[place.start : place.stop]
        if owner is not None and not is_bound_there(change, name, owner):
            yield Moved(name, owner, now)


def name_moved(change: FileChange, replaced: Replaced) -> tuple[Occurrence, str] | None:
    """A variable that got a text in front, or that was replaced by a dotted name."""
    names = change.old_names
    if not replaced.old and IN_FRONT.fullmatch(replaced.new):
        word = NEXT.match(change.old.text, replaced.old_start)
        return None if word is None else (names.at(*word.span(1)), replaced.new + word[1])
    if WORD.fullmatch(replaced.old) and DOTTED.fullmatch(replaced.new):
        return names.at(replaced.old_start, replaced.old_stop), replaced.new
    return None


def is_bound_there(change: FileChange, name: str, owner: Scope) -> bool:
    """Whether an old binding of the variable is left, augmented assignments aside."""
    return any(
        one.role in BINDING and one.role != "augment" and change.to_new(one.start) is not None
        for one in change.old_names.variable(name, owner)
        if not is_moved_at(change, one)
    )


def is_moved_at(change: FileChange, one: Occurrence) -> bool:
    """Whether a text was inserted in front of a name that stayed."""
    start = change.to_new(one.start)
    return start is not None and change.new.text[start - 1 : start] == "."


def places_left(change: FileChange, moved: Moved) -> Iterator[tuple[Occurrence, int]]:
    """The places of a variable in the old text that the new one still has, and their new places."""
    for one in change.old_names.variable(moved.name, moved.owner):
        start = change.to_new(one.start)
        if start is None or change.new.text[start : start + len(moved.name)] != moved.name:
            continue
        here = change.new_names.at(start, start + len(moved.name))
        if not here.is_variable or is_moved_at(change, one):
            continue
        if is_kept_as(change, here, moved.now):
            continue
        first = moved.now.partition(".")[0]
        if change.new_names.binding_scope(first, here.scopes) is not None:
            yield one, start


def is_kept_as(change: FileChange, one: Occurrence, now: str) -> bool:
    """Whether a name is the whole assigned value: `self._key = key` would be assigned itself."""
    around = one.parent
    return (
        around.type == "assignment"
        and around.child_by_field_name("right") == one.path[-1]
        and change.new.text_of(around.child_by_field_name("left")) == now
    )


def attributes_made_local(change: FileChange) -> Iterator[Replacement]:
    """The other places of an attribute that became a local variable of the only method that used it."""
    for replaced in change.replaced:
        word = NEXT.match(change.old.text, replaced.old_stop)
        if replaced.old != OWN or replaced.new or word is None:
            continue
        one = change.old_names.at(*word.span(1))
        if one.role != "attribute" or not is_set(one) or not is_own(change.old, one):
            continue
        others = [other for other in change.old_names.of(word[1]) if other.role == "attribute"]
        if any(other.scopes[0] != one.scopes[0] or not is_own(change.old, other) for other in others):
            continue
        reason = f"`{OWN}{word[1]}` is the variable `{word[1]}` now"
        for other in others:
            start = change.to_new(other.start)
            if start is not None and class_of(other) and change.new.text[start - len(OWN) : start] == OWN:
                group = f"moved {word[1]} {OWN}"
                yield Replacement(start - len(OWN), start, "", reason, LIKELY, group)


def is_another(change: FileChange, found: Replacement) -> bool:
    """Whether the name at a place is a variable of another scope than the moved one."""
    old = change.new.text[found.start : found.stop]
    for moved in variables_moved(change) if "." in found.new else ():
        for word in WORD.finditer(old) if moved.now in found.new else ():
            here = change.new_names.at(found.start + word.start(), found.start + word.end())
            if word[0] == moved.name and here.is_variable and change.new_names.owner(here) is not None:
                return True
    return False
