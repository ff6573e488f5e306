"""Blanks of several bytes behind words, numbers and regular expressions, wherever the cuts are.

Their first bytes could begin a letter, so a symbol in front of one is not complete before its last byte.
"""

from __future__ import annotations

import pytest

from quotient import Language, NoCompletion
from tests import judged

# What decides, by languages: words and what else goes on with letters, line ends, letters that begin alike.
TEXTS = {
    "javascript": ("if\xa0(é)\u3000ª\xa0\u2028+1_0\u1680", "x\xa0\u2028--> c\n/a/g\xa0in\u2003b"),
    "javascriptreact": ("<a-\xa0b\u3000=''>c\xa0</a-\u2003>",),
    "typescript": ("type\xa0a\u2003= b\xa0\u2028let\u200bc", "f<a\u3000>(b)"),
    "typescriptreact": ("<a\xa0, >(b\u205f: c) => d",),
}
SPOILT = {
    "javascript": ("throw\xa0\u2028a", "a\xa0b", "a\u3001"),
    "javascriptreact": ("<a\xa0<",),
    "typescript": ("type\xa0\u2028a = b[]", "1\xa0a"),
    "typescriptreact": ("x\xa0<y\xa0/>",),
}


def middles(language: str, text: str) -> list[tuple[bytes, bytes, bool | None]]:
    """All small holes, cut between bytes: what is in them and behind them, and whether the whole is a member;
    none where what is in them cannot be typed."""
    encoded = text.encode()
    loaded = Language.load(language)
    found: list[tuple[bytes, bytes, bool | None]] = []
    for start in range(len(encoded) + 1):
        for stop in range(start, min(start + 4, len(encoded) + 1)):
            middle, right = encoded[start:stop], encoded[stop:]
            try:
                recognizer = loaded.recognizer(encoded[:start], right)
                is_read = recognizer.advance(middle)
            except NoCompletion:
                is_read = False
            found.append((middle, right, recognizer.is_member() if is_read else None))
    return found


@pytest.mark.parametrize("language", TEXTS)
def test_they_are_read_wherever_the_cuts_are(language: str) -> None:
    for text in TEXTS[language]:
        assert judged.fault(language, text) is None, text
        assert [one for one in middles(language, text) if one[2] is not True] == [], text


@pytest.mark.parametrize("language", SPOILT)
def test_they_mend_nothing(language: str) -> None:
    for text in SPOILT[language]:
        assert judged.fault(language, text) is not None, text
        assert [one for one in middles(language, text) if one[2] is True] == [], text


def test_no_letter_is_lost() -> None:
    """A half of a character is completed to a letter or to a blank, whatever is behind it."""
    javascript = Language.load("javascript")
    for right in ("= 1", "\xa0= 1", ""):
        for half in (b"x\xc2", b"x\xe2\x80", b"x\xe3", b"if\xc2"):
            recognizer = javascript.recognizer("", right)
            assert recognizer.advance(half)
            text = half + recognizer.witness().encode(errors="surrogateescape")
            assert judged.fault("javascript", text.decode() + right) is None, text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", "throw\xa0\u2028"),
        ("typescript", "async of\xa0\u2029"),
        ("typescript", "async of\u2029"),
    ],
)
def test_a_line_end_behind_them_is_one(language: str, text: str) -> None:
    """Nothing comes behind these words and a line end, wherever the end of the line was read."""
    with pytest.raises(NoCompletion):
        Language.load(language).recognizer(text)
