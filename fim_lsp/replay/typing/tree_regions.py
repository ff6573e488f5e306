"""The regions of a file that may be typed again, by its syntax tree, for all languages except Python, which
has a parser of its own (`regions.py` has the kinds). The table of languages says what a block is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from random import Random

import tree_sitter

from fim_lsp.dialects import read_as
from fim_lsp.document.syntax import character_places, parser
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.positions import Lines
from fim_lsp.replay.typing.parsing import parses
from fim_lsp.replay.typing.regions import BEGUN, LONGEST, NAME_LENGTH, SHORTEST, Kind, Span

# Nodes that are one symbol, whatever is in them.
WHOLE = ("string", "comment", "regex", "rune", "char")
NAME = re.compile(rf"[^\W\d][\w$]{{{NAME_LENGTH - 1},}}")
WORD = re.compile(r"\s*\S+")
# The signs in front of the words of a comment's line.
SIGN = re.compile(r"[ \t]*(?://+|/\*+|#+|\*+(?!/)|)[ \t]*")
BRACKETS = {"(": ")", "[": "]", "{": "}"}
ENDS = (";", ",")


class TreeAnatomy:
    """A text's statements, bodies, symbols and prose, found once for all its regions."""

    def __init__(self, text: str, known_language: KnownLanguage) -> None:
        self.text = text
        self.known_language = read_as(known_language, text)
        self.lines = Lines(text)
        self.statements: list[Span] = []
        self.bodies: list[Span] = []
        self.names: list[Span] = []
        self.symbols: list[Span] = []
        self.comments: list[Span] = []
        self.brackets: list[Span] = []
        self.parses = self.is_parsed(text)
        if self.parses:
            content = text.encode("utf-8", "surrogatepass")
            self._is_ascii = len(content) == len(text)
            self._walk(parser(self.known_language).parse(content).root_node)
            self.statements.sort(key=lambda span: (span.start, span.stop))
            self.bodies.sort(key=lambda span: (span.start, span.stop))

    def is_parsed(self, text: str) -> bool:
        return parses(text, self.known_language)

    def spans(self, kind: Kind, random: Random) -> list[Span]:
        """The spans that could be a region of a kind, in the order of the text."""
        match kind:
            case "statement" | "broken":
                found = self.statements if self.parses else list(self._code_lines())
            case "body":
                found = self.bodies
            case "rest":
                found = list(self._cuts(random, self.symbols))
            case "name":
                found = [
                    Span(span.start + random.randint(1, BEGUN), span.stop)
                    for span in self._cuts(random, self.names)
                ]
            case "bracket":
                found = self.brackets
            case "prose":
                found = list(self._prose())
        return [span for span in found if SHORTEST <= span.stop - span.start <= LONGEST[kind]]

    @cached_property
    def _places(self) -> list[int]:
        return character_places(self.text)

    def _span(self, first: tree_sitter.Node, last: tree_sitter.Node | None = None) -> Span:
        start, stop = first.start_byte, (last or first).end_byte
        return Span(start, stop) if self._is_ascii else Span(self._places[start], self._places[stop])

    def _walk(self, root: tree_sitter.Node) -> None:
        pending = [root]
        openers: list[tuple[str, Span, bool]] = []
        while pending:
            node = pending.pop()
            if node.type in self.known_language.block_nodes:
                self._block(node)
            is_whole = any(part in node.type for part in WHOLE)
            if node.children and not is_whole:
                pending += reversed(node.children)
                continue
            span = self._span(node)
            if "comment" in node.type:
                self.comments.append(span)
            elif span.stop > span.start:
                self._symbol(node, span, openers)

    def _symbol(self, node: tree_sitter.Node, span: Span, openers: list[tuple[str, Span, bool]]) -> None:
        sign = self.text[span.start : span.stop]
        self.symbols.append(span)
        if node.is_named and NAME.fullmatch(sign):
            self.names.append(span)
        if sign in BRACKETS:
            is_block = node.parent is not None and node.parent.type in self.known_language.block_nodes
            openers.append((BRACKETS[sign], span, is_block))
        elif openers and sign == openers[-1][0]:
            _, opener, is_block = openers.pop()
            if not is_block:
                self.brackets.append(Span(opener.stop, span.start))

    def _block(self, node: tree_sitter.Node) -> None:
        skipped = ("comment", "key")
        children = [
            child
            for child in node.named_children
            if child.type not in self.known_language.block_nodes
            and not any(part in child.type for part in skipped)
        ]
        for child in children:
            span = self._statement(child)
            if span is not None and self._is_alone(span):
                self.statements.append(span)
        if children and node.parent is not None:
            body = Span(self._span(children[0]).start, self._statement_end(children[-1]))
            if self._is_alone(body):
                self.bodies.append(body)

    def _statement(self, node: tree_sitter.Node) -> Span | None:
        """The span of a statement; of one with a block of several lines, its header."""
        span = Span(self._span(node).start, self._statement_end(node))
        block = first_block(node, self.known_language.block_nodes)
        if block is None or block.start_point.row == block.end_point.row:
            return span
        start = self._span(block).start
        opener = self.text[start : start + 1]
        return Span(span.start, start + 1) if opener in BRACKETS else None

    def _statement_end(self, node: tree_sitter.Node) -> int:
        """The end of a statement, with the sign beside it that ends it, if there is one."""
        behind = node.next_sibling
        is_ended = behind is not None and behind.type in ENDS and behind.start_byte == node.end_byte
        return self._span(behind if is_ended and behind is not None else node).stop

    def _is_alone(self, span: Span) -> bool:
        """Whether a statement stands alone in its first and last line."""
        first, last = self.lines.line_at(span.start), self.lines.line_at(span.stop)
        before = self.text[self.lines.starts[first] : span.start]
        behind = self.lines.content(last)[span.stop - self.lines.starts[last] :]
        return not before.strip() and not behind.strip()

    def _cuts(self, random: Random, wanted: list[Span]) -> Iterator[Span]:
        """The spans from one of the wanted symbols inside each statement to its end."""
        place = 0
        for span in self.statements:
            while place < len(wanted) and wanted[place].start <= span.start:
                place += 1
            stop = place
            while stop < len(wanted) and wanted[stop].stop <= span.stop:
                stop += 1
            if stop > place:
                yield Span(random.choice(wanted[place:stop]).start, span.stop)

    def _prose(self) -> Iterator[Span]:
        """The spans behind the first word of a line of a comment."""
        for span in self.comments:
            place = span.start
            for line in self.text[span.start : span.stop].split("\n"):
                sign = SIGN.match(line)
                content = line.rstrip().removesuffix("*/").rstrip()
                word = WORD.match(content, sign.end() if sign else 0)
                if word is not None:
                    yield Span(place + word.end(), place + len(content))
                place += len(line) + 1

    def _code_lines(self) -> Iterator[Span]:
        for number, start in enumerate(self.lines.starts):
            line = self.lines.content(number)
            code = line.strip()
            if code and not (
                self.known_language.line_comment and code.startswith(self.known_language.line_comment)
            ):
                begin = start + line.index(code)
                yield Span(begin, begin + len(code))


def first_block(node: tree_sitter.Node, blocks: frozenset[str]) -> tree_sitter.Node | None:
    """The first block within a node, in the order of the text."""
    pending = list(reversed(node.children))
    while pending:
        child = pending.pop()
        if child.type in blocks:
            return child
        pending += reversed(child.children)
    return None
