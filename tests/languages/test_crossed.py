"""Parts of JavaScript and TypeScript beside and inside each other, to find wrong ends of symbols and rules.

Pairs of class members, of statements, and of an expression with each place for one: the engine and the judge
read a sample of all pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from tests.languages import judged
from tests.laws import javascript, typescript
from tests.laws.pieces import phrases
from tests.membership import is_member
from tests.thoroughness import n_tries

LANGUAGES = ["javascript", "javascriptreact", "typescript", "typescriptreact"]
# The number of pairs in the sample.
COUNT = n_tries(800, 2_500)

MEMBERS = """
    a  a = 1  a = b  static  static a  static a = 1  static static  get  set  async  get a() {}  set a(b) {}
    async a() {}  *a() {}  async *a() {}  a() {}  static a() {}  static get a() {}  static async *a() {}
    static {}  #a  #a = 1  #a() {}  get #a() {}  [a]  [a] = 1  [a]() {}  *[a]() {}  'a'  'a'() {}  1  1() {}
    constructor() {}  get = 1  static = 1  async = 1  a = () => {}  a = function () {}  a = class {}
    a = `b`  a = /b/  a = [b]  a = {}  a++  get get  set set  static get  static async  async get() {}
    get async() {}  in  instanceof = 1  static in  a = b\n++  a = x => y  accessor  accessor a  declare
"""

TYPED_MEMBERS = """
    a: b  a?: b  a!: b  a?  a!  readonly a  private a: b = c  public a() {}  abstract a: b  abstract a(): b
    declare a: b  override a() {}  accessor a: b = c  static accessor a  readonly  declare readonly a
    [a: b]: c  readonly [a: b]: c  [a]?: b  a?(): b  a<T>(b: T): T {}
    constructor(private a, readonly b = 1) {}  constructor(a: b)  @a b  @a() b() {}  @a get b() { return 1 }
    @a\nb  get a(): b { return c }  set a(b: c) {}  a: typeof b  a: b[]  a: (b) => c  a: {}  a: b = <c>d
    a: b | c  public static override readonly a = 1  private  abstract  async<T>() {}  get<T>() {}
    a(this: b) {}  a(): a is b {}  a(): asserts b
"""

STATEMENTS = """
    a  a = b  a()  a++  ++a  (a)  [a]  `a`  /a/  /a/g.b  +a  -a  !a  {}  { a }  { a: b }  var a  var a = 1
    let a  let a = b  const a = 1  let [a] = b  if (a) b  if (a) {}  if (a) b; else c  for (;;) a
    for (;;) {}  while (a) b  do a; while (b)  do a\nwhile (b)  return  return a  throw a  break  continue
    a: b  a: {}  function f() {}  async function f() {}  function* f() {}  class A {}  class A { a }  x => y
    x => {}  async x => y  async  of  get  static  import("a")  import.meta  new a  new a()  a.b  a?.b
    a in b  typeof a  debugger  switch (a) {}  try {} catch {}  try {} finally {}  ;  a, b  a ? b : c
    function () {}  => a  .a  ?.a  in a  * a  , a  ) a  else a  while (a)  <!-- a  --> a
    async\nfunction f() {}  yield  await a  export { a }  import a from "b"  export default a
    export default function () {}  export default class {}  export const a = 1  with (a) b  let  a\n++b
    "use strict"  0  1.  null  this  #a in b  ({ a } = b)  [a] = b  a = {  }  a`b`
    import a from "b" with { c: "d" }  export * from "a"
"""

TYPED_STATEMENTS = """
    a!  a as b  type A = b  type A = { a: b }  type A = b[]  interface A {}  enum A {}  declare let a
    declare function f()  function f(): a  namespace A {}  abstract class A {}  @a class B {}  let a: b
    let a: b = c  let a: typeof b  let a: b[]  let a: () => b  f<a>(b)  f<a>  <T,>(a) => b  import a = b
    import type a from "b"  export type A = b  export = a  declare module "a"  declare global {}  as b
    satisfies b  is b  !a  <a>b  type  declare  abstract  namespace  module  interface  using a = b
    type A = a extends b ? c : d  let a: asserts b  let a: unique symbol  let a: A<b>  new A<b>
"""

EXPRESSIONS = """
    a  async  of  get  static  let_  this  null  1  1.  .5  0x1n  'a'  `a`  `a${b}`  /a/g  [a]  [a, ...b]
    [,]  {}  { a }  { a: 1 }  { a = 1 }  { async *a() {} }  { get a() { return 1 } }  (a)  (a, b)  ()  a.b
    a.async  a?.b  a?.[b]  a?.()  a.#b  a[b]  a()  a`b`  super.a  super()  new a  new a()  new a.b
    new.target  import.meta  import('a')  await a  await (a)  yield  yield a  yield* a  async () => {}
    async x => x  async (x) => await x  () => {}  () => ({})  x => y  (x, y) => z  ({ x }) => x
    x => { return }  function () {}  function f() {}  async function () {}  function* () { yield }
    async function* f() { yield await a }  class {}  class A extends B { #x; static y = 1 }  a = b  a += b
    [a] = b  ({ a } = b)  { a } = b  a ? b : c  a ?? b  a || b  a && b  a ?? b || c  a | b  a + b  a ** b
    -a ** b  -a  !a  typeof a  delete a.b  void 0  ++a  a++  --a.b  a in b  a instanceof b  #a in b  a < b
    a > b  a << b  a, b  ...a  a => b, c  async  a  x => x  async\nx => x  a\n++b  a\n(b)  a // c\n
    a /* c */  /* c */ a  a\n/b/g  a /b/ c  a--> b  a\n--> b  a <!-- b\n
"""

# Contexts with `@` in place of an expression.
AROUND = """
    @  @;  x = @  x += @  x ||= @  let x = @, y  const x = @  const { x = @ } = y  const [x = @] = y
    const { [@]: x } = y  ({ x = @ } = y)  [x = @] = y  ({ [@]: x } = y)  ({ x: y[@] } = z)  f(@)  f(...@)
    f(x, @, y)  new F(@)  new (@)  new @  x[@]  x?.[@]  x?.(@)  import(@)  `a${@}b`  t`a${@}b`  [@]
    [x, @, ...@]  ({ x: @ })  ({ [@]: x })  ({ ...@ })  ({ [@]() {} })  ({ x() { @ } })
    ({ get x() { return @ } })  ({ async *x(y = @) {} })  (@)  (x, @)  (@, x)  @ ? x : y  x ? @ : y
    x ? y : @  x && @  @ && x  x || @ || y  x ?? @  @ ?? x  x + @  @ + x  x * @ * y  x ** @  @ ** x  x in @
    @ in x  x instanceof @  x < @  @ > x  x == @  -@  !@  typeof @  delete @  void @  ++@  @++  @--  @.x
    @?.x  @[x]  @(x)  @`x`  @.x = y  @ = x  @ += x  @ => x  x => @  x => { @ }  x => { return @ }
    async x => @  async (x = @) => y  (x = @) => y  ({ x = @ }) => y  (x, [y = @]) => z
    function f(x = @) {}  function f() { return @ }  function f() { @ }  async function f() { @ }
    async function f() { x = @  function* f() { @ }  function* f() { x = @ }
    async function* f() { for await (const x of @) @ }  class A extends @ {}  class A { x = @ }
    class A { x = @  class A { static x = @; }  class A { [@] = x }  class A { [@]() {} }
    class A { static { @ } }  class A { x() { @ } }  class A { #x = @; y() { return #x in @ } }  if (@) x
    if (x) @  if (x) @; else y  while (@) x  while (x) @  do @; while (x)  do @  do x; while (@)
    do x; while (@) y  for (@;;) x  for (;@;) x  for (;;@) x  for (let x = @;;) y  for (let x of @) y
    for (let x in @) y  for (var x = @ in y) z  for (const { x = @ } of y) z  for (@ of x) y  for (@ in x) y
    for (x of @) y  for (x in @) y  for (x[@] of y) z  with (@) x  switch (@) { case x: y }
    switch (x) { case @: y }  switch (x) { case y: @ }  switch (x) { case y: @  throw @
    try { @ } catch (x) { @ } finally { @ }  try {} catch ({ x = @ }) {}  x: @  { @ }  { @  @ }
    export default @  export const x = @  await @  yield @  return @  x = yield @  x = await @  x = @\ny
    async function f() { x = @\ny }  class A { x = @\ny }  class A { x = @\n[y] }
    class A { x = @\n*y() {} }  if (x) @\nelse y  do @\nwhile (x)  switch (x) { case y: @\ndefault: z }
    { @\nx }  { x\n@ }  x\n@  x = y\n@  x = () => {}\n@  x = function () {}\n@  function x() {}\n@
    class x {}\n@  x++\n@  if (x) {}\n@  @\n(x)  @\n[x]  @\n/x/g  @\n`x`  @\n++x  @\n.x  @\n?.x  @\n+ x
    @\nin x  @\n=> x  @\n{}  @\n? x : y  @\ninstanceof x  @\n* x  @\nasync x => y  @\nfunction f() {}
    @\nlet x  @\nof  @\n=1  export default @\nx  return\n@  x = @ // c\ny  x = @ /* c\n*/ y  x = @ /* c */ y
"""


def parts(text: str) -> list[str]:
    """The parts of a text that two or more blanks separate."""
    return [part.replace("\\n", "\n") for part in phrases(text)]


def beside(one: list[str], around: str, separators: tuple[str, ...]) -> Iterator[str]:
    return (around.replace("@", f"{a}{between}{b}") for a, b, between in product(one, one, separators))


def check(language: str, texts: Iterator[str]) -> None:
    """Checks that a sample of these texts are members exactly if the judge accepts them."""
    is_left_open = typescript.is_left_open if language.startswith("typescript") else is_beyond_grammars
    n_taken = {True: 0, False: 0}
    for text in Random(language).sample(list(dict.fromkeys(texts)), COUNT):
        said = judged.fault(language, text)
        if is_left_open(said) or (said or "").startswith("nobody means"):
            continue
        is_taken = is_member(language, text)
        assert is_taken == (said is None), (text, said)
        n_taken[is_taken] += 1
    assert min(n_taken.values()) > COUNT // 10


def is_beyond_grammars(said: str | None) -> bool:
    return said is not None and said.startswith(javascript.BEYOND_GRAMMARS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_members_beside_each_other(language: str) -> None:
    members = parts(MEMBERS) + (parts(TYPED_MEMBERS) if language.startswith("typescript") else [])
    check(language, beside(members, "class A { @ }", ("\n", ";", " ")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_statements_beside_each_other(language: str) -> None:
    statements = parts(STATEMENTS) + (parts(TYPED_STATEMENTS) if language.startswith("typescript") else [])
    check(language, beside(statements, "@", ("\n", " ")))


def test_expressions_in_all_places() -> None:
    places = product(parts(AROUND), parts(EXPRESSIONS))
    check("javascript", (around.replace("@", expression) for around, expression in places))
