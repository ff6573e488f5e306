"""From Lark's text to compiled descriptions: accepted syntax, its result, and refusals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quotient.compiler.description import as_json
from quotient.compiler.faults import GrammarError
from quotient.compiler.reader import description
from quotient.compiler.rules import Body, symbols
from tests.reference.reference import accepted


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
        ('// @arguments X\nstart: "a"', "lark:1: `@arguments` wants"),
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


def test_several_arguments_have_one_name() -> None:
    text = "// @arguments both = one other\n// @arguments ab = A B\n"
    text += 'start: pair{ab} ["{both}"] triple{B, ab}\npair{both}: one other\n'
    text += 'triple{first, both}: first pair{both}\nA: "a"\nB: "b"\n'
    compiled = description(text)
    assert accepted(compiled, ["abbab", "ab{both}bab", "abbba", "abab"]) == [True, True, False, False]


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


def test_json_text_has_one_line_for_each_rule_and_terminal() -> None:
    text = as_json(description('start: "é" other\nother: "b"'))
    assert text.isascii()
    assert len(re.findall(r'^  \{"name"', text, re.MULTILINE)) == 4
