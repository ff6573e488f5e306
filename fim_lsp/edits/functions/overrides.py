"""Overrides: a change of a method's header is made in the methods of subclasses that override it, too.

    class Shape:                            class Shape:
        def area(self, scale): ...              def area(self, factor): ...

    class Square(Shape):                    class Square(Shape):
        def area(self, scale):                  def area(self, scale):
            return scale * 4                                   ^ `factor` now, and so is its use

An override with other parameters than the overridden method is left alone, and so is one that uses a removed
parameter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import tree_sitter

from fim_lsp.edits.functions.adapted_calls import is_touched
from fim_lsp.edits.functions.signatures import Altered, Function, function_of
from fim_lsp.edits.renaming.renames import LIKELY, SURE, Rename
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import JOINT, Replacement
from fim_lsp.edits.texts.names import Occurrence, Role, Scope
from fim_lsp.edits.texts.source import SourceText

# The roles of methods, and of all that a class declares.
METHODS: tuple[Role, ...] = ("function",)
MEMBERS: tuple[Role, ...] = ("function", "bind")


def renamed_overrides(
    change: FileChange, rename: Rename, classes: Collection[Scope | None]
) -> Iterator[Replacement]:
    """The members of some classes that override a renamed method or attribute of the class."""
    if rename.role not in MEMBERS:
        return
    for one in methods(change, rename.old, classes, MEMBERS):
        start = change.to_new(one.start)
        if (
            one.scopes[0] == rename.owner
            or start is None
            or one.scopes[0] in change.old_names.binding_scopes(rename.new)
        ):
            continue
        if change.new.text[start : start + len(rename.old)] == rename.old:
            yield Replacement(start, start + len(rename.old), rename.new, rename.reason, SURE, rename.group)


def methods(
    change: FileChange,
    name: str,
    classes: Collection[Scope | None],
    roles: Collection[Role] = METHODS,
) -> Iterator[Occurrence]:
    return (one for one in change.old_names.of(name) if one.role in roles and one.scopes[0] in classes)


def adapted_headers(
    change: FileChange, function: Altered, classes: Collection[Scope | None]
) -> Iterator[Replacement]:
    """The headers of the methods that override one whose header was changed."""
    before = function.before
    if before.owner is None or before.name == "__init__":
        return
    for one in methods(change, before.name, classes):
        if one.scopes[0] == before.owner:
            continue
        other = function_of(change.old, one.parent, one.scopes[0], "", is_local=False)
        listed = one.parent.child_by_field_name("parameters")
        if (
            [*named_parameters(other)] == [*named_parameters(before)]
            and listed is not None
            and not is_touched(change, listed)
        ):
            yield from header(change, function, other)


def named_parameters(function: Function) -> Iterator[tuple[str, str]]:
    return ((one.name, one.kind) for one in function.taken)


def header(change: FileChange, function: Altered, other: Function) -> Iterator[Replacement]:
    """The replacements in a method, which are made all together."""
    found: list[tuple[int, int, str]] = []
    for old, new in function.renamed.items():
        own = [*places(change, other, old, new)]
        if not own:
            return
        found += ((place, place + len(old), new) for place in own)
    nodes = parameters(change.old, other.node)
    for name in function.removed:
        if name not in nodes or [*places(change, other, name, "")][1:]:
            return
        found.append(parameter_removal(change.old, [*nodes.values()], nodes[name]))
    added = put_in(change, function, nodes)
    if added is None:
        return
    name = f"{function.after.class_name}.{function.after.name}"
    said = f"`{name}`, which it overrides, takes other arguments now"
    group = f"{JOINT}override {function.after.name} {other.node.start_byte}"
    parts = []
    for first, last, text in sorted([*found, *added]):
        at = change.to_new(first) if first < last else moved_end(change, first)
        if at is not None:
            parts.append(Replacement(at, at + last - first, text, said, LIKELY, group))
    if len(parts) == len(found) + len(added):
        yield from parts


def moved_end(change: FileChange, offset: int) -> int | None:
    """The new place of the end of a symbol."""
    at = change.to_new(offset - 1)
    return None if at is None else at + 1


def places(change: FileChange, other: Function, old: str, new: str) -> Iterator[int]:
    """The places of a method's parameter; none if the method already uses the new name."""
    scope = other.node.start_byte, other.node.type
    start, stop = change.old.span(other.node)
    if new and any(start <= one.start < stop for one in change.old_names.of(new) if one.is_variable):
        return
    for one in change.old_names.variable(old, scope):
        # A part that the user has rewritten needs no change.
        if change.to_new(one.start) is not None:
            yield one.start


def parameters(source: SourceText, function: tree_sitter.Node) -> dict[str, tree_sitter.Node]:
    """The parameters of a function by their names."""
    listed = function.child_by_field_name("parameters")
    return {
        source.text_of(first_name(child)): child
        for child in ([] if listed is None else listed.named_children)
        if child.type != "comment"
    }


def first_name(node: tree_sitter.Node) -> tree_sitter.Node:
    while node.type != "identifier" and node.named_children:
        node = node.named_children[0]
    return node


def parameter_removal(
    source: SourceText, nodes: list[tree_sitter.Node], node: tree_sitter.Node
) -> tuple[int, int, str]:
    """A parameter with the comma in front of it, or behind it if it is the first."""
    at = nodes.index(node)
    start, stop = source.span(node)
    if at:
        return source.span(nodes[at - 1])[1], stop, ""
    return start, source.span(nodes[1])[0] if len(nodes) > 1 else stop, ""


def put_in(
    change: FileChange, function: Altered, nodes: dict[str, tree_sitter.Node]
) -> list[tuple[int, int, str]] | None:
    """The new parameters, each behind the same parameter as in the changed header; None if the place is not
    known."""
    written = parameters(change.new, function.after.node)
    names = [*written]
    found: dict[int, list[str]] = {}
    for one in function.added:
        at = names.index(one.name) if one.name in names else 0
        was = {now: old for old, now in function.renamed.items()}
        before = [was.get(name, name) for name in names[:at]]
        anchor = next((name for name in reversed(before) if name in nodes), None)
        if anchor is None or one.kind not in ("either", "keyword"):
            return None
        if one.kind == "keyword" and not any(
            other.kind in ("keyword", "rest") for other in function.before.taken
        ):
            return None
        place = change.old.span(nodes[anchor])[1]
        found.setdefault(place, []).append(change.new.text_of(written[one.name]))
    return [(place, place, "".join(f", {text}" for text in texts)) for place, texts in found.items()]
