"""Variables of JavaScript that `var` declares, if the user now declares others by `const` and `let`.

    -var a = 1;        var rows = [];          `const`
    +const a = 1;      var n = 0; n += 1;      `let`

A variable that is used outside its block or in front of its declaration, or is declared twice, keeps `var`.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.object_types import declarations
from fim_lsp.known_languages import JAVASCRIPT

BLOCKS = ("statement_block", "program", "switch_body", "for_statement", "for_in_statement")
ASSIGNING = ("assignment_expression", "augmented_assignment_expression")
PATTERNS = ("array_pattern", "object_pattern", "pair_pattern", "rest_pattern", "object_assignment_pattern")
SURE = 0.9
LEAST_MADE = 2
MOST_PLACES = 200


def repeated_words(change: FileChange) -> Iterator[Replacement]:
    if change.new.known_language.family != JAVASCRIPT.family:
        return
    made = [
        one.new_start
        for one in change.replaced
        if one.old == "var" and one.new in ("const", "let") and is_declaration(change.new, one.new_start)
    ]
    if len(made) < LEAST_MADE:
        return
    left = [start for start in change.new.places("var") if is_declaration(change.new, start)]
    if len(left) > MOST_PLACES:
        return
    words = {start: word_for(change.new, change.new.path_to(start)[-2]) for start in left}
    # A user who passed over an earlier one that could be changed does not go through the file.
    if any(word and start < max(made) for start, word in words.items()):
        return
    reason = f"`var` became `const` or `let` {len(made)} times"
    for start, word in words.items():
        if word and not change.is_typed(start, start + len("var")):
            yield Replacement(start, start + len("var"), word, reason, SURE, "var")


def declares_otherwise(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would declare a variable by a word with another meaning there."""
    said = change.new.text[found.start : found.stop].strip(), found.new.strip()
    if said[0] != "var" or said[1] not in ("const", "let") or not is_declaration(change.new, found.start):
        return False
    return word_for(change.new, change.new.path_to(found.start)[-2]) != said[1]


def is_declaration(source: SourceText, offset: int) -> bool:
    path = source.path_to(offset)
    return len(path) > 1 and path[-2].type in ("variable_declaration", "lexical_declaration")


def word_for(source: SourceText, declaration: tree_sitter.Node) -> str:
    """The word that declares the same variables within their block; empty if there is none."""
    block = declaration.parent
    if block is None or block.type not in BLOCKS:
        return ""
    word = "const"
    for declarator in declaration.named_children:
        name = declarator.child_by_field_name("name")
        if name is None or name.type != "identifier":
            return ""
        if len([*declarations(source, name)]) != 1 or not is_used_within(source, name, declaration, block):
            return ""
        if declarator.child_by_field_name("value") is None or is_assigned(source, name):
            word = "let"
    return word


def is_used_within(
    source: SourceText, name: tree_sitter.Node, declaration: tree_sitter.Node, block: tree_sitter.Node
) -> bool:
    """Whether a variable is used only in its block, and not in front of its declaration."""
    return all(
        block.start_byte <= source.byte(start) < block.end_byte
        and source.byte(start) >= declaration.start_byte
        for start in uses_of(source, name)
    )


def is_assigned(source: SourceText, name: tree_sitter.Node) -> bool:
    for start in uses_of(source, name):
        path = source.path_to(start)
        at = len(path) - 2
        while at and path[at].type in PATTERNS:
            at -= 1
        around = path[at]
        if around.type == "update_expression":
            return True
        field = "left" if around.type in (*ASSIGNING, "for_in_statement") else ""
        if field and around.child_by_field_name(field) == path[at + 1]:
            return True
    return False


def uses_of(source: SourceText, name: tree_sitter.Node) -> Iterator[int]:
    """The places that may be uses of a variable, by its name."""
    mine = next(iter(declarations(source, name)))[-1].start_byte
    for start in source.places(source.text_of(name)):
        node = source.path_to(start)[-1]
        if node.type not in ("identifier", "shorthand_property_identifier"):
            continue
        # A name that no block around it declares may be a `var` of another block.
        found = [path[-1].start_byte for path in declarations(source, node)]
        if not found or mine in found:
            yield start
