"""Other packages' grammars whose terminals depend on their place, compared with Lark's contextual lexer."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from itertools import combinations_with_replacement
from typing import Literal

import pytest
from lark import Lark

from quotient import GrammarError, GrammarWarning, Language, NoCompletion
from quotient.lark_meaning.lr_states import bits, grammar_of, places_of_states, places_together
from tests.grammar.beside_lark import fits, is_member, is_read, texts

# Each grammar has the pieces of its texts, and their number in a text.
GRAMMARS = {
    "a string's text is none outside of it": (
        (
            'start: (NAME | string | "(" start ")")+\nstring: "\\"" (TEXT | "${" start "}")* "\\""\n'
            'TEXT.1: /[^"$]+/\nNAME: /[a-z]+/\n%ignore " "'
        ),
        '"~${~}~a~ ~(~)',
        5,
    ),
    "a keyword behind a point is a name": (
        'start: "if" N ";" | x\nx: N ("." N)*\nN: /[a-z]+/\n%ignore " "',
        "if~.~;~ ~f",
        5,
    ),
    "a keyword ends where no name may stand": (
        'start: N "if" N\nN: /[a-z]+/\n%ignore " "',
        "if~a~ ~f~i",
        5,
    ),
    "a sign is none of a number behind a number": (
        'start: x (("-" | "+") x)*\nx: N | "-" "(" start ")"\nN: /-?[0-9]+/\n%ignore " "',
        "-~1~ ~(~)",
        6,
    ),
    "the text of a tag and its names": (
        (
            'start: "{" (TEXT | tag)* "}"\ntag: "<" N (N "=" V)* ">" (TEXT | tag)* "</" N ">"\n'
            'N: /[a-z]+/\nV: /[a-z0-9]+/\nTEXT: /[^<}]+/\n%ignore / /'
        ),
        "<a>~</a>~ ~<a a=1>~a~{~}",
        7,
    ),
    "an operator of two letters or two of one": (
        'start: "<" t ">" | start ">>" "x"\nt: "a" | "<" t ">"',
        "<~>~a~x",
        7,
    ),
    "a line's end behind a list and in it": (
        'start: (item NL)*\nitem: "a" | "[" (NL | "a")* "]"\nNL: /\\n[ ]*/\n%ignore / +/',
        "a~[~]~\n~ ",
        6,
    ),
    "a fraction that does not come": (
        'start: (I | F) ("." W)* (".." I)?\nI: /[0-9]+/\nF: /[0-9]+\\.[0-9]+/\nW: /[a-z]+/',
        "1~.~..~a",
        6,
    ),
    "an exponent that does not come": (
        'start: N (W N?)?\nN: /[0-9]+(e[+-]?[0-9]+)?/\nW: /[a-z]+\\+?/',
        "1~e~+~-",
        6,
    ),
    "a comment that may begin with blanks": (
        (
            'start: (W | "/" | NL)+\nW: /[a-z]+/\nNL: /\\n\\s*/\nWS: / +/\n'
            "COMMENT: /\\s*\\/\\/[^\\n]*/\n%ignore WS\n%ignore COMMENT"
        ),
        " ~/~a~\n",
        6,
    ),
    "a word that is tried first": (
        'start: (N | T) ((";" | " ") (N | T)? )*\nT.2: /ab/\nN: /[a-c-]+/',
        "ab~a~c~-~;~ ",
        5,
    ),
    "a sign in front of a number or between two": (
        'start: x (ADD x)*\nx: N | "(" start ")" | SIGN x\nSIGN.-1: "-" | "+"\nADD: "-" | "+"\nN: /[0-9]+/',
        "-~+~1~(~)",
        6,
    ),
    "words with blanks in a list": (
        (
            "start: (NAME value)+\nvalue: INT | list | NAME\n"
            'list: "{" (value | WORDS) ("," (value | WORDS))* "}"\nINT: /[0-9]+/\n'
            'NAME: /[a-z]+/\nWORDS.-1: /[a-z0-9 ]+/\n%ignore " "'
        ),
        "a~ ~{~,~}~1",
        6,
    ),
    "a string that does not end, in a string's text": (
        'start: (A | "<" A* ">")+ Q?\nA: /[ab]/\nQ: "<" A ">>"',
        "a~<~>",
        7,
    ),
}  # fmt: skip


def of_lark(grammar: str, parser: Literal["lalr", "earley"] = "lalr") -> Language:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GrammarWarning)
        return Language.from_lark(grammar, parser=parser)


@pytest.mark.parametrize("name", GRAMMARS)
def test_terminals_are_tried_where_lark_tries_them(name: str) -> None:
    grammar, pieces, longest = GRAMMARS[name]
    language = of_lark(grammar)
    lark = Lark(grammar, parser="lalr")
    n_pieces = pieces.count("~") + 1
    while n_pieces**longest > 8_000:
        longest -= 1
    every = texts(pieces, longest)
    expected = [text for text in every if is_read(lark, text)]
    assert [text for text in every if is_member(language, text)] == expected
    assert 0 < len(expected) < len(every)


@pytest.mark.parametrize("name", GRAMMARS)
def test_holes_in_texts_with_contexts(name: str) -> None:
    grammar, pieces, longest = GRAMMARS[name]
    language = of_lark(grammar)
    lark = Lark(grammar, parser="lalr")
    every = texts(pieces, min(longest, 5))
    read = [text for text in every if is_read(lark, text)]
    chosen = [*read[:: len(read) // 25 + 1], *every[:: len(every) // 60 + 1]]
    for text in chosen:
        verdict = is_read(lark, text)
        for start, end in combinations_with_replacement(range(len(text) + 1), 2):
            left, middle, right = text[:start], text[start:end], text[end:]
            assert fits(language, left, middle, right) == verdict, (left, middle, right)


@pytest.mark.parametrize("name", GRAMMARS)
def test_what_is_completable_has_a_witness_that_lark_reads(name: str) -> None:
    grammar, pieces, longest = GRAMMARS[name]
    language = of_lark(grammar)
    lark = Lark(grammar, parser="lalr")
    every = texts(pieces, min(longest, 4))
    read = [text for text in every if is_read(lark, text)]
    for text in [*read[:: len(read) // 25 + 1], *every[:: len(every) // 60 + 1]]:
        for cut in range(len(text) + 1):
            left, right = text[:cut], text[cut:]
            for known, behind in ((left, ""), ("", right), (left, right[1:])):
                try:
                    recognizer = language.recognizer(known, behind)
                except NoCompletion:
                    assert text not in read or behind == right[1:] != right
                    continue
                assert is_read(lark, known + recognizer.witness() + behind), (known, behind)


def test_an_earley_parser_takes_one_text_for_several_terminals() -> None:
    grammar = (
        'start: (MOVE N | "c" COLOR COLOR?)+\nMOVE: "f" | "b"\nCOLOR: /[a-z]+/\nN: /[0-9]+/\n%ignore " "'
    )
    language = of_lark(grammar, "earley")
    lark = Lark(grammar, parser="earley")
    every = texts("f~b~c~1~ ", 6)[::3]
    expected = [text for text in every if is_read(lark, text) and " " in text]
    found = [text for text in every if is_member(language, text) and " " in text]
    assert set(found) <= set(expected)
    assert {"c b 1", "f 1", "c f b"} & set(every) <= set(found)
    with pytest.warns(GrammarWarning, match="'ca' goes on with COLOR; Lark ends c at 'c', too"):
        Language.from_lark(grammar.replace("COLOR?)", 'COLOR? | COLOR "!")'), parser="earley")


def test_lark_tries_what_can_only_be_wrong() -> None:
    grammar = 'start: tag*\ntag: "<" (TEXT | tag)* ">"\nTEXT: /[^<>]+/\n%ignore / /'
    with pytest.warns(GrammarWarning, match="may be TEXT to Lark, and wrong, where it can only begin"):
        language = Language.from_lark(grammar)
    # Behind an inner tag there may be text, so Lark reads a blank behind the outer one as text.
    assert is_member(language, "<<> > ")
    assert not is_read(Lark(grammar, parser="lalr"), "<<> > ")


def test_a_contextual_terminal_beside_one_that_begins_like_it_is_refused() -> None:
    grammar = (
        'start: "a" (SLASH "b" | EXPRESSION)*\nSLASH: "/"\n'
        "// @contextual EXPRESSION\nEXPRESSION: /\\/x+\\//\n"
    )
    with pytest.raises(
        GrammarError, match="lark:4:1: EXPRESSION is contextual, and SLASH may stand beside it"
    ):
        Language.from_lark(grammar)
    is_told_apart = grammar.replace("| EXPRESSION)*", ")* | EXPRESSION")
    assert is_member(of_lark(is_told_apart), "a/b/b")
    assert fits(of_lark(is_told_apart), "/x", "x", "/")


def test_states_know_what_they_take() -> None:
    bodies = {"start": {"seq": ["a", {"star": {"seq": ["b", "x"]}}]}, "x": {"opt": "c"}, "a": "d"}
    grammar = grammar_of(bodies)  # type: ignore[arg-type]
    states = places_of_states(grammar, "start")
    named = {frozenset(grammar.symbols[place] for place in bits(state.places)) for state in states}
    assert named == {frozenset("d"), frozenset("b"), frozenset("bc")}
    together = {
        frozenset(grammar.symbols[place] for place in bits(one)) for one in places_together(grammar, "start")
    }
    assert named <= together


def test_rules_that_end_where_they_may_go_on_are_told() -> None:
    grammar = 'start: list "a"?\n\nlist: "(" ("a" | "b")* ")" | "c" "a"*\n'
    with pytest.warns(
        GrammarWarning, match="line 3: where list may end or go on with A, Lark always goes on"
    ):
        language = Language.from_lark(grammar.replace('"a"', "A") + 'A: "a"\n')
    assert is_member(language, "ca")
    deep = 'start: (s A)+\ns: B (A | B)*\nA: "a"\nB: "b"\n'
    with pytest.warns(GrammarWarning, match="line 2: where s may end or go on with A, Lark always goes on"):
        language = Language.from_lark(deep)
    assert is_member(language, "ba")
    assert not is_read(Lark(deep, parser="lalr"), "ba")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Language.from_lark(deep, parser="earley")


READING = """
from lark.indenter import PythonIndenter
from pathlib import Path
import lark
from quotient.compiler.description import as_json
from quotient.lark_meaning.meaning import read

path = Path(lark.__file__).parent / "grammars" / "python.lark"
text = path.read_text(encoding="utf-8")
reading = read(text, start="file_input", source=str(path), indenter=PythonIndenter())
print(as_json(reading.description), *reading.differences, sep="\\n")
"""


def test_a_grammar_is_read_alike_in_every_process() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", READING],
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
