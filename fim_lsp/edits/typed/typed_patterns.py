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
from fim_lsp.edits.typed.declared_members import superclass_of
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
# The most classes from one to the one whose constructor it has.
DEEPEST = 5
COMPONENT = re.compile(r"^:\s*(?:React\.)?(?:V?FC|FunctionComponent)<([^\W\d]\w*)>$")
TYPE = re.compile(r"^:\s*(?:Readonly<)?([^\W\d]\w*)")


def is_in_object_of(source: SourceText, path: Path, declared: str) -> bool:
    """Whether a name is a key of an object of a type: in a destructuring pattern, in an argument of one of
    the file's functions, or in an element's attributes."""
    if len(path) < 4:
        return False
    holder, around = holder_of(path)
    if holder is not None and around is not None and holder.type == "object_pattern":
        said = bare_name(pattern_type(source, holder)) or component_type(source, holder)
        return declared_name(source, said) == declared
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


def component_type(source: SourceText, pattern: tree_sitter.Node) -> str:
    """The type of the properties that a component of React takes, by that of its variable:
    `const Form: React.FC<FormProps> = ({ title }) => ...`."""
    node: tree_sitter.Node | None = pattern
    for _ in range(4):
        node = None if node is None else node.parent
        if node is not None and node.type == "variable_declarator":
            found = COMPONENT.match(source.text_of(node.child_by_field_name("type")))
            return found[1] if found else ""
    return ""


@lru_cache(maxsize=256)
def taken_type(source: SourceText, name: str, number: int) -> str:
    """The type of a function's parameter at a position; empty if several functions share the name."""
    found = [
        one
        for start in source.places(name)
        if (one := function_at(source, source.path_to(start))) is not None
    ]
    listed = found[0].child_by_field_name("parameters") if len(found) == 1 else None
    taken = [] if listed is None else [one for one in listed.named_children if one.type in PARAMETERS]
    if number >= len(taken):
        return ""
    pattern = taken[number].child_by_field_name("pattern") or taken[number]
    return type_said(source, taken[number]) or (component_type(source, pattern) if number == 0 else "")


def function_at(source: SourceText, path: Path) -> tree_sitter.Node | None:
    """The function whose name stands at the end of a path; of a class, its constructor."""
    around = path[-2] if len(path) > 1 else path[-1]
    if around.type in CLASSES and around.child_by_field_name("name") == path[-1]:
        return constructor_of(source, around)
    if around.type not in FUNCTIONS or around.child_by_field_name("name") != path[-1]:
        return None
    value = around.child_by_field_name("value") if around.type == "variable_declarator" else around
    return value if value is not None and value.child_by_field_name("parameters") is not None else None


def constructor_of(
    source: SourceText, declared: tree_sitter.Node, depth: int = DEEPEST
) -> tree_sitter.Node | None:
    """The constructor of a class, which may be that of a class of the file from which it is derived."""
    body = declared.child_by_field_name("body")
    for one in [] if body is None else body.named_children:
        name = one.child_by_field_name("name") if one.type == "method_definition" else None
        if name is not None and source.text_of(name) == "constructor":
            return one
    base = superclass_of(source, source.text_of(declared.child_by_field_name("name")))
    for start in source.places(base) if base and depth else ():
        around = source.path_to(start)[-2]
        if around.type in CLASSES and source.text_of(around.child_by_field_name("name")) == base:
            return constructor_of(source, around, depth - 1)
    return None
