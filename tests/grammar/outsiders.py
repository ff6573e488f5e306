"""Other packages' grammars, pinned, each with texts of its language that were written for these tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from lark.indenter import Indenter, PythonIndenter


@dataclass(frozen=True, slots=True)
class Outsider:
    """A grammar, its package's way to use it, and texts of its language.

    In a Python file the grammar is the value of the name `variable`, or else the argument of Lark's call.
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
    # The subject of the texts on which both differ.
    reason: str = ""


class TreeIndenter(Indenter):
    """An indenter as in the package."""

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
