"""Names of events: what emits an event and what listens to it say the same name.

bus.emit("ready")  ->  bus.emit("started")        bus.on("ready", run)       "started"
                                                  door.on("ready", run)      stays: another object
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.functions.namesakes import held_and_name
from fim_lsp.edits.renaming.renames import LIKELY, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.object_types import type_name_of
from fim_lsp.known_languages import PYTHON

EMITTING = ("emit", "publish", "trigger", "fire", "dispatch")
LISTENING = (
    "on", "once", "off", "listen", "subscribe", "unsubscribe", "addlistener", "removelistener",
    "prependlistener", "removealllisteners", "listenercount",
)  # fmt: skip
CALLS = ("call", "call_expression", "method_invocation")
OWN = ("this", "self")
CLASSES = ("class_definition", "class_declaration", "class")
QUOTES = "'\"`"


class EventPlace(NamedTuple):
    """The name of an event where it is emitted or listened to, and the object whose event it is."""

    held: str
    is_emitted: bool


def renamed_events(change: FileChange) -> Iterator[Replacement]:
    """The other places of events whose names were changed at one."""
    for old, new, held in event_renames(change):
        for start in change.old.places(old):
            place, at = event_at(change.old, start, old), change.to_new(start)
            if place is None or place.held != held or at is None:
                continue
            if change.new.text[at : at + len(old)] == old:
                reason = f"the event `{old}` is called `{new}` now"
                yield Replacement(at, at + len(old), new, reason, LIKELY, f"event {old} {new} {held}")


@lru_cache(maxsize=4)
def event_renames(change: FileChange) -> tuple[tuple[str, str, str], ...]:
    """The events of the program's own whose names were changed: old and new name, and the object."""
    found = []
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            was, now = change.old.text[slice(*old)], change.new.text[slice(*new)]
            before = event_at(change.old, old[0], was)
            after = None if before is None else event_at(change.new, new[0], now)
            if before is None or after is None or before.held != after.held:
                continue
            # Without a place that emits it, it is an event of the object's, and another one was chosen.
            is_own = EventPlace(before.held, True) in places_of(change.old, was)
            if is_own and not any(place.held == before.held for place in places_of(change.old, now)):
                found.append((was, now, before.held))
    return tuple(found)


def is_no_event(change: FileChange, found: Replacement) -> bool:
    """Whether a text that only has the name of a renamed event would be renamed: a rule says where the event
    itself is."""
    pair = change.new.text[found.start : found.stop].strip(QUOTES), found.new.strip(QUOTES)
    return any(pair == (old, new) for old, new, _ in event_renames(change))


def places_of(source: SourceText, name: str) -> list[EventPlace]:
    found = (event_at(source, start, name) for start in source.places(name))
    return [one for one in found if one is not None]


def event_at(source: SourceText, start: int, name: str) -> EventPlace | None:
    """The event whose name a whole string is, as the first argument of a call."""
    around = source.text[start - 1 : start], source.text[start + len(name) : start + len(name) + 1]
    if any(sign not in [*QUOTES] for sign in around):
        return None
    path = source.path_to(start)
    at = next((number for number in range(len(path) - 1, 0, -1) if path[number].type in CALLS), 0)
    listed = path[at].child_by_field_name("arguments") if at else None
    called = path[at] if path[at].type == "method_invocation" else path[at].child_by_field_name("function")
    if listed is None or called is None or not listed.named_children:
        return None
    if source.span(listed.named_children[0]) != (start - 1, start + len(name) + 1):
        return None
    held, member = held_and_name(source, called)
    is_emitted = member.lower() in EMITTING
    if held is None or not (is_emitted or member.lower() in LISTENING):
        return None
    return EventPlace(object_said(source, held, path), is_emitted)


def object_said(source: SourceText, held: tree_sitter.Node, path: list[tree_sitter.Node]) -> str:
    """The class of an object, or else its name."""
    said = source.text_of(held)
    if said in OWN:
        around = next((node for node in reversed(path) if node.type in CLASSES), None)
        return source.text_of(None if around is None else around.child_by_field_name("name"))
    if source.known_language is PYTHON:
        return said
    return type_name_of(source, held) or said
