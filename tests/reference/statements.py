"""Statements as lists of symbols, and small changes to them.

Key idea: change symbols and write them with spaces. So no tokenizer is needed, and one try of the fuzzer
takes a fraction of a millisecond.
"""

from __future__ import annotations

import ast
import json
import random
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.reference.lexing import LexicalError
from tests.reference.reference import Reference

CORPUS = Path(__file__).parents[1] / "corpus" / "grammar" / "python-3.11.jsonl"
VERSIONS_CORPUS = CORPUS.with_name("versions.jsonl")
LAYOUT = ("NEWLINE", "INDENT", "DEDENT")
EXAMPLES = {
    "NAME": ("a", "b", "c"),
    "REAL": ("1", "2.5"),
    "IMAGINARY": ("1j",),
    "STRING": ("'s'",),
    "BYTES": ("b's'",),
    "RISKY_STRING": (r"r'\x'",),
    "RISKY_BYTES": (r"b'\u1'",),
    "FUTURE": ("__future__",),
    "BARRY": ("barry_as_FLUFL",),
    "FEATURE": ("division",),
    "DEBUG": ("__debug__",),
    "LIKE_CONSTANT": ("\uff2eone",),
}
FSTRINGS = ("f's'", "f'{a}'", "f'{a!r:{b}}'")
TSTRINGS = ("t's'", "t'{a}'")
PREFIXES = {"FSTRING_START": "f", "RAW_FSTRING_START": "rf", "TSTRING_START": "t"}


class Symbol(NamedTuple):
    """A symbol's text; an f-string is one symbol, although the grammar has several."""

    text: str
    names: tuple[str, ...]


def is_parsed(text: str) -> bool:
    """Whether CPython's parser accepts a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            return False
    return True


def names_a_character(text: str) -> bool:
    r"""Whether `\N{...}` occurs: CPython looks the name up, and the grammar does not know all names."""
    return re.search(r"\\N\{", text) is not None


def corpus() -> list[dict[str, Any]]:
    """All cases, those of one version and those of several; each has a `name` and a `text`."""
    files = (CORPUS, VERSIONS_CORPUS)
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def vocabulary(reference: Reference) -> list[Symbol]:
    """Every symbol that a mutation may insert; frequent ones are listed several times."""
    used = {name for edges in reference.rules.edges for name in edges}
    terminals = reference.description["terminals"]
    literals = [terminal["name"] for terminal in terminals if terminal["kind"] == "literal"]
    symbols = [Symbol(name, (name,)) for name in literals if name in used]
    symbols += [Symbol(text, (name,)) for name, texts in EXAMPLES.items() if name in used for text in texts]
    fstrings = FSTRINGS + (TSTRINGS if "TSTRING_START" in reference.description["declared"] else ())
    symbols += [Symbol(text, tuple(reference.symbols(text))[:-1]) for text in fstrings]
    frequent = set("()[]{}.,:=*") | {":=", "**", "/", "for", "in", "if", "else", "lambda", "not"}
    return symbols + [symbol for symbol in symbols for _ in range(2) if symbol.text in frequent]


def written(symbols: list[Symbol]) -> str:
    """The symbols as a text, with one space between them and one per level in front of a line."""
    text, depth, is_line_start = "", 0, True
    for symbol in symbols:
        match symbol.text:
            case "NEWLINE":
                text, is_line_start = text + "\n", True
            case "INDENT":
                depth += 1
            case "DEDENT":
                depth -= 1
            case other:
                text += " " * depth + other if is_line_start else " " + other
                is_line_start = False
    return text


def statements(reference: Reference) -> list[list[Symbol]]:
    """The corpus as symbols. Texts whose symbols only a tokenizer can find are left to other tests."""
    known = {name for edges in reference.rules.edges for name in edges}
    found = []
    for case in corpus():
        if case["name"].startswith(("layout", "numbers", "strings", "f-strings", "names")):
            continue
        try:
            names = list(reference.symbols(case["text"]))
        except LexicalError:
            continue
        if not known.issuperset(names):
            continue
        found.append(list(grouped(names)))
    return found


def grouped(names: list[str]) -> Iterator[Symbol]:
    """Symbols by their names alone, with example texts; f-strings become one symbol again."""
    end = 0
    for start, name in enumerate(names):
        if start < end:
            continue
        if name in PREFIXES:
            end = names.index("FSTRING_END", start) + 1
            text = PREFIXES[name] + "'{a}'"
            yield Symbol(text, (name, "FIELD_OPEN", "NAME", "FIELD_CLOSE", "FSTRING_END"))
        else:
            yield Symbol(EXAMPLES.get(name, (name,))[0], (name,))


def mutated(
    generator: random.Random, symbols: list[Symbol], words: list[Symbol], piece: list[Symbol]
) -> list[Symbol]:
    """The statement with one to three changes, none of them to its line structure.

    One kind of change inserts a part of `piece`, another statement.
    """
    symbols = list(symbols)
    for _ in range(generator.choice((1, 1, 1, 2, 2, 3))):
        places = [k for k, symbol in enumerate(symbols) if symbol.text not in LAYOUT]
        if not places:
            break
        place, other = generator.choice(places), generator.choice(places)
        match generator.randrange(7):
            case 0:
                del symbols[place]
            case 1:
                symbols.insert(place, symbols[other])
            case 2:
                symbols[place], symbols[other] = symbols[other], symbols[place]
            case 3:
                symbols[place] = generator.choice(words)
            case 4:
                symbols.insert(place, generator.choice(words))
            case 5:
                left, right = generator.choice((("(", ")"), ("[", "]"), ("{", "}")))
                low, high = sorted((place, other))
                symbols.insert(high + 1, Symbol(right, (right,)))
                symbols.insert(low, Symbol(left, (left,)))
            case 6:
                inner = [symbol for symbol in piece if symbol.text not in LAYOUT]
                is_replaced = generator.randrange(2)
                begin, end = sorted(generator.choices(range(len(inner) + 1), k=2))
                symbols[place : place + is_replaced] = inner[begin:end]
    return symbols


def are_lines_whole(symbols: list[Symbol]) -> bool:
    """Whether each NEWLINE ends a line that has symbols, outside brackets."""
    depth, is_empty = 0, True
    for symbol in symbols:
        if symbol.text in "([{":
            depth += 1
        elif symbol.text in ")]}":
            depth -= 1
        if symbol.text == "NEWLINE" and (depth or is_empty):
            return False
        if symbol.text not in ("INDENT", "DEDENT"):
            is_empty = symbol.text == "NEWLINE"
    return depth == 0
