r"""The dialects of regular expressions in grammars: ours, Python's `re`, and the package `regex`.

Our own grammars have `\p{...}` and `&&`. Lark passes expressions to `re`, which knows neither, or with
`regex=True` to `regex`. The latter has its own classes (its `\w` includes marks), so it is asked which
characters its sets hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Any, Protocol

from lark import Token, Tree
from lark.exceptions import LarkError
from lark.lexer import Pattern as LarkPattern
from lark.load_grammar import PrepareLiterals, TerminalTreeToPattern, _literal_to_pattern

from quotient.expressions.character_sets import all_characters, ranges_of_runs, rust_class
from quotient.expressions.regexes import RegexError


class RegexDialect(Enum):
    """The dialect of an expression, that is, the library that defines its meaning."""

    OURS = "ours"
    RE = "re"
    REGEX = "regex"


class Compiled(Protocol):
    """An expression of `re` or of `regex`."""

    @property
    def groups(self) -> int: ...

    def fullmatch(self, string: str, /) -> object | None: ...

    def finditer(self, string: str, /) -> Iterator[Any]: ...


def compile_expression(expression: str, dialect: RegexDialect) -> Compiled:
    """The compiled expression. Raises RegexError with the library's complaint."""
    if dialect is not RegexDialect.REGEX:
        try:
            return re.compile(expression)
        except re.error as error:
            raise RegexError(f"what Python's `re` refuses: {error}") from None
    import regex  # type: ignore[import-untyped]

    try:
        found: Compiled = regex.compile(expression)
    except regex.error as error:
        raise RegexError(f"what Python's `regex` refuses: {error}") from None
    return found


@cache
def regex_class(source: str) -> str:
    """A set or class of the package `regex`, in Rust's syntax."""
    runs = compile_expression(f"(?:{source})+", RegexDialect.REGEX).finditer(all_characters())
    characters = ranges_of_runs(run.span() for run in runs)
    if not characters:
        raise RegexError(f"`{source}`, which holds no character")
    return rust_class(characters).rust


def literal_pattern(literal: Token) -> LarkPattern:
    r"""A literal as Lark reads it. Lark replaces escapes first, so that `/\x2e/` is any character."""
    try:
        pattern: LarkPattern = _literal_to_pattern(literal)  # type: ignore[no-untyped-call]
        return pattern
    except LarkError as error:
        raise RegexError(f"what Lark refuses: {error}") from None


def terminal_expression(tree: Tree[Token]) -> LarkPattern:
    """Lark's pattern of a terminal. Lark changes trees in place, so it gets a copy."""
    whole = Tree("expansions", [Tree("expansion", [_copy(tree)])])
    pattern: LarkPattern = (PrepareLiterals() * TerminalTreeToPattern()).transform(whole)
    return pattern


def _copy(tree: Tree[Token]) -> Tree[Token]:
    return Tree(tree.data, [_copy(one) if isinstance(one, Tree) else one for one in tree.children])
