"""How far other packages' grammars are read as Lark reads them: docs/outside-grammars.md.

    python -m tests.grammar.outside_grammars

The packages are pinned and fetched into `target/outsiders`; none of their files is committed. Our texts
(`outsiders.py`) are damaged in many ways, and Lark and the engine judge each result. A stopped run continues,
unless the engine, its readers, the texts or this file have changed.
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
from hashlib import sha256
from pathlib import Path
from random import Random

from lark import Lark
from lark.exceptions import LarkError

from quotient import GrammarError, GrammarWarning, Language, _native
from tests.grammar.beside_lark import is_member
from tests.grammar.outsiders import OUTSIDERS, Outsider

ROOT = Path(__file__).parents[2]
FETCHED = ROOT / "target" / "outsiders"
PAGE = ROOT / "docs" / "outside-grammars.md"


def fetched(package: str) -> Path:
    """The folder of a package's files, fetched at the first call."""
    name, _, version = package.partition("==")
    folder = FETCHED / f"{name}-{version}"
    if (folder / "unpacked").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    print(f"fetching {package}", file=sys.stderr)
    # Lark's examples are only in its source distribution.
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
    """The texts themselves, and as many with parts left out, doubled or moved."""
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
    """The grammar inside a Python file."""
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
        # Lark's indenter uses assertions to count brackets.
        return False
    return True


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
it, and Lark and the engine judge {count} texts of its language, most of them damaged. This command
fetches the packages and writes the table:

    python -m tests.grammar.outside_grammars --count {count}

"Lines" is the length of the `GrammarWarning`, which names the terminals that Lark reads differently, and
where.

| grammar | parser | lines | both read | both refuse | Lark alone | engine alone | agree | where not |
|---|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}

Where the two differ, the warning has named the reason:

- **Without blanks.** Lark's Earley parser may cut `cred` into `c` and `red`; here the longest terminal
  counts. In fruitflies, `flies` behind `fruit` may be a noun or a verb, and one of the two is chosen.
- **Lines.** With an indenter, lines are read as in Python: the last line ends with or without a line break,
  which explains nearly all differences of indented_tree, and the first line may not be indented. `1if` is not
  a number and a word, because the next character does not decide between terminals.
- **One text, two terminals, one place.** Lark tries a keyword only at some of the places where a rule may
  begin, and reads a name at the others. Here the text is always the keyword: in a mapfile's `C COLOR 1`, Lark
  tries no keyword behind `C`, and so reads `COLOR` as an attribute. Terminals with the same texts, such as
  beancount's sign and operator, are read as either.

Further differences are possible, which these grammars do not show. The warning names their places:

- **Going back far.** If a symbol has begun and cannot end, Lark goes back to the last match. The engine does
  the same (`quotient/lark_meaning/going_back.py`) if the text in between is at most three symbols of a few
  kinds. It also goes back within a character whose first byte begins another one: `«` may follow a word that
  could continue with `µ`.
- **Tried first.** If Lark tries one terminal before another one at all places, the second one loses all texts
  that begin with a text of the first (`quotient/lark_meaning/tried_first.py`). If only some places try both,
  the longest match counts.
- **Ends of rules.** If a rule may end or continue, Lark's LALR parser always continues, while the engine
  follows both. The warning mentions this for rules, but not for repetitions inside a rule.
- **Behind a terminal.** A look-ahead that requires something behind a terminal is not checked at the end of
  the text, as in ltl.

Regular expressions have the syntax of Python's `re`, or with `regex=True` that of the package `regex`; what
these refuse is refused here, too. Two differences cause no warning: if case is ignored, Python reads `İ` and
`ı` as an `i`, and characters of a newer Unicode than Python's may be letters here.

Terminals are tried where Lark's contextual lexer tries them, which the parser's LALR states determine
(`quotient/lark_meaning/contexts.py`); rules are copied for places where that makes a difference
(`quotient/lark_meaning/copies.py`). LALR states merge: behind some texts Lark tries a terminal that cannot
come there, and refuses a text that the engine reads. HCL's heredocs are left out, because they repeat a word
of any length, which no automaton can remember. Grammars that consist partly of code are refused or missing
here: GDScript's has an indenter of its own, and a program assembles WDL's. In mapfiles, values are left out
for which the parser is called again with another terminal.
"""


def digest() -> str:
    """A digest of everything that rows depend on: the installed engine, its readers, the texts and this
    file."""
    beside = Path(__file__).with_name("outsiders.py")
    paths = [Path(__file__), beside, *sorted((ROOT / "quotient").rglob("*.py")), Path(_native.__file__)]
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
