"""Texts of JavaScript that were put together with `+` and have fields now: the others become so, too.

    -"hello " + name           -"row " + n + " of " + all          "bye " + name
    +`hello ${name}`           +`row ${n} of ${all}`               `bye ${name}`

A sum that begins with two values is left alone, because these may be numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import tree_sitter

from fim_lsp.edits.repeating.conversions import is_written
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import JAVASCRIPT

LEAST_MADE = 2
MOST_PLACES = 100
SURE = 0.85
# What a field takes as it is.
PLAIN = ("identifier", "member_expression", "call_expression", "subscript_expression", "number", "this")


def repeated_fields(change: FileChange) -> Iterator[Replacement]:
    if change.new.known_language.family != JAVASCRIPT.family:
        return
    made = {}
    for one in change.replaced if "`" in change.new.text else ():
        for node in outermost_sums(change.old, one.old_start):
            with_fields = text_with_fields(change.old, node)
            if with_fields and is_written(change, node, with_fields):
                made[node.start_byte] = one.new_start
    if len(made) < LEAST_MADE:
        return
    left = []
    for node in sums_below(change.new.root):
        with_fields = text_with_fields(change.new, node)
        if with_fields and not change.is_typed(*change.new.span(node)):
            left.append((change.new.span(node), with_fields))
    if len(left) > MOST_PLACES or any(start < max(made.values()) for (start, _), _ in left):
        return
    for (start, stop), with_fields in left:
        reason = f"`+` became a text with fields {len(made)} times"
        yield Replacement(start, stop, with_fields, reason, SURE, "fields")


def is_sum(node: tree_sitter.Node) -> bool:
    operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    return operator is not None and operator.type == "+"


def outermost_sums(source: SourceText, offset: int) -> Iterator[tree_sitter.Node]:
    """The sums around a place, or right in front of it, that are no part of another."""
    for at in (offset, max(offset - 1, 0)):
        path = source.path_to(at)
        yield from (node for around, node in pairwise(path) if is_sum(node) and not is_sum(around))


def sums_below(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if is_sum(node):
            yield node
        else:
            waiting += reversed(node.named_children)


def text_with_fields(source: SourceText, node: tree_sitter.Node) -> str:
    """A sum as one text with fields; empty where it is not known to be a text, or would be another one."""
    parts: list[tree_sitter.Node] = []
    while is_sum(node):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or len(node.named_children) != 2:
            return ""
        parts.insert(0, right)
        node = left
    parts.insert(0, node)
    texts = [one.type == "string" for one in parts]
    if not any(texts[:2]) or all(texts):
        return ""
    pieces = []
    for one in parts:
        said = source.text_of(one)
        if one.type == "string":
            content = said[1:-1]
            if "`" in content or "${" in content or "\\" in content or "$" in content[-1:]:
                return ""
            pieces.append(content)
        elif one.type in PLAIN and "\n" not in said and "`" not in said:
            pieces.append(f"${{{said}}}")
        else:
            return ""
    return f"`{''.join(pieces)}`"
