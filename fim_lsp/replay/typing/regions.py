"""The regions that may be taken out of a file and typed again, one kind after the other.

    statement   a statement in a line of its own, or the header of a block
    rest        a statement from one of its symbols on
    name        a statement from the middle of one of its names on
    bracket     what stands in a bracket, its closer being there already
    body        what stands in a function, a class or a loop, docstrings aside
    broken      a statement, in a file that does not parse because of another line
    prose       a line's rest in a comment or in a docstring

A file that does not parse has regions of the kind `broken` alone: its own lines.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from keyword import iskeyword
from random import Random
from typing import Literal, Protocol

from fim_lsp.positions import Lines
from fim_lsp.replay.cuts import Symbol, symbols
from fim_lsp.replay.typing.new_lines import IsNew
from fim_lsp.replay.typing.parsing import parsed_module

Kind = Literal["statement", "rest", "name", "bracket", "body", "broken", "prose"]
KINDS: tuple[Kind, ...] = ("statement", "rest", "name", "bracket", "body", "broken", "prose")
# Shorter regions leave nothing to save, longer ones would outweigh the others.
SHORTEST = 6
LONGEST: dict[Kind, int] = {
    "statement": 200,
    "rest": 160,
    "name": 160,
    "bracket": 160,
    "body": 300,
    "broken": 200,
    "prose": 100,
}
# The characters of a name that are there already, and the least length of one.
BEGUN, NAME_LENGTH = 3, 5
# The distance of the line that breaks a file, in lines.
NEAREST_FAULT, FARTHEST_FAULT = 3, 40
N_FAULTS_TRIED = 8
# Lines of comments at the end of a text.
COMMENTS = re.compile(r"(\n[ \t\f]*(#[^\n]*)?)+$")
SPOILT = re.compile(r"[)\]}:]|(?<=[\w)])\s*=\s*(?=\w)")


@dataclass(frozen=True, slots=True)
class Span:
    """The characters from `start` to `stop`."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a text that is to be typed again. If the file was spoilt, `text` is the spoilt text, and
    `place` is where the region began in the original."""

    kind: Kind
    text: str
    start: int
    stop: int
    place: int

    @property
    def typed(self) -> str:
        return self.text[self.start : self.stop]


class Anatomy:
    """A text's statements, bodies, symbols and prose, found once for all its regions."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = Lines(text)
        tree = parsed_module(text)
        self.parses = tree is not None
        self.statements: list[Span] = []
        self.bodies: list[Span] = []
        self._symbols: list[Symbol] | None = None
        self._docstrings: list[Span] = []
        if tree is not None:
            self._walk(tree)

    def is_parsed(self, text: str) -> bool:
        return parsed_module(text) is not None

    @property
    def symbols(self) -> list[Symbol]:
        if self._symbols is None:
            self._symbols = symbols(self.text)
        return self._symbols

    def spans(self, kind: Kind, random: Random) -> list[Span]:
        """The spans that could be a region of a kind, in the order of the text."""
        match kind:
            case "statement" | "broken":
                found = list(self.statements if self.parses else self._lines())
            case "body":
                found = self.bodies
            case "rest":
                found = [Span(at, span.stop) for span, at in self._cuts(random, self._is_inside)]
            case "name":
                found = [
                    Span(at + random.randint(1, BEGUN), span.stop)
                    for span, at in self._cuts(random, self._is_name)
                ]
            case "bracket":
                found = list(self._brackets())
            case "prose":
                found = list(self._prose())
        longest = LONGEST[kind]
        return [span for span in found if SHORTEST <= span.stop - span.start <= longest]

    def _walk(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            for _, children in ast.iter_fields(node):
                if isinstance(children, list) and children and isinstance(children[0], ast.stmt):
                    self._block(node, children)
        self.statements.sort(key=lambda span: span.start)
        self.bodies.sort(key=lambda span: span.start)

    def _block(self, parent: ast.AST, children: list[ast.stmt]) -> None:
        if is_docstring(children[0]) and isinstance(
            parent, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ):
            self._docstrings.append(self._span(children[0]))
            children = children[1:]
        if not children:
            return
        for child in children:
            span = self._header(child)
            if span is not None and self._is_alone(span):
                self.statements.append(span)
        body = Span(self._beginning(children[0]), self._span(children[-1]).stop)
        is_elif = self.text.startswith("elif", body.start)
        if not isinstance(parent, ast.Module) and not is_elif and self._is_alone(body):
            self.bodies.append(body)

    def _beginning(self, node: ast.stmt) -> int:
        """The beginning of a statement, its decorators included."""
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        if not decorators:
            return self._span(node).start
        line = self.lines.starts[decorators[0].lineno - 1]
        return self.text.index("@", line)

    def _header(self, node: ast.stmt) -> Span | None:
        """A simple statement, or that of a block up to its colon."""
        span = self._span(node)
        body: list[ast.stmt] | None = getattr(node, "body", None)
        if isinstance(node, ast.Match):
            block = self.lines.starts[node.cases[0].pattern.lineno - 1]
        elif body:
            block = self.lines.starts[self.lines.line_at(self._beginning(body[0]))]
        else:
            return span
        # Comments may stand between a header and its block, and a block in the header's own line.
        head = COMMENTS.sub("", self.text[span.start : block]).rstrip()
        return Span(span.start, span.start + len(head)) if head.endswith(":") else None

    def _span(self, node: ast.stmt) -> Span:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return Span(
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno, node.end_col_offset),
        )

    def _offset(self, line: int, column: int) -> int:
        """`ast` counts the bytes of a line's UTF-8."""
        content = self.lines.content(line - 1)
        if not content.isascii():
            column = len(content.encode()[:column].decode(errors="ignore"))
        return self.lines.starts[line - 1] + column

    def _is_alone(self, span: Span) -> bool:
        """Whether a statement stands alone in its first and last line."""
        first, last = self.lines.line_at(span.start), self.lines.line_at(span.stop)
        before = self.text[self.lines.starts[first] : span.start]
        behind = self.lines.content(last)[span.stop - self.lines.starts[last] :]
        return not before.strip(" \t\f") and not behind.strip(" \t\f")

    def _cuts(self, random: Random, is_wanted: object) -> Iterator[tuple[Span, int]]:
        """The cuts of each statement that has any: the start of one of the wanted symbols in it."""
        assert callable(is_wanted)
        symbols, place = self.symbols, 0
        for span in self.statements:
            while place < len(symbols) and symbols[place].start < span.start:
                place += 1
            stop = place
            while stop < len(symbols) and symbols[stop].stop <= span.stop:
                stop += 1
            wanted = [symbol.start for symbol in symbols[place:stop] if is_wanted(span, symbol)]
            if wanted:
                yield span, random.choice(wanted)

    def _is_inside(self, span: Span, symbol: Symbol) -> bool:
        return symbol.start > span.start and symbol.kind != tokenize.COMMENT

    def _is_name(self, _span: Span, symbol: Symbol) -> bool:
        name = self.text[symbol.start : symbol.stop]
        return symbol.kind == tokenize.NAME and len(name) >= NAME_LENGTH and not iskeyword(name)

    def _brackets(self) -> Iterator[Span]:
        """The spans between an opener and its closer."""
        if not self.parses:
            return
        openers: list[Symbol] = []
        for symbol in self.symbols:
            if symbol.kind != tokenize.OP:
                continue
            sign = self.text[symbol.start : symbol.stop]
            if sign in ("(", "[", "{"):
                openers.append(symbol)
            elif sign in (")", "]", "}") and openers:
                yield Span(openers.pop().stop, symbol.start)

    def _prose(self) -> Iterator[Span]:
        """The spans behind the first word of a comment, or of a line of a docstring."""
        comments = (
            Span(symbol.start + 1, symbol.stop) for symbol in self.symbols if symbol.kind == tokenize.COMMENT
        )
        for span in (*comments, *self._docstring_lines()):
            word = re.compile(r"\s*\S+").match(self.text, span.start, span.stop)
            if word is not None:
                yield Span(word.end(), span.stop)

    def _docstring_lines(self) -> Iterator[Span]:
        for span in self._docstrings:
            first, last = self.lines.line_at(span.start), self.lines.line_at(span.stop)
            for line in range(first + 1, last):
                start, content = self.lines.starts[line], self.lines.content(line)
                yield Span(start, start + len(content.rstrip()))

    def _lines(self) -> Iterator[Span]:
        for start, following in pairwise((*self.lines.starts, len(self.text))):
            line = self.text[start:following]
            code = line.strip()
            if code and not code.startswith("#"):
                begin = start + line.index(code)
                yield Span(begin, begin + len(code))


def is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


class Takeable(Protocol):
    """A text of any language, and the spans that may be cut out of it."""

    text: str
    lines: Lines
    parses: bool

    def spans(self, kind: Kind, random: Random) -> list[Span]:
        """The spans that could be a region of a kind, in the order of the text."""

    def is_parsed(self, text: str) -> bool:
        """Whether another text of the language parses."""


def region_of(
    anatomy: Takeable, kind: Kind, random: Random, taken: set[int], is_new: IsNew | None = None
) -> Region | None:
    """A region of a kind that begins where none has begun yet; None if the file has none, or no new one if
    that is asked for."""
    spans = [span for span in anatomy.spans(kind, random) if span.start not in taken]
    if is_new is not None:
        spans = [span for span in spans if is_new(anatomy.text, span.start, span.stop)]
    if not spans:
        return None
    span = random.choice(spans)
    region = Region(kind, anatomy.text, span.start, span.stop, span.start)
    return spoilt_region(anatomy, region, random) if kind == "broken" and anatomy.parses else region


def spoilt_region(anatomy: Takeable, region: Region, random: Random) -> Region | None:
    """The region in a text from which a sign in another line nearby was removed; None if that text parses."""
    text, lines = anatomy.text, anatomy.lines
    first, last = lines.line_at(region.start), lines.line_at(region.stop)
    near = [
        line
        for line in range(max(first - FARTHEST_FAULT, 0), min(last + FARTHEST_FAULT, len(lines.starts)))
        if not first - NEAREST_FAULT < line < last + NEAREST_FAULT
    ]
    signs = [
        Span(lines.starts[line] + found.start(), lines.starts[line] + found.end())
        for line in near
        for found in SPOILT.finditer(lines.content(line))
    ]
    for sign in random.sample(signs, min(N_FAULTS_TRIED, len(signs))):
        worse = text[: sign.start] + text[sign.stop :]
        if not anatomy.is_parsed(worse):
            shift = sign.stop - sign.start if sign.start < region.start else 0
            return Region("broken", worse, region.start - shift, region.stop - shift, region.start)
    return None
