"""Calls in other files whose arguments tell by their types or names that they are for the old header.

    -func New(path string, limit int)        store.New("rows.json", 0)      a text and a number
    +func New(limit int, path string)        store.New(0, "rows.json")

A text, a number or a truth value fits no parameter of another of these kinds, and an object of a type of its
own fits none of them. An argument that is called like a parameter is meant for it, `this.low` for `low`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import tree_sitter

from fim_lsp.edits.functions.headers import AlteredHeader
from fim_lsp.edits.functions.placed_calls import arguments_of, call_of
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.object_types import type_of
from fim_lsp.edits.typed.written_types import bare_name

Path = Sequence[tree_sitter.Node]
TEXT, NUMBER, TRUTH = "a text", "a number", "a truth value"
PLAIN = (TEXT, NUMBER, TRUTH)
TYPES = (
    dict.fromkeys(("string", "String"), TEXT)
    | dict.fromkeys(("bool", "boolean", "Boolean"), TRUTH)
    | dict.fromkeys(
        (
            "number", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
            "float32", "float64", "long", "short", "byte", "float", "double", "Integer", "Long", "Double",
            "Float",
        ),
        NUMBER,
    )
)  # fmt: skip
LITERALS = (
    dict.fromkeys(
        ("string", "template_string", "interpreted_string_literal", "raw_string_literal", "string_literal"),
        TEXT,
    )
    | dict.fromkeys(("true", "false"), TRUTH)
    | dict.fromkeys(
        (
            "number",
            "int_literal",
            "float_literal",
            "decimal_integer_literal",
            "decimal_floating_point_literal",
        ),
        NUMBER,
    )
)
# A name, or a member of something that has one.
NAMED = re.compile(r"(?:[\w$]+(?:\(\))?\.)*([^\W\d][\w$]*)")
# What takes values of any type.
ANYTHING = ("any", "unknown", "Object", "object", "interface", "T", "CharSequence", "Comparable")


def is_for_old_header(other: FileChange, path: Path, header: AlteredHeader, change: FileChange) -> bool:
    """Whether an argument of a call fits the old header by its type or name, and not the new one."""
    call = call_of(path)
    arguments = None if call is None else arguments_of(other.old, call)
    if call is None or not arguments:
        return False
    if are_called_as_before([other.old.text[one.start : one.stop] for one in arguments], header):
        return True
    before = [*kinds_of(change.old, header.altered.before.node)]
    after = [*kinds_of(change.new, header.altered.after.node)]
    if len(before) != len(header.altered.before.parameters) or len(arguments) > len(before):
        return False
    for argument, was, now in zip(arguments, before, after, strict=False):
        given = kind_of_value(other.old, argument.start, argument.stop)
        if given and given == was and now in PLAIN and now != given:
            return True
    return False


def are_called_as_before(arguments: Sequence[str], header: AlteredHeader) -> bool:
    """Whether arguments have the names of the old header's parameters in these places, and none that of the
    new header's."""
    before, after = ([one.name for one in of.taken] for of in (header.altered.before, header.altered.after))
    is_told = False
    for given, was, now in zip_longest(arguments, before[: len(arguments)], after[: len(arguments)]):
        found = NAMED.fullmatch(given or "")
        if found is not None and was != now:
            if found[1] == now:
                return False
            is_told = is_told or (found[1] == was and was in after)
    return is_told


def kinds_of(source: SourceText, function: tree_sitter.Node) -> Iterator[str]:
    """The kind of each parameter, by its type; empty if it has none, or takes several."""
    listed = function.child_by_field_name("parameters")
    for node in [] if listed is None else listed.named_children:
        if "comment" in node.type:
            continue
        said = bare_name(source.text_of(node.child_by_field_name("type")).lstrip(": "))
        kind = TYPES.get(said, "" if said in ANYTHING else said)
        for _ in node.children_by_field_name("name") or [node]:
            yield kind


def kind_of_value(source: SourceText, start: int, stop: int) -> str:
    """The kind of an argument; empty if it is not known."""
    node = source.root.named_descendant_for_byte_range(source.byte(start), source.byte(stop))
    if node is None or source.span(node) != (start, stop):
        return ""
    if node.type in LITERALS:
        return LITERALS[node.type]
    said = bare_name(type_of(source, node))
    return TYPES.get(said, said)
