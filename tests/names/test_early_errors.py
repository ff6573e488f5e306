"""JavaScript's early errors that need no types, as a law beside the grammar."""

import pytest

from quotient import Language, Vocabulary

INVALID = [
    # Names that are declared twice.
    "let a; let a",
    "let a; var a",
    "var a; { let a; { var a } }",
    "const a = 1; function a() {}",
    "class a {} class a {}",
    "import a from 'b'; import {a} from 'c'",
    "function f(a) { let a }",
    "'use strict'; { function a() {} function a() {} }",
    "{ function a() {} let a }",
    "try {} catch (e) { let e }",
    "try {} catch ([e]) { var e }",
    "switch (1) { case 1: let a; case 2: let a }",
    "for (let a of b) { var a }",
    # Parameters.
    "(a, a) => 1",
    "({ m(a, a) {} })",
    "function f(a, {a}) {}",
    "'use strict'; function f(a, a) {}",
    "function f(a = 1) { 'use strict' }",
    "function f(eval) { 'use strict' }",
    # Labels and jumps.
    "a: a: ;",
    "while (1) { break b }",
    # Classes.
    "class A { constructor() {} constructor() {} }",
    "class A { get constructor() {} }",
    "class A { static prototype() {} }",
    # What strings with escapes say.
    r"class A { 'constr\u0075ctor'() {} constructor() {} }",
    r"class A { get 'c\onstructor'() { return 1 } }",
    r"class A { 'constructo\x72' = 1 }",
    r"class A { static 'pro\u{74}otype'() {} }",
    r"({ '__prot\157__': 1, __proto__: 2 })",
    r"({ __pr\u{6f}to__: 1, '__proto__': 2 })",
    "({ '__proto__': 1, '__prot\\\r\no__': 2 })",
    r"import 'a' with { type: 'b', 'typ\u0065': 'c' }",
    r"import 'a' with { '\ud83d\ude00': 'b', '😀': 'c' }",
    r"export { a as '\u0061', a as a }; let a",
    r"export { a as 'd\x65fault' }; let a; export default 1",
    "class A { #a; #a }",
    "class A { get #a() {} static set #a(b) {} }",
    "class A { m() { this.#b } }",
    "a.#b",
    "class A { #a; m() { delete this.#a } }",
    "class A { constructor() { super() } }",
    "function f() { super.x }",
    "class A { a = arguments }",
    # Strict code.
    "'use strict'; 010",
    "'use strict'; '\\01'",
    "'\\01'; 'use strict'",
    "'use strict'; with (a) {}",
    "'use strict'; delete a",
    "'use strict'; delete ((a))",
    "'use strict'; eval = 1",
    "'use strict'; [arguments] = 1",
    "'use strict'; eval++",
    "'use strict'; var package",
    "function f() { 'use strict'; static }",
    "'use strict'; if (1) function f() {}",
    "class A { m() { with (a) {} } }",
    "export {}; new.target",
    # Other errors.
    "/a/gg",
    "/a/uv",
    "({__proto__: 1, '__proto__': 2})",
    "/(/",
    "/(?<a>b)\\k<c>/",
    "/\\p{x}/u",
    "export {a}",
    "export let a; export {a}",
    "export default 1; export default 2",
    "\\u2000",
    "let a\\u{2003}",
    "a.\\u2028",
    "class A { #\\u{101000} }",
    # A character that only continues a name, and one that never occurs in a name.
    "\\u{1acf}",
    "a\\u{1acc2}",
    "class A { static async *prototype() {} }",
    "class A { static pr\\u006ftotype }",
    "class A { static 'constructor' = 1 }",
    # Flags that begin with a digit.
    "/a/0",
    "/a/1g/b",
    # A module, because it has `await` or `import.meta`.
    "with (a) b; await 0",
    "await 0; with (a) b",
    "for await (a of b); delete c",
    "for await (eval of b);",
    "await static",
    "with (a) b; import.meta",
    "<!-- a\nimport b from 'c'",
    "await a\n--> b",
    "<!-- a\nlet b; let b",
    # A script, because something is called `await`.
    "await => { let await }",
    "var await; let await",
    "'use strict'; for (var a = 1 in b);",
    "import a from 'b' with { type: 'c', 'type': 'd' }",
    "export * from 'a' with { b: 'c', b: 'd' }",
    "import { '\\ud800' as a } from 'b'",
    "export * as '\\udc00\\ud800' from 'a'",
    "export { '\\u{d800}' } from 'a'",
]
VALID = [
    r"class A extends B { 'constr\u0075ctor'() { super() } }",
    r"class A { static 'constructo\x72'() {} constructor() {} }",
    r"({ '__prot\0o__': 1, __proto__: 2 })",
    r"import 'a' with { '\ud800': 'b' }",
    r"import 'a' with { '\ud83d': 'b', '\ude00': 'c', 'a\b': 'd', 'ab': 'e' }",
    "var a; var a; function a() {} function a() {}",
    "{ function a() {} function a() {} }",
    "let a; { let a; { var b } } function f() { var a; let b }",
    "try {} catch (e) { var e }",
    "function f(a, a) {}",
    "function f(a) { var a; function a() {} }",
    "(a) => { var a }",
    "function f() { 'use strict' }",
    "function yield() {} var static, package, await",
    "while (1) { if (2) break; else continue } a: for (;;) { b: while (1) continue a }",
    "a: ; a: { break a }",
    "switch (1) { case 1: break }",
    "return new.target",
    "class A extends B { constructor() { super(); (() => super.x)(); } static #a = 1; }",
    "class A { get #b() {} set #b(c) {} #a; m() { return #a in this } }",
    "class A { static { class B { #x; m() { return this.#y } } } #y }",
    "({ __proto__: 1, ['__proto__']: 2, __proto__() {} }); ({__proto__: a, __proto__: b} = c)",
    "({ m() { super.x } , constructor() {}, constructor() {} })",
    "010; '\\01'; with (a) delete a; tag`\\01`",
    "export {a, b as c}; var a, b; await 1",
    "export default function () {} export class A {} export * as d from 'e'",
    "import a, {b as c} from 'd' with {type: 'json'}; import * as e from 'f'",
    "async (a, b = async () => { await 1 }) => { for await (const c of a) {} }",
    "function* g() { yield; const a = yield* b; (function (c = yield => 1) {}) }",
    "a = b ? (c, d) => e : f / g / h; i = j\n/k/g; l = /[/]\\//u.test(m)",
    "x = `a${b ? `c${d}` : {e: '}'}.e}f`; y = a?.5:1; z = a?.[0]?.(b)",
    "label: function f() {}\nif (1) function g() {} else function g() {}",
    "<!-- a comment\nx\n--> another",
    "\\u{1d431}; class B { #\\u0061\\u0301 }; c.\\u{64}",
    "for (const a in b) for (var c = 1, d; c < 2; c++) { const a = 1 }\nlet\nx",
    "for (var a = 1 in b); with (c) async () => { for await (d of e); await 1 }",
    "function f() { await: await() }",
    "import.meta; import('a'); import a from 'b' with { type: 'c', kind: 'c' }",
    # Letters of Unicode 17, some of them not in Unicode 16.
    "\\u{88f}; a\\u{1acf}; class B { #\\u{323b0} }",
    "class A { static async *constructor() {} static get constructor() {} static ['prototype'] }",
    "class A { static ['prototype']() {} ['constructor']() {} ['constructor'] }",
    "export * as '\\ud83d\\ude00\\u{d83d}\\ude00\\\\ud800' from 'a'",
    "import a from 'b'; c = 1\na<!--b",
]


def whole(text: str) -> bool:
    """Whether the grammar and the law accept a text."""
    recognizer = Language.load("javascript").recognizer(names=())
    assert recognizer.advance(text), text
    return recognizer.is_member()


@pytest.mark.parametrize("text", INVALID)
def test_what_is_wrong_is_refused_at_its_end(text: str) -> None:
    recognizer = Language.load("javascript").recognizer(names=())
    assert recognizer.advance(text)
    assert recognizer.without_names().is_member()
    assert not recognizer.is_member()
    found = recognizer.refusal("")
    assert found is not None
    assert found[2]


@pytest.mark.parametrize("text", VALID)
def test_what_is_right_is_taken(text: str) -> None:
    assert whole(text)


def test_both_contexts_count() -> None:
    language = Language.load("javascript")
    recognizer = language.recognizer("let a = 1;\n", "\nlet c = 3;\n", names=())
    vocabulary = Vocabulary([b"let a", b"let b", b";", b"<end>"], eos=3)
    for text, is_member in (("let a = 2;", False), ("let b = 2;", True), ("let c = 2;", False)):
        behind = recognizer.fork()
        assert behind.advance(text)
        assert behind.is_member() == is_member
        assert bool(behind.mask(vocabulary)[0] >> 3 & 1) == is_member
    assert recognizer.witness() is not None


def test_what_is_wrong_around_a_hole_is_its_authors() -> None:
    recognizer = Language.load("javascript").recognizer("let a; let a;\n", "\nlet c; let c;\n", names=())
    assert recognizer.is_member()
    assert recognizer.advance("let b;")
    assert recognizer.is_member()
    assert recognizer.advance(" let b;")
    assert not recognizer.is_member()
