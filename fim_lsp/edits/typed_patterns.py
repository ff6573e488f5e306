"""Members of a type of TypeScript where a whole object of it is taken apart, or written for a function that
takes one.

    function Dialog({ title, onClose }: Props)       { title, onDismiss: onClose }
    Dialog({ title: "a", onClose: leave })           onDismiss: leave
    <Dialog title="a" onClose={leave} />             onDismiss={leave}
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import tree_sitter

from fim_lsp.edits.source import SourceText

Path = Sequence[tree_sitter.Node]
PATTERN = "shorthand_property_identifier_pattern"
LITERAL = "shorthand_property_identifier"
# What stands for a variable besides: with another name it is not any more.
SHORTHANDS = (PATTERN, LITERAL)
PARAMETERS = ("required_parameter", "optional_parameter", "variable_declarator")
ELEMENTS = ("jsx_self_closing_element", "jsx_opening_element")
FUNCTIONS = ("function_declaration", "variable_declarator")
TYPE = re.compile(r"^:\s*(?:Readonly<)?([^\W\d]\w*)")


def is_in_object_of(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a key of an object that is said to be of a type: of one that is taken apart, of one
    that is given to a function, of an element's."""
    if len(path) < 4:
        return False
    if path[-2].type == "jsx_attribute" and path[-3].type in ELEMENTS:
        return taken_type(source, path[-3].child_by_field_name("name"), 0) == declared
    is_pair = path[-2].type in ("pair", "pair_pattern") and path[-2].child_by_field_name("key") == path[-1]
    if not is_pair and path[-1].type not in SHORTHANDS:
        return False
    at = len(path) - (3 if is_pair else 2)
    holder, around = path[at], path[at - 1]
    if holder.type == "object_pattern" and around.type in PARAMETERS:
        return type_said(source, around) == declared
    if holder.type != "object" or around.type != "arguments":
        return False
    called = path[at - 2].child_by_field_name("function")
    return taken_type(source, called, around.named_children.index(holder)) == declared


def type_said(source: SourceText, node: tree_sitter.Node) -> str:
    found = TYPE.match(source.text_of(node.child_by_field_name("type")))
    return found[1] if found else ""


def taken_type(source: SourceText, called: tree_sitter.Node | None, number: int) -> str:
    """The type that a function of the file takes at a place; nothing where several are called so."""
    if called is None or called.type != "identifier":
        return ""
    name = source.text_of(called)
    found = [one for start in source.places(name) if (one := function_at(source.path_to(start))) is not None]
    listed = found[0].child_by_field_name("parameters") if len(found) == 1 else None
    taken = [] if listed is None else [one for one in listed.named_children if one.type in PARAMETERS]
    return type_said(source, taken[number]) if number < len(taken) else ""


def function_at(path: Path) -> tree_sitter.Node | None:
    """The function whose name stands at the end of a path."""
    around = path[-2] if len(path) > 1 else path[-1]
    if around.type not in FUNCTIONS or around.child_by_field_name("name") != path[-1]:
        return None
    value = around.child_by_field_name("value") if around.type == "variable_declarator" else around
    return value if value is not None and value.child_by_field_name("parameters") is not None else None
