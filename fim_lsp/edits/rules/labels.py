"""Labels of loops that have another name now: the statements that name them follow.

-outer:                        continue outer
+scan:                                  ^ `scan`
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

LABELED = "labeled_statement"
JUMPS = ("break_statement", "continue_statement", "goto_statement")
FUNCTIONS_OF_GO = ("function_declaration", "method_declaration", "func_literal")
SURE = 0.97


def label_renames(change: FileChange) -> Iterator[tuple[str, str, tree_sitter.Node]]:
    """The old and the new label of each statement that has another one, and the old statement."""
    for replaced in change.replaced:
        was, now = label_at(change.old, replaced.old_start), label_at(change.new, replaced.new_start)
        if was is None or now is None:
            continue
        old, new = change.old.text_of(name_of(was)), change.new.text_of(name_of(now))
        if (replaced.old, replaced.new) == (old, new):
            yield old, new, was


def renamed_labels(change: FileChange) -> Iterator[Replacement]:
    for old, new, statement in label_renames(change):
        for place in jumps_to(change.old, part_seeing(change.old, statement), old, statement):
            start = change.to_new(change.old.offset(place.start_byte))
            if start is not None and change.new.text[start : start + len(old)] == old:
                reason = f"the label `{old}` is called `{new}` now"
                yield Replacement(start, start + len(old), new, reason, SURE, f"label {old} {new}")


def label_at(source: SourceText, offset: int) -> tree_sitter.Node | None:
    """The statement whose label stands at a place."""
    path = source.path_to(offset)
    if len(path) < 2 or path[-2].type != LABELED:
        return None
    return path[-2] if name_of(path[-2]) == path[-1] else None


def name_of(statement: tree_sitter.Node) -> tree_sitter.Node:
    """The label of a statement, or the one that a jump names."""
    return statement.named_children[0]


def part_seeing(source: SourceText, statement: tree_sitter.Node) -> tree_sitter.Node:
    """The part of a file in which a statement's label is known: in Go, which has `goto`, the function."""
    one = statement
    while source.known_language.name == "go" and one.parent is not None and one.type not in FUNCTIONS_OF_GO:
        one = one.parent
    return one


def jumps_to(
    source: SourceText, around: tree_sitter.Node, label: str, own: tree_sitter.Node
) -> Iterator[tree_sitter.Node]:
    """The labels of the jumps to a statement in a part of a file."""
    for child in around.named_children:
        is_other = child.type == LABELED and source.text_of(name_of(child)) == label and child != own
        if is_other or child.type in FUNCTIONS_OF_GO:
            continue
        if child.type in JUMPS and child.named_children and source.text_of(name_of(child)) == label:
            yield name_of(child)
        yield from jumps_to(source, child, label, own)
