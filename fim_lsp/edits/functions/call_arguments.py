"""The arguments of a call in Python, and the parameters that get them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.functions.signatures import Altered, Parameter
from fim_lsp.edits.texts.source import SourceText


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call: its name, if it has one, and where it and its value stand."""

    name: str
    start: int
    stop: int
    value_start: int


def arguments_of(source: SourceText, call: tree_sitter.Node) -> list[Argument] | None:
    listed = call.child_by_field_name("arguments")
    if listed is None or listed.type != "argument_list":
        return None
    found = []
    for node in listed.named_children:
        start, stop = source.span(node)
        match node.type:
            case "comment":
                continue
            case "keyword_argument":
                value = node.child_by_field_name("value")
                value_start = start if value is None else source.span(value)[0]
                found.append(
                    Argument(source.text_of(node.child_by_field_name("name")), start, stop, value_start)
                )
            case "list_splat":
                return None
            case "dictionary_splat":
                found.append(Argument("**", start, stop, start))
            case _:
                found.append(Argument("", start, stop, start))
    return found


def bound_arguments(arguments: Sequence[Argument], parameters: Sequence[Parameter]) -> list[str] | None:
    """The parameter of each argument; None if the header does not accept the call."""
    places = [one.name for one in parameters if one.has_place]
    has_rest = any(one.kind == "rest" for one in parameters)
    has_keywords = any(one.kind == "keywords" for one in parameters)
    names = {one.name for one in parameters if one.kind in ("either", "keyword")}
    found = []
    for number, argument in enumerate(arguments):
        if argument.name == "**":
            return None
        if argument.name:
            if argument.name not in names and not has_keywords:
                return None
            found.append(argument.name if argument.name in names else "*")
        elif number < len(places):
            found.append(places[number])
        elif has_rest:
            found.append("*")
        else:
            return None
    return found


def number_in_front(
    function: Altered, bound: Sequence[str], arguments: Sequence[Argument], parameter: Parameter
) -> int | None:
    """The argument that a new one is put behind: that of the parameter that stands in front of it in the
    header, if the call names its arguments in that order."""
    order = [one.name for one in function.after.taken]
    given = [function.renamed.get(name, name) for name in bound]
    numbers = [order.index(name) if name in order else -1 for name in given]
    place = order.index(parameter.name)
    if numbers != sorted(numbers):
        return None
    before = [number for number, other in enumerate(numbers) if 0 <= other < place]
    # Only named arguments may follow.
    if not before or not all(one.name for one in arguments[before[-1] + 1 :]):
        return None
    return before[-1]
