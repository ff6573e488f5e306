"""TypeScript for the laws: its words, tiny files, real files, and what its judge leaves open."""

from functools import cache

from tests.laws import javascript
from tests.laws.javascript import broken_at_escapes
from tests.laws.pieces import words
from tests.laws.sources import File
from tests.laws.words import Words

# The beginnings of the judge's messages about texts that are skipped; docs/languages.md lists these kinds.
LEFT_OPEN = "left open: "
BEYOND_GRAMMARS = {
    f"{LEFT_OPEN}{kind}": kind
    for kind in (
        "a name in the line behind its dot",
        "a shift behind type arguments or an element",
        "a slash behind type arguments",
        "a word that begins declarations, and a cast",
        "an arrow function's type between conditions",
        "await and yield as names",
        "brackets that seem to be an arrow function's",
        "escapes in names",
        "export default interface",
        "export in front of members",
        "forgotten faults",
        "global without a block",
        "in as an operator in a type's key",
        "the names of an element's tags",
        "type arguments in front of a cast",
        "type arguments in front of a line end",
        "type arguments with a fault",
    )
}

STATEMENTS = broken_at_escapes(
    r"""
    let a: b = c  let a!: b  let a!  var a: b, c: d = e  const a = <b>c  let a: b\n(c)  let a\n!b  a!  a!.b!
    a\n!b  a as b  a as const  a satisfies b as c  a as b\n(c)  a as b | c  a as b & c == d  a as b ? c : d
    a\nas b  a\nas\nb  a as b = c  (a as b) = c  <a>b.c  <a>(b)  <a>b = c  -<a>b  <a>b ** c  <a, b>(c) => d
    f<a>(b)  f<a<b>>(c)  f<a<b<c>>>(d)  f<a>`b`  f<a>\n(b)  f<a>.b  f<a>?.b  f<a>?.(b)  f?.<a>(b)  f<a>;
    f<a> = b  f<a>= b  f<a>>(b)  f<a> b  f<a>\nb  f<a> - b  f<>()  f<a,>()  f<<a>(b: a) => c>(d)  a < b > c
    a < b >> c  a<b>>c  a > > b  a >= b  a > = b  a >>= b  a >> = b  a >>>= b  a << b  a < < b  a <<= b
    new a<b>  new a<b>(c)  new a<b>.c  new a<b>`c`  new (a<b>)  a<b>c<d>e  [a<b>, c]  {a<b>}  a?.b!.c  a?.#b
    a.#b?.c  a?.b.#c  a!++  a++!  a! = b  a = b!  super<a>()  super.a<b>()  import<a>(b)
    function f(a: b, c?: d, ...e: f[]): g {}  function f(this: a, b) {}  function f(this) {}
    function f(a?, b = 1) {}  function f<a>(b: a): b is c {}  function f(a): asserts a is b {}
    function f(a): asserts a {}  function f(): asserts {}  function f(): this is a {}
    function f(a): a\nis b  function f(): a;  function f()  function f()\nfunction f() {}  function f()\n{}
    function f(): a\n{}  function f<const a extends b = c, in out d>() {}  function f<>() {}
    function f<a,>() {}  (a: b): c => d  (a?: b) => c  (a?, b?) => c  <a>(b: a): b => c  async <a>(b) => c
    async (a: b) => c  (this: a) => b  ({ a }: b) => c  ([a]: b) => c  (a): b is c => d  (a): asserts a => b
    (a)\n=> b  a ? (b) : c => d  a ? (b): c => d : e  a ? b : (c): d => e  a ? (b) => c : d  a ? (b, c) : d
    (a: b)  type a = b  type a<b> = c<b>\n  type a\n= b  type\na = b  type a = | b | c  type a = & b & c
    type = b
    type a = { b: c, d?: e; readonly f: g\nh(): i\n(j: k): l\nnew (m): n\n[o: p]: q\nget r(): s; set r(t) }
    type a = { b\nc }  type a = { b\n(c) }  type a = { get\nb }  type a = { get\nb() }
    type a = { readonly\nb }  type a = { get: b, set?: c, new: d, new?(): e, static: f }  type a = { [b] }
    type a = { [b]: c }  type a = { [b in c]: d }  type a = { readonly [b in c]?: d }
    type a = { -readonly [b in c]-?: d; }  type a = { [b in c as d]: e }  type a = { [b in c]: d, e: f }
    type a = { [b: c, d: e]: f }  type a = b extends c ? d : e  type a = b extends infer c extends d ? e : f
    type a = b\nextends c ? d : e  type a = b extends (infer c)[] ? d : e
    type a = b extends c extends d ? e : f ? g : h  type a = (b: c) => d  type a = (b) => c  type a = (b)
    type a = new (b) => c  type a = abstract new () => b  type a = <b>(c: b) => d  type a = b | (() => c)
    type a = b | () => c  type a = () => b | c  type a = () =>  type a = keyof b[]  type a = unique symbol
    type a = readonly b[]  type a = typeof b.c  type a = typeof b<c>  type a = typeof import('b')
    type a = import('b').c<d>  type a = import('b', { with: { c: 'd' } })  type a = b[c]['d'][]
    type a = b\n[c]  type a = [b, c?, ...d]  type a = [b: c, d?: e, ...f: g]  type a = [,]
    type a = `b${c}d${e}`  type a = 'b' | 1 | -1 | 1n | true | null | void | undefined | never  type a = -b
    type a = b.c.d<e>  type a = b<c>.d  type a = b<c<d>>  type a = b<>  type a = b<c,>  type a = b\n<c>
    type a = string<b>  type a = any.b  type a = this is b  type a = asserts  type a = asserts b
    type a = b is c  type a = intrinsic  type a = infer b  type a = if  type a = b?  type a = ?b
    type a = b!  type a = *  interface a {}  interface a<b> extends c<d>, e {}  interface\na {}
    interface a\n{ b: c }  interface {}  interface a { b: c; d(): e }  interface a extends b {} {}
    interface a { b = c }  interface a { , }  enum a {}  enum a { b, c = 1, 'd', [e] }  const enum a { b }
    declare enum a {}  const\nenum a {}  enum {}  namespace a {}  namespace a.b.c { d }  module a {}
    module 'a'  module 'a' {}  declare module 'a'  declare module 'a' { export default b }
    declare global { interface a {} }  global {}  namespace\na {}  namespace 'a' {}  declare let a: b
    declare function f(): a  declare class a { b(): c }  declare\nlet a  declare const a: b, c
    declare type a = b  declare  abstract class a {}  abstract\nclass a {}  abstract
    abstract class a { abstract b(): c; abstract d: e }  public class a {}  export abstract class a {}
    class a<b> extends c<d> implements e, f<g> {}  class a implements b {}  class implements {}
    class a extends b, c {}
    class a { b: c; d?: e; f!: g; readonly h = i; static j; declare k; override l() {}; accessor m = n }
    class a { constructor(private b, readonly c: d, public override e?) {} }  class a { constructor(): b }
    class a { b(); b(c) {} }  class a { b()\nc() {} }  class a { b(): c\n{} }  class a { b?() {} }
    class a { b!() {} }  class a { [b: c]: d }  class a { static [b: c]: d; readonly [b]: c }
    class a { b\nc: d\n[e] = f\n*g() {} }  class a { get b(): c; set b(d) {} get\ne() {} }
    class a { static\nb: c }  class a { readonly\nb: c }  class a { public private b }
    class a { static static b }  class a { static static }  class a { public\nb }
    class a { static { b } static async *c() {} }  class a { async\nb() {} }  class a { async b: c }
    class a { b: c = d\n[e] }  class a { b = c as d\n*e() {} }  class a { b: () => c\n(d) {} }
    class a { in b; out c }  class a { declare; abstract; readonly; static; get; set }
    class a { get: b; set = c; static?: d }  @a class b {}  @a.b(c) @d class e {}  @a export class b {}
    export @a class b {}  @a() abstract class b {}
    class a { @b c; @d() e() {} @f get g() {} @h static i; static @j k }  class a { b(@c d, @e() f: g) {} }
    class a { @b [c]() {} }  class a { @b\nc\n@d e }  @(a) class b {}  @a let b  x = @a class {}  @a
        @a<b> export class c {}  @a.b<c> export default class {}  class a { @b<c> *d() {} }  @a<b> class c {}
    import type a from 'b'  import type { a } from 'b'  import type * as a from 'b'
    import type, { a } from 'b'
    import { type a, type b as c, type as, type as as, type as as d, type } from 'e'  import type from 'a'
    import type from from 'a'  import a = b.c.d  import a = require('b')  export import a = b
    import type a = b  import type a = require('b')  import type = b  export = a  export as namespace a
    export type { a } from 'b'  export type * from 'a'  export type * as a from 'b'  export type a = b
    export { type a, type b as c }  export default interface a {}  export default abstract class {}
    export default enum a {}  export enum a {}  export default function f(): a
    export default async function () {}  export default a as b  import defer * as a from 'b'
    import a from 'b' assert { c: 'd' }  import a from 'b'\nassert  export declare const a: b
    declare export let a  try {} catch (a: b) {}  for (let a: b = c; d; e) {}  for (const a of <b>c) {}
    for (a as b of c) {}  for (let a as b of c);  using a = b  await using a = b  using\na
    for (using a of b) {}  for (await using a of b);  for (using of of b);  if (a) type b = c
    if (a) interface b {}  a: interface b {}  if (a) import b = c  { export let a }  if (a) let b
    ({ a?: b, c!: d, public e: f })  ({ a(): b {}, get c(): d {}, async *e<f>() {} })  ({ a() })
    ({ a(), b })  ({ a = b })  ({ a<b>() {} })  ({ #a: b })  ({ get\na() {} })  ({ async\na() {} })
    ({ readonly a })  (a = b) = c  f() = a  1 = a
    let type, of, as, is, from, module, declare, abstract, any, string, readonly, keyof, infer, asserts, out
    type: a  declare: a  namespace: a  as\nas as as  type\na  of of  abstract.a  declare(a)  module\n{ a }
    async\nclass a {}  interface\n{ }  a\ninterface  namespace.a = b  type(a)  type<a>(b)  let = a  let\na
    var let  using  async  async < a > b  a < b || c > (d)  a(b < c, d > (e))  a(b < c, d > e)  a < b, c > d
    a < (b > c)  if (a < b) c > d  a<b>/c/d  a<b>\n/c/d
    """
)

WORDS = Words(
    keywords=(
        *javascript.WORDS.keywords,
        *words(
            """
            abstract accessor any as asserts assert bigint boolean declare defer enum global implements infer
            interface intrinsic is keyof module namespace never number object out override private protected
            public readonly require satisfies string symbol type undefined unique unknown using
            """
        ),
    ),
    operators=(
        *javascript.WORDS.operators,
        *words("?: !: !. !; => | <T> <T, > >> >>> <a> [] ?? ! ? : -? +? ]?: @a"),
    ),
    numbers=javascript.WORDS.numbers,
    quotes=javascript.WORDS.quotes,
    escapes=javascript.WORDS.escapes,
    layout=javascript.WORDS.layout,
    brackets=(*javascript.WORDS.brackets, "<", ">", ">>", "(): ", "(a: "),
    statements=STATEMENTS,
    atoms=(*javascript.WORDS.atoms, ": a", "<a>", "as a", "a!", "a?: b", "(a: b) => c", "[a: b]", "{ a: b }"),
    others=(*javascript.WORDS.others, "\n<", "\n!", "\nas ", "\n{", "\n?", "\n:", "\n|"),
)

PROGRAMS = (
    *javascript.PROGRAMS,
    "let a: b<c<d>> = e!\n",
    "type a<b> = b extends (infer c)[] ? c : never\n",
    "interface a extends b { c?: d\n e(): f; readonly [g: string]: h }\n",
    "class a<b> extends c<b> implements d { private e!: f\n constructor(public g?: h) { super() } }\n",
    "function f(a: b): a is c\nfunction f(a) { return a as d }\n",
    "declare module 'a' {\n  export const b: c\n  export default b\n}\n",
    "enum a { b = 1, c = `d` }\nnamespace e.f { export type g = typeof a }\n",
    "const a = async <b,>(c: b, ...d: e[]): Promise<b> => f<b>(c)\n",
    "import type { a } from 'b'\nimport c = require('d')\nexport = c\n",
    "@a() export abstract class b { @c() abstract get d(): e; static { f } }\n",
    "type a = { readonly [b in keyof c]?: `x${b}` } & [d: e, ...f[]]\n",
    "if (a < b) c = d >> (e as number) satisfies f\n",
)


def is_left_open(said: str | None) -> bool:
    """Whether a text is skipped, by the judge's message."""
    return said is not None and said.startswith(LEFT_OPEN)


@cache
def files() -> tuple[File, ...]:
    """Return the files of pinned packages, or of the client's. Raises `NoJudge` where there are none."""
    return javascript.files_of("typescript")
