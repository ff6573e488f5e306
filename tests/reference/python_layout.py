"""A whole-text tokenizer with CPython's rules, for grammars with the layout `python`.

It follows CPython's own tokenizer line by line and avoids clever shortcuts: white space at the start of a
line, blank lines, brackets, continuations. An f-string is first one string and is then split, as in CPython
up to 3.11, which is why its own quote, `\\` and `#` are forbidden inside a field.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.reference.fstrings import FSTRING_START, fstring_end, fstring_symbols
from tests.reference.lexing import LexicalError, Terminals

MOST_BRACKETS = 200
MOST_INDENTS = 99
TAB_STOP = 8
PAIRS = {")": "(", "]": "[", "}": "{"}
Column = tuple[int, int]
"""A column with tab stops of 8 and of 1: lines must compare alike in both."""


def source_lines(text: str, completes_crlf: bool) -> str:
    """A text as CPython's tokenizer reads it, with the same end for all lines.

    CPython adds a missing line end. Up to 3.11 it adds one behind a final CR LF, too, so a backslash may
    stand there, but not in front of a final LF or CR.
    """
    if "\0" in text:
        raise LexicalError("a null character")
    if not text.endswith(("\n", "\r")) or (completes_crlf and text.endswith("\r\n")):
        text += "\n"
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Lines:
    """A text and the place of reading. `symbols` raises LexicalError where CPython's tokenizer refuses the
    text."""

    def __init__(self, terminals: Terminals, text: str) -> None:
        self.terminals = terminals
        self.text = text
        self.position = 0
        self.indents: list[Column] = [(0, 0)]
        self.brackets: list[str] = []

    def symbols(self) -> Iterator[str]:
        is_line_start = True
        is_blank = False
        while True:
            if is_line_start:
                column = self.skip_indentation()
                is_blank = self.text.startswith(("#", "\n"), self.position)
                if not is_blank and not self.brackets:
                    yield from self.changed_indentation(column)
                is_line_start = False
            self.skip_spaces()
            if self.position == len(self.text):
                if self.brackets:
                    raise LexicalError("the end of the text inside brackets")
                return
            character = self.text[self.position]
            if character == "#":
                self.position = self.text.index("\n", self.position)
            elif character == "\n":
                self.position += 1
                if not is_blank and not self.brackets:
                    yield "NEWLINE"
                is_line_start = True
            elif character == "\\":
                self.skip_continuation()
            else:
                yield from self.symbols_here()

    def skip_spaces(self) -> None:
        while self.text.startswith((" ", "\t", "\f"), self.position):
            self.position += 1

    def skip_continuation(self) -> None:
        if not self.text.startswith("\\\n", self.position):
            raise LexicalError("a backslash that does not end its line")
        self.position += 2
        if self.position == len(self.text):
            raise LexicalError("a continuation at the end of the text")

    def skip_indentation(self) -> Column:
        """The column of the line that starts here; a `\\` in it fixes the column at once."""
        column, narrow_column, continued_column = 0, 0, 0
        while self.position < len(self.text):
            match self.text[self.position]:
                case " ":
                    column, narrow_column = column + 1, narrow_column + 1
                case "\t":
                    column, narrow_column = (column // TAB_STOP + 1) * TAB_STOP, narrow_column + 1
                case "\f":
                    column, narrow_column = 0, 0
                case "\\":
                    continued_column = continued_column or column
                    self.skip_continuation()
                    continue
                case _:
                    break
            self.position += 1
        return (continued_column, continued_column) if continued_column else (column, narrow_column)

    def changed_indentation(self, column: Column) -> Iterator[str]:
        if column[0] > self.indents[-1][0]:
            if column[1] <= self.indents[-1][1] or len(self.indents) > MOST_INDENTS:
                raise LexicalError("indentation")
            self.indents.append(column)
            yield "INDENT"
            return
        while column[0] < self.indents[-1][0]:
            self.indents.pop()
            yield "DEDENT"
        if column != self.indents[-1]:
            raise LexicalError("a dedent to a column that no block has")

    def symbols_here(self) -> Iterator[str]:
        start = self.position
        if FSTRING_START.match(self.text, start):
            self.position = fstring_end(self.text, start)
            yield from fstring_symbols(self.text[start : self.position], self.field_symbols)
            return
        symbols, self.position = self.terminals.symbols_at(self.text, start)
        self.match_brackets(symbols[0])
        yield from symbols

    def match_brackets(self, symbol: str) -> None:
        if symbol in PAIRS.values():
            if len(self.brackets) == MOST_BRACKETS:
                raise LexicalError("too many brackets")
            self.brackets.append(symbol)
        elif symbol in PAIRS and (not self.brackets or self.brackets.pop() != PAIRS[symbol]):
            raise LexicalError("brackets that do not match")

    def field_symbols(self, expression: str) -> list[str]:
        """The symbols of an f-string's field, which CPython reads as a text in brackets."""
        symbols = list(Lines(self.terminals, f"({expression})\n").symbols())
        return symbols[1:-2]
