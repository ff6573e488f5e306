"""The reach of a cursor: the names near it, the receiver in front of its dot, the class around it.

A guess by patterns is enough here, since it only ranks the definitions that imports and outlines give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from fim_lsp.context.outline import PythonImport, all_imports, bases_of, parse_python

CHAIN = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
# The receiver: the name in front of the last dot of `shop.prices.ne|`.
RECEIVER = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*)\.\w*\Z")
# `prices: Prices`, `prices = Prices(...)`, `self.prices = shop.Prices(`.
KNOWN = re.compile(r"\b([^\W\d]\w*)\s*(?::\s*[\"']?([^\W\d][\w.]*)|=\s*(?:await\s+)?([^\W\d][\w.]*)\()")
# The most characters that are searched on each side.
MOST_CHARACTERS = 12_000


@dataclass(frozen=True, slots=True)
class Reach:
    """The names and classes around a place."""

    imports: tuple[PythonImport, ...]
    # The distance in lines of the nearest use of each name, and of each dotted name.
    nearest: dict[str, int]
    # The possible classes of the receiver, by name.
    receivers: tuple[str, ...]
    # The bases of the class around the cursor.
    bases: tuple[str, ...]
    # The start of the definition around the cursor, in bytes. While it stays, the context may stay.
    definition: int

    @classmethod
    def around(cls, left: str, right: str) -> Reach:
        root = parse_python(left + right).root_node
        around = [*enclosing(root, left)]
        classes = [node for node in around if node.type == "class_definition"]
        return cls(
            tuple(all_imports(root)),
            nearest_uses(left, right),
            receivers(left, right),
            bases_of(classes[0]) if classes else (),
            around[-1].start_byte if around else -1,
        )


def enclosing(root: tree_sitter.Node, left: str) -> Iterator[tree_sitter.Node]:
    """The definitions around the end of a text, innermost first: those above whose header is indented less
    than the cursor's line, which may still be blank."""
    line = left[left.rfind("\n") + 1 :]
    column = len(line) - len(line.lstrip())
    place = len(left.rstrip().encode(errors="replace"))
    node = root.descendant_for_byte_range(max(place - 1, 0), place)
    while node is not None:
        is_definition = node.type in ("class_definition", "function_definition")
        if is_definition and node.start_point.column < column:
            yield node
        node = node.parent


def nearest_uses(left: str, right: str) -> dict[str, int]:
    found: dict[str, int] = {}
    above = left[-MOST_CHARACTERS:].split("\n")
    below = right[:MOST_CHARACTERS].split("\n")
    for lines in (reversed(above), below):
        for number, line in enumerate(lines):
            # Imports mention all names, which says nothing about their use.
            if line.lstrip().startswith(("import ", "from ")):
                continue
            for chain in CHAIN.findall(line):
                while chain:
                    found[chain] = min(found.get(chain, number), number)
                    chain = chain.rpartition(".")[0]
    return found


def receivers(left: str, right: str) -> tuple[str, ...]:
    """The receiver's name, and the names of its class by constructor calls or annotations."""
    match = RECEIVER.search(left[-200:])
    if match is None:
        return ()
    name = match[1]
    last = name.rpartition(".")[2]
    text = left[-MOST_CHARACTERS:] + right[:MOST_CHARACTERS]
    kinds = [kind or made for known, kind, made in KNOWN.findall(text) if known == last]
    return tuple(dict.fromkeys([name, *reversed(kinds)]))
