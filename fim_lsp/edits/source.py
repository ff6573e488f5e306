"""A file as its edits are looked for: its text, its tree, and what a place in it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import tree_sitter

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.positions import Lines
from fim_lsp.server.worker.syntax import COMMENTS, encoded, parser

# What stands for itself in a text: words, numbers, signs. White space stands between.
SYMBOL = re.compile(
    r"[^\W\d]\w*|\d[\w.]*|\"\"\"|'''|[\"'`]|->|:=|=>|\*\*=?|//=?|<<=?|>>=?|\.\.\.|&&|\|\||[=!<>+\-*/%&|^@:]=|\S"
)
WORD = re.compile(r"[^\W\d]\w*")
TEXTS = ("string", "string_content", "string_fragment", "interpreted_string_literal", "raw_string_literal")


@dataclass(frozen=True)
class Source:
    """A text in a language, with what is known of it. The tree is made when it is asked for."""

    path: str
    text: str
    known: KnownLanguage = PYTHON
    # A tree of the text that somebody has already.
    tree: tree_sitter.Tree | None = field(default=None, compare=False)

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def is_ascii(self) -> bool:
        return self.text.isascii()

    @cached_property
    def root(self) -> tree_sitter.Node:
        tree = self.tree if self.tree is not None else parser(self.known).parse(self.content)
        return tree.root_node

    @cached_property
    def content(self) -> bytes:
        return encoded(self.text)

    def byte(self, offset: int) -> int:
        """How many bytes stand in front of a character."""
        return offset if self.is_ascii else len(encoded(self.text[:offset]))

    @cached_property
    def _places(self) -> list[int]:
        found = [index for index, character in enumerate(self.text) for _ in encoded(character)]
        return [*found, len(self.text)]

    def offset(self, n_bytes: int) -> int:
        """The character that a byte belongs to."""
        return n_bytes if self.is_ascii else self._places[n_bytes]

    def span(self, node: tree_sitter.Node) -> tuple[int, int]:
        return self.offset(node.start_byte), self.offset(node.end_byte)

    def said(self, node: tree_sitter.Node | None) -> str:
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
        """Where a word stands as one, anywhere in the text."""
        at = self.text.find(word)
        while at >= 0:
            stop = at + len(word)
            if not is_word(self.text[at - 1 : at]) and not is_word(self.text[stop : stop + 1]):
                yield at
            at = self.text.find(word, stop)

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


def is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def symbols(text: str, start: int = 0, stop: int | None = None) -> list[tuple[int, int]]:
    """Where the symbols of a part of a text lie."""
    found = SYMBOL.finditer(text, start, len(text) if stop is None else stop)
    return [(one.start(), one.end()) for one in found]
