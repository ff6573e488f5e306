"""Functions and classes that moved from a module to another one: imports of them name the new module.

shop/helpers.py   -def slug(name): ...          shop/text.py       def slug(name): ...
shop/page.py       from shop.helpers import slug, total
                   `from shop.helpers import total` and `from shop.text import slug` now
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from fim_lsp.context.import_place import Asker, added_import
from fim_lsp.context.importable import ImportSource
from fim_lsp.edits.importing.imports import ImportBinding, bindings
from fim_lsp.edits.importing.unused_imports import removable
from fim_lsp.edits.projects.elsewhere import Definitions, parts_of, resolved_module
from fim_lsp.edits.renaming.renames import LIKELY, renames
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import MODULE, names_of
from fim_lsp.edits.texts.source import SourceText

DEFINED = ("function", "class")


def gone_definitions(change: FileChange) -> set[str]:
    """The old functions and classes whose names nothing at the new file's top level binds, and that have no
    other name now."""
    found, renamed = set(), {one.old for one in renames(change)}
    for node in change.old.root.named_children:
        inner = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
        name = None if inner is None else inner.child_by_field_name("name")
        said = change.old.text_of(name)
        is_defined = inner is not None and inner.type in ("function_definition", "class_definition")
        if (
            is_defined
            and said
            and said not in renamed
            and MODULE not in change.new_names.binding_scopes(said)
        ):
            found.add(said)
    return found


def new_homes(names: Iterable[str], files: Mapping[PurePosixPath, SourceText]) -> dict[str, PurePosixPath]:
    """The file that defines each name, if just one does."""
    found = {}
    for name in names:
        homes = [
            path
            for path, source in files.items()
            if any(one.role in DEFINED and one.scopes[0] == MODULE for one in names_of(source).of(name))
        ]
        if len(homes) == 1:
            found[name] = homes[0]
    return found


def imported_from_there(
    other: FileChange, path: PurePosixPath, definitions: Definitions, homes: Mapping[str, PurePosixPath]
) -> Iterator[Replacement]:
    """The imports in another file that have to name the new module."""
    for one in bindings(other.old).values():
        home = homes.get(one.member)
        if home is None or home == path or not definitions.is_meant(one.module, path, one.member):
            continue
        module = module_named(one.module, path, definitions.path, home)
        start = other.to_new(other.old.span(one.statement)[0])
        if module and start is not None:
            yield from imported_otherwise(other, one, module)


def imported_otherwise(other: FileChange, one: ImportBinding, module: str) -> Iterator[Replacement]:
    source, statement = other.old, one.statement
    reason = f"`{one.member}` is in `{module}` now"
    named = statement.child_by_field_name("module_name")
    names = statement.children_by_field_name("name")
    start, stop = source.span(statement)
    line = source.lines.content(source.lines.line_at(start))
    if named is None or other.new.text[start:stop] != source.text[start:stop]:
        return
    group = f"moved {one.member}"
    if len(names) == 1:
        yield Replacement(*source.span(named), module, reason, LIKELY, group)
        return
    blanks = line[: len(line) - len(line.lstrip())]
    added = f"\n{blanks}from {module} import {source.text_of(one.node)}"
    for begin, end in removable(source, [one]):
        yield Replacement(begin, stop, f"{source.text[end:stop]}{added}", reason, LIKELY, group)


def imported_back(
    change: FileChange,
    definitions: Definitions,
    homes: Mapping[str, PurePosixPath],
    files: Mapping[PurePosixPath, SourceText],
) -> Iterator[Replacement]:
    """The imports of moved definitions that the file still uses, unless their new module imports the file."""
    for name, home in homes.items():
        uses = [one for one in change.new_names.of(name) if one.role == "use"]
        asks_back = any(
            definitions.is_meant(one.dotted if one.member else one.module, home, one.member)
            or definitions.is_meant(one.module, home, one.member)
            for one in bindings(files[home]).values()
        )
        if not uses or asks_back:
            continue
        source = ImportSource(".".join(parts_of(home)), name, name)
        text = change.new.text
        line_end = "\r\n" if "\r\n" in text else "\n"
        found = added_import(text, change.new.root, source, uses[0].start, Asker(), line_end)
        if found is not None:
            reason = f"`{name}` is in `{source.module}` now"
            yield Replacement(found.start, found.stop, found.new, reason, LIKELY, f"moved {name}")


def module_named(said: str, asker: PurePosixPath, was: PurePosixPath, home: PurePosixPath) -> str:
    """The new module's name in a file, written as that of the old one was; empty if that is not plain."""
    old, new = parts_of(was), parts_of(home)
    if said.startswith("."):
        is_beside = old[:-1] == new[:-1] and said.rstrip(".") != "" and said.endswith(old[-1])
        return f"{said[: -len(old[-1])]}{new[-1]}" if is_beside else ""
    n_cut = len(old) - len(resolved_module(said, asker))
    return ".".join(new[n_cut:]) if old[:n_cut] == new[:n_cut] else ""
