"""A document's tree as tree-sitter has it, kept across edits: where a file is broken, and whether a text
adds to that.

The engine proves that a completion fits the part of the file that it was asked about. Where that part is
not the whole file, this is the second opinion on the rest: tree-sitter parses anything and marks what it
could not make sense of (ERROR) or had to invent (MISSING).

The answers follow from the text alone, not from how it came about. Where a text has no error there is one
tree, however it was made. Where it has some, one that follows edits may have recovered otherwise than one of
the whole text (11 of 48,000 random edits). So a broken text is parsed anew, up to `WHOLE_BYTES`; of longer
ones a part around the place in question is (`WorkerText.part`), so that a key costs what it costs elsewhere.
Whether there is an error at all, both trees agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module

import tree_sitter

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.shared import n_shared, n_shared_behind

LONE_CR = re.compile("\r(?!\n)")
# The most bytes in which a text differs from another one whose tree its own follows from.
NEAR = 2_000
# The most bytes of a broken text that is parsed anew with each edit: 4 ms.
WHOLE_BYTES = 32_000
# The names that grammars have for a comment.
COMMENTS = frozenset({"comment", "line_comment", "block_comment"})


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """The span of an ERROR or MISSING node, in characters."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class ByteChange:
    """The difference between two texts: these bytes of the one and those of the other."""

    start: int
    old_stop: int
    new_stop: int

    @property
    def n_bytes(self) -> int:
        return self.old_stop + self.new_stop - 2 * self.start

    def tell(self, tree: tree_sitter.Tree, old: bytes, new: bytes) -> None:
        """Tells a tree of the old text that the new one comes next."""
        begin = point(old, self.start)
        tree.edit(
            self.start,
            self.old_stop,
            self.new_stop,
            begin,
            point_behind(begin, old[self.start : self.old_stop]),
            point_behind(begin, new[self.start : self.new_stop]),
        )


class SyntaxTree:
    """The tree of a text that is edited. It is brought up to date when it is asked, not with each edit."""

    def __init__(self, text: str, known_language: KnownLanguage = PYTHON) -> None:
        self._parser = parser(known_language)
        self._content = encode_text(text)
        self._tree = self._parser.parse(self._content)
        self._is_current = self._is_anew = True
        # The bytes and the tree of the last text that was asked about.
        self._with: tuple[bytes, tree_sitter.Tree] | None = None

    def edit(self, text: str, start: int, stop: int, new: str) -> None:
        """Follows an edit; `text` is the whole text before it, offsets count its characters."""
        self._content = edit_tree(self._content, self._tree, text, start, stop, new)
        self._is_current = False

    def __copy__(self) -> SyntaxTree:
        """A copy that does not follow this one's edits."""
        copied = SyntaxTree.__new__(SyntaxTree)
        copied.__dict__.update(self.__dict__, _tree=self._tree.copy())
        return copied

    @property
    def is_certain(self) -> bool:
        """Whether the tree is the one that the text has by whatever way it was parsed."""
        return not self._current_tree().root_node.has_error or len(self._content) <= WHOLE_BYTES

    def root(self) -> tree_sitter.Node:
        """The root of the whole present text; a broken text is parsed anew, whatever its length."""
        return self._certain_tree().root_node

    def faults(self, text: str) -> list[SyntaxFault]:
        """The outermost faults; `text` is the whole text. If it is broken it is parsed anew, however long."""
        is_ascii = text.isascii()
        return [
            SyntaxFault(
                node.start_byte if is_ascii else n_characters(self._content, node.start_byte),
                node.end_byte if is_ascii else n_characters(self._content, node.end_byte),
            )
            for node in faults_below(self._certain_tree().root_node)
        ]

    def is_comment(self, text: str, offset: int) -> bool:
        """Whether an offset is inside a comment or at its end, where typing would go on with it."""
        position = len(encode_text(text[:offset]))
        root = self._current_tree().root_node
        node = root.descendant_for_byte_range(max(position - 1, 0), position)
        return node is not None and node.type in COMMENTS and node.start_byte < position

    def is_docstring(self, text: str, offset: int) -> bool:
        """Whether an offset is within a docstring."""
        position = len(encode_text(text[:offset]))
        node = self._current_tree().root_node.descendant_for_byte_range(max(position - 1, 0), position)
        while node is not None and node.type != "string":
            node = node.parent
        statement = None if node is None else node.parent
        if node is None or statement is None or statement.type != "expression_statement":
            return False
        siblings = [] if statement.parent is None else statement.parent.named_children
        first = next((one for one in siblings if one.type != "comment"), None)
        return first == statement and node.start_byte < position < node.end_byte

    def with_text(self, text: str, start: int, stop: int, new: str) -> tuple[tree_sitter.Node, bytes]:
        """The tree of the text with another one between two offsets, and its bytes."""
        self._current_tree()
        begin, end = len(encode_text(text[:start])), len(encode_text(text[:stop]))
        content = self._content[:begin] + encode_text(new) + self._content[end:]
        return self._tree_with(content).root_node, content

    def is_worse_with(self, text: str, start: int, stop: int, new: str) -> bool:
        """Whether an edit would add faults: more of them, or one inside the new text."""
        before = self._current_tree()
        first = len(encode_text(text[:start]))
        added = encode_text(new)
        content = self._content[:first] + added + self._content[len(encode_text(text[:stop])) :]
        tree = self._tree_with(content)
        if not tree.root_node.has_error:
            return False
        last = first + len(added)
        after = list(faults_below(tree.root_node, nested=True))
        is_inside = any(first <= fault.start_byte and fault.end_byte <= last for fault in after)
        return is_inside or len(after) > len(list(faults_below(before.root_node, nested=True)))

    def _tree_with(self, content: bytes) -> tree_sitter.Tree:
        """The tree of the text with something that may be offered.

        It follows from the last one of its kind, where that is of nearly the same text: between a text and
        the one that is mended by what is offered much of a class changes its place in the tree, 17 ms with
        each key again in a file of 6,400 lines. Where the cursor was far away then, it follows from the
        text's own tree: to read all in between costs as much.
        """
        change = None
        if self._with is not None:
            old, tree = self._with
            change = difference(old, content)
        if change is None or change.n_bytes > NEAR:
            old, tree = self._content, self._current_tree()
            change = difference(old, content)
        tree = tree.copy()
        change.tell(tree, old, content)
        tree = self._parsed_tree(content, tree)
        self._with = content, tree
        return tree

    def _current_tree(self) -> tree_sitter.Tree:
        if not self._is_current:
            self._tree = self._parsed_tree(self._content, self._tree)
            self._is_current, self._is_anew = True, False
        return self._tree

    def _certain_tree(self) -> tree_sitter.Tree:
        if not self.is_certain and not self._is_anew:
            self._tree, self._is_anew = self._parser.parse(self._content), True
        return self._tree

    def _parsed_tree(self, content: bytes, old: tree_sitter.Tree) -> tree_sitter.Tree:
        """The tree that is made from an old one, where it is known to be the one that would be made anew."""
        tree = self._parser.parse(content, old)
        if tree.root_node.has_error and len(content) <= WHOLE_BYTES:
            return self._parser.parse(content)
        return tree


def leaf_spans(text: str, known_language: KnownLanguage) -> Iterator[tuple[int, int]]:
    """The spans of a text's symbols, in characters; a comment and a whole string are one each."""
    content = encode_text(text)
    # Bytes to characters, once for the whole text.
    places = None if len(content) == len(text) else character_places(text)
    waiting = [parser(known_language).parse(content).root_node]
    while waiting:
        node = waiting.pop()
        if node.child_count and "string" not in node.type and node.type not in COMMENTS:
            waiting.extend(reversed(node.children))
        elif node.end_byte > node.start_byte and content[node.start_byte : node.end_byte].strip():
            span = node.start_byte, node.end_byte
            yield span if places is None else (places[span[0]], places[span[1]])


def character_places(text: str) -> list[int]:
    """The number of its character for each byte of a text's encoding, and for its end that of the text's."""
    found = [idx for idx, character in enumerate(text) for _ in encode_text(character)]
    return [*found, len(text)]


def edit_tree(content: bytes, tree: tree_sitter.Tree, text: str, start: int, stop: int, new: str) -> bytes:
    """Tells the tree of an edit; the bytes after it."""
    first = len(encode_text(text[:start]))
    removed, added = encode_text(text[start:stop]), encode_text(new)
    after = content[:first] + added + content[first + len(removed) :]
    ByteChange(first, first + len(removed), first + len(added)).tell(tree, content, after)
    return after


def difference(old: bytes, new: bytes) -> ByteChange:
    front = n_shared(old, new)
    back = n_shared_behind(old, new, min(len(old), len(new)) - front)
    return ByteChange(front, len(old) - back, len(new) - back)


def faults_below(node: tree_sitter.Node, nested: bool = False) -> Iterator[tree_sitter.Node]:
    """The faults in the order of the text, those inside others only when asked for.

    Subtrees without any are skipped. A stack, because a broken file may nest deeper than Python recurses.
    """
    waiting = [node]
    while waiting:
        node = waiting.pop()
        is_fault = node.is_error or node.is_missing
        if is_fault:
            yield node
        if node.has_error and (nested or not is_fault):
            waiting.extend(reversed(node.children))


def point(content: bytes, offset: int) -> tuple[int, int]:
    """tree-sitter's row and column of a byte; its rows end at LF only."""
    line_start = content.rfind(b"\n", 0, offset) + 1
    return content.count(b"\n", 0, line_start), offset - line_start


def point_behind(begin: tuple[int, int], content: bytes) -> tuple[int, int]:
    rows = content.count(b"\n")
    if not rows:
        return begin[0], begin[1] + len(content)
    return begin[0] + rows, len(content) - content.rfind(b"\n") - 1


def n_characters(content: bytes, n_bytes: int) -> int:
    return len(content[:n_bytes].decode("utf-8", "surrogatepass"))


def encode_text(text: str) -> bytes:
    """A text for tree-sitter, which ends lines at LF only: a CR alone is one, in as many bytes."""
    if "\r" in text:
        text = LONE_CR.sub("\n", text)
    return text.encode("utf-8", "surrogatepass")


@cache
def parser(known_language: KnownLanguage) -> tree_sitter.Parser:
    grammar = getattr(import_module(known_language.tree_sitter), known_language.tree_sitter_function)
    return tree_sitter.Parser(tree_sitter.Language(grammar()))
