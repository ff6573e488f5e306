"""Lines and columns of a text, in the units that editors and people count in.

The one place where positions are converted. Offsets are indices into a `str`. Lines end at LF, CR LF and CR
and nowhere else, as LSP and Python say. `str.splitlines` also breaks at form feeds, U+2028 and others, which
would shift every position behind one:

    class Page:\\n    \\f\\n    number = 0
                                    ^ line 2 for an editor, line 3 for str.splitlines
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Literal

LINE_END = re.compile(r"\r\n|\n|\r")


def first_line(text: str) -> str:
    """The text up to its first line end, without a copy of the rest."""
    end = LINE_END.search(text)
    return text if end is None else text[: end.start()]


def last_line(text: str) -> str:
    """The text behind its last line end."""
    return text[max(text.rfind("\n"), text.rfind("\r")) + 1 :]


def lines_of(text: str) -> list[str]:
    """The lines of a text without their ends."""
    lines = LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def with_line_feeds(text: str) -> str:
    """A text in which all lines end at LF, as memory and models see it."""
    return LINE_END.sub("\n", text) if "\r" in text else text


def with_line_ends_of(file: str, text: str) -> str:
    """A text for a file: where all of its lines end at CRLF, the text's do, too."""
    return LINE_END.sub("\r\n", text) if set(LINE_END.findall(file)) == {"\r\n"} else text


# The unit of a column: bytes, 16-bit units, or characters.
Units = Literal["utf-8", "utf-16", "utf-32"]


@dataclass(frozen=True, slots=True)
class Position:
    """A place between two characters; line and column count from 0."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Lines:
    """A text and where its lines start, found once."""

    text: str
    # Offsets of the first character of each line. Never empty: the empty text has one empty line. A caller
    # that knows them already, as `with_edit` does, passes them.
    starts: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        if not self.starts:
            object.__setattr__(self, "starts", (0, *line_starts(self.text, 0, len(self.text))))

    def with_edit(self, start: int, stop: int, new: str) -> Lines:
        """The lines after a replacement. Only lines that it touches are searched for their ends again.

        The line in front of the edit is one of them: it may end with a CR that a new LF belongs to.
        """
        text = self.text[:start] + new + self.text[stop:]
        first = bisect_right(self.starts, max(start - 1, 0)) - 1
        behind = bisect_right(self.starts, stop)
        shift = len(new) - (stop - start)
        until = self.starts[behind] + shift if behind < len(self.starts) else len(text)
        touched = line_starts(text, self.starts[first], until)
        moved = [start + shift for start in self.starts[behind + 1 :]]
        return Lines(text, (*self.starts[: first + 1], *touched, *moved))

    def content(self, line: int) -> str:
        """The characters of a line without the ones that end it."""
        return self[line].rstrip("\r\n")

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, line: int) -> str:
        """The characters of a line with the ones that end it."""
        stop = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[line] : stop]

    def line_at(self, offset: int) -> int:
        """The line that an offset is in."""
        return bisect_right(self.starts, offset) - 1

    def offset(self, position: Position, units: Units = "utf-32") -> int:
        """The offset of a position. Past the end of a line means its end, past the last line the text's end.

        LSP asks for that. A position inside a character means the place before that character.
        """
        if position.line >= len(self.starts):
            return len(self.text)
        content = self.content(position.line)
        return self.starts[position.line] + n_characters(content, position.column, units)

    def position(self, offset: int, units: Units = "utf-32") -> Position:
        """The position of an offset between 0 and the length of the text."""
        line = bisect_right(self.starts, offset) - 1
        return Position(line, n_units(self.text[self.starts[line] : offset], units))


def line_starts(text: str, start: int, stop: int) -> list[int]:
    """The starts of lines behind the line ends in a part of a text."""
    return [line_end.end() for line_end in LINE_END.finditer(text, start, stop)]


def n_units(text: str, units: Units) -> int:
    """The number of units that a text takes.

    A byte that is no UTF-8 is a surrogate here (`surrogateescape`). It is one byte, and editors that count in
    UTF-16 count it as one unit.
    """
    if units == "utf-32" or text.isascii():
        return len(text)
    if units == "utf-8":
        n_escaped = sum("\udc80" <= character <= "\udcff" for character in text)
        return len(text.encode("utf-8", "surrogatepass")) - 2 * n_escaped
    return len(text) + sum(character > "\uffff" for character in text)


def n_characters(content: str, column: int, units: Units) -> int:
    """The number of whole characters of a line's content that fit into `column` units."""
    if units == "utf-32" or content.isascii():
        return min(column, len(content))
    rest = column
    for count, character in enumerate(content):
        rest -= n_units(character, units)
        if rest < 0:
            return count
    return len(content)
