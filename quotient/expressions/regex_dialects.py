r"""The dialects of regular expressions in grammars: ours, that of Python's `re`, and of `regex`, a package.

Our own grammars have `\p{...}` and `&&`. Grammars for Lark mean what Lark hands to Python: to `re`, which
knows neither, or where Lark is given `regex=True`, to `regex`. That one has classes of its own (its `\w`
holds marks), so its sets are asked for which characters they hold.
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
    """The dialect of an expression: the library that says what it means."""

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
    """The expression as Python compiles it. Raises RegexError with what it does not know."""
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
    r"""A literal as Lark reads it, which puts characters for escapes: `/\x2e/` is any character."""
    try:
        pattern: LarkPattern = _literal_to_pattern(literal)  # type: ignore[no-untyped-call]
        return pattern
    except LarkError as error:
        raise RegexError(f"what Lark refuses: {error}") from None


def terminal_expression(tree: Tree[Token]) -> LarkPattern:
    """The pattern that Lark makes of a terminal; it changes trees in place, so it is given a copy."""
    whole = Tree("expansions", [Tree("expansion", [_copy(tree)])])
    pattern: LarkPattern = (PrepareLiterals() * TerminalTreeToPattern()).transform(whole)
    return pattern


def _copy(tree: Tree[Token]) -> Tree[Token]:
    return Tree(tree.data, [_copy(one) if isinstance(one, Tree) else one for one in tree.children])
