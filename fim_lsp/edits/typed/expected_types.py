"""The types that object literals must have, in TypeScript and Go, by the declarations of the variables and
parameters that get them.

    const all: User[] = [{ name: "a" }]          store.add({ name: "a" })
    function make(): User { return { name } }    []User{{Name: "a"}}
"""

from __future__ import annotations

import tree_sitter

from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.declared_members import members_called
from fim_lsp.edits.typed.object_types import (
    DEEPEST,
    function_named,
    held_and_member,
    member_type,
    type_of,
)
from fim_lsp.edits.typed.written_types import bare_name, item_type, mapped_type, promised_type

FUNCTIONS = (
    "function_declaration", "arrow_function", "method_definition", "function_expression",
    "generator_function_declaration",
)  # fmt: skip
TYPED = ("variable_declarator", "public_field_definition", "required_parameter", "optional_parameter")
# Nodes around a literal that have its type.
THROUGH = ("parenthesized_expression", "ternary_expression", "binary_expression", "await_expression")
PUTTING = ("push", "unshift", "add", "fill")


def expected_type(source: SourceText, node: tree_sitter.Node, depth: int = 0) -> str:
    """The type that a literal must have; empty if it is not known."""
    around = node.parent
    if around is None or depth > DEEPEST:
        return ""
    depth += 1
    match around.type:
        case kind if kind in TYPED:
            return source.text_of(around.child_by_field_name("type"))
        case kind if kind in THROUGH:
            return expected_type(source, around, depth)
        case "as_expression" | "satisfies_expression":
            return source.text_of(around.named_children[-1])
        case "assignment_expression":
            return type_of(source, around.child_by_field_name("left"), depth)
        case "array" | "literal_element":
            return item_type(expected_type(source, around, depth))
        case "literal_value":
            return expected_type(source, around, depth)
        case "keyed_element":
            return expected_type(source, around, depth)
        case "composite_literal":
            return source.text_of(around.child_by_field_name("type"))
        case "pair" if around.parent is not None:
            name = bare_name(expected_type(source, around.parent, depth))
            return member_type(source, name, source.text_of(around.child_by_field_name("key")))
        case "return_statement":
            return given_back(source, around)
        case "arrow_function":
            return promised_type(source.text_of(around.child_by_field_name("return_type")))
        case "arguments":
            return taken_type_at(source, around, around.named_children.index(node), depth)
    return ""


def given_back(source: SourceText, node: tree_sitter.Node) -> str:
    """The declared result type of the function around a place."""
    one = node.parent
    while one is not None and one.type not in FUNCTIONS:
        one = one.parent
    return "" if one is None else promised_type(source.text_of(one.child_by_field_name("return_type")))


def taken_type_at(source: SourceText, listed: tree_sitter.Node, number: int, depth: int) -> str:
    """The type of a call's parameter at a position."""
    call = listed.parent
    called = (
        None
        if call is None
        else call.child_by_field_name("function") or call.child_by_field_name("constructor")
    )
    if call is None or called is None:
        return ""
    given = call.child_by_field_name("type_arguments")
    if given is not None and len(given.named_children) == 1 and number == 0:
        # `useState<User>({ name: "a" })`
        return source.text_of(given.named_children[0])
    if call.type == "new_expression":
        return parameter_type(source, method_of(source, source.text_of(called), "constructor"), number)
    if called.type == "identifier":
        return parameter_type(source, function_named(source, called), number)
    held, member = held_and_member(called)
    said, name = type_of(source, held, depth), source.text_of(member)
    if name in PUTTING and item_type(said):
        return item_type(said)
    if name == "set" and number == 1 and mapped_type(said):
        return mapped_type(said)
    return parameter_type(source, method_of(source, bare_name(said), name), number)


def method_of(source: SourceText, type_name: str, name: str) -> tree_sitter.Node | None:
    """The method of a type, declared once."""
    found = members_called(source, name).get(type_name, ()) if type_name else ()
    return found[0][-2] if len(found) == 1 else None


def parameter_type(source: SourceText, function: tree_sitter.Node | None, number: int) -> str:
    listed = None if function is None else function.child_by_field_name("parameters")
    taken = [] if listed is None else [one for one in listed.named_children if one.type != "comment"]
    if number < len(taken):
        return source.text_of(taken[number].child_by_field_name("type"))
    return ""
