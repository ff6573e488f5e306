"""Look-behinds in a program: the nodes at which they may be after some characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quotient.expressions.character_sets import Ranges
from quotient.expressions.regex_programs import (
    Ahead,
    Character,
    Lookbehind,
    Program,
    Split,
    WordEdge,
)
from quotient.expressions.regexes import RegexError


@dataclass(frozen=True, slots=True)
class LooksBehind:
    """The look-behinds of a program over these letters."""

    program: Program
    of_set: Mapping[Ranges, frozenset[int]]

    def nodes_behind(self, before: frozenset[int], letter: int) -> frozenset[int]:
        nodes = (self.program.nodes[number] for number in before)
        return frozenset(
            node.following
            for node in nodes
            if isinstance(node, Character) and letter in self.of_set[node.characters]
        )

    def tracked_nodes(self, before: frozenset[int], behind: Lookbehind) -> frozenset[int]:
        """The nodes that a look-behind, which may begin anywhere in the terminal, may have reached."""
        return self.closure({behind.start, *before})

    def closure(self, before: Iterable[int]) -> frozenset[int]:
        """Follows nodes that read no character."""
        found: set[int] = set()
        todo = [*before]
        while todo:
            number = todo.pop()
            if number in found:
                continue
            found.add(number)
            node = self.program.nodes[number]
            if isinstance(node, Split):
                todo.extend(node.ways)
            elif isinstance(node, Ahead | Lookbehind | WordEdge):
                raise RegexError("look-around inside of look-behind")
        return frozenset(found)

    def all_nodes(self, behind: Lookbehind) -> frozenset[int]:
        """The nodes of a look-behind."""
        found = self.closure({behind.start})
        while True:
            nodes = (self.program.nodes[number] for number in found)
            more = self.closure(found | {node.following for node in nodes if isinstance(node, Character)})
            if more == found:
                return found
            found = more
