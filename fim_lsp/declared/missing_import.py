"""The one import that an offer needs, in languages whose law the engine does not know: which name is missing,
where the import goes, and whether the file is right with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import tree_sitter

from fim_lsp.context.added_import import AddedImport
from fim_lsp.declared.advice import Declared
from fim_lsp.declared.beside import FileLocation
from fim_lsp.declared.go_imports import missing_in_go, place_in_go
from fim_lsp.declared.java_imports import missing_in_java, place_in_java
from fim_lsp.declared.javascript_imports import missing_in_javascript
from fim_lsp.declared.laws import NOT_DECLARED
from fim_lsp.known_languages import GO, JAVA, JAVASCRIPT
from fim_lsp.positions import LINE_END


@dataclass(frozen=True, slots=True)
class Insertion:
    """The text between two bytes of a file so that it has an import, and the import as a statement."""

    start: int
    stop: int
    new: str
    statement: str


Finding = Callable[[tree_sitter.Node, tree_sitter.Node, FileLocation, str], Insertion | None]


def in_go(
    use: tree_sitter.Node, root: tree_sitter.Node, place: FileLocation, line_end: str
) -> Insertion | None:
    found = missing_in_go(use, place)
    where = None if found is None else place_in_go(found, root, line_end)
    if found is None or where is None:
        return None
    name = f"{found.name} " if found.name else ""
    return Insertion(where[0], where[0], where[1], f'import {name}"{found.path}"')


def in_java(
    use: tree_sitter.Node, root: tree_sitter.Node, place: FileLocation, line_end: str
) -> Insertion | None:
    found = missing_in_java(use, root, place)
    where = None if found is None else place_in_java(found, root, line_end)
    return None if where is None else Insertion(where[0], where[0], where[1], f"import {found};")


def in_javascript(
    use: tree_sitter.Node, root: tree_sitter.Node, place: FileLocation, line_end: str
) -> Insertion | None:
    found = missing_in_javascript(use, root, place, line_end)
    return None if found is None else Insertion(*found)


FOUND: Mapping[str, Finding] = {GO.family: in_go, JAVA.family: in_java, JAVASCRIPT.family: in_javascript}


def missing_import(declared: Declared, offer: str) -> AddedImport | None:
    """The one import with which all names of an offer are declared; None if no import does that, or none is
    needed."""
    root, content, faults = declared.faults(offer)
    names = {one.name for one in faults}
    if len(names) != 1 or any(one.why != NOT_DECLARED for one in faults):
        return None
    [name] = names
    use = root.descendant_for_byte_range(faults[0].start, faults[0].stop)
    whole = declared.text.text
    end = LINE_END.search(whole)
    find = FOUND.get(declared.text.known_language.family)
    if use is None or find is None:
        return None
    found = find(use, root, declared.place, end[0] if end else "\n")
    # The place is in front of the hole, so it is the same in the document without the offer.
    if found is None or not is_in_front(found, declared, content):
        return None
    start, stop = (len(content[:one].decode(errors="replace")) for one in (found.start, found.stop))
    added = AddedImport(name, found.statement, start, stop, found.new)
    return added if declared.with_import(added).faults(offer)[2] == [] else None


def is_in_front(found: Insertion, declared: Declared, content: bytes) -> bool:
    return len(content[: found.stop].decode(errors="replace")) <= declared.start
