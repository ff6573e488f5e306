"""Methods that became properties, and the reverse: their uses lose or get brackets.

+@property
 def total(self): ...          def show(self):
                                   print(self.total())
                                                   ^^ go
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fim_lsp.edits.functions.calls import call_of, of_method
from fim_lsp.edits.functions.signatures import Altered, Function, functions_in
from fim_lsp.edits.renaming import members_elsewhere
from fim_lsp.edits.renaming.bound_values import is_set
from fim_lsp.edits.renaming.objects import family, family_of
from fim_lsp.edits.renaming.renames import SURE
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import Occurrence
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import NOTHING_GIVEN

PROPERTIES = ("property", "cached_property")


def turned_methods(change: FileChange) -> list[Altered]:
    """The methods that a change turned into properties, and the reverse."""
    old, new = change.old.text, change.new.text
    if not any(
        "property" in old[one.old_start : one.old_stop] + new[one.new_start : one.new_stop]
        for one in change.hunks
    ):
        return []
    before, after = methods_of(change.old), methods_of(change.new)
    return [
        Altered(one, after[key], {})
        for key, one in before.items()
        if key in after and is_property(one) != is_property(after[key])
    ]


def turned_words(turned: Altered) -> tuple[str, str]:
    """The old and new uses of a method, as words for the user."""
    name = turned.before.name
    return (f"{name}()", name) if is_property(turned.after) else (name, f"{name}()")


def methods_of(source: SourceText) -> dict[tuple[str, str], Function]:
    """The methods of a text that take only their object, by the names of their classes and their own. A name
    that its class defines more than once, as a property with a setter, is left out."""
    found: dict[tuple[str, str], list[Function]] = {}
    for one in functions_in(source, 0, len(source.text)):
        if one.owner is not None:
            found.setdefault((one.class_name, one.name), []).append(one)
    return {key: several[0] for key, several in found.items() if len(several) == 1 and is_bare(several[0])}


def is_bare(one: Function) -> bool:
    others = {name.rpartition(".")[2] for name in one.decorators} & {"staticmethod", "classmethod"}
    return len(one.parameters) == 1 and not one.is_async and not others


def is_property(one: Function) -> bool:
    return any(name.rpartition(".")[2] in PROPERTIES for name in one.decorators)


def adapted_brackets(change: FileChange) -> Iterator[Replacement]:
    """The replacements in the file itself."""
    for turned in turned_methods(change):
        before = turned.before
        classes = family(change, before.owner)
        # An override stays what it was.
        if any(
            one.role == "function" and one.scopes[0] in classes and one.scopes[0] != before.owner
            for one in change.old_names.of(before.name)
        ):
            continue
        for one in change.old_names.of(before.name):
            if one.role == "attribute":
                yield from adapted_use(change, turned, one, of_method(change, one, turned))


def turned_there(other: FileChange, turned: Altered, classes: Collection[str]) -> Iterator[Replacement]:
    """The replacements in another file; `classes` are its names for the class."""
    made_of_it = family_of(other.old, None, classes) if classes else {}
    names = {*classes, *made_of_it.values()}
    for one in other.old_names.of(turned.before.name) if names else ():
        if one.role == "function" and one.scopes[0] in made_of_it:
            return
    for one in other.old_names.of(turned.before.name) if names else ():
        if members_elsewhere.is_of(other, one, names, made_of_it):
            yield from adapted_use(other, turned, one, SURE)


def adapted_use(change: FileChange, turned: Altered, one: Occurrence, sure: float) -> Iterator[Replacement]:
    name = turned.before.name
    at = change.to_new(one.start)
    if at is None or change.new.text[at : at + len(name)] != name or not sure:
        return
    stop, call = at + len(name), call_of(one)
    group = f"brackets {name} {turned.before.class_name}"
    behind = NOTHING_GIVEN.match(change.new.text, stop)
    if is_property(turned.after):
        if call is not None and behind is not None:
            yield Replacement(stop, behind.end(), "", f"`{name}` is a property now", sure, group)
    elif call is None and behind is None and not is_set(one) and one.path[-3].type != "delete_statement":
        yield Replacement(stop, stop, "()", f"`{name}` is no property any more", sure, group)
