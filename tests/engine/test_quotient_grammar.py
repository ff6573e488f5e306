"""The hole's grammar, written out: the quotient paper's examples."""

from pathlib import Path

import pytest

from quotient import GrammarWarning, Language

CALLS = """
expr: ID | call
call: expr LPAR args RPAR
args: [expr argcont]
argcont: [COMMA expr argcont]
ID: /[a-z]+/
LPAR: "("
RPAR: ")"
COMMA: ","
"""

# The paper's figure 9: suites of `if`, and a statement without effect.
SUITES = """
file: stmt*
stmt: "pass" NEWLINE | "if" NAME ":" block
block: NEWLINE INDENT stmt+ DEDENT
NAME: /[a-z]+/
%declare NEWLINE INDENT DEDENT
"""

# The paper's figure 3 parses a regular language with a grammar of one nonterminal.
PAIRS = """
s: "a" s "b" |
"""


@pytest.fixture(scope="module")
def calls() -> Language:
    return Language.from_lark(CALLS, start="expr")


@pytest.fixture(scope="module")
def suites() -> Language:
    # Lark would end `if` in front of a letter.
    with pytest.warns(GrammarWarning, match="'ifa' goes on with NAME"):
        return Language.from_lark(SUITES, start="file", layout="python")


def rules_of(grammar: str) -> dict[str, str]:
    rules: dict[str, str] = {}
    for line in grammar.replace("\n    |", " |").splitlines():
        name, _, body = line.partition(" -> " if " -> " in line else " => ")
        rules[name] = body
    return rules


def test_the_left_quotient_of_an_unfinished_call(calls: Language) -> None:
    # Section IV: the missing text behind "foo(a,". The paper's indices count symbols, ours count open places.
    assert rules_of(calls.recognizer("foo(a,", "").grammar()) == {
        "<root>!0~0": "expr!0 $",
        "expr!0": "call!0",
        "call!0": 'expr!0 "(" (")" | args ")") | args!1 ")"',
        "args!1": "argcont!2",
        "argcont!2": "expr [argcont]",
    }


def test_the_right_quotient_of_the_end_of_a_call(calls: Language) -> None:
    grammar = rules_of(calls.recognizer("", ",a)").grammar())
    assert grammar["call~2"] == 'expr "(" args~0'
    assert grammar["args~0"] == "expr $ | expr argcont~1"
    assert all("!" not in name or name.startswith("<root>") for name in grammar)


def test_one_nonterminal_from_both_sides() -> None:
    pairs = Language.from_lark(PAIRS, start="s")
    recognizer = pairs.recognizer("aa", "bbb")
    # Figure 3's construction: each open S is completed by the rest of its item.
    assert recognizer.grammar().splitlines()[0].startswith("s")
    assert [recognizer.fork().advance(text) for text in ("a", "ab", "aab", "b")] == [True, False, True, False]
    assert recognizer.advance("a")
    assert recognizer.is_member()


@pytest.mark.parametrize(
    ("middle", "member"),
    [
        # Figure 9: the same right context has two readings as a stream of symbols.
        ("if foo:\n  if bar:\n    pass", True),
        ("if foo:", True),
        ("if foo:\n if bar:\n  pass", True),
        ("if foo:\n if bar:\n   pass", False),
        # Figure 10, top: the right context's line is no deeper than the line in front of it.
        ("if foo:\n  if foo:", False),
        ("pass", False),
    ],
)
def test_one_right_context_two_streams(suites: Language, middle: str, member: bool) -> None:
    recognizer = suites.recognizer("", "\n  pass\n")
    assert (recognizer.advance(middle) and recognizer.is_member()) == member


def test_columns_are_part_of_the_grammar(suites: Language) -> None:
    grammar = suites.recognizer("if foo:\n  if bar:\n", "\n  pass\n").grammar()
    assert "{column = 2}" in grammar
    assert "{column >= 3}" in grammar


def test_the_documentation_shows_what_is_printed(calls: Language, suites: Language) -> None:
    text = (Path(__file__).parents[2] / "docs" / "quotient.md").read_text(encoding="utf-8")
    for recognizer in (
        calls.recognizer("foo(a,", ""),
        calls.recognizer("", ",a)"),
        suites.recognizer("if foo:\n", "\n  pass\n"),
    ):
        assert recognizer.grammar().strip() in text


def test_a_large_grammar_is_cut_short_and_not_for_ever() -> None:
    grammar = Language.load("python").recognizer("print(", ")").grammar()
    assert "<more of expression>" in grammar
    assert len(grammar) < 100_000
