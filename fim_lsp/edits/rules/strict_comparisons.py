"""Comparisons of JavaScript that are strict now: the others become so, too.

    -if (a == 1)    -if (b == 2)          if (a != b)
    +if (a === 1)   +if (b === 2)             ^ `!==`

A comparison with `null` stays as it is, because it means `undefined` as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import JAVASCRIPT

STRICT = {"==": "===", "!=": "!=="}
LOOSE = re.compile(r"[!=]=(?!=)")
NOTHING = ("null", "undefined")
LEAST_MADE = 2
MOST_PLACES = 200
SURE = 0.85


def repeated_strictness(change: FileChange) -> Iterator[Replacement]:
    if change.new.known_language.family != JAVASCRIPT.family:
        return
    made = [one.new_start for one in change.replaced if STRICT.get(one.old) == one.new]
    if len(made) < LEAST_MADE:
        return
    left = [node for node in loose_operators(change.new.root) if not change.is_typed(*change.new.span(node))]
    # Where one was left out in front, the user does not go through the file.
    if len(left) > MOST_PLACES or any(change.new.span(node)[0] < max(made) for node in left):
        return
    for node in left:
        start, stop = change.new.span(node)
        reason = f"{len(made)} comparisons became strict"
        yield Replacement(start, stop, STRICT[node.type], reason, SURE, "strict")


def is_loose_with_nothing(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would make a comparison with `null` strict, and the user has made none so."""
    if change.new.known_language.family != JAVASCRIPT.family:
        return False
    loose = LOOSE.search(change.new.text, found.start, found.stop)
    if loose is None or STRICT[loose[0]] not in found.new:
        return False
    made = [one.new_start for one in change.replaced if STRICT.get(one.old) == one.new]
    is_made = any(compares_nothing(change.new, start) for start in made)
    return not is_made and compares_nothing(change.new, loose.start())


def compares_nothing(source: SourceText, offset: int) -> bool:
    """Whether the operator at a place compares with `null` or `undefined`."""
    around = next(
        (node for node in reversed(source.path_to(offset)) if node.type == "binary_expression"), None
    )
    return around is not None and is_with_nothing(around)


def is_with_nothing(comparison: tree_sitter.Node) -> bool:
    sides = [comparison.child_by_field_name(side) for side in ("left", "right")]
    return any(side is not None and is_nothing(side) for side in sides)


def is_nothing(side: tree_sitter.Node) -> bool:
    """Whether a side of a comparison is `null`, `undefined` or `void 0`."""
    return side.type in NOTHING or (side.type == "unary_expression" and side.children[0].type == "void")


def loose_operators(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The operators of comparisons that convert their sides, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += reversed(node.named_children)
        operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
        is_loose = operator is not None and operator.type in STRICT
        if operator is not None and is_loose and not is_with_nothing(node):
            yield operator
