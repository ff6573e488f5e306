"""Blanks and line ends of several bytes behind words, numbers and regular expressions, for all cuts.

Their first bytes could begin a letter. So a symbol in front of a wide blank is complete only with the blank's
last byte, and a symbol in front of a wide line end contains half a character until then.
"""

from __future__ import annotations

import pytest

from quotient import EncodingError, Language, NoCompletion, Vocabulary
from tests.languages import judged

# Texts in which this matters: words and other texts that letters continue, line ends, equal beginnings.
TEXTS = {
    "javascript": (
        "if\xa0(é)\u3000ª\xa0\u2028+1_0\u1680",
        "x\xa0\u2028--> c\n/a/g\xa0in\u2003b",
        "async\u2028x=>1\u2029\u2028/a/g\u2028in b\u2029--> c",
        "let\u2028é\u2029[a]=b\xa0\u2028return\u2028",
    ),
    "javascriptreact": ("<a-\xa0b\u3000=''>c\xa0</a-\u2003>", "<a\u2028b\u2029=''>c\u2028</a\u2028>"),
    "typescript": (
        "type\xa0a\u2003= b\xa0\u2028let\u200bc",
        "f<a\u3000>(b)",
        "let a: b\u2028type\xa0c\u2029= 1\u2028",
    ),
    "typescriptreact": ("<a\xa0, >(b\u205f: c) => d",),
}
SPOILT = {
    "javascript": ("throw\xa0\u2028a", "throw\u2029a", "a\u2028=> b", "a\xa0b", "a\u3001", "1\u2028=1"),
    "javascriptreact": ("<a\xa0<",),
    "typescript": ("type\xa0\u2028a = b[]", "abstract\u2028class", "1\xa0a"),
    "typescriptreact": ("x\xa0<y\xa0/>",),
}


def middles(language: str, text: str) -> list[tuple[bytes, bytes, bool | None]]:
    """All small holes, cut between bytes: middle, right context, and whether the whole is a member; None if
    the middle cannot be typed."""
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


def fits(left: bytes, right: bytes) -> bool:
    """Whether both sides together are a file of JavaScript."""
    try:
        return Language.load("javascript").recognizer(left, right).is_member()
    except (NoCompletion, EncodingError):
        return False


@pytest.mark.parametrize(
    ("right", "symbols"), [("= 1", ("x",)), ("\xa0= 1", ("x",)), ("", ("x", "if", "1", "/a/", "x\xa0+é"))]
)
def test_no_letter_is_lost(right: str, symbols: tuple[str, ...]) -> None:
    """Half a character is completed to a letter or to a blank, whatever follows."""
    javascript = Language.load("javascript")
    for half in (one.encode() + lead for one in symbols for lead in (b"\xc2", b"\xe2", b"\xe2\x80", b"\xe3")):
        recognizer = javascript.recognizer("", right)
        assert recognizer.advance(half)
        assert not recognizer.is_member()
        text = half + recognizer.witness().encode(errors="surrogateescape")
        assert judged.fault("javascript", text.decode() + right) is None, text


def test_half_a_line_end_is_none() -> None:
    """Behind a symbol that ended in the middle of a character comes a line end, and nothing else."""
    for left in (b"x", b"1", b"/a/", "é\xa0+y".encode()):
        for behind in (b"", b"+y", b" ", b"\xaa"):
            assert not fits(left, b"\xe2\x80" + behind)
            assert not fits(left + b"\xe2\x80", behind)
            assert not fits(left + b"\xe2", b"\x80" + behind)
        for behind in (b"\xa8", b"\xa9+y", b"\xa9\xe2\x80\xa8y"):
            assert fits(left, b"\xe2\x80" + behind)
            assert fits(left + b"\xe2\x80", behind)
            assert fits(left + b"\xe2", b"\x80" + behind)


TOKENS = (
    *(b"\xe2", b"\xe2\x80", b"\x80", b"\xa8", b"\xa9", b"\xa8y", b"\xa9=", b"\x80\xa8"),
    *(b"y", b" ", b"=", b"=>", b";"),
    *(text.encode() for text in ("x\u2028", "\u2028y", "\u2029=> ", "y\u2028\u2029", "\u2028--> y")),
)
LEFTS = (
    *(b"", b"x", b"x\xe2", b"x\xe2\x80", b"x\xe2\x80\xa8"),
    *(b"throw", b"throw\xe2\x80", b"1\xe2\x80", b"/a/g\xe2"),
)


@pytest.mark.parametrize("left", LEFTS)
def test_masks_are_what_can_be_read(left: bytes) -> None:
    vocabulary = Vocabulary(list(TOKENS))
    for right in (b"", b"=1", "\u2028y".encode(), b"\xa8y", b"\x80\xa9+y"):
        try:
            recognizer = Language.load("javascript").recognizer(left, right)
        except (NoCompletion, EncodingError):
            continue
        mask = int(recognizer.mask(vocabulary)[0])
        allowed = {token for index, token in enumerate(TOKENS) if mask >> index & 1}
        assert allowed == {token for token in TOKENS if recognizer.fork().advance(token)}, right


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", "throw\xa0\u2028"),
        ("javascript", "throw\u2029"),
        ("typescript", "async of\xa0\u2029"),
        ("typescript", "async of\u2029"),
    ],
)
def test_a_line_end_behind_them_is_one(language: str, text: str) -> None:
    """Nothing may follow these words and a line end, wherever the line end was cut."""
    with pytest.raises(NoCompletion):
        Language.load(language).recognizer(text)
