"""Edits in other files of the project that follow from a change: JavaScript, TypeScript, Go and Java.

    shapes.ts    -export function area(         +export function size(
    app.ts        import { area } from "./shapes"          `size` now, and so is each of its uses

`other_files.py` finds the names that another file has from the changed one. Members follow if the file itself
states the type of the object.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

import tree_sitter

from fim_lsp.edits.functions.headers import (
    AlteredHeader,
    FunctionHeader,
    altered_headers,
    matched_headers,
)
from fim_lsp.edits.functions.implementations import implemented_parameters, methods_standing_for
from fim_lsp.edits.functions.placed_calls import adapted_placed_call, call_of, given_values
from fim_lsp.edits.functions.told_apart import is_for_old_header
from fim_lsp.edits.functions.turned_functions import (
    adapted_brackets,
    adapted_call,
    turned_asynchronous,
    turned_getters,
)
from fim_lsp.edits.projects.other_files import ENDINGS, HandedOn, ImportedName, OtherFile, names_handed_on
from fim_lsp.edits.renaming.renames import SURE
from fim_lsp.edits.rules.component_props import PropRename, given_props, prop_renames
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.lent_names import LentNames
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.declared_members import type_of_member
from fim_lsp.edits.typed.handed_names import PATTERN, SHORTHAND, default_name, hands_out
from fim_lsp.edits.typed.scoped import renamed_declarations
from fim_lsp.edits.typed.typed_members import MemberRename, is_in_space, is_of, is_use_of, renamed_members
from fim_lsp.edits.typed.typed_patterns import SHORTHANDS, function_given, taken_type
from fim_lsp.known_languages import JAVASCRIPT

Path = Sequence[tree_sitter.Node]


@dataclass(frozen=True)
class Declarations:
    """The changed declarations of a file: `path` is relative to the project's folder."""

    change: FileChange
    path: PurePosixPath
    # Old and new names of the file's public declarations; members also with their type.
    renames: tuple[tuple[str, str], ...]
    members: tuple[MemberRename, ...]
    headers: tuple[AlteredHeader, ...]
    # Functions that became asynchronous, or are so no longer, and whether they are.
    turned: tuple[tuple[FunctionHeader, bool], ...] = ()
    # Methods that became getters, or are so no longer, and whether they are.
    got: tuple[tuple[FunctionHeader, bool], ...] = ()
    # Renamed keys that functions take out of their arguments.
    props: tuple[PropRename, ...] = ()
    # What other files re-export of this one.
    handed_on: HandedOn = field(default_factory=dict)

    @classmethod
    def of(cls, change: FileChange, path: PurePosixPath) -> Declarations:
        renames = [
            (old, new)
            for old, new, scope in renamed_declarations(change)
            if scope.parent is None and hands_out(change.old, old)
        ]
        headers = [one for one in altered_headers(change) if is_for_others(one.before)]
        turned = [(one, is_waited) for one, is_waited in turned_asynchronous(change) if is_for_others(one)]
        members = tuple({*renamed_members(change)})
        got, props = tuple(turned_getters(change)), tuple(prop_renames(change))
        return cls(change, path, tuple(renames), members, tuple(headers), tuple(turned), got, props)

    @property
    def words(self) -> set[str]:
        """Words of which every affected file has one."""
        named = {old for old, _ in self.renames} | {one.old for one in self.members}
        named |= {one.function.name for one, _ in (*self.turned, *self.got)} | {one.old for one in self.props}
        return named | {one.before.function.name for one in self.headers}

    @property
    def handed_names(self) -> set[str]:
        """The names that a file which re-exports declarations of this one contains."""
        is_named = self.change.new.known_language.family == JAVASCRIPT.family
        return {ENDINGS.sub("", self.path.name)} if is_named else set()

    def may_concern(self, path: PurePosixPath, text: str) -> bool:
        """Whether a file may have anything of the changed one: it lies beside it where that is enough, or
        says the name of the file or of its folder, or of one that re-exports declarations of it."""
        if self.change.new.known_language.name in ("go", "java") and path.parent == self.path.parent:
            return True
        handing = [one for one in self.handed_on if one.stem == "index"]
        said = {ENDINGS.sub("", one.name) for one in (self.path, *self.handed_on)}
        said |= {one.parent.name for one in (self.path, *handing)}
        # A folder's own `index` may be imported by dots alone.
        return (
            bool(handing)
            or self.path.stem == "index"
            or any(word in text or not word.isascii() for word in said)
        )

    def with_packages(self, packages: Mapping[PurePosixPath, SourceText]) -> Declarations:
        """The declarations, with the files that re-export them."""
        now = {new: old for old, new in self.renames}
        found = {}
        for path, source in packages.items():
            handed = names_handed_on(source, path, self.path)
            if handed is not None:
                # A file that has already followed re-exported the old name.
                found[path] = {key: now.get(name, name) for key, name in handed.items()}
        return replace(self, handed_on=found)


def is_for_others(header: FunctionHeader) -> bool:
    """Whether a function is not inside another one."""
    node = header.function.node.parent
    while node is not None:
        if "function" in node.type or node.type in ("statement_block", "block", "func_literal"):
            return False
        node = node.parent
    return True


def followed_declarations(
    other: FileChange, path: PurePosixPath, declarations: Declarations, is_remembered: bool = False
) -> Iterator[Replacement]:
    """The replacements that a change asks for in another file. `other` is that file, before and after. If its
    old text is not remembered, a call that has already followed must not be changed again."""
    file = OtherFile.of(other.old, path, declarations.path, declarations.handed_on)
    other = FileChange(other.old.with_lent(lent_names(file, declarations.change.old)), other.new)
    file = replace(file, source=other.old)
    for old, new in declarations.renames:
        yield from renamed_there(other, file, old, new)
    for member in declarations.members:
        if names := local_names(file, member.declared, declarations.change.old):
            yield from renamed_member_there(other, member, declarations.change, names)
        yield from renamed_keys_given(other, file, declarations, member)
    yield from parameters_there(other, file, declarations)
    for header in declarations.headers:
        given = given_values(declarations.change, header)
        for call in calls_there(file, header.before, declarations.change.old):
            found = adapted_placed_call(other, call, header.altered, given)
            is_old = is_remembered or is_for_old_header(other, call, header, declarations.change)
            if is_old or not is_read_again(other, call, header, found):
                yield from found
    for function, is_waited in declarations.turned:
        for call in calls_there(file, function, declarations.change.old):
            yield from adapted_call(other, call, function.function.name, is_waited)
    for method, is_got in declarations.got:
        yield from brackets_there(other, file, declarations, method, is_got)
    for prop in declarations.props:
        yield from given_props(other, prop, local_names(file, prop.function, declarations.change.old))


def brackets_there(
    other: FileChange, file: OtherFile, declarations: Declarations, method: FunctionHeader, is_got: bool
) -> Iterator[Replacement]:
    """The brackets behind the uses of a method that became a getter, or of a getter that is one no longer."""
    name = method.function.name
    types = local_names(file, method.type_name, declarations.change.old)
    for start in other.old.places(name) if types else ():
        at, path = other.to_new(start), other.old.path_to(start)
        if at is not None and any(is_of(other.old, path, one) for one in types):
            yield from adapted_brackets(other, path, at + len(name), name, is_got)


def parameters_there(other: FileChange, file: OtherFile, declarations: Declarations) -> Iterator[Replacement]:
    """The parameters of methods that implement one of a type that the file knows."""
    headers = matched_headers(declarations.change)
    if any(knows(file, header.type_name, declarations.change.old) for header, _ in headers):
        yield from implemented_parameters(declarations.change, other)


def renamed_member_there(
    other: FileChange, member: MemberRename, change: FileChange, names: Collection[str]
) -> Iterator[Replacement]:
    """The places that use a member of a type that the file knows, methods of other types that implement it,
    and their uses."""
    old, new, type_name, space = member
    reason = f"`{old}` of `{type_name}` is called `{new}` now"
    methods = [*methods_standing_for(other.old, type_name, old, change.old)]
    # A method that has already followed implements it, too.
    standing = [*methods, *methods_standing_for(other.old, type_name, new, change.new)]
    types = {*names, *(declaring_type(other.old, method) for method in standing)} - {""}
    for start in other.old.places(old):
        path = other.old.path_to(start)
        if is_in_space(path, space) and any(is_use_of(other.old, path, one) for one in types):
            written = f"{new}: {old}" if path[-1].type in SHORTHANDS else new
            yield from replaced_name(other, start, old, written, reason)
    for method in methods:
        name = method.child_by_field_name("name")
        if name is not None and is_in_space((method, name), space):
            yield from replaced_name(other, other.old.span(name)[0], old, new, reason)


def declaring_type(source: SourceText, method: tree_sitter.Node) -> str:
    """The type whose method a function is."""
    name = method.child_by_field_name("name")
    return "" if name is None else type_of_member(source, source.path_to(source.span(name)[0]))


def renamed_keys_given(
    other: FileChange, file: OtherFile, declarations: Declarations, member: MemberRename
) -> Iterator[Replacement]:
    """The keys of objects of a type that are passed to what the file has from the changed one."""
    names, type_name = (member.old, member.new), member.declared
    reason = f"`{names[0]}` of `{type_name}` is called `{names[1]}` now"
    imported = {one.local: one.member for one in file.imported if not one.is_exported} | {**file.handed}
    for start in other.old.places(names[0]) if imported else ():
        path = other.old.path_to(start)
        function, number = function_given(other.old, path)
        if function not in imported:
            continue
        if taken_type(declarations.change.old, imported[function], number) == type_name:
            written = f"{names[1]}: {names[0]}" if path[-1].type in SHORTHANDS else names[1]
            yield from replaced_name(other, start, names[0], written, reason)


def lent_names(file: OtherFile, source: SourceText) -> LentNames:
    members = {one.local: one.member for one in file.imported if not one.is_exported}
    default = default_name(source) if file.defaults else ""
    members |= dict.fromkeys(file.defaults if default else (), default)
    return LentNames(source, {**members, **file.handed}, file.wholes, file.shares)


def knows(file: OtherFile, type_name: str, declaring: SourceText) -> bool:
    """Whether a file may have objects of a type: it has a name from the file that declares the type, and no
    other type of that name."""
    return bool(local_names(file, type_name, declaring))


def local_names(file: OtherFile, type_name: str, declaring: SourceText) -> set[str]:
    """The names that a file has for a type of another one."""
    found = {one.local for one in file.imported if one.member == type_name and not one.is_exported}
    if file.defaults and default_name(declaring) == type_name:
        found |= file.defaults
    found |= {local for local, name in file.handed.items() if name == type_name}
    if file.shares or (type_name and file.is_related and not file.has(type_name)):
        # What is lent under another name is known by its own one, too.
        found.add(type_name)
    return found


def renamed_there(other: FileChange, file: OtherFile, old: str, new: str) -> Iterator[Replacement]:
    reason = f"`{old}` is called `{new}` now"
    for path in file.member_uses(old):
        yield from replaced_name(other, other.old.span(path[-1])[0], old, new, reason)
    if file.has(new):
        return
    for one in file.imported:
        if one.member == old and not is_pattern(one):
            written = f"{new} as {old}" if one.is_exported and one.local == old else new
            yield from replaced_name(other, other.old.span(one.node)[0], old, written, reason)
    if file.shares or any(is_plain(one, old) for one in file.imported):
        for path in file.uses(old):
            written = f"{old}: {new}" if path[-1].type == SHORTHAND else new
            yield from replaced_name(other, other.old.span(path[-1])[0], old, written, reason)


def is_plain(one: ImportedName, name: str) -> bool:
    """Whether the file uses a name as it is exported, without an alias."""
    return one.member == one.local == name and not one.is_exported


def is_pattern(one: ImportedName) -> bool:
    """Whether an import binds a name by a pattern, as in `const { area } = require(`: a use like others."""
    return one.node.type == PATTERN


def replaced_name(other: FileChange, start: int, old: str, new: str, reason: str) -> Iterator[Replacement]:
    at = other.to_new(start)
    if at is not None and other.new.text[at : at + len(old)] == old:
        yield Replacement(at, at + len(old), new, reason, SURE, f"rename {reason}")


def calls_there(file: OtherFile, before: FunctionHeader, declaring: SourceText) -> Iterator[Path]:
    """The paths to the names of a function in its calls in another file."""
    if before.is_member:
        types = local_names(file, before.type_name, declaring)
        for start in file.source.places(before.function.name) if types else ():
            path = file.source.path_to(start)
            if any(is_of(file.source, path, one) for one in types) and call_of(path) is not None:
                yield path
        return
    for called in file.places_called(before.function.name, default_name(declaring) if file.defaults else ""):
        if call_of(called) is not None:
            yield called


def is_read_again(other: FileChange, path: Path, header: AlteredHeader, found: Sequence[Replacement]) -> bool:
    """Whether a changed call would look like an unchanged one: the old header takes it."""
    call = call_of(path)
    if call is None or not found:
        return False
    text = other.old.text
    for one in sorted(found, key=lambda one: -one.start):
        text = text[: one.start] + one.new + text[one.stop :]
    then = FileChange.of(other.path, text, text, other.new.known_language)
    name = other.old.span(path[-1])[0]
    return bool(adapted_placed_call(then, then.old.path_to(name), header.altered, {}))
