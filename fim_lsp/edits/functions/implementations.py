"""Implementations: a change of a method in an interface or a base class is made in its implementations, too.
JavaScript, TypeScript, Go, Java.

    interface Store { get(key: string): string }      find(key: string, strict: boolean)
    class Memory implements Store {
        get(key: string) { ... }                      `find` now, and it takes the same
    }

In Go a type implements an interface if it has all of its methods.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.functions.headers import METHODS, FunctionHeader, matched_headers
from fim_lsp.edits.renaming.renames import LIKELY, SURE
from fim_lsp.edits.repeating.candidates import SubstitutionCandidate
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.declared_members import TYPES, bases_of
from fim_lsp.edits.typed.members import receiver_of
from fim_lsp.edits.typed.name_spaces import is_one_of_several
from fim_lsp.edits.typed.typed_members import is_in_space, renamed_members

LISTED = ("formal_parameters", "parameter_list")
LEAST_MADE = 2
BLANKS = re.compile(r"\s+")


def implemented_members(change: FileChange) -> Iterator[Replacement]:
    """The replacements in the file's methods that implement a changed one."""
    if change.old.known_language.name == "python":
        return
    for old, new, declared, space in renamed_members(change):
        reason, group = f"`{old}` of `{declared}` is called `{new}` now", f"implemented {old} {new}"
        for method in methods_standing_for(change.old, declared, old):
            name = method.child_by_field_name("name")
            start = None if name is None else change.to_new(change.old.span(name)[0])
            if start is None or name is None or not is_in_space((method, name), space):
                continue
            if change.new.text[start : start + len(old)] == old:
                sure = LIKELY if change.old.known_language.name == "go" else SURE
                yield Replacement(start, start + len(old), new, reason, sure, group)
    yield from implemented_parameters(change, change)


def implemented_parameters(change: FileChange, other: FileChange) -> Iterator[Replacement]:
    """The parameters of a file's methods that took what the changed one did, to the letter."""
    for before, after in matched_headers(change):
        if not before.is_member or before.function.name != after.function.name:
            continue
        was, now = parameter_text(change.old, before), parameter_text(change.new, after)
        if not was or not now or plain(was) == plain(now):
            continue
        methods = methods_standing_for(other.old, before.type_name, before.function.name, change.old)
        for method in methods:
            found = method.child_by_field_name("parameters")
            start, stop = (0, 0) if found is None else other.old.span(found)
            at, text = other.to_new(start), other.old.text[start:stop]
            if at is None or plain(text) != plain(was) or other.new.text[at : at + len(text)] != text:
                continue
            said = f"`{before.type_name}.{before.function.name}`, which it stands for, takes other arguments"
            yield Replacement(at, at + len(text), now, f"{said} now", LIKELY, f"implemented {said}")


def parameter_text(source: SourceText, header: FunctionHeader) -> str:
    """The parameters of a function as they are written."""
    return source.text_of(header.function.node.child_by_field_name("parameters"))


def plain(text: str) -> str:
    return BLANKS.sub("", text)


def methods_standing_for(
    source: SourceText, declared: str, name: str, declaring: SourceText | None = None
) -> Iterator[tree_sitter.Node]:
    """The methods of a file that stand for one of a type, which another file may declare."""
    if source.known_language.name == "go":
        given, wanted = declaring or source, interface_methods(declaring or source, declared)
        for method in methods_of_go(source, wanted, name):
            result = plain(source.text_of(method.child_by_field_name("result")))
            if result in results_of_interface(given, declared, name):
                yield method
        return
    for start in source.places(name):
        path = source.path_to(start)
        method = path[-2] if len(path) > 1 else path[-1]
        if method.type not in METHODS or method.child_by_field_name("name") != path[-1]:
            continue
        around = next((node for node in reversed(path) if node.type in TYPES), None)
        is_base = around is not None and declared in bases_of(source, around)
        if is_base and not is_one_of_several(source, path):
            yield method


def is_of_another(change: FileChange, candidate: SubstitutionCandidate) -> bool:
    """Whether a substitution in the headers of methods of one name, or of one family of types, would change
    another name's or family's header. A parameter that came into one header, or left it, is meant there."""
    made = [of.place.start for of in candidate.substitution.made if of.place.path == change.path]
    there = [header_around(change.old, start) for start in made]
    here = header_around(change.new, candidate.start)
    known = [one for one in there if one is not None]
    if here is None or not known or len(known) < len(there):
        return False
    if len({*known}) < LEAST_MADE:
        substitution = candidate.substitution
        return substitution.new.count(",") != substitution.old.count(",") and here[:2] != known[0][:2]
    names = {method for method, _, _ in known}
    if len(names) != 1:
        return False
    types = {of_type for _, of_type, _ in known}
    is_family = any(bases & types for _, _, bases in known)
    return here[0] not in names or (is_family and not here[2] & types and here[1] not in types)


def header_around(source: SourceText, offset: int) -> tuple[str, str, frozenset[str]] | None:
    """The function whose parameters a place is among, the type around it, and that type's bases."""
    path = source.path_to(offset)
    listed = next((number for number, node in enumerate(path) if node.type in LISTED), 0)
    function = path[listed - 1] if listed else None
    name = None if function is None else function.child_by_field_name("name")
    if name is None:
        return None
    around = next((node for node in reversed(path) if node.type in TYPES), None)
    said = "" if around is None else source.text_of(around.child_by_field_name("name"))
    return source.text_of(name), said, frozenset(set() if around is None else bases_of(source, around))


def methods_of_go(source: SourceText, wanted: set[str], name: str) -> Iterator[tree_sitter.Node]:
    if name not in wanted:
        return
    found: dict[str, dict[str, tree_sitter.Node]] = {}
    for node in source.root.named_children:
        if node.type == "method_declaration":
            own = found.setdefault(receiver_of(source, node)[1], {})
            own[source.text_of(node.child_by_field_name("name"))] = node
    yield from (own[name] for own in found.values() if wanted <= own.keys())


def interface_methods(source: SourceText, declared: str) -> set[str]:
    """The methods of an interface of Go; none if it embeds another interface, which would add more."""
    for start in source.places(declared):
        path = source.path_to(start)
        spec = path[-2] if len(path) > 1 else path[-1]
        kind = spec.child_by_field_name("type") if spec.type == "type_spec" else None
        if (
            kind is not None
            and kind.type == "interface_type"
            and spec.child_by_field_name("name") == path[-1]
        ):
            return members_of_interface(source, kind)
    return set()


def results_of_interface(source: SourceText, declared: str, name: str) -> set[str]:
    """The results of the methods of a name that an interface of Go lists."""
    found = set()
    for start in source.places(name):
        path = source.path_to(start)
        spec = next((node for node in reversed(path) if node.type == "type_spec"), None)
        is_listed = spec is not None and source.text_of(spec.child_by_field_name("name")) == declared
        if is_listed and path[-2].type == "method_elem":
            found.add(plain(source.text_of(path[-2].child_by_field_name("result"))))
    return found


def members_of_interface(source: SourceText, kind: tree_sitter.Node) -> set[str]:
    members: Sequence[tree_sitter.Node] = [one for one in kind.named_children if one.type != "comment"]
    if any(one.type != "method_elem" for one in members):
        return set()
    return {source.text_of(one.child_by_field_name("name")) for one in members}
