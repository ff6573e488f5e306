"""Options and arguments of click's commands, which are passed to parameters of the same names.

@click.option("--dry-run")         "--no-write"
def show(path, dry_run): ...       no_write, with its uses
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, Rename
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import JOINT, Replacement
from fim_lsp.edits.texts.names import Occurrence
from fim_lsp.edits.texts.source import SourceText

DECLARING = re.compile(r"(?:\w+\.)?(?:option|argument)")
QUOTES = "'\""


class DeclaredOption(NamedTuple):
    """The parameter that gets an option, and the place of the string that names it, without dashes."""

    parameter: str
    start: int
    stop: int


def renamed_by_options(change: FileChange) -> Iterator[Replacement]:
    """The parameters whose options were changed, with their uses."""
    if "click" not in change.old.text:
        return
    after = dict(decorated_functions(change.new))
    for name, function in decorated_functions(change.old):
        now = after.get(name)
        if now is None or not touches(change, function):
            continue
        old, new = declared_options(change.old, function), declared_options(change.new, now)
        differing = [
            (was.parameter, one.parameter)
            for was, one in zip(old, new, strict=False)
            if was.parameter != one.parameter
        ]
        if len(old) == len(new) and len(differing) == 1:
            yield from renamed_parameter(change, function, *differing[0])


def touches(change: FileChange, function: tree_sitter.Node) -> bool:
    start, stop = change.old.span(function.parent or function)
    return any(hunk.old_start < stop and start < hunk.old_stop for hunk in change.hunks)


def renamed_parameter(
    change: FileChange, function: tree_sitter.Node, old: str, new: str
) -> Iterator[Replacement]:
    scope = function.start_byte, function.type
    uses: list[Occurrence] = change.old_names.variable(old, scope)
    if not any(one.role == "parameter" for one in uses) or scope in change.old_names.binding_scopes(new):
        return
    reason = f"the option of `{old}` is called `{new}` now"
    for one in uses:
        at = change.to_new(one.start)
        if at is not None and change.new.text[at : at + len(old)] == old:
            yield Replacement(at, at + len(old), new, reason, SURE, f"{JOINT}option {new} {scope[0]}")


def renamed_options_of(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places where a decorator declares the option of a renamed parameter."""
    function = rename.before.path[-2]
    while function.type != "function_definition" and function.parent is not None:
        function = function.parent
    if rename.role != "parameter" or "click" not in change.old.text:
        return
    for one in declared_options(change.old, function):
        at, said = change.to_new(one.start), change.old.text[one.start : one.stop]
        if one.parameter == rename.old and at is not None:
            new = rename.new.replace("_", "-") if change.old.text[one.start - 1] == "-" else rename.new
            is_whole = change.new.text[at + len(said) : at + len(said) + 1] not in ("-", "_")
            if is_whole and change.new.text[at : at + len(said)] == said:
                yield Replacement(at, at + len(said), new, rename.reason, SURE, rename.group)


def decorated_functions(source: SourceText) -> Iterator[tuple[str, tree_sitter.Node]]:
    for node in source.root.named_children:
        function = node.child_by_field_name("definition") if node.type == "decorated_definition" else None
        if function is not None and function.type == "function_definition":
            yield source.text_of(function.child_by_field_name("name")), function


def declared_options(source: SourceText, function: tree_sitter.Node) -> list[DeclaredOption]:
    """The options of one name that a function's decorators declare."""
    around, found = function.parent, []
    decorators = [] if around is None or around.type != "decorated_definition" else around.named_children[:-1]
    for decorator in decorators:
        call = decorator.named_children[0] if decorator.named_children else decorator
        listed = call.child_by_field_name("arguments")
        if listed is None or not DECLARING.fullmatch(source.text_of(call.child_by_field_name("function"))):
            continue
        texts = [one for one in listed.named_children if one.type == "string"]
        plain = [one for one in texts if not source.text_of(one).strip(QUOTES).startswith("-")]
        long = [one for one in texts if source.text_of(one).strip(QUOTES).startswith("--")]
        chosen = plain or long
        if len(chosen) == 1:
            said = source.text_of(chosen[0])
            name = said.strip(QUOTES).lstrip("-")
            start = source.span(chosen[0])[0] + said.index(name)
            if re.fullmatch(r"[\w-]+", name):
                found.append(DeclaredOption(name.replace("-", "_").lower(), start, start + len(name)))
    return found
