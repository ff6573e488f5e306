"""Variables that are declared again in their scope, which Java and Go do not compile.

    double total = 0;
    for (Item item : items) {
        double total = 0;         Java: not in a block within either
    }

    n := 0
    n := 1                        Go: in the same block, and nothing beside it is new

A text's declaration is wrong, or makes a declaration behind it wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.declared import go_scopes, java_scopes
from fim_lsp.declared.tree import contains, enclosing, is_broken, spans_of, text

# The declarations of Java's variables that hold in blocks, each by the field `name`.
LOCALS = frozenset(
    (
        "variable_declarator",
        "formal_parameter",
        "catch_formal_parameter",
        "enhanced_for_statement",
        "resource",
    )
)
HANDLERS = ("catch_clause", "finally_clause")
NO_VARIABLE = "_"


def variables_again_in_java(
    root: tree_sitter.Node, content: bytes, first: int, last: int
) -> Iterator[tree_sitter.Node]:
    """The local variables between two bytes of which a block around has another one, and the types that are
    called like one around them."""
    for node in named_between(root, first, last):
        around = node.parent
        if around is None or is_broken(node):
            continue
        is_type_again = around.type in java_scopes.TYPES and is_within_type(around, text(node))
        others = locals_called(text(node), node, root, content) if is_local(around) else iter(())
        if is_type_again or any(overlap(around, other) for other in others):
            yield node


def named_between(root: tree_sitter.Node, first: int, last: int) -> Iterator[tree_sitter.Node]:
    """The names declared between two bytes."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        name = node.child_by_field_name("name")
        if name is not None and first < name.end_byte <= last:
            yield name
        waiting += [
            child for child in node.named_children if child.start_byte < last and child.end_byte > first
        ]


def is_within_type(declaration: tree_sitter.Node, name: str) -> bool:
    around = declaration.parent
    while around is not None:
        if around.type in java_scopes.TYPES:
            own = around.child_by_field_name("name")
            if own is not None and text(own) == name:
                return True
        around = around.parent
    return False


def is_local(declaration: tree_sitter.Node) -> bool:
    if declaration.type not in LOCALS or declaration.parent is None:
        return False
    return declaration.parent.type not in ("field_declaration", "constant_declaration")


def locals_called(
    name: str, own: tree_sitter.Node, root: tree_sitter.Node, content: bytes
) -> Iterator[tree_sitter.Node]:
    """The other declarations of a local variable of that name in the same method."""
    method = method_of(own)
    for start, stop in spans_of(name.encode(), content[: method.end_byte]):
        if start < method.start_byte or start == own.start_byte:
            continue
        node = root.descendant_for_byte_range(start, stop)
        declaration = None if node is None else node.parent
        if node is None or declaration is None or is_broken(node) or not is_local(declaration):
            continue
        if declaration.child_by_field_name("name") == node and method_of(node) == method:
            yield declaration


def method_of(node: tree_sitter.Node) -> tree_sitter.Node:
    """The method around, through lambdas: a class within it has variables of its own."""
    kinds = (java_scopes.METHODS - {"lambda_expression"}) | java_scopes.WITH_MEMBERS | {"static_initializer"}
    return enclosing(node, kinds)


def overlap(one: tree_sitter.Node, other: tree_sitter.Node) -> bool:
    """Whether one of two local variables is in scope where the other one is declared."""
    early, late = (one, other) if one.start_byte < other.start_byte else (other, one)
    scope = early if early.type == "enhanced_for_statement" else enclosing(early, java_scopes.BLOCKS)
    if scope.type == "try_with_resources_statement":
        # What is opened is closed by the time an error is caught.
        handlers = (one for one in scope.named_children if one.type in HANDLERS)
        if any(contains(one, late) for one in handlers):
            return False
    if early.type == "formal_parameter":
        scope = enclosing(early, java_scopes.METHODS)
    arm = enclosing(early, frozenset({"switch_rule", *java_scopes.BLOCKS}))
    if arm.type == "switch_rule":
        scope = arm
    return scope.start_byte <= late.start_byte and late.end_byte <= scope.end_byte


def variables_again_in_go(root: tree_sitter.Node, first: int, last: int) -> Iterator[tree_sitter.Node]:
    """The first names of the declarations between two bytes that declare nothing new in their block, or
    because of which one behind them does not."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        children = [
            child for child in node.named_children if child.start_byte < last and child.end_byte > first
        ]
        waiting += children
        new = [one for one in children if names_of(one) and first < names_of(one)[-1].end_byte <= last]
        if new and node.type == "statement_list" and not is_broken(node):
            others = [one for one in node.named_children if one not in new]
            before = {one.start_byte for one in nothing_new(node, others)}
            found = [one for one in nothing_new(node, node.named_children) if one.start_byte not in before]
            for one in found:
                yield names_of(one if one in new else new[0])[0]


def nothing_new(block: tree_sitter.Node, statements: list[tree_sitter.Node]) -> Iterator[tree_sitter.Node]:
    known = parameters_of(block)
    for statement in statements:
        names = {text(name) for name in names_of(statement)} - {NO_VARIABLE}
        is_short = statement.type == "short_var_declaration"
        if names and (names <= known if is_short else names & known):
            yield statement
        known |= names


def names_of(statement: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The variables that a statement declares."""
    if statement.type == "short_var_declaration":
        left = statement.child_by_field_name("left")
        return [] if left is None else [one for one in left.named_children if one.type == "identifier"]
    if statement.type in ("var_declaration", "const_declaration"):
        specs = [one for one in statement.named_children if one.type in ("var_spec", "const_spec")]
        # The field has the commas of constants, too.
        return [name for one in specs for name in one.children_by_field_name("name") if name.is_named]
    return []


def parameters_of(block: tree_sitter.Node) -> set[str]:
    """The parameters and results of a function, which share a block with its body's variables."""
    function = block.parent.parent if block.parent is not None else None
    if function is None or function.type not in go_scopes.FUNCTIONS:
        return set()
    lists = [function.child_by_field_name(field) for field in ("receiver", "parameters", "result")]
    rows = [
        one for row in lists if row is not None and row.type == "parameter_list" for one in row.named_children
    ]
    return {text(name) for one in rows for name in one.children_by_field_name("name")} - {NO_VARIABLE}
