"""Imports that go with an edit: if the edit needs a name that the file does not bind, one step makes both.

    def size(name):                            import os
        return getsize(name)                   ...
               ^ `getsize(` became             return os.path.getsize(name)
                 `os.path.getsize(` elsewhere

If the name's module is not known, the edit is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fim_lsp.context.import_place import Asker, added_import
from fim_lsp.context.importable import ImportSource as Importing
from fim_lsp.edits.importing.imports import is_taken_back, module_meant, standard_source
from fim_lsp.edits.proving.proof import Proof
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Addition, NextEdit
from fim_lsp.edits.texts.names import Occurrence
from fim_lsp.positions import LINE_END

# The most imports with one edit. An edit that needs more is new code.
MOST_IMPORTS = 3


def with_imports(
    change: FileChange,
    edit: NextEdit,
    proof: Proof,
    importable: Callable[[str], Importing | None],
    asker: Asker,
) -> NextEdit | None:
    """An edit with the imports that it needs; None if it needs none, or if one of them is not known."""
    text = change.new.text
    line_end = LINE_END.search(text)
    written = edit.edited_text(text)
    found: dict[str, Addition] = {}
    for one in proof.unbound(edit.start, edit.end, edit.new):
        name = written[one.start : one.stop]
        if name in found:
            continue
        source = source_of(one, name, importable)
        is_own = source is not None and source.module == asker.module
        if source is None or is_own or is_taken_back(change, source) or len(found) == MOST_IMPORTS:
            return None
        added = added_import(
            text, change.new.root, source, edit.start, asker, line_end[0] if line_end else "\n"
        )
        if added is None or added.stop > edit.start:
            return None
        found[name] = Addition(added.start, added.stop, added.new)
    if not found:
        return None
    names = ", ".join(f"`{name}`" for name in found)
    reason = f"{edit.reason}; {names} {'is' if len(found) == 1 else 'are'} imported with it"
    return replace(edit, also=tuple(sorted(found.values(), key=lambda one: one.start)), reason=reason)


def source_of(one: Occurrence, name: str, importable: Callable[[str], Importing | None]) -> Importing | None:
    return importable(name) or module_meant(one, name) or standard_source(one, name)
