"""How far grammars of other packages are read as Lark reads them: docs/outside-grammars.md.

    python -m tests.outside_grammars

The packages are pinned and fetched into `target/outsiders`; nothing of theirs is committed. The texts below
were written for this: each is spoilt in many ways, and Lark and the engine are asked about each.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import warnings
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from lark import Lark
from lark.exceptions import LarkError
from lark.indenter import PythonIndenter

from quotient import GrammarError, GrammarWarning, Language, NoCompletion

ROOT = Path(__file__).parents[1]
FETCHED = ROOT / "target" / "outsiders"
PAGE = ROOT / "docs" / "outside-grammars.md"


@dataclass(frozen=True, slots=True)
class Outsider:
    """A grammar, the way its package uses it, and texts of its language."""

    package: str
    path: str
    start: str
    texts: tuple[str, ...]
    parser: str = "lalr"
    without: tuple[str, ...] = ()
    has_suites: bool = False
    options: dict[str, Any] = field(default_factory=dict)


HCL = (
    'resource "a" "b" {\n  name = "c"\n  list = [1, 2, var.x]\n}\n',
    "a = b.c[0] + (d ? -1 : 2.5e3)\n# note\nm = { k = 1, l = !true }\n",
    'x = "a ${b(1, "c")} d"\nlocals {\n}\n',
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
)
PYTHONS = (
    "import os\n\ndef f(a, b=1, *c):\n    return a if b else -c[0]\n",
    (
        "class A(B):\n    x = [i for i in y]\n    def g(self):\n        while x < 3:\n            x += 1\n"
        "        try:\n            pass\n        finally:\n            del x\n"
    ),
    'x = {"a": 1, \'b\': 0x1f}\nfor i in x:\n    print(i)\nelse:\n    assert x, "y"\n',
)
LARK = "lark==1.3.1"
OUTSIDERS = (
    Outsider(
        "python-hcl2==8.1.4",
        "hcl2/hcl2.lark",
        "start",
        HCL,
        without=("HEREDOC_TEMPLATE", "HEREDOC_TEMPLATE_TRIM"),
    ),
    Outsider("optimade==1.5.0", "optimade/grammar/v1.2.0.lark", "start", FILTERS, "earley"),
    Outsider(
        "sympy==1.14.0",
        "sympy/parsing/latex/lark/grammar/latex.lark",
        "latex_string",
        FORMULAS,
        "earley",
        options={"maybe_placeholders": False},
    ),
    Outsider("vyper==0.4.3", "vyper/ast/grammar.lark", "module", CONTRACTS, has_suites=True),
    Outsider(LARK, "lark-1.3.1/examples/composition/json.lark", "start", JSONS),
    Outsider(LARK, "lark-1.3.1/examples/composition/csv.lark", "start", TABLES),
    Outsider(LARK, "lark-1.3.1/examples/grammars/verilog.lark", "start", MODULES, "earley"),
    Outsider(LARK, "lark-1.3.1/lark/grammars/lark.lark", "start", GRAMMARS),
    Outsider(LARK, "lark-1.3.1/examples/advanced/template_lark.lark", "start", GRAMMARS),
    Outsider(LARK, "lark-1.3.1/lark/grammars/python.lark", "file_input", PYTHONS, has_suites=True),
    Outsider(LARK, "lark-1.3.1/examples/advanced/python2.lark", "file_input", PYTHONS, has_suites=True),
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
    indenter = PythonIndenter() if outsider.has_suites else None
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", GrammarWarning)
            language = Language.from_lark(path, outsider.start, without=outsider.without, indenter=indenter)
    except GrammarError as error:
        reasons = "; ".join((line.partition(": ")[2] or line) for line in str(error).split("\n"))
        return f"| {name} | {outsider.parser} | refused: {reasons} | | | | | |"
    lark = Lark(
        path.read_text(encoding="utf-8"),
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
    return (
        f"| {name}{without} | {outsider.parser} | {warned} | {seen[True, True]} | {seen[False, False]}"
        f" | {seen[True, False]} | {seen[False, True]} | {agreed / count:.1%} |"
    )


def page(rows: list[str], count: int) -> str:
    """The whole page."""
    return f"""# Grammars of other packages

`Language.from_lark` reads grammars that were written for Lark. Each grammar below is read as its package uses
it, and {count} texts of its language, most of them spoilt, are given to Lark and to the engine. The table is
written by a command, which fetches the packages:

    python -m tests.outside_grammars --count {count}

"Lines" counts what the `GrammarWarning` said: which terminals Lark takes otherwise, and where.

| grammar | parser | lines | both read | both refuse | Lark alone | engine alone | agree |
|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}

Where the two differ, the warning has said why. Lark tries only terminals that may come next, so that the
text of a string is no symbol outside of strings; the engine knows one set of terminals for the whole file,
and does not go back behind a terminal that has begun. Lark's Earley parser even lets a terminal end anywhere.
Heredocs of HCL refer back to a word of any length, which no automaton remembers: they are left out.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=1000, help="texts for each grammar")
    arguments = parser.parse_args()
    rows = []
    for outsider in OUTSIDERS:
        rows.append(row(outsider, arguments.count))
        print(rows[-1], flush=True)
    PAGE.write_text(page(rows, arguments.count), encoding="utf-8")


if __name__ == "__main__":
    main()
