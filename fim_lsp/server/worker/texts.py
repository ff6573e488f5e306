"""A document as the worker keeps it: its text, the engine's charts, tree-sitter's tree, and the parts that
stand in for it.

All of them follow edits, so a keystroke costs what it changed.
"""

from __future__ import annotations

from functools import cached_property

from fim_lsp.positions import Lines
from fim_lsp.server.worker.messages import Edit, Text
from fim_lsp.server.worker.syntax import SyntaxTree
from quotient import Document, Language


class WorkerText:
    """One document, at one serial of the server's counting."""

    def __init__(self, text: Text, whole: str) -> None:
        self.serial = text.serial
        self.python_version = text.python_version
        self.lines = Lines(whole)
        self.language = Language.load("python", version=text.python_version)
        self.engine: Document = self.language.document(whole)
        # The text with erroneous statements set aside, once that was needed.
        self.mended: Document | None = None

    @property
    def text(self) -> str:
        return self.lines.text

    @cached_property
    def tree(self) -> SyntaxTree:
        return SyntaxTree(self.text)

    @property
    def memory(self) -> int:
        """Bytes, roughly: the charts, and the text as three parties hold it."""
        charts = self.engine.memory + (self.mended.memory if self.mended else 0)
        return charts + 4 * len(self.text)

    def edit(self, edit: Edit) -> None:
        if "tree" in self.__dict__:
            self.tree.edit(self.text, edit.start, edit.stop, edit.new)
        self.lines = self.lines.edited(edit.start, edit.stop, edit.new)
        self.engine.edit(edit.start, edit.stop, edit.new)

    def line_texts(self) -> list[str]:
        starts = self.lines.starts
        return [self.text[start:stop] for start, stop in zip(starts, (*starts[1:], None), strict=True)]


def adapted(document: Document, text: str) -> None:
    """Turns a document's text into another by one edit: what both begin and end with keeps its charts."""
    old = document.text
    front = n_shared(old, text)
    longest = min(len(old), len(text)) - front
    back = n_shared_behind(old, text, longest)
    document.edit(front, len(old) - back, text[front : len(text) - back])


def n_shared(one: str, other: str) -> int:
    """How many characters two texts begin with in common. By bisection: comparing slices is a memcmp."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def n_shared_behind(one: str, other: str, at_most: int) -> int:
    """How many characters two texts end with in common, up to a number."""
    low, high = 0, at_most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
