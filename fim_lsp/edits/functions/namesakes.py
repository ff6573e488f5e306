"""Calls of what only has the name of a function whose header changed: they keep their arguments.

-def send(to, body)              other.send(user, "x")      stays
+def send(to, subject, body)     http.Get("x")              stays, where a method `Get` changed
"""

from __future__ import annotations

import re

import tree_sitter

from fim_lsp.edits.functions.headers import altered_headers
from fim_lsp.edits.functions.signatures import altered_functions
from fim_lsp.edits.renaming.objects import classes_of
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.object_types import declarations, type_name_of
from fim_lsp.known_languages import PYTHON

# Calls, and the field of what is called in them.
CALLS = {"call": "function", "call_expression": "function"}
JAVA_CALL = "method_invocation"
HEADS = ("method_declaration", "function_declaration")
# What is called as a member of something, with the fields of both.
MEMBERS = {
    "attribute": ("object", "attribute"),
    "member_expression": ("object", "property"),
    "selector_expression": ("operand", "field"),
    JAVA_CALL: ("object", "name"),
}


def calls_namesake(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would change a call of a function of another kind: a method instead of a plain
    function, a plain function instead of a method, or in Go one of another package."""
    path = change.new.path_to(found.start)
    call = next((node for node in reversed(path) if node.type in (*CALLS, JAVA_CALL)), None)
    is_java = call is not None and call.type == JAVA_CALL
    called = call if call is None or is_java else call.child_by_field_name(CALLS[call.type])
    if called is None or (is_java and called.child_by_field_name("object") is None):
        return False
    held, name = held_and_name(change.new, called)
    altered = {of_type for said, of_type in altered_names(change) if said == name}
    if not altered or len({of_type is None for of_type in altered}) > 1:
        return False
    if (None in altered) == (held is not None):
        return True
    if change.new.known_language is PYTHON or held is None:
        return False
    of_type = type_name_of(change.new, held)
    if of_type:
        heir = rf"\bclass\s+{re.escape(of_type)}\b[^{{]*\b(?:extends|implements)\b"
        return of_type not in altered and re.search(heir, change.new.text) is None
    is_go = change.new.known_language.name == "go"
    return is_go and held.type == "identifier" and not any(declarations(change.new, held))


def heads_namesake(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would change the parameters of a method of Go that has the name of a changed one
    and other results, or of one of Python in a class that has nothing to do with the changed ones."""
    if change.new.known_language is PYTHON:
        return is_of_strange_class(change, found)
    if change.new.known_language.name != "go":
        return False
    path = change.new.path_to(found.start)
    at = next((number for number, node in enumerate(path) if node.type == "parameter_list"), 0)
    if not at or path[at - 1].type not in HEADS:
        return False
    results = {
        result_of(change.new, one.altered.after.node)
        for one in altered_headers(change)
        if one.altered.after.name == change.new.text_of(path[at - 1].child_by_field_name("name"))
    }
    return bool(results) and result_of(change.new, path[at - 1]) not in results


def is_of_strange_class(change: FileChange, found: Replacement) -> bool:
    """Whether a place is in the header of a method that has the name of changed ones, which are all in one
    family of classes, and not in that of this one."""
    path = change.new.path_to(found.start)
    function = next((node for node in reversed(path) if node.type == "function_definition"), None)
    body = None if function is None else function.child_by_field_name("body")
    if function is None or body is None or found.start >= change.new.offset(body.start_byte):
        return False
    name = change.new.text_of(function.child_by_field_name("name"))
    around = [node for node in path[: path.index(function)] if node.type == "class_definition"]
    changed = {
        one.after.class_name
        for one in altered_functions(change)
        if one.after.owner is not None and one.after.name == name != "__init__"
    }
    if not changed:
        return False
    kin = relatives(change.new, next(iter(changed)))
    own = change.new.text_of(around[-1].child_by_field_name("name")) if around else ""
    return changed <= kin and own not in kin


def relatives(source: SourceText, name: str) -> set[str]:
    """A class of a file, and the classes that it is related to by their bases."""
    kin, size = {name}, 0
    while size < len(kin):
        size = len(kin)
        for _, of, bases in classes_of(source):
            if kin & {of, *bases}:
                kin |= {of, *bases}
    return kin


def result_of(source: SourceText, function: tree_sitter.Node) -> str:
    return source.text_of(function.child_by_field_name("result"))


def held_and_name(source: SourceText, called: tree_sitter.Node) -> tuple[tree_sitter.Node | None, str]:
    """The object whose member is called, if it is one, and the name."""
    if called.type not in MEMBERS:
        return None, source.text_of(called)
    held, member = MEMBERS[called.type]
    return called.child_by_field_name(held), source.text_of(called.child_by_field_name(member))


def altered_names(change: FileChange) -> list[tuple[str, str | None]]:
    """The names of functions whose headers changed, and their types, if they are members."""
    if change.new.known_language is PYTHON:
        return [
            (one.after.name, None if one.after.owner is None else "") for one in altered_functions(change)
        ]
    return [
        (one.altered.after.name, one.before.type_name if one.before.is_member else None)
        for one in altered_headers(change)
    ]
