"""Comments in front of functions of other languages than Python, where they speak of a parameter that was
changed: `@param rate`, `{@code rate}` and `rate` in backticks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from fim_lsp.document.syntax import COMMENTS
from fim_lsp.edits.renaming.renames import LIKELY
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.typed.scoped import declaration_renames

HOLDERS = ("export_statement", "lexical_declaration", "variable_declaration", "variable_declarator")


def renamed_in_comments(change: FileChange) -> Iterator[Replacement]:
    for old, new, scope, _ in declaration_renames(change):
        comment = comment_of(scope)
        listed = scope.child_by_field_name("parameters")
        if comment is None or listed is None:
            continue
        words = re.findall(r"[\w$]+", change.old.text_of(listed))
        if old not in words:
            continue
        said = re.compile(
            rf"(?:@param\s+(?:\{{[^}}\n]*\}}\s*)?\[?|\{{@code\s+|`)(?P<name>{re.escape(old)})(?![\w$])"
        )
        start, stop = change.old.span(comment)
        for found in said.finditer(change.old.text, start, stop):
            at = change.to_new(found.start("name"))
            if at is not None and change.new.text[at : at + len(old)] == old:
                reason = f"the parameter `{old}` is called `{new}` now"
                yield Replacement(at, at + len(old), new, reason, LIKELY, f"comment {old} {new}")


def comment_of(function: tree_sitter.Node) -> tree_sitter.Node | None:
    """The comment right in front of a function."""
    node: tree_sitter.Node | None = function
    while node is not None and node.parent is not None and node.parent.type in HOLDERS:
        node = node.parent
    before = None if node is None else node.prev_sibling
    return before if before is not None and before.type in COMMENTS else None
