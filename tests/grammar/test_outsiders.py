"""Features of other packages' grammars beyond our own, compared with Lark on every short text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lark import Lark

from quotient import GrammarError, GrammarWarning, Language, NoCompletion
from tests.grammar.beside_lark import is_member, is_read, texts

# Each grammar has the pieces of its texts.
TERMINALS = {
    "a string with escapes": (r'start: T "x"' + "\n" + r'T: /".*?(?<!\\)(\\\\)*?"/', '"~a~\\~x'),
    "a comment": ('start: T "x"\nT: /<!(.|\\n)*?!>/', "<!~!>~>~x~\n"),
    "laziness in the middle": ('start: T "x"?\nT: /a.*?abc/', "a~b~c~x"),
    "a lazy option": ('start: T "x"?\nT: /ab??[bc]/', "a~b~c~x"),
    "a word's end": ('start: (IF | "x")+\nIF: /if\\b/\n%ignore " "', "if~x~ ~-"),
    "a keyword that ends": ('start: (IF | "-" | N)+\nIF.2: /if\\b/\nN: /[a-z]+/\n%ignore " "', "if~x~ ~-"),
    "no word's end": ('start: T+\nT: /a\\B./', "a~b~-"),
    "a name that is no keyword": ('start: ("if" "-" | N)+\nN: /(?!if\\b)[a-z]+/\n%ignore " "', "if~x~ ~-"),
    "a name that begins like no keyword": ('start: ("do" | N)+\nN: /(?!do|x)[a-z]+/', "do~x~a"),
    "an expression that comes before a text": ('start: ("ab" "c" | T)+\nT.2: /[ab]+/\n', "a~b~c"),
    "the longer of two expressions": ('start: (A "c" | B)+\nA: /ab?/\nB: /[ab]+/\n', "a~b~c"),
    "a keyword as a name": ('start: "(" N ")" "if"\nN: /[a-z]+/\n%ignore " "', "if~(~)~a"),
    "a part of another one": ('start: N ("." M)*\nN: /a[ab]*/\nM: /a[abc]*/', "a~b~c~."),
    "a text that comes before an expression": ('start: ("ab" "c" | T)+\nT: /[ab]+/\n', "a~b~c"),
    "no sign behind": ('start: (EQ | "==" | ">" | N)+\nEQ: /=(?!=|>)/\nN: "n"', "=~>~n"),
    "no such end": ('start: T ";"\nT: /[a-z]+(?<!ing)/', "i~n~g~;"),
    "text up to a field": ('start: (T | "{{" | "}")+\nT: /(?:(?!\\{\\{)[^}])+/', "{{~{~}~a"),
    "either quote": ("start: T+\nT: /(?P<q>\"|').*?(?P=q)/", "\"~'~a"),
    "a tag by name": ("start: T\nT: /<(?P<tag>a|b)>x*<(?P=tag)>/", "<a>~<b>~x~<"),
    "a line": ('start: (T | "\\n")+\nT: /#.*$/m', "#~a~\n"),
    "without regard to case": ('start: T "x"\nT: /(?!AB)[ab]+?C/i', "a~B~C~c~x"),
}  # fmt: skip


# `(?<!ing)` might see text in front of the terminal, which another test covers.
@pytest.mark.filterwarnings("ignore::quotient.GrammarWarning")
@pytest.mark.parametrize("name", TERMINALS)
def test_terminals_are_read_as_lark_reads_them(name: str) -> None:
    grammar, pieces = TERMINALS[name]
    language = Language.from_lark(grammar)
    lark = Lark(grammar, parser="lalr")
    alphabet = texts(pieces, 5 if pieces.count("~") < 4 else 4)
    expected = [text for text in alphabet if is_read(lark, text)]
    assert [text for text in alphabet if is_member(language, text)] == expected
    assert 0 < len(expected) < len(alphabet)


@pytest.mark.filterwarnings("ignore::quotient.GrammarWarning")
@pytest.mark.parametrize(
    "grammar",
    ["start: D E\nD: /[ab]+/\nE: /b+c?/", 'start: D E E\nD: /[ab]+/\nE: /b+c?/ | "a"'],
)
def test_a_grammar_of_which_no_text_can_be_lexed_is_refused(grammar: str) -> None:
    # The longest match gives the second symbol's text to the first one.
    with pytest.raises(GrammarError, match=r"^<string>: no text is left of the start rule"):
        Language.from_lark(grammar)


def test_a_hole_in_a_terminal_with_look_around() -> None:
    language = Language.from_lark('start: "if" N\nN: /(?!if\\b)[a-z]+/\n%ignore " "')
    assert language.recognizer("if ", "").witness() not in ("", "if")
    recognizer = language.recognizer("if i", "")
    assert recognizer.advance("f")
    assert not recognizer.is_member()
    assert recognizer.advance("f")
    assert recognizer.is_member()


def test_all_faults_are_told_at_once() -> None:
    grammar = """start: A b c{A}
  | /x(?=y)/ "a" ~ 3..2
b: /q$/ D
c{x, y}: x y
A: /^a/
A: "a"
E: b
F: /(/
%ignore /[/
%import common.NOPE
%import .nowhere.G
"""
    with pytest.raises(GrammarError) as caught:
        Language.from_lark(grammar, source="my.lark")
    assert str(caught.value).split("\n") == [
        "my.lark:1:12: `c` has 2 arguments and is used with 1 (in rule start)",
        "my.lark:3:9: Terminal 'D' used but not defined (in rule b)",
        "my.lark:6:1: Terminal 'A' defined more than once",
        "my.lark:7:4: Rules aren't allowed inside terminals (b in terminal E)",
        "my.lark:10:9: `NOPE` is not defined in what it is imported from",
        "my.lark:11:10: `nowhere` cannot be imported: there is no such file",
    ]


def test_all_that_no_automaton_reads_is_told_at_once() -> None:
    grammar = """start: A b C F
  | /x(?=yy)/ "a" ~ 3..2
b: /q$/
A: /^a/
C: "c"
F: /(/
UNUSED: /^/
%ignore /[/
"""
    with pytest.raises(GrammarError) as caught:
        Language.from_lark(grammar)
    assert str(caught.value).split("\n") == [
        "lark:2:5: a rule uses look-ahead of more than one character behind its end",
        "lark:2:19: a rule uses the empty range `~ 3..2`",
        "lark:3:4: a rule uses the anchor `$`",
        "lark:4:1: terminal A uses the anchor `^`",
        "lark:6:1: terminal F uses an unclosed group",
        "lark:8:9: terminal behind %ignore uses an expression that ends too early",
    ]


def test_all_faults_of_syntax_are_told_at_once() -> None:
    with pytest.raises(GrammarError) as caught:
        Language.from_lark('start: a ) b\nb: "x\nC: :\n')
    assert re.findall(r"^lark:(\d+):(\d+): ", str(caught.value), re.MULTILINE) == [
        ("1", "10"),
        ("2", "4"),
        ("3", "4"),
    ]


# Words may end or continue with a letter.
@pytest.mark.filterwarnings("ignore::quotient.GrammarWarning")
def test_a_grammar_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "parts.lark").write_text("word: LETTER+\nLETTER: /[a-z]/\n")
    (tmp_path / "shared" / "numbers.lark").write_text('%import .digits.DIGIT\nnumber: DIGIT+ "."\n')
    (tmp_path / "shared" / "digits.lark").write_text("DIGIT: /[0-9]/\n")
    path = tmp_path / "whole.lark"
    path.write_text("start: (word | number)+\n%import .parts.word\n%import .shared.numbers.number\n")
    language = Language.from_lark(path)
    assert language.name == "whole"
    assert [is_member(language, text) for text in ("ab1.", "1", "")] == [True, False, False]
    text = "start: number\n%import numbers.number\n"
    assert is_member(Language.from_lark(text, imports=[tmp_path / "shared"]), "12.")
    path.write_text("start: word\n%import .parts.word\n%import .shared.letters.word -> other\n")
    with pytest.raises(GrammarError, match=r"whole\.lark:3:10: `shared\.letters` cannot be imported"):
        Language.from_lark(path)


def test_what_imported_files_do_not_define_is_told_where_they_are_imported(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "words.lark").write_text('word: /[a-z]+/ _sep\n_sep: "," | missing | N\n')
    path = tmp_path / "whole.lark"
    path.write_text("start: word number X\n%import .parts.words.word\n%import .parts.words.number\n")
    with pytest.raises(GrammarError) as caught:
        Language.from_lark(path)
    assert str(caught.value).replace(f"{path}:", "").splitlines() == [
        "1:20: Terminal 'X' used but not defined (in rule start)",
        "2:10: `parts.words` uses `N`, which is not defined there (in _sep)",
        "2:10: `parts.words` uses `missing`, which is not defined there (in _sep)",
        "3:10: `number` is not defined in what it is imported from",
    ]


def test_a_grammar_without_what_no_automaton_reads() -> None:
    grammar = "start: (A | pair)+ H?\npair: H A\nA: /a/\nH: /<(\\w+)>.*?<\\1>/"
    with pytest.raises(GrammarError, match="group of unbounded length"):
        Language.from_lark(grammar)
    language = Language.from_lark(grammar, without=["H"])
    assert [is_member(language, text) for text in ("aa", "<a>b<a>")] == [True, False]
    with pytest.raises(GrammarError, match="there is no terminal `HH` to do without"):
        Language.from_lark(grammar, without=["HH"])
    with pytest.raises(GrammarError, match="no text is left of the start rule"):
        Language.from_lark(grammar, without=["H", "A"])


# Each grammar has its error message.
ODD = {
    "an ignored terminal alone": (
        'start: "a" WS\nWS: " "\n%ignore WS',
        "lark:1:1: no text is left of the start rule without WS, which the parser is never given",
    ),
    "a declared symbol that nothing makes": (
        '%declare A\nstart: "b" A',
        "lark:2:1: no text is left of the start rule without A, which the parser is never given",
    ),
    "a range from its end": ('start: "c".."a"', 'lark:1:8: a rule uses the empty range `"c".."a"`'),
    "a start that needs itself": (
        'start: x\nx: y "a"\ny: x "b"',
        "lark:1:1: no text is left of the start rule without x, y, which no text matches",
    ),
    "a start that needs a terminal without texts": (
        'start: "a" B\nB: /b(?!)/',
        "lark:1:1: no text is left of the start rule without B, which no text matches",
    ),
    "a terminal without texts or characters": (
        'start: "a" | B\nB: /(?!)/',
        "lark:2:1: terminal B uses an expression that matches nothing",
    ),
    "half a character": (
        'start: "\\ud800"',
        "lark:1:8: a rule uses half of a character, which no text has",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_what_cannot_be_meant_is_refused_with_its_place(name: str) -> None:
    grammar, says = ODD[name]
    with pytest.raises(GrammarError) as caught:
        Language.from_lark(grammar)
    assert str(caught.value) == says


@pytest.mark.parametrize(
    "grammar",
    [
        'start: "a" | x\nx: x "b"',
        'start: "a" | x | "c" z?\nx: y "b"\ny: x "c"\nz: y "a"',
        'start: "a" B | "c"\nB: /b(?=c)d/',
        'start: "a" B | "c" "b"\nB: /[^\\s\\S]b/',
        'start: "a" C | "c" "b"\nB: /(?!)/\nC: "c" B',
        'start: ("a" | "b")+\n%ignore /c[^\\s\\S]/',
    ],
)
def test_what_no_text_matches_is_left_out_as_lark_does(grammar: str) -> None:
    language = Language.from_lark(grammar)
    for text in texts("abc", 3):
        for parser in ("lalr", "earley"):
            assert is_member(language, text) == is_read(Lark(grammar, parser=parser), text), text
    if not is_member(language, "ab"):
        with pytest.raises(NoCompletion):
            language.recognizer("ab")


@pytest.mark.parametrize(
    ("grammar", "text"),
    [
        ('start: "b" A? "c"\n%declare A', "bc"),
        ('start: "b" (WS | "c")+\nWS: " "\n%ignore WS', "b c"),
        ('start: "a" ~ 0', ""),
    ],
)
def test_what_the_parser_is_never_given_is_left_out(grammar: str, text: str) -> None:
    language = Language.from_lark(grammar)
    assert is_member(language, text)
    assert language.recognizer().witness() == text.replace(" ", "")


# Each grammar has a text on which Lark and the engine differ.
DIFFERENCES = {
    "a keyword is no name": (
        'start: ("if" ";")? N+\nN: /[a-z]+/\n%ignore " "',
        "a if",
        "'if' is always if",
    ),
    "what Lark tries first": (
        'start: (A | B) ";"\nA.2: /a/\nB: /a+b/',
        "aab;",
        "'aa' goes on with B; Lark ends A at 'a', which it tries first",
    ),
    "what has begun": (
        'start: (I | F | "." | N)+\nI: /[0-9]+/\nF: /[0-9]+\\.[.]*[0-9]+/\nN: "n"',
        "1...n",
        "'0.' goes on with F, even if that never ends; Lark would go back to I '0'",
    ),
    "what is in front": (
        "start: (N | IF)+\nN: /[0-9]/\nIF: /\\bif/",
        "1if",
        "what stands in front of IF is not looked at",
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_where_lark_reads_something_else_it_is_said(name: str) -> None:
    grammar, text, says = DIFFERENCES[name]
    with pytest.warns(GrammarWarning, match="Lark reads some texts otherwise") as caught:
        language = Language.from_lark(grammar, source="my.lark")
    assert [str(one.message).startswith("my.lark: ") for one in caught] == [True]
    assert says in str(caught[0].message)
    assert is_member(language, text) != is_read(Lark(grammar, parser="lalr"), text)


def test_a_warning_names_the_line_and_where_it_came_from() -> None:
    grammar = 'start: ("if" ".")? N+\n  | N "="\n\nN: /[a-z]+/\n%ignore " "'
    with pytest.warns(GrammarWarning, match="line 4: 'if' is always if") as caught:
        Language.from_lark(grammar)
    assert caught[0].filename == __file__


# Each grammar is short, and endless or broken if taken literally.
HOSTILE = {
    "a rule repeated": 'start: "a" ~ 1000000',
    "rules repeated in each other": 'start: (("a" ~ 1000) ~ 1000) ~ 1000',
    "a long way of options": 'start: "a" ~ 1..100000',
    "a terminal repeated": 'start: A\nA: (("a" ~ 1000) ~ 1000) ~ 1000',
    "an expression repeated": "start: A\nA: /(a{1000}){1000}/",
    "terminals written into each other": "start: T0\nT40: /a/\n"
    + "".join(f"T{i}: T{i + 1} T{i + 1}\n" for i in range(40)),
    "rules written into each other": 'start: _r0\n_r40: "a"\n'
    + "".join(f"_r{i}: _r{i + 1} _r{i + 1}\n" for i in range(40)),
    "templates written into each other": 'start: t0{"a"}\nt40{x}: x\n'
    + "".join(f"t{i}{{x}}: t{i + 1}{{x}} t{i + 1}{{x}}\n" for i in range(40)),
    "an automaton that doubles": "start: A\nA: /(a|b)*a(a|b){25}/",
    "deep groups": "start: A\nA: /" + "(" * 3000 + "a" + ")" * 3000 + "/",
    "an unknown character": r"start: /\N{NO SUCH}/",
    "an escape of no digits": r"start: /\xZZ/",
    "an escape beyond all characters": r"start: /\UFFFFFFFF/",
    "a rule of itself alone": "start: start",
    "terminals of each other": "start: A\nA: B\nB: A",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_endless_or_broken_is_refused_at_once(name: str) -> None:
    with pytest.raises(GrammarError):
        Language.from_lark(HOSTILE[name])
