"""Small questions about a tree of tree-sitter's, equal in all languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

# Blanks beyond ASCII, which are no parts of words.
BLANKS = (
    rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xef\xbb\xbf"
)
# The end of what stands in front of a word with which the word would begin earlier, and a blank there.
IN_FRONT, BLANK_IN_FRONT = re.compile(rb"[\w$\x80-\xff]"), re.compile(rb"(?:" + BLANKS + rb")\Z")
LONGEST_BLANK = 3
# The nodes of Go and Java whose children are statements or members.
ROWS_OF_STATEMENTS = ("source_file", "program", "statement_list", "block", "class_body", "interface_body")


def enclosing(node: tree_sitter.Node, kinds: frozenset[str]) -> tree_sitter.Node:
    """The nearest node of some kinds around one."""
    while node.parent is not None:
        node = node.parent
        if node.type in kinds:
            return node
    return node


def nodes_between(root: tree_sitter.Node, first: int, last: int) -> Iterator[tree_sitter.Node]:
    """The nodes that stand, at least partly, between two bytes, outer ones first, in their order."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [
            child
            for child in reversed(node.named_children)
            if child.start_byte < last and child.end_byte > first
        ]


def root_of(node: tree_sitter.Node) -> tree_sitter.Node:
    while node.parent is not None:
        node = node.parent
    return node


def field_of(node: tree_sitter.Node, around: tree_sitter.Node) -> str | None:
    """The name of the field that a node is in its parent."""
    for index, child in enumerate(around.children):
        if child == node:
            return around.field_name_for_child(index)
    return None


def text(node: tree_sitter.Node) -> str:
    return "" if node.text is None else node.text.decode(errors="replace")


def spans_of(name: bytes, content: bytes) -> Iterator[tuple[int, int]]:
    """Where a text stands as a word. A search that looks behind takes five times as long."""
    behind = rb"(?![\w$]|(?!" + BLANKS + rb")[\x80-\xff])"
    for match in re.finditer(re.escape(name) + behind, content):
        start = match.start()
        is_begun = IN_FRONT.fullmatch(content, max(start - 1, 0), start) is not None
        if not is_begun or BLANK_IN_FRONT.search(content, max(start - LONGEST_BLANK, 0), start) is not None:
            yield match.span()


def is_broken(node: tree_sitter.Node) -> bool:
    """Whether a place is in text that cannot be read."""
    around: tree_sitter.Node | None = node
    while around is not None:
        if around.type == "ERROR":
            return True
        around = around.parent
    return False


def is_near_error(use: tree_sitter.Node) -> bool:
    """Whether the tree has a fault in a use's statement at the file's margin, or in one beside it. What binds
    the name may be read as something else there: the reader does not know all that TypeScript has."""
    statement = use
    while statement.parent is not None and statement.parent.parent is not None:
        statement = statement.parent
    beside = (statement, statement.prev_named_sibling, statement.next_named_sibling)
    return any(one is not None and one.has_error for one in beside)


def is_in_broken_statement(use: tree_sitter.Node) -> bool:
    """Whether the tree has a fault in the innermost statement or member around a use."""
    statement = use
    while statement.parent is not None and statement.parent.type not in ROWS_OF_STATEMENTS:
        statement = statement.parent
    return statement.has_error


def contains(scope: tree_sitter.Node, node: tree_sitter.Node) -> bool:
    return scope.start_byte <= node.start_byte and node.end_byte <= scope.end_byte
