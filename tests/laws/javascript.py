"""JavaScript for the laws: its words, tiny files, real files, and what its judge leaves open."""

from functools import cache

from fim_lsp.replay import judges
from tests.laws import npm_packages
from tests.laws.pieces import phrases, words
from tests.laws.sources import File
from tests.laws.words import BRACED_LAYOUT, BRACKETS, Words

# The beginnings of the judge's messages that no grammar can decide; docs/languages.md lists these kinds.
BEYOND_GRAMMARS = ("early error: ", "acorn alone: ", "V8 alone: ")


def broken_at_escapes(text: str) -> tuple[str, ...]:
    """Return the phrases of a text, with line breaks where it says `\\n`."""
    return tuple(phrase.replace("\\n", "\n") for phrase in phrases(text))


WORDS = Words(
    keywords=words(
        """
        await break case catch class const continue debugger default delete do else enum export extends false
        finally for function if import in instanceof new null return super switch this throw true try typeof
        var void while with yield let static async of get set as from target meta constructor arguments eval
        using undefined _ $ #x \\u0061 v\\u0061r n\\u{65}w yi\\u0065ld aw\\u{61}it
        """
    ),
    operators=words(
        """
        + - * / % & | ^ << >> >>> ** += -= *= /= %= &= |= ^= <<= >>= >>>= **= && || ?? &&= ||= ??= ++ -- ==
        === != !== < > <= >= = ! ~ => ? ?. : . ... , ; @ # $ -> <!-- --> =: <> .. ::
        """
    ),
    numbers=words(
        """
        0 1 00 07 08 0_0 1_0 1_ 1__0 0x 0xf 0x_f 0xg 0o7 0o8 0O1 0b1 0b2 1. .5 1.e 1e5 1e 1e-5 1_0.0_1 1n 01n
        1.5n 0x1n 08.5 07.5 1.5.f 1..f 1.f 3in ?.5 0b1_0 1e1_0 ._5 1._5
        """
    ),
    quotes=(
        *('"', "'", "`", '""', "''", "``", "'a'", '"a"', "`a`", "`\n`", "'\\''", '"\\"'),
        *("${", "`${", "}`", "`${a}`"),
    ),
    escapes=(
        "\\",
        "\\\\",
        "\\n",
        "\\x4",
        "\\x41",
        "\\0",
        "\\08",
        "\\7",
        "\\8",
        "\\u12",
        "\\u1234",
        "\\u{41}",
        "\\u{110000}",
        "\\u{}",
        "\\'",
        "\\`",
        "\\$",
        "\\\n",
        "\\\r\n",
        "\\\u2028",
    ),
    layout=(
        *BRACED_LAYOUT,
        *("\u2028", "\u2029", "\ufeff", "\xa0", "<!-- c\n", "\n--> c\n", "/* c\n*/ -->", "#!c\n"),
    ),
    brackets=(*BRACKETS, "`${", "${", "=> {", "=> ({"),
    statements=broken_at_escapes(
        r"""
        a = b  a\n(b)  a\n[b]  a\n`b`  a\n/b/g  a\n++b  a\n--\nb  return\na  throw\na  throw a  break\na
        continue a  var a = 1, b  let a = b, c  const a = 1  const a  let a\nlet b
        let {a, b: [c = 1]} = d  var {a} = b, [, c, ...d] = e  function f(a, {b}, [c] = [], ...d) {}
        function* f() { yield\na }  function* f() { yield* a; a = yield; [yield] }
        async function f() { await a; for await (let b of c); }  async function* f() { yield await a }
        async\nfunction f() {}  async x => x  async (x) => { await x }  async\n(x) => x  (a, b) => a
        (a, {b} = {}) =>\na  (a)\n=> a  a => {}\n(b)  a => ({})  a => {}.b  a => a\n/b/g  if (a) b; else c
        if (a) b\nelse c  if (a) b else c  if (a) function f() {}  if (a) class B {}  do a; while (b) c
        do a\nwhile (b)\nc  do a while (b)  while (a);  for (;;) {}  for (var a = 1, b; ; ) {}
        for (a in b) {}  for (var a in b, c) {}  for (const a of b) {}  for (let of of of) {}
        for (async of a) {}  for (a.b of c) {}  for ([a, {b}] of c);  for (var a = 1 in b);
        for (a in b; c;) {}  for (let a = 1 of b);  for ((a in b);;);  for await (a of b);
        switch (a) { case b: c; default: d; case e: }  switch (a) { default: default: }
        try {} catch {} finally {}  try {} catch ({a}) {}  try {}  a: b: for (;;) break a
        a: function f() {}  a: let\nb  with (a) b  debugger  ;  {}  {a: 1}  {a: 1, b: 2}  ({a: 1, b})
        ({a, b = 1} = c)  ({a = 1})  [a, b] = [b, a]  [a = 1, ...b] = c  [...a, b] = c  [...a,] = b
        ({...{a}} = b)  ({a: b.c, ...d} = e)  (a) = 1  (a.b)++  ({a}) = 1  a + b = c  f() = 1  a?.b = c
        a?.b.c(d)?.[e]?.(f)  a?.`b`  a?.5:b  new a?.b()  new a.b(c).d  new new a(b)(c)  new a\n(b)
        new (a())  new import(a)  import(a)  import(a, b)  import.meta.url  new.target  super.a  super(a)
        a ?? b  a ?? b || c  (a ?? b) && c  -a ** b  a ** -b  (-a) ** b  a++ ** b  await a ** b  #a in b
        a && #b in c  1 + #a in b  this.#a  a.#b.c  delete a.b, void 0  typeof a === "b"  !a instanceof b
        a in b  a ? b : c  a ? b, c : d  a ? b => c : d => e  yield\n/a/  a\n?.b  a\n.b  a\n? b\n: c
        class A {}  class A extends B { constructor() { super() } }  class extends A {}
        class A extends a => b {}  class A { a; b = 1; static c = 2; #d; static #e = 3 }
        class A { a\nb\n[c]\n'd' = 1 }  class A { get\na() {} }  class A { get\n*a() {} }
        class A { static\na }  class A { static { a; await } }  class A { a b }  class A { async\na() {} }
        class A { async *[a]() {} static async #b() {} }  class A { a = 1\n*b() {} }
        class A { get a() {} set a(b) {} static get\nb() {} }  class A { get a(b) {} }
        class A { set a() {} }  class A { static() {} get() {} set() {} async() {} static static() {} }
        class A { 'a'() {} 1() {} [a]() {} }  class A { constructor = 1 }  class A { a, b }
        ({ get a() {}, set a(b) {}, async a() {}, *b() {}, [c]() {} })
        ({ get, set, async, static: 1, await: 2 })  ({ async get() {}, get async() {} })
        ({ async\na() {} })  ({ a: b, 'c': d, 1: e, [f]: g, ...h, })  ({ a b })  ({ if })  ({ if: 1 })
        import 'a'  import a from 'b'  import * as a from 'b'
        import a, { b as c, default as d, 'e' as f } from 'g'  import a, b from 'c'
        import { a } from 'b' with { type: 'json' }  import { if } from 'a'  import a from b
        export default a  export default function () {}  export default class {}
        export default async () => {}  export default (a, b)  export { a, b as c, d as 'e', f as default }
        export * from 'a'  export * as b from 'c'  export { a } from\n'b'  export { 'a' as b }
        export const a = 1  export a  export var a  export { if }  await a  for await (a of b) {}
        `a${b}c${`d${e}`}f`  a`b`\n`c`  `${a}${{}}${() => { `}` }}`  `\u`  a`\u`  /[/]/.b  /a/g / b
        a = /=b/  a / b / c  a /= b  /(?<a>b)/u  a\n/ b  } /a/  ) /a/  'use strict'
        x = function () {}\n(a)  function f() {}\n(a)
        var await, yield  await = yield  await: for (;;) break await  (await) => a  yield => await
        async (yield = await) => a  async (await) => a  function await() {}  function* g(yield) {}
        function* g(a = yield) { var await; yield await }  async function f(a = await) { yield }
        async function f() { () => { await } }  function* g() { (yield) => a; () => yield }
        class A { a = await; [await]; static { await; () => await } }  x = function* yield() {}
        x = { await, yield, *f() { yield\nawait }, async g(yield) { await a } }  function f() { await / a }
        function f() { for (await of yield) await\n[a] }  export {}  export function f() { await }
        """
    ),
    atoms=(
        *("x", "a", " a", "f(", "x.", "x?.", "x = ", ", ", "x => ", "{", "'s'", "`t`", "/r/", "/r/g", "this"),
        *("null", "\n("),
    ),
    others=(
        *("${", "}", "`", "/", "/=", "//", "=>", "\n", "\n(", "\n[", "\n/", "\n`", "\n++", "\n+", "in "),
        *("\nin ", "\x00", "#!"),
    ),
)  # fmt: skip

PROGRAMS = (
    "a\n",
    "a = b\n(c)\n",
    "var a = 1, b\nlet {c, d: [e]} = f\n",
    "if (a) b; else { c }\n",
    "for (const a of b) c\nfor (let a = 0; a < 3; a++) ;\n",
    "do a; while (b) c\n",
    "function* f(a, ...b) { yield\na }\n",
    "async (a) => { await a }\n",
    "x = a => ({ b, get c() { return 1 } })\n",
    "class A extends B { #a = 1\n static b() { return this.#a } }\n",
    "a = /b[/]/g / c / d\n",
    "`a${b}c${`d`}`\n",
    "a?.b?.[c] ?? d\n",
    "switch (a) { case b: c\ndefault: d }\n",
    "try { throw a } catch { b } finally { c }\n",
    "import a, { b as c } from 'd'\nexport default a\n",
    "a++\n/* b\n */ --> c\n+d // e\n",
    "[a, b.c] = ({ d: e } = f)\n",
    "a: for (;;) break a\n",
    "new a.b(c)(...d)\n",
)


@cache
def files() -> tuple[File, ...]:
    """Return the files of the pinned npm packages, or where those were not fetched, of the client's packages.

    Raises `NoJudge` where there are neither.
    """
    return files_of("javascript")


def files_of(language: str) -> tuple[File, ...]:
    """Return the same of another language of this family."""
    paths = list(npm_packages.files(language)) or npm_packages.sources_in(judges.CLIENT, language)
    if not paths:
        raise judges.NoJudge("there are no npm packages to read: python -m tests.laws.npm_packages")
    return tuple(sorted((path.as_posix(), path, path.stat().st_size) for path in paths))
