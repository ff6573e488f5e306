"""Imports that lost their last use in a change, in Go, Java, JavaScript and TypeScript.

A name counts as used as long as any word of the file says it, also in a comment or a string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.importing.unused_imports import MOST_OTHERS, UNFINISHED, UNUSED, words_lost
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD
from fim_lsp.known_languages import JAVASCRIPT

STATEMENTS = ("import_declaration", "import_statement")
# What may assign a module, and the items of a list of imported names.
ASSIGNING = ("lexical_declaration", "variable_declaration")
ITEMS = ("import_specifier", "shorthand_property_identifier_pattern", "pair_pattern")
# JSX calls it without naming it.
UNSAID = ("React", "h", "Fragment")
VERSION = re.compile(r"v\d+")


@dataclass(frozen=True, slots=True)
class ImportedBinding:
    """A name that a statement imports: its node, and all nodes of the names beside it."""

    name: str
    statement: tree_sitter.Node
    node: tree_sitter.Node
    beside: tuple[tree_sitter.Node, ...]


def dropped_names(change: FileChange) -> Iterator[Replacement]:
    """Removals of imports whose last use the change removed."""
    lost = words_lost(change)
    if not lost:
        return
    gone: dict[int, list[ImportedBinding]] = {}
    # What `require` brought before was written anew.
    known = {one.name for one in imported_names(change.old)}
    for one in imported_names(change.new):
        if one.name not in lost or one.name in UNSAID or one.name not in known:
            continue
        is_old = change.to_old(change.new.offset(one.node.start_byte)) is not None
        if one.statement.has_error or not is_old or uses(change.new, one.name):
            continue
        if is_used_as_import(change.old, one.name):
            gone.setdefault(one.statement.start_byte, []).append(one)
    for several in gone.values():
        names = ", ".join(f"`{one.name}`" for one in several)
        sure = UNUSED if n_others(change, several) <= MOST_OTHERS else UNFINISHED
        for start, stop in removable_parts(change.new, several):
            yield Replacement(start, stop, "", f"nothing uses {names} any more", sure, f"unused {names}")


def n_others(change: FileChange, several: Sequence[ImportedBinding]) -> int:
    """The number of hunks that removed no use of these names."""
    names = {one.name for one in several}
    return sum(
        not names & {*WORD.findall(change.old.text, hunk.old_start, hunk.old_stop)} for hunk in change.hunks
    )


def uses(source: SourceText, name: str) -> list[int]:
    """Where a word stands outside of imports."""
    spans = [source.span(node) for node in source.root.named_children if is_import(source, node)]
    return [at for at in source.places(name) if not any(start <= at < stop for start, stop in spans)]


def is_import(source: SourceText, statement: tree_sitter.Node) -> bool:
    return statement.type in STATEMENTS or required_name(source, statement) is not None


def required_name(source: SourceText, statement: tree_sitter.Node) -> tree_sitter.Node | None:
    """The name or the pattern to which a statement assigns a module: `const area = require("area")`."""
    is_single = statement.type in ASSIGNING and len(statement.named_children) == 1
    declared = statement.named_children[0] if is_single else None
    value = None if declared is None else declared.child_by_field_name("value")
    if declared is None or value is None or value.type != "call_expression":
        return None
    given = value.child_by_field_name("arguments")
    is_required = source.text_of(value.child_by_field_name("function")) == "require"
    is_text = given is not None and [node.type for node in given.named_children] == ["string"]
    return declared.child_by_field_name("name") if is_required and is_text else None


def is_used_as_import(source: SourceText, name: str) -> bool:
    """Whether what was imported is used. A package of Go may have another name than its path says, and then
    the word is one of the file's own variables."""
    found = uses(source, name)
    if source.known_language.name == "go":
        return any(source.text.startswith(".", at + len(name)) for at in found)
    return bool(found)


def imported_names(source: SourceText) -> Iterator[ImportedBinding]:
    for statement in source.root.named_children:
        if not is_import(source, statement):
            continue
        if source.known_language.family == JAVASCRIPT.family:
            yield from names_of_script(source, statement)
        elif source.known_language.name == "go":
            yield from names_of_go(source, statement)
        elif source.known_language.name == "java":
            path = statement.named_children[-1]
            if path.type == "scoped_identifier":
                yield ImportedBinding(source.text_of(path).rpartition(".")[2], statement, path, (path,))


def names_of_go(source: SourceText, statement: tree_sitter.Node) -> Iterator[ImportedBinding]:
    listed = statement.named_children[0] if statement.named_children else statement
    specs = [node for node in (listed, *listed.named_children) if node.type == "import_spec"]
    for spec in specs:
        alias = source.text_of(spec.child_by_field_name("name"))
        name = alias or package_named(source.text_of(spec.child_by_field_name("path")).strip('"`'))
        if name.isidentifier() and name != "_":
            yield ImportedBinding(name, statement, spec, tuple(specs))


def package_named(path: str) -> str:
    """The usual name of a package: the last part of its path that is no version."""
    parts = [part for part in path.split("/") if not VERSION.fullmatch(part)]
    return parts[-1] if parts else ""


def names_of_script(source: SourceText, statement: tree_sitter.Node) -> Iterator[ImportedBinding]:
    required = required_name(source, statement)
    if required is not None:
        yield from required_names(source, statement, required)
        return
    clause = next((node for node in statement.named_children if node.type == "import_clause"), None)
    if clause is None:
        return
    found: list[tuple[str, tree_sitter.Node]] = []
    for node in clause.named_children:
        if node.type == "identifier":
            found.append((source.text_of(node), node))
        elif node.type == "namespace_import":
            found.append((source.text_of(node.named_children[0]), node))
        elif node.type == "named_imports":
            for specifier in node.named_children:
                if specifier.type == "import_specifier":
                    named = specifier.child_by_field_name("alias") or specifier.child_by_field_name("name")
                    found.append((source.text_of(named), specifier))
    beside = tuple(node for _, node in found)
    for name, node in found:
        yield ImportedBinding(name, statement, node, beside)


def required_names(
    source: SourceText, statement: tree_sitter.Node, required: tree_sitter.Node
) -> Iterator[ImportedBinding]:
    """The names of `const area = require(`, of `const { area, size: width } = require(`."""
    if required.type == "identifier":
        yield ImportedBinding(source.text_of(required), statement, required, (required,))
    elif all(node.type in ITEMS for node in required.named_children):
        for node in required.named_children:
            named = node.child_by_field_name("value") or node
            yield ImportedBinding(source.text_of(named), statement, node, tuple(required.named_children))


def removable_parts(source: SourceText, several: Sequence[ImportedBinding]) -> list[tuple[int, int]]:
    """What is removed so that a statement no longer imports some names: whole lines, or items of a list."""
    first = several[0]
    if len(several) == len(first.beside):
        return whole_lines(source, first.statement)
    if first.node.type == "import_spec":
        return [part for one in several for part in whole_lines(source, one.node)]
    if any(one.node.type not in ITEMS for one in several):
        return []
    row = first.node.parent
    items = [] if row is None else [node for node in row.named_children if node.type in ITEMS]
    leaving = {items.index(one.node) for one in several}
    if len(leaving) == len(items):
        return []
    return [item_with_comma(source, items, at, leaving) for at in sorted(leaving)]


def item_with_comma(
    source: SourceText, items: Sequence[tree_sitter.Node], at: int, leaving: set[int]
) -> tuple[int, int]:
    start, stop = source.span(items[at])
    if any(other not in leaving for other in range(at + 1, len(items))):
        return start, source.span(items[at + 1])[0]
    return source.span(items[at - 1])[1], stop


def whole_lines(source: SourceText, node: tree_sitter.Node) -> list[tuple[int, int]]:
    """The lines of a node, if nothing else stands in them."""
    start, stop = source.span(node)
    lines = source.lines
    first, last = lines.line_at(start), lines.line_at(max(stop - 1, start))
    begin = lines.starts[first]
    end = lines.starts[last + 1] if last + 1 < len(lines.starts) else len(source.text)
    if source.text[begin:start].strip() or source.text[stop:end].strip(" \t\r\n;"):
        return []
    return [(begin, end)]
