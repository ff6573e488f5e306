"""Brackets that nothing closes, found in whatever is left of a file: where a fault comes from that is
noticed much further down.

    total = sum(        opened here
    print(total)        and noticed at the file's end
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.known_languages import KnownLanguage
from fim_lsp.server.worker.syntax import parser

CLOSERS = {"(": ")", "[": "]", "{": "}", "${": "}"}


def unclosed(text: str, known: KnownLanguage) -> list[int]:
    """The offsets of brackets that nothing closes, in their order. One that a closer of another kind passes
    over is one of them."""
    data = text.encode(errors="replace")
    found: list[int] = []
    still_open: list[tuple[str, int]] = []
    for leaf in leaves(parser(known).parse(data)):
        if leaf.is_missing:
            continue
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
