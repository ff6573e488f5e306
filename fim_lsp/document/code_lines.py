"""The lines of a source file, and the kind of each, as far as the line alone tells: blank, a block's header,
a line that leaves a bracket open.

A line knows its language. Strings are not considered, so a line may be in the middle of one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.positions import Lines

INDENTATION = re.compile(r"[ \t\f]*")
FIRST_WORD = re.compile(r"[ \t\f]*(\w+)?")
# CPython's, which says in which column a statement is.
TAB = 8
OPENERS, CLOSERS = ("(", "[", "{"), (")", "]", "}")
# A block that is longer is taken for one.
MAX_BLOCK_LINES = 200
# Lines that begin with these open a block even where the colon is missing.
COMPOUND = {
    "async",
    "def",
    "class",
    "for",
    "while",
    "with",
    "if",
    "elif",
    "else",
    "try",
    "except",
    "finally",
    "match",
    "case",
}


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line, with or without what ends it."""

    text: str
    known_language: KnownLanguage = PYTHON

    @property
    def is_blank(self) -> bool:
        """Whether it has no symbol."""
        content, known_language = self.text.strip(), self.known_language
        if known_language.has_suites or not known_language.line_comment:
            return not content or (known_language.has_suites and content.startswith("#"))
        return not content or content.startswith((known_language.line_comment, "/*", "*/", "* "))

    @property
    def indentation(self) -> str:
        return indentation(self.text)

    @property
    def column(self) -> int:
        return column_of(self.text)

    @property
    def first_word(self) -> str:
        word = FIRST_WORD.match(self.text)
        return word[1] if word and word[1] else ""

    @property
    def line_end(self) -> str:
        return self.text[len(self.text.rstrip("\r\n")) :]

    @property
    def ends_with_colon(self) -> bool:
        return self.text.rstrip().endswith(":")

    @property
    def ends_with_opener(self) -> bool:
        return self.text.rstrip().endswith(OPENERS)

    @property
    def begins_with_closer(self) -> bool:
        return self.text.lstrip().startswith(CLOSERS)

    @property
    def is_header(self) -> bool:
        """Whether it begins a suite of Python."""
        return self.ends_with_colon or self.first_word in COMPOUND

    @property
    def definition(self) -> re.Match[str] | None:
        """The header of what may enclose a hole, in the first group."""
        return self.known_language.definition.match(self.text.rstrip("\r\n"))

    @property
    def opens(self) -> bool:
        """Whether it is a header, or leaves a bracket open."""
        code = CodeLine(self.without_comment, self.known_language)
        n_open = sum(map(code.text.count, OPENERS)) - sum(map(code.text.count, CLOSERS))
        return n_open > 0 or (self.known_language.has_suites and code.is_header) or code.begins_with_closer

    @property
    def without_comment(self) -> str:
        return (
            self.text.partition(self.known_language.line_comment)[0]
            if self.known_language.line_comment
            else self.text
        )


@dataclass(frozen=True, slots=True)
class CodeLines:
    """The lines of a text in a language."""

    lines: Lines
    known_language: KnownLanguage = PYTHON

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, index: int) -> CodeLine:
        return CodeLine(self.lines[index], self.known_language)

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def starts(self) -> tuple[int, ...]:
        return self.lines.starts

    def line_at(self, offset: int) -> int:
        """The line that an offset is in."""
        return self.lines.line_at(offset)

    def is_whole_block(self, index: int, column: int, first: int) -> bool:
        """Whether what is deeper than a line begins in one column, as the block of a header does: what stands
        from another line on.

            def area(self):         `def (:` was begun in the middle of a method. What is behind it is no
                side = self.a       block of its own, since it goes back to a column in between.
        def (:
                return side ** 2
            def perimeter(self):
        """
        here = self[index].column
        text, starts, margin = self.text, self.starts, " " * column
        for number in range(first, min(first + MAX_BLOCK_LINES, len(self))):
            # Most lines: they are not left of the column.
            if text.startswith(margin, starts[number]):
                continue
            line = self[number]
            if not line.is_blank and line.column < column:
                return line.column <= here
        return True


def indentation(line: str) -> str:
    found = INDENTATION.match(line)
    return found[0] if found else ""


def column_of(line: str, tab: int = TAB) -> int:
    """The column behind a line's white space."""
    return len(indentation(line).expandtabs(tab))
