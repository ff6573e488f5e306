"""Promises of JavaScript whose `.then` became an `await`: the others of that shape follow in the same way.

    return fetch(url).then((res) => res.json());     ->  const res = await fetch(url);
                                                         return res.json();

A function that returns a promise may be made asynchronous for it, if that was done before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import JOINT, Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import JAVASCRIPT

FUNCTIONS = (
    "function_declaration", "arrow_function", "method_definition", "function_expression",
    "generator_function_declaration",
)  # fmt: skip
ONCE, AGAIN = 0.7, 0.9
MOST_PLACES = 40


class ReturnedThen(NamedTuple):
    """`return PROMISE.then((NAME) => VALUE)`: the statement, and its parts."""

    statement: tree_sitter.Node
    promise: str
    name: str
    value: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.promise, self.name, self.value

    def awaiting_text(self, indentation: str) -> str:
        return f"const {self.name} = await {self.promise};\n{indentation}return {self.value};"


def repeated_awaits(change: FileChange) -> Iterator[Replacement]:
    if change.new.known_language.family != JAVASCRIPT.family or ".then(" not in change.new.text:
        return
    left = [*returned_thens(change.new)]
    kept = {one.key for one in left}
    gone = [one for one in returned_thens(change.old) if one.key not in kept]
    made = [(one, change.new.text.find(one.awaiting_text(indentation_of(change.old, one)))) for one in gone]
    places = [at for _, at in made if at >= 0]
    if (
        not places
        or len(left) > MOST_PLACES
        or any(change.new.offset(one.statement.start_byte) < max(places) for one in left)
    ):
        return
    was_turned = any(
        at >= 0 and not is_async(function_around(one.statement)) and is_async(function_at(change.new, at))
        for one, at in made
    )
    reason = f"`.then(...)` became `await` {'once' if len(places) == 1 else f'{len(places)} times'}"
    sure = ONCE if len(places) == 1 else AGAIN
    for one in left:
        start, stop = change.new.span(one.statement)
        function = function_around(one.statement)
        group = f"{JOINT}await {start}"
        if function is None or change.is_typed(start, stop) or not (is_async(function) or was_turned):
            continue
        if not is_async(function):
            at = change.new.span(function)[0]
            yield Replacement(at, at, "async ", reason, sure, group)
        yield Replacement(
            start, stop, one.awaiting_text(indentation_of(change.new, one)), reason, sure, group
        )


def indentation_of(source: SourceText, one: ReturnedThen) -> str:
    line = source.lines.content(source.lines.line_at(source.span(one.statement)[0]))
    return line[: len(line) - len(line.lstrip())]


def returned_thens(source: SourceText) -> Iterator[ReturnedThen]:
    for start in source.places("then"):
        path = source.path_to(start)
        found = returned_then(source, path[-4]) if len(path) > 4 else None
        if found is not None:
            yield found


def returned_then(source: SourceText, statement: tree_sitter.Node) -> ReturnedThen | None:
    """The parts of a statement that returns the result of `.then` of a promise, on one line."""
    call = (
        statement.named_children[0]
        if statement.type == "return_statement" and statement.named_children
        else None
    )
    called = None if call is None or call.type != "call_expression" else call.child_by_field_name("function")
    listed = None if call is None else call.child_by_field_name("arguments")
    if (
        called is None
        or called.type != "member_expression"
        or listed is None
        or len(listed.named_children) != 1
    ):
        return None
    taken = listed.named_children[0]
    value, name = taken.child_by_field_name("body"), taken.child_by_field_name("parameter")
    several = taken.child_by_field_name("parameters")
    if several is not None and len(several.named_children) == 1:
        name = several.named_children[0]
    is_plain = (
        taken.type == "arrow_function"
        and value is not None
        and value.type not in ("statement_block", "object")
    )
    around = statement.parent
    if not is_plain or name is None or around is None or around.type != "statement_block" or is_async(taken):
        return None
    said = source.text_of(statement)
    if (
        "\n" in said
        or source.text_of(called.child_by_field_name("property")) != "then"
        or not said.endswith(";")
    ):
        return None
    value_text = source.text_of(value)
    # The function may already use the name for something else.
    if len([*source.places(source.text_of(name))]) and is_named_around(
        source, around, source.text_of(name), statement
    ):
        return None
    return ReturnedThen(
        statement, source.text_of(called.child_by_field_name("object")), source.text_of(name), value_text
    )


def is_named_around(
    source: SourceText, block: tree_sitter.Node, name: str, statement: tree_sitter.Node
) -> bool:
    start, stop = source.span(block)
    own = source.span(statement)
    return any(start <= at < stop and not own[0] <= at < own[1] for at in source.places(name))


def function_around(node: tree_sitter.Node) -> tree_sitter.Node | None:
    one = node.parent
    while one is not None and one.type not in FUNCTIONS:
        one = one.parent
    return one


def function_at(source: SourceText, offset: int) -> tree_sitter.Node | None:
    return next((node for node in reversed(source.path_to(offset)) if node.type in FUNCTIONS), None)


def is_async(function: tree_sitter.Node | None) -> bool:
    return function is not None and any(child.type == "async" for child in function.children)
