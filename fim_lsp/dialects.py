"""Dialects: the language of a text whose file's name does not say it: JSX stands in `.js` files, too.

The specification of JavaScript has no elements, and Node reads none. But what React's users write goes
through a compiler, many name it `.js`, and editors call it `javascript`. So a text with what looks like a
tag's end that is no JavaScript is read as JavaScript with JSX, which has all of JavaScript.
"""

from __future__ import annotations

import re

from fim_lsp.known_languages import JAVASCRIPT, JAVASCRIPTREACT, KnownLanguage
from quotient import Language, NoCompletion

# `</a>`, `</>` or `/>`.
TAG_END = re.compile(r"</[\w$.:\-]*\s*>|/>")
# A tag's end that an edit has made or completed lies no further from it.
LONGEST_END = 100


def read_as(known_language: KnownLanguage, text: str) -> KnownLanguage:
    """The language that a text is read as."""
    if known_language is not JAVASCRIPT or not TAG_END.search(text) or is_plain(text):
        return known_language
    return JAVASCRIPTREACT


def may_turn(known_language: KnownLanguage, text: str, start: int, stop: int) -> bool:
    """Whether what was written between two offsets may have made a text one of another language."""
    if known_language is not JAVASCRIPT:
        return False
    return TAG_END.search(text, max(start - LONGEST_END, 0), stop + LONGEST_END) is not None


def is_plain(text: str) -> bool:
    try:
        return Language.load(JAVASCRIPT.name).document(text).recognizer(len(text)).is_member()
    except NoCompletion:
        return False
