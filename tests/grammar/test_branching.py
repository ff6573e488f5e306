"""Languages in which the parser chooses the reading of a text: holes, masks, documents, and refused grammars.

Exhaustive searches over smaller grammars are in `quotient/tests/branching.rs`.
"""

import itertools
import random
from pathlib import Path

import pytest

from quotient import Document, GrammarError, Language, NoCompletion, Vocabulary
from tests.masks import law
from tests.thoroughness import n_tries

# The directives, which Lark does not know, are for texts that Lark would read differently.
pytestmark = pytest.mark.filterwarnings("ignore::quotient.GrammarWarning")

SCRIPT = r"""
%declare END END_OF_UPDATE NO_BREAK
%ignore BLANKS
%ignore LINE_END
%ignore COMMENT
%ignore LONG_COMMENT
%ignore NOTE
%ignore CLOSE
%ignore HASHBANG
// @line_break LINE_END LONG_COMMENT NOTE CLOSE HASHBANG
// @inserted END behind_break except ";" "(" "+" SLASH REGEX TEMPLATE HEAD
// @inserted END always before "}" $END
// @inserted END_OF_UPDATE behind_break except ";"
// @inserted END_OF_UPDATE always before "}" $END
// @unbroken NO_BREAK
// @contextual REGEX
// @contextual MIDDLE TAIL
// @line_start CLOSE
// @text_start HASHBANG
start: statement*
statement: operation (";" | END) | update (";" | END_OF_UPDATE) | "return" (";" | END_OF_UPDATE)
    | "return" NO_BREAK value | "throw" NO_BREAK value
    | "{" statement* "}" | "if" "(" _expression ")" statement | ";"
value: operation (";" | END) | update (";" | END_OF_UPDATE)
_expression: operation | update
operation: [operation ("+" | SLASH)] ("++" operand | operand)
update: [operation ("+" | SLASH)] operand NO_BREAK "++"
operand: (NAME | REGEX | TEMPLATE | HEAD _expression (MIDDLE _expression)* TAIL | "(" _expression ")"
    | "function" "{" statement* "}") ["(" _expression ")"]
SLASH: "/"
REGEX: /\/([^\/*\\\n]|\\.)([^\/\\\n]|\\.)*\/[a-z]*/
TEMPLATE: /`[^`$\\]*`/
HEAD: /`[^`$\\]*\$\{/
MIDDLE: /\}[^`$\\]*\$\{/
TAIL: /\}[^`$\\]*`/
NAME: /[a-zA-Z_]+/
BLANKS: / +/
LINE_END: /\n/
COMMENT: /\/\*([^*\n]|\*+[^*\/\n])*\*+\//
LONG_COMMENT.-1: /\/\*([^*]|\*+[^*\/])*\*+\//
NOTE: /\/\/[^\n]*/
CLOSE.1: /-->[^\n]*/
HASHBANG: /#![^\n]*/
"""

TEXTS = {
    "a": True,
    "a b": False,
    "a\nb": True,
    "a\n(b)": True,
    "a\n(b)c": False,
    "a\n+b": True,
    "a++\n(b)": True,
    "a\n++\nb": True,
    "a\n++": False,
    "return": True,
    "return\na": True,
    "return /*\n*/ a++": True,
    "throw a": True,
    "throw\na": False,
    "throw // a\na": False,
    "throw /* a */ a": True,
    "if (a) { b } c": True,
    "if (a) /b/g": True,
    "a / b / c": True,
    "a\n/b/c": True,
    "a\n/b/": False,
    "{} /b/": True,
    "function {} / b": True,
    "(/a)/(b))": True,
    "`a${b}c`": True,
    "`${`a${b}` + c}${ function { d } }`": True,
    "`a${b}": False,
    "`a`\n`b`": False,
    "`a${ {} }`": False,
    "a // b": True,
    "a /* b */ / c": True,
    "a\n--> b\nc": True,
    "--> b\nc": True,
    "a --> b": False,
    "#! a\nb": True,
    " #! a": False,
    "a\n#! b": False,
    "": True,
}


@pytest.fixture(scope="module")
def script() -> Language:
    return Language.from_lark(SCRIPT)


def is_program(language: Language, left: str, right: str = "") -> bool:
    try:
        return language.recognizer(left, right).is_member()
    except NoCompletion:
        return False


@pytest.mark.parametrize(("text", "expected"), TEXTS.items())
def test_a_text_is_a_program_or_not_wherever_it_is_cut(script: Language, text: str, expected: bool) -> None:
    for cut in range(len(text) + 1):
        assert is_program(script, text[:cut], text[cut:]) == expected, cut


@pytest.mark.parametrize("text", [text for text, expected in TEXTS.items() if expected])
def test_each_part_of_a_program_is_a_hole_that_it_fills(script: Language, text: str) -> None:
    for start, stop in itertools.combinations(range(len(text) + 1), 2):
        recognizer = script.recognizer(text[:start], text[stop:])
        witness = recognizer.witness()
        assert is_program(script, text[:start] + witness + text[stop:]), (start, stop, witness)
        assert recognizer.advance(text[start:stop]), (start, stop)
        assert recognizer.is_member(), (start, stop)


def test_what_cannot_go_on_is_refused_at_once(script: Language) -> None:
    recognizer = script.recognizer("throw")
    assert not recognizer.advance("\n")
    assert not recognizer.advance(" // a")
    assert not recognizer.advance("/*\n")
    assert recognizer.advance(" /* a */")
    with pytest.raises(NoCompletion):
        script.recognizer("throw\n")


def test_masks_equal_brute_force(script: Language) -> None:
    pieces = [
        "a",
        "b",
        "if",
        "return",
        "throw",
        "function",
        "(",
        ")",
        "{",
        "}",
        "+",
        "++",
        "/",
        "/=",
        ";",
        "`",
        "$",
        "${",
        "}`",
        "}b${",
        "\n",
        "/",
        "b`",
        "/",
        "/a/",
        "//",
        "/*",
        "*/",
        "-->",
        "#!",
    ]
    pieces += [
        " ",
        " /",
        "/ ",
        "\n/",
        "\n\n",
        "a\n",
        ") /",
        "} /b/",
        "}`\n",
        "`a${b}`",
        "/*\n*/",
        "\n++",
        "a}${",
    ]
    pieces += ["}/", "`;a`", "a;", "\n-->", "-", "return\n", "throw\n", "{}", "$", "){", "`}", "/a/+`"]
    tokens = [piece.encode() for piece in dict.fromkeys(pieces) if piece]
    vocabulary = Vocabulary([*tokens, b"</s>"], eos=len(tokens))
    source = random.Random(7)
    programs = [text for text, expected in TEXTS.items() if expected]
    for _ in range(n_tries(50, 150)):
        text = "\n".join(source.choices(programs, k=2)) if source.random() < 0.5 else source.choice(programs)
        if text.find("#!") > 0:
            continue
        start, stop = sorted(source.randrange(len(text) + 1) for _ in range(2))
        try:
            recognizer = script.recognizer(text[:start], text[stop:])
        except NoCompletion:
            continue
        for _ in range(3):
            assert law.differences(recognizer, vocabulary) == [], (text[:start], text[stop:])
            allowed = sorted(law.allowed(recognizer.mask(vocabulary).tolist(), len(tokens)))
            if not allowed:
                break
            assert recognizer.advance(tokens[source.choice(allowed)])


def test_tables_for_masks_are_saved_and_found_again(script: Language, tmp_path: Path) -> None:
    def fresh() -> Vocabulary:
        return Vocabulary([b"a", b"/", b" /a/", b"}b`", b"\n/", b"</s>"], eos=5)

    saved, loaded = fresh(), fresh()
    assert not saved.prepare(script, tmp_path)
    assert loaded.prepare(script, tmp_path)
    for left, right in (("a", ""), ("(", ")"), ("`${a", "}`"), ("a\n", "")):
        masks = [script.recognizer(left, right).mask(one).tolist() for one in (saved, loaded, fresh())]
        assert masks[0] == masks[1] == masks[2]


def test_documents_answer_as_fresh_recognizers(script: Language) -> None:
    text = "a\n{ b /c/ d }\n`${ function { return\n/x/g } }`\nif (a) /b/\nc / d / `e`\n"
    source = random.Random(3)
    document = script.document(text)
    for _ in range(60):
        start = source.randrange(len(text) + 1)
        stop = min(len(text), start + source.randrange(4))
        new = source.choice(["", "/", "`", "}", "{", "a", "\n", "${", "a / b"])
        document.edit(start, stop, new)
        text = text[:start] + new + text[stop:]
        at, end = sorted(source.randrange(len(text) + 1) for _ in range(2))
        assert kept_answer(document, at, end) == fresh_answer(script, text, at, end), (text, at, end)


def fresh_answer(language: Language, text: str, start: int, stop: int) -> tuple[bool, str] | None:
    try:
        recognizer = language.recognizer(text[:start], text[stop:])
    except NoCompletion:
        return None
    return recognizer.is_member(), recognizer.witness()


def kept_answer(document: Document, start: int, stop: int) -> tuple[bool, str] | None:
    try:
        recognizer = document.recognizer(start, stop)
    except NoCompletion:
        return None
    return recognizer.is_member(), recognizer.witness()


WRITTEN = r"""
%declare END
%ignore B
start: (A {end})*
// @line_break B
// @inserted END behind_break
A: "a"
B: /\n/
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WRITTEN.format(end="END"), "one and the same written symbol"),
        (WRITTEN.format(end='(END | "!")').replace("// @line_break B\n", ""), "line breaks"),
        (WRITTEN.format(end='(END | "!")').replace("%ignore B", "%ignore A"), "must be ignored"),
        (WRITTEN.format(end='(END | "!")') + "// @contextual B\n", "must not be ignored"),
    ],
)
def test_what_cannot_be_exact_is_refused(text: str, message: str) -> None:
    assert Language.from_lark(WRITTEN.format(end='(END | "!")')).recognizer("a\na", "").is_member() is False
    with pytest.raises(GrammarError, match=message):
        Language.from_lark(text)


JOINED = r"""
%declare JOINED
%ignore BLANKS
start: sum
sum: NAME [types] ((">" [JOINED (">" | "=")] | "<") NAME [types])*
types: "<" NAME [types] ">" [JOINED]
NOT_LESS: ">="
SHIFT: ">>"
// @emits NOT_LESS = ">" JOINED "="
// @emits SHIFT = ">" JOINED ">"
NAME: /[a-z]/
BLANKS: / +/
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a >> b", True),
        ("a > > b", False),
        ("a<b<c>>", True),
        ("a<b<c> >", True),
        ("a<b<c>>> d", True),
        ("a<b> >= c", True),
        ("a<b>> = c", False),
        ("a >= b", True),
        ("a > = b", False),
    ],
)
def test_a_symbol_may_say_that_there_is_no_gap(text: str, expected: bool) -> None:
    language = Language.from_lark(JOINED)
    for start, stop in itertools.combinations(range(len(text) + 1), 2):
        left, middle, right = text[:start], text[start:stop], text[stop:]
        try:
            recognizer = language.recognizer(left, right)
        except NoCompletion:
            assert not expected, (left, right)
            continue
        assert (recognizer.advance(middle) and recognizer.is_member()) == expected, (left, middle, right)
        recognizer = language.recognizer(left, right)
        witness = recognizer.witness()
        assert recognizer.advance(witness)
        assert recognizer.is_member(), (left, witness, right)
