"""Go and Java, whose grammars are included so that masks can be measured on more than Python."""

import itertools
import random

import pytest

from quotient import Language, NoCompletion, Vocabulary
from tests.masks import law, states, vocabularies
from tests.masks.programs import MXEVAL, functions
from tests.masks.samples import GO, JAVA
from tests.thoroughness import n_tries


def is_program(language: str, text: str) -> bool:
    try:
        return Language.load(language).recognizer(text).is_member()
    except NoCompletion:
        return False


@pytest.mark.parametrize(
    ("language", "text"), [("go", text) for text in GO] + [("java", text) for text in JAVA]
)
def test_programs_are_read_and_so_is_every_part_as_a_hole(language: str, text: str) -> None:
    assert is_program(language, text)
    source = random.Random(5)
    for _ in range(40):
        start, stop = sorted(source.randrange(len(text) + 1) for _ in range(2))
        recognizer = Language.load(language).recognizer(text[:start], text[stop:])
        assert is_program(language, text[:start] + recognizer.witness() + text[stop:])
        for character in text[start:stop]:
            assert recognizer.advance(character), (text[:start], text[start:stop], character)
        assert recognizer.is_member()


GO_BODIES = {
    "x\ny": True,
    "x y": False,
    "x // note\ny": True,
    "x // note y": True,
    "x /* one line */ y": False,
    "x /* two\nlines */ y": True,
    "x /* one */ /* two\nlines */ y": True,
    "x +\ny": True,
    "x\n+ y": True,
    "x\n* y": True,
    "x\n/ y": False,
    "x / y": True,
    "x /* c */ / /* c */ y": True,
    "x /= y": True,
    "x\n/= y": False,
    "f(\n1,\n)": True,
    "f(\n1\n)": False,
    "return\nx": True,
    "return /* c */ x": True,
    "return / x": False,
    "if /x {}": False,
    "if x {\n}\nelse {\n}": False,
    "if x {\n} else {\n}": True,
    "if x == T{} {\n}": False,
    "if x == (T{}) {\n}": True,
    "if x == []int{} {\n}": True,
    "for x := range T{} {}": False,
    "x := T{1}": True,
    "f().x := 1": True,
    "x++\ny--": True,
    "x++ y": False,
    "x = y++": False,
    "go f": False,
    "go f()": True,
    "`a\nb`\nx": True,
    "'a'\n\"a\"": True,
    "'ab'": False,
    '"\\\'"': False,
    "0b12": False,
    "0x.8p1 + 0o17 + 1_000.5e+3i": True,
    "switch x := y.(type) {\ncase int:\n}": True,
    "L:\nfor {\nbreak L\n}": True,
    "func() {}()": True,
    "returned := 1": True,
    "var f func(a int, b ...int)": True,
    "var f func(a ...int, b int)": False,
    "var f func(a int, string)": False,
    "x[a:b:c], y = <-z, &w.v": True,
    "x[a::c]": False,
}


@pytest.mark.parametrize(("body", "expected"), GO_BODIES.items())
def test_go_ends_statements_at_ends_of_lines(body: str, expected: bool) -> None:
    assert is_program("go", "package p\nfunc f() {\n" + body + "\n}\n") is expected


JAVA_BODIES = {
    "a < b > c;": True,
    "a + b;": False,
    "a.b();": True,
    "a.b;": False,
    "new int[3];": False,
    "new A();": True,
    "x = y = z;": True,
    "x + y = z;": False,
    "A<B<C<D>>> x;": True,
    "A<B<C<D>> > x;": True,
    "A<B<C>>> x;": False,
    "A<B>> x;": False,
    "A<B<? super C[]>, D>.E<F> x;": True,
    "x = (A) y;": True,
    "x = (A) + y;": True,
    "x = (A<B>) + y;": False,
    "x = (int) + y;": True,
    "x = (A & B) () -> 1;": True,
    "x = a instanceof B + c;": False,
    "x = a instanceof B && c;": True,
    "if (x) int y = 1;": False,
    "if (x) { int y = 1; }": True,
    "switch (x) { case 1 -> f(); case 2: g(); }": False,
    "record x;": False,
    "int record = 1;": True,
    "yield 1;": True,
    "int class = 1;": False,
    "else f();": False,
    "try { }": False,
    "try (x) { }": True,
    "try (1) { }": False,
    'x = """a""";': False,
    'x = """\n a "b" \\\n""";': True,
    "x = 'ab';": False,
    "x = 0x1.8p3d + 1__0L;": True,
    "x = 1_;": False,
    "for (;;) { }": True,
    "for (int i : x, y) { }": False,
    "public int x;": False,
    "final var x = int[].class;": True,
}


@pytest.mark.parametrize(("body", "expected"), JAVA_BODIES.items())
def test_java_statements(body: str, expected: bool) -> None:
    assert is_program("java", "class A { void f() { " + body + " } }") is expected


@pytest.mark.parametrize(
    "language",
    ["go", "java", "javascript", "javascriptreact", "json", "toml", "typescript", "typescriptreact"],
)
def test_masks_equal_brute_force(language: str) -> None:
    vocabulary = vocabularies.load("made")
    for state in itertools.islice(states.random_states(vocabulary, 1, (language,)), n_tries(50, 150)):
        assert law.differences(state.recognizer(), vocabulary) == [], state


def test_places_that_differ_in_a_name_alone_have_masks_of_their_own() -> None:
    """A constructor has its class's name: behind `Shop` a bracket may come in a constructor, behind `Ship` it
    may not, and in a method it may come behind both."""
    vocabulary, java = vocabularies.load("made"), Language.load("java")
    hole = java.recognizer("class Shop { void f() { } ", "\n}\n")
    for names in (("Shop", "Ship", "Sho", "Shop"), ("f() { Shop", "f() { Ship", "f() { Shop", "f() { Sho")):
        for name in names:
            fork = hole.fork()
            assert fork.advance(f"void {name}" if "(" in name else name)
            assert law.differences(fork, vocabulary) == [], name


def test_tokens_that_end_a_name_go_on_with_it_or_say_another() -> None:
    """Behind a name's beginning: its rest with a bracket, more than its rest, and a class within the
    token."""
    words = (
        "",
        "p",
        "op",
        "hop",
        "Shop",
        "Ship",
        "s",
        "ps",
        " Shop",
        " int Shop",
        "p { Shop",
        " X { X",
        " { Shop",
        "_",
    )
    signs = ("", "(", " (", "() {", " {", "{ Shop(", "{ X(", "} Shop(", "; Shop() {")
    tokens = sorted({(word + sign).encode() for word in words for sign in signs} - {b""})
    vocabulary, java = Vocabulary([*tokens, b""], eos=[len(tokens)]), Language.load("java")
    contexts = (
        ("class Shop { int a; ", ") { } }"),
        ("class Shop { int a; ", "p() { } }"),
        ("class ", "p { Shop() { } }"),
        ("class Shop { class Inner { } ", "\n}"),
        ("record Shop(int a) { ", "\n}"),
        ("", ""),
    )
    beginnings = ("", "S", "Sho", "Shop", "Ships", "public Sho", "public Shop", "class Sho", "class Shop")
    n_masks = 0
    for (left, right), begun in itertools.product(contexts, beginnings):
        recognizer = java.recognizer(left, right)
        if recognizer.advance(begun):
            assert law.differences(recognizer, vocabulary) == [], (left, begun, right)
            n_masks += 1
    assert n_masks > 35


# Strings with `\x00` and `\/`, which Java does not allow as escapes, and with a zero byte, which Go does not
# allow.
REFUSED = ("FirstRepeatedChar.", "**\\/\\/Google", "\0")


@pytest.mark.parametrize("language", ["go", "java"])
def test_functions_of_a_public_benchmark(language: str) -> None:
    if not MXEVAL.is_dir():
        pytest.skip("the programs of mxeval do not lie beside the project")
    loaded = Language.load(language)
    n_read = 0
    for left, body, right in functions(language):
        if any(mark in right for mark in REFUSED):
            continue
        end = body or ("}\n" if language == "go" else "}\n}\n")
        recognizer = loaded.recognizer(left, right)
        assert recognizer.advance(end), left
        assert recognizer.is_member(), left
        n_read += 1
    assert n_read > 1000


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("package p\nvar a = b", "\n.r"),
        ("", "tinue\n;"),
        ("", "{or) {\n;"),
        ("", "ge main\n\n < 10; i++ {\n"),
    ],
)
def test_a_line_break_behind_a_name_promises_nothing_that_cannot_follow_it(left: str, right: str) -> None:
    with pytest.raises(NoCompletion):
        Language.load("go").recognizer(left, right)


@pytest.mark.parametrize(
    ("language", "left", "right", "witness"),
    [
        ("java", "", "2", "//"),
        ("java", "class A { ", "x */ }", "/*"),
        ("java", "class A { // a", "}", "\n"),
        ("go", "//a\n", "b c\npackage x", "//"),
    ],
)
def test_witnesses_begin_and_end_what_is_ignored(language: str, left: str, right: str, witness: str) -> None:
    assert Language.load(language).recognizer(left, right).witness() == witness


def test_witnesses_know_no_language() -> None:
    language = Language.from_lark('start: "a"*\nD: /@[^@]*@/\n%ignore D')
    assert language.recognizer("", "2@").witness() == "@"
    assert language.recognizer("a@", "a").witness() == "@"


@pytest.mark.parametrize(("language", "texts"), [("go", GO), ("java", JAVA)])
def test_spoilt_holes_have_witnesses_or_are_refused(language: str, texts: list[str]) -> None:
    source = random.Random(7)
    extra = ("/* c */", "// n\n", '"', "/*", "*/", "//", "'", "\n", " ", ".", "{", "}", ")", ";", "")
    n_holes = 0
    n_drawn = n_tries(160, 400)
    for _ in range(n_drawn):
        left, right = source.choice(texts), source.choice(texts)
        left = left[: source.randrange(len(left) + 1)] + source.choice(extra)
        right = source.choice(extra) + right[source.randrange(len(right) + 1) :]
        if source.random() < 0.4:
            left, right = left[: source.choice((0, len(left)))], right[: source.randrange(1, 12)]
        try:
            recognizer = Language.load(language).recognizer(left, right)
        except NoCompletion:
            continue
        n_holes += 1
        assert is_program(language, left + recognizer.witness() + right), (left, right)
    assert n_holes > n_drawn // 4


def test_long_tokens_of_signs_are_read_in_few_ways() -> None:
    # At each of these bytes the parser of TSX may choose; 2^20 readings would fill the memory.
    signs = "!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~a"
    vocabulary = Vocabulary([sign.encode() * 20 for sign in signs] + [b"</" * 10, b"/>" * 10, b"{}" * 10])
    vocabulary.prepare_tables(Language.load("typescriptreact")._native)
    assert vocabulary.memory < 10_000_000
