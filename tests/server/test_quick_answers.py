"""Quick answers about a whole file: they equal those of the plain patterns, which read all of it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from fim_lsp.document.hole import Hole
from fim_lsp.positions import LINE_END, first_line
from fim_lsp.server.refusal import is_text
from fim_lsp.server.worker.calls import defines, is_untold
from fim_lsp.server.worker.site import N_CHARACTERS, N_LINES, Site
from tests.footings import text_of

HEADERS = ("def", "class", "async", "async def", "def a", "class ab", "a", "ab", "(", "é", ".")
BLANKS = (" ", "  ", "\t", "\n", "\r", "\r\n")
UNTOLD = re.compile(r"import\s*\*|\bglobals\b|\bsetattr\b|\bexec\b")
BINDERS = ("import", "*", "globals", "setattr", "exec", "_", "()", "é")
N_TEXTS = 3_000


def texts(pieces: Sequence[str], n: int, longest: int = 12) -> list[str]:
    generator = random.Random(43)
    return ["".join(generator.choices(pieces, k=generator.randint(0, longest))) for _ in range(n)]


def test_a_name_is_defined_where_a_line_begins_so() -> None:
    n_defined = 0
    for text in texts((*HEADERS, *BLANKS), N_TEXTS):
        for name in ("a", "ab", "def", "éa"):
            pattern = rf"^[ \t]*(?:async[ \t]+def|def|class)[ \t]+{name}\b"
            is_defined = re.search(pattern, text, re.MULTILINE) is not None
            assert defines(text, name) is is_defined, (text, name)
            n_defined += is_defined
    assert n_defined > 100


def test_a_file_is_untold_where_a_word_says_so() -> None:
    # Letters beyond ASCII are no letters in bytes.
    found = [(text, UNTOLD.search(text) is not None) for text in texts((*BINDERS[:-1], *BLANKS), N_TEXTS)]
    assert all(is_untold(text.encode()) is is_found for text, is_found in found)
    assert 0.1 < sum(is_found for _, is_found in found) / N_TEXTS < 0.9


def test_the_first_line_is_the_first_part() -> None:
    for text in texts((*HEADERS, *BLANKS), N_TEXTS):
        assert first_line(text) == LINE_END.split(text, maxsplit=1)[0]


def test_half_a_pair_is_no_text() -> None:
    assert is_text("aé😀\n")
    assert not any(is_text(f"aé{half}\n") for half in ("\ud800", "\udfff", "\ude00\ud83d"))


def test_the_nearest_lines_are_found_however_long_they_are() -> None:
    longest = "x" * 700
    for text in texts(("y", longest, "\n", "\n", "  \n", "z = 1\n"), 200, 40):
        for place in range(0, len(text) + 1, max(len(text) // 7, 1)):
            site = Site.of(text_of(text), Hole(place, place))
            above = LINE_END.split(text[:place][-N_CHARACTERS:])[:-1]
            below = LINE_END.split(text[place:][:N_CHARACTERS])[1:]
            assert site.lines.above == next((line for line in above[: -N_LINES - 1 : -1] if line.strip()), "")
            assert site.lines.below == next((line for line in below[:N_LINES] if line.strip()), "")
