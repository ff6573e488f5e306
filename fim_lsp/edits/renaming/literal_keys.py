"""Uses of a renamed dictionary key: of a literal that is assigned to a name once, or of a `TypedDict`.

-CONFIG = {"host": "a"}          CONFIG["host"], CONFIG.get("host"), "host" in CONFIG
+CONFIG = {"server": "a"}                ^ `server` now, here and in the other two
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.renaming.objects import ANNOTATED, class_made
from fim_lsp.edits.renaming.renames import LIKELY, Rename, pairs, renames
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING, Occurrence, Scope, names_of
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import PYTHON

Path = Sequence[tree_sitter.Node]
Asked = Callable[[Occurrence, str], bool]
METHODS = ("get", "pop", "setdefault")
QUOTES = ("'", '"')
TYPED = "TypedDict"


def renamed_keys(change: FileChange) -> Iterator[Replacement]:
    """The uses of keys that were changed in a literal, or where they are written."""
    for old, new, name in (*literal_renames(change), *written_renames(change)):

        def is_it(one: Occurrence, said: str, name: LiteralName = name) -> bool:
            return said == name.text and change.old_names.binding_scope(said, one.scopes) == name.scope

        yield from key_uses(change, old, new, is_it, f"the key `{old}` is called `{new}` now")


@lru_cache(maxsize=4)
def literal_renames(change: FileChange) -> tuple[tuple[str, str, LiteralName], ...]:
    """The keys that were changed in a literal, and the name that the literal is assigned to."""
    found = []
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            before, after = change.old_names.at(*old), change.new_names.at(*new)
            name = literal_with(change.old, before)
            if name and name.text == literal_text(change.new, after):
                found.append((change.old.text[slice(*old)], change.new.text[slice(*new)], name))
    return tuple(found)


def written_renames(change: FileChange) -> Iterator[tuple[str, str, LiteralName]]:
    """The keys that were changed at the one place where they are written, `row["name"] = name`."""
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            before, after = change.old_names.at(*old), change.new_names.at(*new)
            name = name_written(change.old, before)
            key = change.old.text[slice(*old)]
            if name is None or getattr(name_written(change.new, after), "text", "") != name.text:
                continue
            others = [name_written(change.old, one) for one in change.old_names.of(key)]
            written = [one for one in others if one is not None and one.text == name.text]
            if len(written) == 1 and not any(
                literal_text(change.old, one) == name.text for one in change.old_names.of(key)
            ):
                yield key, change.new.text[slice(*new)], name


def name_written(source: SourceText, one: Occurrence) -> LiteralName | None:
    """The variable one of whose keys a text is, where that is written."""
    value = asked_value(source, one) if one.role == "text" and is_whole(source, one) else None
    subscript = None if value is None else value.parent
    around = None if subscript is None else subscript.parent
    if value is None or value.type != "identifier" or around is None or subscript is None:
        return None
    is_left = around.type == "assignment" and around.child_by_field_name("left") == subscript
    said = source.text_of(value)
    return LiteralName(said, names_of(source).binding_scope(said, one.scopes)) if is_left else None


def typed_dictionary(change: FileChange, rename: Rename) -> str:
    """The `TypedDict` whose key was renamed, if it is one."""
    if rename.owner is None or rename.owner[1] != "class_definition" or rename.role != "bind":
        return ""
    around = next(node for node in rename.before.path if (node.start_byte, node.type) == rename.owner)
    if TYPED not in change.old.text_of(around.child_by_field_name("superclasses")):
        return ""
    return change.old.text_of(around.child_by_field_name("name"))


def renamed_typed_keys(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places that look up or write a renamed field of a `TypedDict`."""
    declared = typed_dictionary(change, rename)
    if not declared:
        return

    def is_it(one: Occurrence, said: str) -> bool:
        return class_made(change.old, change.old_names, one, said) == declared

    yield from key_uses(change, rename.old, rename.new, is_it, rename.reason)
    for one in change.old_names.of(rename.old):
        if one.role == "text" and key_of(change.old, one) and type_written(change.old, one.path) == declared:
            yield from replaced_key(change, one, rename.old, rename.new, rename.reason)


def is_value_like_key(change: FileChange, found: Replacement) -> bool:
    """Whether a key that was changed in a literal is an unrelated string at this place: neither a lookup nor
    a key; or one of a variable that is called otherwise, where the key was changed where it is written."""
    if change.new.known_language is not PYTHON or not found.features.get("in a string"):
        return False
    one = change.new_names.at(found.start, found.stop)
    if one.role != "text" or not is_whole(change.new, one):
        return False
    pair = change.new.text[found.start : found.stop], found.new
    value = asked_value(change.new, one)
    held = {name.text for old, new, name in written_renames(change) if (old, new) == pair}
    held = held or {name.text for old, new, name in literal_renames(change) if (old, new) == pair}
    if held and value is not None:
        return change.new.text_of(value) not in held | asked_by_hand(change, pair)
    if value is not None or key_of(change.new, one):
        return False
    return pair in {(old, new) for old, new, _ in literal_renames(change)} or any(
        pair == (rename.old, rename.new) and typed_dictionary(change, rename) for rename in renames(change)
    )


def asked_by_hand(change: FileChange, pair: tuple[str, str]) -> set[str]:
    """The values in which a replaced key is looked up where it was replaced."""
    places = [change.old_names.at(one.old_start, one.old_stop) for one in change.replaced
              if (one.old, one.new) == pair]  # fmt: skip
    values = [asked_value(change.old, place) for place in places if place.role == "text"]
    return {change.old.text_of(value) for value in values if value is not None}


class LiteralName:
    """A name that is assigned a literal, and its scope."""

    def __init__(self, text: str, scope: Scope | None) -> None:
        self.text, self.scope = text, scope


def literal_with(source: SourceText, one: Occurrence) -> LiteralName | None:
    """The name of the literal in which a string is a key; None if the name is also assigned other values."""
    name = literal_text(source, one)
    if not name:
        return None
    names = names_of(source)
    scope = names.binding_scope(name, one.scopes)
    bound = [other for other in names.variable(name, scope) if other.role in BINDING]
    return LiteralName(name, scope) if len(bound) == 1 else None


def literal_text(source: SourceText, one: Occurrence) -> str:
    if one.role != "text" or not key_of(source, one):
        return ""
    backwards = range(len(one.path) - 1, 0, -1)
    at = next((number for number in backwards if one.path[number].type == "dictionary"), 0)
    # A broken file may have a pair without its dictionary.
    around = one.path[max(at - 1, 0)]
    left = around.child_by_field_name("left") if around.type == "assignment" else None
    return source.text_of(left) if left is not None and left.type == "identifier" else ""


def key_of(source: SourceText, one: Occurrence) -> bool:
    """Whether a whole string is a key of a literal."""
    pair = next((node for node in reversed(one.path) if node.type == "pair"), None)
    key = None if pair is None else pair.child_by_field_name("key")
    return is_whole(source, one) and key is not None and source.span(key) == (one.start - 1, one.stop + 1)


def is_whole(source: SourceText, one: Occurrence) -> bool:
    return source.text[one.start - 1 : one.start] in QUOTES and source.text[one.stop : one.stop + 1] in QUOTES


def key_uses(change: FileChange, old: str, new: str, is_it: Asked, reason: str) -> Iterator[Replacement]:
    for one in change.old_names.of(old):
        value = asked_value(change.old, one) if one.role == "text" and is_whole(change.old, one) else None
        if value is None:
            continue
        start, stop = change.old.span(value)
        at = change.old_names.at(start, stop) if value.type == "identifier" else one
        if is_it(at, change.old.text_of(value)):
            yield from replaced_key(change, one, old, new, reason)


def asked_value(source: SourceText, one: Occurrence) -> tree_sitter.Node | None:
    """The value in which a key is looked up: `a` of `a["key"]`, `a.get("key")` and `"key" in a`."""
    string = max((number for number, node in enumerate(one.path) if node.type == "string"), default=0)
    around = one.path[string - 1] if string else None
    if around is None:
        return None
    if around.type == "subscript" and around.child_by_field_name("value") != one.path[string]:
        return around.child_by_field_name("value")
    if around.type == "comparison_operator" and [child.type for child in around.children][1:2] in (
        ["in"],
        ["not in"],
    ):
        return around.children[-1] if around.children[0] == one.path[string] else None
    call = one.path[string - 2] if string > 1 and around.type == "argument_list" else None
    called = None if call is None else call.child_by_field_name("function")
    is_first = around.named_children[:1] == [one.path[string]]
    if (
        called is None
        or not is_first
        or source.text_of(called.child_by_field_name("attribute")) not in METHODS
    ):
        return None
    return called.child_by_field_name("object")


def replaced_key(
    change: FileChange, one: Occurrence, old: str, new: str, reason: str
) -> Iterator[Replacement]:
    start = change.to_new(one.start)
    if start is not None and change.new.text[start : start + len(old)] == old:
        yield Replacement(start, start + len(old), new, reason, LIKELY, f"key {old} {new}")


def type_written(source: SourceText, path: Path) -> str:
    """The declared type of a literal: its variable's, or the return type of the function that returns it."""
    at = next((number for number in range(len(path) - 1, -1, -1) if path[number].type == "dictionary"), 0)
    around = path[at - 1]
    said = ""
    if around.type == "assignment":
        said = source.text_of(around.child_by_field_name("type"))
    elif around.type == "return_statement":
        function = next((node for node in reversed(path) if node.type == "function_definition"), None)
        said = "" if function is None else source.text_of(function.child_by_field_name("return_type"))
    return ANNOTATED.sub(r"\1", said)
