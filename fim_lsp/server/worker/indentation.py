"""The file's own way to indent and to end lines, and texts turned into it.

A model has its own habits: four spaces where a file has tabs or two. Python does not mind, people do.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from fim_lsp.positions import LINE_END
from fim_lsp.server.worker.mending import column_of, indentation, is_blank

DEFAULT_UNIT = "    "
# Enough to see a habit, and to see which blocks are open.
MAX_LINES = 2_000
# What a model may take a tab for when it writes spaces into a file with tabs, or tabs into one with spaces.
TABS = (4, 8, 2)
OPENS_BLOCK = re.compile(r":\s*(#.*)?$")


@dataclass(frozen=True, slots=True)
class Style:
    """One step of indentation, and how lines end."""

    unit: str
    line_end: str


def style_of(text: str) -> Style:
    """How a text is written."""
    found = LINE_END.search(text)
    return Style(habit(text), found[0] if found else "\n")


def habit(text: str) -> str:
    """The step by which the first line of a block is most often deeper than the block's header."""
    steps: Counter[str] = Counter()
    header: str | None = None
    for line in LINE_END.split(text, maxsplit=MAX_LINES)[:MAX_LINES]:
        if is_blank(line):
            continue
        here = indentation(line)
        if header is not None and here.startswith(header) and len(set(here[len(header) :])) == 1:
            steps[here[len(header) :]] += 1
        header = here if OPENS_BLOCK.search(line) else None
    return steps.most_common(1)[0][0] if steps else DEFAULT_UNIT


def restyled(text: str, left: str, style: Style, tab: int) -> str:
    """A text whose blocks are indented, and whose lines end, as the file's do.

    Which lines begin a block is told by the colon in front of them, the columns that are open by the left
    side. Lines inside brackets keep their distance from the statement's first line. Texts with strings over
    several lines are left alone: their lines are content. `tab` is how many columns whoever wrote the text
    took a tab for.
    """
    lines = LINE_END.split(text)
    if len(lines) == 1 or '"""' in text or "'''" in text:
        return text
    begun = LINE_END.split(left[-100_000:])
    begun[-1] += lines[0]
    blocks = open_blocks(begun, tab)
    opens_block = bool(OPENS_BLOCK.search(last_statement(begun)))
    written = [lines[0]]
    for line in lines[1:]:
        if not line.strip():
            written.append(line if line is lines[-1] else "")
            continue
        column = column_of(line, tab)
        while blocks[-1][0] > column and len(blocks) > 1:
            blocks.pop()
        if opens_block and column > blocks[-1][0]:
            blocks.append((column, blocks[-1][1] + style.unit))
        written.append(blocks[-1][1] + " " * (column - blocks[-1][0]) + line[len(indentation(line)) :])
        opens_block = bool(OPENS_BLOCK.search(line))
    return style.line_end.join(written)


def has_foreign_indentation(text: str, style: Style) -> bool:
    """Whether lines are indented by tabs in a file with spaces, or the other way round."""
    foreign = " " if style.unit == "\t" else "\t"
    return any(foreign in indentation(line) for line in LINE_END.split(text)[1:])


def open_blocks(lines: list[str], tab: int) -> list[tuple[int, str]]:
    """The columns of the blocks that are open at the end of some lines, and how each is written."""
    blocks: list[tuple[int, str]] = []
    for line in reversed(lines[-MAX_LINES:]):
        if not is_blank(line) and (not blocks or column_of(line, tab) < blocks[-1][0]):
            blocks.append((column_of(line, tab), indentation(line)))
        if blocks and blocks[-1][0] == 0:
            break
    else:
        blocks.append((0, ""))
    return blocks[::-1]


def last_statement(lines: list[str]) -> str:
    return next((line for line in reversed(lines) if not is_blank(line)), "")
