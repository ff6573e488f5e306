"""A keyword that the calls of one function are given now: the other calls are given it, too.

    -open(a)                         open(c, "w")         open(c, "w", encoding="utf-8")
    +open(a, encoding="utf-8")
    -open(b) ...                     after two of them

A call that was left out in front of the last one may have its reason, and then nothing follows. A call with
more values than these may have the same one by its place, unless the function's header says otherwise.
"""

from __future__ import annotations

import builtins
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.functions.signatures import Kind, Parameter, parameters_of
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import PYTHON

LEAST_MADE = 2
MOST_PLACES = 60
SURE = 0.8
# A value that is the same everywhere.
PLAIN = ("string", "integer", "float", "true", "false", "none")
SPREAD = ("list_splat", "dictionary_splat", "keyword_argument_splat")
# What is opened for bytes has no encoding.
BINARY = re.compile(r"[\"'][rwxat+]*b[rwxat+]*[\"']")
OF_TEXT = ("encoding", "errors", "newline")
KINDS: dict[int, Kind] = {
    inspect.Parameter.POSITIONAL_ONLY: "place",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "either",
    inspect.Parameter.VAR_POSITIONAL: "rest",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "keywords",
}


def repeated_keywords(change: FileChange) -> Iterator[Replacement]:
    if change.new.known_language is not PYTHON:
        return
    made: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for one in change.replaced:
        for call in calls_between(change.new, one.new_start, one.new_stop):
            for key, value in new_keywords(change, call):
                place = change.new.span(call)[0]
                if place not in made[called_name(change.new, call), key, value]:
                    made[called_name(change.new, call), key, value].append(place)
    for (name, key, value), places in made.items():
        if name and len(places) >= LEAST_MADE:
            yield from other_calls(change, name, key, value, places)


def calls_between(source: SourceText, start: int, stop: int) -> list[tree_sitter.Node]:
    """The calls around a place, whose arguments it is among."""
    path = source.path_to(start) + source.path_to(max(stop - 1, start))
    return [*{node.start_byte: node for node in path if node.type == "call"}.values()]


def called_name(source: SourceText, call: tree_sitter.Node) -> str:
    said = source.text_of(call.child_by_field_name("function"))
    return said if re.fullmatch(r"[\w.]+", said) else ""


def keywords_of(source: SourceText, call: tree_sitter.Node) -> dict[str, str]:
    """The plain values that a call is given by keywords, and an empty text for those of others."""
    listed = call.child_by_field_name("arguments")
    found = {}
    for one in [] if listed is None else listed.named_children:
        value = one.child_by_field_name("value") if one.type == "keyword_argument" else None
        if value is not None:
            said = source.text_of(value) if value.type in PLAIN else ""
            found[source.text_of(one.child_by_field_name("name"))] = said
    return found


def new_keywords(change: FileChange, call: tree_sitter.Node) -> Iterator[tuple[str, str]]:
    """The keywords that a call was given in the change, where all else of it stayed."""
    at = change.to_old(change.new.span(call)[0])
    path = [] if at is None else change.old.path_to(at)
    before = next(
        (
            node
            for node in path
            if node.type == "call"
            and change.old.offset(node.start_byte) == at
            and called_name(change.old, node) == called_name(change.new, call)
        ),
        None,
    )
    if before is None:
        return
    old, new = keywords_of(change.old, before), keywords_of(change.new, call)
    came = {key: value for key, value in new.items() if key not in old}
    if len(came) == 1 and old.keys() <= new.keys() and n_given(before) + 1 == n_given(call):
        yield from ((key, value) for key, value in came.items() if value)


def n_given(call: tree_sitter.Node) -> int:
    listed = call.child_by_field_name("arguments")
    return 0 if listed is None else len([one for one in listed.named_children if one.type != "comment"])


def values_by_place(call: tree_sitter.Node) -> list[tree_sitter.Node]:
    listed = call.child_by_field_name("arguments")
    given = [] if listed is None else listed.named_children
    return [one for one in given if one.type not in ("comment", "keyword_argument")]


def has_it_by_place(source: SourceText, call: tree_sitter.Node, key: str, most: int) -> bool:
    """Whether a call may be given a keyword's value by its place already: it has more values than the calls
    that got the keyword, and no header tells that it stands further back."""
    n_values = len(values_by_place(call))
    if n_values <= most:
        return False
    headers = [*headers_called(source, called_name(source, call))]
    return not headers or any(
        key in [one.name for one in header if one.has_place][:n_values] or not takes(header, key)
        for header in headers
    )


def takes(header: Sequence[Parameter], key: str) -> bool:
    """Whether a function has a parameter of a name that is not variadic."""
    return any(one.name == key and one.kind not in ("rest", "keywords") for one in header)


def headers_called(source: SourceText, name: str) -> Iterator[list[Parameter]]:
    """The parameters of the functions of a name, in this file or built in."""
    owner, _, last = name.rpartition(".")
    for start in source.places(last):
        path = source.path_to(start)
        around = path[-2] if len(path) > 1 else path[-1]
        if around.type == "function_definition" and around.child_by_field_name("name") == path[-1]:
            parameters = [*parameters_of(source, around.child_by_field_name("parameters"))]
            yield parameters[1:] if owner else parameters
    builtin = None if owner else getattr(builtins, last, None)
    try:
        taken = [] if builtin is None else [*inspect.signature(builtin).parameters.values()]
    except ValueError:
        return
    if taken:
        yield [Parameter(one.name, KINDS[one.kind]) for one in taken]


def is_of_bytes(source: SourceText, call: tree_sitter.Node) -> bool:
    """Whether a file is opened for bytes, or for what a variable says."""
    listed = call.child_by_field_name("arguments")
    given = [] if listed is None else listed.named_children
    named = [one for one in given if source.text_of(one.child_by_field_name("name")) == "mode"]
    modes = [one.child_by_field_name("value") for one in named]
    if called_name(source, call) == "open":
        modes += values_by_place(call)[1:2]
    elif any(BINARY.fullmatch(source.text_of(one)) for one in values_by_place(call)):
        return True
    return any(
        one is not None and (one.type != "string" or BINARY.fullmatch(source.text_of(one))) for one in modes
    )


def other_calls(
    change: FileChange, name: str, key: str, value: str, made: list[int]
) -> Iterator[Replacement]:
    source = change.new
    calls = [call for place in made for call in calls_between(source, place, place + 1)]
    most = max((len(values_by_place(one)) for one in calls if called_name(source, one) == name), default=0)
    left: list[tuple[tree_sitter.Node, int]] = []
    for start in source.places(name.rpartition(".")[2]):
        call = next((node for node in reversed(source.path_to(start)) if node.type == "call"), None)
        listed = None if call is None else call.child_by_field_name("arguments")
        if (
            call is None
            or listed is None
            or listed.type != "argument_list"
            or called_name(source, call) != name
        ):
            continue
        place, stop = source.span(call)[0], source.span(listed)[1]
        if place in made or key in keywords_of(source, call):
            continue
        if any(one.type in SPREAD for one in listed.named_children):
            continue
        if key in OF_TEXT and is_of_bytes(source, call):
            continue
        if has_it_by_place(source, call, key, most):
            continue
        if not change.is_typed(stop - 1, stop) and listed.named_children:
            left.append((listed, place))
    if len(left) > MOST_PLACES or any(place < max(made) for _, place in left):
        return
    reason = f"`{key}={value}` was given to {len(made)} calls of `{name}`"
    for listed, _ in left:
        begin, at = source.span(listed.named_children[-1])
        front = source.text[source.lines.starts[source.lines.line_at(begin)] : begin]
        # An argument on a line of its own gets the next one on another.
        blanks = f"\n{front}" if not front.strip() else " "
        yield Replacement(at, at, f",{blanks}{key}={value}", reason, SURE, f"given {name} {key}")
