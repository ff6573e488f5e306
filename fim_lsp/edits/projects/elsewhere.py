"""Edits in the project's other Python files that follow from a change.

    shop/prices.py    -def net(gross):      +def net_of(gross):
    shop/till.py       from shop.prices import net            `net_of` now, and so is each of its uses
                       from shop import prices                `prices.net` is `prices.net_of`

An import means the file that Python would find below the project's folder, or a file whose names the
package's own `__init__.py` re-exports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.functions.adapted_calls import adapted_call, adapted_for_good, values_given
from fim_lsp.edits.functions.awaits import adapted_awaits
from fim_lsp.edits.functions.calls import Call, call_of
from fim_lsp.edits.functions.fields import altered_fields
from fim_lsp.edits.functions.properties import turned_methods, turned_there
from fim_lsp.edits.functions.signatures import Altered, altered_functions
from fim_lsp.edits.importing.imports import ImportBinding, bindings
from fim_lsp.edits.projects.said_imports import imports_any, imports_own_package
from fim_lsp.edits.renaming import members_elsewhere
from fim_lsp.edits.renaming.field_names import renamed_texts_there
from fim_lsp.edits.renaming.fixtures import renamed_fixtures_elsewhere
from fim_lsp.edits.renaming.literal_keys import literal_renames
from fim_lsp.edits.renaming.members_elsewhere import class_name
from fim_lsp.edits.renaming.mentions import mentioned_there, mentioned_where_imported
from fim_lsp.edits.renaming.objects import family_of, heirs_without
from fim_lsp.edits.renaming.renamed_places import is_annotation, renamed_exports
from fim_lsp.edits.renaming.renames import LIKELY, PERHAPS, SURE, Rename, renames
from fim_lsp.edits.renaming.returned_keys import renamed_keys_there, returned_renames
from fim_lsp.edits.renaming.said_fields import renamed_fields_there
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import MODULE, Scope
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import PYTHON

# Source folders that are not part of a module's name.
SOURCES = ("src", "lib", "python")


class KeyRename(NamedTuple):
    """A renamed key, and the function that returns its dictionary, or the name that this is assigned to."""

    old: str
    new: str
    name: str
    is_called: bool


def key_renames(change: FileChange) -> Iterator[KeyRename]:
    if change.new.known_language is PYTHON:
        for old, new, function in returned_renames(change):
            yield KeyRename(old, new, change.old.text[function.start : function.stop], True)
        for old, new, literal in literal_renames(change):
            if literal.scope == MODULE:
                yield KeyRename(old, new, literal.text, False)


@dataclass(frozen=True)
class Definitions:
    """The changed definitions of a module that others import: `path` is relative to the project's folder."""

    change: FileChange
    path: PurePosixPath
    renames: tuple[Rename, ...]
    functions: tuple[Altered, ...]
    # Renamed members, with the names of their classes.
    members: tuple[tuple[Rename, str], ...] = ()
    # Methods that became properties, and the reverse.
    turned: tuple[Altered, ...] = ()
    # Renamed keys of dictionaries that functions return, or that are assigned to a name.
    keys: tuple[KeyRename, ...] = ()
    # The packages that re-export names of the module, with these names.
    handed_on: Mapping[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, change: FileChange, path: PurePosixPath) -> Definitions:
        all_of = renames(change)
        found = tuple(one for one in all_of if one.owner == MODULE and one.role != "attribute")
        named = ((one, class_name(change, one.owner)) for one in all_of)
        members = tuple((one, name) for one, name in named if name)
        functions = tuple(
            one for one in [*altered_functions(change), *altered_fields(change)] if not one.before.is_local
        )
        turned, keys = tuple(turned_methods(change)), tuple(key_renames(change))
        return cls(change, path, found, functions, members, turned, keys)

    @cached_property
    def words(self) -> set[str]:
        """Words of which every affected file holds one."""
        said = {one.old for one in self.renames} | {one.old for one, _ in self.members}
        said |= {one.before.name for one in self.turned} | {one.name for one in self.keys}
        for one in self.functions:
            said.add(one.before.class_name if one.before.name == "__init__" else one.before.name)
        return said

    @property
    def handed_names(self) -> set[str]:
        """The names that a package's own file may hand on, as they were and as they are."""
        names = {name for one in self.renames for name in (one.old, one.new)}
        owners = {owner for _, owner in self.members} | {one.before.class_name for one in self.turned}
        owners |= {one.before.class_name for one in self.functions if one.before.class_name}
        names |= owners | {*family_of(self.change.old, None, owners).values()}
        names |= {one.name for one in self.keys}
        for one in self.functions:
            names.add(one.before.class_name or one.before.name)
        return names

    @property
    def module(self) -> tuple[str, ...]:
        return parts_of(self.path)

    @cached_property
    def modules(self) -> tuple[tuple[str, ...], ...]:
        """The names of the module, also that with the folder of sources in front: `src.shop.prices`."""
        return tuple(dict.fromkeys((self.module, whole_parts_of(self.path))))

    def with_packages(self, packages: Mapping[PurePosixPath, SourceText]) -> Definitions:
        """The definitions, with the packages that re-export them."""
        found = {}
        own = {parts[-1] for parts in self.modules if parts}
        for path, source in packages.items():
            if not any(name in source.text for name in own):
                continue
            names = {
                one.member
                for one in bindings(source).values()
                if one.member and self.is_meant(one.module, path) and one.name == one.member
            }
            # A package that has followed already handed the old name on.
            names |= {one.old for one in self.renames if one.new in names}
            if names:
                found[parts_of(path)] = frozenset(names)
        return replace(self, handed_on=found)

    def may_concern(self, _path: PurePosixPath, text: str) -> bool:
        """Whether a file may have anything of the module: it imports the module's name, or that of a package
        which re-exports names of it, or from its own package, or says a changed name behind the module's.
        A `conftest.py` needs no import."""
        said = self._last_parts
        if self.path.stem == "conftest" or any(not name.isascii() for name in said):
            return True
        if any(f"{name}.{word}" in text for name in said for word in self.words):
            return True
        is_handed = bool(self.handed_on) or self.path.stem == "__init__"
        return imports_any(text, said) or (is_handed and imports_own_package(text))

    @cached_property
    def _last_parts(self) -> set[str]:
        """The last parts of the names of the module and of the packages that re-export names of it."""
        return {parts[-1] for parts in (*self.modules, *self.handed_on) if parts}

    def is_meant(self, module: str, asker: PurePosixPath, name: str = "") -> bool:
        """Whether an import names the module, or a package that re-exports a name of it."""
        asked = resolved_module(module, asker)
        if any(matches(asked, one) for one in self.modules):
            return True
        return any(matches(asked, package) and name in names for package, names in self.handed_on.items())


def whole_parts_of(path: PurePosixPath) -> tuple[str, ...]:
    return path.parent.parts if path.stem == "__init__" else (*path.parent.parts, path.stem)


def parts_of(path: PurePosixPath) -> tuple[str, ...]:
    parts = whole_parts_of(path)
    return parts[1:] if len(parts) > 1 and parts[0] in SOURCES else parts


def resolved_module(module: str, asker: PurePosixPath) -> tuple[str, ...]:
    """The parts of a module's name, with leading dots resolved."""
    n_dots = len(module) - len(module.lstrip("."))
    parts = tuple(part for part in module[n_dots:].split(".") if part)
    if not n_dots:
        return parts
    folder = parts_of(asker) if asker.stem == "__init__" else parts_of(asker)[:-1]
    kept = folder[: len(folder) - n_dots + 1]
    return (*kept, *parts)


def matches(asked: tuple[str, ...], module: tuple[str, ...]) -> bool:
    return bool(asked) and module[len(module) - len(asked) :] == asked


def followed_elsewhere(
    other: FileChange, path: PurePosixPath, definitions: Definitions, is_remembered: bool = False
) -> Iterator[Replacement]:
    """The replacements in another file after a change. `other` is that file, before and after. If its old
    text is not remembered, a call that has already followed must not be changed again."""
    bound = bindings(other.old)
    for rename in definitions.renames:
        yield from renamed_there(other, path, definitions, rename, bound)
        yield from mentioned_there(other, definitions.modules, rename, modules_in(bound, path, definitions))
        if imports_it(path, definitions, rename, bound):
            yield from mentioned_where_imported(other, rename)
        yield from renamed_fixtures_elsewhere(other, path, rename, definitions.change, definitions.path)
    for member, owner in definitions.members:
        classes = kin_in(bound, path, definitions, owner)
        yield from members_elsewhere.renamed_there(other, member, classes)
        yield from renamed_fields_there(other, member, classes)
        named = dict[Scope | None, str](((-1 - number, ""), one) for number, one in enumerate(classes))
        yield from renamed_texts_there(other, member, named, definitions.change.old)
    for turned in definitions.turned:
        classes = kin_in(bound, path, definitions, turned.before.class_name)
        yield from turned_there(other, turned, classes)
    for key in definitions.keys:
        yield from keys_there(other, path, definitions, key, bound)
    for function in definitions.functions:
        given = values_given(definitions.change, function)
        for call in calls_there(other, path, definitions, function, bound):
            change = adapted_call if is_remembered else adapted_for_good
            yield from change(other, call, function, given) or []
            yield from adapted_awaits(other, call, function)


def imports_it(
    path: PurePosixPath, definitions: Definitions, rename: Rename, bound: Mapping[str, ImportBinding]
) -> bool:
    """Whether a file imports a renamed thing under its own name, the old one or the new one."""
    return any(
        one.name == one.member
        and one.member in (rename.old, rename.new)
        and definitions.is_meant(one.module, path, rename.old)
        for one in bound.values()
    )


def keys_there(
    other: FileChange,
    path: PurePosixPath,
    definitions: Definitions,
    key: KeyRename,
    bound: Mapping[str, ImportBinding],
) -> Iterator[Replacement]:
    """The places in another file that look a renamed key up."""
    names, source = classes_in(bound, path, definitions, key.name), other.old

    def is_it(value: tree_sitter.Node) -> bool:
        said = source.text_of(value)
        if said not in names:
            return False
        first = next(node for node in (value, *inner_nodes(value)) if not node.named_children)
        return other.old_names.owner(other.old_names.at(*source.span(first))) == MODULE

    yield from renamed_keys_there(other, key.old, key.new, is_it, key.is_called)


def inner_nodes(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The first nodes inside of one, from the outside to the inside."""
    while node.named_children:
        node = node.named_children[0]
        yield node


def classes_in(
    bound: Mapping[str, ImportBinding], path: PurePosixPath, definitions: Definitions, name: str
) -> set[str]:
    """A file's names for a class, a function or a variable of the module: `Cart`, `cart.Cart`."""
    local = {
        one.name
        for one in bound.values()
        if one.member == name and definitions.is_meant(one.module, path, name)
    }
    packages = packages_in(bound, path, definitions, name)
    return local | {f"{module}.{name}" for module in (*modules_in(bound, path, definitions), *packages)}


def packages_in(
    bound: Mapping[str, ImportBinding], path: PurePosixPath, definitions: Definitions, name: str
) -> Iterator[str]:
    """A file's names for the packages that re-export a name: `import shop` for `shop.Cart`."""
    for said, one in bound.items():
        dotted = f"{one.module}.{one.member}" if one.member else one.module
        asked = resolved_module(dotted, path)
        if any(matches(asked, package) and name in names for package, names in definitions.handed_on.items()):
            yield said


def kin_in(
    bound: Mapping[str, ImportBinding], path: PurePosixPath, definitions: Definitions, name: str
) -> set[str]:
    """A file's names for a class of the module, and for those that are derived from it there."""
    kin = {name, *family_of(definitions.change.old, None, (name,)).values()}
    return {local for one in kin for local in classes_in(bound, path, definitions, one)}


def renamed_there(
    other: FileChange,
    path: PurePosixPath,
    definitions: Definitions,
    rename: Rename,
    bound: Mapping[str, ImportBinding],
) -> Iterator[Replacement]:
    for one in bound.values():
        if one.member == rename.old and definitions.is_meant(one.module, path, rename.old):
            yield from imported_name(other, one, rename)
    modules = {*modules_in(bound, path, definitions), *packages_in(bound, path, definitions, rename.old)}
    for place in other.old_names.of(rename.old):
        start = other.to_new(place.start)
        if place.role != "attribute" or start is None:
            continue
        said = other.old.text_of(place.parent.child_by_field_name("object"))
        if said in modules and other.new.text[start : start + len(rename.old)] == rename.old:
            yield Replacement(start, start + len(rename.old), rename.new, rename.reason, SURE, rename.group)


def imported_name(other: FileChange, one: ImportBinding, rename: Rename) -> Iterator[Replacement]:
    """A name in an import; without an alias, all of its uses, too."""
    start, stop = other.old.span(one.node)
    at = other.to_new(start)
    if at is not None and other.new.text[at : at + len(rename.old)] == rename.old:
        yield Replacement(at, at + len(rename.old), rename.new, rename.reason, SURE, rename.group)
    if one.name != rename.old or MODULE in other.old_names.binding_scopes(rename.new):
        return
    yield from renamed_exports(other, rename)
    yield from annotated_there(other, rename)
    for place in other.old_names.variable(rename.old, MODULE):
        at = other.to_new(place.start)
        if place.role == "import" or at is None or start <= place.start < stop:
            continue
        here = other.new_names.at(at, at + len(rename.old))
        if other.new_names.binding_scope(rename.new, here.scopes) is None:
            yield Replacement(at, at + len(rename.old), rename.new, rename.reason, SURE, rename.group)


def annotated_there(other: FileChange, rename: Rename) -> Iterator[Replacement]:
    """An imported name in annotations that are strings."""
    for place in other.old_names.of(rename.old):
        at = other.to_new(place.start)
        if place.role != "text" or at is None or not is_annotation(place):
            continue
        if other.old_names.binding_scope(rename.old, place.scopes) == MODULE:
            yield Replacement(at, at + len(rename.old), rename.new, rename.reason, SURE, rename.group)


def modules_in(
    bound: Mapping[str, ImportBinding], path: PurePosixPath, definitions: Definitions
) -> dict[str, ImportBinding]:
    """A file's names for the module: `prices`, `shop.prices`."""
    found = {}
    for name, one in bound.items():
        dotted = (
            f"{one.module}{'' if one.module.endswith('.') else '.'}{one.member}" if one.member else one.module
        )
        asked = resolved_module(dotted, path)
        for module in definitions.modules:
            if matches(asked, module) and (one.member or name != one.module or "." not in dotted):
                found[name] = one
            if not one.member and matches(module[:1], (one.module,)) and len(module) > 1:
                found[".".join(module)] = one
    return found


def calls_there(
    other: FileChange,
    path: PurePosixPath,
    definitions: Definitions,
    function: Altered,
    bound: Mapping[str, ImportBinding],
) -> Iterator[Call]:
    before = function.before
    names = other.old_names
    wanted = before.class_name if before.owner is not None else before.name
    local = [
        one.name
        for one in bound.values()
        if one.member == wanted and definitions.is_meant(one.module, path, wanted)
    ]
    modules = {*modules_in(bound, path, definitions), *packages_in(bound, path, definitions, wanted)}
    is_constructor = before.owner is not None and before.name == "__init__"
    if before.owner is None or is_constructor:
        for name in local:
            for one in names.of(name):
                call = call_of(one)
                if call is not None and one.role == "use" and names.owner(one) == MODULE:
                    yield Call(call, one, SURE)
        for one in names.of(wanted):
            call = call_of(one)
            if call is None or one.role != "attribute":
                continue
            if other.old.text_of(one.parent.child_by_field_name("object")) in modules:
                yield Call(call, one, SURE)
        return
    classes = {
        local
        for one in (wanted, *heirs_without(definitions.change.old, wanted, before.name))
        for local in classes_in(bound, path, definitions, one)
    }
    made_of_it = family_of(other.old, None, classes)
    known = {*classes, *made_of_it.values()}
    defined = [
        one for one in names.of(before.name) if one.role in ("function", "bind", "import", "parameter")
    ]
    for one in names.of(before.name):
        call = call_of(one)
        if call is None or one.role != "attribute":
            continue
        said = other.old.text_of(one.parent.child_by_field_name("object"))
        if said in known:
            # `Table.add(table, row)` writes the first argument, too.
            if not before.is_bound or "classmethod" in before.decorators:
                yield Call(call, one, SURE)
        elif members_elsewhere.is_of(other, one, known, made_of_it):
            yield Call(call, one, SURE)
        elif local and not defined and said not in ("self", "cls") and not said.startswith("super("):
            yield Call(call, one, PERHAPS if len(before.name) < 8 else LIKELY)
