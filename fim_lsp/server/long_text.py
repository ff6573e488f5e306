"""The text of a document that is too long to be completed, in a form in which an edit is cheap.

Clients send only edits, so the text must be kept in case it becomes short enough. As one string, a keystroke
in 50 MB took 2.7 s: the text was copied, and each line's start moved. Here the text consists of pieces of
whole lines, and an edit replaces one piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fim_lsp.positions import LINE_END, Lines, Position, Units

PIECE_CHARACTERS = 1 << 15


@dataclass(frozen=True, slots=True)
class LinesPiece:
    """A piece of whole lines. All but the last piece end with a line end, never between CR and LF."""

    text: str
    n_line_ends: int


class LongText:
    def __init__(self, text: str) -> None:
        self._pieces = list(pieces(text))
        self.n_characters = len(text)

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self._pieces)

    def edit(self, begin: Position, end: Position, new: str, units: Units) -> None:
        """Replaces the text between two positions."""
        end = max(begin, end, key=lambda position: (position.line, position.column))
        first, line = self._piece_of(begin.line)
        last, _ = self._piece_of(end.line)
        start = Lines(self._pieces[first].text).offset(Position(begin.line - line, begin.column), units)
        if start == 0 and first > 0:
            # A new LF may belong to the CR in front.
            first -= 1
            line -= self._pieces[first].n_line_ends
            start = len(self._pieces[first].text)
        old = "".join(piece.text for piece in self._pieces[first : last + 1])
        stop = max(start, Lines(old).offset(Position(end.line - line, end.column), units))
        self._pieces[first : last + 1] = pieces(old[:start] + new + old[stop:])
        self.n_characters += len(new) - (stop - start)

    def _piece_of(self, line: int) -> tuple[int, int]:
        """The piece with a line's beginning, and that piece's first line."""
        n_lines = 0
        for index, piece in enumerate(self._pieces):
            if line < n_lines + piece.n_line_ends:
                return index, n_lines
            n_lines += piece.n_line_ends
        last = len(self._pieces) - 1
        return last, n_lines - self._pieces[last].n_line_ends


def pieces(text: str) -> Iterator[LinesPiece]:
    """A text in pieces; an empty text has one."""
    start = 0
    while start < len(text) or start == 0:
        found = LINE_END.search(text, start + PIECE_CHARACTERS)
        stop = found.end() if found else len(text)
        part = text[start:stop]
        yield LinesPiece(part, part.count("\n") + part.count("\r") - part.count("\r\n"))
        if stop == len(text):
            break
        start = stop
