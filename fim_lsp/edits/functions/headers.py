"""Changed function headers in languages other than Python, with parameters before and after.

    function area(width, height)   ->   function area(scale, width, height = width)

A function is recognized by its name (a method also by its class's name) or by its body. Functions that share
a name, as Java's overloads do, are left out, since it is not known which one a call means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.functions.signatures import Altered, Function, Parameter, renamed_parameters
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.source import SourceText, children_between
from fim_lsp.edits.typed.members import receiver_of
from fim_lsp.edits.typed.scoped import SCOPINGS

FUNCTIONS = ("function_declaration", "generator_function_declaration", "function_signature")
METHODS = (
    "method_definition", "method_declaration", "method_signature", "abstract_method_signature", "method_elem",
)  # fmt: skip
CONSTRUCTORS = ("constructor_declaration", "compact_constructor_declaration")
# The values of a variable that can be called.
VALUES = ("arrow_function", "function_expression")
CONSTRUCTOR = "constructor"
REST = ("rest_pattern", "spread_parameter", "variadic_parameter_declaration")


@dataclass(frozen=True, slots=True)
class FunctionHeader:
    """A function and the way to call it: by its name, as a member of a type, or as a constructor."""

    function: Function
    name: tree_sitter.Node
    # The type that it is a member of, and the body that declares it (none in Go).
    type_name: str = ""
    type_body: tree_sitter.Node | None = None
    is_made: bool = False

    @property
    def is_member(self) -> bool:
        return bool(self.type_name) and not self.is_made


@dataclass(frozen=True, slots=True)
class AlteredHeader:
    """A function before and after, and the scope that declared it."""

    before: FunctionHeader
    altered: Altered


def altered_headers(change: FileChange) -> Iterator[AlteredHeader]:
    """The functions whose parameters a change touches."""
    for before, after in matched_headers(change):
        if before.function.parameters != after.function.parameters:
            renamed = renamed_parameters(before.function, after.function)
            yield AlteredHeader(before, Altered(before.function, after.function, renamed))


@lru_cache(maxsize=4)
def matched_headers(change: FileChange) -> tuple[tuple[FunctionHeader, FunctionHeader], ...]:
    """The functions whose headers a change touches, before and after."""
    return tuple(compared_headers(change))


def compared_headers(change: FileChange) -> Iterator[tuple[FunctionHeader, FunctionHeader]]:
    if change.old.known_language.name not in SCOPINGS:
        return
    seen: set[int] = set()
    for hunk in change.hunks:
        old = [*headers_between(change.old, hunk.old_start, hunk.old_stop)]
        new = [*headers_between(change.new, hunk.new_start, hunk.new_stop)]
        for before in old:
            after = same_header(change, before, new)
            if after is None or before.name.start_byte in seen or is_overloaded(change.old, before):
                continue
            seen.add(before.name.start_byte)
            yield before, after


def headers_between(source: SourceText, start: int, stop: int) -> Iterator[FunctionHeader]:
    """The functions whose headers a part of a text touches."""
    first, last = source.byte(start), source.byte(stop)
    waiting: list[tuple[tree_sitter.Node, tree_sitter.Node | None]] = [(source.root, None)]
    while waiting:
        node, around = waiting.pop()
        if node.end_byte < first or node.start_byte > last:
            continue
        header = header_of(source, node, around)
        body = None if header is None else header.function.node.child_by_field_name("body")
        if header is not None and (body is None or first < body.start_byte):
            yield header
        within = reversed(children_between(node, first, last))
        waiting += [(child, node) for child in within if child.is_named and child.child_count]


def header_of(
    source: SourceText, node: tree_sitter.Node, around: tree_sitter.Node | None
) -> FunctionHeader | None:
    """The function that a node declares."""
    name, function = node.child_by_field_name("name"), node
    if node.type == "variable_declarator":
        value = node.child_by_field_name("value")
        if value is None or value.type not in VALUES:
            return None
        function = value
    elif node.type not in (*FUNCTIONS, *METHODS, *CONSTRUCTORS):
        return None
    if name is None or not name.type.endswith("identifier"):
        return None
    said = source.text_of(name)
    if node.type == "method_declaration" and source.known_language.name == "go":
        return FunctionHeader(read_function(source, said, function), name, receiver_of(source, node)[1])
    if node.type not in (*METHODS, *CONSTRUCTORS):
        return FunctionHeader(read_function(source, said, function), name)
    holder = None if around is None else around.parent
    declared = None if holder is None else holder.child_by_field_name("name")
    if around is None or declared is None:
        # It belongs to an object, or to a class without a name.
        return None
    is_made = node.type in CONSTRUCTORS or (node.type == "method_definition" and said == CONSTRUCTOR)
    type_name = source.text_of(declared)
    read = read_function(source, type_name if is_made else said, function)
    return FunctionHeader(read, declared if is_made else name, type_name, around, is_made)


def read_function(source: SourceText, name: str, node: tree_sitter.Node) -> Function:
    return Function(name, node, tuple(parameters_of(source, node)), False, None, "", (), False, False)


def parameters_of(source: SourceText, function: tree_sitter.Node) -> Iterator[Parameter]:
    """The parameters of a function, in order. The name of a pattern is its text."""
    alone = function.child_by_field_name("parameter")
    listed = function.child_by_field_name("parameters")
    if alone is not None:
        yield Parameter(source.text_of(alone), "place")
    for node in [] if listed is None else listed.named_children:
        pattern = node.child_by_field_name("pattern")
        if node.type == "comment" or (pattern is not None and pattern.type == "this"):
            continue
        if node.type in REST or (pattern is not None and pattern.type in REST):
            yield Parameter(source.text_of(node).lstrip("."), "rest")
            continue
        default = node.child_by_field_name("value") or node.child_by_field_name("right")
        said = None if default is None else source.text_of(default)
        if node.type == "optional_parameter":
            said = said or ""
        for name in node.children_by_field_name("name") or [
            pattern or node.child_by_field_name("left") or node
        ]:
            yield Parameter(source.text_of(name), "place", said)


def same_header(
    change: FileChange, before: FunctionHeader, new: Sequence[FunctionHeader]
) -> FunctionHeader | None:
    """The new form of a function of the old text."""
    body = before.function.node.child_by_field_name("body")
    inside = None if body is None else change.to_new(change.old.offset(body.start_byte))
    alike = [
        one
        for one in new
        if (one.function.name, one.type_name, one.is_made)
        == (before.function.name, before.type_name, before.is_made)
    ]
    if len(alike) == 1:
        return alike[0]
    for one in new if inside is not None and not alike else ():
        own = one.function.node.child_by_field_name("body")
        if own is not None and inside == change.new.offset(own.start_byte):
            return one
    return None


def is_overloaded(source: SourceText, header: FunctionHeader) -> bool:
    """Whether the same scope declares another callable of the same name."""
    around = header.type_body or header.function.node.parent
    if source.known_language.name == "go" or around is None:
        return False
    if around.type == "export_statement" and around.parent is not None:
        around = around.parent
    found = 0
    for child in around.named_children:
        inner = child.child_by_field_name("declaration") if child.type == "export_statement" else child
        one = None if inner is None else header_of(source, inner, around)
        if one is not None and (one.function.name, one.is_made) == (header.function.name, header.is_made):
            found += 1
    return found > 1
