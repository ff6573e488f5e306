"""Variables of Go that a text declares and nothing uses, which Go does not build.

The user's next keys may use a variable, so it is certain only if the text itself has closed its block:

    if n, err := f(); err != nil { return }       n is not used, and nothing behind it could
    n := f()                                      not known yet
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.declared.go_scopes import NAMING, TARGETS
from fim_lsp.declared.scopes import Bound, Used, identifiers_between
from fim_lsp.declared.tree import is_broken, is_in_broken_statement, spans_of, text

SPECIFIED = ("var_spec",)
# Names that trees never have as such, though variables may be called so.
CONSTANTS = ("true", "false", "nil", "iota")


def unused_variables(
    root: tree_sitter.Node, content: bytes, first: int, last: int
) -> Iterator[tree_sitter.Node]:
    """The variables between two bytes that nothing uses nor will, in the file's order."""
    for node in identifiers_between(NAMING, root, first, last):
        bound = NAMING.meaning(node)
        if not isinstance(bound, Bound) or not is_variable(node) or text(node) == "_" or is_broken(node):
            continue
        is_inside = first <= node.start_byte and bound.stop <= last
        if is_inside and not is_in_broken_statement(node) and not is_used(node, bound, root, content):
            yield node


def is_variable(node: tree_sitter.Node) -> bool:
    """Whether a name is a variable that has to be used: neither a parameter nor a package's variable."""
    row = node.parent
    around = row.parent if row is not None and row.type == "expression_list" else row
    if around is None or around.type not in (*TARGETS, *SPECIFIED, "type_switch_statement"):
        return False
    return around.type != "var_spec" or not is_at_top(around)


def is_at_top(node: tree_sitter.Node) -> bool:
    while node.parent is not None and node.type != "block":
        node = node.parent
    return node.type != "block"


def is_used(node: tree_sitter.Node, bound: Bound, root: tree_sitter.Node, content: bytes) -> bool:
    """Whether anything uses a name where it holds. An assignment counts, too, and so does one that
    declares it once more in the same block: which of them is a new one is not said here."""
    for start, stop in spans_of(text(node).encode(), content):
        if not bound.start <= start < bound.stop:
            continue
        other = root.descendant_for_byte_range(start, stop)
        if other is None or is_broken(other) or other.type in CONSTANTS:
            return True
        if other.type in NAMING.identifiers and (
            isinstance(NAMING.meaning(other), Used) or may_be_key(other)
        ):
            return True
    return is_declared_before(node, bound, content, root)


def may_be_key(node: tree_sitter.Node) -> bool:
    """Whether a name is a key of a literal: a field's name, or a value in a map's."""
    return node.parent is not None and node.parent.type == "literal_element"


def is_declared_before(node: tree_sitter.Node, bound: Bound, content: bytes, root: tree_sitter.Node) -> bool:
    """Whether a name has been declared in the same block already, and is only assigned to here."""
    for start, stop in spans_of(text(node).encode(), content[: node.start_byte]):
        other = root.descendant_for_byte_range(start, stop)
        meant = NAMING.meaning(other) if other is not None and other.type in NAMING.identifiers else None
        if isinstance(meant, Bound) and meant.start <= node.start_byte and meant.stop >= bound.stop:
            return True
    return False
