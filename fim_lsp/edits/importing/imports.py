"""Imports that a change leaves unused, names that it leaves without an import, and changed imports.

-from os import path                    -    return json.loads(text)
+import os                              +    return text
 path.join(a, b)                         import json
 ^ `os.path` now                         ^ nothing uses it any more
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import tree_sitter

from fim_lsp.context.import_place import Asker, added_import
from fim_lsp.context.importable import ImportSource as Importing
from fim_lsp.edits.importing.standard_names import ALIASES, NAMES
from fim_lsp.edits.renaming.renames import LIKELY, SURE
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import MODULE, Occurrence
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD
from fim_lsp.positions import LINE_END, lines_of

BUILTINS = frozenset(dir(builtins)) | {
    "__file__", "__path__", "__builtins__", "__annotations__", "__class__", "WindowsError", "reveal_type",
}  # fmt: skip
MISSING = 0.95
# A user who removes an import will remove its uses: between releases none of 41 such imports came back.
PUT_BACK = 0.3
IMPORTS = ("import_statement", "import_from_statement")
# A file with these may bind names that are not visible in it.
UNTOLD = ("import *", "globals(", "exec(", "locals(")
# Modules of Python whose names users also give to variables.
COMMON_WORDS = (
    "abc calendar code cmd copy email glob html http imp keyword numbers operator parser platform profile"
    " queue resource select signal site stat string symbol test this token trace types user wave"
)
TOO_COMMON = frozenset(COMMON_WORDS.split())


@dataclass(frozen=True, slots=True)
class ImportBinding:
    """A name that an import binds: its source, and its place in the text."""

    name: str
    module: str
    # Empty for a module itself.
    member: str
    statement: tree_sitter.Node
    node: tree_sitter.Node

    @property
    def target(self) -> tuple[str, str]:
        return self.module, self.member

    @property
    def dotted(self) -> str:
        return f"{self.module}.{self.member}" if self.member else self.module


def bindings(source: SourceText) -> dict[str, ImportBinding]:
    """The names that top-level imports of a file bind, by name; the last one wins."""
    found: dict[str, ImportBinding] = {}
    waiting = [source.root]
    while waiting:
        node = waiting.pop()
        if node.type in IMPORTS:
            found.update((one.name, one) for one in import_bindings(source, node))
        elif node.type in (
            "module",
            "block",
            "if_statement",
            "try_statement",
            "except_clause",
            "else_clause",
        ):
            waiting += reversed(node.named_children)
    return found


def import_bindings(source: SourceText, node: tree_sitter.Node) -> Iterator[ImportBinding]:
    module = source.text_of(node.child_by_field_name("module_name")).replace(" ", "")
    is_from = node.type == "import_from_statement"
    for child in node.children_by_field_name("name"):
        is_aliased = child.type == "aliased_import"
        said = source.text_of(child.child_by_field_name("name") if is_aliased else child).replace(" ", "")
        alias = source.text_of(child.child_by_field_name("alias")) if is_aliased else ""
        if is_from:
            yield ImportBinding(alias or said, module, said, node, child)
        else:
            yield ImportBinding(
                alias or said.partition(".")[0], said if alias else said.partition(".")[0], "", node, child
            )


def is_untold(source: SourceText) -> bool:
    return any(sign in source.text for sign in UNTOLD)


# --- changed imports ---------------------------------------------------------------------------------------


def imported_otherwise(change: FileChange) -> Iterator[Replacement]:
    """The uses of imported names whose import was changed."""
    if not touches_imports(change):
        return
    old, new = bindings(change.old), bindings(change.new)
    gone = [one for name, one in old.items() if name not in new]
    come = [one for name, one in new.items() if name not in old or new[name].target != old[name].target]
    for one in gone:
        if (other := next((other for other in come if other.target == one.target), None)) is not None:
            reason = f"`{one.name}` is imported as `{other.name}` now"
            yield from uses(change, one.name, other.name, reason)
        elif one.member and (whole := next((w for w in new.values() if w.dotted == one.module), None)):
            written = f"{whole.name}.{one.member}"
            if whole in come:
                yield from uses(change, one.name, written, f"`{one.name}` is reached as `{written}` now")
        elif not one.member:
            parts = {other.member: other for other in come if other.module == one.module and other.member}
            parts |= {
                other.member: other
                for other in come
                if other.module == one.dotted and other.member not in parts and other.member
            }
            yield from members(change, one, parts)


def touches_imports(change: FileChange) -> bool:
    return any(
        "import" in change.old.text[hunk.old_start : hunk.old_stop]
        or "import" in change.new.text[hunk.new_start : hunk.new_stop]
        or any(node.type in IMPORTS for node in change.new.path_to(hunk.new_start))
        for hunk in change.hunks
    )


def uses(change: FileChange, name: str, written: str, reason: str) -> Iterator[Replacement]:
    first = written.partition(".")[0]
    for one in change.old_names.variable(name, MODULE):
        start = change.to_new(one.start)
        if one.role != "use" or start is None or change.new.text[start : start + len(name)] != name:
            continue
        here = change.new_names.at(start, start + len(name))
        if here.role == "use" and change.new_names.binding_scope(first, here.scopes) == MODULE:
            yield Replacement(start, start + len(name), written, reason, SURE, f"import {name} {written}")


def members(
    change: FileChange, one: ImportBinding, parts: Mapping[str, ImportBinding]
) -> Iterator[Replacement]:
    """`json.loads`, if `loads` is imported now and `json` is not."""
    for use in change.old_names.variable(one.name, MODULE):
        attribute = use.parent
        start = change.to_new(use.start)
        if use.role != "use" or attribute.type != "attribute" or start is None:
            continue
        member = change.old.text_of(attribute.child_by_field_name("attribute"))
        begin, end = change.old.span(attribute)
        stop = start + end - begin
        if member not in parts or change.new.text[start:stop] != change.old.text[begin:end]:
            continue
        here = change.new_names.at(start, start + len(one.name))
        other = parts[member]
        if here.role == "use" and change.new_names.binding_scope(other.name, here.scopes) == MODULE:
            reason = f"`{other.name}` is imported by itself now"
            yield Replacement(start, stop, other.name, reason, SURE, f"import {one.name} {other.name}")


# --- without an import -------------------------------------------------------------------------------------


def missing(
    change: FileChange, importable: Callable[[str], Importing | None], asker: Asker
) -> Iterator[Replacement]:
    """Imports of undefined names that were just written."""
    if is_untold(change.new):
        return
    line_end = LINE_END.search(change.new.text)
    done: set[str] = set()
    for one in undefined_names(change, importable):
        name = change.new.text[one.start : one.stop]
        if name in done:
            continue
        done.add(name)
        source, probability = source_of(change, one, name, importable)
        if source is None or source.module == asker.module or is_taken_back(change, source):
            continue
        probability = min(probability, MISSING)
        text = change.new.text
        found = added_import(
            text, change.new.root, source, one.start, asker, line_end[0] if line_end else "\n"
        )
        if found is not None:
            reason = f"`{name}` is not imported yet"
            yield Replacement(found.start, found.stop, found.new, reason, probability, f"missing {name}")


def put_back(change: FileChange) -> Iterator[Replacement]:
    """Imports to restore: only they were removed, and their names are still used."""
    if len(change.hunks) != 1 or is_untold(change.new):
        return
    [hunk] = change.hunks
    if change.new.text[hunk.new_start : hunk.new_stop].strip():
        return
    old, new = bindings(change.old), bindings(change.new)
    start, stop = change.old.byte(hunk.old_start), change.old.byte(hunk.old_stop)
    gone = [one for one in old.values() if start <= one.statement.start_byte < stop and one.name not in new]
    used = [one for one in gone if any(is_missed(change, place) for place in change.new_names.of(one.name))]
    if not used:
        return
    removed = change.old.text[hunk.old_start : hunk.old_stop]
    statements = list(dict.fromkeys(one.statement for one in used))
    said = [change.old.text_of(one) for one in statements]
    names = ", ".join(f"`{one.name}`" for one in used)
    is_whole = {*gone} == {*used} and not [
        line for line in lines_of(removed) if line.strip() and not any(line.strip() in one for one in said)
    ]
    end = LINE_END.search(removed)
    line_end = end[0] if end else "\n"
    written = removed if is_whole else "".join(one + line_end for one in said)
    reason = f"{names} {'is' if len(used) == 1 else 'are'} used still"
    yield Replacement(hunk.new_start, hunk.new_stop, written, reason, PUT_BACK, f"put back {names}")


def is_missed(change: FileChange, one: Occurrence) -> bool:
    return one.role == "use" and change.new_names.owner(one) is None


def undefined_names(
    change: FileChange, importable: Callable[[str], Importing | None]
) -> Iterator[Occurrence]:
    """Names that were just written, that nothing in the file binds, and that one import could define."""
    for hunk in change.hunks:
        for found in WORD.finditer(change.new.text, hunk.new_start, hunk.new_stop):
            if found[0] in BUILTINS or not may_be_imported(change, found, importable):
                continue
            before = change.to_old(found.start())
            if before is not None:
                was = change.old_names.at(before, before + len(found[0]))
                if was.role == "use":
                    continue
            one = change.new_names.at(found.start(), found.end())
            if one.role == "use" and change.new_names.owner(one) is None:
                yield one


def may_be_imported(
    change: FileChange, found: re.Match[str], importable: Callable[[str], Importing | None]
) -> bool:
    """Whether a name has a known source. This costs less than finding out whether it is missing."""
    name = found[0]
    is_module = name in sys.stdlib_module_names or name in ALIASES
    if name in NAMES or (is_module and change.new.text[found.end() : found.end() + 1] == "."):
        return True
    before = change.to_old(found.start())
    was_asked_for = before is not None and change.old.text[before - 1 : before] == "."
    return was_asked_for or importable(name) is not None


def source_of(
    change: FileChange, one: Occurrence, name: str, importable: Callable[[str], Importing | None]
) -> tuple[Importing | None, float]:
    """The source to import a name from, and its probability."""
    if (found := importable(name)) is not None:
        return found, SURE
    if (found := module_meant(one, name)) is not None:
        return found, LIKELY if name in ALIASES else SURE
    # The change itself shows the source: `json.loads` became `loads`.
    before = change.to_old(one.start)
    was = None if before is None else change.old_names.at(before, before + len(name))
    if was is not None and was.role == "attribute":
        module = bindings(change.old).get(change.old.text_of(was.parent.child_by_field_name("object")))
        if module is not None and not module.member:
            return Importing(module.module, name, name), SURE
    if (found := standard_source(one, name)) is not None:
        return found, LIKELY if name[:1].islower() else SURE
    return None, 0.0


def module_meant(one: Occurrence, name: str) -> Importing | None:
    """The module that a name in front of a dot stands for."""
    if one.parent.type != "attribute":
        return None
    if name in sys.stdlib_module_names and name not in TOO_COMMON and not name.startswith("_"):
        return Importing(name, "", name)
    return Importing(ALIASES[name], "", name) if name in ALIASES else None


def standard_source(one: Occurrence, name: str) -> Importing | None:
    """The source of a name that means one thing in all Python code."""
    return NAMES[name] if name in NAMES and not is_asked_like_a_module(one, name) else None


def is_asked_like_a_module(one: Occurrence, name: str) -> bool:
    """`datetime.datetime` means the module."""
    return (
        name == "datetime"
        and one.parent.type == "attribute"
        and (one.parent.text or b"").startswith(b"datetime.datetime")
    )


def is_taken_back(change: FileChange, source: Importing) -> bool:
    """Whether the import was just removed."""
    old = bindings(change.old).get(source.alias)
    return old is not None and source.alias not in bindings(change.new)
