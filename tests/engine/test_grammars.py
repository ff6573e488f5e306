"""Grammars are data: the laws also hold for JSON and the calculator, with other judges."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotient import Language, NoCompletion
from tests.laws.oracle import is_json
from tests.reference.reference import Reference

JSON = Language.load("json")
CALCULATOR = Language.load("calculator")
JSON_PIECES = (
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "a",
    "\\",
    "u00e9",
    "1",
    "0",
    "-",
    ".",
    "e",
    "true",
    "null",
    " ",
)
CALCULATOR_PIECES = ("a", "1", ".", "+", "-", "*", "(", ")", ",", " ")


def texts(pieces: tuple[str, ...], longest: int) -> st.SearchStrategy[str]:
    """All texts of at most `longest` pieces."""
    return st.lists(st.sampled_from(pieces), max_size=longest).map("".join)


@given(texts(JSON_PIECES, 5), texts(JSON_PIECES, 5), texts(JSON_PIECES, 5))
def test_json_as_python_reads_it(left: str, middle: str, right: str) -> None:
    try:
        recognizer = JSON.recognizer(left, right)
    except NoCompletion:
        assert not is_json(left + middle + right)
        return
    assert is_json(left + recognizer.witness() + right)
    advanced = recognizer.advance(middle)
    assert (advanced and recognizer.is_member()) == is_json(left + middle + right)
    if advanced:
        assert is_json(left + middle + recognizer.witness() + right)


@pytest.mark.parametrize(
    ("left", "right"), [("", ""), ("a+", "*(1)"), ("f(", ",1)"), ("(1.", "))"), ("-", "-1")]
)
def test_every_short_calculation(left: str, right: str) -> None:
    """All texts of up to four pieces: members are the reference's, and prefixes of members are
    completable."""
    reference = Reference.load("calculator")
    texts = {"".join(pieces) for n in range(5) for pieces in product(CALCULATOR_PIECES, repeat=n)}
    valid = {text for text in texts if reference.is_valid(left + text + right)}
    empty = CALCULATOR.recognizer(left, right)
    alive = {text for text in texts if empty.fork().advance(text)}
    members = set()
    for text in alive:
        recognizer = empty.fork()
        recognizer.advance(text)
        if recognizer.is_member():
            members.add(text)
        if len(text) < 3:
            assert reference.is_valid(left + text + recognizer.witness() + right)
    assert members == valid
    assert {text[:length] for text in valid for length in range(len(text) + 1)} & texts <= alive


def test_a_grammar_from_text() -> None:
    language = Language.from_lark('start: "a" start "b" | "c"', start="start", layout="none")
    recognizer = language.recognizer("aa", "b")
    assert recognizer.advance("a")
    assert len(recognizer.witness()) == 3
    assert recognizer.advance("cbb")
    assert recognizer.is_member()
    assert not recognizer.advance("b")


@pytest.mark.parametrize("text", ["", "start: missing", "start: (", "start: /(/", "other: start"])
def test_a_broken_grammar_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Language.from_lark(text, start="start", layout="none")


def test_deep_nesting_neither_overflows_nor_explodes() -> None:
    deep = 20_000
    recognizer = JSON.recognizer("[" * deep, "]" * deep)
    assert recognizer.is_member()
    assert recognizer.advance("[1, ")
    assert len(recognizer.witness()) == 2


@pytest.mark.parametrize(
    ("string", "quotes"), [(r'/"([^"\\]|\\.)*"/', '"'), ("/'[^']*'/", "'"), ("/`[^`]*`/", "`")]
)
def test_names_of_characters_are_python_s_alone(string: str, quotes: str) -> None:
    language = Language.from_lark(f"start: STRING\nSTRING: {string}\n", start="start", layout="none")
    for text in ("a + b", r"\N{no name}", r"\N{", "{a}"):
        assert language.recognizer(quotes + text, quotes).is_member()
        assert language.recognizer(quotes, text + quotes).is_member()


def test_strings_beside_lines_need_not_know_names() -> None:
    text = """
start: STRING NEWLINE
STRING: /"([^"\\\\\\n]|\\\\.)*"/
%declare NEWLINE INDENT DEDENT
"""
    language = Language.from_lark(text, start="start", layout="python")
    assert language.recognizer('"\\N{no name', '"\n').is_member()
