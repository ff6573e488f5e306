"""The order in which Lark tries terminals, expressed for the engine.

If two terminals match the same text, Lark takes the one with the higher priority, then the one with the
longer possible match, then the one whose expression has more characters; a plain text wins over an expression
only at equal priority. The engine takes plain texts first, then priorities, then the first one. So terminals
are put into Lark's order, and a text that loses to an expression becomes an expression itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from lark import Tree
from lark.exceptions import LarkError
from lark.lexer import Pattern as LarkPattern
from lark.lexer import PatternStr
from lark.load_grammar import Grammar

from quotient.compiler.rules import Rules
from quotient.expressions.regex_dialects import (
    Compiled,
    RegexDialect,
    compile_expression,
    terminal_expression,
)
from quotient.expressions.regexes import RegexError

NUMBER_OF_GROUP = re.compile(r"(?<!\\)(?:\\\\)*\\(?![0-7]{3})[1-9]")


@dataclass
class LarkTerminal:
    """A terminal of Lark."""

    name: str
    priority: int
    pattern: LarkPattern
    dialect: RegexDialect

    @property
    def place(self) -> tuple[int, int, int, str]:
        """The sort key of Lark's lexer."""
        return -self.priority, -self.pattern.max_width, -len(self.pattern.value), self.name

    @cached_property
    def expression(self) -> Compiled:
        """The expression that Lark passes to Python."""
        return compile_expression(self.pattern.to_regexp(), self.dialect)

    @cached_property
    def trouble_beside_others(self) -> str | None:
        """The reason why Lark's lexer, which joins the tried terminals to one expression, cannot read this
        one."""
        if self.expression.groups and NUMBER_OF_GROUP.search(self.pattern.value):
            return "numbers of groups count those of all terminals there, names would not"
        try:
            compile_expression(f"(?:{self.pattern.to_regexp()})", self.dialect)
        except RegexError as error:
            return str(error)
        return None

    def yields_to(self, other: LarkTerminal, ignored: Collection[str]) -> bool:
        """Whether this is a plain text that Lark reads as the other terminal.

        Lark does not look for plain texts in an ignored terminal, such as a comment: `//` is no operator if
        comments begin with it.
        """
        is_expression = not isinstance(other.pattern, PatternStr)
        is_later = other.priority >= self.priority + (other.name not in ignored)
        return is_expression and is_later and bool(other.expression.fullmatch(self.pattern.value))


def lark_terminals(grammar: Grammar, rules: Rules) -> dict[str, LarkTerminal]:
    """The terminals that Python can read, by our names."""
    trees = {name: (tree, priority) for name, (tree, priority) in grammar.term_defs if isinstance(tree, Tree)}
    literals = {name: (tree, 0) for name, tree in rules.literal_trees.items()}
    found = {}
    for name, (tree, priority) in (literals | trees).items():
        with suppress(LarkError, RegexError, RecursionError, OverflowError):
            terminal = LarkTerminal(name, priority, terminal_expression(tree), rules.dialect)
            if terminal.expression:
                found[name] = terminal
    return found
