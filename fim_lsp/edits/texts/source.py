"""The source of a file for edits: its text, its tree, and the node at a place."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import tree_sitter

from fim_lsp.document.syntax import COMMENTS, encode_text, parser
from fim_lsp.document.syntax import ByteChange as Altered
from fim_lsp.edits.texts.lent_names import LentNames
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.positions import Lines

WIDE = re.compile(r"[^\x00-\x7f]")
TEXTS = ("string", "string_content", "string_fragment", "interpreted_string_literal", "raw_string_literal")


@dataclass(frozen=True, slots=True)
class WideCharacters:
    """The characters of a text that take more than one byte: their places in characters and in bytes, and the
    extra bytes in front of each; one more entry for the end."""

    places: list[int]
    begins: list[int]
    more: list[int]

    @classmethod
    def of(cls, text: str) -> WideCharacters:
        found = cls([], [], [0])
        for one in WIDE.finditer(text):
            found.places.append(one.start())
            found.begins.append(one.start() + found.more[-1])
            found.more.append(found.more[-1] + len(encode_text(one[0])) - 1)
        return found

    def byte(self, offset: int) -> int:
        return offset + self.more[bisect_left(self.places, offset)]

    def offset(self, n_bytes: int) -> int:
        number = bisect_right(self.begins, n_bytes)
        return max(n_bytes - self.more[number], self.places[number - 1] if number else 0)


@dataclass(frozen=True)
class SourceText:
    """A text in a language, with its lines and its tree, which is parsed on demand."""

    path: str
    text: str
    known_language: KnownLanguage = PYTHON
    # The tree of the text, if it is known already.
    tree: tree_sitter.Tree | None = field(default=None, compare=False)
    known_lines: Lines | None = field(default=None, compare=False)
    # The names that the file has from a changed one, if that matters.
    lent: LentNames | None = field(default=None, compare=False)

    def with_lent(self, lent: LentNames) -> SourceText:
        """The same text, with names from another file."""
        return replace(self, tree=self.parsed, known_lines=self.lines, lent=lent)

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text) if self.known_lines is None else self.known_lines

    def with_edit(self, start: int, stop: int, new: str) -> SourceText:
        """The text with `new` between two offsets. Its tree and tables are updated, not rebuilt."""
        lines = self.lines.with_edit(start, stop, new)
        tree = self.parsed.copy()
        first = self.byte(start)
        removed, added = encode_text(self.text[start:stop]), encode_text(new)
        content = self.content[:first] + added + self.content[first + len(removed) :]
        Altered(first, first + len(removed), first + len(added)).tell(tree, self.content, content)
        tree = parser(self.known_language).parse(content, tree)
        return SourceText(self.path, lines.text, self.known_language, tree, lines)

    @cached_property
    def parsed(self) -> tree_sitter.Tree:
        return self.tree if self.tree is not None else parser(self.known_language).parse(self.content)

    @cached_property
    def declaring_scopes(self) -> dict[str, set[tuple[int, int]]]:
        """The scopes that declare a name, for the names asked so far (`scoped.py`)."""
        return {}

    @cached_property
    def is_ascii(self) -> bool:
        return self.text.isascii()

    @cached_property
    def root(self) -> tree_sitter.Node:
        return self.parsed.root_node

    @cached_property
    def content(self) -> bytes:
        return encode_text(self.text)

    def byte(self, offset: int) -> int:
        """The number of bytes in front of a character."""
        return offset if self.is_ascii else self._wide.byte(offset)

    @cached_property
    def _wide(self) -> WideCharacters:
        return WideCharacters.of(self.text)

    def offset(self, n_bytes: int) -> int:
        """The character of a byte."""
        return n_bytes if self.is_ascii else self._wide.offset(n_bytes)

    def span(self, node: tree_sitter.Node) -> tuple[int, int]:
        return self.offset(node.start_byte), self.offset(node.end_byte)

    def text_of(self, node: tree_sitter.Node | None) -> str:
        """The text of a node."""
        if node is None:
            return ""
        start, stop = self.span(node)
        return self.text[start:stop]

    def path_to(self, offset: int) -> list[tree_sitter.Node]:
        """The nodes around a character, from the whole file to the symbol."""
        at = self.byte(offset)
        cursor = self.root.walk()
        found = [self.root]
        while cursor.goto_first_child_for_byte(at) is not None:
            node = cursor.node
            if node is None or not node.start_byte <= at < node.end_byte:
                break
            found.append(node)
        return found

    def places(self, word: str) -> Iterator[int]:
        """The places of a whole word in the text."""
        text, size = self.text, len(word)
        at = text.find(word) if word else -1
        while at >= 0:
            before, behind = text[at - 1 : at], text[at + size : at + size + 1]
            if not (before.isalnum() or before == "_" or behind.isalnum() or behind == "_"):
                yield at
            at = text.find(word, at + size)

    def kind(self, offset: int) -> str:
        """Whether a place is in a comment, in a string, or in code."""
        path = self.path_to(offset)
        if path[-1].type in COMMENTS:
            return "comment"
        for node in reversed(path):
            if node.type == "interpolation" or node.type == "template_substitution":
                return "code"
            if node.type in TEXTS or "string" in node.type:
                return "string"
        return "code"


def children_between(node: tree_sitter.Node, first: int, last: int) -> list[tree_sitter.Node]:
    """A node's children that touch a range of bytes. In a file of thousands of lines these are few, and no
    objects are made for the others."""
    cursor = node.walk()
    found: list[tree_sitter.Node] = []
    # A child that ends at the first byte is touched as well. For a line break that ends a statement, as in
    # Go, no child is found.
    if all(cursor.goto_first_child_for_byte(at) is None for at in (max(first - 1, 0), first)):
        return found
    while (child := cursor.node) is not None and child.start_byte <= last:
        if child.end_byte >= first:
            found.append(child)
        if not cursor.goto_next_sibling():
            break
    return found
