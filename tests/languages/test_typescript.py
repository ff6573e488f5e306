"""TypeScript's grammar against its own parser: constructs, whole and damaged. The laws use whole files."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from quotient import Language
from tests.languages import judged
from tests.laws import domains, tsx, typescript
from tests.laws.corrupt import corrupted
from tests.laws.oracle import Verdict
from tests.membership import is_member

CORPUS = Path(__file__).parents[1] / "corpus" / "grammar"
# Texts that must parse, and texts that must not, by the rule that decides.
VALID = {
    "dots in comments": ["let a: b/*.*/<c>", "let a: typeof b/* . */<c>"],
    "an angle closes or compares": [
        "f<a<b<c>>>(d)",
        "a < b >> c",
        "let a: b<c<d>>= e",
        "a >>>= b",
        "(a): b<c>=> d",
        "f<<a>(b: a) => c>(d)",
    ],
    "type arguments in expressions": [
        "f<a>\n(b)",
        "new a<b>",
        "f<a>`b`",
        "a?.<b>(c)",
        "a<b>?.(c)",
        "[a<b>, c]",
        "f<>()",
        "a<b>;",
        "super.a<b>()",
        "f<a[]> * b",
        "a * f<b[]> as c",
        "f<a[]> <<= b",
        "++f<a[]>\nb",
        "class a extends b<c[]> {}",
    ],
    "assertions": [
        "a as const",
        "a satisfies b as c",
        "<a>b.c",
        "a as b | c",
        "a as number < b",
        "a!.b![c]!",
        "a as b\n(c)",
        "a as b ? c : d",
    ],
    "a line break ends": [
        "let a: b\n(c)",
        "type a = b\n[c]",
        "function f(): a\nfunction f() {}",
        "a\n!b",
        "a\nas\nb",
        "class a { b: c\n[d] = e }",
    ],
    "a line break does not end": [
        "type a =\n| b\n| c",
        "function f()\n{}",
        "interface a { get\nb() }",
        "class a { static\nb: c }",
        "a\n<b>(c)",
    ],
    "types": [
        "type a = b extends (infer c extends d)[] ? e : never",
        "type a = { -readonly [b in keyof c as `x${b}`]+?: d }",
        "type a = [b: c, d?: e, ...f[]]",
        "type a = typeof import('b') | import('c', { with: { d: 'e' } }).f<g>",
        "type a = abstract new <b>(c: b) => d",
        "type a = b[c]['d'][] & unique symbol",
        "function f(this: a, b): asserts b is c",
    ],
    "arrow functions": [
        "<a,>(b: a): b => c",
        "async <const a>(b?) => c",
        "a ? (b): c => d : e",
        "(a): b is c => d",
        "(a)\n=> b",
    ],
    "classes": [
        "class a { constructor(private readonly b?: c, @d e = f) {} }",
        "class a { declare b: c; static accessor d; override e?(): f; private static g!: h }",
        "class a { [b: string]: c; static [d: e]: f; get; set; static; declare\nabstract }",
        "@a.b(c) export abstract class d<e> extends f<g> implements h, i.j {}",
    ],
    "declarations": [
        "declare module 'a' { export = b }",
        "declare global { interface a { new (b): c; (d): e; readonly [f: g]: h } }",
        "namespace a.b { export import c = d.e }",
        "declare const enum a { b = 1 << 2, 'c' }",
        "export as namespace a",
        "abstract class a { abstract b(): c }",
    ],
    "modules": [
        "import type a, { type b as c } from 'd'",
        "import { type as as as } from 'a'",
        "import type = require('a')",
        "export type * as a from 'b'",
        "import defer * as a from 'b'",
    ],
    "words as names": [
        "let type, of, as, declare, keyof",
        "type(a)",
        "declare\nlet a",
        "namespace.a = b",
        "abstract\nclass a {}",
        "as as as",
    ],
    "what the checker finds": [
        "f() = 1",
        "return",
        "({ a = 1 })",
        "a ?? b || c",
        "class a extends b, c {}",
        "({ readonly a() {} })",
    ],
}
# These may not follow the type arguments of a value.
BEHIND_TYPES = ["f<a[]> + b", "a * f<b[]> - c", "f<a[]> > b", "f<a[]> < b", "f<a[]> >>= b", "f<a[]>++"]
INVALID = {
    "gaps": ["a > > b", "a > = b", "a < < b"],
    "behind type arguments": BEHIND_TYPES,
    "type arguments in expressions": ["f<a[]> b", "f<a>.b", "f<a>?.b", "f<a> - ", "super<a>()"],
    "assertions": ["a as b = c", "<a>b ** c", "a as b < c", "a as\n", "(a\nas b)"],
    "no line break": ["type a\nb = c", "namespace 'a' {}", "let a\n!: b", "(a\n!)"],
    "types": [
        "type a = b | () => c",
        "type a = string<b>",
        "type a = b<c>.d",
        "type a = [,]",
        "type a = -b",
        "let a: b c",
        "function f(a): a\nis b",
    ],
    "arrow functions": ["(a: b)", "(a?)", "async a\n=> b", "<>() => a"],
    "classes": [
        "class a { b!() {} }",
        "class a { constructor = 1 }",
        "class a { static static b }",
        "class a { async b\nc d }",
        "class a { public @b c }",
    ],
    "declarations": [
        "interface {}",
        "enum a { b; c }",
        "interface a { b = c }",
        "type a = { [b in c]: d, e: f }",
        "export default enum a {}",
    ],
    "chains": ["a?.#b", "new a?.b()", "a?.b.#c"],
    "numbers and strings": ["07", "1_", "'\\08'", "'\\7'", "`\\u{110000}`"],
}


# Texts with JSX that must parse.
VALID_WITH_JSX = [
    "<a<b>>c</a>",
    "<a<b<c>> d={e as f}>{...g}</a>",
    "x = <a,>(b: a) => <c/>",
    "x = <a extends b<c>>(d) => <e/>",
    "x = async <const a,>(b) => c",
    "<a/> as b",
    "<a/> = b",
    "a < b && f<c>(<d/>)",
    "<a extends='b'/>",
    "<a b={}/>",
    "<a/>\n(b)",
    "<a.class new export='b'/>",
    "a ** <b/>",
    "<a/> <<= b",
]
INVALID_WITH_JSX = [
    "x => {}.a ** <b/>",
    "<export,>(a) => b",
    "<a>b",
    "x = <a>(b) => c",
    "<a/> < b",
    "<a/>.b",
    "<a:b.c/>",
    "<a b='c' 'd'/>",
    "class a extends <b/> {}",
    "<a {b}/>",
]


@pytest.mark.parametrize("kind", VALID)
def test_what_parses(kind: str) -> None:
    for text in VALID[kind]:
        assert is_member("typescript", text), text
        assert judged.fault("typescript", text) is None, text


@pytest.mark.parametrize("kind", INVALID)
def test_what_does_not(kind: str) -> None:
    for text in INVALID[kind]:
        assert not is_member("typescript", text), text
        said = judged.fault("typescript", text)
        assert said is not None, text
        assert not typescript.is_left_open(said), text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("let a: b?", "types of JSDoc"),
        ("let a: import('b').c.<d>", "types of JSDoc"),
        ("let a: if", "reserved words as types"),
        ("throw\na", "throw alone"),
        ("var\nif (a) b", "a variable too few"),
        ("import a from b", "modules that are no strings"),
        ("class a extends {}", "heritage too little"),
        ("declare a", "declare alone"),
        ("import<a>b", "import alone"),
        ("throw declare a", "declare alone"),
        ("let a: const", "reserved words as types"),
        ("function f<a extends -b>() {}", "an expression behind extends"),
        ("let a: #b", "private names as names"),
        ("({ [a, b]: c })", "commas in keys"),
        ("class a { [b.c, d]() {} }", "commas in keys"),
    ],
)
def test_what_the_judge_takes_and_is_not_meant(text: str, kind: str) -> None:
    assert judged.fault("typescript", text) == f"nobody means: {kind}"
    assert not is_member("typescript", text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("for (await of b);", "await and yield as names"),
        ("export {}; await;", "await and yield as names"),
        ("function* f() { await }", "await and yield as names"),
        ("if (yield\na) b", "await and yield as names"),
        ("a = yield\n(c)\n", None),
        ("await {}", "await and yield as names"),
        ("export {} await\na", "forgotten faults"),
        ("global\nexport {}", "global without a block"),
        ("export default interface\n", "export default interface"),
        ("class a { export\n@b c }", "export in front of members"),
        ("type a = { [b.c in d]: e }", "in as an operator in a type's key"),
        ("a * f<b> << c", "a shift behind type arguments or an element"),
        ("a.\nb in c", "a name in the line behind its dot"),
        ("(a)\n{ b }", "brackets that seem to be an arrow function's"),
        ("({ a }): (b) => c", "brackets that seem to be an arrow function's"),
        ("async(a): (b) => c", "brackets that seem to be an arrow function's"),
        ("({ a })://\n(b) => c", "brackets that seem to be an arrow function's"),
        ("(a < b >\nc)", "type arguments in front of a line end"),
        ("a < b > as", "type arguments in front of a cast"),
        ("f<<a>>(b)", "type arguments with a fault"),
        ("f<!a>(b)", "type arguments with a fault"),
        ("f<a<b>['c'\n\t>(d)]", "type arguments with a fault"),
        ("a<<b as c< <>()=>a>", "type arguments with a fault"),
        ("f(!a<b> / c)", "a slash behind type arguments"),
        ("a < b > /c/", "a slash behind type arguments"),
        ("new a<b> / c", "a slash behind type arguments"),
        ("import typ\\u{65} a from 'b'", "escapes in names"),
        ("export { \\u0074ype a as b }", "escapes in names"),
        ("export \\u0074ype { a }", "escapes in names"),
        ("import { type \\u0061s a } from 'b'", "escapes in names"),
        ("export { type a, typ\\u0065, type \\u0061s }", None),
        ("function f(a, \\u0074his) {}", "escapes in names"),
        ("a.v\\u0061r; ({ v\\u0061r: 1 })", None),
        ("a ? b ? (c) : d => e : f", "an arrow function's type between conditions"),
        ("if\xa0(a) b", None),
        ("if\u2028(a) b", None),
        ("`${a}\xa0`;'a\xa0b' /* c\xa0d */;[]\xa0", None),
        ("/// <reference />", None),
        ('/// <reference types="a" resolution-mode="b" />', None),
        ('/// <amd-module name="a" />\n/// <amd-module name="b" />', None),
        ("interface a { b: c = d }", None),
        ("class a { declare // b\n }", None),
    ],
)
def test_what_the_judge_leaves_open(text: str, kind: str | None) -> None:
    assert judged.fault("typescript", text) == (kind and f"left open: {kind}")
    assert kind is not None or is_member("typescript", text)
    if kind is not None:
        assert domains.of_typescript(text) is Verdict.BEYOND_LIMITS


def test_a_kind_that_the_laws_do_not_know_is_no_fault() -> None:
    with pytest.raises(AssertionError, match="left open: a kind of its own"):
        domains.verdict_of("typescript", (0, "left open: a kind of its own"))
    assert domains.verdict_of("typescript", (1, "'}' expected.")) is Verdict.INVALID


def test_the_judge_leaves_open_what_seems_to_be_an_arrow_function_beside_elements() -> None:
    said = judged.fault("typescriptreact", "f(async <a, () => { b })")
    assert said == "left open: brackets that seem to be an arrow function's"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<\\u0061,>(b) => c", "left open: escapes in names"),
        ("async <\\u0061,>(b) => c", None),
        ("<a, \\u0062>(b) => c", None),
        ("function f<\\u0061>() {}", None),
    ],
)
def test_beside_elements_an_arrow_function_begins_with_a_name_without_escapes(
    text: str, said: str | None
) -> None:
    assert judged.fault("typescriptreact", text) == said
    assert is_member("typescriptreact", text) == (said is None)


@pytest.mark.parametrize("language", ["typescript", "typescriptreact"])
def test_the_corpus(language: str) -> None:
    for case in map(json.loads, (CORPUS / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()):
        assert is_member(language, case["text"]) == case["valid"], case["name"]
        assert (judged.fault(language, case["text"]) is None) == case["valid"], case["name"]


@pytest.mark.parametrize("language", ["typescript", "typescriptreact"])
def test_no_half_of_a_shift_stands_behind_type_arguments(language: str) -> None:
    """The engine once searched for a witness behind the blank, although there is none."""
    assert not Language.load(language).recognizer().advance("f<>< ")


def test_phrases_and_spoilt_ones() -> None:
    random = Random("spoilt")
    counts = {True: 0, False: 0}
    for text in (*typescript.STATEMENTS, *typescript.PROGRAMS):
        spoilt = corrupted(random, text, random.choice(typescript.STATEMENTS), typescript.WORDS)
        for one in (text, spoilt):
            said = judged.fault("typescript", one)
            if typescript.is_left_open(said):
                continue
            counts[said is None] += 1
            assert is_member("typescript", one) == (said is None), (one, said)
    assert min(counts.values()) > 100


def test_elements() -> None:
    for text in VALID_WITH_JSX:
        assert is_member("typescriptreact", text), text
        assert judged.fault("typescriptreact", text) is None, text
    for text in INVALID_WITH_JSX:
        assert not is_member("typescriptreact", text), text
        assert judged.fault("typescriptreact", text) is not None, text


def test_phrases_with_elements() -> None:
    for text in (*tsx.STATEMENTS, *tsx.PROGRAMS):
        said = judged.fault("typescriptreact", text)
        if not typescript.is_left_open(said):
            assert is_member("typescriptreact", text) == (said is None), (text, said)
