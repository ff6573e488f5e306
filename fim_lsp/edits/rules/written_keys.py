"""Keys of objects of JavaScript that are written under another name now: where they are read, it follows.

    -session["user_id"] = 1           show(session["user_id"])        show(session["userId"])
    +session["userId"] = 1            show(session.user_id)           show(session.userId)

Only what is written at one place is meant, because what is written elsewhere keeps its name there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.renaming.renames import LIKELY, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.object_types import declarations, variable_type
from fim_lsp.known_languages import JAVASCRIPT

Path = Sequence[tree_sitter.Node]
# `a["key"]`, `a.key` and `"key" in a`: the fields of the keys.
KEY_FIELDS = {"subscript_expression": "index", "member_expression": "property", "binary_expression": "left"}


class WrittenKey(NamedTuple):
    """A key that was changed where it is written, and the variable that has it."""

    old: str
    new: str
    said: str
    declared: int


def renamed_written_keys(change: FileChange) -> Iterator[Replacement]:
    for key in written_keys(change):
        name, now = key.old, key.new
        for start, _ in uses_of_key(change.old, name, key.declared):
            at = change.to_new(start)
            if at is not None and change.new.text[at : at + len(name)] == name:
                reason = f"the key `{name}` is called `{now}` where it is written"
                yield Replacement(at, at + len(name), now, reason, LIKELY, f"key {name} {now}")


@lru_cache(maxsize=4)
def written_keys(change: FileChange) -> tuple[WrittenKey, ...]:
    source, found = change.old, []
    for replaced in change.replaced if source.known_language.family == JAVASCRIPT.family else ():
        for old, new in pairs(replaced):
            before, after = asked_key(source, old[0]), asked_key(change.new, new[0])
            if before is None or after is None or not is_written(before) or not is_written(after):
                continue
            declared, said = declaration_start(source, before), source.text_of(asked_object(before))
            name, now = source.text[slice(*old)], change.new.text[slice(*new)]
            if declared is None or said != change.new.text_of(asked_object(after)):
                continue
            uses = [use for _, use in uses_of_key(source, name, declared)]
            if sum(is_written(use) for use in uses) == 1 and not any(uses_of_key(source, now, declared)):
                found.append(WrittenKey(name, now, said, declared))
    return tuple(found)


def is_key_of_another(change: FileChange, found: Replacement) -> bool:
    """Whether a key that was changed where a variable's is written would be changed of a variable that is
    called otherwise."""
    pair = change.new.text[found.start : found.stop], found.new
    held = {key.said for key in written_keys(change) if (key.old, key.new) == pair}
    asked = asked_key(change.new, found.start) if held else None
    return asked is not None and change.new.text_of(asked_object(asked)) not in held


def asked_key(source: SourceText, offset: int) -> tree_sitter.Node | None:
    """The node that asks a variable for the key at a place, a name or a whole text."""
    path = source.path_to(offset)
    at = len(path) - 1
    if path[at].type == "string_fragment" and len(path[at - 1].named_children) == 1:
        at -= 1
    field = KEY_FIELDS.get(path[at - 1].type, "")
    if field == "left" and path[at - 1].children[1].type != "in":
        return None
    if not field or path[at].type == "template_string" or path[at - 1].child_by_field_name(field) != path[at]:
        return None
    if field != "property" and path[at].type != "string":
        return None
    held = asked_object(path[at - 1])
    return path[at - 1] if held is not None and held.type == "identifier" else None


def asked_object(asked: tree_sitter.Node) -> tree_sitter.Node | None:
    return asked.child_by_field_name("right" if asked.type == "binary_expression" else "object")


def is_written(asked: tree_sitter.Node) -> bool:
    around = asked.parent
    is_assignment = around is not None and around.type.endswith("assignment_expression")
    return around is not None and is_assignment and around.child_by_field_name("left") == asked


def declaration_start(source: SourceText, asked: tree_sitter.Node) -> int | None:
    """Where the variable is declared that is asked for a key; None for one of a type, whose members are known
    otherwise, and for one that is given an object with keys."""
    held = asked_object(asked)
    found = [] if held is None else [*declarations(source, held)]
    if held is None or len(found) != 1 or variable_type(source, held, 0):
        return None
    value = found[0][-2].child_by_field_name("value")
    is_empty = value is None or value.type != "object" or not value.named_children
    is_class = found[0][-2].type.startswith(("class", "enum", "import", "namespace"))
    return found[0][-1].start_byte if is_empty and not is_class else None


def uses_of_key(source: SourceText, name: str, declared: int) -> Iterator[tuple[int, tree_sitter.Node]]:
    for start in source.places(name):
        asked = asked_key(source, start)
        if asked is not None and declaration_start(source, asked) == declared:
            yield start, asked
