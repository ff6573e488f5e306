"""Strings in the calls of one object's methods that got a new beginning or end: the others get it, too.

log.info("buying %s", item)       -> log.info("shop: buying %s", item)
log.warning("no price")           -> log.warning("shop: no price")
log.error("cannot sell")             `shop: ` in front, here as well
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.repeating.substitutions import shortened_text
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

STRINGS = ("string", "interpreted_string_literal", "string_literal", "template_string")
CALLS = ("call", "call_expression", "method_invocation")
LISTS = ("argument_list", "arguments")
LEAST_MADE = 2
MOST_PLACES = 60
# The probability that a user who has done it twice, and skipped none, does it at the next string.
SURE = 0.8
LEAST_CHARACTERS = 2


@dataclass(frozen=True, slots=True)
class ChangedEnd:
    """A text that was added in front of strings or behind them, and the object whose methods get these."""

    called: str
    front: str
    behind: str


def repeated_ends(change: FileChange) -> Iterator[Replacement]:
    made: dict[ChangedEnd, list[int]] = defaultdict(list)
    for replaced in change.replaced:
        if replaced.old not in replaced.new:
            continue
        before = given_text(change.old, replaced.old_start)
        after = given_text(change.new, replaced.new_start)
        if before is None or after is None:
            continue
        called, there = called_object(change.old, before), called_object(change.new, after)
        was, now = content_of(change.old, before), content_of(change.new, after)
        if called and called == there and len(now) - len(was) >= LEAST_CHARACTERS and was:
            front = now[: len(now) - len(was)] if now.endswith(was) else ""
            behind = now[len(was) :] if now.startswith(was) and not front else ""
            if front or behind:
                made[ChangedEnd(called, front, behind)].append(after.start_byte)
    for end, places in made.items():
        if len(set(places)) >= LEAST_MADE:
            yield from other_ends(change, end, sorted(set(places)))


def other_ends(change: FileChange, end: ChangedEnd, made: list[int]) -> Iterator[Replacement]:
    left: dict[int, tuple[int, int]] = {}
    for start in change.new.places(end.called.rpartition(".")[2]):
        call = next((node for node in reversed(change.new.path_to(start)) if node.type in CALLS), None)
        text = None if call is None else first_text(call)
        if text is None or called_object(change.new, text) != end.called or text.start_byte in made:
            continue
        said = content_of(change.new, text)
        if not said or (said.startswith(end.front) and said.endswith(end.behind)):
            continue
        begin, stop = change.new.span(text)
        if not change.is_typed(begin, stop):
            at = change.new.text.index(said, begin)
            left[text.start_byte] = (at, at + len(said))
    if len(left) > MOST_PLACES or any(place < made[-1] for place in left):
        return
    put = shortened_text(end.front or end.behind)
    where = "in front of" if end.front else "behind"
    reason = f"`{put}` was put {where} {len(made)} texts that `{end.called}` is given"
    for start, stop in left.values():
        at = start if end.front else stop
        yield Replacement(at, at, end.front or end.behind, reason, SURE, f"end {end}")


def given_text(source: SourceText, offset: int) -> tree_sitter.Node | None:
    """The string around a place, if it is a call's first argument."""
    path = source.path_to(offset)
    found = next((node for node in reversed(path) if node.type in STRINGS), None)
    if found is None and offset:
        found = next((node for node in reversed(source.path_to(offset - 1)) if node.type in STRINGS), None)
    listed = None if found is None else found.parent
    call = None if listed is None or listed.type not in LISTS else listed.parent
    return found if call is not None and call.type in CALLS and first_text(call) == found else None


def first_text(call: tree_sitter.Node) -> tree_sitter.Node | None:
    listed = call.child_by_field_name("arguments")
    first = listed.named_children[0] if listed is not None and listed.named_children else None
    return first if first is not None and first.type in STRINGS else None


def called_object(source: SourceText, text: tree_sitter.Node) -> str:
    """The object whose method gets a string: `log` of `log.info("...")`; empty for a function."""
    call = text.parent.parent if text.parent is not None else None
    if call is None:
        return ""
    if call.type == "method_invocation":
        return source.text_of(call.child_by_field_name("object"))
    called = call.child_by_field_name("function")
    said = "" if called is None else source.text_of(called)
    return said.rpartition(".")[0] if "\n" not in said else ""


def content_of(source: SourceText, text: tree_sitter.Node) -> str:
    """A string without its quotes and prefix."""
    said = source.text_of(text)
    quote = next((sign for sign in said if sign in "'\"`"), "")
    return said[said.index(quote) + 1 : -1] if quote and said.endswith(quote) and len(said) > 1 else ""
