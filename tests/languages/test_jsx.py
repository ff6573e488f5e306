"""JavaScript with JSX, by the engine and the slow reference, against acorn: constructs, and damaged texts."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from fim_lsp.dialects import read_as
from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import language_named
from tests.languages import judged
from tests.laws import jsx, npm_files
from tests.laws.corrupt import corrupted
from tests.laws.oracle import Verdict
from tests.membership import is_member
from tests.thoroughness import n_tries

VALID = {
    "tags": [
        "<a/>",
        "<a></a>",
        "<></>",
        "<a.b.c/>",
        "<a:b></a:b>",
        "<a-b-/>",
        "<this.a/>",
        "< a / >",
        "<if/>",
    ],
    "attributes": [
        "<a b c={d} e='\"' f=\"'\\\"/>",
        "<a b='\n'/>",
        "<a b:c-d = 'e'/>",
        "<a {...b} c=<d/> e=<></>/>",
        "<if for='while'/>",
        "<a /* b */ c // d\n/>",
    ],
    "text": ["<a>it's `b` \\ // /* \" &amp; =</a>", "<a> \n </a>", "<a>b<c/> d <e></e>f</a>", "<a>/</a>"],
    "containers": [
        "<a>{b}{ c }{/* d */}{}</a>",
        "<a>{b, c}</a>",
        "<a>{<b>{c}</b>}{...d}</a>",
        "<a>{`}${<b>`</b>}`}</a>",
        "<a b={() => { return <c/> }}>{d => <e>{d}</e>}</a>",
        "<a>{'}'}</a>",
    ],
    "operands": [
        "a ? <b/> : <c/>",
        "a && <b/> || -<c/>",
        "<a/> > b",
        "<a/>>>b",
        "<a/>>=b",
        "<a/>.b < c",
        "a < <b/>",
        "x = <a/>\ny",
        "x = () => {}\n<a/>",
        "class A extends <a/> {}",
        "new <a/>.b()",
    ],
}
INVALID = {
    "tags": ["<a>", "</a>", "<a", "<a b/", "<a></>", "<></a>", "<a:b.c/>", "<a.b:c/>", "<- a/>", "<a b/c>"],
    "attributes": ["<a b=c/>", "<a b={}/>", "<a {b}/>", "<a 'b'/>", "<a b - c/>", "< {...a}></>"],
    "text": ["<a>></a>", "<a>}</a>", "<a>{</a>", "<a><!-- b --></a>"],
    "containers": ["<a>{b</a>", "<a>{b c}</a>", "<a>{b;}</a>", "<a>{,}</a>", "<a b={c, d}e/>}"],
    "operands": [
        "<a/><b/>",
        "<a/>\n<b/>",
        "<a/> < b",
        "a => {}.b ** <c/>",
        "function () {} ** <a/>",
        "-<a/> < b",
        "a ** <b/> < c",
        "a\n<b/>",
        "a++\n<b/>",
        "-<a/> ** 2",
        "<a/> = b",
        "<a/>++",
        "<a/> b",
    ],
}  # fmt: skip

reference = cache(npm_files.reference)


@pytest.mark.parametrize("kind", VALID)
def test_what_parses(kind: str) -> None:
    for text in VALID[kind]:
        assert is_member("javascriptreact", text), text
        assert reference("javascriptreact").is_valid(text), text
        assert judged.verdict("javascriptreact", text) is not Verdict.INVALID, text


@pytest.mark.parametrize("kind", INVALID)
def test_what_does_not(kind: str) -> None:
    for text in INVALID[kind]:
        assert not is_member("javascriptreact", text), text
        assert not reference("javascriptreact").is_valid(text), text
        assert judged.verdict("javascriptreact", text) is not Verdict.VALID, text


def test_plain_javascript_has_no_elements() -> None:
    for texts in VALID.values():
        for text in texts:
            assert not is_member("javascript", text), text


def test_the_names_of_two_tags_are_not_compared() -> None:
    assert is_member("javascriptreact", "<a></b>")
    assert judged.verdict("javascriptreact", "<a></b>") is Verdict.BEYOND_LIMITS


def test_spoilt_texts() -> None:
    random = Random("spoilt")
    counts = {True: 0, False: 0}
    n_texts = n_tries(100, 300)
    for _ in range(n_texts):
        text = random.choice((*jsx.PROGRAMS, *jsx.WORDS.statements[-120:]))
        text = corrupted(random, text, random.choice(jsx.PROGRAMS), jsx.WORDS)
        verdict = judged.verdict("javascriptreact", text)
        if verdict is not Verdict.BEYOND_LIMITS:
            is_valid = verdict is Verdict.VALID
            assert is_member("javascriptreact", text) is is_valid, text
            assert reference("javascriptreact").is_valid(text) is is_valid, text
            counts[is_valid] += 1
    assert min(counts.values()) > n_texts // 6


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("x = <a/>", "javascriptreact"),
        ("x = <a>b</a> +", "javascriptreact"),
        ("x = '</a>'", "javascript"),
        ("x = a </b>/.c", "javascript"),
        ("x = a < b", "javascript"),
        ("x = <a", "javascript"),
    ],
)
def test_which_texts_of_javascript_have_elements(text: str, name: str) -> None:
    assert read_as(language_named("javascript"), text).name == name


def test_a_document_turns_when_an_element_is_written() -> None:
    whole = "x = 1\ny = 2\n"
    text = WorkerText(SentText("file:///a.js", 0, "3.11", whole, language="javascript"), whole)
    for offset, written in (
        (0, "const "),
        (len("const x = "), "<a b={c}>"),
        (len("const x = <a b={c}>"), "</a>; "),
    ):
        text.edit(SentEdit(offset, offset, written))
    assert text.known_language.name == "javascriptreact"
    assert text.engine.recognizer(len(text.text)).is_member()
    assert text.engine.recognizer(text.text.index("c}"), text.text.index("}")).advance("d < e")


def test_early_errors_are_left_open() -> None:
    for text in ("import 'a'\n;<b>{00}</b>", "import 'a'\n;<b c={09.5}/>", "let a, a; <b/>"):
        assert is_member("javascriptreact", text), text
        assert judged.verdict("javascriptreact", text) is Verdict.BEYOND_LIMITS, text


def test_the_judge_reads_what_is_no_element_as_it_does_in_javascript() -> None:
    for text in ("new import(a)", "for (var a = b => c in d;;);", "for (a => b in c;;);"):
        assert not is_member("javascriptreact", text), text
        assert judged.verdict("javascriptreact", text) is not Verdict.VALID, text


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("<<!-- b\na/>", False),
        ("x = <<!-- b\n>c</>", False),
        ("x = <a b=<<!-- c\nd/>/>", False),
        # Between tags one symbol ends with the `<`.
        ("<a><<!-- b\nc/></a>", True),
    ],
)
def test_a_comment_of_html_directly_behind_the_first_sign_of_a_tag_is_left_open(
    text: str, is_read: bool
) -> None:
    assert is_member("javascriptreact", text) is is_read
    assert judged.verdict("javascriptreact", text) is Verdict.BEYOND_LIMITS


def test_other_comments_of_html_are_judged() -> None:
    for text in ("< <!-- b\na/>", "<a <!-- b\n/>", "x = <!-- b\n<a/>", "a <<!--b", "<a/> <!-- b"):
        assert is_member("javascriptreact", text), text
        assert judged.verdict("javascriptreact", text) is Verdict.VALID, text
    for text in ("a\n<<!--b\nc/>", "<a/>\n<<!--b\nc/>"):
        assert not is_member("javascriptreact", text), text
        assert judged.verdict("javascriptreact", text) is not Verdict.VALID, text
