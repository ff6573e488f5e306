"""Regular expressions as part of JavaScript's law, compared with V8."""

from __future__ import annotations

import pytest

from fim_lsp.replay import judges
from quotient import Language, Vocabulary
from tests.laws import patterns

OTHERS = ("typescript", "typescriptreact", "javascriptreact")

VALID = [
    # Patterns that annex B allows without `u` and `v`.
    *(
        r"/]/",
        r"/}/",
        r"/{/",
        r"/a{,1}/",
        r"/\c/",
        r"/[\c_-a]/",
        r"/\8/",
        r"/\1/",
        r"/\k/",
        r"/\p{x}/",
        r"/(?=a)*/",
    ),
    *(
        r"/[\d-a]/",
        r"/\u{1}/",
        r"/\u{110000}/",
        r"/\x4/",
        r"/[\B]/",
        r"/\_/",
        r"/a{99999999999,99999999998}/",
    ),
    # Groups with names.
    *(r"/(?<a>b)\k<a>/", r"/\k<a>(?<\u0061>)/", r"/(?<𝐱>b)\k<\ud835\udc31>/", r"/(?<a>b)|(?<a>c)/"),
    r"/(?:(?<a>x)|(?<a>y))\k<a>/",
    # With `u` and `v`.
    *(r"/\u{10ffff}/u", r"/[\-]/u", r"/\p{Lu}\p{scx=Grek}/u", r"/[\ud835\udc31-\ud835\udc32]/u"),
    *(r"/[[a-z]--[b]--\q{c|d}]/v", r"/[a&&\p{L}]/v", r"/\p{RGI_Emoji}/v", r"/[^\q{a}]/v", r"/[^\q{ab}&&a]/v"),
    r"/[a--&]/v",
    # ECMAScript 2025.
    *(r"/(?i:a)/", r"/(?i-ms:a)/", r"/(?-i:a)/u"),
]
INVALID = [
    *(r"/(/", r"/)/", r"/a**/", r"/^*/", r"/[b-a]/", r"/a{2,1}/", r"/(?<=a)*/", r"/(?a)/", r"/[𝐱-𝐲]/"),
    *(
        r"/(?<a>b)(?<a>c)/",
        r"/(?<a>b)\k/",
        r"/(?<a>b)\k<c>/",
        r"/(?<1>b)/",
        r"/(?<a>(?<a>b)|c)/",
        r"/(?<a>[\k])/",
    ),
    *(
        r"/]/u",
        r"/}/u",
        r"/{/u",
        r"/a{,1}/u",
        r"/\c/u",
        r"/\1/u",
        r"/\k/u",
        r"/\p{x}/u",
        r"/(?=a)*/u",
        r"/[\d-a]/u",
    ),
    *(
        r"/\u{110000}/u",
        r"/\x4/u",
        r"/\_/u",
        r"/\-/u",
        r"/\00/u",
        r"/[\1]/u",
        r"/\p{RGI_Emoji}/u",
        r"/\p{Hrkt}/u",
    ),
    *(
        r"/[a&&b--c]/v",
        r"/[a-z&&b]/v",
        r"/[(]/v",
        r"/[&&]/v",
        r"/[^\q{ab}]/v",
        r"/\P{RGI_Emoji}/v",
        r"/[a-]/v",
    ),
    *(r"/(?ii:a)/", r"/(?i-i:a)/", r"/(?-:a)/", r"/(?g:a)/", r"/a/gg", r"/a/uv", r"/a/x"),
]


@pytest.mark.parametrize("literal", VALID)
def test_a_literal_is_taken(literal: str) -> None:
    assert patterns.engine_fault(literal) is None


@pytest.mark.parametrize("literal", INVALID)
def test_a_literal_is_refused(literal: str) -> None:
    said = patterns.engine_fault(literal)
    assert said is not None
    assert said != "the grammar refuses it"


def test_the_law_says_what_v8_says() -> None:
    try:
        found = patterns.differences(patterns.made_ones("test", 3000))
    except judges.NoJudge as why:
        pytest.skip(str(why))
    assert found == []


@pytest.mark.parametrize("language", OTHERS)
def test_where_no_early_errors_are_read_literals_are(language: str) -> None:
    for literal in VALID:
        assert patterns.engine_fault(literal, language) is None, literal
    for literal in INVALID:
        said = patterns.engine_fault(literal, language)
        assert said is not None, literal
        assert said != "the grammar refuses it"


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    ("left", "text", "right", "is_right"),
    [
        # The literal is inside the hole, with text behind it.
        ("let a = ", "/b/.test(c) / d", ";", True),
        ("let a = ", "/(/.test(c)", ";", False),
        ("let a = b / ", "/(/.test(c)", ";", False),
        ("let a = b", "/ (c) / (d)", ";", True),
        ("let a = ", "`${/(/}`", ";", False),
        ("let a = ", "'/(/'", ";", True),
        ("let a = 1; ", "// /(/", "\n", True),
        # The literal begins in front of the hole, ends behind it, or both.
        ("let a = /b", "(", "/;", False),
        ("let a = /b", "(", ")/;", True),
        ("let a = b / c; d = /e\\/", "[", "]/u;", True),
        ("let a = /(", "b/", ";", False),
        ("let a = /[b", "-a]/", ";", False),
        ("let a = ", "/b/g", "g;", False),
        ("let a = ", "/b/g", "i\xa0;", True),
        ("let a = /b/", "u", "v;", False),
        # A fault outside the text belongs to its author.
        ("let a = /(", "b", "/;", True),
        ("let a = /(/; ", "b", ";", True),
    ],
)
def test_both_contexts_count(language: str, left: str, text: str, right: str, is_right: bool) -> None:
    loaded = Language.load(language)
    vocabulary = Vocabulary([b"<end>", b";"], eos=0)
    recognizer = loaded.recognizer(left, right, names=())
    for sign in text:
        assert recognizer.advance(sign)
    assert recognizer.without_names().is_member()
    assert recognizer.is_member() == is_right
    assert bool(recognizer.mask(vocabulary)[0] & 1) == is_right
    at_once = loaded.recognizer(left, right, names=())
    assert at_once.advance(text)
    assert at_once.is_member() == is_right
    begun = loaded.recognizer(left + text, right, names=())
    assert begun.is_member()
    witness = loaded.recognizer(left, right, names=()).witness()
    assert witness is None or loaded.recognizer(left, right).advance(witness)
