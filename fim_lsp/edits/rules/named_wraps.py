"""Errors of Go that say which call they come from: after two such returns, the others become so, too.

     if err := open(path); err != nil {           if err := load(path); err != nil {
    -    return err                                   return err
    +    return fmt.Errorf("open: %w", err)                  ^ `fmt.Errorf("load: %w", err)`

Both examples must have the same text around the name of the function, or of the method, that was called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.rules.wrapped_errors import errorf_around
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

LEAST_MADE, SURE = 2, 0.8
ASSIGNED = ("short_var_declaration", "assignment_statement")

Path = Sequence[tree_sitter.Node]


def named_wraps(change: FileChange) -> Iterator[Replacement]:
    """The errors that are returned as they are, if those above them got the names of their calls."""
    if change.new.known_language.name != "go":
        return
    made = [one for start in change.new.places("Errorf") if (one := example_at(change, start)) is not None]
    if len(made) < LEAST_MADE or len({around for _, around, _ in made}) > 1:
        return
    last, (before, behind), error = made[-1]
    places = [*returned_as_they_are(change, error)]
    # Where one was left out in front, the user chooses.
    if any(start < last for start, _ in places):
        return
    for start, called in places:
        new = f"fmt.Errorf({before}{called}{behind}, {error})"
        reason = f"errors say which call they come from, like {len(made)} others"
        yield Replacement(start, start + len(error), new, reason, SURE, "named wraps")


def example_at(change: FileChange, start: int) -> tuple[int, tuple[str, str], str] | None:
    """The place of a new `fmt.Errorf` in place of an error, its text in front of the called name and behind
    it, and the error."""
    source, call = change.new, errorf_around(change.new, start)
    given = None if call is None else call.child_by_field_name("arguments")
    parts = [] if given is None else given.named_children
    if call is None or len(parts) != 2 or parts[1].type != "identifier":
        return None
    text, error = map(source.text_of, parts)
    begin, _ = source.span(call)
    # The error was there before, and only the call around it is new.
    was_returned = any(
        one.new_start <= begin < one.new_stop and one.old in ("", error) for one in change.replaced
    )
    called = tested_call(source, source.path_to(begin), error)
    if not was_returned or not called or text.count(called) != 1:
        return None
    before, _, behind = text.partition(called)
    return begin, (before, behind), error


def returned_as_they_are(change: FileChange, error: str) -> Iterator[tuple[int, str]]:
    """The places where an error is returned last, each with the name of what was called."""
    source = change.new
    for start in source.places(error):
        path = source.path_to(start)
        if len(path) < 3 or path[-3].type != "return_statement" or path[-2].named_children[-1] != path[-1]:
            continue
        called = tested_call(source, path, error)
        if called and not change.is_typed(start, start + len(error)):
            yield start, called


def tested_call(source: SourceText, path: Path, error: str) -> str:
    """The name of the function whose error is tested around a place; empty if it is not known."""
    asked = next((node for node in reversed(path) if node.type == "if_statement"), None)
    if asked is None or error not in source.text_of(asked.child_by_field_name("condition")):
        return ""
    assigned = asked.child_by_field_name("initializer") or asked.prev_named_sibling
    if assigned is None or assigned.type not in ASSIGNED:
        return ""
    left, right = assigned.child_by_field_name("left"), assigned.child_by_field_name("right")
    names = [] if left is None else [source.text_of(one) for one in left.named_children]
    call = right.named_children[0] if right is not None and right.named_child_count == 1 else None
    if names[-1:] != [error] or call is None or call.type != "call_expression":
        return ""
    function = call.child_by_field_name("function")
    return source.text_of(function).rpartition(".")[2] if function is not None else ""
