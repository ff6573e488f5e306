"""Functions whose returned tuple ("row") got or lost a value: places that unpack it follow.

    -    return head, tail                    +    return head, tail, size
     first, rest = parse(text)                 first, rest, size = parse(text)

A new value gets the name that the user gave it at one of these places, or its name in the `return`. A removed
value's name is removed if nothing uses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.functions.annotations import function_name, nodes_of_body
from fim_lsp.edits.functions.calls import call_of
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING, MODULE, Occurrence
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD

# The probability of a value's name: given by the user, or taken from the function.
BY_HAND, BY_ITS_NAME = 0.85, 0.7


@dataclass(frozen=True, slots=True)
class ReturnedRow:
    """A function whose rows have one value more, or one less, than before."""

    function: tree_sitter.Node
    name: str
    # The class of a method.
    owner: tuple[int, str] | None
    n_before: int
    index: int
    # The new value as it is written there; empty if a value was removed.
    come: str


def adapted_rows(change: FileChange) -> Iterator[Replacement]:
    """The replacements at places that unpack changed rows."""
    for row in returned_rows(change):
        places = [(call, targets) for call, targets in row_targets(change, row)]
        n_now = row.n_before + (1 if row.come else -1)
        by_hand = {
            change.new.text_of(targets[row.index])
            for _, targets in places
            if row.come and len(targets) == n_now and change.is_typed(*change.new.span(targets[row.index]))
        }
        for one, targets in places:
            if len(targets) == row.n_before:
                yield from adapted_row(change, row, one, targets, by_hand)


def adapted_row(
    change: FileChange,
    row: ReturnedRow,
    one: Occurrence,
    targets: Sequence[tree_sitter.Node],
    by_hand: set[str],
) -> Iterator[Replacement]:
    spans = [change.new.span(target) for target in targets]
    group = f"row {row.name} {one.start}"
    if not row.come:
        reason = f"`{row.name}` gives back a value less"
        if row.index:
            yield Replacement(spans[row.index - 1][1], spans[row.index][1], "", reason, BY_HAND, group)
        elif len(spans) > 2:
            yield Replacement(spans[0][0], spans[1][0], "", reason, BY_HAND, group)
        return
    name = next(iter(by_hand)) if len(by_hand) == 1 else row.come
    bound = change.new_names.binding_scope(name, one.scopes)
    if not by_hand and (WORD.fullmatch(name) is None or bound is not None):
        return
    if bound is not None and any(
        other.role in BINDING and not change.is_typed(other.start, other.stop)
        for other in change.new_names.variable(name, bound)
    ):
        # It means something else there.
        return
    sure = BY_HAND if by_hand else BY_ITS_NAME
    reason = f"`{row.name}` gives back a value more"
    if row.index:
        at = spans[row.index - 1][1]
        yield Replacement(at, at, f", {name}", reason, sure, group)
    else:
        yield Replacement(spans[0][0], spans[0][0], f"{name}, ", reason, sure, group)


def returned_rows(change: FileChange) -> Iterator[ReturnedRow]:
    """The functions of a file that return one value more or less than before."""
    seen: set[int] = set()
    for hunk in change.hunks:
        if "return" not in change.new.text[hunk.new_start : hunk.new_stop]:
            continue
        for at in (hunk.new_start, max(hunk.new_stop - 2, hunk.new_start)):
            path = change.new.path_to(at)
            function = next((one for one in reversed(path) if one.type == "function_definition"), None)
            if function is not None and function.start_byte not in seen:
                seen.add(function.start_byte)
                yield from returned_row(change, function)


def returned_row(change: FileChange, function: tree_sitter.Node) -> Iterator[ReturnedRow]:
    name = function.child_by_field_name("name")
    was = None if name is None else change.to_old(change.new.offset(name.start_byte))
    old = None
    if was is not None:
        path = change.old.path_to(was)
        old = next((one for one in reversed(path) if one.type == "function_definition"), None)
    if old is None:
        return
    before, after = row_of(change.old, old), row_of(change.new, function)
    if not before and len(after) == 2:
        before = only_value(change.old, old)
    said = function_name(change.new, function)
    owner = owner_of(function)
    if len(after) == len(before) + 1:
        for index in reversed(range(len(after))):
            if [*after[:index], *after[index + 1 :]] == before:
                yield ReturnedRow(function, said, owner, len(before), index, after[index])
                return
    elif len(after) == len(before) - 1 and len(after) > 1:
        for index in reversed(range(len(before))):
            if [*before[:index], *before[index + 1 :]] == after:
                yield ReturnedRow(function, said, owner, len(before), index, "")
                return


def row_of(source: SourceText, function: tree_sitter.Node) -> list[str]:
    """The values of a function's last row, if all its rows have the same length."""
    body = function.child_by_field_name("body")
    found: list[list[str]] = []
    for node in nodes_of_body(body) if body is not None else []:
        if node.type != "return_statement" or not node.named_children:
            continue
        value = node.named_children[0]
        if value.type not in ("expression_list", "tuple"):
            return []
        found.append([source.text_of(one) for one in value.named_children])
    sizes = {len(row) for row in found}
    return found[0] if len(sizes) == 1 and sizes != {1} else []


def only_value(source: SourceText, function: tree_sitter.Node) -> list[str]:
    """The value that a function gives back at its only `return`, if it is no row."""
    body = function.child_by_field_name("body")
    found = [one for one in nodes_of_body(body) if one.type == "return_statement"] if body is not None else []
    values = [value for one in found for value in one.named_children]
    is_row = any(value.type in ("expression_list", "tuple") for value in values)
    return [source.text_of(values[0])] if len(found) == len(values) == 1 and not is_row else []


def owner_of(function: tree_sitter.Node) -> tuple[int, str] | None:
    around = function.parent
    if around is not None and around.type == "decorated_definition":
        around = around.parent
    of = None if around is None else around.parent
    return (of.start_byte, of.type) if of is not None and of.type == "class_definition" else None


def row_targets(change: FileChange, row: ReturnedRow) -> Iterator[tuple[Occurrence, list[tree_sitter.Node]]]:
    """The calls whose result is unpacked, with the target names."""
    for one in change.new_names.of(row.name):
        call = call_of(one)
        if call is None or not is_meant(change, row, one):
            continue
        at = one.path.index(call) - 1
        if one.path[at].type == "await":
            at -= 1
        around = one.path[at]
        left = around.child_by_field_name("left") if around.type == "assignment" else None
        is_row = left is not None and left.type in ("pattern_list", "tuple_pattern")
        if left is None or around.child_by_field_name("right") != one.path[at + 1]:
            continue
        if is_row:
            yield one, left.named_children
        elif row.n_before == 1 and left.type == "identifier" and around.child_by_field_name("type") is None:
            yield one, [left]


def is_meant(change: FileChange, row: ReturnedRow, one: Occurrence) -> bool:
    """Whether a call is a call of the function."""
    if row.owner is None:
        return one.role == "use" and change.new_names.owner(one) == MODULE
    said = change.new.text_of(one.parent.child_by_field_name("object")) if one.role == "attribute" else ""
    return said in ("self", "cls") and row.owner in one.scopes
