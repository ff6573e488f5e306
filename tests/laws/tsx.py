"""TypeScript with JSX for the laws: its additions to TypeScript."""

from dataclasses import replace
from functools import cache

from tests.laws import javascript, jsx, typescript
from tests.laws.pieces import phrases
from tests.laws.sources import File

STATEMENTS = (
    *typescript.STATEMENTS,
    *jsx.WORDS.statements,
    *phrases(
        r"""
        <a<b>/>  <a<b<c>> d="e"></a>  <a.b<c>/>  <a<b>>c</a>  <a<>/>  <a <b>/>  </a<b>>  <a b={}/>
        <a b={c, d}/>  <a/> as b  <a/> as b < c  <a/> satisfies b & c  <a/>!  <a/> = b  [<a/>!]  -<a/> ** b
        <a/> ** <b/>  x = <a,>(b: a) => c  x = <a, b>(c) => d  x = <a extends b>(c) => d
        x = <a = b>(c) => d  x = <a>(b) => c  x = <const a,>(b) => c  x = <const a>(b) => c
        x = <a extends b, c = d>(e): f => <g/>  x = async <a,>(b) => c  x = async <a>(b) => c  <a extends/>
        <a extends="b"/>  <a extends b/>  <a b extends c/>  <a const/>  <extends/>  <a>b</a>
        <a><b/></a> as c  f<a>(<b/>)  f<a><b/>  a < b > c  let a: b = <c/>  class a { b = <c<d>/> }  (<a>b)
        <a>(b)  <any>b  a ? <b/> : <c/>  a<b/>c
        """
    ),
)
WORDS = replace(
    typescript.WORDS,
    brackets=jsx.WORDS.brackets,
    statements=STATEMENTS,
    atoms=(*typescript.WORDS.atoms, *jsx.WORDS.atoms, "<a<b>/>", "<T,>"),
    others=(*typescript.WORDS.others, *jsx.WORDS.others),
)
PROGRAMS = (
    *jsx.PROGRAMS,
    "const A = <T,>({ b }: C<T>): D => <E<T> f={b as T}>{b!}</E>\n",
    "export function A(b: C): JSX.Element {\n  return <>{b.d<e>(f => <g key={f}/>)} h</>\n}\n",
    "let a: b = <T extends c>(d: T) => <e {...d}/>\nf < g > (h)\n",
    "type A = { b?: C<D> }\nclass E extends F<A> { g = () => <h i='j'/> }\n",
)


@cache
def files() -> tuple[File, ...]:
    """Return the files of the pinned npm packages. Raises `NoJudge` where they were not fetched."""
    return javascript.files_of("typescriptreact")
