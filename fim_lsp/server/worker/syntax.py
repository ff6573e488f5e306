"""A document's tree as tree-sitter has it, kept across edits: where a file is broken, and whether a text
adds to that.

The engine proves that a completion fits the part of the file that it was asked about. Where that part is
not the whole file, this is the second opinion on the rest: tree-sitter parses anything and marks what it
could not make sense of (ERROR) or had to invent (MISSING).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import tree_sitter
import tree_sitter_python


@dataclass(frozen=True, slots=True)
class Fault:
    """An ERROR or MISSING node: bytes and lines, both from 0; `last_line` is the last one that it touches."""

    start: int
    stop: int
    first_line: int
    last_line: int


class SyntaxTree:
    """The tree of a text that is edited."""

    def __init__(self, text: str) -> None:
        self._content = encoded(text)
        self._tree = parser().parse(self._content)

    def edit(self, text: str, start: int, stop: int, new: str) -> None:
        """Follows an edit; `text` is the whole text before it, offsets count its characters."""
        self._content, self._tree = self._edited(text, start, stop, new)

    def faults(self) -> list[Fault]:
        return list(faults_below(self._tree.root_node))

    def is_comment(self, text: str, offset: int) -> bool:
        """Whether an offset is inside a comment or at its end, where typing would go on with it."""
        position = len(encoded(text[:offset]))
        node = self._tree.root_node.descendant_for_byte_range(max(position - 1, 0), position)
        return node is not None and node.type == "comment" and node.start_byte < position

    def is_worse_with(self, text: str, start: int, stop: int, new: str) -> bool:
        """Whether an edit would add faults: more of them, or one inside the new text."""
        _, tree = self._edited(text, start, stop, new)
        if not tree.root_node.has_error:
            return False
        first = len(encoded(text[:start]))
        last = first + len(encoded(new))
        after = list(faults_below(tree.root_node, nested=True))
        is_inside = any(first <= fault.start and fault.stop <= last for fault in after)
        return is_inside or len(after) > len(list(faults_below(self._tree.root_node, nested=True)))

    def _edited(self, text: str, start: int, stop: int, new: str) -> tuple[bytes, tree_sitter.Tree]:
        first = len(encoded(text[:start]))
        last = first + len(encoded(text[start:stop]))
        added = encoded(new)
        content = self._content[:first] + added + self._content[last:]
        tree = self._tree.copy()
        behind = first + len(added)
        tree.edit(
            first,
            last,
            behind,
            point(self._content, first),
            point(self._content, last),
            point(content, behind),
        )
        return content, parser().parse(content, tree)


def faults_below(node: tree_sitter.Node, nested: bool = False) -> Iterator[Fault]:
    """The faults in the order of the text, those inside others only when asked for.

    Subtrees without any are skipped. A stack, because a broken file may nest deeper than Python recurses.
    """
    waiting = [node]
    while waiting:
        node = waiting.pop()
        is_fault = node.is_error or node.is_missing
        if is_fault:
            last_line = node.end_point[0] - (
                node.end_point[1] == 0 and node.end_point[0] > node.start_point[0]
            )
            yield Fault(node.start_byte, node.end_byte, node.start_point[0], last_line)
        if node.has_error and (nested or not is_fault):
            waiting.extend(reversed(node.children))


def point(content: bytes, offset: int) -> tuple[int, int]:
    """tree-sitter's row and column of a byte; its rows end at LF only."""
    line_start = content.rfind(b"\n", 0, offset) + 1
    return content.count(b"\n", 0, line_start), offset - line_start


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@cache
def parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
