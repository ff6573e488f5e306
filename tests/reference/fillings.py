"""Every short filling of a context, judged by the grammar.

Chance finds most disagreements. But an ordered choice in CPython's parser matters only where two readings
share a beginning, and such places are known: targets, arguments, parameters, `with` items, patterns and so
on. There all sequences of a few symbols are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.reference.completions import short_texts
from tests.reference.earley import Earley
from tests.reference.reference import Reference
from tests.reference.statements import grouped, names_a_character, written

SOFT_KEYWORDS = ("match", "case", "_", "type")


class Context(NamedTuple):
    """Symbols in front of and behind the filling, and the symbols that it consists of."""

    before: str
    behind: str
    symbols: str


CONTEXTS = (
    Context("", "NEWLINE", "NAME ( ) . [ ] , = : * +="),
    Context("", "NEWLINE", "NAME ( ) . : = := yield REAL"),
    Context("", "NEWLINE", "NAME not in is + - ** await and ( )"),
    Context("", "NEWLINE", "NAME if else lambda : = or ( ) ,"),
    Context("", "NEWLINE", "STRING BYTES NAME , + . match case _"),
    Context("", "NEWLINE", "return yield from * NAME , raise ( )"),
    Context("", "NEWLINE", "( ) [ ] { } NAME , : * **"),
    Context("(", ") . NAME : NAME NEWLINE", "NAME ( ) . [ ] , = * := yield"),
    Context("(", ") : NAME NEWLINE", "NAME ( ) . [ ] , * not REAL"),
    Context("(", ") NEWLINE", "NAME := = * , for in yield ( )"),
    Context("[", "] NEWLINE", "NAME := * , for in if async else ( )"),
    Context("{", "} NEWLINE", "NAME : * ** , for in := lambda"),
    Context("NAME (", ") NEWLINE", "NAME = * ** , for in := ( )"),
    Context("NAME (", ") NEWLINE", "NAME = * ** , ( ) REAL ."),
    Context("class NAME (", ") : pass NEWLINE", "NAME = * ** , for in :="),
    Context("NAME [", "] NEWLINE", "NAME : , * := lambda ( ) ="),
    Context("NAME [", "] = NAME NEWLINE", "NAME : , * := lambda if else"),
    Context("lambda", ": NAME NEWLINE", "NAME , = * ** / : lambda"),
    Context("def NAME (", ") : pass NEWLINE", "NAME , = * ** / :"),
    Context("def NAME ( NAME", ") : pass NEWLINE", "NAME , = * ** / :"),
    Context("def NAME (", ") : pass NEWLINE", "NAME * : , or = ( ) ->"),
    Context("with", ": pass NEWLINE", "NAME ( ) , as * . yield"),
    Context("with (", ") : pass NEWLINE", "NAME ( ) , as * . := for in"),
    Context("with ( NAME", ": pass NEWLINE", "NAME ( ) , as . [ ] +"),
    Context("with NAME as", ": pass NEWLINE", "NAME ( ) , as * . [ ]"),
    Context("for", "in NAME : pass NEWLINE", "NAME ( ) , * . [ ] in"),
    Context("for NAME in", ": pass NEWLINE", "NAME ( ) , * in lambda : yield := if"),
    Context("[ NAME for", "] NEWLINE", "NAME in if else lambda : or ( ) , * for"),
    Context("del", "NEWLINE", "NAME ( ) , * . [ ] ;"),
    Context("assert", "NEWLINE", "NAME , * := ( ) lambda :"),
    Context("import", "NEWLINE", "NAME . , as * ( ) .."),
    Context("from", "import NAME NEWLINE", "NAME . .. ... as import ,"),
    Context("from NAME import", "NEWLINE", "NAME . , as * ( ) ;"),
    Context("global", "NEWLINE", "NAME , . ( ) _ ; ="),
    Context("@", "NEWLINE def NAME ( ) : pass NEWLINE", "NAME . ( ) := , * yield"),
    Context("try : pass NEWLINE except", ": pass NEWLINE", "NAME * , as . ( ) : pass"),
    Context("match", ": NEWLINE INDENT case _ : pass NEWLINE DEDENT", "NAME * , := ( ) - yield"),
    Context("match", "NEWLINE", "NAME : = ( ) [ ] , . * - if in not match"),
    Context("match NAME : NEWLINE INDENT case", ": pass NEWLINE DEDENT", "NAME _ . ( ) , | as * if"),
    Context(
        "match NAME : NEWLINE INDENT case", ": pass NEWLINE DEDENT", "REAL IMAGINARY + - STRING BYTES None |"
    ),
    Context("match NAME : NEWLINE INDENT case", ": pass NEWLINE DEDENT", "[ ] ( ) , * NAME _ {"),
    Context("match NAME : NEWLINE INDENT case NAME (", ") : pass NEWLINE DEDENT", "NAME _ = , . * ( ) | as"),
    Context(
        "match NAME : NEWLINE INDENT case {", "} : pass NEWLINE DEDENT", "NAME _ : , ** . STRING REAL - *"
    ),
    Context("type", "NEWLINE", "NAME = [ ] ( ) : , type ."),
    Context("type NAME [", "] = NAME NEWLINE", "NAME = * ** : , ( ) :="),
    Context("def NAME [", "] ( ) : pass NEWLINE", "NAME = * ** : , yield [ ]"),
    Context("class NAME [", "] : pass NEWLINE", "NAME = * ** : , ( ) ]"),
    Context("try : pass NEWLINE except *", ": pass NEWLINE", "NAME * , as . ( ) ,"),
)


def fillings(reference: Reference, context: Context, longest: int) -> Iterator[tuple[str, bool]]:
    """The texts of one context, and whether the grammar accepts each."""
    earley = Earley(reference.rules, reference.start)
    before = context.before.split()
    is_alive = all(read(earley, symbol) for symbol in before)
    yield from _fillings(earley, context, before, is_alive, longest)


def read(earley: Earley, symbol: str) -> bool:
    """Reads a symbol; a soft keyword that a version does not have yet is a name."""
    is_name = symbol in SOFT_KEYWORDS and symbol not in earley.rules.terminals
    return earley.read("NAME" if is_name else symbol)


def _fillings(
    earley: Earley, context: Context, symbols: list[str], is_alive: bool, longest: int
) -> Iterator[tuple[str, bool]]:
    behind = context.behind.split()
    text = written(list(grouped([*symbols, *behind])))
    # A lone line end is a blank line, for which there is no symbol.
    if text.strip():
        yield text, is_alive and _is_complete_after(earley, behind)
    if longest:
        for symbol in context.symbols.split():
            is_still_alive = is_alive and read(earley, symbol)
            yield from _fillings(earley, context, [*symbols, symbol], is_still_alive, longest - 1)
            if is_alive:
                earley.charts.pop()


def _is_complete_after(earley: Earley, symbols: list[str]) -> bool:
    known = len(earley.charts)
    is_complete = all(read(earley, symbol) for symbol in symbols) and earley.is_complete()
    del earley.charts[known:]
    return is_complete


class TextContext(NamedTuple):
    """Text in front of and behind the filling, and the pieces that it consists of."""

    before: str
    behind: str
    pieces: tuple[str, ...]


TEXT_CONTEXTS = (
    TextContext("", "", tuple("019_.eEjxobf")),
    TextContext("x if ", "else 2", tuple("019_.eEjxobf")),
    TextContext(
        "", " x", ("0", "1", ".", "e", "j", "and", "or", "if", "in", "is", "as", "for", "else", "not")
    ),
    TextContext("[", " x in y]", ("0", "1", ".", "x", "for", "f", "or", "async", "j", "_")),
    TextContext("", "", tuple("'\"\\rbuf\n")),
    TextContext("'", "'", ("\\", "x", "4", "u", "0", "N", "{", "}", "'", "\n", "\r")),
    TextContext('b"', '"', ("\\", "x", "4", "é", "N", '"', "\n", "\r", "\0")),
    TextContext("'''", "'''", ("\\", "'", "\n", "\r", "x", "4", "a")),
    TextContext("f'", "'", tuple("{}a:!r=")),
    TextContext("f'{a", "}'", tuple("{}!:r=<> ")),
    TextContext("f'{a:", "}'", tuple("{}a:!=\\N")),
    TextContext("f'", "'", ("{", "}", "\\", "N", "a", "x", "4", '"')),
    TextContext('f"""', '"""', ("{", "}", "'", '"', "\n", "#", "a", "\\")),
    TextContext("f'{", "}'", ("(", ")", "[", "]", "{", "}", ":", '"', "a")),
    TextContext("rf'", "'", ("{", "}", "\\", "N", "a", "'")),
    TextContext("f'{", "}'", ("'", '"', "f", "{", "}", "a", ":", "\n", "#")),
    TextContext("f'{a:", "}'", ("{", "}", "a", ":", "'", "\n", "=", "!r")),
    TextContext('f"""{a', '}"""', ("{", "}", "\n", ":", "'", '"', "#", " ", "!r")),
    TextContext("f'{a", "}'", ("!", "r", "s", " ", "\n", ":", "=", "}", "{")),
    TextContext("t'", "'", ("{", "}", "a", ":", "!r", "=", "'", " t'", " f'")),
    TextContext("", "", ("a", "\n", " ", "\t", "\\", "#", "\r", "\f")),
    TextContext("if a:\n", "b", ("\n", " ", "\t", "\\\n", "#", "\f", "c")),
    TextContext("if a:\n  b\n", "c", ("\n", " ", "\t", "\\\n", "#\n", "\f", "b\n")),
    TextContext("if a:\n\tb\n", "c", ("\n", " ", "\t", "        ", "\\\n", "if a:", "\r\n")),
    TextContext("a", "", ("\\", "\n", "\r", " ", "#", "b", "+")),
    TextContext("(a", ")", ("\\", "\n", "\r", " ", "#", "\f", ",", ")")),
)


def text_fillings(reference: Reference, context: TextContext, longest: int) -> Iterator[tuple[str, bool]]:
    """The texts of one context, and whether the whole reference accepts each."""
    for filling in short_texts(context.pieces, longest):
        text = context.before + filling + context.behind
        if not names_a_character(text):
            yield text, reference.is_valid(text)
