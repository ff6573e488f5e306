"""Comments in front of what other languages than Python declare, where they speak of a parameter that was
changed: `@param rate`, `{@code rate}` and `rate` in backticks. In Go a comment begins with the name of what
it is about: `// Load reads a file.`"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from fim_lsp.document.syntax import COMMENTS
from fim_lsp.edits.renaming.renames import LIKELY, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.typed.scoped import declaration_renames

HOLDERS = ("export_statement", "lexical_declaration", "variable_declaration", "variable_declarator")


# What Go declares, and the nodes around it that a comment may stand in front of.
DECLARED = (
    "function_declaration", "method_declaration", "type_spec", "const_spec", "var_spec", "field_declaration",
    "method_elem",
)  # fmt: skip
AROUND = ("type_declaration", "const_declaration", "var_declaration")


def renamed_in_comments(change: FileChange) -> Iterator[Replacement]:
    yield from renamed_subjects(change)
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


def renamed_subjects(change: FileChange) -> Iterator[Replacement]:
    """The first words of comments that are the names of what they stand in front of."""
    for replaced in change.replaced if change.old.known_language.name == "go" else ():
        for old, new in pairs(replaced):
            path = change.old.path_to(old[0])
            if len(path) < 3 or path[-2].type not in DECLARED:
                continue
            is_alone = path[-3].type in AROUND and len(path[-3].named_children) == 1
            comment = first_comment(path[-3] if is_alone else path[-2])
            if comment is None or path[-2].child_by_field_name("name") != path[-1]:
                continue
            name, now = change.old.text[slice(*old)], change.new.text[slice(*new)]
            said = re.compile(rf"(?://|/\*)\s*(?P<name>{re.escape(name)})(?!\w)")
            found = said.match(change.old.text, change.old.span(comment)[0])
            at = None if found is None else change.to_new(found.start("name"))
            if at is not None and change.new.text[at : at + len(name)] == name:
                reason = f"`{name}` is called `{now}` now"
                yield Replacement(at, at + len(name), now, reason, LIKELY, f"comment {name} {now}")


def first_comment(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The first of the comments that stand in front of a node without an empty line between."""
    found, row, one = None, node.start_point[0], node.prev_sibling
    while one is not None and (one.type in COMMENTS or not one.is_named):
        if one.type in COMMENTS:
            if one.end_point[0] != row - 1:
                break
            found, row = one, one.start_point[0]
        one = one.prev_sibling
    return found


def comment_of(function: tree_sitter.Node) -> tree_sitter.Node | None:
    """The comment right in front of a function."""
    node: tree_sitter.Node | None = function
    while node is not None and node.parent is not None and node.parent.type in HOLDERS:
        node = node.parent
    before = None if node is None else node.prev_sibling
    return before if before is not None and before.type in COMMENTS else None
