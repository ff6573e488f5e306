"""Early errors in TypeScript and in JSX: those of JavaScript, with types ignored."""

import pytest

from quotient import Language

INVALID = [
    "\\u{1c89}",
    "class A { #\\u{88f} }",
    "let a: b; let a: c",
    "let a: b = c; { var a: d }",
    "const a = 1; function a<T>(b: T): T { return b }",
    "function a(): void {} function a(b: c): void {}",
    "class a<T> extends b<T> implements c, d<T> {} class a {}",
    "enum a { b } let a",
    "function f<T>(a: T, { a }: b): c {}",
    "const f = <T>(a: T, a: b): a is c => d",
    "x = async (a: b, ...c: d[]): Promise<e<f>> => { let a }",
    "namespace a { let b; let b }",
    "declare module 'a' { const b: c; const b: d }",
    "import { a } from 'b'; import type { a } from 'c'",
    "a: a: ;",
    "a: for (const b of <c[]>d) { break e }",
    "return a as b",
    "new.target",
    "class A { #a?: b; #a: c }",
    "class A { m(this: A): b { return this.#c! } }",
    "class A { constructor(private a: b) {} constructor() {} }",
    "abstract class A { constructor() { super() } }",
    "function f(this: a): b { super.c }",
    "class A { static prototype(): a {} }",
    "class A { private readonly a: b = arguments }",
    "export {}; var a: b = (delete c)",
    "'use strict'; with (a as b) {}",
    "class A { m() { var package: b } }",
    "export { a }; type b = c",
    "export default 1; export default class<T> {}",
    "let a: b = /(/",
    "let a = <b>/c/gg",
    "x = a<b>(/(?<c>d)\\k<e>/)",
    "let a\\u{2003}: b",
    "if (a) { export let b: c }",
    "for (x = [a in b];;) {}",
    "for (x = (c = a in b) => c;;) {}",
    "let a; declare function a(): b",
    "function a(): b; var a",
    "declare function a(): b; class a {}",
    "class a {} function a() {}",
    "enum a {} function a(): b",
    "const enum a {} enum a {}",
    "const enum a {} namespace a { let b }",
    "namespace a { { foo() } function b() {} } var a",
    "declare namespace a { namespace b { let c: d } } let a",
    "type a = b; type a = c",
    "type a<T> = b; interface a {}",
    "interface a {} enum a {}",
    "class a {} type a = b",
    "declare class a {} type a = b",
    "{ type a = b; class a {} }",
    "namespace a { interface b {} type b = c }",
    "try {} catch (a) { class a {} }",
    "try {} catch (a) { function a() {} }",
    "for (using a of b) { break c }",
    "await a; let b, b",
    "function f() { await a; yield b; let c; let c }",
    "let a = await import('b'), a",
    "{ namespace a {} }",
    "function f() { namespace a { let b } }",
    "for (;;) { declare module 'a' {} }",
    "class A { m() { declare global { let a: b } } }",
    "for (using a of b) { var a }",
    "for (await using a = b, a = c;;) {}",
    "for await (await using of of b) { var of }",
    "using a = b; let a",
    "using of = b; let of",
    "for (var a = b in c);",
    "let a; a<!--b; let a",
    "let a = { get #b() { return c } }",
    "import a from 'b' with { c: 'd', c: 'e' }",
]
VALID = [
    "import { eval, a as arguments } from 'b'",
    "declare class a {} function a() {} declare function a(): b",
    "declare namespace a { class b {} function b(): c; namespace b { let c: d } }",
    "function a() {} namespace a { let b } namespace a { let c } class d {} namespace d { let e }",
    "enum a {} namespace a { let b }",
    "let a; namespace a { interface b {} type c = d; namespace e {} } type a = b; namespace a {}",
    "interface a {} interface a {} class a {} function b() {} interface b {} let c; interface c {}",
    "namespace a { type b = c } namespace d { type b = c } { type a = b } function f() { type a = b }",
    "import { a } from 'b'; type a = c; import d from 'e'; interface d {} interface d { f: g }",
    "function a(): b; { let a } function f(a) { type a = b; { function c(): d; { var c } } }",
    "await a; for (await b;;) {} function f() { await a; yield 'b'; x = yield c } with (await 1) {}",
    "for (using a of b) { let a } for (using of b) {} for (using of = b;;) {} for (await using a of b) {}",
    "for (using in b) {} for (using;;) {} for (using.a of b) {} using(a); using[b]",
    "for (using as c;;) {} for (using a: b = c;;) {} for await (using a of b) {} using = 1; using\na",
    "function a(): void; function a(b?: c): void; function a(b?: c) {}",
    "interface a {} interface a { b: c } class a<T> {} namespace a { export const b = 1 }",
    (
        "type a<T extends b = c> = T extends (infer d)[] ? d : never; const a = 1; export { a, type b "
        "}; type b = a<c<d<e>>>"
    ),
    "enum a { b = 1 << 2, 'c' = b | d } enum a { e } declare const enum f { g }",
    (
        "import type { a } from 'b'; import { type c, type d as e } from 'f'; const a = 1; import g = "
        "require('h'); export = g"
    ),
    "import a = b.c; export import d = a.e; export as namespace f",
    (
        "class A { #a(): void; #a(b?: c) {} constructor(); constructor(private readonly a?: b) {} get "
        "#d(): e { return 1 } set #d(f) {} }"
    ),
    (
        "abstract class A<T> extends B<T> implements D { abstract e(): f; declare g: h; static readonly "
        "[i: string]: j; override k?(): l; }"
    ),
    (
        "class A { static { let a } accessor b = 1; static async *c<T>(): d {} get; set; static; "
        "readonly = 1; async }"
    ),
    "@a @b.c<d>() class E { @f() g: h; @i j(@k l: m, @n() private o?: p) {} } @q export class R {}",
    "x = a < b; y = a<b>(c); z = a<b<c>>(d) >> e; w = new f<g>; v = h?.<i>(j)!.k!; u = l! + m!; t = n<o>`p`",
    (
        "x = a as b | c; y = d satisfies { e: f }; z = g as unknown as (h: i) => j; w = <k>(<l>m); v = "
        "n as const"
    ),
    "x = a ? (b) : c; y = a ? (b, c) => d : e; z = a ? b => (c) : d; w = (a, b); v = ((a)); u = (a = b)",
    (
        "x = <T>(a: T): a is b => c; y = async <T,>(a: T) => await a; z = (this: a) => b; w = function "
        "<T>(this: a): asserts b is c {}"
    ),
    (
        "let a!: b, { c, d: e }: f = g, [h]: [i?, ...j[]] = k; for (const l of m as n[]) {} try {} "
        "catch (o: unknown) { var o }"
    ),
    (
        "let a: () => () => b, c: new <T>(d: T) => e, f: abstract new () => g, h: keyof typeof i.j<k>, "
        "l: `m${n}`, o: -1"
    ),
    "type A = (<T>() => T extends B ? 1 : 2) extends <T>() => T extends C ? 1 : 2 ? true : false",
    (
        "declare global { interface Window { a: b } var c: d } declare function e(f: g): h; declare "
        "class I { j(): k; constructor(l: m) }"
    ),
    "using a = b; { await using c = d }",
    "type\na = b; declare\nlet c; abstract\nclass D {} namespace\ne\n{}",
    (
        "a: for (const b of c) { continue a } function f(): asserts this is a {} let as, satisfies, "
        "type: type, is: is"
    ),
    "for (x = (a in b);;) {}",
    "\\u{31f0}",
]
ELEMENTS = [
    "x = <a b='\\' c={d => e} {...f} g-h:i>it's {/* j */} {k ? <l.m/> : null} <></></a>",
    "x = a < b; y = (<c>don't</c>); z = [<d/>, <e f=<g/>/>]; const h = i => <j>{...k}</j>",
]


def is_right(language: str, text: str) -> bool:
    """Whether the law accepts a text that the grammar accepts."""
    recognizer = Language.load(language).recognizer(names=())
    assert recognizer.advance(text), text
    assert recognizer.without_names().is_member(), text
    return recognizer.is_member()


@pytest.mark.parametrize("text", INVALID)
def test_what_is_wrong_in_typescript_is_refused(text: str) -> None:
    assert not is_right("typescript", text)


@pytest.mark.parametrize("text", VALID)
def test_what_is_right_in_typescript_is_taken_and_read(text: str) -> None:
    assert is_right("typescript", text)
    # Code that is not parsed is never refused.
    assert not is_right("typescript", f"{text}\nlet twice: a; let twice")


@pytest.mark.parametrize("language", ["javascriptreact", "typescriptreact"])
@pytest.mark.parametrize("text", ELEMENTS)
def test_elements_are_read(language: str, text: str) -> None:
    assert is_right(language, text)
    assert not is_right(language, f"{text}\nlet twice; let twice")
    assert not is_right(language, text.replace("x = ", "x = [<i>{/(/}</i>]; y = "))


def test_a_witness_ends_an_escape_as_a_letter() -> None:
    for language in ("javascript", "typescript"):
        recognizer = Language.load(language).recognizer("let a\\u{1", "", names=())
        witness = recognizer.witness()
        assert recognizer.advance(witness)
        assert recognizer.is_member()


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_letters_written_as_escapes_are_those_of_the_grammar(language: str) -> None:
    first = Language.load(language).recognizer("let ", ";")
    other = first.fork()
    assert other.advance("a")
    # Blocks of Unicode begin and end at multiples of sixteen.
    for code in sorted({*range(0x100, 0x33480, 16), *range(0x10F, 0x33480, 16)} - set(range(0xD800, 0xE000))):
        for begun, text in ((first, f"\\u{{{code:x}}}"), (other, f"a\\u{{{code:x}}}")):
            # Behind a blank, the next letter does not continue a name.
            is_letter = not chr(code).isspace() and code != 0xFEFF and begun.fork().advance(chr(code) + "a")
            assert is_right(language, f"let {text};") == is_letter, (text, is_letter)
