"""Edits in other files of the project that follow from a change: JavaScript, TypeScript, Go and Java.

    shapes.ts    -export function area(         +export function size(
    app.ts        import { area } from "./shapes"          `size` now, and so is each of its uses

`other_files.py` says which names another file has from the changed one. Members follow where the file itself
states the type of the object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import tree_sitter

from fim_lsp.edits.change import FileChange
from fim_lsp.edits.edit import Replacement
from fim_lsp.edits.headers import AlteredHeader, altered_headers
from fim_lsp.edits.implementations import methods_standing_for
from fim_lsp.edits.other_files import ImportedName, OtherFile
from fim_lsp.edits.placed_calls import adapted_placed_call, call_of, given_values
from fim_lsp.edits.renames import SURE
from fim_lsp.edits.scoped import SHORTHAND, renamed_declarations
from fim_lsp.edits.typed_members import is_of, renamed_members
from fim_lsp.edits.typed_patterns import SHORTHANDS, function_given, is_in_object_of, taken_type

Path = Sequence[tree_sitter.Node]


@dataclass(frozen=True)
class Declarations:
    """The changed declarations of a file: `path` is relative to the project's folder."""

    change: FileChange
    path: PurePosixPath
    # Old and new names of the file's public declarations; members also with their type.
    renames: tuple[tuple[str, str], ...]
    members: tuple[tuple[str, str, str], ...]
    headers: tuple[AlteredHeader, ...]

    @classmethod
    def of(cls, change: FileChange, path: PurePosixPath) -> Declarations:
        renames = [(old, new) for old, new, scope in renamed_declarations(change) if scope.parent is None]
        headers = [one for one in altered_headers(change) if is_for_others(one)]
        return cls(change, path, tuple(renames), tuple({*renamed_members(change)}), tuple(headers))

    @property
    def words(self) -> set[str]:
        """Words of which every affected file holds one."""
        named = {old for old, _ in self.renames} | {old for old, _, _ in self.members}
        return named | {one.before.function.name for one in self.headers}


def is_for_others(header: AlteredHeader) -> bool:
    """Whether a function is not inside another one."""
    node = header.before.function.node.parent
    while node is not None:
        if "function" in node.type or node.type in ("statement_block", "block", "func_literal"):
            return False
        node = node.parent
    return True


def followed_declarations(
    other: FileChange, path: PurePosixPath, declarations: Declarations, is_remembered: bool = False
) -> Iterator[Replacement]:
    """The replacements in another file after a change. `other` is that file, before and after. If its old
    text is not remembered, a call that has already followed must not be changed again."""
    file = OtherFile.of(other.old, path, declarations.path)
    for old, new in declarations.renames:
        yield from renamed_there(other, file, old, new)
    for old, new, type_name in declarations.members:
        if knows(file, type_name):
            yield from renamed_member_there(other, type_name, old, new)
        yield from renamed_keys_given(other, file, declarations, type_name, (old, new))
    for header in declarations.headers:
        given = given_values(declarations.change, header)
        for call in calls_there(file, header):
            found = adapted_placed_call(other, call, header.altered, given)
            if is_remembered or not is_read_again(other, call, header, found):
                yield from found


def renamed_member_there(other: FileChange, type_name: str, old: str, new: str) -> Iterator[Replacement]:
    """The uses and overrides of a member of a type that the file knows."""
    reason = f"`{old}` of `{type_name}` is called `{new}` now"
    for start in other.old.places(old):
        path = other.old.path_to(start)
        if is_of(other.old, path, type_name):
            yield from replaced_name(other, start, old, new, reason)
        elif is_in_object_of(other.old, path, type_name):
            written = f"{new}: {old}" if path[-1].type in SHORTHANDS else new
            yield from replaced_name(other, start, old, written, reason)
    for method in methods_standing_for(other.old, type_name, old):
        name = method.child_by_field_name("name")
        if name is not None:
            yield from replaced_name(other, other.old.span(name)[0], old, new, reason)


def renamed_keys_given(
    other: FileChange, file: OtherFile, declarations: Declarations, type_name: str, names: tuple[str, str]
) -> Iterator[Replacement]:
    """The keys of objects of a type that the file passes to a function from the changed file."""
    reason = f"`{names[0]}` of `{type_name}` is called `{names[1]}` now"
    imported = {one.local: one.member for one in file.imported if not one.is_exported}
    for start in other.old.places(names[0]) if imported else ():
        path = other.old.path_to(start)
        function, number = function_given(other.old, path)
        if function not in imported:
            continue
        if taken_type(declarations.change.old, imported[function], number) == type_name:
            written = f"{names[1]}: {names[0]}" if path[-1].type in SHORTHANDS else names[1]
            yield from replaced_name(other, start, names[0], written, reason)


def knows(file: OtherFile, type_name: str) -> bool:
    return file.shares or any(one.member == one.local == type_name for one in file.imported)


def renamed_there(other: FileChange, file: OtherFile, old: str, new: str) -> Iterator[Replacement]:
    reason = f"`{old}` is called `{new}` now"
    for path in file.member_uses(old):
        yield from replaced_name(other, other.old.span(path[-1])[0], old, new, reason)
    if file.has(new):
        return
    for one in file.imported:
        if one.member == old and not one.is_by_key:
            written = f"{new} as {old}" if one.is_exported and one.local == old else new
            yield from replaced_name(other, other.old.span(one.node)[0], old, written, reason)
    if file.shares or any(is_plain(one, old) for one in file.imported):
        for path in file.uses(old):
            written = f"{old}: {new}" if path[-1].type == SHORTHAND else new
            yield from replaced_name(other, other.old.span(path[-1])[0], old, written, reason)


def is_plain(one: ImportedName, name: str) -> bool:
    """Whether the file uses an imported name without an alias."""
    return one.member == one.local == name and not (one.is_exported or one.is_by_key)


def replaced_name(other: FileChange, start: int, old: str, new: str, reason: str) -> Iterator[Replacement]:
    at = other.to_new(start)
    if at is not None and other.new.text[at : at + len(old)] == old:
        yield Replacement(at, at + len(old), new, reason, SURE, f"rename {reason}")


def calls_there(file: OtherFile, header: AlteredHeader) -> Iterator[Path]:
    """The paths to the names of a function in its calls in another file."""
    before = header.before
    if before.is_member:
        for start in file.source.places(before.function.name) if knows(file, before.type_name) else ():
            path = file.source.path_to(start)
            if is_of(file.source, path, before.type_name) and call_of(path) is not None:
                yield path
        return
    for called in file.places_called(before.function.name):
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
