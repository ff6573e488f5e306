"""Packages of Go that a file imports by another name now: their uses follow.

import l "example.com/logging"       import log "example.com/logging"
l.Info("a")                          l.Info("a")
                                     ^ `log` now
"""

from __future__ import annotations

from collections.abc import Iterator

from fim_lsp.edits.importing.unused_names import imported_names
from fim_lsp.edits.renaming.renames import LIKELY, SURE
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.scoped import SCOPINGS, owner


def package_renames(change: FileChange) -> Iterator[tuple[str, str, bool]]:
    """The old and the new name of a package whose import was changed, and whether it is the same package."""
    if change.old.known_language.name != "go" or not change.replaced:
        return
    old, new = paths_imported(change.old), paths_imported(change.new)
    gone, come = [*old.keys() - new.keys()], [*new.keys() - old.keys()]
    if len(gone) == len(come) == 1:
        yield gone[0], come[0], old[gone[0]] == new[come[0]]


def renamed_packages(change: FileChange) -> Iterator[Replacement]:
    """The uses of packages whose import was changed."""
    for name, now, is_same in package_renames(change):
        yield from renamed_uses(change, name, now, SURE if is_same else LIKELY)


def renamed_uses(change: FileChange, name: str, now: str, sure: float) -> Iterator[Replacement]:
    scoping = SCOPINGS["go"]
    for start in change.old.places(name):
        at, path = change.to_new(start), change.old.path_to(start)
        around = path[-2] if len(path) > 1 else path[-1]
        is_use = around.type == "selector_expression" and around.child_by_field_name("operand") == path[-1]
        is_type = around.type == "qualified_type" and around.child_by_field_name("package") == path[-1]
        if at is None or not (is_use or is_type) or owner(change.old, scoping, name, path) is not None:
            continue
        if change.new.text[at : at + len(name)] == name:
            reason = f"the package `{name}` is called `{now}` now"
            yield Replacement(at, at + len(name), now, reason, sure, f"package {name} {now}")


def paths_imported(source: SourceText) -> dict[str, str]:
    """The paths of the packages that a file imports, by their names in the file."""
    return {one.name: source.text_of(one.node.child_by_field_name("path")) for one in imported_names(source)}
