"""Calls of functions that became asynchronous, or are so no longer: `await` is added or removed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import tree_sitter

from fim_lsp.edits.functions.adapted_calls import is_touched
from fim_lsp.edits.functions.calls import Call
from fim_lsp.edits.functions.signatures import Altered, altered_functions
from fim_lsp.edits.functions.turned_functions import turned_asynchronous
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import PYTHON

AWAIT = re.compile(r"\bawait\b")
# These functions take a coroutine as an argument.
HANDED_TO = (
    "run create_task ensure_future gather wait wait_for shield run_until_complete start_soon spawn submit"
    " run_coroutine_threadsafe as_completed iscoroutine isawaitable start_task add_task"
)
RUNNERS = frozenset(HANDED_TO.split())


def adapted_awaits(change: FileChange, call: Call, function: Altered) -> list[Replacement]:
    """Adds `await` in front of a call of an asynchronous function, or removes it if that no longer is one."""
    before, after = function.before, function.after
    if before.is_async == after.is_async or after.has_yield or before.has_yield:
        return []
    path = call.name.path
    at = path.index(call.node)
    around = path[at - 1] if at else None
    start, stop = change.old.span(call.node)
    place, end = change.to_new(start), change.to_new(stop - 1)
    if around is None or place is None or end is None or is_touched(change, call.node):
        return []
    group = f"await {before.name} {start}"
    if after.is_async and is_awaited(change.new, place, change.old.text_of(call.node)):
        return []
    if before.is_async:
        if around.type != "await":
            return []
        begin = change.to_new(change.old.span(around)[0])
        reason = f"`{after.name}` is not asynchronous any more"
        return [] if begin is None else [Replacement(begin, place, "", reason, call.probability, group)]
    if around.type == "await" or not is_in_async(change, place) or is_handed_over(change, path, at):
        return []
    reason = f"`{after.name}` is asynchronous now"
    needs_brackets = around.type in ("attribute", "subscript", "call", "binary_operator", "unary_operator")
    if needs_brackets and around.type != "binary_operator":
        return [
            Replacement(place, place, "(await ", reason, call.probability, group),
            Replacement(end + 1, end + 1, ")", reason, call.probability, group),
        ]
    return [Replacement(place, place, "await ", reason, call.probability, group)]


def awaits_another(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would add or remove an `await` because it was done at the calls of a function
    that became asynchronous, or is so no longer: those follow by themselves, others have another reason."""
    said = change.new.text[found.start : found.stop]
    if len(AWAIT.findall(said)) == len(AWAIT.findall(found.new)):
        return False
    if change.new.known_language is not PYTHON:
        return any(True for _ in turned_asynchronous(change))
    return any(one.before.is_async != one.after.is_async for one in altered_functions(change))


def is_awaited(source: SourceText, start: int, said: str) -> bool:
    """Whether the user has already written `await` in front of a call."""
    path = source.path_to(start)
    return any(
        around.type == "await"
        and node.type == "call"
        and source.span(node)[0] == start
        and source.text_of(node) == said
        for around, node in pairwise(path)
    )


def is_in_async(change: FileChange, place: int) -> bool:
    """Whether `await` is allowed at a place of the new text."""
    for node in reversed(change.new.path_to(place)):
        if node.type == "lambda":
            return False
        if node.type == "function_definition":
            return bool(node.children) and node.children[0].type == "async"
    return False


def is_handed_over(change: FileChange, path: Sequence[tree_sitter.Node], at: int) -> bool:
    """Whether a call is handed to a function that takes coroutines, itself or with others, or to what goes
    through a generator."""
    for index in range(at - 1, 0, -1):
        if path[index].type in ("block", "lambda") or path[index].type.endswith("_statement"):
            return False
        if path[index].type == "generator_expression":
            # With `await` in it, it would be another kind of generator.
            return True
        if path[index].type == "call":
            said = change.old.text_of(path[index].child_by_field_name("function"))
            if said.rpartition(".")[2] in RUNNERS:
                return True
    return False
