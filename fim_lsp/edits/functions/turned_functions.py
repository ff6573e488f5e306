"""Functions of JavaScript and TypeScript that became asynchronous, and methods that became getters: calls
get `await`, or lose their brackets; and the reverse.

    function load(path)  ->  async function load(path)       text = load("a")     text = await load("a")
    total() { ... }      ->  get total() { ... }             this.total() + 1     this.total + 1
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.functions.headers import FunctionHeader, matched_headers
from fim_lsp.edits.functions.placed_calls import call_of, places_of
from fim_lsp.edits.renaming.renames import SURE
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import NOTHING_GIVEN
from fim_lsp.known_languages import JAVASCRIPT

Path = Sequence[tree_sitter.Node]
FUNCTIONS = (
    "arrow_function", "function_declaration", "function_expression", "method_definition",
    "generator_function", "generator_function_declaration",
)  # fmt: skip
# The nodes that pass a promise on, or wait for it in another way.
HANDED_ON = ("await_expression", "return_statement", "arrow_function", "unary_expression", "yield_expression")
WAITED = re.compile(r"\?*\.\s*(?:then|catch|finally)\b")
USED = re.compile(r"\s*[(\[.]")
AWAIT = re.compile(r"\bawait\s+\Z")
MOST_LEVELS = 4


def turned_asynchronous(change: FileChange) -> Iterator[tuple[FunctionHeader, bool]]:
    """The functions that became asynchronous, or are so no longer, as they were, and whether they are."""
    if change.old.known_language.family != JAVASCRIPT.family:
        return
    for before, after in matched_headers(change):
        is_waited = has_word(after, "async")
        if has_word(before, "async") != is_waited and not has_word(before, "*"):
            yield before, is_waited


def turned_getters(change: FileChange) -> Iterator[tuple[FunctionHeader, bool]]:
    """The methods that became getters, or are so no longer, as they were, and whether they are."""
    if change.old.known_language.family == JAVASCRIPT.family:
        for before, after in matched_headers(change):
            if has_word(before, "get") != has_word(after, "get"):
                yield before, has_word(after, "get")


def adapted_call(change: FileChange, path: Path, name: str, is_waited: bool) -> Iterator[Replacement]:
    """What becomes of a call of such a function."""
    return awaited_call(change, path, name) if is_waited else bare_call(change, path, name)


def adapted_uses(change: FileChange) -> Iterator[Replacement]:
    if change.old.known_language.family != JAVASCRIPT.family:
        return
    for before, after in matched_headers(change):
        is_waited, is_got = has_word(after, "async"), has_word(after, "get")
        turns_async = has_word(before, "async") != is_waited and not has_word(before, "*")
        turns_getter = has_word(before, "get") != is_got
        if not (turns_async or turns_getter):
            continue
        name = before.function.name
        for start in places_of(change.old, before, name):
            at, path = change.to_new(start), change.old.path_to(start)
            if at is None or change.new.text[at : at + len(name)] != name:
                continue
            if turns_getter:
                yield from adapted_brackets(change, path, at + len(name), name, is_got)
            else:
                yield from adapted_call(change, path, name, is_waited)


def has_word(header: FunctionHeader, word: str) -> bool:
    """Whether a word stands in front of a function's name or parameters."""
    body = header.function.node.child_by_field_name("body")
    return any(child.type == word and child != body for child in header.function.node.children)


def adapted_brackets(
    change: FileChange, path: Path, stop: int, name: str, is_got: bool
) -> Iterator[Replacement]:
    behind = NOTHING_GIVEN.match(change.new.text, stop)
    if is_got and behind is not None and call_of(path) is not None:
        yield Replacement(stop, behind.end(), "", f"`{name}` is a getter now", SURE, f"brackets {name}")
    elif not is_got and behind is None and call_of(path) is None and not is_assigned(path):
        yield Replacement(stop, stop, "()", f"`{name}` is no getter any more", SURE, f"brackets {name}")


def is_assigned(path: Path) -> bool:
    around = path[-3] if len(path) > 2 else path[-1]
    return around.type.endswith("assignment_expression") and around.child_by_field_name("left") == path[-2]


def awaited_call(change: FileChange, path: Path, name: str) -> Iterator[Replacement]:
    """Adds `await` to a call, if it is allowed there and the promise is not used otherwise."""
    call = call_of(path)
    at = next((number for number, node in enumerate(path) if node == call), 0)
    if call is None or not at:
        return
    start, stop = (change.to_new(place) for place in change.old.span(call))
    around = path[at - 1]
    if start is None or stop is None or around.type in HANDED_ON or is_given_to_promise(change.old, path, at):
        return
    if AWAIT.search(change.new.text[max(start - 20, 0) : start]) or not is_in_async(change.new, start):
        return
    if WAITED.match(change.new.text, stop) or is_kept_as_promise(change.old, path, at):
        return
    reason, group = f"`{name}` is asynchronous now", f"await {name} {start}"
    needs_brackets = around.type in ("member_expression", "subscript_expression", "call_expression")
    if needs_brackets:
        yield Replacement(start, start, "(await ", reason, SURE, group)
        yield Replacement(stop, stop, ")", reason, SURE, group)
    else:
        yield Replacement(start, start, "await ", reason, SURE, group)


def is_kept_as_promise(source: SourceText, path: Path, at: int) -> bool:
    """Whether a call gives its value to a variable that is used as a promise in the same function."""
    named = path[at - 1].child_by_field_name("name") if path[at - 1].type == "variable_declarator" else None
    if named is None or named.type != "identifier":
        return False
    function = next((node for node in reversed(path[:at]) if node.type in FUNCTIONS), path[0])
    begin, end = source.span(function)
    for start in source.places(source.text_of(named)):
        stop = start + len(source.text_of(named))
        if not begin <= start < end or source.text[start - 1] == ".":
            continue
        is_waited = AWAIT.search(source.text, max(start - 20, 0), start) is not None
        if WAITED.match(source.text, stop) or (is_waited and not USED.match(source.text, stop)):
            return True
        used = source.path_to(start)
        if is_given_to_promise(source, used, len(used) - 1):
            return True
    return False


def bare_call(change: FileChange, path: Path, name: str) -> Iterator[Replacement]:
    """Removes `await` from a call of a function that is no longer asynchronous."""
    call = call_of(path)
    at = next((number for number, node in enumerate(path) if node == call), 0)
    if call is None or not at or path[at - 1].type != "await_expression":
        return
    start = change.to_new(change.old.span(call)[0])
    found = None if start is None else AWAIT.search(change.new.text, max(start - 20, 0), start)
    if start is not None and found is not None:
        reason = f"`{name}` is not asynchronous any more"
        yield Replacement(found.start(), start, "", reason, SURE, f"await {name} {start}")


def is_in_async(source: SourceText, place: int) -> bool:
    """Whether `await` is allowed at a place."""
    for node in reversed(source.path_to(place)):
        if node.type in FUNCTIONS:
            return any(child.type == "async" for child in node.children)
    return False


def is_given_to_promise(source: SourceText, path: Path, at: int) -> bool:
    """Whether a call is an argument of `Promise.all` and the like, alone or in a list."""
    return any(
        node.type == "call_expression"
        and source.text_of(node.child_by_field_name("function")).startswith("Promise.")
        for node in path[max(at - MOST_LEVELS, 0) : at]
    )
