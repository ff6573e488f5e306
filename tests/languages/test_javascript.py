"""JavaScript's grammar, as the slow reference reads it, against acorn and V8: constructs, whole and damaged
files.

The laws (`tests/laws`) compare the engine with the same judge, and tests here do so on these constructs.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from fim_lsp.replay.judges import NoJudge
from quotient import Language, Vocabulary
from tests.languages import judged
from tests.laws import javascript, npm_files
from tests.laws.corrupt import corrupted
from tests.membership import is_member
from tests.thoroughness import n_tries

CORPUS = Path(__file__).parents[1] / "corpus" / "grammar"
# Texts that must parse, and texts that must not, by the rule that decides.
VALID = {
    "a line break ends a statement": ["a\nb", "x++\n(y)", "a\n++b", "if (a) b\nelse c", "do x\nwhile (y) z"],
    "a line break does not": ["a = b\n(c)", "a\n/b/c", "a\n?.b", "x => y\n[1].y"],
    "an arrow function's block ends": [
        "x = () => {}\n/re/.test(y)",
        "x => {}\n[1].y",
        "a ? b : c => {}\n(d)",
    ],
    "restricted productions": ["return\n1", "yield_\n++b", "async\nfunction f(){}", "async\n(x)"],
    "regular expressions": ["/[/]/", "x = /=/g", "a = b / c / d", "x /= 2", "function* f() { yield\n/re/ }"],
    "templates": ["`a${b}c${`d${e}`}`", "`${{a: 1}}`", "t`\\x4`", "`\\0`", "`${() => { `}` }}`"],
    "old comments": ["a<!--b\nc", "x\n-->y\nz", "/* c\n*/ --> d", "x --> y"],
    "the first line": ["#!/x\na"],
    "numbers": ["1_000", "3 in []", "a?.5:b", "08.5", "0xF_Fn", "1..a"],
    "targets": ["(a) = 1", "((a.b)) = 1", "({a = 1} = b)", "[a, ...b] = c", "({a: (b)} = c)", "[(a)] = b"],
    "arrow functions": ["(a, b) => c", "async x => await x", "async (x) => {}", "(a = {}, [b]) => ({})"],
    "classes": [
        "class A { a\nb\n'c' = 1;*d() {} get\ne() {} static { } static async *#f() {} }",
        "class A { get\n*a() {} }",
        "class A { static\nx }",
        "class A { static static\nx }",
        "class A { static static\n*a() {} }",
        "class A { a = () => {}\n*b() {} }",
        "class A { #x; y() { return #x in this } }",
        "x = class extends (a, b) {}",
        "class A { static { async () => await a; class B { static { b } } } }",
        "class A { static { async function b() { class C { [await d] } } } }",
    ],
    "loops": ["for (async.x of y);", "for (const [a] of b) c", "for (let of of x);", "for (a.b in c);"],
    "modules": [
        "import a, {b as c, default as d} from 'x' with {type: 'json'}",
        "export {a}\nfrom\n'x'",
        "export default (function(){})()",
        "import.meta.url; await import('x')",
        "for await (x of y);",
    ],
    "old scripts": [
        "if (a) function f() {} else function g() {}",
        "a: b: function f() {}",
        "for (var a = b ? c : d in e);",
    ],
    "await and yield as names": [
        "var await, yield; await: for (;;) break await",
        "function* f(a = () => yield) { var await; yield await }",
        "async function f(yield) { () => await; class A { a = await } }",
        "function f() { await / yield }",
        "await (a); return",
        "class A { static { () => await } }; return",
        "await /* a */ //]/a",
        "await < a; return",
    ],
    "what is left": [
        "while (a) { if (b) break; else continue }",
        "do switch (a) { case b: continue; default: break } while (c)",
        "a: { break a }",
        "for (a of b) { try { break } finally { for (;;) continue } }",
    ],
    "what waits in patterns": [
        "async function f() { const { a = await b, [await c]: d } = e, [f = await g] = h }",
        "async function* f() { for (let { a = yield b } of c); for await (var [d = await e] of g); }",
        "async function f() { try {} catch ({ a = await b }) {} }",
        "export const { a = await b } = await c",
    ],
    "operators": ["a ?? (b || c)", "a ** -b", "(-a) ** b", "new a.b().c", "new (a())()", "() => a\n|| b"],
}
INVALID = {
    "no line break ends the statement": ["a b", "if (a)\n}", "for (;\n)", "throw\n1", "do x while (y)"],
    "an ended expression": ["a\n/b/", "() => {} || a", "a => {}.b", "class A { a = 1\n*b() {} }"],
    "restricted productions": ["(a, b)\n=> c", "async x\n=> x"],
    "templates": ["`\\x4`", "`\\08`", "`${`", "a?.b`c`"],
    "numbers": ["1__0", "3in []", "0_1", "1n.5n", "07.5"],
    "strings": ["'\\x4'", "'\\u{110000}'", "'\n'"],
    "the first line": [" #!/x\na"],
    "targets": [
        "a + b = c",
        "a?.b = 1",
        "({a = 1})",
        "({a}) = 1",
        "[(a = 1)] = b",
        "[...a,] = b",
        "(a, b) = 1",
    ],
    "declarations": ["const x", "let {a}", "if (a) class B {}"],
    "statements that begin like expressions": [
        "function f() {}()",
        "async function f() {}()",
        "{a: 1, b: 2}",
    ],
    "arrow functions": ["x => {a: 1, b: 2}", "a || () => {}", "async (a = await b) => c"],
    "loops": ["for (async of x);", "for (var i = 0, j = a in b;;);", "for (const x = 1 of y);"],
    "classes": [
        "class A { static { await a } }",
        "class A { static { () => await a } }",
        "async function f() { class A { static { await a } } }",
        "class A { static { for await (a of b); } }",
        "class A { static { return } }",
        "class A { static static\nx y }",
    ],
    "nothing to leave": [
        "if (a) break",
        "a.forEach(b => { if (b) continue })",
        "while (a) { function f() { break } }",
        "for (;;) { class A { static { break } } }",
        "a: { break }",
        "while (a);\nbreak",
    ],
    "old scripts": [
        "for (let a = b in c);",
        "for (var [a] = b in c);",
        "for (var a = b of c);",
        "for (var a = b in c;;);",
    ],
    "what waits in patterns": [
        "function f() { let { a = await b } = c }",
        "async function f() { function g({ a = await b }) {} }",
        "async function f({ a: [b = await c] }) {}",
    ],
    "await and yield as names": [
        "export {}; function f() { await }",
        "import await from 'a'",
        "async function f(a = await) {}",
        "function* f() { (yield) => a }",
        "async (await) => a",
        "class A { static { await } }; return",
        "x = async function await() {}",
        "function f() { await /a/ }",
    ],
    "modules": ["import a from 'b'; return", "export {default}", "export {'a' as b}", "import {if} from 'a'"],
    "operators": ["a ?? b || c", "-a ** b", "new a?.b", "class A { #a; b() { 1 + #a in b } }"],
}


reference = cache(npm_files.reference)


@pytest.mark.parametrize("kind", VALID)
def test_what_parses(kind: str) -> None:
    for text in VALID[kind]:
        assert reference().is_valid(text), text
        assert is_member("javascript", text), text
        assert judged.fault("javascript", text) is None, text


@pytest.mark.parametrize("kind", INVALID)
def test_what_does_not(kind: str) -> None:
    for text in INVALID[kind]:
        assert not reference().is_valid(text), text
        assert not is_member("javascript", text), text
        said = judged.fault("javascript", text)
        assert said is not None, text
        assert not said.startswith(javascript.BEYOND_GRAMMARS), text


@pytest.mark.parametrize(
    ("language", "text", "is_valid"),
    [
        ("javascript", "await / a; return", True),
        ("javascript", "x = [await++ // b\n / a]; return", True),
        ("javascript", "await / a / b", True),
        ("javascript", "await / a / 2", True),
        ("javascript", "await / a / g; import c from 'd'", False),
        ("javascript", "await / a / 2; import c from 'd'", False),
        ("javascript", "await /= a", True),
        ("javascriptreact", "await < a; return", True),
        ("javascriptreact", "await < a; import c from 'd'", False),
        ("javascriptreact", "await /* b */ / a; return", True),
    ],
)
def test_behind_await_a_slash_reads_as_scripts_and_as_modules_have_it(
    language: str, text: str, is_valid: bool
) -> None:
    assert (judged.fault(language, text) is None) == is_valid
    recognizer = Language.load(language).recognizer()
    assert not is_valid or all(recognizer.advance(character) for character in text)
    for cut in range(len(text) + 1):
        assert is_member(language, text[:cut], text[cut:]) == is_valid, cut


def test_masks_and_witnesses_know_of_both_readings() -> None:
    tokens = [b"/", b"/g", b" 2", b"a", b"\n", b";", b"; import c from 'd'", b" / 2", b"/ b / c"]
    vocabulary = Vocabulary(tokens)
    for left in ("await", "await /", "await / a", "await / a /", "await / a / b", "await / [a"):
        recognizer = Language.load("javascript").recognizer(left, "")
        mask = recognizer.mask(vocabulary)
        for index, token in enumerate(tokens):
            is_set = bool(mask[index // 32] >> index % 32 & 1)
            assert is_set == recognizer.fork().advance(token), (left, token)
        assert is_member("javascript", left + recognizer.witness()), left


@pytest.mark.parametrize("language", ["javascript", "javascriptreact", "typescript", "typescriptreact"])
@pytest.mark.parametrize("left", ["v\\u0061r\\", "v\\", "a.b\\u", "l\\u{65}t\\", "v\\u0061r\\u{"])
def test_what_completes_an_escape_is_one_of_a_letter(language: str, left: str) -> None:
    text = left + Language.load(language).recognizer(left, "").witness()
    assert is_member(language, text)
    assert judged.fault(language, text) is None, text


@pytest.mark.parametrize("language", ["javascript", "javascriptreact"])
def test_the_corpus(language: str) -> None:
    """The judge gave the verdicts once; the engine alone reads the corpus in a second."""
    for case in map(json.loads, (CORPUS / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()):
        assert is_member(language, case["text"]) == case["valid"], case["name"]


@pytest.mark.parametrize("language", ["javascript", "javascriptreact"])
def test_in_a_module_the_judge_knows_comments_as_in_html_from_what_looks_like_one(language: str) -> None:
    opened = "early error: comments as in HTML"
    for text, said in (
        ('import "a"; b = "<!--" + `<!--${c}-->`', None),
        ('import "a"; b = /<!--/ // -->', None),
        ('import "a"; b = c --> d', None),
        ('import "a"; b <!-- )', opened),
        ('import "a"\n--> )', opened),
        ("import 'a'\n/*\n*/ --> )", opened),
        ('<!-- )\nimport "a"', opened),
    ):
        assert judged.fault(language, text) == said, text
        assert is_member(language, text), text
    for text in ('import "a"; b <!-- )\n)', 'import "a"\n--> b\n)'):
        said = judged.fault(language, text)
        assert said is not None, text
        assert not said.startswith("early error"), text
        assert not is_member(language, text), text


def test_the_judge_leaves_open_a_call_of_import_behind_a_comment_as_in_html() -> None:
    guessed = "early error: what acorn does not read"
    for text in ("import<!-- a\n(<b/>)", "import /* a */ <!-- b\n // c\n ('d')"):
        assert judged.fault("javascriptreact", text) == guessed, text
        assert is_member("javascriptreact", text), text
    said = judged.fault("javascriptreact", "import<!-- a\n)")
    assert said is not None
    assert not is_member("javascriptreact", "import<!-- a\n)")


def test_whole_files_of_packages() -> None:
    judged.fault("javascript", "")
    try:
        small = [entry for entry in javascript.files() if 500 < entry[2] < 3000]
    except NoJudge as why:
        pytest.skip(str(why))
    n_read, n_files = 0, n_tries(8, 20)
    for _, path, _ in Random("whole files").sample(small, n_files):
        text = path.read_text(encoding="utf-8", errors="ignore")
        if judged.fault("javascript", text) is None:
            n_read += 1
            assert reference().is_valid(text), path
    assert n_read > n_files // 2


def test_spoilt_texts() -> None:
    random = Random("spoilt")
    counts = {True: 0, False: 0}
    n_texts = n_tries(200, 600)
    for _ in range(n_texts):
        text = random.choice((*javascript.PROGRAMS, *javascript.WORDS.statements))
        text = corrupted(random, text, random.choice(javascript.PROGRAMS), javascript.WORDS)
        said = judged.fault("javascript", text)
        if said is None or not said.startswith(javascript.BEYOND_GRAMMARS):
            assert reference().is_valid(text) is (said is None), (text, said)
            counts[said is None] += 1
    assert min(counts.values()) > n_texts // 6
