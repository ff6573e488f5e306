"""The reference on languages that are small enough for other judges: JSON, the calculator, tiny grammars."""

from __future__ import annotations

import random

import pytest

from tests.laws.oracle import is_json
from tests.reference.automata import Automaton
from tests.reference.completions import completion, short_texts
from tests.reference.earley import RuleAutomata, is_sentence
from tests.reference.lexing import LexicalError
from tests.reference.reference import Reference
from tests.thoroughness import n_tries

JSON = Reference.load("json")
CALCULATOR = Reference.load("calculator")
DOCUMENTS = (
    '{"a": [1, 2.5e-3, -0, true, false, null], "b": {"c": ""}}',
    '["\\\\u00e9\\\\n\\\\"", "\\\\\\\\", "é😀\\x7f"]',
    " \\t\\r\\n[ ] ",
    "-12.75E+20",
)
JSON_CHARACTERS = '{}[]:,"\\\\/ bfnrtue0123456789+-.Etrufalsn\\t\\n\\x0b\\x1fé'


def test_json_agrees_with_python_on_spoilt_documents() -> None:
    generator = random.Random(1)
    accepted = 0
    n_documents = n_tries(5_000, 20_000)
    for _ in range(n_documents):
        text = generator.choice(DOCUMENTS)
        for _ in range(generator.randrange(4)):
            place = generator.randrange(len(text) + 1)
            text = text[:place] + generator.choice(JSON_CHARACTERS) + text[place + generator.randrange(2) :]
        assert JSON.is_valid(text) == is_json(text), text
        accepted += is_json(text)
    assert accepted > n_documents // 10


@pytest.mark.parametrize(
    "text", ["", "01", "1.", "+1", "nul", "[1,]", '{"a":1,}', "{1:2}", '"\\x00"', "\\ufeff1", "1 2"]
)
def test_what_json_refuses(text: str) -> None:
    assert not JSON.is_valid(text)
    assert not is_json(text)


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("1+2", True),
        ("f(1, x)(y)", True),
        ("--1", True),
        ("(a)(b)", True),
        ("2^-3*4", True),
        ("f()", True),
        ("f(,)", False),
        ("f(1,)", False),
        ("1.", False),
        ("1 2", False),
        ("+1", False),
        ("", False),
        ("(1", False),
    ],
)
def test_calculator(text: str, valid: bool) -> None:
    assert CALCULATOR.is_valid(text) is valid


class Calculation:
    """A recursive descent over a text without spaces: a judge that shares no code with the reference."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def skip(self, characters: str) -> bool:
        found = self.position < len(self.text) and self.text[self.position] in characters
        self.position += found
        return found

    def is_whole(self) -> bool:
        return self.expression() and self.position == len(self.text)

    def expression(self) -> bool:
        while self.operand():
            if not self.skip("+*-"):
                return True
        return False

    def operand(self) -> bool:
        while self.skip("-"):
            pass
        if self.skip("("):
            if not (self.expression() and self.skip(")")):
                return False
        elif self.skip("a"):
            while self.skip("a1"):
                pass
        elif self.skip("1"):
            while self.skip("1"):
                pass
        else:
            return False
        while self.skip("("):
            if not self.skip(")") and not self.arguments():
                return False
        return True

    def arguments(self) -> bool:
        while self.expression():
            if self.skip(")"):
                return True
            if not self.skip(","):
                return False
        return False


def test_every_short_calculation() -> None:
    for text in short_texts("a1(),*-", 6):
        assert CALCULATOR.is_valid(text) == Calculation(text).is_whole(), text


@pytest.mark.parametrize(
    ("left", "typed", "right", "text"),
    [
        ("a(", "1", ")", ""),
        ("a(", "1,", ")", "a"),
        ("a(", "(", ")", "a)"),
        ("(", "a", "))", "("),
        ("", "", "1 1", None),
        ("a", ")", "", None),
        ("((", "", "", "a))"),
    ],
)
def test_completions_of_calculations(left: str, typed: str, right: str, text: str | None) -> None:
    assert completion(CALCULATOR, left, typed, right, "a1(),+-", 4) == text


TINY = {
    # Left recursion, a rule that matches the empty text, and one that contains only itself and the empty
    # text.
    "sum": {"alt": [{"seq": ["sum", "+", "empty", "x"]}, "x"]},
    "empty": {"opt": "blank"},
    "blank": {"alt": [{"seq": []}, "empty"]},
}


@pytest.mark.parametrize(
    ("symbols", "valid"),
    [("x", True), ("x+x+x", True), ("", False), ("+x", False), ("x+", False), ("xx", False)],
)
def test_earley_with_left_recursion_and_empty_rules(symbols: str, valid: bool) -> None:
    rules = RuleAutomata({"rules": [{"name": name, "body": body} for name, body in TINY.items()]})
    assert is_sentence(rules, "sum", symbols) is valid


def test_an_automaton_reads_its_expression() -> None:
    automaton = Automaton({"seq": [{"plus": "a"}, {"opt": "b"}, {"star": {"alt": ["c", "d"]}}]})

    def is_read(text: str) -> bool:
        state = automaton.start
        for character in text:
            state = automaton.step(state, character.__eq__)
        return automaton.is_accepting(state)

    for text in short_texts("abcd", 4):
        stripped = text.lstrip("a")
        rest = stripped.removeprefix("b")
        assert is_read(text) == (stripped != text and not set(rest) - {"c", "d"}), text


def terminals(*patterns: tuple[str, str, str, int]) -> Reference:
    return Reference(
        {
            "start": "start",
            "layout": "none",
            "ignore": [],
            "rules": [{"name": "start", "body": {"star": {"alt": [name for name, *_ in patterns]}}}],
            "terminals": [
                {"name": name, "kind": kind, "pattern": pattern, "priority": priority}
                for name, kind, pattern, priority in patterns
            ],
        }
    )


def test_the_longest_match_wins_then_literals_then_priority() -> None:
    reference = terminals(
        ("word", "regex", "[a-z]+", 0),
        ("if", "literal", "if", 0),
        ("number", "regex", "[0-9]+", 0),
        ("small", "regex", "[0-9]", 1),
    )
    assert list(reference.symbols("if12if3iff")) == ["if", "number", "if", "small", "word"]


def test_there_is_no_way_back_to_a_shorter_match() -> None:
    reference = terminals(("number", "regex", "[0-9]+(?:\\.[0-9]+)?", 0), ("dots", "literal", "..", 0))
    assert list(reference.symbols("1.5..2")) == ["number", "dots", "number"]
    with pytest.raises(LexicalError):
        list(reference.symbols("1..2"))
