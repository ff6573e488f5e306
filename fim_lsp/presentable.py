r"""Presentable texts, which may be shown to users and put into their files: a reader sees every character.

A text that turns the direction of writing around reads as another program than it is, one with an escape may
write anywhere on a terminal, and a character without a width hides in a name. Such texts parse, in strings
and comments at least, so the engine has nothing against them; models copy them from what stood before them.
Joiners that words and pictures of several characters are made of (U+200C, U+200D) are no such characters.

A character that is in a file already stays there. It is not offered again, and printed as its escape.
"""

from __future__ import annotations

import re

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.positions import LINE_END

# C0 but tab and line ends, DEL and C1; marks, embeddings, overrides and isolates of direction; characters
# without a width; tags.
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# Unseen characters in UTF-8, for tokens, which may hold a part of one.
UNSEEN_BYTES = re.compile(
    rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x84\x86-\x9f\xad]|\xd8\x9c|\xe1\xa0\x8e"
    rb"|\xe2\x80[\x8b\x8e\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xef\xbf[\xb9-\xbb]"
    rb"|\xf3\xa0[\x80\x81][\x80-\xbf]"
)
# Blanks in the middle of a line that no layout asks for.
BLANKS = re.compile(r"(?<=[^\s])[ \t]{9,}(?=[^\s])")


def is_presentable(text: str, around: str = "") -> bool:
    """Whether a text may be offered in the text around it.

    If nothing else fits, a model may write blanks without end. Long runs of blanks are offered only to a user
    who has written such runs, to align the ends of lines.
    """
    if UNSEEN.search(text):
        return False
    longest = max((len(found[0]) for found in BLANKS.finditer(text)), default=0)
    return longest == 0 or any(len(found[0]) >= longest for found in BLANKS.finditer(around))


def is_saying(text: str) -> bool:
    """Whether a text says anything: white space and backslashes that join lines are nothing."""
    return bool(text.strip().strip("\\").strip())


def is_blank_filling(text: str) -> bool:
    """Whether a text says nothing and is not empty either, which would say that nothing is missing."""
    return bool(text) and not is_saying(text)


def swallows_rest(text: str, right: str, known_language: KnownLanguage = PYTHON) -> bool:
    """Whether a text ends in a comment that takes in the rest of the cursor's line.

    The file then parses, whatever the rest is, so a model may end there if nothing else fits. Users do not
    want it:

        total = sum(|prices)        sum(x)  #prices)
    """
    rest = LINE_END.split(right, maxsplit=1)[0]
    last_line = LINE_END.split(text)[-1]
    if not known_language.line_comment:
        return False
    before, sign, _ = last_line.partition(known_language.line_comment)
    is_in_string = before.count("'") % 2 or before.count('"') % 2
    return bool(rest.strip() and sign and not is_in_string)


def presentable_text(text: str) -> str:
    """A text for a terminal, in which what cannot be seen is written as an escape, as Python would."""
    return UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)
