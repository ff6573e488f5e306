"""Where an end stands: behind a line that opens a block, or that a block ends behind, on a line of its own.

if is_open(path):          load().then(() => {          try (var reader = open(path)) {
    pass                   })                           }
|                          |                            |reader.close();  a line that begins behind the text
"""

from __future__ import annotations

from fim_lsp.document.code_lines import indentation
from fim_lsp.document.indentation import OPENS_BLOCK, style_of
from fim_lsp.fitting.ends import ends
from fim_lsp.fitting.nearest import FittingContext
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.positions import LINE_END
from quotient import Recognizer

# So much around the cursor says how the file is indented.
MAX_AROUND = 20_000


def laid_out_end(stand: Recognizer, kept: str, end: str, place: FittingContext) -> str:
    """An end as it would be typed behind what is kept; `stand` has read that."""
    known_language = place.known_language
    if known_language is None or not end or LINE_END.search(end):
        return end
    is_in_a_line = bool(LINE_END.split(place.right, maxsplit=1)[0].strip())
    # What begins at a line's start, in front of a line, is lines of its own.
    is_lines = is_in_a_line and place.left.endswith(("\n", "\r")) and not known_language.has_suites
    if is_in_a_line and not is_lines:
        return end
    opens_block = kept.rstrip().endswith(":" if known_language.has_suites else "{")
    if not opens_block and (known_language.has_suites or not end.startswith("}")):
        return end
    style = style_of(place.left[-MAX_AROUND:] + place.right[:MAX_AROUND], known_language)
    lines = LINE_END.split(place.left[-MAX_AROUND:] + kept)
    here = indentation(lines[-1])
    if known_language.has_suites:
        here += style.unit
    elif not opens_block:
        here = indentation_of_head(lines, known_language)
    on_its_own = style.line_end + here + end + style.line_end * is_lines
    return on_its_own if ends(stand, on_its_own) else end


def indentation_of_head(lines: list[str], known_language: KnownLanguage) -> str:
    """That of the line which opened the block that the last line stands in."""
    here = indentation(lines[-1])
    for line in reversed(lines[:-1]):
        depth = indentation(line)
        is_outside = line.strip() and len(depth) < len(here) and here.startswith(depth)
        if is_outside and OPENS_BLOCK[known_language.blocks].search(line):
            return depth
    return here
