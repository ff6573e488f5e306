"""Variables of JavaScript and TypeScript that are used in their own value, where they have none yet.

const path = path.join(a);        const walk = (node) => node.children.map(walk)
             wrong                                      called later
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.declared.tree import contains, is_broken, nodes_between, text

USES = frozenset(("identifier", "shorthand_property_identifier"))
# What stands in these runs later, or has names of its own, or is a type.
APART = frozenset(
    (
        "arrow_function",
        "class",
        "class_declaration",
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
        "statement_block",
        "type_query",
    )
)


def used_in_own_value(root: tree_sitter.Node, first: int, last: int) -> Iterator[tree_sitter.Node]:
    """The uses between two bytes of a variable in its own value."""
    for node in nodes_between(root, first, last):
        is_within = first <= node.start_byte and node.end_byte <= last
        if node.type in USES and is_within and not is_broken(node) and is_in_own_value(node):
            yield node


def is_in_own_value(use: tree_sitter.Node) -> bool:
    node = use
    while (around := node.parent) is not None and around.type not in APART:
        if around.type == "variable_declarator":
            name, value = around.child_by_field_name("name"), around.child_by_field_name("value")
            is_read = is_lexical(around.parent)
            if name is not None and value is not None and is_read and contains(value, use):
                return name.type == "identifier" and text(name) == text(use)
        node = around
    return False


def is_lexical(statement: tree_sitter.Node | None) -> bool:
    """Whether a statement is a `const` or `let` that can be read; Flow's types, for one, cannot."""
    return statement is not None and statement.type == "lexical_declaration" and not statement.has_error
