"""The wording of an offer: a written text, cut to the wished length, without repetition, in the file's style.

The engine checks every change again. A change that does not fit is not made, and a text that cannot be made
to fit is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from fim_lsp.document.code_lines import column_of
from fim_lsp.document.indentation import (
    TABS,
    Style,
    has_foreign_indentation,
    indentation_at_the_end,
    restyled_lines,
    restyled_text,
)
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.overlap import without_overlap
from fim_lsp.positions import LINE_END
from fim_lsp.presentable import is_presentable, swallows_rest
from fim_lsp.recognizers import fits, hides_code
from fim_lsp.server.worker.closer_lines import with_closers_on_lines, with_line_of_closer
from fim_lsp.server.worker.imported_again import without_names_again
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Wishes
from quotient import Recognizer

CLOSERS = (")", "]", "}")
# The most blank lines behind the cursor in front of repeated lines.
MAX_BLANK_LINES = 20
# Signs with a blank on each side, of which the one in front is there.
BEHIND_SIGN = re.compile(r"[\w)\]}\"'] (?:=|==|!=|<=|>=|[-+*/%|&^]=|->|=>|:=)$")
MAX_LINE = 1000


def offered_text(written: str, footing: Footing, wishes: Wishes) -> str | None:
    """The offered form of a written text, or None."""
    site, recognizer = footing.site, footing.recognizer
    not_there = without_overlap(recognizer, written, site.right)
    if not_there is None:
        return None
    if site.known_language is PYTHON:
        not_there = without_names_again(not_there, site.left, site.right)
    style_of_file = partial(site.text.style, wishes.indentation)
    tried = set()
    has_closer_behind = not site.known_language.has_suites and site.right[:1] in CLOSERS
    for shortened in shortened_texts(without_repetition(not_there, site.right), wishes, has_closer_behind):
        for text in styled_texts(shortened, site.left, recognizer, site.known_language, style_of_file):
            if text in tried:
                continue
            tried.add(text)
            is_wanted = (
                text.strip() and not swallows_rest(text, site.right, site.known_language) and not joins(text)
            )
            is_shown = is_wanted and is_presentable(text, site.left)
            if is_shown and fits(recognizer, text) and not hides_code(recognizer, text, site.right):
                may_have_lines = wishes.closer_lines and not site.known_language.has_suites
                if may_have_lines:
                    text = with_closers_on_lines(text, footing, wishes)
                return with_line_of_closer(text, footing, wishes) if has_closer_behind else text
    return None


def apart(recognizer: Recognizer, offer: str, left: str) -> str:
    """An offer with a missing blank behind a sign that has one in front: `total =` + ` 0`."""
    line = LINE_END.split(left[-MAX_LINE:])[-1]
    is_close = BEHIND_SIGN.search(line) and not (line.count('"') % 2 or line.count("'") % 2)
    if is_close and not offer[:1].isspace() and offer[:1] != "=" and fits(recognizer, " " + offer):
        return " " + offer
    return offer


def joins(text: str) -> bool:
    """Whether a text ends in a backslash, which joins the next line. It parses, but is never meant."""
    return text.rstrip(" \t").endswith("\\")


def right_part(recognizer: Recognizer, offer: str, n_right: int) -> str | None:
    """An offer, or its whole lines in front of an error that begins behind `n_right` characters; None if none
    of them fit."""
    if n_right >= len(offer):
        return offer
    ends = [found.start() for found in LINE_END.finditer(offer, 0, n_right)]
    parts = (offer[:end] for end in reversed(ends))
    return next((part for part in parts if part.strip() and fits(recognizer, part)), None)


def shortened_texts(text: str, wishes: Wishes, has_closer_behind: bool) -> Iterator[str]:
    """The beginnings of a text that may be offered, the best first: shortened from the end until one fits.

    `has_closer_behind`: a closing bracket is right of the cursor, in a language with braces.
    """
    ends = [found.start() for found in LINE_END.finditer(text)]
    n_lines = len(ends) + 1
    wished = min(wishes.max_lines, n_lines)
    for n in range(wished, 0, -1) if wishes.multi_line else range(1, n_with_body(text, wished) + 1):
        shortened = text if n == n_lines else text[: ends[n - 1]]
        # White space at the end of a line is not wanted, unless it is needed in front of the next text.
        stripped = shortened.rstrip(" \t")
        if has_closer_behind and stripped.endswith(("\n", "\r")):
            # The blanks in front of a closer on its own line belong to that line.
            yield shortened
        yield stripped
        yield shortened


def n_with_body(text: str, most: int) -> int:
    """The number of lines that count as one: block headers, the line behind them, and the closing brace's
    line."""
    lines = LINE_END.split(text)
    n = next((n for n, line in enumerate(lines, 1) if not line.rstrip().endswith((":", "{"))), len(lines))
    has_closer = 1 < n < len(lines) and lines[n].strip()[:1] == "}"
    return min(n + has_closer, most)


def styled_texts(
    text: str,
    left: str,
    recognizer: Recognizer,
    known_language: KnownLanguage,
    style_of_file: Callable[[], Style],
) -> Iterator[str]:
    """A text in the file's style, which is determined only if it matters."""
    begun = indentation_at_the_end(left, recognizer)
    is_indented = begun is not None and text[:1].isspace()
    if not is_indented and not LINE_END.search(text):
        yield text
        return
    own = style_of_file()
    if not known_language.has_suites:
        yield from (restyled_lines(text, recognizer, own, tab) for tab in TABS)
        return
    for tab in TABS:
        for shape, shift in shapes(text, begun, tab):
            form = restyled_text(shape, recognizer, left, own, tab, shift)
            if form is not None:
                yield form
    if not has_foreign_indentation(text, own):
        # A line end means the same everywhere, even in a string.
        yield LINE_END.sub(own.line_end, text)


def shapes(text: str, begun: str | None, tab: int) -> Iterator[tuple[str, int]]:
    """A text for a line that begins with white space: first without its extra indentation, then as it is.

    Editors indent on Tab if grey text begins with white space, so that form is used only if nothing else
    fits:

        def area(self):
            |                   "    return self.width" becomes "return self.width"
    """
    body = text.lstrip()
    white = text[: len(text) - len(body)]
    if begun is not None and white:
        lines = LINE_END.split(white)
        column = column_of(lines[-1] if len(lines) > 1 else begun + white, tab)
        surplus = column - column_of(begun, tab)
        if surplus >= 0:
            moved = " " * surplus + body
            yield moved, surplus
            yield moved, 0
    yield text, 0


def without_repetition(text: str, right: str) -> str:
    """The text without final lines that repeat the lines behind the cursor's.

    Models often write on with lines that are there already:

        def area(self):
            |                              return self.width * self.height
        def perimeter(self):               def perimeter(self):
    """
    lines = LINE_END.split(text)
    behind = LINE_END.split(right, maxsplit=len(lines) + MAX_BLANK_LINES)[1:-1]
    following = [line.strip() for line in behind if line.strip()]
    written = [(index, line.strip()) for index, line in enumerate(lines) if line.strip()]
    for n in range(min(len(written), len(following)), 0, -1):
        repeated = [line for _, line in written[-n:]]
        # A lone bracket may come twice.
        if repeated == following[:n] and sum(map(len, repeated)) > 2:
            ends = [0, *(found.start() for found in LINE_END.finditer(text))]
            return text[: ends[written[-n][0]]].rstrip()
    return text
