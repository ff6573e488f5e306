"""Strings that a TypeScript type lists: if one is changed there, its uses follow.

type Action = { type: "add" } | { type: "drop" }     { type: "insert" }
switch (action.type) { case "add": ... }             case "insert"
type Mode = "dark" | "light";                        const mode: Mode = "dark"
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.renaming.renames import LIKELY
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.expected_types import expected_type
from fim_lsp.edits.typed.object_types import type_name_of
from fim_lsp.edits.typed.written_types import bare_name

LANGUAGES = ("typescript", "typescriptreact")
QUOTES = "'\"`"
COMPARING = ("===", "==", "!==", "!=")


class ListedText(NamedTuple):
    """A string that was changed where a type lists it: the property that may have it, or the type."""

    was: str
    now: str
    key: str
    alias: str
    node: tree_sitter.Node


def renamed_literals(change: FileChange) -> Iterator[Replacement]:
    """The other places of strings that were changed where a type lists them."""
    for one in listed_renames(change):
        reason = f'the text "{one.was}" is "{one.now}" in its type now'
        for start in change.old.places(one.was):
            at, string = change.to_new(start), whole_text(change.old, start, one.was)
            if at is None or string is None or string == one.node:
                continue
            is_it = change.new.text[at : at + len(one.was)] == one.was and is_meant(change.old, string, one)
            if is_it:
                group = f"listed {one.was} {one.now}"
                yield Replacement(at, at + len(one.was), one.now, reason, LIKELY, group)


def is_unlisted_text(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would change a string that a type listed at a place that is not of that type."""
    pair = change.new.text[found.start : found.stop].strip(QUOTES), found.new.strip(QUOTES)
    string = whole_text(change.new, found.start, pair[0])
    listed = [one for one in listed_renames(change) if (one.was, one.now) == pair]
    return (
        bool(listed) and string is not None and not any(is_meant(change.new, string, one) for one in listed)
    )


@lru_cache(maxsize=4)
def listed_renames(change: FileChange) -> tuple[ListedText, ...]:
    found = []
    for replaced in change.replaced if change.old.known_language.name in LANGUAGES else ():
        before = listed_text(change.old, replaced.old_start)
        after = listed_text(change.new, replaced.new_start)
        if before is None or after is None or is_listed_again(change, before):
            continue
        key, alias = place_listed(change.old, before)
        was, now = change.old.text_of(before)[1:-1], change.new.text_of(after)[1:-1]
        if was and now and (key or alias):
            found.append(ListedText(was, now, key, alias, before))
    return tuple(found)


def whole_text(source: SourceText, offset: int, said: str) -> tree_sitter.Node | None:
    """The string around a place, if it consists of just a given word."""
    string = next((node for node in reversed(source.path_to(offset)) if node.type == "string"), None)
    return string if string is not None and source.text_of(string)[1:-1] == said else None


def listed_text(source: SourceText, offset: int) -> tree_sitter.Node | None:
    """The string around a place, if a type lists it there."""
    path = source.path_to(offset)
    at = next((at for at in range(len(path) - 1, 0, -1) if path[at].type == "string"), 0)
    return path[at] if at and path[at - 1].type == "literal_type" else None


def is_listed_again(change: FileChange, before: tree_sitter.Node) -> bool:
    """Whether another type lists the string, too: then it is not known which of them a use means."""
    said = change.old.text_of(before)[1:-1]
    listed = [found for at in change.old.places(said) if (found := listed_text(change.old, at)) is not None]
    return sum(change.old.text_of(one)[1:-1] == said for one in listed) > 1


def place_listed(source: SourceText, text: tree_sitter.Node) -> tuple[str, str]:
    """The property whose type a string is, or the type that lists it."""
    node = text.parent
    while node is not None and node.type in ("literal_type", "union_type", "type_annotation"):
        node = node.parent
    if node is None:
        return "", ""
    if node.type == "property_signature":
        return source.text_of(node.child_by_field_name("name")), ""
    if node.type == "type_alias_declaration":
        return "", source.text_of(node.child_by_field_name("name"))
    return "", ""


def is_meant(source: SourceText, string: tree_sitter.Node, listed: ListedText) -> bool:
    """Whether a string belongs to a property or a type: it is assigned to it, or compared with it."""
    around, key, alias = string.parent, listed.key, listed.alias
    if around is None:
        return False
    other: tree_sitter.Node | None = None
    if (
        around.type == "binary_expression"
        and source.text_of(around.child_by_field_name("operator")) in COMPARING
    ):
        left = around.child_by_field_name("left")
        other = around.child_by_field_name("right") if left == string else left
    elif around.type == "switch_case" and around.parent is not None and around.parent.parent is not None:
        asked = around.parent.parent.child_by_field_name("value")
        other = asked.named_children[0] if asked is not None and asked.named_children else None
    elif around.type == "pair" and key and around.child_by_field_name("value") == string:
        return source.text_of(around.child_by_field_name("key")) == key
    if other is not None and key:
        return source.text_of(other.child_by_field_name("property")) == key
    if other is not None:
        return type_name_of(source, other) == alias
    return bool(alias) and bare_name(expected_type(source, string)) == alias
