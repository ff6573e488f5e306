"""Lists that became sets, and the reverse, in Python: the methods that fill them are called otherwise.

seen = []                 seen = set()
seen.append(row)          seen.add(row)
seen.extend(rows)         seen.update(rows)
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.renaming.objects import class_of
from fim_lsp.edits.renaming.renames import LIKELY, is_own
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING, Occurrence
from fim_lsp.edits.texts.source import SourceText

KINDS = {"[]": "list", "list()": "list", "set()": "set"}
METHODS = {"list": ("append", "extend"), "set": ("add", "update")}


def refilled_containers(change: FileChange) -> Iterator[Replacement]:
    """The methods of containers whose first value became one of another kind."""
    for replaced in change.replaced:
        if not any(sign in replaced.old + replaced.new for sign in ("set", "list", "[]")):
            continue
        before = container_at(change.old, replaced.old_start)
        after = None if before is None else container_at(change.new, replaced.new_start)
        if before is None or after is None or before[0] != after[0] or before[1] == after[1]:
            continue
        renamed = dict(zip(METHODS[before[1]], METHODS[after[1]], strict=True))
        for one in same_containers(change, before[2]):
            yield from renamed_method(change, one, renamed, f"`{before[0]}` is a {after[1]} now")


def container_at(source: SourceText, offset: int) -> tuple[str, str, tree_sitter.Node] | None:
    """What is assigned an empty container around a place: its name, the container's kind, and its node."""
    around = next((node for node in reversed(source.path_to(offset)) if node.type == "assignment"), None)
    left = None if around is None else around.child_by_field_name("left")
    if around is None or left is None or left.type not in ("identifier", "attribute"):
        return None
    kind = KINDS.get(source.text_of(around.child_by_field_name("right")))
    return None if kind is None else (source.text_of(left), kind, left)


def same_containers(change: FileChange, left: tree_sitter.Node) -> Iterator[Occurrence]:
    """The other places of a variable, or of an attribute of `self`, if it is bound just once."""
    source, names = change.old, change.old_names
    if left.type == "identifier":
        found = names.variable(source.text_of(left), names.owner(names.at(*source.span(left))))
        yield from found if sum(one.role in BINDING for one in found) == 1 else ()
        return
    name = left.child_by_field_name("attribute")
    here = names.at(*source.span(name)) if name is not None else None
    if here is None or not is_own(source, here):
        return
    for one in names.of(source.text_of(name)):
        if one.role == "attribute" and class_of(one) == class_of(here) and is_own(source, one):
            yield one


def renamed_method(
    change: FileChange, one: Occurrence, renamed: dict[str, str], reason: str
) -> Iterator[Replacement]:
    """The replacement of the method that is called at a place of the container."""
    number = -2 if one.role == "attribute" else -1
    holder, around = one.path[number], one.path[number - 1]
    method = around.child_by_field_name("attribute") if around.type == "attribute" else None
    if method is None or around.child_by_field_name("object") != holder:
        return
    start, stop = change.old.span(method)
    name, at = change.old.text[start:stop], change.to_new(start)
    is_called = change.old.text[stop : stop + 1] == "("
    if is_called and name in renamed and at is not None and change.new.text[at : at + len(name)] == name:
        yield Replacement(at, at + len(name), renamed[name], reason, LIKELY, f"container {one.start}")
