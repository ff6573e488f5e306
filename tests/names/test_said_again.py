"""Names that must be repeated exactly (`@same`): the classes of a small grammar."""

import random

import pytest

from quotient import Language, NoCompletion, Vocabulary
from quotient.compiler.faults import GrammarError
from quotient.compiler.reader import description
from tests.grammar.beside_lark import fits, is_member
from tests.masks import law
from tests.thoroughness import n_tries

SMALL = """
// @start file
// @same CLASS MAKER = NAME "open"
file: class*
class: "class" CLASS head* "{" (class | maker | NAME NAME ";")* "}"
head: "(" class ")"
maker: MAKER "(" ")"
NAME: /[a-z]+/
%declare CLASS MAKER
%ignore " "
"""
TEXTS = {
    "class a{a()}": True,
    "class a{b()}": False,
    "class a{ab()}": False,
    "class ab{a()}": False,
    "class open{open()}": True,
    "class opens{open()}": False,
    "class a{class b{b()}a()}": True,
    "class a{class b{a()}a()}": False,
    "class a{class b{b()}b()}": False,
    "class a(class b{b()}){a()}": True,
    "class a(class b{b()}){b()}": False,
    "class a{a a;a()}class b{b()}": True,
    "class a{a()}class b{a()}": False,
}


@pytest.fixture(scope="module")
def small() -> Language:
    return Language.from_lark(SMALL)


@pytest.mark.parametrize(("text", "expected"), TEXTS.items())
def test_wherever_the_hole_is(small: Language, text: str, expected: bool) -> None:
    document = small.document(text)
    for start in range(len(text) + 1):
        for stop in range(start, len(text) + 1):
            left, middle, right = text[:start], text[start:stop], text[stop:]
            assert fits(small, left, middle, right) is expected, (left, middle, right)
            try:
                recognizer = document.recognizer(start, stop)
            except NoCompletion:
                assert not expected, (left, middle, right)
                continue
            witness = recognizer.witness()
            assert fits(small, left, witness, right), (left, witness, right)
            assert is_member(small, left + witness + right), (left, witness, right)


def test_what_is_begun_can_always_be_ended(small: Language) -> None:
    source = random.Random(1)
    pieces = ["a", "b", "ab", "open", "class ", "{", "}", "()", " ", ";", "(", ")"]
    n_begun = 0
    n_holes = n_tries(150, 400)
    for _ in range(n_holes):
        text = source.choice([*TEXTS])
        start, stop = sorted(source.randrange(len(text) + 1) for _ in range(2))
        try:
            recognizer = small.recognizer(text[:start], text[stop:])
        except NoCompletion:
            continue
        typed = ""
        for piece in source.choices(pieces, k=6):
            if recognizer.advance(piece):
                typed += piece
                n_begun += 1
                whole = text[:start] + typed + recognizer.witness() + text[stop:]
                assert is_member(small, whole), (text[:start], typed, text[stop:])
    assert n_begun > n_holes // 2


@pytest.mark.parametrize(
    ("left", "right", "witness"),
    [
        ("class ", "{foo()foo()}", "foo"),
        ("class f", "oo{foo()}", ""),
        ("class ", "oo{foo()}", "f"),
        ("class foo{f", "oo()}", ""),
        ("class foo{", "oo()foo()}", "f"),
        ("class foo{", "()}", "foo"),
        ("class ", "oo()}", "a{"),
    ],
)
def test_witnesses_say_what_is_needed(small: Language, left: str, right: str, witness: str) -> None:
    found = small.recognizer(left, right).witness()
    assert len(found) >= len(witness)
    assert fits(small, left, found, right)
    if witness != "a{":
        assert found == witness


@pytest.mark.parametrize(
    ("left", "right"),
    [("class a{b()", "}"), ("", "class a{b()}"), ("class ", "{foo()bar()}"), ("class a(class b{a(", "")],
)
def test_where_no_name_will_do(small: Language, left: str, right: str) -> None:
    with pytest.raises(NoCompletion):
        small.recognizer(left, right)


def test_masks_read_what_tables_cannot_know(small: Language) -> None:
    parts = ["", "a", "b", "ab", "open", "class a", "{", "}", "()", " "]
    tokens = sorted(
        {one + two + three for one in parts for two in parts for three in ("", "(", "{", "b")} - {""}
    )
    vocabulary = Vocabulary([token.encode() for token in tokens])
    source = random.Random(2)
    n_places = 0
    for _ in range(60):
        text = source.choice([text for text, expected in TEXTS.items() if expected])
        start, stop = sorted(source.randrange(len(text) + 1) for _ in range(2))
        recognizer = small.recognizer(text[:start], text[stop:])
        for character in (*text[start:stop][:3], None):
            n_places += 1
            assert not law.differences(recognizer, vocabulary), (text[:start], text[stop:])
            if character is not None:
                assert recognizer.advance(character)
    assert n_places > 100


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("CLASS MAKER = NAME", "CLASS MAKER", "`@same` is possible"),
        ("MAKER = NAME", "OTHER = NAME", "a directive names the unknown terminal OTHER"),
        ("= NAME", "= WORD", "a directive names the unknown terminal WORD"),
    ],
)
def test_directives_that_make_no_sense(old: str, new: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        description(SMALL.replace(old, new))


# Beside refused directives: Lark would read such rules differently.
@pytest.mark.filterwarnings("ignore::quotient.GrammarWarning")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"}"\nhead', 'end\nend: "}" end?\nhead', "does not end with a terminal of its own"),
        ('"}"\nhead', '"}" NAME?\nhead', "may go on behind its end"),
        ("CLASS head*", "CLASS CLASS head*", "has another one"),
    ],
)
def test_rules_that_do_not_say_where_a_name_holds(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Language.from_lark(SMALL.replace(old, new))
