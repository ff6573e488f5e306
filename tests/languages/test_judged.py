"""Go, Java, JSON and TOML against their real parsers: constructs by name, a sample of the laws.

`python -m tests.laws --all --language go` checks the laws by the thousand.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fim_lsp.replay import judges
from fim_lsp.replay.judges import DIED, JudgeProcess, NoJudge, json_fault
from fim_lsp.system import programs
from tests.languages import judged
from tests.laws.chunks import Chunk, check
from tests.laws.derived import differences
from tests.laws.domains import DOMAINS, counts_taken, verdict_of
from tests.laws.laws import LAWS
from tests.laws.oracle import Verdict
from tests.membership import is_member

CORPUS = Path(__file__).parents[1] / "corpus" / "grammar"
# Texts that the grammars once got wrong, and similar ones.
GO = {
    "\ufeffpackage p": True,
    "package p \ufeff": False,
    "package \ufb01": True,
    "package p // \x00": False,
    "package p\nvar x = `\ufeff`": False,
    "package p\nfunc (t T) m[P any]() {}": False,
    "package p\nfunc f[P any]() {}": True,
    "package p\nfunc f() (...int)": False,
    "package p\nfunc f(...int)": True,
    "package p\nfunc f(a, b ...int)": False,
    "package p\nconst c int": True,
    "package p\nvar x = '\\uD800'": False,
    "package p\nvar x = '\\U00110000'": False,
    'package p\nvar x = "\\uFFFF\\U0010FFFF"': True,
    "package p\nvar x = struct{A}.m": True,
    "package p\nvar x = interface{M()}.M(nil)": True,
    "package p\nvar x = func() (r[:])": False,
    "package p\nvar x = []e(a, b)": True,
    "package p\nvar x = ~y": True,
}
GO_STATEMENTS = {
    "switch x { case 1: y case 2: z }": False,
    "switch x { case 1: y; case 2: z }": True,
    "switch x { case 1: y\ncase 2: z }": True,
    "switch x { case 1: L: case 2: }": False,
    "switch x { case 1: L: }": True,
    "select { case f(): g() default: }": False,
    "if x == ([32]a){} {}": False,
    "if x == ([32]a){}": False,
    "if x == [32]a{} {}": True,
    "if x == ([32]a)(y) {}": True,
    "if x == (y) {}": True,
    "f().x := 1": True,
    "for x.y := range z {}": True,
    "(a)[b]{}": True,
    "x = f(){}": False,
    "~x": False,
    "go (f())": False,
    "go []int(x)": True,
}
JAVA = {
    "import a;": False,
    "import a.b;": True,
    "import module a.b;": True,
    ";import a.b;": False,
    "package a; void main() { }": False,
    "void main() { } int x = 1;": True,
    "open module a.b { requires transitive c; exports d to e; uses f; provides g with h; }": True,
    "interface I { int x; }": False,
    "interface I { int x = 1; void f(); }": True,
    "interface I { { } }": False,
    "class A permits B { }": False,
    "public sealed class A permits B { }": True,
    "record R(int a) { int b; }": False,
    "record R(int a) { static int b; R { } }": True,
    "record R(int a) { { } }": False,
    "class A { int \\u0041; }": True,
    "class A { int \\ud800; }": False,
    "class A { } // \\u12": False,
    "class A { } // \\\\u12": True,
    "/* \\u */ class A { }": False,
    'class A { String s = "\\uu0041"; }': True,
    "class A { int goto; }": False,
    "class A { int _; }": False,
    "class A { var x = 1; }": False,
    "class A { int module, open, to, with; }": True,
    "class A { A() { } }": True,
    "class A { B() { } }": False,
    "class A { <T> B() { } }": False,
    "class when { @A when(int x) throws B { } }": True,
    "class A { class B { B() { } } A() { } }": True,
    "class A { class B { A() { } } }": False,
    "class A<@B(new C() { class D { D() { } } }) T> { D() { } }": False,
    "enum E { A; E() { } }": True,
    "enum E { A; A() { } }": False,
    "enum E { A { E() { } } }": False,
    "record R(int a) { S { } }": False,
    "record R(int a) { <T> R { } R() { } record S() { S { } } }": True,
    "sealed class A permits B { B() { } }": False,
    "interface I { I() { } }": False,
    "interface I { class A { A() { } } }": True,
    "record<T> f() throws E { }": True,
    "record.x f() { }": True,
    "record x;": False,
    "class A<T extends sealed<T>> extends permits.x { List<List<yield<T>>> a; var<T>[] b; }": True,
    "class A { record[] a; }": False,
    "class A { void f() throws b.@C d { } }": True,
}
JAVA_STATEMENTS = {
    "static class B { }": False,
    "final class B { }": True,
    "var x = 1;": True,
    "var x = 1, y = 2;": False,
    "var[] x = y;": False,
    "int _ = 1;": True,
    "int _;": False,
    "f(_ -> 1);": True,
    "f((var x, y) -> 1);": False,
    "x = y instanceof R(_, var _);": True,
    "x = _;": False,
    "for (var _ : x) ;": True,
    "try { } catch (E _) { }": True,
    "class B { B() { } }": True,
    "class B { A() { } }": False,
    "new A() { A() { } };": False,
    "x.y().class;": False,
    "Object o = x.y.class;": True,
    "a + b = c;": False,
    "(a) = b;": True,
    "int const = 1;": False,
    "yield<T> x;": True,
    "x = (record<T>) y instanceof sealed.z z;": True,
    "x = y instanceof record;": False,
    "x = record[]::new;": True,
    "x = new record[] { };": True,
    "new record<>(y.new sealed<T>());": True,
    "new var<>();": True,
    "new var();": False,
    "new @A var();": False,
    "y.new var();": False,
    "new a<T><>();": False,
    "new a.b<>();": True,
    "switch (x) { case a<T> y -> z(); case a[] y -> z(); }": True,
    "switch (x) { case a<T>[] y -> z(); }": False,
    "switch (x) { case a[](var y) -> z(); case b(a<T> y) -> z(); }": True,
    "switch (x) { case b(a<T>[] y) -> z(); }": False,
    "x = y instanceof a<T>[] z;": True,
    "x = y instanceof a<T>[](int[] z);": True,
    "x = y instanceof a.@B c(var z);": False,
    "x = y instanceof int(var z);": False,
    "x = (a[]) + y;": False,
    "x = (a<T>) y;": True,
    "try { } catch (A | B[] e) { }": False,
    "try { } catch (A | b.@C D e) { }": True,
    "a.@B c[0] = 1;": False,
    "a -> b c;": False,
    "a -> b c = d, e;": False,
}


def wrapped(frame: str, cases: dict[str, bool]) -> dict[str, bool]:
    return {frame.replace("$0", text): expected for text, expected in cases.items()}


def of_corpus(language: str) -> dict[str, bool]:
    """The verdicts of a language's corpus, by text."""
    lines = (CORPUS / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["text"]: case["valid"] for case in map(json.loads, lines)}


TOML = {
    "a = [[1, 2], [3]]": True,
    "a = [[1], [2],]": True,
    "a = [[[]]]": True,
    "a = [[1]": False,
    "[ [a]]": False,
    "[[a] ]": False,
    "[[a]]": True,
    "1.5 = 1": True,
    "1. 5 = 1": True,
    "1979-05-27 .a = 1": True,
    "a = 1979-05-27 # b": True,
    "a = 1979-05-27  07:32:00": False,
    "a = 2023-02-29": False,
    "a = 2000-02-29 07:32:00+23:59": True,
    "a = 1900-02-29": False,
    "a = 1e5\n1e5 = 1": True,
    "a = 1e+5": True,
    "1e+5 = 1": False,
    "a = 01": False,
    "a = inf5": False,
    'a = """""b"""""': True,
    'a = """b""""""': False,
    'a = """b\\ \n"""': True,
    'a = "\\ud800"': False,
    "a = {b = [\n]}": True,
    "a = {\n}": False,
    "a = {b = 1,}": False,
    "a # b": False,
    "a = 1 # \x7f": False,
    "a = 1\r": False,
}
CASES = [
    *(("toml", *case) for case in TOML.items()),
    *(("go", *case) for case in (GO | wrapped("package p\nfunc f() {\n$0\n}\n", GO_STATEMENTS)).items()),
    *(("java", *case) for case in (JAVA | wrapped("class A { void f() { $0 } }", JAVA_STATEMENTS)).items()),
    *((language, *case) for language in ("go", "java") for case in of_corpus(language).items()),
]


@pytest.mark.parametrize("language", ["toml", "go", "java"])
def test_constructs(language: str) -> None:
    cases = {text: expected for of, text, expected in CASES if of == language}
    assert len(cases) >= 30
    assert [text for text, is_right in cases.items() if is_member(language, text) is not is_right] == []
    for text, is_right in cases.items():
        assert (judged.verdict(language, text) is Verdict.VALID) is is_right, text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("class A { \\u0041() { } }", "names said again, letters written as escapes"),
        ("class A { final static final int x = 1; }", "a modifier said twice"),
        ("non /* */ - sealed class A { }", "`non-sealed` written apart"),
        ("class A { int x \\u003d 1; }", "signs written as escapes"),
        ("class A { int x = 0x\\u0041; }", "words of the language and numbers written as escapes"),
        ("class A { int x = \\uu0031; }", "words of the language and numbers written as escapes"),
        ("\\u0063lass A { }", "words of the language and numbers written as escapes"),
        ("class A { void f() { retur\\u006e; } }", "words of the language and numbers written as escapes"),
    ],
)
def test_what_is_left_open_is_counted_by_kind(text: str, kind: str) -> None:
    counts_taken()
    assert judged.verdict("java", text) is Verdict.BEYOND_LIMITS
    assert counts_taken() == {f"texts left open: {kind}": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[NaN]", False),
        ("[1e999]", True),
        ("1" * 5000, True),
        ('"\t"', False),
        ("[1,]", False),
        ("\ufeff1", False),
    ],
)
def test_the_judge_of_json_is_strict(text: str, expected: bool) -> None:
    assert (json_fault(text) is None) is expected


SAMPLES = {"a": 4, "b": 48, "h": 30}


@pytest.mark.parametrize(
    "language",
    ["go", "java", "javascript", "javascriptreact", "json", "toml", "typescript", "typescriptreact"],
)
@pytest.mark.parametrize("law", SAMPLES)
def test_a_sample_of_the_laws(law: str, language: str) -> None:
    try:
        DOMAINS[language].files()
        DOMAINS[language].judge("")
    except NoJudge as why:
        pytest.skip(str(why))
    if not DOMAINS[language].files():
        pytest.skip(f"no file of {language} was found on this machine")
    seed = f"sample {law} {language}"
    outcome = check(Chunk(law, SAMPLES[law], seed, 8_000, 5, language))
    assert outcome.tally[LAWS[law].unit] >= SAMPLES[law]
    assert not outcome.failures


# A simulated judge: it refuses, crashes or never answers if the text tells it to.
FRAIL = """
import sys, time
while line := sys.stdin.buffer.readline():
    text = sys.stdin.buffer.read(int(line)).decode()
    if text.startswith(sys.argv[1]):
        sys.exit(1)
    if text.startswith("endless"):
        time.sleep(1000)
    print("3\\twrong" if text == "wrong" else "", flush=True)
"""


def frail(died_of: str, seconds: float = 60) -> JudgeProcess:
    return JudgeProcess([sys.executable, "-c", FRAIL, died_of], seconds)


def test_a_judge_that_dies_of_a_text_says_so_and_judges_the_next_ones() -> None:
    judge = frail("die")
    texts = ("right", "die", "wrong", "die again", "die", "right")
    died = (0, DIED)
    assert [judge.fault(text) for text in texts] == [None, died, (3, "wrong"), died, died, None]
    judge.end()
    assert verdict_of("javascript", died) is Verdict.BEYOND_LIMITS
    assert counts_taken()["texts left open: the judge died"] == 1


def test_a_judge_that_does_not_answer_is_ended() -> None:
    judge = frail("die", 5)
    assert [judge.fault(text) for text in ("right", "endless", "wrong")] == [None, (0, DIED), (3, "wrong")]
    judge.end()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("language", ["javascript", "javascriptreact"])
def test_a_class_of_characters_that_is_none_is_read_to_its_end(language: str) -> None:
    try:
        judge = judges.process(language)
    except NoJudge as why:
        pytest.skip(str(why))
    found = judge.fault("x = /[\\p{a]/u\n")
    assert found is not None
    assert found[1].startswith("early error: Invalid regular expression")
    assert judge.fault("x = /[\\p{a]/u; y = (") == (1, "Unexpected token (1:20)")


def test_a_jdk_is_known_by_its_compiler_as_the_system_calls_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "javac.exe").touch()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setattr(programs, "is_windows", lambda: True)
    assert tmp_path.resolve() in judges.java_homes()
    monkeypatch.setattr(programs, "is_windows", lambda: False)
    assert tmp_path.resolve() not in judges.java_homes()


def test_a_jdk_says_its_release_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "release").write_text('IMPLEMENTOR="x"\nJAVA_VERSION="25.0.3"\nMODULES="java.base"\n')
    assert judges.version_of(tmp_path) == 25


def test_a_judge_that_does_not_live_is_none() -> None:
    judge = frail("")
    with pytest.raises(NoJudge, match="ended unexpectedly"):
        judge.fault("right")
    judge.end()


def test_what_node_dies_of_is_left_open() -> None:
    # In Node 20.20 an assertion about the fault's place fails.
    assert judged.verdict("javascript", "e=/ /(e=>{let{}=class{/**/...") is not Verdict.VALID
    assert judged.verdict("javascript", "a = b") is Verdict.VALID


def test_texts_derived_from_a_grammar_are_read_as_its_parser_reads_them() -> None:
    assert not list(differences(DOMAINS["json"], 300, "sample"))


def test_what_a_grammar_has_and_its_parser_has_not_is_found_and_made_small() -> None:
    def of_flat_json(text: str) -> Verdict:
        return Verdict.INVALID if "[" in text else DOMAINS["json"].judge(text)

    found = set(differences(replace(DOMAINS["json"], judge=of_flat_json), 300, "sample"))
    assert "[ ]" in found
    assert all("[" in text for text in found)
