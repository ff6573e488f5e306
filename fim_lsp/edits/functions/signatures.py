"""Python functions whose headers were changed, with their parameters before and after.

    def fetch(url, retries=3)   ->   async def fetch(address, *, retries)

A function is recognized by its place or its name, a parameter by its name, and a removed parameter by the new
one that replaces it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import tree_sitter

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.names import Scope
from fim_lsp.edits.texts.opposites import OPPOSITES
from fim_lsp.edits.texts.source import SourceText, children_between

Kind = Literal["place", "either", "keyword", "rest", "keywords"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function: positional-only, either, keyword-only, or variadic."""

    name: str
    kind: Kind
    default: str | None = None

    @property
    def has_place(self) -> bool:
        return self.kind in ("place", "either")


@dataclass(frozen=True, slots=True)
class Function:
    """A function's header."""

    name: str
    node: tree_sitter.Node
    parameters: tuple[Parameter, ...]
    is_async: bool
    # The class of a method, and the class's name.
    owner: Scope | None
    class_name: str
    decorators: tuple[str, ...]
    has_yield: bool
    # Whether it is inside another function.
    is_local: bool

    @property
    def is_bound(self) -> bool:
        """Whether callers omit its first parameter."""
        return self.owner is not None and "staticmethod" not in self.decorators

    @property
    def taken(self) -> tuple[Parameter, ...]:
        """The parameters that callers pass."""
        return self.parameters[1:] if self.is_bound else self.parameters


@dataclass(frozen=True, slots=True)
class Altered:
    """A function before and after."""

    before: Function
    after: Function
    # The new names of renamed parameters.
    renamed: dict[str, str]

    @property
    def removed(self) -> list[str]:
        new = {one.name for one in self.after.taken}
        return [one.name for one in self.before.taken if one.name not in new and one.name not in self.renamed]

    @property
    def added(self) -> list[Parameter]:
        old = {one.name for one in self.before.taken} | set(self.renamed.values())
        return [one for one in self.after.taken if one.name not in old]

    def former_parameter(self, parameter: Parameter) -> Parameter | None:
        """The old form of a parameter; None for a new one."""
        taken = self.before.taken
        return next((one for one in taken if self.renamed.get(one.name, one.name) == parameter.name), None)

    @property
    def has_turned(self) -> bool:
        """Whether a renamed parameter means the opposite now: `verbose=False` became `quiet=True`."""
        old, new = ({one.name: one.default for one in of.taken} for of in (self.before, self.after))
        return any((old[name], new[other]) in OPPOSITES for name, other in self.renamed.items())

    @property
    def is_changed(self) -> bool:
        return bool(self.before.taken != self.after.taken or self.before.is_async != self.after.is_async)


def altered_functions(change: FileChange) -> list[Altered]:
    """The functions whose headers a change touches."""
    found = []
    seen: set[int] = set()
    for hunk in change.hunks:
        old = [*functions_in(change.old, hunk.old_start, hunk.old_stop)]
        new = [*functions_in(change.new, hunk.new_start, hunk.new_stop)]
        for before in old:
            after = partner(change, before, new)
            if after is None or before.node.start_byte in seen:
                continue
            seen.add(before.node.start_byte)
            one = Altered(before, after, renamed_parameters(before, after))
            if one.is_changed and not one.has_turned:
                found.append(one)
    return found


def functions_in(source: SourceText, start: int, stop: int) -> Iterator[Function]:
    """The functions whose headers a part of a text touches."""
    first, last = source.byte(start), source.byte(stop)
    waiting: list[tuple[tree_sitter.Node, Scope | None, str, bool]] = [(source.root, None, "", False)]
    while waiting:
        node, owner, class_name, is_local = waiting.pop()
        if node.end_byte < first or node.start_byte > last:
            continue
        if node.type == "function_definition":
            body = node.child_by_field_name("body")
            if body is None or (node.start_byte <= last and first < body.start_byte):
                yield function_of(source, node, owner, class_name, is_local)
            owner, class_name, is_local = None, "", True
        elif node.type == "class_definition":
            owner = (node.start_byte, node.type)
            class_name = source.text_of(node.child_by_field_name("name"))
        within = reversed(children_between(node, first, last))
        waiting += [(child, owner, class_name, is_local) for child in within if child.is_named]


def function_of(
    source: SourceText, node: tree_sitter.Node, owner: Scope | None, class_name: str, is_local: bool
) -> Function:
    parent = node.parent
    decorated = parent if parent is not None and parent.type == "decorated_definition" else None
    decorators = tuple(
        source.text_of(child).lstrip("@").strip().partition("(")[0]
        for child in ([] if decorated is None else decorated.named_children)
        if child.type == "decorator"
    )
    return Function(
        source.text_of(node.child_by_field_name("name")),
        node,
        tuple(parameters_of(source, node.child_by_field_name("parameters"))),
        bool(node.children) and node.children[0].type == "async",
        owner,
        class_name,
        decorators,
        has_yield(node.child_by_field_name("body")),
        is_local,
    )


def has_yield(body: tree_sitter.Node | None) -> bool:
    waiting = [] if body is None else [body]
    while waiting:
        node = waiting.pop()
        if node.type == "yield":
            return True
        if node.type not in ("function_definition", "lambda", "class_definition"):
            waiting += node.named_children
    return False


def parameters_of(source: SourceText, node: tree_sitter.Node | None) -> Iterator[Parameter]:
    found: list[Parameter] = []
    is_named = False
    for child in [] if node is None else node.named_children:
        match child.type:
            case "identifier":
                found.append(Parameter(source.text_of(child), "keyword" if is_named else "either"))
            case "default_parameter" | "typed_default_parameter":
                name = source.text_of(child.child_by_field_name("name"))
                default = source.text_of(child.child_by_field_name("value"))
                found.append(Parameter(name, "keyword" if is_named else "either", default))
            case "typed_parameter":
                inner = child.named_children[0]
                if inner.type == "identifier":
                    found.append(Parameter(source.text_of(inner), "keyword" if is_named else "either"))
                else:
                    is_named = is_named or inner.type == "list_splat_pattern"
                    found.append(rest_of(source, inner))
            case "positional_separator":
                found = [Parameter(one.name, "place", one.default) for one in found]
            case "keyword_separator":
                is_named = True
            case "list_splat_pattern" | "dictionary_splat_pattern":
                is_named = is_named or child.type == "list_splat_pattern"
                found.append(rest_of(source, child))
    yield from found


def rest_of(source: SourceText, node: tree_sitter.Node) -> Parameter:
    is_row = node.type == "list_splat_pattern"
    return Parameter(source.text_of(node).lstrip("*"), "rest" if is_row else "keywords")


def partner(change: FileChange, before: Function, new: Sequence[Function]) -> Function | None:
    """The new form of a function of the old text."""
    sign = first_sign(before)
    place = change.to_new(change.old.offset(sign))
    body = before.node.child_by_field_name("body")
    inside = None if body is None else change.to_new(change.old.offset(body.start_byte))
    for after in new:
        at = change.new.offset(first_sign(after))
        own = after.node.child_by_field_name("body")
        if place == at or (own is not None and inside == change.new.offset(own.start_byte)):
            return after
    same = [one for one in new if (one.name, one.class_name) == (before.name, before.class_name)]
    return same[0] if len(same) == 1 else None


def first_sign(function: Function) -> int:
    """The place of `def`."""
    return next(child.start_byte for child in function.node.children if child.type == "def")


def renamed_parameters(before: Function, after: Function) -> dict[str, str]:
    """Removed parameters with the new ones that replace them: between the same neighbours, or the only
    ones."""
    old, new = before.taken, after.taken
    kept = {one.name for one in old} & {one.name for one in new}
    gone = [number for number, one in enumerate(old) if one.name not in kept]
    come = [number for number, one in enumerate(new) if one.name not in kept]
    found: dict[str, str] = {}
    for number in gone:
        left = old[number - 1].name if number else ""
        for other in come:
            other_left = new[other - 1].name if other else ""
            is_same = other_left in (left, found.get(left, left))
            is_kind = old[number].kind == new[other].kind or len(gone) == len(come) == 1
            if is_same and is_kind and new[other].name not in found.values() and len(gone) <= len(come):
                found[old[number].name] = new[other].name
                break
    return found
