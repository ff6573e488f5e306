"""Calls of a function whose header was changed, found in the old text of a file, with probabilities.

`adapted_calls.py` changes them for the new header.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.functions.signatures import Altered, function_of
from fim_lsp.edits.renaming.objects import class_of, family, is_member_of
from fim_lsp.edits.renaming.renames import PERHAPS, SURE
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING, MODULE, Occurrence
from fim_lsp.edits.texts.symbols import WORD


@dataclass(frozen=True, slots=True)
class Call:
    """A call in the old text of a file, and the probability that it means the function."""

    node: tree_sitter.Node
    name: Occurrence
    probability: float


def calls_in(change: FileChange, function: Altered, defined_in: FileChange) -> Iterator[Call]:
    """The calls of a function in the file that defines it."""
    before = function.before
    names = change.old_names
    for one in names.of(before.name):
        call = call_of(one)
        if call is None:
            continue
        if before.owner is None:
            if one.role == "use" and names.owner(one) == owner_of(defined_in, function):
                yield Call(call, one, SURE)
        elif one.role == "attribute":
            probability = of_method(change, one, function)
            if probability:
                yield Call(call, one, probability)
    if before.owner is not None and before.name == "__init__":
        yield from constructions(change, function)


def owner_of(change: FileChange, function: Altered) -> object:
    name = function.before.node.child_by_field_name("name")
    assert name is not None
    start, stop = change.old.span(name)
    return change.old_names.owner(change.old_names.at(start, stop))


def call_of(one: Occurrence) -> tree_sitter.Node | None:
    """The call whose function a name is."""
    called, at = one.path[-1], len(one.path) - 2
    if one.role == "attribute":
        called, at = one.path[-2], len(one.path) - 3
    around = one.path[at] if at >= 0 else None
    if around is None or around.type != "call" or around.child_by_field_name("function") != called:
        return None
    return around


def of_method(change: FileChange, one: Occurrence, function: Altered) -> float:
    """The probability that an attribute is the method of a class."""
    before = function.before
    said = change.old.text_of(one.parent.child_by_field_name("object"))
    classes = family(change, before.owner) if before.owner is not None else {}
    if said in ("self", "cls") or said.startswith("super("):
        # In the class itself `super()` means what its parent has.
        is_parents = said.startswith("super(") and class_of(one) == before.owner
        return SURE if class_of(one) in classes and not is_parents else 0.0
    if said in classes.values():
        # `Table.add(table, row)` writes the first argument, too.
        return 0.0 if before.is_bound and "classmethod" not in before.decorators else SURE
    if is_member_of(change.old, change.old_names, one, classes.values(), classes):
        return SURE
    others = [
        other
        for other in change.old_names.of(before.name)
        if other.role in ("function", "bind", "import") and other.scopes[0] != before.owner
    ]
    if others or before.name.startswith("__"):
        return 0.0
    return PERHAPS


def constructions(change: FileChange, function: Altered) -> Iterator[Call]:
    """The calls of the class whose `__init__` the function is."""
    for name in (function.before.class_name, *heirs(change, function)):
        for one in change.old_names.of(name):
            call = call_of(one)
            if call is not None and one.role == "use" and change.old_names.owner(one) == MODULE:
                yield Call(call, one, SURE)
    for one in change.old_names.of("cls"):
        call = call_of(one)
        if call is not None and one.role == "use" and class_of(one) == function.before.owner:
            yield Call(call, one, SURE)


def heirs(change: FileChange, function: Altered) -> Iterator[str]:
    """The classes of the file that have the constructor of the class from which they alone are derived."""
    owner = function.before.owner
    names = change.old_names
    own = {one.scopes[0] for one in names.of("__init__") if one.role == "function"}
    for scope, name in family(change, owner).items() if owner is not None else ():
        if scope is None or scope == owner or scope in own:
            continue
        node = change.old.root.descendant_for_byte_range(scope[0], scope[0] + 1)
        while node is not None and node.type != "class_definition":
            node = node.parent
        bases = None if node is None else node.child_by_field_name("superclasses")
        said = "" if bases is None else change.old.text_of(bases)
        if said == f"({function.before.class_name})":
            yield name


def contradicts_header(change: FileChange, one: Replacement) -> bool:
    """Whether a call would pass a keyword that its function in this file does not take."""
    names, text = change.new_names, change.new.text
    if not WORD.fullmatch(one.new) or not WORD.fullmatch(text, one.start, one.stop):
        return False
    keyword = names.at(one.start, one.stop)
    call = keyword.path[-4] if keyword.role == "keyword" and len(keyword.path) > 4 else None
    called = None if call is None or call.type != "call" else call.child_by_field_name("function")
    if called is None or called.type != "identifier":
        return False
    found = [other for other in names.of(change.new.text_of(called)) if other.role in BINDING]
    if len(found) != 1 or found[0].role != "function":
        return False
    function = function_of(change.new, found[0].parent, None, "", is_local=False)
    taken = {parameter.name for parameter in function.parameters}
    return one.new not in taken and all(parameter.kind != "keywords" for parameter in function.parameters)
