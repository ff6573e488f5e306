"""Renamed members of a TypeScript type in destructuring patterns, and in object literals passed to a
function.

    function Dialog({ title, onClose }: Props)       { title, onDismiss: onClose }
    Dialog({ title: "a", onClose: leave })           onDismiss: leave
    <Dialog title="a" onClose={leave} />             onDismiss={leave}
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.texts.lent_names import declared_name
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.handed_names import PATTERN, SHORTHAND
from fim_lsp.edits.typed.object_types import pattern_type
from fim_lsp.edits.typed.written_types import bare_name

Path = Sequence[tree_sitter.Node]
# Shorthands, which also name a variable; a rename separates the two.
SHORTHANDS = (PATTERN, SHORTHAND)
PARAMETERS = ("required_parameter", "optional_parameter", "variable_declarator")
ELEMENTS = ("jsx_self_closing_element", "jsx_opening_element")
FUNCTIONS = ("function_declaration", "variable_declarator")
CLASSES = ("class_declaration", "abstract_class_declaration")
TYPE = re.compile(r"^:\s*(?:Readonly<)?([^\W\d]\w*)")


def is_in_object_of(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a key of an object of a type: in a destructuring pattern, in an argument of one of
    the file's functions, or in an element's attributes."""
    if len(path) < 4:
        return False
    holder, around = holder_of(path)
    if holder is not None and around is not None and holder.type == "object_pattern":
        return declared_name(source, bare_name(pattern_type(source, holder))) == declared
    name, number = function_given(source, path)
    return bool(name) and taken_type(source, name, number) == declared


def function_given(source: SourceText, path: Path) -> tuple[str, int]:
    """The function, or the constructed class, that gets the object with this key as an argument, and its
    position; empty elsewhere."""
    if len(path) < 4:
        return "", 0
    if path[-2].type == "jsx_attribute" and path[-3].type in ELEMENTS:
        return source.text_of(path[-3].child_by_field_name("name")), 0
    holder, around = holder_of(path)
    if holder is None or around is None or holder.type != "object" or around.type != "arguments":
        return "", 0
    call = around.parent
    called = None
    if call is not None:
        called = call.child_by_field_name("function") or call.child_by_field_name("constructor")
    return source.text_of(called), around.named_children.index(holder)


def holder_of(path: Path) -> tuple[tree_sitter.Node | None, tree_sitter.Node | None]:
    """The object with this key, and the node around the object."""
    is_pair = path[-2].type in ("pair", "pair_pattern") and path[-2].child_by_field_name("key") == path[-1]
    if not is_pair and path[-1].type not in SHORTHANDS:
        return None, None
    is_inner = is_pair or path[-2].type == "object_assignment_pattern"
    at = len(path) - (3 if is_inner else 2)
    return path[at], path[at - 1]


def type_said(source: SourceText, node: tree_sitter.Node) -> str:
    found = TYPE.match(source.text_of(node.child_by_field_name("type")))
    return found[1] if found else ""


@lru_cache(maxsize=256)
def taken_type(source: SourceText, name: str, number: int) -> str:
    """The type of a function's parameter at a position; empty if several functions share the name."""
    found = [one for start in source.places(name) if (one := function_at(source.path_to(start))) is not None]
    listed = found[0].child_by_field_name("parameters") if len(found) == 1 else None
    taken = [] if listed is None else [one for one in listed.named_children if one.type in PARAMETERS]
    return type_said(source, taken[number]) if number < len(taken) else ""


def function_at(path: Path) -> tree_sitter.Node | None:
    """The function whose name stands at the end of a path; of a class, its constructor."""
    around = path[-2] if len(path) > 1 else path[-1]
    if around.type in CLASSES and around.child_by_field_name("name") == path[-1]:
        return constructor_of(around)
    if around.type not in FUNCTIONS or around.child_by_field_name("name") != path[-1]:
        return None
    value = around.child_by_field_name("value") if around.type == "variable_declarator" else around
    return value if value is not None and value.child_by_field_name("parameters") is not None else None


def constructor_of(declared: tree_sitter.Node) -> tree_sitter.Node | None:
    """The constructor of a class, if it has one."""
    body = declared.child_by_field_name("body")
    for one in [] if body is None else body.named_children:
        name = one.child_by_field_name("name") if one.type == "method_definition" else None
        if name is not None and name.text == b"constructor":
            return one
    return None
