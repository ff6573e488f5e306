"""JavaScript with JSX for the laws: its additions to JavaScript."""

import re
from dataclasses import replace
from functools import cache

from tests.laws import javascript
from tests.laws.pieces import phrases
from tests.laws.sources import File

WORDS = replace(
    javascript.WORDS,
    brackets=(
        *javascript.WORDS.brackets,
        *("<a>", "</a>", "<a/>", "<>", "</>", "</", "/>", "<b ", "{/* c */}", "={", '="', "<a.b>", "</a.b>"),
    ),
    statements=(
        *javascript.WORDS.statements,
        *phrases(
            r"""
            <a/>  <a></a>  <></>  <a>b</a>  <a>{b}</a>  <a>{...b}</a>  <a>{}</a>  <a>{/* b */}</a>
            <a b/>  <a b="c"/>  <a b='"' c="'"/>  <a b="\"/>  <a b={c}/>  <a b={}/>  <a b=<c/>/>
            <a b=<></>/>  <a {...b}/>  <a {b}/>  <a b-c/>  <a b--c-/>  <a -b/>  <a b:c/>  <a b:c="d"/>
            <a:b/>  <a:b></a:b>  <a.b/>  <a.b.c></a.b.c>  <a.b:c/>  <a:b.c/>  <a-b/>  <a- b/>  <this.a/>
            <if for="while"/>  <a b = "c"/>  < a / >  <a>< / a >  <a /* b */ c // d
            <a>&amp; &b "'` \ // /* */</a>  <a>b > c</a>  <a>}</a>  <a><</a>  <a>b<c/>d<e></e>f</a>
            <a>{b}{c}</a>  <a>{b} {c}<d/>{e}</a>  <a>{b, c}</a>  <a>{<b>{c}</b>}</a>
            <a>{b => { return <c/> }}</a>  <a b={() => <c d={`e${<f/>}`}/>}/>  <a>`${b}`</a>
            `${<a>`</a>}`  <a><b></a></b>  <a></b>  <a>  </a>  <a/><b/>  <a/> < b  a < <b/>  a <b/>
            <a/> > b  <a/>>b  <a/>.b  <a/>(b)  <a/>[b] = c  -<a/>  !<a/> || b  <a/> ?? b  <a/> ** b
            new <a/>  new <a/>.b()  a ? <b/> : <c/>  a && <b/>  x = <a/>, y = <b/>  x = () => <a/>
            x => <a>{x}</a>  async x => <a>{await x}</a>  yield <a/>  return <a/>  export default <a/>
            class A extends <a/> {}  (<a/>)  [<a/>, <b/>]  {a: <b/>}  ({a: <b/>})  <a><!-- b --></a>
            <a b=c/>  <a \u0061/>  <a/>++  <a/> = b  typeof <a/>  <a/> in b  <a/> instanceof b
            """
        ),
    ),
    atoms=(*javascript.WORDS.atoms, "<a/>", "<a>", "</a>", "<", ">", "{", "}", "text", ' b="c"', " {...b}"),
    others=(*javascript.WORDS.others, "<", ">", "/>", "</", "<a", "&lt;", "<!--", "text"),
)  # fmt: skip

PROGRAMS = (
    "<a/>\n",
    "x = <a b c={d} e='f'>g {h} <i/></a>\ny\n",
    "const A = ({ b, ...c }) => (\n  <>\n    <b.c {...c} />\n    {b.map(d => <li>{d}</li>)}\n  </>\n)\n",
    "function A() {\n  return a ? <B:c d-e={`f${g}`}/> : null\n}\n",
    'x = <a b=<c/> d={<e>{/* f */}</e>}>&amp; it\'s\n  "g" // h</a>\n<i>{}</i>;\n',
    "export default <a>{b}{' '}{c}</a>\n",
    "-<a/> > b && <c/>.d\n",
)
# The judge's messages that no grammar can decide; docs/languages.md lists these kinds.
BEYOND_GRAMMARS = {
    "early error: Expected corresponding JSX closing tag": "the names of an element's tags",
    "early error: what acorn does not read": "elements that the judge does not read",
    "acorn alone: ": "the two parsers differ",
    "early error: a comment of HTML directly behind": "comments of HTML directly behind a tag's first sign",
    "early error: ": "early errors",
}
# In names of JSX, the judge accepts only the first 65,536 characters.
WIDE_LETTER = re.compile("[\U00010000-\U0010ffff]")


@cache
def files() -> tuple[File, ...]:
    """Return the files of the pinned npm packages. Raises `NoJudge` where they were not fetched."""
    return javascript.files_of("javascriptreact")
