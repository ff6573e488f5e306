"""How far grammars of other packages are read as Lark reads them: docs/outside-grammars.md.

    python -m tests.outside_grammars

The packages are pinned and fetched into `target/outsiders`; nothing of theirs is committed. The texts below
were written for this: each is spoilt in many ways, and Lark and the engine are asked about each. A run that
is stopped goes on where it was, unless the engine, its readers or this file have changed.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import tarfile
import warnings
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Literal

from lark import Lark
from lark.exceptions import LarkError
from lark.indenter import Indenter, PythonIndenter

from fim_lsp import _native
from quotient import GrammarError, GrammarWarning, Language, NoCompletion

ROOT = Path(__file__).parents[1]
FETCHED = ROOT / "target" / "outsiders"
PAGE = ROOT / "docs" / "outside-grammars.md"


@dataclass(frozen=True, slots=True)
class Outsider:
    """A grammar, the way its package uses it, and texts of its language.

    In a Python file the grammar is what the name `variable` is assigned, or else what Lark is called with.
    """

    package: str
    path: str
    start: str
    texts: tuple[str, ...]
    parser: Literal["lalr", "earley"] = "lalr"
    without: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    indenter: type[Indenter] | None = None
    variable: str | None = None
    # What the texts are about on which the two differ.
    reason: str = ""


class TreeIndenter(Indenter):
    """As the package has it."""

    NL_type = "_NL"
    OPEN_PAREN_types: list[str] = []  # noqa: RUF012
    CLOSE_PAREN_types: list[str] = []  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


HCL = (
    'resource "a" "b" {\n  name = "c"\n  list = [1, 2, var.x]\n}\n',
    "a = b.c[0] + (d ? -1 : 2.5e3)\n# note\nm = { k = 1, l = !true }\n",
    'x = "a ${b(1, "c")} d"\nlocals {\n}\n',
    'in = 1\nv = {for k, t in x : k => t if true}\nx = { in = 1, if : 2 }\nf "for" null {\n}\n',
    'a = "%{ if x ~}b%{ else }$${c}%{ endif }"\nb = x.*.y[*] /* c */ / 2 - f(3...) # d\nc = e.0.true\n',
)
FILTERS = (
    'a = 1 AND NOT (b.c > "x" OR d HAS ALL "e", "f")',
    "nelements LENGTH 3 OR _x IS KNOWN",
    'a STARTS WITH "b" AND c HAS ANY < 1.5, 2 OR 3 = d',
)
FORMULAS = (
    r"\frac{a}{b} \cdot x^2",
    r"\sin(x) + 2",
    r"x_1 = \infty",
)
CONTRACTS = (
    "x: uint256\n\n@external\ndef f(a: uint256) -> uint256:\n    return a + 1\n",
    (
        "event E:\n    a: address\n\n@internal\ndef g():\n"
        '    for i: uint256 in range(3):\n        self.x += i\n    log E(a="b")\n'
    ),
    "@external\ndef h():\n    if a == b:\n        pass\n    else:\n        assert c, 'd'\n",
)
LEDGERS = (
    '2024-01-02 * "Shop" "Bread"\n  Assets:Cash  -3.50 EUR\n  Expenses:Food\n',
    '2024-01-01 open Assets:Cash EUR, USD\n; note\n* Section\noption "title" "mine"\n',
    (
        '2024-02-03 txn "a" #tag ^link-1\n  key: "value"\n  Assets:A 10 ABC {1.2 USD} @ 1.3 USD\n'
        "2024-02-04 balance Assets:A 10 ABC\n2024-02-05 price ABC 2 USD\n"
    ),
    (
        '2024-03-01 custom "x" 123 -456 TRUE 2024-01-01 USD\n2024-03-02 close Assets:B\n'
        '2024-03-03 note Assets:B "n"\n\n2024-03-04 ! "p"\n  Assets:A (1 + -2) * 3 USD {{4 EUR}}\n'
        "  ! Income:B -1/2 EUR @@ 5 USD\n"
    ),
)
JSONS = ('{"a": [1, 2.5e3, {"b": null}], "c": "d\\"e"}', "[]", '[true, false, {"x": "y"}]')
TABLES = ("#a b c\n1 2 3\nx y z\n", "#id name\n1 one\n2.5 two\n")
MODULES = (
    (
        "module m(a, b, c);\n  input a, b;\n  output c;\n  wire w;\n"
        "  and g1(w, a, b);\n  assign c = ~w;\nendmodule\n"
    ),
)
GRAMMARS = (
    'start: a+ "b"?\na.2: /c/i -> d\n  | "e" ~ 2..3\nA: "x".."z"\n%ignore A\n%import common.WS\n',
    "?start: [a] (b | c)*\n_x{y}: y y\n// note\n!b: A\n%declare B\n",
    'a{b, c}.-1: b ("," c)* -> d | \n%ignore /[ \\/]+/i\n%import .x.y -> z\n%import a (B)\nB: "\\"" // e\n',
    (
        "%override a: b\n  // c\n  | [d]\n"
        '%extend A.3: /\\/\\*(.|\\n)*?\\*\\//x | "\\\\"i\n\n?_b.1{c}: (c{"d", e}) ~ 2 -> f // "\n'
    ),
    'a: /[/]b\\//im* // c\n\n  // d\n  | -> e\n\n%declare A B\n%import a.b.c -> D\n%ignore A | " "+\n',
)
PYTHONS = (
    "import os\n\ndef f(a, b=1, *c):\n    return a if b else -c[0]\n",
    (
        "class A(B):\n    x = [i for i in y]\n    def g(self):\n        while x < 3:\n            x += 1\n"
        "        try:\n            pass\n        finally:\n            del x\n"
    ),
    'x = {"a": 1, \'b\': 0x1f}\nfor i in x:\n    print(i)\nelse:\n    assert x, "y"\n',
)
SUMS = ("a = 1 + 2 * -(b - 3.5)", "1+2/x", "-(a)")
TURTLES = ("c red yellow fill { repeat 36 { f200 l170 } }", "f 10 b 5 c blue")
FLIES = ("fruit flies like bananas", "flies like fruit flies")
SETTINGS = ("[bla]\na=Hello\nthis='that',4\nempty=\n", "\n[x]\ny = [z]\n")
LISTS = ('[1, "a", 2.5]', '{"a": 2, "b": "c"}')
TREES = ("\na\n    b\n    c\n        d\n    e\n", "a # x\n  b\n")
MULTIPLES = ("2:0110", "3:110110", "3:1001")
SCHEMAS = (
    (
        'type A implements B & C @d(x: 1) {\n  "e"\n  f(g: Int = 2.5, h: [ID!]!): String! @i\n}\n\n'
        "enum J { K, type }\n"
    ),
    (
        "scalar S # t\nunion U = A | B\ninput I { a: Int = {b: [1, true, NULL]} }\n"
        "directive @d(x: Int) on FIELD | QUERY\n"
    ),
)
MOTIFS = ("A -> B\nB ~> C # d\nA.size > 3\n", 'm(a, b) {\n  a -> b [t != "x"]\n}\nm(A, B)\nA["s"] = B["r"]\n')
MARKERS = ('python_version >= "3.8" and (os_name == \'nt\' or extra == "x")', "'a' in sys_platform")
REQUIREMENTS = (
    'a-b[c,d] (>=1.0,<2) ; python_version < "3"',
    "name @ file:///x.y ; extra == 'z'",
    "n==1.0,!=1.1.*",
)
FORMULAE = ('a & (b | !true) -> "c d" <-> e-f', "~x >> y || false")
TEMPORAL = ('G (a -> F "b c") & X[!] !d', "(a U (b R (c W d))) <-> last | X (tt M ff)", 'F "end" || G G(x_1)')
MAPS = (
    (
        'MAP\n  NAME "m"\n  EXTENT -1 -2.5 3 4\n  # note\n  LAYER\n    TYPE POLYGON\n'
        "    FILTER ([a] > 5)\n  END\nEND\n"
    ),
    (
        "LAYER\n  CLASS\n    EXPRESSION /^x/\n    STYLE\n      COLOR 255 0 10\n"
        "      WIDTH 0.5\n    END\n  END\nEND\n"
    ),
    'WEB\n  METADATA\n    "a" "b"\n    c \'d\'\n  END\nEND\nSYMBOL POINTS 1 1 2.5 3 END END',
)
TRACES = ("<a; b*>tt & [ (c?) + true ] end", "!(ff | last)", "<tt?>(<x-y>tt)")
DOMAINS = (
    (
        "(define (domain d) (:requirements :strips :typing) (:types a b - c) (:predicates (p ?x - a) (q))\n"
        "  (:action m :parameters (?x - a ?y) :precondition (and (p ?x) (not (q)))\n"
        "    :effect (when (q) (not (p ?y)))))"
    ),
)
CUTS = "terminals without a blank between them, which Lark cuts in all ways"
BEHIND = "what must stand behind a terminal is no part of its text"
EITHER = "keywords that Lark takes for names where it tries no keyword"
BACK = "what has begun is not taken back"
LINES = "words without a blank between them; last lines without a line break"
LARK = "lark==1.3.1"
EXAMPLES = "lark-1.3.1/examples"
OUTSIDERS = (
    Outsider(
        "python-hcl2==8.1.4",
        "hcl2/hcl2.lark",
        "start",
        HCL,
        without=("HEREDOC_TEMPLATE", "HEREDOC_TEMPLATE_TRIM"),
        reason=BACK,
    ),
    Outsider("optimade==1.5.0", "optimade/grammar/v1.2.0.lark", "start", FILTERS, "earley", reason=CUTS),
    Outsider(
        "sympy==1.14.0",
        "sympy/parsing/latex/lark/grammar/latex.lark",
        "latex_string",
        FORMULAS,
        "earley",
        options={"maybe_placeholders": False},
    ),
    Outsider(
        "beancount-parser==1.2.3",
        "beancount_parser/grammar/beancount.lark",
        "start",
        LEDGERS,
    ),
    Outsider(
        "vyper==0.4.3", "vyper/ast/grammar.lark", "module", CONTRACTS, indenter=PythonIndenter, reason=LINES
    ),
    Outsider(
        "tartiflette==0.7.1",
        "tartiflette/sdl/grammar/graphql_sdl_grammar.lark",
        "document",
        SCHEMAS,
        reason=EITHER,
    ),
    Outsider("dotmotif==0.18.0", "dotmotif/parsers/v2/grammar.lark", "start", MOTIFS, "earley", reason=CUTS),
    Outsider("poetry-core==2.5.0", "poetry/core/version/grammars/markers.lark", "start", MARKERS),
    Outsider("poetry-core==2.5.0", "poetry/core/version/grammars/pep508.lark", "start", REQUIREMENTS),
    Outsider("outlines==1.3.3", "outlines/grammars/arithmetic.lark", "start", SUMS),
    Outsider("outlines==1.3.3", "outlines/grammars/json.lark", "start", JSONS),
    Outsider("pylogics==0.2.1", "pylogics/parsers/pl.lark", "start", FORMULAE),
    Outsider("pylogics==0.2.1", "pylogics/parsers/ldl.lark", "start", TRACES),
    Outsider("pylogics==0.2.1", "pylogics/parsers/ltl.lark", "start", TEMPORAL, reason=BEHIND),
    Outsider("mappyfile==1.1.1", "mappyfile/mapfile.lark", "start", MAPS, reason=EITHER),
    Outsider("pddl==0.5.1", "pddl/parser/grammar.lark", "domain", DOMAINS),
    Outsider(LARK, "lark-1.3.1/examples/composition/json.lark", "start", JSONS),
    Outsider(LARK, "lark-1.3.1/examples/composition/csv.lark", "start", TABLES, reason=BACK),
    Outsider(LARK, "lark-1.3.1/examples/grammars/verilog.lark", "start", MODULES, "earley", reason=CUTS),
    Outsider(LARK, "lark-1.3.1/lark/grammars/lark.lark", "start", GRAMMARS, reason=BACK),
    Outsider(LARK, "lark-1.3.1/examples/advanced/template_lark.lark", "start", GRAMMARS, reason=BACK),
    Outsider(LARK, f"{EXAMPLES}/standalone/json.lark", "start", JSONS),
    Outsider(LARK, f"{EXAMPLES}/relative-imports/multiples.lark", "start", MULTIPLES),
    Outsider(LARK, f"{EXAMPLES}/tests/negative_priority.lark", "start", ("a", "aa")),
    Outsider(LARK, f"{EXAMPLES}/tests/no_newline_at_end.lark", "start", ("a", "aa")),
    Outsider(LARK, f"{EXAMPLES}/calc.py", "start", SUMS, variable="calc_grammar", reason=BACK),
    Outsider(
        LARK,
        f"{EXAMPLES}/turtle_dsl.py",
        "start",
        TURTLES,
        "earley",
        variable="turtle_grammar",
        reason=CUTS,
    ),
    Outsider(
        LARK,
        f"{EXAMPLES}/fruitflies.py",
        "sentence",
        FLIES,
        "earley",
        variable="grammar",
        reason="`flies` is a NOUN and a VERB, which have other words each",
    ),
    Outsider(LARK, f"{EXAMPLES}/advanced/conf_lalr.py", "start", SETTINGS, reason=BACK),
    Outsider(LARK, f"{EXAMPLES}/advanced/conf_earley.py", "start", SETTINGS, "earley", reason=BACK),
    Outsider(
        LARK, f"{EXAMPLES}/advanced/templates.py", "start", LISTS, "earley", variable="grammar", reason=BACK
    ),
    Outsider(
        LARK,
        f"{EXAMPLES}/indented_tree.py",
        "start",
        TREES,
        indenter=TreeIndenter,
        variable="tree_grammar",
        reason=LINES,
    ),
    Outsider(
        LARK,
        "lark-1.3.1/lark/grammars/python.lark",
        "file_input",
        PYTHONS,
        indenter=PythonIndenter,
        reason=LINES,
    ),
    Outsider(
        LARK,
        "lark-1.3.1/examples/advanced/python2.lark",
        "file_input",
        PYTHONS,
        indenter=PythonIndenter,
        reason=LINES,
    ),
)


def fetched(package: str) -> Path:
    """The folder of a package's files, which are fetched once."""
    name, _, version = package.partition("==")
    folder = FETCHED / f"{name}-{version}"
    if (folder / "unpacked").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    print(f"fetching {package}", file=sys.stderr)
    # Lark's examples are in its source distribution alone.
    kind = ["--no-binary", "lark"] if name == "lark" else ["--only-binary", ":all:"]
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        *kind,
        "-d",
        str(folder),
        package,
    ]
    subprocess.run(command, check=True)
    for archive in [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]:
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(folder)
        else:
            with tarfile.open(archive) as source:
                source.extractall(folder, filter="data")
    (folder / "unpacked").touch()
    return folder


def spoilt(texts: tuple[str, ...], random: Random, count: int) -> list[str]:
    """The texts themselves, and as many with parts of them left out, doubled, or put elsewhere."""
    found = list(texts)
    while len(found) < count:
        text = random.choice(texts)
        for _ in range(random.choice((1, 1, 2))):
            start = random.randrange(len(text) + 1)
            stop = min(len(text), start + random.choice((0, 1, 1, 2, 4, 8)))
            other = random.choice(texts)
            at = random.randrange(len(other))
            piece = random.choice(("", text[start:stop] * 2, other[at : at + random.choice((1, 2, 5))]))
            text = text[:start] + piece + text[stop:]
        found.append(text)
    return found


def grammar_in(program: str, variable: str | None) -> str:
    """The grammar that a Python file holds."""
    for node in ast.walk(ast.parse(program)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str() as text)):
                if name == variable:
                    return text
            case ast.Call(func=ast.Name(id="Lark"), args=[ast.Constant(value=str() as text), *_]):
                if variable is None:
                    return text
    raise ValueError(f"no grammar is called {variable}")


def is_read(lark: Lark, text: str) -> bool:
    try:
        lark.parse(text)
    except (LarkError, AssertionError, IndexError):
        # Lark's indenter counts brackets with assertions.
        return False
    return True


def is_member(language: Language, text: str) -> bool:
    try:
        recognizer = language.recognizer()
    except NoCompletion:
        return False
    return recognizer.advance(text) and recognizer.is_member()


def row(outsider: Outsider, count: int) -> str:
    """A line of the table."""
    path = fetched(outsider.package) / outsider.path
    name = f"{outsider.package} {path.name}"
    indenter = outsider.indenter() if outsider.indenter else None
    grammar = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        grammar = grammar_in(grammar, outsider.variable)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", GrammarWarning)
            language = Language.from_lark(
                grammar,
                outsider.start,
                source=path,
                without=outsider.without,
                indenter=indenter,
                parser=outsider.parser,
            )
    except GrammarError as error:
        reasons = "; ".join((line.partition(": ")[2] or line) for line in str(error).split("\n"))
        return f"| {name} | {outsider.parser} | refused: {reasons} | | | | | | {outsider.reason} |"
    lark = Lark(
        grammar,
        parser=outsider.parser,
        start=outsider.start,
        postlex=indenter,
        source_path=str(path),
        **outsider.options,
    )
    seen = Counter(
        (is_read(lark, text), is_member(language, text))
        for text in spoilt(outsider.texts, Random(outsider.package), count)
    )
    warned = sum(str(one.message).count("\n") for one in caught)
    without = f", without {len(outsider.without)} terminals" if outsider.without else ""
    agreed = seen[True, True] + seen[False, False]
    reason = outsider.reason if agreed < count else ""
    return (
        f"| {name}{without} | {outsider.parser} | {warned} | {seen[True, True]} | {seen[False, False]}"
        f" | {seen[True, False]} | {seen[False, True]} | {agreed / count:.1%} | {reason} |"
    )


def page(rows: list[str], count: int) -> str:
    """The whole page."""
    return f"""# Grammars of other packages

`Language.from_lark` reads grammars that were written for Lark. Each grammar below is read as its package uses
it, and {count} texts of its language, most of them spoilt, are given to Lark and to the engine. The table is
written by a command, which fetches the packages:

    python -m tests.outside_grammars --count {count}

"Lines" counts what the `GrammarWarning` said: which terminals Lark takes otherwise, and where.

| grammar | parser | lines | both read | both refuse | Lark alone | engine alone | agree | where not |
|---|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}

Where the two differ, the warning has said why:

- **Without blanks.** Lark's Earley parser cuts `cred` into `c` and `red`; here the longest terminal counts.
  In fruitflies, `flies` behind `fruit` may be a noun or a verb, of which one is taken.
- **Lines.** With an indenter, lines are read as Python's: the last one ends, whether or not it has a line
  break, which is nearly all of the differences of indented_tree, and the first one may not be indented.
  `1if` is no number and a word, because terminals are not told apart by what may come next.
- **One text, two terminals, one place.** Behind some texts a rule stands where Lark tries a keyword as
  well, behind others where it does not, and takes a name. Here such a keyword stays one: a mapfile's `C
  COLOR 1` ends in an attribute `COLOR` to Lark's, which tries no keyword behind `C`. Terminals with the
  same texts, as beancount's sign and operator, are read as either.

What these grammars do not show, and the warning names where it may be:

- **Going back far.** What has begun and does not end is gone back behind (`quotient/lark_going_back.py`),
  as long as no more than three symbols, and not too many kinds of them, may be what was read in between. So
  are characters whose first byte is that of another one, as `«` behind a word, which may go on with `µ`.
- **Tried first.** Where Lark tries one terminal wherever it tries another, the other loses the texts that
  go on behind the first (`quotient/lark_tried_first.py`). Where only some places try both, the longest
  counts.
- **Ends of rules.** Where a rule may end or go on, Lark's LALR parser always goes on; the engine follows
  both. It is told of rules, and not of repetitions inside of one.
- **Behind a terminal.** That nothing at all stands behind one that asks for something is not looked at, as
  in ltl.

Expressions are those of Python's `re`, or with `regex=True` those of the package `regex`, and what these
refuse is refused here. Two things differ without a word: without regard to case Python takes `İ` and `ı`
for an `i`, and characters of a newer Unicode than Python's may be letters here.

Terminals are tried where Lark's contextual lexer tries them (`quotient/lark_contexts.py`), which the
parser's LALR states say; rules are copied for places where that makes a difference
(`quotient/lark_copies.py`). These states merge: behind some texts one takes a terminal that cannot come
there, and Lark, which tries it, refuses what is read here. Heredocs of HCL refer back to a word of any
length, which no automaton remembers: they are left out. Grammars of which a part is code are refused or not
here: GDScript's indenter, WDL's, which is put together by a program; of mapfiles, the values for which
their parser is called again with another terminal are left out.
"""


def digest() -> str:
    """What rows depend on: the engine that is installed, its readers and this file."""
    paths = [Path(__file__), *sorted((ROOT / "quotient").glob("*.py")), Path(_native.__file__)]
    return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=500, help="texts for each grammar")
    parser.add_argument(
        "--only", default="", help="only grammars with this in their names; no page is written"
    )
    arguments = parser.parse_args()
    FETCHED.mkdir(parents=True, exist_ok=True)
    journal = FETCHED / f"rows-{arguments.count}-{digest()}.json"
    known = json.loads(journal.read_text(encoding="utf-8")) if journal.exists() else {}
    chosen = [one for one in OUTSIDERS if arguments.only in f"{one.package} {one.path}"]
    for number, outsider in enumerate(chosen, start=1):
        key = f"{outsider.package} {outsider.path}"
        if key not in known:
            known[key] = row(outsider, arguments.count)
            journal.write_text(json.dumps(known), encoding="utf-8")
        print(f"{number} of {len(chosen)}: {known[key]}", flush=True)
    if arguments.only:
        return
    rows = [known[f"{one.package} {one.path}"] for one in OUTSIDERS]
    PAGE.write_text(page(rows, arguments.count), encoding="utf-8")


if __name__ == "__main__":
    main()
