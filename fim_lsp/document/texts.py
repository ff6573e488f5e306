"""A document as the worker keeps it: its text, the engine's charts, tree-sitter's tree, and the parts that
stand in for it.

All of them follow edits, so a keystroke costs what it changed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from fim_lsp.dialects import may_turn, read_as
from fim_lsp.document.code_lines import CodeLines
from fim_lsp.document.hole import Hole
from fim_lsp.document.indentation import MAX_LINES, Style, style_of
from fim_lsp.document.repair import Repair, Repaired
from fim_lsp.document.sent import Indentation, SentEdit, SentText
from fim_lsp.document.syntax import SyntaxFault, SyntaxTree
from fim_lsp.known_languages import PYTHON, KnownLanguage, language_named
from fim_lsp.positions import Lines
from quotient import Document, Language, NoCompletion

QUOTES = re.compile("[\"']")
MAX_LINES_AROUND = 200
# The bytes of tree-sitter's trees per character: 4.3 MB each for a file of 229,000, where they share nothing.
TREE_BYTES = 40
# A byte order mark is no part of the program in a file, and a character in a text that an editor sends. White
# space stands in for it, so offsets stay what they are: a form feed for Python, which passes over that where
# a line begins.
MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text and its tree."""

    text: str
    tree: SyntaxTree


class WorkerText:
    """A document, at one serial of the server's counting."""

    def __init__(self, text: SentText, whole: str) -> None:
        self.uri = text.uri
        self.serial = text.serial
        self.known_language = read_as(language_named(text.language), whole)
        self.versions = text.versions
        self.above = text.above
        self.elsewhere = text.elsewhere
        self.is_marked = whole.startswith(MARK)
        self.lines = Lines(self.stand_in + whole[1:] if self.is_marked else whole)
        self.language = Language.load(
            self.known_language.name, version=self.versions.get(self.known_language.name)
        )
        self.engine: Document = self.language.document(self.text)
        # The text with erroneous statements set aside, where that was needed.
        self.repair = Repair(self.language)
        # The style of the document, and the lines that show it.
        self._style: tuple[str, Style] | None = None

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def code(self) -> CodeLines:
        """The lines, each of which knows what it is."""
        return CodeLines(self.lines, self.known_language)

    @cached_property
    def tree(self) -> SyntaxTree:
        return SyntaxTree(self.text, self.known_language)

    def snapshot(self) -> WorkerText:
        """The present text and its tree, for code that works on while the text is edited.
        Questions to the engine have to be asked before."""
        text = copy(self)
        if "tree" in self.__dict__:
            text.tree = copy(self.tree)
        return text

    @property
    def stand_in(self) -> str:
        """The character in the place of a byte order mark."""
        return "\f" if self.known_language is PYTHON else " "

    def is_comment(self, offset: int) -> bool:
        """Whether an offset is in a comment. The tree is asked only where one may have begun."""
        sign = self.known_language.line_comment
        start = self.lines.starts[bisect_right(self.lines.starts, offset) - 1]
        may_be = bool(sign) and sign in self.text[start:offset]
        if sign == "//":
            may_be = may_be or self.text.rfind("/*", 0, offset) >= 0
        if not may_be:
            return False
        part, first = self.part(offset, offset)
        return part.tree.is_comment(part.text, offset - first)

    def is_docstring(self, offset: int) -> bool:
        """Whether an offset is in a docstring. The tree is asked only where quotes stand in front of it."""
        if self.known_language is not PYTHON:
            return False
        if QUOTES.search(self.text, 0, offset) is None:
            return False
        part, first = self.part(offset, offset)
        return part.tree.is_docstring(part.text, offset - first)

    def is_worse_with(self, start: int, stop: int, new: str) -> bool:
        """Whether tree-sitter would find more faults with a text than without it."""
        part, first = self.part(start, stop)
        return part.tree.is_worse_with(part.text, start - first, stop - first, new)

    def part(self, start: int, stop: int) -> tuple[ParsedText, int]:
        """The text whose tree is asked about a place, and where it begins: the whole text, and 0; in a long
        one that is broken, the function around the place, and its offset."""
        if self.tree.is_certain:
            return ParsedText(self.text, self.tree), 0
        first, last, opened = self.surroundings(start, stop)
        text = opened + self.text[first:last]
        return ParsedText(text, SyntaxTree(text, self.known_language)), first - len(opened)

    def repaired_hole(self, hole: Hole, refusal: NoCompletion | None, seconds: float) -> Repaired | None:
        """A hole with broken code elsewhere set aside; None if that does not help. `refusal` is why the
        engine refuses the present file."""
        return self.repair.without_errors(self.code, hole, refusal, self.faults, seconds)

    def finished_hole(self, hole: Hole) -> Repaired | None:
        """A hole inside an unfinished `try`, with the clause that it lacks; None elsewhere."""
        return self.repair.with_clauses(self.code, hole)

    def faults(self) -> list[SyntaxFault]:
        """The faults that tree-sitter finds in the file."""
        return self.tree.faults(self.text)

    def surroundings(self, start: int, stop: int) -> tuple[int, int, str]:
        """The function around two offsets, or some lines: offsets, and the header of a block to stand in."""
        lines, starts, n_lines = self.code, self.lines.starts, len(self.lines.starts)
        first = bisect_right(starts, start) - 1
        last = bisect_right(starts, stop)
        top = max(first - MAX_LINES_AROUND, 0)
        while first > top and lines[first].definition is None:
            first -= 1
        column = lines[first].column
        bottom = min(last + MAX_LINES_AROUND, n_lines)
        while last < bottom and ((line := lines[last]).is_blank or line.column > column):
            last += 1
        end = starts[last] if last < n_lines else len(self.text)
        return starts[first], end, self.known_language.frame[0] if column else ""

    def style(self, wished: Indentation | None) -> Style:
        """The style of the document's first lines as they are now."""
        starts = self.lines.starts
        first = self.text if len(starts) <= MAX_LINES else self.text[: starts[MAX_LINES]]
        if self._style is None or self._style[0] != first:
            self._style = first, style_of(first, self.known_language)
        style = self._style[1]
        return style if wished is None else Style(wished.unit, style.line_end)

    @property
    def memory(self) -> int:
        """Bytes, roughly: the charts, the tree, and the text as three parties hold it."""
        charts = self.engine.memory + self.repair.memory
        return charts + self.tree_bytes + 4 * len(self.text)

    @property
    def tree_bytes(self) -> int:
        return TREE_BYTES * len(self.text) if "tree" in self.__dict__ else 0

    def keep_within(self, chart_bytes: int) -> None:
        """Makes the charts anew when they take too much: they grow with every text that they have seen. A
        tree that takes too much is not kept."""
        if self.tree_bytes > chart_bytes:
            del self.tree
        if self.engine.memory > chart_bytes:
            self.engine = self.language.document(self.text)
        self.repair.keep_within(chart_bytes)

    def edit(self, edit: SentEdit) -> None:
        edit = self._with_mark(edit)
        if "tree" in self.__dict__:
            self.tree.edit(self.text, edit.start, edit.stop, edit.new)
        self.repair.edit(edit)
        self.lines = self.lines.with_edit(edit.start, edit.stop, edit.new)
        self.engine.edit(edit.start, edit.stop, edit.new)
        if may_turn(self.known_language, self.text, edit.start, edit.start + len(edit.new)):
            self._turn(read_as(self.known_language, self.text))

    def _turn(self, known_language: KnownLanguage) -> None:
        """Reads the text as one of another language from now on."""
        if known_language is not self.known_language:
            self.known_language = known_language
            self.language = Language.load(known_language.name)
            self.engine = self.language.document(self.text)
            self.repair = Repair(self.language)
            self._style = None
            self.__dict__.pop("tree", None)

    def _with_mark(self, edit: SentEdit) -> SentEdit:
        """The edit as it is here, where a byte order mark is one at the beginning of the text alone."""
        start, stop, new = edit.start, edit.stop, edit.new
        if start or not (stop or new):
            return edit
        if self.is_marked and not stop:
            stop, new = 1, new + MARK
        elif not new and self.text.startswith(MARK, stop):
            stop, new = stop + 1, MARK
        self.is_marked = new.startswith(MARK)
        return SentEdit(0, stop, self.stand_in + new[1:] if self.is_marked else new)
