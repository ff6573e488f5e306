"""Roles of JavaScript's identifiers: each binds a name in a scope, uses one, or neither.

The scopes are those of the languages; where modes differ, the laxer mode's. So functions in blocks are
visible in all of the function around, as in scripts.

    function f(a, { b: [c] }) {     a, c: in the function; b is a key
      for (const d of a) g(d)       d: in the loop
    }

TypeScript's types have roles, too. A class, an enumeration and an import bind a value and a type. What a
namespace declares is seen in the whole file, as the parts of one may be declared at several places.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import tree_sitter

from fim_lsp.declared.tree import enclosing, field_of, root_of, text

IDENTIFIERS = frozenset(
    (
        "identifier",
        "type_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    )
)
FUNCTIONS = frozenset(
    (
        "program",
        "function_declaration",
        "function_expression",
        "generator_function_declaration",
        "generator_function",
        "arrow_function",
        "method_definition",
        "class_static_block",
        "function_signature",
    )
)
BLOCKS = FUNCTIONS | {"statement_block", "switch_body", "for_statement", "for_in_statement", "catch_clause"}
# The nodes between a name and its declaration, in destructuring: the field that it is in there.
PATTERNS = {
    "array_pattern": None,
    "object_pattern": None,
    "rest_pattern": None,
    "assignment_pattern": "left",
    "object_assignment_pattern": "left",
    "pair_pattern": "value",
}
DECLARED_FUNCTIONS = ("function_declaration", "generator_function_declaration", "function_signature")
DECLARED_VALUES = (
    "class_declaration",
    "abstract_class_declaration",
    "enum_declaration",
    "internal_module",
    "module",
)
NAMED_EXPRESSIONS = ("function_expression", "generator_function", "class")
TYPES = ("interface_declaration", "type_alias_declaration")
NAMESPACES = ("internal_module", "module", "ambient_declaration")
# The nodes that an inferred name may stand in.
INFERRED_IN = BLOCKS | {"type_alias_declaration", "interface_declaration"}
# What may follow an arrow's type of the result, and belongs to it.
BEHIND_ARROWS = ("intersection_type", "union_type", "conditional_type", "array_type", "lookup_type")
TAGS = ("jsx_opening_element", "jsx_self_closing_element", "jsx_closing_element")


class Plain(Enum):
    """The roles that bind nothing."""

    USE = "use"
    # Written to, which in scripts makes a global of it.
    TARGET = "target"
    TYPE_USE = "type use"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ScopeBinding:
    """Binds a value's name in all of a node."""

    scope: tree_sitter.Node


@dataclass(frozen=True, slots=True)
class TypeBinding:
    """Binds the name of a type, but not of a value, in all of a node."""

    scope: tree_sitter.Node


Role = ScopeBinding | TypeBinding | Plain


def role(node: tree_sitter.Node) -> Role:
    """The role of an identifier."""
    top, around = out_of_patterns(node)
    if around is None:
        return Plain.OTHER
    field = field_of(top, around)
    match around.type:
        case "variable_declarator":
            return bound_by_declarator(around) if field == "name" else Plain.USE
        case "for_in_statement" if field == "left":
            kind = around.child_by_field_name("kind")
            if kind is None:
                return Plain.TARGET
            return ScopeBinding(enclosing(around, FUNCTIONS) if kind.type == "var" else around)
        case "formal_parameters" | "required_parameter" | "optional_parameter":
            if field == "name":
                # The name of a part of a tuple.
                return Plain.OTHER
            is_bound = around.type == "formal_parameters" or field == "pattern"
            return ScopeBinding(with_parameters(around)) if is_bound else use_or_other(top)
        case "arrow_function" | "catch_clause" if field == "parameter":
            return ScopeBinding(around)
        case "assignment_expression" if field == "left":
            # TypeScript's trees have no node of its own for `using a = b`.
            is_declared = around.children[0].type == "using"
            return ScopeBinding(declaring_scope(around, BLOCKS)) if is_declared else Plain.TARGET
        case _ if top.type != node.type or node.type == "shorthand_property_identifier_pattern":
            # A pattern whose place is none of these; what binds is in doubt, and said so.
            return ScopeBinding(root_of(node))
    return named_role(node, around, field)


def named_role(node: tree_sitter.Node, around: tree_sitter.Node, field: str | None) -> Role:
    """The role of an identifier that is in no pattern."""
    kind = around.type
    if kind in DECLARED_FUNCTIONS and field == "name":
        return ScopeBinding(declaring_scope(around, FUNCTIONS))
    if kind in DECLARED_VALUES and field == "name":
        return ScopeBinding(declaring_scope(around, BLOCKS))
    if kind in NAMED_EXPRESSIONS and field == "name":
        return ScopeBinding(around)
    if kind in ("import_clause", "namespace_import", "import_require_clause", "import_alias"):
        is_first = kind != "import_alias" or around.named_children[0] == node
        return ScopeBinding(root_of(node)) if is_first else Plain.USE
    if kind == "import_specifier":
        has_alias = around.child_by_field_name("alias") is not None
        return ScopeBinding(root_of(node)) if field == "alias" or not has_alias else Plain.OTHER
    if kind == "nested_identifier":
        return part_of_a_dotted_name(node, around)
    if kind == "nested_type_identifier" and field == "module":
        return Plain.TYPE_USE
    if node.type == "type_identifier":
        return type_role(around, field)
    if kind in TAGS:
        return Plain.USE if text(node)[:1].isupper() else Plain.OTHER
    return use_or_other(node)


def type_role(around: tree_sitter.Node, field: str | None) -> Role:
    """The role of a type's name."""
    match around.type:
        case "nested_type_identifier":
            return Plain.OTHER
        case "infer_type":
            return TypeBinding(enclosing(around, INFERRED_IN))
        case "type_parameter" if field == "name":
            return TypeBinding(with_type_parameters(around))
        case "mapped_type_clause" if field == "name":
            return TypeBinding(ancestor(around, 2))
        case kind if kind in TYPES and field == "name":
            return TypeBinding(declaring_scope(around, BLOCKS))
    return Plain.TYPE_USE


def with_type_parameters(parameter: tree_sitter.Node) -> tree_sitter.Node:
    """What has a list of parameters of types. Of `new <T>() => A & B<T>` trees have `new <T>() => A` as one
    part, though the arrow takes all that follows."""
    scope = ancestor(parameter, 2)
    if scope.type == "constructor_type":
        while scope.parent is not None and scope.parent.type in BEHIND_ARROWS and is_first_in(scope):
            scope = scope.parent
    return scope


def is_first_in(node: tree_sitter.Node) -> bool:
    return node.parent is not None and node.parent.start_byte == node.start_byte


def declaring_scope(declaration: tree_sitter.Node, kinds: frozenset[str]) -> tree_sitter.Node:
    """The scope of a declaration somewhere."""
    scope = enclosing(declaration, kinds | {"statement_block"})
    around = scope.parent
    if around is None or scope.type != "statement_block":
        return scope
    if around.type in NAMESPACES:
        return root_of(scope)
    return scope if scope.type in kinds else enclosing(scope, kinds)


def ancestor(node: tree_sitter.Node, n_levels: int) -> tree_sitter.Node:
    for _ in range(n_levels):
        node = node.parent or node
    return node


def use_or_other(node: tree_sitter.Node) -> Role:
    around = node.parent
    if around is None or node.type not in ("identifier", "shorthand_property_identifier"):
        return Plain.OTHER
    if around.type in NEITHER or is_bundler_s_list(around):
        return Plain.OTHER
    if asks_whether_it_is_there(around):
        return Plain.OTHER
    return Plain.TYPE_USE if is_tag_s_type(around) else Plain.USE


def is_tag_s_type(around: tree_sitter.Node) -> bool:
    """Whether a name's parent is a tag's arguments of types, which trees have as a comparison with the text
    behind them: ``styled.b<Props>`color: red` ``.
    """
    whole = around
    while whole.parent is not None and whole.parent.type == "binary_expression":
        whole = whole.parent
    waiting, signs = [whole], set()
    while waiting:
        node = waiting.pop()
        if node.type == "binary_expression":
            waiting += [node.children[0], node.children[-1]]
            sign = text(node.children[1])
            if sign == "<" or (sign == ">" and node.children[-1].type == "template_string"):
                signs.add(sign)
    return len(signs) == 2


def asks_whether_it_is_there(around: tree_sitter.Node) -> bool:
    """Whether a name's parent is the `typeof` of a question whether there is such a name at all:
    `typeof define === "undefined"`, `typeof AsyncIterator === "function"`."""
    if around.type != "unary_expression" or around.children[0].type != "typeof":
        return False
    comparison = around.parent
    is_class = text(around.named_children[-1])[:1].isupper()
    kinds = ("undefined", "function", "object") if is_class else ("undefined",)
    return (
        comparison is not None
        and comparison.type == "binary_expression"
        and any(text(side)[1:-1] in kinds for side in comparison.named_children if side != around)
    )


def is_bundler_s_list(around: tree_sitter.Node) -> bool:
    """Whether an object is what bundlers write for who reads a module's exports without running it:
    `0 && (module.exports = { a, b })`.
    """
    whole = ancestor(around, 3) if around.type == "object" else None
    if whole is None or whole.type != "binary_expression":
        return False
    left = whole.child_by_field_name("left")
    return left is not None and text(left) == "0"


# The nodes whose identifiers are no values.
NEITHER = frozenset(
    (
        # An exported name has to be there, but may be a type; the engine's law of JavaScript knows the rest.
        "export_specifier",
        "namespace_export",
        "jsx_namespace_name",
        "type_predicate",
        "asserts",
        "index_signature",
        "labeled_statement",
    )
)


def part_of_a_dotted_name(node: tree_sitter.Node, around: tree_sitter.Node) -> Role:
    """`a` of `a.b`, if `a.b` is a tag or a namespace's name."""
    whole = around
    while whole.parent is not None and whole.parent.type == "nested_identifier":
        whole = whole.parent
    if whole.parent is None or node.start_byte != whole.start_byte:
        return Plain.OTHER
    if whole.parent.type in TAGS:
        return Plain.USE
    if whole.parent.type == "nested_type_identifier":
        return Plain.TYPE_USE
    return ScopeBinding(root_of(node)) if whole.parent.type in DECLARED_VALUES else Plain.OTHER


def out_of_patterns(node: tree_sitter.Node) -> tuple[tree_sitter.Node, tree_sitter.Node | None]:
    """The outermost pattern that an identifier is a target of, and what that stands in."""
    around = node.parent
    while around is not None and around.type in PATTERNS:
        field = PATTERNS[around.type]
        if field is not None and field_of(node, around) != field:
            break
        node, around = around, around.parent
    return node, around


def bound_by_declarator(declarator: tree_sitter.Node) -> Role:
    declaration = declarator.parent
    is_var = declaration is None or declaration.type == "variable_declaration"
    return ScopeBinding(declaring_scope(declarator, FUNCTIONS if is_var else BLOCKS))


def with_parameters(node: tree_sitter.Node) -> tree_sitter.Node:
    """The node with these parameters: a function, a method, a type."""
    while node.parent is not None and node.type != "formal_parameters":
        node = node.parent
    return node.parent or node
