"""The file's own style of indentation and line ends, and texts converted to it.

A model has its own habits: four spaces where a file has tabs or two. Python does not mind, people do. We do
not guess the meaning of a line break: the hole's recognizer reads along, and knows whether a statement, a
line inside brackets, or a string's content follows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fim_lsp.document.code_lines import CodeLine, column_of, indentation
from fim_lsp.known_languages import PYTHON, Blocks, KnownLanguage
from fim_lsp.positions import LINE_END, last_line
from fim_lsp.recognizers import is_code
from quotient import Recognizer

DEFAULT_UNIT = "    "
# Enough to see a habit, and to see which blocks are open.
MAX_LINES = 2_000
# The most characters in front of the cursor that may say how its blocks are written.
MAX_CHARACTERS = 100_000
# Widths that a model may take a tab for when it writes spaces into a file with tabs, or the reverse.
TABS = (4, 8, 2)
OPENS_BLOCK: dict[Blocks, re.Pattern[str]] = {
    "suites": re.compile(r":\s*(#.*)?$"),
    "braces": re.compile(r"[{(\[]\s*(//.*)?$"),
    "data": re.compile(r"[{\[]\s*$"),
}
# Comments, unless these quotes end a string; a `$` fits nothing else.
COMMENTS = ('#"""$', "#'''$")


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a text: one step of indentation, and the end of lines."""

    unit: str
    line_end: str


@dataclass(frozen=True, slots=True)
class Block:
    """A block that is open: its column as the writer counts it, and how the file writes it."""

    column: int
    written: str


def style_of(text: str, known_language: KnownLanguage = PYTHON) -> Style:
    """The style of a text."""
    found = LINE_END.search(text)
    return Style(habit(text, known_language), found[0] if found else "\n")


def habit(text: str, known_language: KnownLanguage = PYTHON) -> str:
    """The step by which the first line of a block is most often deeper than the block's header."""
    steps: Counter[str] = Counter()
    header: str | None = None
    for line in LINE_END.split(text, maxsplit=MAX_LINES)[:MAX_LINES]:
        if CodeLine(line, known_language).is_blank:
            continue
        here = indentation(line)
        if header is not None and here.startswith(header) and len(set(here[len(header) :])) == 1:
            steps[here[len(header) :]] += 1
        header = here if OPENS_BLOCK[known_language.blocks].search(line) else None
    return steps.most_common(1)[0][0] if steps else DEFAULT_UNIT


def restyled_text(
    text: str, recognizer: Recognizer, left: str, style: Style, tab: int, shift: int = 0
) -> str | None:
    """A text whose blocks are indented, and whose lines end, as the file's do; None if it does not fit then.

    The recognizer stands where the text begins. Statements go into the columns of the file's blocks, lines
    inside brackets keep their distance from their statement's, a string's lines stay as they are. `tab` is
    how many columns the text's writer took a tab for, `shift` by how many it is moved to the left.
    """
    written = list(lines_in_style(LINE_END.split(text), recognizer, left, style, tab, shift))
    is_read = all(is_read for _, is_read in written)
    return style.line_end.join(line for line, _ in written) if is_read else None


def restyled_beginning(
    text: str,
    recognizer: Recognizer,
    left: str,
    style: Style,
    tab: int,
    shift: int = 0,
    *,
    has_own_column: bool = False,
) -> str:
    """Restyles a text as far as it fits. Behind the first line that does not, it stays as it was.

    `has_own_column`: the first line's column is the one in which it is written, whatever stands in front.
    """
    lines = LINE_END.split(text)
    found = lines_in_style(lines, recognizer, left, style, tab, shift, has_own_column=has_own_column)
    written = [line for line, _ in found]
    return style.line_end.join([*written, *lines[len(written) :]])


def lines_in_style(
    lines: list[str],
    recognizer: Recognizer,
    left: str,
    style: Style,
    tab: int,
    shift: int,
    *,
    has_own_column: bool = False,
) -> Iterator[tuple[str, bool]]:
    """Lines as the file would have them, and whether they fit, up to the first that does not."""
    reading = recognizer.fork()
    blocks = open_blocks(left, reading.nesting().columns, tab)
    begun = indentation_at_the_end(left, reading)
    floor = column_of(begun or "", tab)
    if begun:
        while blocks[-1].column >= floor:
            blocks.pop()
        blocks.append(Block(floor, begun))
    for number, line in enumerate(lines):
        if number and not reading.advance(style.line_end):
            yield line, False
            return
        new, code = line, line[len(indentation(line)) :]
        nesting = reading.nesting()
        is_statement = nesting.indentation is not None if number else begun is not None
        is_content = not is_statement and not (nesting.n_brackets and is_between_symbols(reading))
        if not line.strip() and number < len(lines) - 1:
            new = line if is_content else ""
        elif is_statement:
            column = column_of(line if number or has_own_column else (begun or "") + line, tab)
            if number and code.startswith("#"):
                # A comment's statement comes next. It may stand anywhere, and models put it there.
                column = max(column, column_of(next_statement(lines[number:]), tab))
            new = into_block(blocks, max(column - shift, min(column, floor)), style) + code
        elif number and not is_content:
            new = (
                continued_indentation(
                    blocks[-1], column_of(line, tab) - shift - blocks[-1].column, style, tab
                )
                + code
            )
        if number == 0 and begun and line.strip():
            if not new.startswith(begun):
                yield line, False
                return
            new = new[len(begun) :]
        is_read = reading.advance(new)
        yield new, is_read
        if not is_read:
            return


def restyled_lines(text: str, recognizer: Recognizer, style: Style, tab: int) -> str:
    """A text for a language in which columns mean nothing, with lines indented and ended as the file's are.

    The contents of strings and comments stay as they are.
    """
    reading = recognizer.fork()
    first, *rest = LINE_END.split(text)
    written = first
    is_read = reading.advance(first)
    for line in rest:
        is_read = is_read and reading.advance(style.line_end)
        blank = indentation(line)
        if is_read and is_code(reading):
            line = steps(blank, style, tab) + line[len(blank) :]
        written += style.line_end + line
        is_read = is_read and reading.advance(line)
    return written


def steps(blank: str, style: Style, tab: int) -> str:
    """White space as the file has it: whole steps in its own kind, and the rest in spaces."""
    column = column_of(blank, tab)
    if style.unit.startswith("\t"):
        return "\t" * (column // tab) + " " * (column % tab)
    return " " * column if "\t" not in blank else style.unit * (column // tab) + " " * (column % tab)


def next_statement(lines: list[str]) -> str:
    return next((line for line in lines if not CodeLine(line).is_blank), "")


def into_block(blocks: list[Block], column: int, style: Style) -> str:
    """The beginning of a statement's line in a column. Blocks that it leaves are closed, one that it begins
    is opened."""
    while len(blocks) > 1 and blocks[-1].column > column:
        blocks.pop()
    if column > blocks[-1].column:
        blocks.append(Block(column, blocks[-1].written + step(blocks, style)))
    return blocks[-1].written


def step(blocks: list[Block], style: Style) -> str:
    """The step inside the innermost block: the file's, unless that would mix tabs and spaces in a line."""
    around = blocks[-1].written
    if not around or around[-1] == style.unit[0]:
        return style.unit
    outer = blocks[-2].written if len(blocks) > 1 else ""
    return around.removeprefix(outer) or style.unit


def continued_indentation(block: Block, distance: int, style: Style, tab: int) -> str:
    """The beginning of a line inside brackets, so far from its statement."""
    if distance < 0:
        return block.written[:distance]
    if (block.written or style.unit).endswith("\t") and distance % tab == 0:
        return block.written + "\t" * (distance // tab)
    return block.written + " " * distance


def is_between_symbols(reading: Recognizer) -> bool:
    """Whether what comes inside brackets is code, not a string's content: whether a comment may."""
    return all(reading.fork().advance(comment) for comment in COMMENTS)


def indentation_at_the_end(left: str, reading: Recognizer) -> str | None:
    """The white space that a statement may go on; None where the line has more, or is no statement's."""
    line = last_line(left)
    return None if line.strip() or reading.nesting().indentation is None else line


def open_blocks(left: str, columns: list[int], tab: int) -> list[Block]:
    """The blocks that are open, the file's own first: for each of the columns, which CPython counts, the last
    line that stands there."""
    return list(known_blocks(left, tuple(columns), tab))


# The forms of one text, and what of it arrives piece by piece, need the same blocks each time.
@lru_cache(maxsize=8)
def known_blocks(left: str, columns: tuple[int, ...], tab: int) -> tuple[Block, ...]:
    blocks: list[Block] = []
    wanted = sorted(set(columns))
    for line in reversed(LINE_END.split(left[-MAX_CHARACTERS:])[-MAX_LINES:]):
        if not wanted:
            break
        if CodeLine(line).is_blank or column_of(line) > wanted[-1]:
            continue
        while wanted and column_of(line) < wanted[-1]:
            wanted.pop()
        if wanted and column_of(line) == wanted[-1]:
            wanted.pop()
            blocks.append(Block(column_of(line, tab), indentation(line)))
    if not blocks or blocks[-1].column:
        blocks.append(Block(0, ""))
    return tuple(reversed(blocks))


def has_foreign_indentation(text: str, style: Style) -> bool:
    """Whether lines are indented by tabs in a file with spaces, or the other way round."""
    foreign = " " if style.unit == "\t" else "\t"
    return any(foreign in indentation(line) for line in LINE_END.split(text)[1:])
