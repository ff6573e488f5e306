"""Errors that are caught: a handler that raises one kind of errors does not catch that kind.

try:                                        the user made `except KeyError` to `except Unknown` elsewhere,
    return items[code]                      where `find` is called; here it stays
except KeyError:
    raise Unknown(code) from None
"""

from __future__ import annotations

import tree_sitter

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD

# The clauses that catch errors, what their bodies are, and the statements that raise errors.
CLAUSES, BODIES, RAISING = (
    ("except_clause", "except_group_clause", "catch_clause"),
    ("block",),
    ("raise_statement", "throw_statement"),
)


def catches_what_it_raises(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would make a handler catch the kind of errors that it raises itself."""
    source = change.new
    path = source.path_to(found.start)
    at = next((at for at in range(len(path) - 1, -1, -1) if path[at].type in (*CLAUSES, *BODIES)), -1)
    if at < 0 or path[at].type not in CLAUSES:
        return False
    words = {*WORD.findall(found.new)}
    return any(words & words_raised(source, node) for node in path[at].named_children if node.type in BODIES)


def words_raised(source: SourceText, node: tree_sitter.Node) -> set[str]:
    """The words of all statements in a node that raise errors."""
    if node.type in RAISING:
        return {*WORD.findall(source.text_of(node))}
    return {word for child in node.named_children for word in words_raised(source, child)}
