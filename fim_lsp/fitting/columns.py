"""A text moved to the columns of the open blocks, for Python.

Models lose the column of the cursor's block: they begin at the margin, or indent a line whose white space is
there already.

    for row in rows:
    |                   «total += row»            at the margin; the cursor's line is empty
        |               «if row:                  at the margin; the line has its white space already
                            total += row»
        |               «a = row                  the lines behind it are a step too far inside
            b = row»
"""

from __future__ import annotations

from collections.abc import Iterator

from fim_lsp.document.code_lines import CodeLine, column_of
from fim_lsp.document.indentation import (
    TABS,
    Style,
    indentation_at_the_end,
    open_blocks,
    restyled_beginning,
)
from fim_lsp.fitting.layout import style_around
from fim_lsp.fitting.nearest import FittingContext
from fim_lsp.known_languages import PYTHON
from fim_lsp.positions import LINE_END
from quotient import Recognizer

# Only so many of the innermost blocks are tried.
MAX_BLOCKS = 8


def reindented_texts(recognizer: Recognizer, text: str, place: FittingContext) -> Iterator[str]:
    """A text at the cursor's column and one step inside of it; where the line is empty, one step inside the
    innermost open block, then at each open block's column, innermost first."""
    style = style_around(place, PYTHON)
    begun = indentation_at_the_end(place.left, recognizer)
    line = first_line(text, begun)
    if line is None:
        return
    has_tabs = "\t" in text or "\t" in style.unit
    own_line = first_line_begun_again(text, begun)
    known = {text}
    said = f"{' ' * column_of_the_others(text, style)}{text}" if own_line is not None else text
    for tab in TABS if has_tabs else TABS[:1]:
        column = column_of(line, tab)
        tried = [
            (text, column - target, False) for target in columns(recognizer, place.left, begun, style, tab)
        ]
        here, others = column_of(begun or "", tab), column_of(said, tab)
        if own_line is not None:
            # In front of the column a step inside, from which later lines might leave the cursor's block: as
            # written, as if the first line stood where the others do, or were a block that they end.
            step = style.unit.expandtabs(tab)
            aside = [(said, others)] if 0 < others < here else []
            aside = [(text, column_of(own_line, tab)), *aside, (step + said, others + len(step))]
            tried[1:1] = [(written, column - here, True) for written, column in aside]
        # As if the first line stood where the others do, or were their block's head.
        too_deep = [others, others - column_of(style.unit, tab)] if others > here else []
        moved = [(said, column - here, True) for column in too_deep if column > here]
        for written, shift, has_own_column in (*moved, *tried):
            form = restyled_beginning(
                written, recognizer, place.left, style, tab, shift, has_own_column=has_own_column
            )
            if form not in known:
                known.add(form)
                yield form


def first_line(text: str, begun: str | None) -> str | None:
    """The first line of a text that begins a line of the file, with the white space in front of it."""
    lines = LINE_END.split(text)
    if begun is not None:
        lines[0] = begun + lines[0]
    return next((line for line in lines[begun is None :] if not CodeLine(line).is_blank), None)


def first_line_begun_again(text: str, begun: str | None) -> str | None:
    """The first line of a text whose writer may have ignored the white space in front of the cursor; None if
    there is no such line."""
    line = LINE_END.split(text, maxsplit=1)[0]
    return line if begun and not CodeLine(line).is_blank else None


def column_of_the_others(text: str, style: Style) -> int:
    """The least column of the lines behind the first one."""
    _, *others = LINE_END.split(text)
    tab = TABS[0] if "\t" in text else len(style.unit)
    return min((column_of(line, tab) for line in others if not CodeLine(line).is_blank), default=0)


def columns(recognizer: Recognizer, left: str, begun: str | None, style: Style, tab: int) -> list[int]:
    """The columns at which a statement may follow the left side, the deepest first."""
    step = column_of(style.unit, tab)
    if begun:
        here = column_of(begun, tab)
        # Where both fit, the cursor stands where its writer wants the text.
        return [here, here + step]
    blocks = [block.column for block in open_blocks(left, recognizer.nesting().columns, tab)]
    return [blocks[-1] + step, *reversed(blocks)][:MAX_BLOCKS]
