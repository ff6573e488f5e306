"""Types that were changed for things of one name: parameters and fields with other names keep theirs.

-    private final int price;          int getPrice()       the type of this one is `long`, too
+    private final long price;         int count()          this one keeps its own
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import tree_sitter

from fim_lsp.edits.repeating.candidates import SubstitutionCandidate
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.source import SourceText

PARAMETERS = (
    "typed_parameter", "typed_default_parameter", "required_parameter", "optional_parameter",
    "parameter_declaration", "formal_parameter",
)  # fmt: skip
# The fields of nodes that hold a type, and those that hold the name of what has it.
TYPES, NAMES = ("type", "return_type", "result"), ("name", "pattern", "left", "declarator")
# The parts of a name: `get`, `Price` of `getPrice`, `unit`, `price` of `unit_price`.
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
FUNCTIONS = ("function", "method")


def is_type_of_another(change: FileChange, candidate: SubstitutionCandidate) -> bool:
    """Whether a substitution would change the type of something as it did for things with other names: once
    for a parameter, or several times for what has a part of its name in common."""
    made = [one.place for one in candidate.substitution.made]
    if any(place.path != change.path for place in made):
        return False
    if len(made) == 1:
        there = parameter_typed(change.old, made[0].start)
        return bool(there) and parameter_typed(change.new, candidate.start) not in ("", there)
    here = typed_name(change.new, candidate.start)
    shared = shared_parts(typed_name(change.old, place.start) for place in made)
    return bool(shared and here[0]) and shared.isdisjoint(parts_of(here[0]))


def shared_parts(typed: Iterable[tuple[str, bool]]) -> set[str]:
    """The parts that the names of all things have in common; functions alone share no more than a verb."""
    names = [*typed]
    if not any(name and not is_function for name, is_function in names):
        return set()
    return set[str].intersection(*(parts_of(name) for name, _ in names))


def parts_of(name: str) -> set[str]:
    return {part.lower() for part in PART.findall(name)}


def typed_name(source: SourceText, offset: int) -> tuple[str, bool]:
    """The name of the thing whose type a place is in, and whether it is a function; empty elsewhere."""
    path = source.path_to(offset)
    for number in range(len(path) - 2, max(len(path) - 8, -1), -1):
        around, inner = path[number], path[number + 1]
        if any(around.child_by_field_name(one) == inner for one in TYPES):
            return source.text_of(name_in(around)), any(kind in around.type for kind in FUNCTIONS)
    return "", False


def name_in(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The name that a declaration declares."""
    if node.type == "typed_parameter":
        return node.named_children[0]
    found = next((one for field in NAMES if (one := node.child_by_field_name(field)) is not None), None)
    return found if found is None or not found.named_children else (name_in(found) or found)


def parameter_typed(source: SourceText, offset: int) -> str:
    """The name of the parameter whose type a place is in; empty elsewhere."""
    path = source.path_to(offset)
    for number in range(len(path) - 2, max(len(path) - 8, -1), -1):
        around = path[number]
        if around.type in PARAMETERS:
            if around.child_by_field_name("type") != path[number + 1]:
                return ""
            name = around.child_by_field_name("name") or around.child_by_field_name("pattern")
            return source.text_of(name or around.named_children[0])
    return ""
