"""Parameters of JavaScript that are taken out of one object now, and the calls that give them.

    function show(title, text, isLarge)     ->   function show({ title, text, isLarge = false })
    show("Error", text, true)               ->   show({ title: "Error", text, isLarge: true })

A call that gives such an object already stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.functions.adapted_calls import ArgumentWriter
from fim_lsp.edits.functions.signatures import Altered

KEYS = ("shorthand_property_identifier_pattern", "object_assignment_pattern")


@dataclass(frozen=True, slots=True)
class GroupedParameters:
    """The parameters that became keys of the last one, the number of those in front, and the object's
    brackets, with the blanks in them."""

    names: Sequence[str]
    n_kept: int
    brackets: tuple[str, str]


def grouped_parameters(function: Altered) -> GroupedParameters | None:
    """How a function's parameters were put into one object; None if they were not."""
    before, after = function.before.taken, function.after.taken
    n_kept = len(after) - 1
    pattern = object_pattern(function.after.node) if 0 <= n_kept < len(before) else None
    keys = None if pattern is None else [*keys_of(pattern)]
    if pattern is None or keys is None or before[:n_kept] != after[:n_kept]:
        return None
    names = [one.name for one in before[n_kept:]]
    is_plain = all(one.kind == "place" and one.name.isidentifier() for one in before)
    if not is_plain or not {*names} <= {*keys}:
        return None
    said = (pattern.text or b"").decode()
    return GroupedParameters(names, n_kept, ("{ ", " }") if said.startswith("{ ") else ("{", "}"))


def object_pattern(function: tree_sitter.Node) -> tree_sitter.Node | None:
    """The pattern that takes a function's last parameter apart."""
    listed = function.child_by_field_name("parameters")
    last = None if listed is None or not listed.named_children else listed.named_children[-1]
    while last is not None and last.type != "object_pattern":
        last = last.child_by_field_name("pattern") or last.child_by_field_name("left")
    return last


def keys_of(pattern: tree_sitter.Node) -> Iterator[str]:
    """The keys that a pattern takes under their own names."""
    for node in pattern.named_children:
        if node.type in KEYS:
            inner = node.child_by_field_name("left") or node
            yield (inner.text or b"").decode()


def write_grouped(
    writer: ArgumentWriter, grouped: GroupedParameters, nodes: Sequence[tree_sitter.Node]
) -> None:
    """Puts the arguments for grouped parameters into an object, if they are not in one."""
    given = writer.arguments[grouped.n_kept :]
    if not given or len(given) > len(grouped.names):
        return
    if len(given) == 1 and {*keys_given(nodes[grouped.n_kept])} & {*grouped.names}:
        return
    begin, end = grouped.brackets
    for number, (argument, name) in enumerate(zip(given, grouped.names, strict=False)):
        is_short = writer.text_of(grouped.n_kept + number) == name
        written = ("" if number else begin) + ("" if is_short else f"{name}: ")
        if written:
            writer.insert(argument.start, written)
    writer.insert(given[-1].stop, end)


def keys_given(node: tree_sitter.Node) -> Iterator[str]:
    """The keys of an object that is written as a literal."""
    for child in node.named_children if node.type == "object" else ():
        key = child.child_by_field_name("key") or child
        yield (key.text or b"").decode()
