"""Overloads of a Python function: a parameter that was renamed in one is renamed in the others.

@overload
def get(key: str) -> str: ...        def get(name: str) -> str: ...
def get(key):                        def get(key):
    return key                               ^ `name` now, and so is its use
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, Rename
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

DECORATED = "decorated_definition"
OVERLOADING = ("overload", "typing.overload", "typing_extensions.overload", "t.overload")


def renamed_overloads(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places of a renamed parameter in the overloads of its function."""
    if rename.role != "parameter" or "overload" not in change.old.text:
        return
    path = rename.before.path
    function = next((node for node in reversed(path) if node.type == "function_definition"), None)
    for other in [] if function is None else overloads_of(change.old, function):
        scope = other.start_byte, other.type
        places = change.old_names.variable(rename.old, scope)
        if not any(one.role == "parameter" for one in places):
            continue
        if scope in change.old_names.binding_scopes(rename.new):
            continue
        for one in places:
            at = change.to_new(one.start)
            if at is not None and change.new.text[at : at + len(rename.old)] == rename.old:
                yield Replacement(at, at + len(rename.old), rename.new, rename.reason, SURE, rename.group)


def overloads_of(source: SourceText, function: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The other overloads of a function, and the function that they stand for."""
    whole = function.parent if function.parent is not None and function.parent.type == DECORATED else function
    name = source.text_of(function.child_by_field_name("name"))
    found, is_overloaded = [], False
    for node in [] if whole.parent is None else whole.parent.named_children:
        inner = node.child_by_field_name("definition") if node.type == DECORATED else node
        is_function = inner is not None and inner.type == "function_definition"
        if inner is None or not is_function or source.text_of(inner.child_by_field_name("name")) != name:
            continue
        said = [source.text_of(child).lstrip("@").strip() for child in node.named_children[:-1]]
        is_overloaded = is_overloaded or (node.type == DECORATED and bool({*OVERLOADING} & {*said}))
        if inner != function:
            found.append(inner)
    return found if is_overloaded else []
