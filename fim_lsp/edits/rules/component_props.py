"""Names that a function of JavaScript takes out of an object: the keys of objects that it is given follow.

    function Button({ kind })        function Button({ variant })
    <Button kind="main" />           <Button variant="main" />
    Button({ kind: "main" })         Button({ variant: "main" })

Where the object has a declared type, the type is what counts (`typed_patterns.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.renaming.renames import LIKELY, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.handed_names import PATTERN
from fim_lsp.edits.typed.typed_patterns import CLASSES, SHORTHANDS, function_at, function_given
from fim_lsp.known_languages import JAVASCRIPT

Path = Sequence[tree_sitter.Node]
VALUES = ("arrow_function", "function_expression", "function_declaration")
LISTS_OF_KINDS = ("propTypes", "defaultProps")
METHOD = "method_definition"
TAKING = ("required_parameter", "assignment_pattern")


class PropRename(NamedTuple):
    """A renamed key that a function takes out of its argument at a position."""

    function: str
    position: int
    old: str
    new: str

    @property
    def reason(self) -> str:
        return f"`{self.function}` takes `{self.new}` instead of `{self.old}` now"


def prop_renames(change: FileChange) -> Iterator[PropRename]:
    if change.old.known_language.family != JAVASCRIPT.family:
        return
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            taken = taken_key(change.old, change.old.path_to(old[0]))
            if taken[0] and taken == taken_key(change.new, change.new.path_to(new[0])):
                yield PropRename(*taken, change.old.text[slice(*old)], change.new.text[slice(*new)])


def renamed_props(change: FileChange) -> Iterator[Replacement]:
    """The keys of objects and the attributes of elements that a function is given, and the kinds that are
    listed for them."""
    for one in prop_renames(change):
        yield from given_props(change, one, {one.function})
        for start in change.old.places(one.old):
            if is_listed_kind(change.old, change.old.path_to(start), one.function):
                yield from replaced_prop(change, one, start)


def given_props(change: FileChange, one: PropRename, names: Collection[str]) -> Iterator[Replacement]:
    """The keys and attributes in a file that has the function by some names."""
    for start in change.old.places(one.old):
        function, position = function_given(change.old, change.old.path_to(start))
        if function in names and position == one.position:
            yield from replaced_prop(change, one, start)


def replaced_prop(change: FileChange, one: PropRename, start: int) -> Iterator[Replacement]:
    at, path = change.to_new(start), change.old.path_to(start)
    if at is not None and change.new.text[at : at + len(one.old)] == one.old:
        written = f"{one.new}: {one.old}" if path[-1].type in SHORTHANDS else one.new
        yield Replacement(at, at + len(one.old), written, one.reason, LIKELY, f"prop {one.old} {one.new}")


def is_listed_kind(source: SourceText, path: Path, function: str) -> bool:
    """Whether a name is a key of `Button.propTypes = {...}`, or of `Button.defaultProps = {...}`."""
    if len(path) < 4 or path[-2].type != "pair" or path[-2].child_by_field_name("key") != path[-1]:
        return False
    left = path[-4].child_by_field_name("left") if path[-4].type == "assignment_expression" else None
    return left is not None and source.text_of(left) in (f"{function}.{name}" for name in LISTS_OF_KINDS)


def taken_key(source: SourceText, path: Path) -> tuple[str, int]:
    """The function that takes a key out of an argument, and the argument's position; empty elsewhere."""
    is_key = path[-2].type == "pair_pattern" and path[-2].child_by_field_name("key") == path[-1]
    if not is_key and path[-1].type != PATTERN:
        return "", 0
    at = len(path) - (3 if is_key or path[-2].type == "object_assignment_pattern" else 2)
    pattern = path[at]
    at -= 1
    while path[at].type in TAKING:
        if path[at].child_by_field_name("type") is not None:
            return "", 0
        pattern, at = path[at], at - 1
    if path[at].type != "formal_parameters" or path[at - 1].type not in (*VALUES, METHOD):
        return "", 0
    number, function = path[at].named_children.index(pattern), path[at - 1]
    if function.type == METHOD:
        name = source.text_of(function.child_by_field_name("name"))
        declared = path[at - 3] if at > 2 else function
        said = source.text_of(declared.child_by_field_name("name"))
        return (said, number) if name == "constructor" and declared.type in CLASSES else ("", 0)
    while function.type not in ("function_declaration", "variable_declarator"):
        around = function.parent
        if around is None or around.type not in ("arguments", "call_expression", "variable_declarator"):
            # It is passed on, or it has no name.
            return "", 0
        function = around
    name = source.text_of(function.child_by_field_name("name"))
    found = [one for start in source.places(name) if (one := is_function_name(source, source.path_to(start)))]
    return (name, number) if len(found) == 1 else ("", 0)


def is_function_name(source: SourceText, path: Path) -> bool:
    """Whether a name is declared as a function, or as what is made of one: `memo(({ kind }) => ...)`."""
    if function_at(source, path) is not None:
        return True
    around = path[-2] if len(path) > 1 else path[-1]
    return around.type == "variable_declarator" and around.child_by_field_name("name") == path[-1]
