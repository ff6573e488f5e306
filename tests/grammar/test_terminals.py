"""Terminals, from Lark's text to the engine's lexer: their compiled form, their meaning, and what they may
not use."""

from __future__ import annotations

import re

import pytest
from lark import Lark

from quotient.compiler.faults import GrammarError
from quotient.compiler.reader import description
from tests.reference.reference import accepted


def terminal(definition: str, rest: str = "") -> dict[str, object]:
    compiled = description(f"start: T\nT{definition}\n{rest}")["terminals"]
    return dict(next(one for one in compiled if one["name"] == "T"))


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        (': "a+b"', ("literal", "a+b")),
        (r': "\n\t\\\"\x41é"', ("literal", '\n\t\\"Aé')),
        (": /a+b/", ("regex", "a+b")),
        (": /a/", ("regex", "a")),
        (r": /\//", ("regex", "/")),
        (': "a" "b"', ("regex", "ab")),
        (': "a+" | "b"', ("regex", r"(?:a\+|b)")),
        (': "a".."f" ~ 2', ("regex", "[a-f]{2}")),
        (': ["+"] "0".."9"+', ("regex", r"\+?[0-9]+")),
        (': "ab"*  "c"', ("regex", "(?:ab)*c")),
        (": /ab/i", ("regex", "(?i:ab)")),
        (": /a.b/s", ("regex", "a(?s:.)b")),
        (": /a b # c\n/x", ("regex", "ab")),
        (': "a"i "b"', ("regex", "(?i:a)b")),
        (r": /[^[\]a-c\-]/", ("regex", r"[^\[\]a-c\-]")),
        (r": /[]a]/", ("regex", r"[\]a]")),
        (r": /[+--]/", ("regex", r"[\+-\-]")),
        (r": /[\w.\d]/", ("regex", r"[\p{L}\p{N}_\.\d]")),
        (r": /\w\W/", ("regex", r"[\p{L}\p{N}_][^\p{L}\p{N}_]")),
        (r": /\s\S/", ("regex", r"[\s\x{1C}-\x{1F}][^\s\x{1C}-\x{1F}]")),
        (r": /\u00e9\x41\x00/", ("regex", r"\x{E9}A\x{0}")),
        (r": /(?P<name>a)(?:b)(?i:c)(?#d)/", ("regex", "ab(?i:c)")),
        (r": /a{2}b{,3}c{1,}d{2,4}{/", ("regex", r"a{2}b{0,3}c+d{2,4}\{")),
    ],
)
def test_terminals(definition: str, expected: tuple[str, str]) -> None:
    compiled = terminal(definition)
    assert (compiled["kind"], compiled["pattern"]) == expected


def test_terminals_out_of_other_terminals() -> None:
    assert terminal(": A | A B", 'A: "a"\nB: /b|c/')["pattern"] == "(?:a|a(?:b|c))"


def test_a_terminal_without_regard_to_case() -> None:
    assert terminal(': "select"i') == {
        "name": "T",
        "kind": "literal",
        "pattern": "select",
        "priority": 0,
        "flags": "i",
    }


def test_priorities_order_and_declared_terminals() -> None:
    compiled = description('%declare X Y\nstart: X B "z" A "y"\nA.2: /a/\nB: /b/\n%ignore " "')
    assert compiled["declared"] == ["X", "Y"]
    names = [one["name"] for one in compiled["terminals"]]
    assert names[:2] == ["A", "B"]
    assert names[-2:] == ["z", "y"]
    assert compiled["terminals"][0]["priority"] == 2
    assert len(compiled["ignore"]) == 1


@pytest.mark.parametrize(
    ("definition", "what"),
    [
        (": /a(?=b)/", "terminal T uses look-ahead that asks for what stands behind it"),
        (": /a(?!bc)/", "terminal T uses look-ahead of more than one character behind its end"),
        (": /(?<=a)b/", "terminal T uses look-behind to what stands in front of it"),
        (": /a+(?<!ba*)/", "terminal T uses look-behind of unbounded length"),
        (": /a(?!b(?<!c))/", "terminal T uses look-behind inside of look-ahead"),
        (": /a(?!b(?!cd))e/", "terminal T uses look-around of more than one character inside of look-around"),
        (r": /a(?<!\b)/", "terminal T uses look-around inside of look-behind"),
        (r": /(a+)b\1/", "terminal T uses a back-reference to a group of unbounded length"),
        (r": /([a-z]{2})b\1/", "terminal T uses a back-reference to a group of more than 64 texts"),
        (r": /(?:(a)|b)\1/", "terminal T uses a back-reference to a group that stands in another part"),
        (r": /\1(a)/", "terminal T uses a back-reference to a group that is not there"),
        (r": /((?!a)b)\1/", "terminal T uses a back-reference to a group with look-around"),
        (": /^a/", "terminal T uses the anchor `^`"),
        (": /a$/", "terminal T uses the anchor `$`"),
        (r": /a\Z/", r"terminal T uses the anchor `\Z`"),
        (": /a*?/", "terminal T uses an expression that matches the empty text"),
        (": /(?!a)a/", "terminal T uses an expression that matches nothing"),
        (": /(?:a{200}){200}?b/", "terminal T uses more repetitions than an automaton has room for"),
        (": /[ab]*?a[ab]{12}c/", "terminal T uses an automaton of more than 2000 states"),
        (r": /\p{L}+?a/", r"terminal T uses `\p{L}` together with look-around or laziness"),
        (": /(?>a)b/", "terminal T uses an atomic group"),
        (": /a++b/", "terminal T uses a possessive quantifier"),
        (": /a*/", "terminal T uses an expression that matches the empty text"),
        (': "a"?', "terminal T uses an expression that matches the empty text"),
        (": /a/l", "terminal T uses the flag `l`"),
        (": /(a/", "terminal T uses an unclosed group"),
        (": /a)/", "terminal T uses an unbalanced `)`"),
        (": /[a/", "terminal T uses an expression that ends too early"),
        (": /*a/", "terminal T uses nothing to repeat before `*`"),
        (r": /[\w-z]/", r"terminal T uses the range `\w-z`"),
        (r": /\ud800/", "terminal T uses half a surrogate pair"),
        (": A -> b\nA: /a/", "terminal T uses an alias"),
        (": start", "Rules aren't allowed inside terminals"),
    ],
)
def test_what_terminals_may_not_use(definition: str, what: str) -> None:
    with pytest.raises(GrammarError, match=re.escape(what)):
        terminal(definition)


def is_whole_match(pattern: str, text: str) -> bool:
    """Whether Python's first match is the whole text; `fullmatch` asks another question."""
    match = re.match(pattern, text)
    return match is not None and match.end() == len(text) > 0


LIBRARY = {
    "ESCAPED_STRING": ['""', '"a"', r'"\""', r'"\\"', '"', r'"\"', '"a"b"', r'"\\\"', '"\n"'],
    "C_COMMENT": ["/**/", "/* a */", "/***/", "/*/", "/* a */ */", "/*\n*/", "/*"],
    "CPP_COMMENT": ["//", "// a", "/", "//\n"],
    "SH_COMMENT": ["#", "# a", "#\n"],
    "SQL_COMMENT": ["--", "-- a", "-"],
    "CNAME": ["a", "_a1", "1a", ""],
    "WORD": ["ab", "a1"],
    "INT": ["0", "12", "1.", "-1"],
    "SIGNED_INT": ["-1", "+2", "3", "--1"],
    "FLOAT": ["1.5", ".5", "1.", "1e5", "1", "1.e-5"],
    "SIGNED_NUMBER": ["-1.5e+3", "1", "."],
    "HEXDIGIT": ["a", "F", "9", "g"],
    "WS": [" ", "\t\n", "a"],
    "WS_INLINE": [" \t", "\n"],
    "NEWLINE": ["\n", "\r\n", "\n\r\n", "\r"],
}


@pytest.mark.parametrize("name", LIBRARY)
def test_terminals_of_larks_library_mean_what_they_mean_to_lark(name: str) -> None:
    text = f"start: {name}\n%import common.{name}"
    lark = Lark(text, parser="lalr", lexer="basic")
    (pattern,) = [one.pattern.to_regexp() for one in lark.terminals if one.name == name]
    expected = [is_whole_match(pattern, one) for one in LIBRARY[name]]
    assert accepted(description(text), LIBRARY[name]) == expected
    assert len(set(expected)) == 2


@pytest.mark.parametrize(
    ("python", "texts"),
    [
        (r'".*?(?<!\\)(\\\\)*?"', ['"a"', r'"\""', '"a"b"', '""']),
        (r"'(.|\n)*?'", ["'a'", "'a\n'", "'a'b'"]),
        (r"<!(.|\n)*?!>", ["<!!>", "<!a!!>", "<!!>!>", "<!>"]),
        (r"<[\s\S]*?--", ["<--", "<-a--", "<---", "<--a--"]),
    ],
)
def test_laziness_at_the_end_of_a_terminal(python: str, texts: list[str]) -> None:
    """A lazy match of a whole text is one that Python cannot end earlier."""
    compiled = description(f"start: T\nT: /{python}/")
    expected = [is_whole_match(python, one) for one in texts]
    assert accepted(compiled, texts) == expected
