"""Meanings of Java's identifiers: each binds a variable, a method or a type, from somewhere on, or uses one.

Names of variables, methods and types are three kinds. A name in front of a dot may be a variable or a type;
if a name like a type's follows, it may also be a package, which does not count as a name of the file.

    class Shop<T> {                                   T: a type in all of the class
        int total(List<T> of) { return sum(of); }     sum: a method
        if (x instanceof Cart c) c.clear();           c: a variable in all of the method, just in case
    }
"""

from __future__ import annotations

import tree_sitter

from fim_lsp.declared.scopes import Bound, Meaning, Naming, Used
from fim_lsp.declared.tree import enclosing, field_of, text

VARIABLE, METHOD, TYPE = frozenset({"variable"}), frozenset({"method"}), frozenset({"type"})
TYPES = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    }
)
# Nodes with members: a type, a constant of an enum and an object with a body of their own, and a file without
# a class.
WITH_MEMBERS = TYPES | {"object_creation_expression", "enum_constant", "program"}
METHODS = frozenset(
    {
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
        "lambda_expression",
    }
)
BLOCKS = (
    WITH_MEMBERS
    | METHODS
    | {
        "block",
        "constructor_body",
        "switch_block",
        "for_statement",
        "enhanced_for_statement",
        "try_with_resources_statement",
        "catch_clause",
        "static_initializer",
    }
)
# The nodes in which the names of parameters hold.
WITH_PARAMETERS = METHODS | {"record_declaration", "catch_clause", "program"}
# Where a name stands that nothing in the file has to declare: a package's, a label, a constant in `case`.
UNDECLARED = frozenset(
    {
        "package_declaration",
        "import_declaration",
        "scoped_identifier",
        "labeled_statement",
        "break_statement",
        "continue_statement",
        "switch_label",
        "receiver_parameter",
        "constructor_declaration",
        "compact_constructor_declaration",
        "module_declaration",
        "requires_module_directive",
        "exports_module_directive",
        "opens_module_directive",
        "uses_module_directive",
        "provides_module_directive",
    }
)
PATTERNS = ("type_pattern", "record_pattern_component")
# In front of a type's name, and no owner of it: `new @A <B> C()`.
BESIDE_TYPES = ("type_arguments", "annotation", "marker_annotation")


def meaning(node: tree_sitter.Node) -> Meaning:
    """The meaning of an identifier."""
    around = node.parent
    if around is None or around.type in UNDECLARED:
        return None
    if node.type == "type_identifier":
        return of_type(node, around)
    field = field_of(node, around)
    if around.type in TYPES and field == "name":
        return of_declared_type(around)
    if field == "name" and (found := of_member_or_variable(around)) is not None:
        return found
    if around.type in PATTERNS:
        return all_of(enclosing(around, METHODS | WITH_MEMBERS), VARIABLE)
    match around.type:
        case "inferred_parameters":
            return all_of(enclosing(around, METHODS), VARIABLE)
        case "lambda_expression" if field == "parameters":
            return all_of(around, VARIABLE)
        case "method_invocation" if field == "name":
            return Used(METHOD) if around.child_by_field_name("object") is None else None
        case "method_invocation" | "field_access" if field == "object":
            return None if may_be_package(node, around) else Used(VARIABLE | TYPE)
        case "method_reference":
            return Used(VARIABLE | TYPE) if around.children[0] == node else None
        case "annotation" | "marker_annotation" | "record_pattern":
            return Used(TYPE)
        case "element_value_pair" if field == "key":
            return None
        case "field_access":
            return None
    return Used(VARIABLE)


def of_type(node: tree_sitter.Node, around: tree_sitter.Node) -> Meaning:
    """A name that stands for a type, or declares a type's parameter."""
    if around.type == "type_parameter":
        return all_of(enclosing(around, METHODS | TYPES), TYPE)
    if around.type == "scoped_type_identifier":
        is_first = around.named_children[0] == node
        return Used(TYPE) if is_first and text(node)[:1].isupper() else None
    if around.type == "object_creation_expression" and has_owner(around, node):
        return None
    return Used(TYPE)


def has_owner(creation: tree_sitter.Node, kind: tree_sitter.Node) -> bool:
    """Whether a new object's type is another object's: `outer.new Inner()`."""
    first = next(one for one in creation.named_children if one.type not in BESIDE_TYPES)
    return first != kind


def of_declared_type(declaration: tree_sitter.Node) -> Bound:
    around = enclosing(declaration, BLOCKS)
    if around.type in WITH_MEMBERS:
        return all_of(around, TYPE)
    return Bound(declaration.start_byte, around.end_byte, TYPE)


def of_member_or_variable(around: tree_sitter.Node) -> Bound | None:
    """The member or variable that a node with this name declares."""
    match around.type:
        case "method_declaration" | "annotation_type_element_declaration":
            return all_of(enclosing(around, WITH_MEMBERS), METHOD)
        case "enum_constant":
            return all_of(enclosing(around, WITH_MEMBERS), VARIABLE)
        case "variable_declarator":
            return of_declarator(around)
        case "formal_parameter" | "catch_formal_parameter":
            return of_parameter(around)
        case "enhanced_for_statement":
            return all_of(around, VARIABLE)
        case "resource":
            return all_of(enclosing(around, BLOCKS), VARIABLE)
        case "instanceof_expression":
            return all_of(enclosing(around, METHODS | WITH_MEMBERS), VARIABLE)
    return None


def of_parameter(parameter: tree_sitter.Node) -> Bound:
    """A parameter; a record's are fields and methods of its own."""
    scope = enclosing(parameter, WITH_PARAMETERS)
    return all_of(scope, VARIABLE | METHOD if scope.type == "record_declaration" else VARIABLE)


def of_declarator(declarator: tree_sitter.Node) -> Bound:
    declaration = declarator.parent
    if declaration is None or declaration.type in ("field_declaration", "constant_declaration"):
        return all_of(enclosing(declarator, WITH_MEMBERS), VARIABLE)
    if declaration.type == "spread_parameter":
        return of_parameter(declaration)
    block = enclosing(declaration, BLOCKS)
    # At the margin of a file without a class it is a field.
    if block.type == "program":
        return all_of(block, VARIABLE)
    return Bound(declarator.start_byte, block.end_byte, VARIABLE)


def may_be_package(node: tree_sitter.Node, around: tree_sitter.Node) -> bool:
    """Whether the first of several names with dots may be a package's: in `java.util.List.of()`, where a
    later one is written like a type's. In `a.b()` and `a.b` it is none."""
    if text(node)[:1].isupper():
        return False
    part: tree_sitter.Node | None = around
    while part is not None and part.type == "field_access":
        name = part.child_by_field_name("field")
        if name is not None and text(name)[:1].isupper():
            return True
        part = part.parent
    return False


def all_of(scope: tree_sitter.Node, kinds: frozenset[str]) -> Bound:
    return Bound(scope.start_byte, scope.end_byte, kinds)


NAMING = Naming(frozenset({"identifier", "type_identifier"}), meaning)
