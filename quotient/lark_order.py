"""In which order Lark tries terminals, said in the engine's terms.

Where two terminals match the same text, Lark takes the one with the higher priority, then the one that may be
longer, then the one whose expression is written with more characters. Only among equals of priority a plain
text wins over an expression. The engine takes plain texts first of all, then priorities, then whatever stands
first: so terminals are put into Lark's order, and a text that loses to an expression becomes one itself.
"""

from __future__ import annotations

import re
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property

from lark import Token, Tree
from lark.exceptions import LarkError
from lark.lexer import Pattern as LarkPattern
from lark.lexer import PatternStr
from lark.load_grammar import Grammar, PrepareLiterals, TerminalTreeToPattern

from quotient.lark_rules import Rules


@dataclass
class LarkTerminal:
    """A terminal as Lark has it."""

    name: str
    priority: int
    pattern: LarkPattern

    @property
    def place(self) -> tuple[int, int, int, str]:
        """What Lark's lexer sorts its terminals by."""
        return -self.priority, -self.pattern.max_width, -len(self.pattern.value), self.name

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """What Lark hands to Python."""
        return re.compile(self.pattern.to_regexp())

    def yields_to(self, other: LarkTerminal) -> bool:
        """Whether this is a plain text that Lark reads as the other terminal."""
        is_expression = not isinstance(other.pattern, PatternStr)
        is_later = other.priority > self.priority
        return is_expression and is_later and bool(other.expression.fullmatch(self.pattern.value))


def lark_terminals(grammar: Grammar, rules: Rules) -> dict[str, LarkTerminal]:
    """All terminals that Python's `re` can read, by our names for them."""
    trees = {name: (tree, priority) for name, (tree, priority) in grammar.term_defs if isinstance(tree, Tree)}
    literals = {name: (tree, 0) for name, tree in rules.literal_trees.items()}
    found = {}
    for name, (tree, priority) in (literals | trees).items():
        with suppress(LarkError, re.error, RecursionError, OverflowError):
            terminal = LarkTerminal(name, priority, _pattern(tree))
            if terminal.expression:
                found[name] = terminal
    return found


def _pattern(tree: Tree[Token]) -> LarkPattern:
    """Lark changes trees in place, so it is given a copy."""
    whole = Tree("expansions", [Tree("expansion", [deepcopy(tree)])])
    pattern: LarkPattern = (PrepareLiterals() * TerminalTreeToPattern()).transform(whole)
    return pattern
