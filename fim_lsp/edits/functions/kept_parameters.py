"""Parameters that a constructor stores in attributes: a new one is stored like the others.

-def __init__(self, owner, limit):             +def __init__(self, owner, limit, rows):
     self.owner = owner
     self.limit = limit
                                                self.rows = rows
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.functions.signatures import Altered, Function
from fim_lsp.edits.proving.indenting import indentation
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

# The probability that a new parameter is stored if all others are: after one, and after more.
ONE, SEVERAL = 0.7, 0.85


def kept_parameters(change: FileChange, function: Altered) -> Iterator[Replacement]:
    """The statements that store a constructor's new parameters."""
    after = function.after
    body = after.node.child_by_field_name("body")
    if (
        after.name != "__init__"
        or after.owner is None
        or body is None
        or after.node.type != "function_definition"
    ):
        return
    added = {one.name for one in function.added}
    others = [one.name for one in after.taken if one.name not in added]
    kept = dict(statements_that_keep(change.new, after, body))
    if not others or not added or not all(name in kept for name in others):
        return
    used = {
        change.new.text[one.start : one.stop]
        for name in added
        for one in change.new_names.of(name)
        if one.role == "use" and body.start_byte <= change.new.byte(one.start) < body.end_byte
    }
    order = [one.name for one in after.taken]
    for name in order:
        if name not in added or name in used:
            continue
        left = [one for one in order[: order.index(name)] if one in kept]
        statement, prefix = kept[left[-1] if left else others[0]]
        begin, stop = change.new.span(statement)
        lines = change.new.lines
        number = lines.line_at(stop if left else begin)
        written = f"{indentation(lines.content(lines.line_at(begin)))}self.{prefix}{name} = {name}"
        reason = f"the parameter `{name}` is new, and the others are kept"
        sure = SEVERAL if len(others) > 1 else ONE
        line_end = lines[number][len(lines.content(number)) :] or "\n"
        at, new = lines.starts[number], written + line_end
        if left:
            at, new = at + len(lines.content(number)), line_end + written
        yield Replacement(at, at, new, reason, sure, f"kept {name}")


def statements_that_keep(
    source: SourceText, function: Function, body: tree_sitter.Node
) -> Iterator[tuple[str, tuple[tree_sitter.Node, str]]]:
    """`self.name = name` and `self._name = name` of a body, by the parameter that they store."""
    names = {one.name for one in function.taken}
    for statement in body.named_children:
        node = statement.named_children[0] if statement.type == "expression_statement" else None
        if node is None or node.type != "assignment":
            continue
        left, value = (
            source.text_of(node.child_by_field_name("left")),
            source.text_of(node.child_by_field_name("right")),
        )
        for prefix in ("", "_"):
            if value in names and left == f"self.{prefix}{value}":
                yield value, (statement, prefix)
