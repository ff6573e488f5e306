"""Wrong returns in Java and Go: with a value where none is allowed, or with a wrong number of values.

void close() { return 1; }          func load() ([]byte, error) { return nil }

A return that a model copies from the function above does not compile in the next one. Types are unknown here,
so a returned call may have any number of values.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.declared.tree import enclosing, nodes_between
from fim_lsp.known_languages import GO, JAVA, JAVASCRIPT

FUNCTIONS = {
    JAVA.family: frozenset(
        (
            "method_declaration",
            "constructor_declaration",
            "compact_constructor_declaration",
            "lambda_expression",
            "static_initializer",
            "class_body",
        )
    ),
    GO.family: frozenset(("function_declaration", "method_declaration", "func_literal")),
    JAVASCRIPT.family: frozenset(
        (
            "function_declaration",
            "function_expression",
            "generator_function_declaration",
            "generator_function",
            "method_definition",
            "arrow_function",
        )
    ),
}
CONSTRUCTORS = ("constructor_declaration", "compact_constructor_declaration")
COMMENTS = ("comment", "line_comment", "block_comment")


def wrong_returns(
    family: str, root: tree_sitter.Node, first: int, last: int
) -> Iterator[tuple[tree_sitter.Node, str]]:
    """The wrong or missing values of returns between two bytes of a file, each with the reason."""
    for node in nodes_between(root, first, last):
        if node.type == "return_statement" and not node.has_error:
            yield from wrong_in(family, node, first, last)


def wrong_in(
    family: str, statement: tree_sitter.Node, first: int, last: int
) -> Iterator[tuple[tree_sitter.Node, str]]:
    function = enclosing(statement, FUNCTIONS[family])
    wanted = n_wanted_in_java(function) if family == JAVA.family else n_wanted_in_go(function)
    found = values(statement)
    place = found[-1] if found else statement.children[0]
    if wanted is None or not first < place.end_byte <= last:
        return
    is_unknown = len(found) == 1 and wanted > 1 and is_call(found[0])
    if len(found) == wanted or is_unknown or (not found and has_named_results(function)):
        return
    yield place, "cannot be returned here" if not wanted else f"is not what is returned here: {wanted}"


def is_call(value: tree_sitter.Node) -> bool:
    """Whether a value is a call. In Go's trees `f[int](a)` is a conversion."""
    while value.type == "parenthesized_expression" and value.named_children:
        value = value.named_children[0]
    kind = value.child_by_field_name("type") if value.type == "type_conversion_expression" else None
    return value.type == "call_expression" or (kind is not None and kind.type == "generic_type")


def says_nothing(family: str, root: tree_sitter.Node, place: int) -> bool:
    """Whether a `return` without a value stands at the end of a function, which ends there anyway."""
    node = root.descendant_for_byte_range(place, place + 1)
    statement = None if node is None else enclosing(node, frozenset(("return_statement",)))
    if statement is None or statement.type != "return_statement" or values(statement):
        return False
    behind, block = statement.next_named_sibling, statement.parent
    while behind is not None and behind.type in COMMENTS:
        behind = behind.next_named_sibling
    while block is not None and block.type == "statement_list":
        block = block.parent
    body = enclosing(statement, FUNCTIONS[family]).child_by_field_name("body")
    return behind is None and body is not None and block == body


def values(statement: tree_sitter.Node) -> list[tree_sitter.Node]:
    said = [one for one in statement.named_children if one.type not in COMMENTS]
    if len(said) == 1 and said[0].type == "expression_list":
        return [one for one in said[0].named_children if one.type not in COMMENTS]
    return said


def n_wanted_in_java(function: tree_sitter.Node) -> int | None:
    """How many values a function has to return; None where that is unknown."""
    if function.type in CONSTRUCTORS:
        return 0
    kind = function.child_by_field_name("type")
    if function.type != "method_declaration" or kind is None:
        return None
    return 0 if kind.type == "void_type" else 1


def n_wanted_in_go(function: tree_sitter.Node) -> int | None:
    if function.type not in FUNCTIONS[GO.family]:
        return None
    result = function.child_by_field_name("result")
    if result is None:
        return 0
    if result.type != "parameter_list":
        return 1
    return sum(max(1, len(one.children_by_field_name("name"))) for one in results_in(result))


def has_named_results(function: tree_sitter.Node) -> bool:
    """Whether a bare `return` is enough, because the function's results have names."""
    result = function.child_by_field_name("result")
    named = results_in(result) if result is not None and result.type == "parameter_list" else []
    return any(one.child_by_field_name("name") is not None for one in named)


def results_in(result: tree_sitter.Node) -> list[tree_sitter.Node]:
    return [one for one in result.named_children if one.type == "parameter_declaration"]
