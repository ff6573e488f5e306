"""Where an end stands: behind a line that opens a block, or that a block ends behind, on a line of its own.

if is_open(path):          load().then(() => {
    pass                   })
"""

from __future__ import annotations

from fim_lsp.fitting.ends import ends
from fim_lsp.fitting.nearest import Place
from fim_lsp.positions import LINE_END
from fim_lsp.server.worker.code_lines import indentation
from fim_lsp.server.worker.indentation import style_of
from quotient import Recognizer

# So much around the cursor says how the file is indented.
MAX_AROUND = 20_000


def laid_out(stand: Recognizer, kept: str, end: str, place: Place) -> str:
    """An end as it would be typed behind what is kept; `stand` has read that."""
    known = place.known
    rest_of_line = LINE_END.split(place.right, maxsplit=1)[0]
    if known is None or not end or LINE_END.search(end) or rest_of_line.strip():
        return end
    opens_block = kept.rstrip().endswith(":" if known.has_suites else "{")
    if not opens_block and (known.has_suites or not end.startswith("}")):
        return end
    style = style_of(place.left[-MAX_AROUND:] + place.right[:MAX_AROUND], known)
    line = LINE_END.split(place.left[-MAX_AROUND:] + kept)[-1]
    here = indentation(line)
    if known.has_suites:
        here += style.unit
    elif not opens_block:
        here = here.removesuffix(style.unit)
    on_its_own = style.line_end + here + end
    return on_its_own if ends(stand, on_its_own) else end
