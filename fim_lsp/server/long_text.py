"""The text of a document that is too long to be completed, kept so that an edit costs next to nothing.

Clients send edits and never the text again, so it has to be known for the day when it is short enough. Kept
as one string, a keystroke in 50 MB took 2.7 s: the text was copied, and each line's beginning moved. Here
it lies in pieces of whole lines, of which an edit makes one anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fim_lsp.positions import LINE_END, Lines, Position, Units

PIECE_CHARACTERS = 1 << 15


@dataclass(frozen=True, slots=True)
class LinesPiece:
    """A piece of some lines. All but the last one end with a line end, none between a CR and its LF."""

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
        """Replaces what is between two positions."""
        end = max(begin, end, key=lambda position: (position.line, position.column))
        first, line = self._piece_of(begin.line)
        last, _ = self._piece_of(end.line)
        start = Lines(self._pieces[first].text).offset(Position(begin.line - line, begin.column), units)
        if start == 0 and first > 0:
            # A LF that comes here may belong to the CR in front.
            first -= 1
            line -= self._pieces[first].n_line_ends
            start = len(self._pieces[first].text)
        old = "".join(piece.text for piece in self._pieces[first : last + 1])
        stop = max(start, Lines(old).offset(Position(end.line - line, end.column), units))
        self._pieces[first : last + 1] = pieces(old[:start] + new + old[stop:])
        self.n_characters += len(new) - (stop - start)

    def _piece_of(self, line: int) -> tuple[int, int]:
        """The piece that a line begins in, and that piece's first line."""
        n_lines = 0
        for index, piece in enumerate(self._pieces):
            if line < n_lines + piece.n_line_ends:
                return index, n_lines
            n_lines += piece.n_line_ends
        last = len(self._pieces) - 1
        return last, n_lines - self._pieces[last].n_line_ends


def pieces(text: str) -> Iterator[LinesPiece]:
    """A text in pieces; an empty one has one, too."""
    start = 0
    while start < len(text) or start == 0:
        found = LINE_END.search(text, start + PIECE_CHARACTERS)
        stop = found.end() if found else len(text)
        part = text[start:stop]
        yield LinesPiece(part, part.count("\n") + part.count("\r") - part.count("\r\n"))
        if stop == len(text):
            break
        start = stop
