"""Renamed keys of a dictionary that a function returns: the places that look them up in its result follow.

def build(row):                                 data = build(row)
    return {"uid": row[0]}                      data["uid"]
             ^ `user_id` now                          ^ so it is here
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.renaming.bound_values import assignment_at, value_given
from fim_lsp.edits.renaming.literal_keys import asked_value, is_whole, key_of, replaced_key
from fim_lsp.edits.renaming.renames import pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING, Names, Occurrence
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import PYTHON


def renamed_returned_keys(change: FileChange) -> Iterator[Replacement]:
    for key, now, function in returned_renames(change):
        reason = f"the key `{key}` is called `{now}` now"
        for one in change.old_names.of(key):
            if one.role == "text" and is_whole(change.old, one) and is_result(change, one, function):
                yield from replaced_key(change, one, key, now, reason)


@lru_cache(maxsize=4)
def returned_renames(change: FileChange) -> tuple[tuple[str, str, Occurrence], ...]:
    """The keys that were changed in what a function returns, and where the function is defined."""
    found = []
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            before, after = change.old_names.at(*old), change.new_names.at(*new)
            function, then = function_returning(change.old, before), function_returning(change.new, after)
            if function is None or then is None:
                continue
            key, now = change.old.text[slice(*old)], change.new.text[slice(*new)]
            name = change.old.text_of(function.child_by_field_name("name"))
            bound = [one for one in change.old_names.of(name) if one.role in BINDING]
            has_other = any(
                key_of(change.new, one) and function_returning(change.new, one) == then
                for one in change.new_names.of(key)
            )
            is_same = name == change.new.text_of(then.child_by_field_name("name"))
            if len(bound) == 1 and is_same and not has_other:
                found.append((key, now, bound[0]))
    return tuple(found)


def is_key_of_no_result(change: FileChange, found: Replacement) -> bool:
    """Whether a place looks up a key, which was changed in what a function returns, in another dictionary."""
    if change.new.known_language is not PYTHON or not found.features.get("in a string"):
        return False
    one = change.new_names.at(found.start, found.stop)
    if one.role != "text" or not is_whole(change.new, one) or asked_value(change.new, one) is None:
        return False
    pair = change.new.text[found.start : found.stop], found.new
    return any(pair == (old, new) for old, new, _ in returned_renames(change))


def function_returning(source: SourceText, one: Occurrence) -> tree_sitter.Node | None:
    """The function that returns the literal in which a string is a key."""
    if one.role != "text" or not key_of(source, one):
        return None
    at = max((number for number, node in enumerate(one.path) if node.type == "dictionary"), default=0)
    if not at or one.path[at - 1].type != "return_statement":
        return None
    found = next((node for node in reversed(one.path[:at]) if node.type == "function_definition"), None)
    around = None if found is None else found.parent
    if around is not None and around.type == "decorated_definition":
        around = around.parent
    return found if around is not None and around.type == "module" else None


def renamed_keys_there(
    other: FileChange, key: str, now: str, is_it: Callable[[tree_sitter.Node], bool], is_called: bool
) -> Iterator[Replacement]:
    """The places of another file that look a key up in the result of a function, or in a dictionary."""
    for one in other.old_names.of(key):
        if one.role != "text" or not is_whole(other.old, one):
            continue
        value = function_asked(other, one) if is_called else asked_value(other.old, one)
        if value is not None and is_it(value):
            yield from replaced_key(other, one, key, now, f"the key `{key}` is called `{now}` now")


def function_asked(change: FileChange, one: Occurrence) -> tree_sitter.Node | None:
    """The function in whose result a string is looked up."""
    value = asked_value(change.old, one)
    if value is not None and value.type == "identifier":
        value = value_bound(change.old, change.old_names, value)
    if value is not None and value.type == "await":
        value = value.named_children[0]
    return value.child_by_field_name("function") if value is not None and value.type == "call" else None


def is_result(change: FileChange, one: Occurrence, function: Occurrence) -> bool:
    """Whether a string is looked up in the result of a function."""
    called = function_asked(change, one)
    if called is None or called.type != "identifier":
        return False
    asked, made = change.old_names.at(*change.old.span(called)), function
    is_named = change.old.text_of(called) == change.old.text[made.start : made.stop]
    return is_named and change.old_names.owner(asked) == change.old_names.owner(made)


def value_bound(source: SourceText, names: Names, variable: tree_sitter.Node) -> tree_sitter.Node | None:
    """The value that a variable has at a place: that of its last assignment in front, if all stand in one
    block."""
    one = names.at(*source.span(variable))
    found = names.variable(source.text_of(variable), names.owner(one))
    bound = [other for other in found if other.role in BINDING]
    places = [assignment_at(other) for other in bound]
    if not bound or not all(places):
        return None
    blocks = {other.path[at - 2].start_byte for other, at in zip(bound, places, strict=True) if at > 1}
    before = [other for other in bound if other.start < one.start]
    return value_given(before[-1]) if before and len(blocks) == 1 else None
