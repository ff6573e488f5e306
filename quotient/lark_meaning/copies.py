"""Copies of rules for the places where a terminal stands beside them, so that these places form a group.

    list: "{" (value | WORDS) ("," (value | WORDS))* "}"      WORDS have blanks; values also occur elsewhere

Places that occur together stay in one group (`contexts.py`), so `WORDS` would be tried wherever a value may
come, and take other texts. A copy of `value`, and of the rules that may begin it, occurs only beside WORDS.
"""

from __future__ import annotations

from collections.abc import Mapping

from quotient.compiler.rules import Body
from quotient.lark_meaning.contexts import rewritten
from quotient.lark_meaning.lr_states import Grammar, Places, bits, grammar_of

# The most symbols of the rules with their copies; a grammar with more gets no copies.
MOST_SYMBOLS = 5_000


def with_copies(bodies: Mapping[str, Body], terminal: str) -> dict[str, Body]:
    """The rules, with copies of those beside a terminal; unchanged if there are none."""
    grammar = grammar_of(bodies)
    beside = _beside(grammar, terminal)
    if not beside:
        return dict(bodies)
    first: Places = 0
    for part in grammar.rules.values():
        first |= part.first

    def copied(symbol: str) -> str:
        return f"{symbol}@{terminal}"

    def with_copied(places: Places) -> dict[str, Body]:
        def at(place: int, symbol: str) -> str:
            return copied(symbol) if symbol in bodies and places >> place & 1 else symbol

        return rewritten(bodies, at)

    found, copies = with_copied(beside), with_copied(beside | first)
    todo = [grammar.symbols[place] for place in bits(beside) if grammar.symbols[place] in bodies]
    for name in todo:
        if copied(name) in found:
            continue
        found[copied(name)] = copies[name]
        begins = (grammar.symbols[place] for place in bits(grammar.rules[name].first))
        todo.extend(symbol for symbol in begins if symbol in bodies)
    return found if len(grammar_of(found).symbols) <= MOST_SYMBOLS else dict(bodies)


def _beside(grammar: Grammar, terminal: str) -> Places:
    """The places beside the terminal's places in the same rules."""
    own = sum(1 << place for place, symbol in enumerate(grammar.symbols) if symbol == terminal)
    found: Places = 0
    for together in (*grammar.behind, *(part.first for part in grammar.rules.values())):
        found |= together if together & own else 0
    return found
