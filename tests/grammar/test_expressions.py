r"""Regular expressions of other grammars have the meaning of Python's `re` or `regex`, or are refused."""

from __future__ import annotations

import re

import pytest
from lark import Lark

from quotient import GrammarError, GrammarWarning, Language
from tests.grammar.beside_lark import is_member, is_read, texts


def check(grammar: str, pieces: str | list[str], longest: int = 4, *, regex: bool = False) -> None:
    """Lark and the engine agree on all short texts."""
    language = Language.from_lark(grammar, regex=regex)
    lark = Lark(grammar, parser="lalr", regex=regex)
    alphabet = texts(pieces, longest)
    expected = [text for text in alphabet if is_read(lark, text)]
    assert [text for text in alphabet if is_member(language, text)] == expected
    assert 0 < len(expected) < len(alphabet)


# Each expression has the pieces of its texts. Lark replaces escapes by characters before `re` sees them.
EXPRESSIONS = {
    "an escaped point is any character": (r"start: /a\x2eb/", "a~.~b~x"),
    "an escaped bracket closes a set": (r"start: /[a\x5d]+/", "a~]~x"),
    "an escaped group": (r"start: /\u0028a\u0029/", "a~(~)"),
    "a line feed that is a blank": ("start: /a\\n b/x", "a~\n~b~ "),
    "octal digits in a set": (r"start: /\07[\101\7]/", "\x07~A~1"),
    "octal digits behind a group": (r"start: /(a)\101/", "a~A~1~0"),
    "a set that ends in what Rust takes for an operator": ("start: /[ab&]+/", "a~b~&~c"),
    "white space as Python has it": ('start: /\\s+/ "x"', " ~\x1c~\x85~\u200b~x"),
    "a range from a sign that Lark takes for all but": ('start: ("^".."z")+', "^~z~-~a"),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_means_what_lark_hands_to_re(name: str) -> None:
    check(*EXPRESSIONS[name])


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")
@pytest.mark.parametrize("operator", ["&&", "--", "~~", "||"])
def test_operators_in_sets_are_characters(operator: str) -> None:
    check(f'start: /[b-d{operator}ab]+/ "!"', ["a", "b", "d", "[", "!", operator[0]])


def test_classes_that_re_does_not_know_are_refused_with_their_places() -> None:
    grammar = 'start: A B /\\p{Lu}/ | "x"\nA: /\\p{L}+/\n\nB: /[^\\P{L}]/\nC: /\\p{L}/\n'
    with pytest.raises(GrammarError) as caught:
        Language.from_lark(grammar, source="my.lark")
    assert re.findall(r"my\.lark:(\d+):(\d+): .*?(`\\[pP]\{\w+\}`)", str(caught.value)) == [
        ("1", "12", r"`\p{Lu}`"),
        ("2", "1", r"`\p{L}`"),
        ("4", "1", r"`\P{L}`"),
    ]
    assert "with `regex=True` it is read as Lark then does" in str(caught.value)


@pytest.mark.parametrize(
    "grammar", [r"start: /a(?i)b/", r"start: /(?<=a*)b/", r"start: /[z-a]/", r"start: /[b\400]/"]
)
def test_what_re_refuses_is_refused(grammar: str) -> None:
    with pytest.raises(GrammarError, match=r"lark:1:8: a rule uses "):
        Language.from_lark(grammar)


# Characters on which Python, the package and Rust differ, and some others.
OF_REGEX = {
    "letters": (r'start: /\p{Lu}\p{L}*/ ";"', "A~a~\u00e9~1~;"),
    "no letters": (r'start: /\P{L}+/ "a"', "a~1~_~\u00e9"),
    "a set of classes": (r'start: /[\p{Ll}\d-]+/ ";"', "a~A~1~-~;"),
    "a named class": (r'start: /[[:alpha:]_]+/ ";"', "a~_~:~1~;"),
    "words hold marks": (r'start: /\w+/ "-"', "a~\u0301~\u203f~\u00b2~-"),
    "no space of its own": (r'start: /\s+/ "x"', " ~\x1c~\x85~x"),
    "a word's end": ('start: IF /[^a-z]/ ";"\nIF: /if\\b/', "if~\u0301~-~;"),
    "two signs of a set": ('start: /[ab&&b]+/ ";"', "a~b~&~;"),
}


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")
@pytest.mark.parametrize("name", OF_REGEX)
def test_expressions_of_the_package_regex(name: str) -> None:
    check(*OF_REGEX[name], regex=True)


@pytest.mark.parametrize("expression", [r"a{e<=1}", r"\h", r"(?r)ab", r"(?|a|b)", r"a++", r"\p{NoSuch}"])
def test_what_only_the_package_regex_does_is_refused(expression: str) -> None:
    with pytest.raises(GrammarError, match=r"lark:1:8: a rule uses "):
        Language.from_lark(f"start: /{expression}/", regex=True)


# Each expression has the pieces of its texts, whose end is never behind a look-ahead, and the message.
BEHIND = {
    "an operator is no word": (
        (
            'start: e ";"\ne: G e | e U e | N | "(" e ")"\nG.2: /g(?=[ (])/\nU.2: /u(?=[ (])/\nN: /[a-z]+/\n'
            "%ignore / +/"
        ),
        "g~u~(~)~ ~;",
        5,
    ),
    "another one has the same text": ('start: (A | B)+ ";"\nA: /a(?=b)/\nB: /[ab]/', "a~b~;", 6),
    "a longer one is no longer cut": ('start: (A "b" | B "a")+ ";"\nA.2: /a(?=b)/\nB: /[ab]+/\n', "a~b~;", 6),
}


@pytest.mark.parametrize("name", BEHIND)
def test_a_look_ahead_that_wants_something_behind_it(name: str) -> None:
    with pytest.warns(GrammarWarning, match=r"line \d: that nothing stands behind [AGU] is not looked at"):
        check(*BEHIND[name])


@pytest.mark.parametrize("look", ["(?!b)", "(?!b|c)"])
def test_a_terminal_that_is_forbidden_leaves_its_text_to_another_one(look: str) -> None:
    check(f'start: (A | B)+ ";"\nA: /a{look}/\nB: /[abc]/', "a~b~c~;", 5)


def test_what_a_terminal_gives_back_is_told() -> None:
    with pytest.warns(GrammarWarning, match="line 2: what A gives back because of what stands behind it"):
        Language.from_lark('start: (A | B "b")+ ";"\nA.1: /a+(?!b)/\nB: /a+/')


# Lark's lexer joins all expressions into one, which fails with these.
BESIDE_OTHERS = {
    "a number of a group": (
        r'start: (A | "x")+' + "\n" + r"A: /(a|b)\1/",
        "numbers of groups count those of all",
    ),
    "flags in the middle": ('start: (A | "x")+\nA: /(?i)ab/', "global flags not at the start"),
}


@pytest.mark.parametrize("name", BESIDE_OTHERS)
def test_what_lark_cannot_read_beside_others_is_told(name: str) -> None:
    grammar, says = BESIDE_OTHERS[name]
    with pytest.warns(GrammarWarning, match=f"line 2: Lark cannot read A beside others: .*{says}"):
        Language.from_lark(grammar)
    with pytest.raises(re.error):
        Lark(grammar, parser="lalr").parse("x")


def test_an_ignored_terminal_in_a_rule_is_told_of_an_earley_parser() -> None:
    grammar = 'start: "a" WS "b" | "c" "d"\nWS: " "\n%ignore WS'
    with pytest.warns(GrammarWarning, match="line 2: WS is ignored and comes to no rule"):
        language = Language.from_lark(grammar, parser="earley")
    assert not is_member(language, "a b")
    assert is_read(Lark(grammar, parser="earley"), "a b")
    check(grammar, "a~ ~b~c~d")


def test_a_sign_that_begins_a_comment_is_none() -> None:
    check('start: "a" "//" "b" | "a"\n%ignore /\\/\\/.*/\n%ignore " "', "a~/~b~ ", 5)


@pytest.mark.parametrize(
    "grammar",
    [
        'start: "if"i N "if"\nN: /[a-z]+/i\n%ignore " "',
        'start: "if" N "if"i\nN: /[a-z]+/i\n%ignore " "',
    ],
)
def test_a_keyword_with_and_without_regard_to_case(grammar: str) -> None:
    check(grammar, "if~IF~a~ ", 5)
    assert is_member(Language.from_lark(grammar), Language.from_lark(grammar).recognizer().witness())


# The engine reads bytes: the first byte of `«` is also that of `µ`, which continues a word.
HALVED = {
    "a sign behind a word": ('start: W ("«" W)*\nW: /\\w+/', "a~µ~«", 5),
    "a sign behind a text": ('start: ("a" | "aµ" | "«")+', "a~µ~«", 5),
    "a keyword's end": ("start: (IF | N)+\nIF.2: /if\\b/\nN: /[^a-z]/", "if~«~!~\u0301", 4),
    "a string behind a word": ("start: S (W S)*\nW: /\\w+/\nS: /«[^»]*»/", "a~«~»~µ", 5),
    "a bracket as wide as a letter": ('start: W ("（" W "）")*\nW: /\\w+/', "か~（~）~Ａ", 5),
    "a point of three bytes": ('start: W ("、" W)* "。"\nW: /[ぁ-んァ-ヶ]+/\n%ignore " "', "か~、~。~ ", 5),
    "a blank of two bytes": ('start: ("if" W | W)+\nW: /\\w+/\n%ignore /\\s/', "a~µ~\xa0~if~ ", 3),
}


@pytest.mark.filterwarnings("ignore::quotient.GrammarWarning")
@pytest.mark.parametrize("name", HALVED)
def test_a_character_that_begins_like_another_one_is_read(name: str) -> None:
    check(*HALVED[name])


def test_characters_that_may_be_taken_for_others_are_told() -> None:
    grammar = 'start: (E | F)+ ";"\nE: "😀"\nF: "😀😁" | "😂"'
    with pytest.warns(GrammarWarning, match="line 2: '😀😀' may go on with another character"):
        language = Language.from_lark(grammar)
    assert is_member(language, "😀😀😂;")
    assert not is_member(language, "😀😀😀😀;")
