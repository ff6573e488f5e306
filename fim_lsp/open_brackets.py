"""Brackets, long strings and comments that nothing closes, found in whatever is left of a file: where a
fault comes from that is noticed much further down.

    total = sum(        opened here
    print(total)        and noticed at the file's end
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.document.syntax import parser
from fim_lsp.known_languages import KnownLanguage

CLOSERS = {"(": ")", "[": "]", "{": "}", "${": "}"}
# Signs that begin a string that may go on in other lines, or a comment.
LONG = ("`", '"""', "'''", "/*")


def unclosed_offsets(text: str, known_language: KnownLanguage) -> list[int]:
    """The offsets of unclosed brackets, in their order. A bracket that a closer of another kind skips is one
    of them."""
    data = text.encode(errors="replace")
    found: list[int] = []
    still_open: list[tuple[str, int]] = []
    for leaf in leaves(parser(known_language).parse(data)):
        if leaf.is_missing:
            continue
        if is_endless(leaf, text_at(data, leaf.start_byte)):
            # The text behind it is in the string.
            found.append(leaf.start_byte)
            break
        if leaf.type in CLOSERS:
            still_open.append((CLOSERS[leaf.type], leaf.start_byte))
        elif leaf.type in CLOSERS.values() and leaf.type in {closer for closer, _ in still_open}:
            while True:
                closer, start = still_open.pop()
                if closer == leaf.type:
                    break
                found.append(start)
    found += [start for _, start in still_open]
    return sorted(len(data[:start].decode()) for start in found)


def opener(text: str, offset: int) -> str:
    """The opener at an offset that nothing closes."""
    return next((sign for sign in LONG if text.startswith(sign, offset)), text[offset])


def text_at(data: bytes, start: int) -> str:
    return data[start : start + 3].decode(errors="replace")


def is_endless(leaf: tree_sitter.Node, text: str) -> bool:
    """Whether a string or a comment begins that has no end."""
    is_alone = leaf.parent is not None and leaf.parent.is_error and text.startswith(LONG)
    return is_alone and (not text.startswith("/*") or leaf.type == "/")


def leaves(tree: tree_sitter.Tree) -> Iterator[tree_sitter.Node]:
    cursor = tree.walk()
    while True:
        if cursor.goto_first_child():
            continue
        if cursor.node is not None:
            yield cursor.node
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
