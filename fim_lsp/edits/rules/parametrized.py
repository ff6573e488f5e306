"""Parameters of functions that a decorator names in a string, `parametrize` or a route: if one of the two is
renamed, the other follows.

@pytest.mark.parametrize("name, price", ROWS)       "label, price"
def test_add(name, price):                          def test_add(label, price):
    add(name, price)                                    add(label, price)

@app.get("/users/{name}")                           "/users/{label}"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, Rename, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import JOINT, Replacement
from fim_lsp.edits.texts.source import SourceText

NAMING = "parametrize"
# The methods that register a function for a path.
ROUTING = ("route", "get", "post", "put", "patch", "delete", "head", "options", "websocket", "api_route")


def renamed_parametrized(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places where a decorator names a renamed parameter."""
    if rename.role != "parameter":
        return
    function = next(
        (node for node in reversed(rename.before.path) if node.type == "function_definition"), None
    )
    for start in [] if function is None else places_named(change.old, function, rename.old):
        at = change.to_new(start)
        if at is not None and change.new.text[at : at + len(rename.old)] == rename.old:
            yield Replacement(at, at + len(rename.old), rename.new, rename.reason, SURE, rename.group)


def renamed_by_decorator(change: FileChange) -> Iterator[Replacement]:
    """The parameters whose names were changed in a decorator, with their uses."""
    for replaced in change.replaced if "@" in change.old.text else ():
        for old, new in pairs(replaced):
            function = function_decorated(change.old, old[0])
            was, now = change.old.text[slice(*old)], change.new.text[slice(*new)]
            if function is None or function_decorated(change.new, new[0]) is None:
                continue
            if old[0] not in places_named(change.old, function, was):
                continue
            scope = function.start_byte, function.type
            uses = change.old_names.variable(was, scope)
            if scope in change.old_names.binding_scopes(now) or not any(
                one.role == "parameter" for one in uses
            ):
                continue
            reason = f"the parameter `{was}` is called `{now}` now"
            for one in uses:
                at = change.to_new(one.start)
                if at is not None and change.new.text[at : at + len(was)] == was:
                    group = f"{JOINT}parametrized {now} {function.start_byte}"
                    yield Replacement(at, at + len(was), now, reason, SURE, group)


def function_decorated(source: SourceText, offset: int) -> tree_sitter.Node | None:
    """The function of a decorator around a place."""
    path = source.path_to(offset)
    around = next((path[at - 1] for at in range(len(path) - 1, 0, -1) if path[at].type == "decorator"), None)
    function = None if around is None else around.child_by_field_name("definition")
    return function if function is not None and function.type == "function_definition" else None


def places_named(source: SourceText, function: tree_sitter.Node, name: str) -> list[int]:
    """The places where a function's decorators name a parameter, in their first arguments."""
    around = function.parent
    decorators = [] if around is None or around.type != "decorated_definition" else around.named_children[:-1]
    found: list[int] = []
    for decorator in decorators:
        call = decorator.named_children[0] if decorator.named_children else decorator
        called, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        said = source.text_of(called)
        _, dot, last = said.rpartition(".")
        if listed is None or not listed.named_children:
            continue
        start, stop = source.span(listed.named_children[0])
        if last == NAMING:
            words = rf"\b(?P<name>{re.escape(name)})\b"
        elif dot and last in ROUTING and listed.named_children[0].type == "string":
            words = rf"[{{<](?:\w+(?:\([^()]*\))?:)?(?P<name>{re.escape(name)})(?::\w+)?[}}>]"
        else:
            continue
        found += [start + one.start("name") for one in re.finditer(words, source.text[start:stop])]
    return found
