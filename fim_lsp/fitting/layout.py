"""The line of an end: its own, if it follows a line that opens a block, or closes a block in braces; and
in Python behind a comment that a block begins with, in the column of that.

if is_open(path):          load().then(() => {          try (var reader = open(path)) {
    pass                   })                           }
|                          |                            |reader.close();  this line begins behind the text
"""

from __future__ import annotations

from functools import lru_cache

from fim_lsp.document.code_lines import CLOSERS, OPENERS, indentation
from fim_lsp.document.indentation import OPENS_BLOCK, Style, style_of
from fim_lsp.fitting.nearest import FittingContext
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.positions import LINE_END
from fim_lsp.recognizers import fits
from quotient import Recognizer

# The file's indentation is taken from so many characters on each side of the cursor.
MAX_AROUND = 20_000


def leaves_open(end: str) -> bool:
    """Whether an end opens a bracket that it does not close, as `>{` does in front of `}`."""
    depth = 0
    for sign in end:
        depth = max(depth + (sign in OPENERS) - (sign in CLOSERS), 0)
    return depth > 0


def laid_out_end(stand: Recognizer, kept: str, end: str, place: FittingContext) -> str:
    """An end as a programmer would type it behind the kept text, which `stand` has read."""
    known_language = place.known_language
    if known_language is None or not end:
        return end
    if LINE_END.search(end) and leaves_open(end) and end.strip().startswith(OPENERS):
        return end_apart(stand, kept, end, place)
    if LINE_END.search(end):
        return end_behind_comment(stand, kept, end, place) if known_language.has_suites else end
    is_behind_statement = kept.rstrip().endswith((";", "}"))
    if leaves_open(end) and (is_behind_statement if end.startswith(OPENERS) else len(end) > 1):
        return end_apart(stand, kept, end, place)
    is_in_a_line = bool(LINE_END.split(place.right, maxsplit=1)[0].strip())
    # A text between a line's start and its content consists of whole lines.
    is_lines = is_in_a_line and place.left.endswith(("\n", "\r")) and not known_language.has_suites
    if is_in_a_line and not is_lines:
        return end
    opens_block = kept.rstrip().endswith(":" if known_language.has_suites else "{")
    is_statement = place.begins_statement(kept, end)
    if not opens_block and not is_statement and (known_language.has_suites or not end.startswith("}")):
        return end
    style = style_around(place, known_language)
    lines = LINE_END.split(place.left[-MAX_AROUND:] + kept)
    here = indentation(lines[-1])
    if known_language.has_suites:
        here += style.unit
    elif not opens_block and not is_statement:
        # A block that begins and ends in one line.
        if lines[-1].count("{") > lines[-1].count("}"):
            return end
        here = indentation_of_head(lines, known_language)
    on_its_own = style.line_end + here + end + style.line_end * is_lines
    return on_its_own if fits(stand, on_its_own) else end


def end_apart(stand: Recognizer, kept: str, end: str, place: FittingContext) -> str:
    """An end that opens what is closed right of the cursor: where a line of its own will do, it is not joined
    to what is kept."""
    assert place.known_language is not None
    line, said = LINE_END.split(place.left[-MAX_AROUND:] + kept)[-1], end.strip()
    opening = said if said.startswith(OPENERS) else said[1:]
    apart = style_around(place, place.known_language).line_end + indentation(line) + opening
    return apart if fits(stand, apart) else end


def end_behind_comment(stand: Recognizer, kept: str, end: str, place: FittingContext) -> str:
    """An end that begins with a line end: its statement stands in the column of a comment before it."""
    before, *lines = LINE_END.split(end)
    comment = LINE_END.split((place.left[-MAX_AROUND:] + kept).rstrip())[-1]
    if before or len(lines) != 1 or not comment.lstrip().startswith("#"):
        return end
    in_its_column = end[: -len(lines[0])] + indentation(comment) + lines[0].lstrip() if lines[0] else end
    return in_its_column if fits(stand, in_its_column) else end


def style_around(place: FittingContext, known_language: KnownLanguage) -> Style:
    """The indentation of the file around a place."""
    return known_style(place.left[-MAX_AROUND:] + place.right[:MAX_AROUND], known_language)


# A request for several texts needs the same style for each.
@lru_cache(maxsize=8)
def known_style(text: str, known_language: KnownLanguage) -> Style:
    return style_of(text, known_language)


def indentation_of_head(lines: list[str], known_language: KnownLanguage) -> str:
    """The indentation of the line that opens the last line's block."""
    here = indentation(lines[-1])
    for line in reversed(lines[:-1]):
        depth = indentation(line)
        is_outside = line.strip() and len(depth) < len(here) and here.startswith(depth)
        if is_outside and OPENS_BLOCK[known_language.blocks].search(line):
            return depth
    return here
