"""A line of a file with a caret under a place in it, for people at a terminal. The caret is a drawing: it
comes with colours, and goes with them."""

from __future__ import annotations

import unicodedata

from fim_lsp.positions import Lines
from fim_lsp.terminal import Palette

TAB = 4
# The width of the part that is shown of a longer line, with the place in it.
WIDTH = 100
BEFORE = 70


def snippet(lines: Lines, offset: int, palette: Palette) -> str:
    """Two lines, numbered as in the file; without colours the first alone:

    12 | x = (1, )]
       |          ^
    """
    position = lines.position(offset)
    content = lines.content(position.line)
    start = max(position.column - BEFORE, 0)
    stop = start + WIDTH
    front = drawable_text(content[start : position.column])
    line = ("…" if start else "") + front + drawable_text(content[position.column : stop])
    if stop < len(content):
        line += "…"
    indent = " " * (width(front) + (1 if start else 0))
    number = f"{position.line + 1:4}"
    margins = palette.dim(f"{number} |"), palette.dim(f"{' ' * len(number)} |")
    shown = f"{margins[0]} {line.rstrip()}"
    return f"{shown}\n{margins[1]} {indent}{palette.bad('^')}" if palette.has_colours else shown


def drawable_text(text: str) -> str:
    """A text as it can be drawn: a tab as blanks, what has no shape as a dot."""
    spaced = text.replace("\t", " " * TAB)
    return "".join(sign if sign.isprintable() else "·" for sign in spaced)


def width(text: str) -> int:
    """Columns of a terminal: wide characters take two, marks above or below a letter none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )
