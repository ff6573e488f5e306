"""Modifiers of Java that stand twice, or beside one that they exclude: the grammar accepts any list of them.

public public static int f()        public private int g
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

# Annotations of the language itself, which stand once.
ONCE = frozenset((b"@Override", b"@FunctionalInterface", b"@SafeVarargs"))
ACCESS = frozenset((b"public", b"protected", b"private"))


def wrong_modifiers(root: tree_sitter.Node, first: int, last: int) -> Iterator[tree_sitter.Node]:
    """The modifiers that are wrong because of the text between two bytes of a file."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        children = [child for child in node.children if child.start_byte < last and child.end_byte > first]
        if node.type == "modifiers" and children:
            wrong = wrong_of(node.children)
            if len(wrong) > len(wrong_of([child for child in node.children if child not in children])):
                yield from wrong
        waiting += reversed(children)


def wrong_of(modifiers: Sequence[tree_sitter.Node]) -> list[tree_sitter.Node]:
    """The modifiers that repeat an earlier one, or that an earlier one excludes. Annotations exclude none."""
    seen: set[bytes] = set()
    wrong = []
    for modifier in modifiers:
        word = modifier.text or b""
        if modifier.is_named:
            # Others may be declared as repeatable.
            word = word if word in ONCE else b""
        if word in seen or (word in ACCESS and seen & ACCESS):
            wrong.append(modifier)
        elif word:
            seen.add(word)
    return wrong
