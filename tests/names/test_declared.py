"""Undeclared names of JavaScript and TypeScript: the faults found."""

from __future__ import annotations

from pathlib import Path

import pytest

from fim_lsp.declared.advice import hole_declarations
from fim_lsp.declared.host_names import HOST_NAMES, HOST_TYPES
from fim_lsp.known_languages import language_named
from fim_lsp.replay.judges import NoJudge
from tests.names.host_names import host_names, host_types
from tests.names.undeclared import by_checker, by_law

MODULE = "import x from 'y';\n"
# A left context, a text behind it, and the undeclared names in the text.
JAVASCRIPT = [
    ("function f(a, {b: [c], d = e}, ...r) { for (const q of a) g(q); return d + c + r + b }", "e g b"),
    (
        "const {a = z, ...o} = x; let [p,, q2 = w] = o; class A extends B { m(n) { return this.k(n, A) } }",
        "z w B",
    ),
    ("try { a1 } catch ({message: m}) { m }", "a1"),
    ("(a, b) => a + b + c; a2 => a2; label: for (;;) { break label }", "c"),
    ("import {i as j, k2} from 'm'; i; j; k2; export * as ns from 'l'; ns", "i ns"),
    ("foo = 1; foo; ({bar, baz: qux}); ({bar2} = x); [y2] = x", "foo foo bar qux bar2 y2"),
    ("var h = function inner() { inner() }; inner(); (class C {}); C", "inner C"),
    ("for (k in x) { k } for (var v in x); v; for (let l = 0;;) { l } l", "k k l"),
    ("`${tt1}`; x?.[yy]; x.zz; async () => { await ww }; function* g() { yield vv }", "tt1 yy ww vv"),
    ("const {[kk]: val} = x; val; ({kk2: 1, [kk3]: 2, m() {}, get p() { return pp }})", "kk kk3 pp"),
    ("{ let a = 1; function f() {} } a; { var b } b; switch (x) { case 1: let c } c", "a c"),
    ("let s; typeof s; typeof kind === 'string'; if (typeof other) {} typeof third.x", "kind other third"),
    ("later(); function later() { return behind } const behind = 1", ""),
    ("{ using u = a1(); u; await using w = u } u; w; for (using v of x) v; v", "a1 u w v"),
    ("typeof nothing == 'undefined'; undefined; new.target; import.meta.url; window; process; describe", ""),
    ('"undefined" !== typeof nothing && typeof (window); typeof HTMLElement', ""),
    ("arguments; globalThis; __webpack_hash__", ""),
]
TYPESCRIPT = [
    (
        "type P = {}; type Q = {}; const a = x.b<P>`c`, d = x(a)<P & Q>`e ${(p: P) => p}`; x<R>`s`; a < P",
        "R P",
    ),
    ("interface I { a: string } const v: I = x; I; enum E { A = 1, B = A } E.A", "I"),
    ("function f(this: F, a?: number, ...b: G[]): a is string { return a && b && cc }", "F G cc"),
    (
        "abstract class H<T> { constructor(private p: T, readonly z = zz) {} @dec m() { return T } }",
        "zz dec T",
    ),
    (
        "declare const d: number; d; declare function e(): void; e(); namespace N { export const z = d } N.z",
        "",
    ),
    ("let z = x!; for (const [a, b] of z) { a; b } const f = <T,>(a: T) => a; f(q as unknown as W)", "q W"),
    (
        "function o(a: string): void; function o(a: any) {} o(1); type T = typeof u; let m: {[k: string]: T}",
        "u",
    ),
    (
        "type A<T> = T extends (infer U)[] ? {[K in keyof T as V<K>]: U} : typeof q.r; K; let b: A<W>",
        "V q K W",
    ),
    (
        "class C<P> extends D<P>.E implements F, G.H<P> {} let c: C<P>; function f<T>(this: T): x is T",
        "D F G P",
    ),
    ("namespace M { export type N = O; type Q = N } namespace M { let n: N } enum R {} let r: R; N", "O N"),
    ("declare global { interface S {} } let s: S; let t: `${TT}`; type X1 = [a: Y1, b?: Z1]", "TT Y1 Z1"),
    (
        "let p: Promise<Partial<HTMLElement>>; let n: NodeJS.Timeout; let i: Intl.NumberFormat; HTMLElement",
        "",
    ),
    (
        "import type {W2} from 'w'; import R2 = require('r'); let w: W2 | R2.A.B | S2.A.B; let z: x.y = 1",
        "S2",
    ),
    (
        "interface I2 { (a: I2): I3 } new I2(); type J2 = abstract new (a: J2) => J3; let k: bigint",
        "I3 I2 J3",
    ),
    ("type O = { p: string }; export default O;", ""),
    ("{ using u = a1(); u; await using w = u } u; w; using v = v2", "a1 u w v2"),
    ("type A4 = new <T>(a: T) => B4 & T | T[]; let a: T", "B4 T"),
]
# Texts in which no fault is found, for any name.
DOUBTFUL = [
    "a(b)",
    "const a = require('b'); c = 1; c",
    "import 'a'; eval(b); c",
    "import 'a'; `${eval(b)}`; c",
    "import 'a'; with (b) c",
    "exports['b'] = b;",
    "require('a'); 0 && (module.exports = { b, c });",
    "import 'a'; // @ts-nocheck\nc",
    "/* eslint no-undef: 0 */ import 'a'; c",
    "import 'a'; // @ts-ignore\nc",
    "import 'a'; // @ts-expect-error\nc",
    "import 'a'; // eslint-disable-next-line no-undef\nc",
    "import 'a';\nc // eslint-disable-line no-undef",
    "/* global b, c */ import 'a'; b; c",
    "/// <reference path='a' />\nimport 'a'; c",
    "import 'a'; function f(b, { c }\nc",
    "import 'a'; if (typeof c === 'undefined' || c) c",
    "import 'a'; typeof Symbols === 'function' ? Symbols : Object",
]

# Texts in which a comment, a string or a method only looks like a reason for doubt, or concerns other lines.
CERTAIN = [
    "// @ts-ignore\nimport 'a';\nc",
    "import 'a'; // eslint-disable-line no-undef\n\nc",
    "import 'a'; // as with (b), eval(b)\nc",
    "import b from 'a'; b.with(1); b.$eval('x'); c",
    "import 'a'; 'eval(b) no-undef'; c",
    "import 'a'; `eval(b)`; c",
    "/// <reference lib='dom' />\nimport 'a'; c",
]


@pytest.mark.parametrize(("text", "names"), JAVASCRIPT)
def test_what_is_declared_nowhere(text: str, names: str) -> None:
    assert by_law(MODULE + text, language_named("javascript")) == names.split()
    assert by_law(MODULE + text, language_named("javascriptreact")) == names.split()


@pytest.mark.parametrize(("text", "names"), TYPESCRIPT)
def test_what_is_declared_nowhere_in_typescript(text: str, names: str) -> None:
    assert by_law(MODULE + text, language_named("typescript")) == names.split()


@pytest.mark.parametrize("text", DOUBTFUL)
def test_doubt_means_yes(text: str) -> None:
    assert by_law(text, language_named("javascript")) == []


@pytest.mark.parametrize(
    "text",
    [
        # What TypeScript has and the reader does not: parameters of types that vary, and members called `in`.
        "import 'a'; export const f = <in out C>(a: C): C => a as C;",
        "import 'a'; export interface B { in: string\nc: boolean\nd: string }",
        "import 'a'; export declare const b: {\n  <C>(d: C): C\n  /** e */\n  <C>(in: C): C\n} = f<C>(a)",
        "import 'a'; const b = <in out C>(c: C) => c;\n;\n;\nconst d = (x as E) + (x as E);",
    ],
)
def test_statements_that_the_reader_does_not_know_are_not_checked(text: str) -> None:
    assert by_law(text, language_named("typescript")) == []


def test_what_adds_to_another_module_has_its_names() -> None:
    text = "import 'a'; declare module 'b' { interface C { d: OfB } } let e: F"
    assert by_law(text, language_named("typescript")) == ["F"]


@pytest.mark.parametrize("text", CERTAIN)
def test_what_only_looks_like_doubt_is_none(text: str) -> None:
    assert by_law(text, language_named("typescript")) == ["c"]


def test_names_in_tags_and_commonjs() -> None:
    tags = "const A = () => <B c='d' {...p}><div e={f}>{x}</div><N.O/></B>"
    assert by_law(MODULE + tags, language_named("javascriptreact")) == ["B", "p", "f", "N", "B"]
    assert by_law("const a = require('b'); c(); a; e", language_named("javascript")) == ["c", "e"]
    written_to = "const a = require('b'); { let c; c = 1; d = 2 } c; d"
    assert by_law(written_to, language_named("javascript")) == ["c"]


@pytest.mark.parametrize(
    ("pairs", "language", "extension"),
    [(JAVASCRIPT[:-3], "javascript", ".mjs"), (TYPESCRIPT, "typescript", ".ts")],
)
def test_typescript_s_checker_finds_all_of_these_names(
    pairs: list[tuple[str, str]], language: str, extension: str
) -> None:
    texts = [MODULE + text for text, _ in pairs]
    try:
        judged = by_checker(texts, extension)
    except NoJudge as none:
        pytest.skip(str(none))
    for text, found in zip(texts, judged, strict=True):
        mine = by_law(text, language_named(language))
        assert set(mine) <= set(found)
        # `typeof` asks for its other names, or Node's own types declare them.
        assert set(found) - set(mine) <= {"nothing", "NodeJS"}


def test_the_hosts_names_are_those_that_are_declared() -> None:
    try:
        names, types = host_names(), host_types()
    except NoJudge as none:
        pytest.skip(str(none))
    assert set(types) <= HOST_TYPES
    assert set(names) - HOST_NAMES - {"navigation"} == set()
    assert {"Promise", "document", "Buffer", "describe", "postMessage", "require"} <= HOST_NAMES


def test_what_lines_around_use_is_declared_somewhere() -> None:
    left, right = "import x from 'y';\nx(elsewhere);\n", "\n"
    declared = hole_declarations(language_named("javascript"), left, right)
    assert declared is not None
    assert not declared.diagnostics("x(elsewhere)")
    text = "x(öl, elsewhere, nowhere)"
    found = declared.diagnostics(text)
    assert [text[one.start : one.stop] for one in found] == ["öl", "nowhere"]
    assert found[1].words == "`nowhere` is not declared here"


@pytest.mark.parametrize(
    "declared",
    ["src/env.d.ts", "types/all.d.ts", "src/deep/here.d.ts"],
)
def test_a_project_s_declarations_bring_names_along(tmp_path: Path, declared: str) -> None:
    (tmp_path / "package.json").write_text("{}")
    path = tmp_path / "src" / "deep" / "main.ts"
    path.parent.mkdir(parents=True)
    path.write_text(MODULE)
    known = language_named("typescript")

    def missing() -> list[str]:
        hole = hole_declarations(known, MODULE, "", str(path))
        assert hole is not None
        return [said.words for said in hole.diagnostics("VERSION; let s: Shop; y")]

    assert len(missing()) == 3
    (tmp_path / declared).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / declared).write_text("declare const VERSION: string;\ndeclare global { interface Shop {} }\n")
    assert missing() == ["`y` is not declared here"]


@pytest.mark.parametrize(
    ("other", "text"),
    [
        ("src/far/types.tsx", "export {};\ndeclare global { const VERSION: string; namespace Shop {} }\n"),
        (
            "eslint.config.mjs",
            "export default [{ languageOptions: { globals: { VERSION: true, Shop: true } } }];",
        ),
        (".jshintrc", '{"globals": {"VERSION": false, "Shop": false}}'),
    ],
)
def test_other_files_of_a_project_bring_names_along(tmp_path: Path, other: str, text: str) -> None:
    (tmp_path / "package.json").write_text("{}")
    path = tmp_path / "src" / "deep" / "main.ts"
    path.parent.mkdir(parents=True)
    path.write_text(MODULE)
    names = "VERSION; let s: Shop.Order; y"
    hole = hole_declarations(language_named("typescript"), MODULE, "", str(path))
    assert hole is not None
    assert len(hole.diagnostics(names)) == 3
    (tmp_path / other).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / other).write_text(text)
    assert [said.words for said in hole.diagnostics(names)] == ["`y` is not declared here"]
    (tmp_path / "package.json").write_text('{"devDependencies": {"nuxt": "4.0.0"}}')
    assert not hole.diagnostics(names)


@pytest.mark.parametrize(
    ("other", "is_there"),
    [
        ("import a from 'b';\na($localize`c`);\n", True),
        ("import a from 'b';\na('$localize');\n", False),
        ("import a from 'b';\nwindow.$localize = a;\n", True),
        ("import a from 'b';\nif (window.$localize == a) a();\n", False),
        ("import $localize from 'b';\n$localize`c`;\n", False),
    ],
)
def test_what_another_file_takes_for_granted_is_there(tmp_path: Path, other: str, is_there: bool) -> None:
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "other.ts").write_text(other)
    hole = hole_declarations(language_named("typescript"), MODULE, "", str(tmp_path / "main.ts"))
    assert hole is not None
    assert bool(hole.diagnostics("$localize`d`;")) is not is_there


@pytest.mark.parametrize("blank", ["\xa0", "\u2003", "\u3000", "\ufeff"])
def test_blanks_beyond_ascii_end_words(blank: str) -> None:
    text = f"{MODULE}const {{ a,{blank}key }} = x(); a(key); const{blank}le{blank}= 1; le;"
    assert by_law(text, language_named("javascript")) == []


def test_the_types_of_dependencies_declare_names_for_all(tmp_path: Path) -> None:
    hole = hole_declarations(language_named("typescript"), MODULE, "", str(tmp_path / "main.ts"))
    assert hole is not None
    names = "let a: Thenable<x>; $localize`b`;"
    (tmp_path / "package.json").write_text("{}")
    assert len(hole.diagnostics(names)) == 2
    (tmp_path / "package.json").write_text('{"devDependencies": {"@types/vscode": "1"}}')
    assert [said.words for said in hole.diagnostics(names)] == ["`$localize` is not declared here"]
    (tmp_path / "package.json").write_text('{"dependencies": {"@angular/localize": "1"}}')
    assert [said.words for said in hole.diagnostics(names)] == ["`Thenable` is not declared here"]


def test_the_runes_of_svelte_are_there_in_its_modules(tmp_path: Path) -> None:
    for name, found in (("a.svelte.js", []), ("a.js", ["`$state` is not declared here"])):
        hole = hole_declarations(language_named("javascript"), MODULE, "", str(tmp_path / name))
        assert hole is not None
        assert [said.words for said in hole.diagnostics("$state(1)")] == found


def test_a_file_that_is_no_module_yet_is_held_to_what_lies_beside_it(tmp_path: Path) -> None:
    known = language_named("typescript")

    def missing(name: str) -> list[str]:
        hole = hole_declarations(known, "", "", str(tmp_path / name))
        assert hole is not None
        return [said.words for said in hole.diagnostics("y()")]

    assert missing("without-an-extension") == []
    found = [missing("new.ts"), missing("new.mts")]
    (tmp_path / "module.ts").write_text("// One of all.\nexport const z = 1;\n")
    found.append(missing("new.ts"))
    # A bundle for pages and loaders alike says nothing.
    bundle = tmp_path / "bundle.ts"
    bundle.write_text("(function (f) { typeof exports == 'object' ? module.exports = f() : f() })(z);\n")
    found.append(missing("new.ts"))
    bundle.unlink()
    (tmp_path / "script.ts").write_text("const y = () => 1;\n")
    found.append(missing("new.ts"))
    said = ["`y` is not declared here"]
    assert found == [[], said, said, [], []]


def test_half_a_name_counts_with_what_completes_it() -> None:
    declared = hole_declarations(language_named("javascript"), "import total from 'y';\nto", "\n")
    assert declared is not None
    assert not declared.diagnostics("tal()")
    assert [wrong.words for wrong in declared.diagnostics("tals()")] == ["`totals` is not declared here"]


def test_declarations_alone_and_other_languages_are_left_alone() -> None:
    found = hole_declarations(language_named("typescript"), "import a from 'b';\n", "\n", "file:///a.d.ts")
    assert found is not None
    assert not found.diagnostics("export const b = c;")
    assert hole_declarations(language_named("json"), "", "") is None
