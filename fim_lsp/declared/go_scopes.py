"""Meanings of Go's identifiers: each binds a name in a block, from its declaration on, or uses one.

Go has one kind of names: of variables, types, functions, constants and packages alike. Declarations at a
package's own level hold in all of the file.

    if x, err := f(); err != nil {       x, err: in all branches
        return err
    }
    T{key: value}                        key may be a field's name, which is none
"""

from __future__ import annotations

import tree_sitter

from fim_lsp.declared.scopes import Bound, Meaning, Naming, Used
from fim_lsp.declared.tree import enclosing, field_of, root_of

FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal", "source_file"})
# Types of functions have parameters, too, which nothing can use.
WITH_PARAMETERS = FUNCTIONS | {"function_type", "method_elem"}
BLOCKS = FUNCTIONS | {
    "block",
    "expression_case",
    "type_case",
    "default_case",
    "communication_case",
    "if_statement",
    "for_statement",
    "expression_switch_statement",
    "type_switch_statement",
}
PARAMETERS = ("parameter_declaration", "variadic_parameter_declaration")
# The nodes with a row of names on their left, which they bind where `:=` stands behind them.
TARGETS = ("short_var_declaration", "range_clause", "receive_statement")
LISTS = ("map_type", "array_type", "slice_type", "implicit_length_array_type")


def meaning(node: tree_sitter.Node) -> Meaning:
    """The meaning of an identifier."""
    around = node.parent
    if around is None:
        return None
    field = field_of(node, around)
    if node.type == "package_identifier":
        return of_package(node, around, field)
    if around.type == "expression_list" and around.parent is not None:
        return of_row(around, around.parent)
    match around.type:
        case "function_declaration" if field == "name":
            return everywhere(node)
        case "qualified_type":
            return None
        case "type_spec" | "type_alias" if field == "name":
            return from_here(around, around.start_byte)
        case "const_spec" | "var_spec" if field == "name":
            return from_here(around, around.end_byte)
        case "type_parameter_declaration" if field == "name":
            return all_of(enclosing(around, frozenset({"function_declaration", "type_spec", "type_alias"})))
        case kind if kind in PARAMETERS and (field == "name" or is_name_of_row(around)):
            return all_of(enclosing(around, WITH_PARAMETERS))
        case "type_elem" if node.type == "type_identifier" and is_of_receiver(around):
            return all_of(enclosing(around, frozenset({"method_declaration"})))
        case "literal_element" if is_key(around):
            return Used() if is_key_of_list(around) else None
    return Used()


def of_package(node: tree_sitter.Node, around: tree_sitter.Node, field: str | None) -> Meaning:
    if around.type == "import_spec" and field == "name":
        return everywhere(node)
    return Used() if around.type == "qualified_type" else None


def of_row(row: tree_sitter.Node, around: tree_sitter.Node) -> Meaning:
    """An identifier in a row of expressions or of targets."""
    field = field_of(row, around)
    if around.type == "type_switch_statement" and field == "alias":
        return Bound(row.end_byte, around.end_byte)
    if around.type not in TARGETS or field != "left" or all(one.type != ":=" for one in around.children):
        return Used()
    if around.type == "range_clause":
        return Bound(around.end_byte, enclosing(around, BLOCKS).end_byte)
    return from_here(around, around.end_byte)


def from_here(declaration: tree_sitter.Node, start: int) -> Bound:
    """From a declaration to the end of its block; all of the file at a package's own level."""
    block = enclosing(declaration, BLOCKS)
    return everywhere(block) if block.type == "source_file" else Bound(start, block.end_byte)


def everywhere(node: tree_sitter.Node) -> Bound:
    return all_of(root_of(node))


def all_of(scope: tree_sitter.Node) -> Bound:
    return Bound(scope.start_byte, scope.end_byte)


def is_of_receiver(argument: tree_sitter.Node) -> bool:
    """Whether a type's argument is a receiver's and so names a parameter: `func (l *List[T]) Len()`."""
    parameters = enclosing(argument, frozenset({"parameter_list", "type_parameter_list", "source_file"}))
    method = parameters.parent
    return (
        method is not None
        and method.type == "method_declaration"
        and field_of(parameters, method) == "receiver"
    )


def is_name_of_row(parameter: tree_sitter.Node) -> bool:
    """Whether a parameter is a name, although the tree has a type: all parameters have names or none has, and
    of a long row (`a, b, c int`) the tree reads only the last ones as names."""
    around = parameter.parent
    return (
        around is not None
        and parameter.child_by_field_name("name") is None
        and any(one.child_by_field_name("name") is not None for one in around.named_children)
    )


def is_key(element: tree_sitter.Node) -> bool:
    around = element.parent
    return around is not None and around.type == "keyed_element" and field_of(element, around) == "key"


def is_key_of_list(element: tree_sitter.Node) -> bool:
    """Whether a key is visibly a map's or a list's, and so no field's name."""
    literal = element.parent and element.parent.parent and element.parent.parent.parent
    if literal is None or literal.type != "composite_literal":
        return False
    kind = literal.child_by_field_name("type")
    return kind is not None and kind.type in LISTS


NAMING = Naming(frozenset({"identifier", "type_identifier", "package_identifier"}), meaning)
