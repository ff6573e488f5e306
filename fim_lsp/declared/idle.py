"""Texts that do nothing: they parse, and hardly any programmer means them.

    total                a value as a statement of its own, which in Go does not even compile
    retries < retries    a value compared with itself, or assigned to itself
    range(count, count)  a name handed over twice in a row

In the standard library of Python a name is handed over twice in a row by 1% of the calls with two names, a
value is a statement by 1 in 700, and one name is compared with itself once in 1,126 comparisons of names.
Only what a text itself says counts: a statement that was begun in front of it may go on.
"""

from __future__ import annotations

from itertools import pairwise

import tree_sitter

from fim_lsp.declared.tree import nodes_between
from fim_lsp.document.syntax import encode_text, parser
from fim_lsp.known_languages import KnownLanguage

VALUES = frozenset(
    (
        "identifier",
        "attribute",
        "field_access",
        "member_expression",
        "selector_expression",
        "subscript",
        "subscript_expression",
        "index_expression",
        "array_access",
        "comparison_operator",
        "boolean_operator",
        "binary_operator",
        "binary_expression",
        "integer",
        "float",
        "number",
        "int_literal",
        "float_literal",
        "true",
        "false",
        "none",
        "null",
    )
)
# What is done within a value.
ACTS = frozenset(
    (
        "call",
        "call_expression",
        "method_invocation",
        "await",
        "await_expression",
        "yield",
        "yield_expression",
        "new_expression",
        "object_creation_expression",
        "assignment_expression",
        "named_expression",
        "update_expression",
        "unary_expression",
    )
)
COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "===", "!==", "is", "and", "or", "&&", "||"))
PAIRS = frozenset(("comparison_operator", "boolean_operator", "binary_expression"))
ASSIGNMENTS = frozenset(("assignment", "assignment_expression", "assignment_statement"))
ARGUMENTS = frozenset(("argument_list", "arguments"))
NAMES = frozenset(("identifier", "attribute", "field_access", "member_expression", "selector_expression"))
# At a module's margin of Python a notebook shows the last value.
SHOWS_VALUES = "module"


def is_idle(left: str, text: str, right: str, known_language: KnownLanguage) -> bool:
    """Whether a text does nothing between two others."""
    if known_language.blocks == "data" or not text.strip():
        return False
    content = encode_text(left + text + right)
    first = len(encode_text(left))
    last = first + len(encode_text(text))
    root = parser(known_language).parse(content).root_node
    return has_lone_value(root, first, last) or says_name_twice(root, first, last)


def has_lone_value(root: tree_sitter.Node, first: int, last: int) -> bool:
    """Whether a value is a statement of its own between two bytes."""
    return any(is_lone_value(node, first, last) for node in nodes_between(root, first, last))


def says_name_twice(root: tree_sitter.Node, first: int, last: int) -> bool:
    """Whether a name is compared with itself, assigned to itself or handed over twice in a row, the second
    time between two bytes."""
    return any(
        has_name_twice(node, first, last) or (first < node.end_byte <= last and is_pair_of_one(node))
        for node in nodes_between(root, first, last)
    )


def is_lone_value(node: tree_sitter.Node, first: int, last: int) -> bool:
    is_between = first <= node.start_byte and node.end_byte <= last
    if node.type != "expression_statement" or not is_between or node.named_child_count != 1:
        return False
    value, parent = node.named_children[0], node.parent
    is_shown = parent is not None and parent.type == SHOWS_VALUES
    return value.type in VALUES and not is_shown and not acts(value)


def acts(value: tree_sitter.Node) -> bool:
    """Whether anything is done within a value."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if node.type in ACTS:
            return True
        waiting += node.named_children
    return False


def is_pair_of_one(node: tree_sitter.Node) -> bool:
    """Whether a name is compared with itself, or assigned to itself."""
    if node.type in PAIRS:
        signs = {child.type for child in node.children} & COMPARISONS
    else:
        signs = {child.type for child in node.children} & {"="} if node.type in ASSIGNMENTS else set()
    if not signs or len(node.children) != 3:
        return False
    one, _, other = node.children
    return is_same_name(one, other)


def is_same_name(one: tree_sitter.Node, other: tree_sitter.Node) -> bool:
    # Both sides of an assignment of Go are lists.
    while one.type == other.type == "expression_list" and one.named_child_count == 1:
        if other.named_child_count != 1:
            return False
        one, other = one.named_children[0], other.named_children[0]
    return one.type in NAMES and other.type in NAMES and one.text == other.text


def has_name_twice(node: tree_sitter.Node, first: int, last: int) -> bool:
    """Whether a call gets one name twice in a row, the second time from the text."""
    if node.type not in ARGUMENTS:
        return False
    given = node.named_children
    return any(
        one.type == other.type == "identifier" and one.text == other.text and first < other.end_byte <= last
        for one, other in pairwise(given)
    )
