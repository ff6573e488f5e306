"""Lark's indenters: their layout of lines equals Python's, or is refused with the reasons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from lark import Lark, Token
from lark.indenter import PythonIndenter

from quotient import GrammarError, GrammarWarning, Language, NoCompletion
from tests.grammar.beside_lark import is_member, is_read

BLOCKS = """
start: (_NEWLINE | stmt)*
stmt: N _NEWLINE | "if" N ":" _NEWLINE _INDENT stmt+ _DEDENT | "(" N* ")" _NEWLINE
N: /[a-eg-z]/
_NEWLINE: (/\\r?\\n[\\t ]*/ | COMMENT)+
COMMENT: /#[^\\n]*/
%ignore /[\\t ]+/
%ignore COMMENT
%declare _INDENT _DEDENT
"""


@pytest.mark.parametrize(
    "text",
    [
        "a\n",
        "if a:\n  b\n  c\nd\n",
        "if a:\n  if b:\n      c\n  d\n",
        "if a:\n  b\n c\n",
        "if a:\nb\n",
        "(a\n b)\nc\n",
        "if a: # d\n\n  # e\n  b\n",
        "if a:\n  (b\nc)\n  d\n",
        "\n\na\n",
    ],
)
def test_an_indenter_is_the_layout(text: str, blocks: Language) -> None:
    lark = Lark(BLOCKS, parser="lalr", postlex=PythonIndenter())
    assert is_member(blocks, text) is is_read(lark, text)


@pytest.fixture(scope="module")
def blocks() -> Language:
    with pytest.warns(GrammarWarning, match="lines are read as Python's"):
        return Language.from_lark(BLOCKS, indenter=PythonIndenter())


MODULES = """
start: (def | imp | var | _NEWLINE)* ["!" tail]
imp: "i" N ("." N)* tail
tail: (";" N)*
var: N [":" suite]
def: "f" N ":" (suite | N)
suite: _NEWLINE _INDENT (N _NEWLINE | def)+ _DEDENT
N: /[a-eg-hj-z]/
_NEWLINE: (/\\r?\\n[\\t ]*/ | COMMENT)+
COMMENT: /#[^\\n]*/
%ignore /[\\t ]+/
%ignore COMMENT
%declare _INDENT _DEDENT
"""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "i a.b\n",
        "i a; b; c i d\n",
        "f a: b\nf a: b f c: d\n",
        "f a:\n  b\n  f c:\n    d\ni a\n",
        "f a:\n  b\n  f c: d\ni a\n",
        "a:\n  b\nc d:\n  e\n\nf g:\n  # h\n\n  h\ni j.k\n",
        "a: b\n",
        "i a.\n",
        "f a:\n b\n  c\n",
        "f a: b; c\n",
        "! ; b",
    ],
)
def test_rules_may_end_a_line_in_one_alternative_and_not_in_another(text: str, modules: Language) -> None:
    lark = Lark(MODULES, parser="lalr", postlex=PythonIndenter())
    assert is_member(modules, text) is is_read(lark, text)
    for cut in range(len(text) + 1):
        recognizer = None
        with suppress(NoCompletion):
            recognizer = modules.recognizer(text[:cut], text[cut:])
        assert (recognizer is not None and recognizer.is_member()) is is_read(lark, text), cut


@pytest.fixture(scope="module")
def modules() -> Language:
    with pytest.warns(GrammarWarning, match="lines are read as Python's"):
        return Language.from_lark(MODULES, indenter=PythonIndenter())


class Inventive(PythonIndenter):
    def handle_NL(self, token: Token) -> Iterator[Token]:  # noqa: N802
        yield token


def test_an_indenter_with_code_of_its_own_is_refused() -> None:
    with pytest.raises(GrammarError, match=r"Inventive\.handle_NL is code of its own"):
        Language.from_lark(BLOCKS, indenter=Inventive())


class Bracketless(PythonIndenter):
    OPEN_PAREN_types = ["LESSTHAN"]  # noqa: RUF012
    CLOSE_PAREN_types: list[str] = []  # noqa: RUF012


def test_an_indenter_that_is_no_layout_is_refused_with_its_reasons() -> None:
    grammar = BLOCKS.replace("[\\t ]*/ |", "/ |") + "%ignore /;/\n"
    with pytest.raises(GrammarError) as caught:
        Language.from_lark(grammar, indenter=Bracketless())
    told = str(caught.value)
    assert "does not count (, which is a bracket" in told
    assert "counts <, which is no bracket" in told
    assert "_NEWLINE does not match line breaks" in told
    assert "is ignored, which Python's layout does not do" in told
