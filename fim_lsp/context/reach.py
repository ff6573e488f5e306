"""The reach of a cursor: the names that are used near it, the parts of a name, the class around it.

A guess by patterns is enough here. It only says which definitions are worth most; which they are, imports
and outlines say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from fim_lsp.context.outline import PythonImport, all_imports, bases_of, parse_python

CHAIN = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
# `shop.prices.ne|`: the name in front of the last dot.
RECEIVER = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*)\.\w*\Z")
# `prices: Prices`, `prices = Prices(...)`, `self.prices = shop.Prices(`.
KNOWN = re.compile(r"\b([^\W\d]\w*)\s*(?::\s*[\"']?([^\W\d][\w.]*)|=\s*(?:await\s+)?([^\W\d][\w.]*)\()")
# The most characters of each side that are looked at.
MOST_CHARACTERS = 12_000


@dataclass(frozen=True, slots=True)
class Reach:
    """The names and classes around a place."""

    imports: tuple[PythonImport, ...]
    # The distance in lines of the nearest use of each name, and of each dotted name.
    nearest: dict[str, int]
    # The names of the classes that what stands in front of the cursor's dot may be of.
    receivers: tuple[str, ...]
    # The bases of the class around the cursor.
    bases: tuple[str, ...]
    # The beginning of the definition around the cursor, in bytes: while that stays, so may what is shown.
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
    """The definitions around the end of a text, innermost first: those above whose header stands further left
    than the line at the cursor, which may be blank so far."""
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
            # Imports name everything, and say nothing of where it is used.
            if line.lstrip().startswith(("import ", "from ")):
                continue
            for chain in CHAIN.findall(line):
                while chain:
                    found[chain] = min(found.get(chain, number), number)
                    chain = chain.rpartition(".")[0]
    return found


def receivers(left: str, right: str) -> tuple[str, ...]:
    """The names in front of the cursor's dot, and those that its value was made of or is said to be."""
    match = RECEIVER.search(left[-200:])
    if match is None:
        return ()
    name = match[1]
    last = name.rpartition(".")[2]
    text = left[-MOST_CHARACTERS:] + right[:MOST_CHARACTERS]
    kinds = [kind or made for known, kind, made in KNOWN.findall(text) if known == last]
    return tuple(dict.fromkeys([name, *reversed(kinds)]))
