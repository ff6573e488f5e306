"""From Lark's text to compiled descriptions: what is read, what it becomes, what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lark import Lark

from quotient.lark_description import Description, as_json
from quotient.lark_faults import GrammarError
from quotient.lark_reader import description
from quotient.lark_rules import Body, symbols
from tests.reference.reference import Reference


def body(rule: str, rest: str = "") -> Body:
    """The body of one rule, next to terminals A, B and C."""
    text = f'start: {rule}\nA: "a"\nB: "b"\nC: "c"\n{rest}'
    return description(text)["rules"][0]["body"]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("A", "A"),
        ("A B", {"seq": ["A", "B"]}),
        ("A | B C", {"alt": ["A", {"seq": ["B", "C"]}]}),
        ("A (B C) A", {"seq": ["A", "B", "C", "A"]}),
        ("A | (B | C)", {"alt": ["A", "B", "C"]}),
        ("A? B* C+", {"seq": [{"opt": "A"}, {"star": "B"}, {"plus": "C"}]}),
        ("[A B]", {"opt": {"seq": ["A", "B"]}}),
        ("A |", {"opt": "A"}),
        ("", {"seq": []}),
        ("A ~ 2", {"seq": ["A", "A"]}),
        ("A ~ 1..3", {"seq": ["A", {"opt": {"seq": ["A", {"opt": "A"}]}}]}),
        ("A ~ 0..1", {"opt": "A"}),
        ("A -> name | B -> other", {"alt": ["A", "B"]}),
        ('"a" "x"', {"seq": ["A", "x"]}),
        ('"x"i', '"x"i'),
        ("/x+/", "/x+/"),
        ('"a".."z"', "/[a-z]/"),
    ],
)
def test_bodies(rule: str, expected: Body) -> None:
    assert body(rule) == expected


def test_what_only_shapes_trees_is_dropped() -> None:
    rest = "?one.2: A\n!two: B\n"
    assert description(f'start: one two\n{rest}A: "a"\nB: "b"')["rules"] == [
        {"name": "start", "body": {"seq": ["one", "two"]}},
        {"name": "one", "body": "A"},
        {"name": "two", "body": "B"},
    ]


def test_underscored_rules_are_written_into_the_others() -> None:
    assert body("_list", '_list: _item ("," _item)*\n_item: A | B\n') == {
        "seq": [{"alt": ["A", "B"]}, {"star": {"seq": [",", {"alt": ["A", "B"]}]}}]
    }


def test_underscored_rules_that_contain_themselves_stay() -> None:
    rules = description('start: _a\n_a: "(" _a ")" | _b\n_b: "x"')["rules"]
    assert [rule["name"] for rule in rules] == ["start", "_a"]


def test_templates_are_expanded() -> None:
    rest = "pair{x, y}: x y\nlist{x}: pair{x, B} (C pair{x, x})*\n"
    assert body("list{A}", rest) == {"seq": ["A", "B", {"star": {"seq": ["C", "A", "A"]}}]}


def test_templates_that_contain_themselves_become_rules() -> None:
    rules = description('start: nested{A}\nnested{x}: x | "(" nested{x} ")"\nA: "a"')["rules"]
    assert rules == [
        {"name": "start", "body": 'nested{"A"}'},
        {"name": 'nested{"A"}', "body": {"alt": ["A", {"seq": ["(", 'nested{"A"}', ")"]}]}},
    ]


def test_of_templates_and_underscored_rules_in_a_circle_the_templates_stay() -> None:
    rules = description(
        'start: value{A}\n_pair{x}: value{x} "," value{x}\nvalue{x}: x | "(" _pair{x} ")"\nA: "a"'
    )
    assert [rule["name"] for rule in rules["rules"]] == ["start", 'value{"A"}']


def test_what_needs_a_terminal_that_is_never_there_is_left_out() -> None:
    text = """
// @never NEVER
%declare NEVER
start: value{NEVER} value{A}
value{x}: "v" | x "!" | other{x} | "(" [x] value{x}+ ")"
other{x}: x ["," x]
A: "a"
"""
    compiled = description(text)
    assert compiled["declared"] == []
    bodies = {rule["name"]: rule["body"] for rule in compiled["rules"]}
    assert bodies['value{"NEVER"}'] == {
        "alt": ["v", {"seq": ["(", {"seq": []}, {"plus": 'value{"NEVER"}'}, ")"]}]
    }
    assert "A" in symbols(bodies['value{"A"}'])
    with pytest.raises(GrammarError, match="no text is left of the start rule"):
        description("// @never NEVER\n%declare NEVER\nstart: NEVER")


BRANCHING = """
// @line_break LINE_END
// @inserted END behind_break except "(" A
// @inserted END always before "}" $END
// @unbroken NO_BREAK
// @broken BREAK
// @contextual REGEX
// @contextual MIDDLE TAIL
// @line_start LATE
// @text_start FIRST
%declare END NO_BREAK BREAK
start: A NO_BREAK "(" BREAK REGEX MIDDLE TAIL (";" | END) "}"
A: "a"
REGEX: /r/
MIDDLE: /m/
TAIL: /t/
LINE_END: /e/
LATE: /l/
FIRST: /f/
%ignore LINE_END
%ignore LATE
%ignore FIRST
"""


def test_what_the_parser_decides() -> None:
    assert description(BRANCHING)["branching"] == {
        "line_breaks": ["LINE_END"],
        "inserted": [
            {"name": "END", "when": "behind_break", "except": ["(", "A"]},
            {"name": "END", "when": "always", "before": ["}", "$END"]},
        ],
        "unbroken": ["NO_BREAK"],
        "broken": ["BREAK"],
        "contextual": [["REGEX"], ["MIDDLE", "TAIL"]],
        "line_start": ["LATE"],
        "text_start": ["FIRST"],
    }
    assert "branching" not in description('start: "a"')


def test_rules_that_the_start_does_not_need_are_left_out() -> None:
    rules = description("start: A\nother: B\nA: /a/\nB: /b/")
    assert [rule["name"] for rule in rules["rules"]] == ["start"]
    assert [terminal["name"] for terminal in rules["terminals"]] == ["A"]


def test_literals_that_look_like_other_symbols_keep_their_quotes() -> None:
    assert body('"start" "A"') == {"seq": ['"start"', '"A"']}


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


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("start: A", "'A' used but not defined"),
        ('start: "a', "lark:1:8: unexpected"),
        ('start: "a" ~ 3..2', "a rule uses the empty range"),
        ('begin: "a"', "the start rule `start` is not defined"),
        ("start: /a(?=b)/", "lark:1:8: a rule uses look-ahead"),
        ("%import nowhere.A\nstart: A", "nowhere"),
        ('start: a{"x"}\na{x}: x a{b{x}}\nb{x}: x x', "lark:2:1: the template `a` goes on for ever"),
        ('start: a{b}\na{x}: x{"y"}\nb{y}: y', "lark:1:10: `b` has 1 arguments and is used with 0"),
        ('// @since 3\nstart: "a"', "this grammar has parts for some versions"),
        ('// @end\nstart: "a"', "lark:1: `@end` without"),
        ('// @emits X\nstart: "a"', "lark:1: `@emits` wants"),
        ('// @error X\nstart: "a"', "a directive names the unknown terminal X"),
        ('// @emits X = Y "a"\nstart: "a" X\nX: "x"', "a directive names the unknown terminal Y"),
        ('// @inserted X sometimes\nstart: "a"', "lark:1: `@inserted` wants"),
        ('// @inserted X always before\nstart: "a"', "lark:1: `@inserted` wants"),
        ('// @contextual X, Y\nstart: "a"', "lark:1: `X, Y` is no list of symbols"),
        ('// @unbroken X\nstart: "a"', "a directive names the unknown terminal X"),
        ('// @without start\nstart: "a"', "lark:1: `@without` wants"),
        ('// @without other A\nstart: "a"', "`@without` names the unknown rule other"),
        (
            '// @without start A\nstart: a\na: A "b"\nA: "a"',
            "`@without start` leaves nothing of the rule `a`",
        ),
    ],
)
def test_what_grammars_may_not_do(text: str, what: str) -> None:
    with pytest.raises(GrammarError, match=re.escape(what)):
        description(text, name="lark")


def test_a_rule_and_those_below_it_may_lack_terminals() -> None:
    text = """
// @without few RISKY
start: many few
few: many
many: A | RISKY | "(" many RISKY? ")" (RISKY A)* other+ | RISKY
other: "o" ["," many]
A: "a"
RISKY: "r"
"""
    bodies = {rule["name"]: rule["body"] for rule in description(text, name="lark")["rules"]}
    assert bodies["few"] == "few/many"
    assert "RISKY" in symbols(bodies["many"])
    assert "few/many" in symbols(bodies["few/other"])
    assert not [name for name in bodies if name.startswith("few") and "RISKY" in symbols(bodies[name])]
    assert bodies["few/many"] == {
        "alt": ["A", {"seq": ["(", "few/many", {"seq": []}, ")", {"seq": []}, {"plus": "few/other"}]}]
    }


VERSIONS = """
start: A
// @since 3.9
  | B
// @end
// @before 3.12
  | C
// @end
A: "a"
B: "b"
C: "c"
"""


@pytest.mark.parametrize(
    ("version", "expected"),
    [("3.8", ["A", "C"]), ("3.9", ["A", "B", "C"]), ("3.11", ["A", "B", "C"]), ("3.12", ["A", "B"])],
)
def test_versions(version: str, expected: list[str]) -> None:
    compiled = description(VERSIONS, version=version)
    assert compiled["version"] == version
    assert compiled["rules"] == [{"name": "start", "body": {"alt": list(expected)}}]


LANGUAGES = """
start: A
// @only two three
  | B
// @end
// @except two
  | C
// @end
A: "a"
B: "b"
C: "c"
"""


@pytest.mark.parametrize(
    ("name", "expected"), [("one", ["A", "C"]), ("two", ["A", "B"]), ("three", ["A", "B", "C"])]
)
def test_languages_of_one_file(name: str, expected: list[str]) -> None:
    assert description(LANGUAGES, name=name)["rules"] == [{"name": "start", "body": {"alt": list(expected)}}]


def test_sections_of_imported_files(tmp_path: Path) -> None:
    (tmp_path / "other.lark").write_text(LANGUAGES, encoding="utf-8")
    (tmp_path / "open.lark").write_text('// @only one\nstart: "a"\n', encoding="utf-8")
    source = str(tmp_path / "this.lark")
    text = "%import .other.start -> imported\nstart: imported"
    for name, expected in (("one", ["other__A", "other__C"]), ("two", ["other__A", "other__B"])):
        rules = {rule["name"]: rule["body"] for rule in description(text, name=name, source=source)["rules"]}
        assert rules["imported"] == {"alt": list(expected)}
    with pytest.raises(GrammarError, match=r"`open` cannot be imported: open\.lark: a section"):
        description("%import .open (start)", name="one", source=source)


def test_directives() -> None:
    text = '// @start top\n// @layout python\n// @emits AB = A "b"\n// @error BAD\n'
    text += 'top: A "b"\nA: /a/\nAB.1: /ab/\nBAD: /ax/\nUNUSED: /u/'
    compiled = description(text)
    assert (compiled["start"], compiled["layout"]) == ("top", "python")
    assert [one["name"] for one in compiled["terminals"]] == ["A", "AB", "BAD", "b"]
    assert compiled["terminals"][1]["emits"] == ["A", "b"]
    assert description(text, layout="none")["layout"] == "none"


def accepted(compiled: Description, texts: list[str]) -> list[bool]:
    reference = Reference(dict(compiled))
    return [reference.is_valid(text) for text in texts]


def is_whole_match(pattern: str, text: str) -> bool:
    """Whether Python's first match is the whole text, which is not what `fullmatch` asks."""
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


def test_several_imports_and_an_alias() -> None:
    text = "start: INT number WS\nnumber: N\n%import common (INT, WS)\n%import common.FLOAT -> N"
    assert accepted(description(text), ["1.5 ", "1 1.5 ", "1"]) == [False, False, False]
    names = [one["name"] for one in description(text)["terminals"]]
    assert sorted(names) == ["INT", "N", "WS"]


def test_relative_imports_start_from_the_grammar_file(tmp_path: Path) -> None:
    (tmp_path / "parts.lark").write_text('word: "w" LETTER\nLETTER: /[a-z]/\n')
    text = "start: word+\n%import .parts.word"
    compiled = description(text, source=str(tmp_path / "whole.lark"))
    assert accepted(compiled, ["wawb", "w"]) == [True, False]


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
    """A lazy match of a whole text is one that Python cannot finish earlier."""
    compiled = description(f"start: T\nT: /{python}/")
    expected = [is_whole_match(python, one) for one in texts]
    assert accepted(compiled, texts) == expected


def test_json_text_has_one_line_for_each_rule_and_terminal() -> None:
    text = as_json(description('start: "é" other\nother: "b"'))
    assert text.isascii()
    assert len(re.findall(r'^  \{"name"', text, re.MULTILINE)) == 4
