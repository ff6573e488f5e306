"""Name spaces of Java: a method and a variable may share one name, and so may methods, the overloads, that
take different numbers of arguments.

    int sum(int a)         sum(1)            the space of the one is `method/1`,
    int sum(int a, int b)  sum(1, 2)         that of the other one `method/2`
"""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from fim_lsp.document.syntax import COMMENTS
from fim_lsp.edits.texts.source import SourceText

DECLARED, CALLED = "method_declaration", "method_invocation"
METHOD = "method"


def name_space(path: Sequence[tree_sitter.Node]) -> str:
    """The name space of a name, leaving aside overloads."""
    around = path[-2] if len(path) > 1 else path[-1]
    if around.type == "method_reference":
        return METHOD if around.named_children[-1:] == [path[-1]] else ""
    is_method = around.type in (DECLARED, CALLED)
    is_it = is_method and around.child_by_field_name("name") == path[-1]
    return METHOD if is_it and path[-1].type == "identifier" else ""


def declared_space(source: SourceText, path: Sequence[tree_sitter.Node]) -> str:
    """The name space of a name where it is declared; of an overload, with the number of its parameters."""
    several = len(overloads(source, path)) > 1
    return f"{name_space(path)}/{n_values(path[-2])}" if several else name_space(path)


def has_space(path: Sequence[tree_sitter.Node], space: str) -> bool:
    """Whether a name is in a name space."""
    kind, _, number = space.partition("/")
    return name_space(path) == kind and (not number or str(n_values(path[-2])) == number)


def n_values(method: tree_sitter.Node) -> int | None:
    """The number of a method's parameters, or of a call's arguments; None if it is not known."""
    listed = method.child_by_field_name("parameters") or method.child_by_field_name("arguments")
    given = [] if listed is None else [one for one in listed.named_children if one.type not in COMMENTS]
    is_open = listed is None or any(one.type == "spread_parameter" for one in given)
    return None if is_open else len(given)


def overloads(source: SourceText, path: Sequence[tree_sitter.Node]) -> list[tree_sitter.Node]:
    """The methods of Java that share the name of the one that is declared at a place, itself included."""
    if source.known_language.name != "java" or len(path) < 3 or path[-2].type != DECLARED:
        return []
    name = source.text_of(path[-1])
    beside = [one for one in path[-3].named_children if one.type == DECLARED]
    return [one for one in beside if source.text_of(one.child_by_field_name("name")) == name]


def is_one_of_several(source: SourceText, path: Sequence[tree_sitter.Node]) -> bool:
    """Whether it is not known which overload a call means, as they take the same number of arguments."""
    numbers = [n_values(one) for one in overloads(source, path)]
    return len(numbers) > 1 and (None in numbers or len({*numbers}) < len(numbers))
