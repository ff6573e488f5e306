"""A fuzzer: whether the grammar accepts what CPython's parser accepts, on damaged and invented texts.

There are three sources, because each finds what the others cannot. Statements of the corpus with a few
changed symbols test whether the grammar is too wide or too narrow near real code. Random derivations of the
grammar test whether it allows what CPython refuses. Texts with a few changed characters test numbers,
strings, f-strings, names and white space. A longer run than the tests':

    python -m tests.reference.fuzz --version 3.11 --tries 200000 --seed 1

Every source yields texts with the reference's verdict; an oracle judges them, many at a time.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from tests.reference.derivations import Derivations
from tests.reference.earley import is_sentence
from tests.reference.oracles import VARIABLE, oracle
from tests.reference.reference import Reference
from tests.reference.statements import (
    Symbol,
    are_lines_whole,
    corpus,
    grouped,
    mutated,
    names_a_character,
    statements,
    vocabulary,
    written,
)

Judged = tuple[str, bool]
"""A text, and whether the reference accepts it."""
LEXICAL = ("numbers", "strings", "f-strings", "names", "layout")
# A piece is one character, except where pieces of several characters matter most.
PIECES = (
    *"abefnorxujJNUXBOEFR_0123456789.'\"\\\n \t\r\f\0#{}()[]:=!,;+-*é²·ª\ufeff",
    *('"""', "'''", "\\\n", "\r\n", "\n ", "\n  ", "\n\t", "if a:\n "),
    *("else", "and", "for", "if", "in", "not", "or", "is", "as", "from"),
    *('f"', "f'", 'rf"', "b'", "{a}", "!r", "{{", "}}", "\\N{", "\\x", "\\u", "\\U"),
    *("t'", 'rt"', "f'''", 'f"""', "{f'", "{'", "{a:", "{a!r:", "}'", "=}", ":="),
)


def is_accepted(reference: Reference, symbols: list[Symbol], text: str) -> bool:
    if are_lines_whole(symbols):
        names = [name for symbol in symbols for name in symbol.names]
        return is_sentence(reference.rules, reference.start, names)
    return reference.is_valid(text)


def changed_statements(reference: Reference, tries: int, seed: int) -> Iterator[Judged]:
    """Statements of the corpus with other symbols, `tries` of them."""
    generator = random.Random(seed)
    words = vocabulary(reference)
    seeds = statements(reference)
    for _ in range(tries):
        symbols = mutated(generator, generator.choice(seeds), words, generator.choice(seeds))
        text = written(symbols)
        yield text, is_accepted(reference, symbols, text)


def derived_statements(reference: Reference, tries: int, seed: int) -> Iterator[Judged]:
    """Random derivations, unchanged and with other symbols."""
    derivations = Derivations(reference, seed)
    words = vocabulary(reference)
    for number in range(tries):
        names = derivations.sentence(budget=5 + number % 40)
        # F-strings consist of fields, and their symbols alone do not determine the text; nor do those of a
        # line that 3.8 joins in front of a statement.
        if any(name.startswith(("FSTRING", "RAW_FSTRING", "TSTRING", "FIELD", "JOINED")) for name in names):
            continue
        symbols = list(grouped(names))
        changed = mutated(derivations.generator, symbols, words, symbols)
        for sentence in (symbols, changed):
            text = written(sentence)
            yield text, is_accepted(reference, sentence, text)


def changed_texts(reference: Reference, tries: int, seed: int) -> Iterator[Judged]:
    """Texts of the corpus with other characters."""
    generator = random.Random(seed)
    seeds = [case["text"] for case in corpus() if case["name"].startswith(LEXICAL)]
    for _ in range(tries):
        text = with_other_characters(generator, generator.choice(seeds), generator.choice(seeds))
        if not names_a_character(text):
            yield text, reference.is_valid(text)


def with_other_characters(generator: random.Random, text: str, other: str) -> str:
    for _ in range(generator.choice((1, 1, 1, 2, 2, 3, 4))):
        start, end = sorted(generator.choices(range(len(text) + 1), k=2))
        match generator.randrange(5):
            case 0:
                text = text[:start] + text[start + 1 :]
            case 1:
                text = text[:start] + generator.choice(PIECES) + text[start:]
            case 2:
                text = text[:start] + generator.choice(PIECES) + text[start + 1 :]
            case 3:
                low, high = sorted(generator.choices(range(len(other) + 1), k=2))
                text = text[:start] + other[low:high] + text[start:]
            case 4:
                text = text[:end] + text[start:end] + text[end:]
    return text


SOURCES = (changed_statements, derived_statements, changed_texts)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare a compiled grammar with CPython's parser.")
    parser.add_argument("--version", default="3.11", help="any version in FIM_PYTHONS, or this Python's")
    parser.add_argument("--tries", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--source", choices=[source.__name__ for source in SOURCES], help="only this one")
    arguments = parser.parse_args()
    reference = Reference.load(f"python-{arguments.version}")
    judge = oracle(arguments.version)
    if judge is None:
        parser.error(f"no interpreter for {arguments.version}: see {VARIABLE}")
    count = 0
    for source in SOURCES:
        if arguments.source not in (None, source.__name__):
            continue
        for text in judge.disagreements(source(reference, arguments.tries, arguments.seed)):
            count += 1
            print(f"{'refused' if reference.is_valid(text) else 'accepted'} by CPython only: {text!r}")
        print(f"{source.__name__}: {arguments.tries} tries", flush=True)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
