"""Shortened terminals: Lark never reads some of their texts, because it tries another terminal first.

TRUE.2: /true/
NAME: /[a-z-]+/       `true-` is TRUE and another terminal, wherever TRUE is tried as well

Lark takes the first terminal in its order that matches, and not the longest match. So if one terminal is
tried wherever another one is, the other never reads a text that begins with a text of the first.
"""

from __future__ import annotations

from collections.abc import Iterable

from lark.lexer import PatternStr

from quotient.expressions.automaton_regexes import expression, least
from quotient.expressions.regexes import RegexError, rust_syntax
from quotient.expressions.terminal_automata import Accept, Automaton
from quotient.lark_meaning.contexts import PlaceGroups
from quotient.lark_meaning.followed_terminals import Terminals
from quotient.lark_meaning.order import LarkTerminal


def cut_short(terminals: Terminals, contexts: PlaceGroups) -> dict[str, str]:
    """The expressions of the terminals that lose texts; the texts are also removed from `terminals`."""
    found: dict[str, str] = {}
    for name in terminals.order:
        first = [one for one in terminals.order if _is_in_front(terminals, contexts, one, name)]
        automaton = _without(terminals, name, first) if first else None
        if automaton is None:
            continue
        try:
            regex = expression(least(automaton), Accept())
        except RegexError:
            continue
        if regex is not None:
            found[name] = rust_syntax(regex)
            _replace(terminals, name, automaton)
    return found


def _is_in_front(terminals: Terminals, contexts: PlaceGroups, one: str, other: str) -> bool:
    if one == other or not terminals.is_first(one, other) or _is_keyword(terminals, other, one):
        return False
    return contexts.is_always_beside(one, other)


def _is_keyword(terminals: Terminals, text: str, name: str) -> bool:
    """Whether this is a plain text that Lark looks up in the other terminal's match."""
    known: LarkTerminal = terminals.lark[text]
    of_name: LarkTerminal = terminals.lark[name]
    is_plain = isinstance(known.pattern, PatternStr) and not isinstance(of_name.pattern, PatternStr)
    is_equal = known.priority == of_name.priority
    return is_plain and is_equal and bool(of_name.expression.fullmatch(known.pattern.value))


def _without(terminals: Terminals, name: str, first: Iterable[str]) -> Automaton | None:
    """The terminal's texts that do not begin with a text of the others; None if that is every text."""
    if any(known == name for known, _ in terminals.broken):
        return None
    start = (0, frozenset((one, 0) for one in first))
    numbers = {start: 0}
    automaton = Automaton(terminals.pieces)
    is_cut = False
    order = [start]
    for state, others in order:
        edges: dict[int, int] = {}
        ended = [one for one in others if one in terminals.ends]
        for letter, to in terminals.edges.get((name, state), {}).items():
            if any(not _is_forbidden(terminals, one, letter) for one in ended):
                is_cut = True
                continue
            ways = ((one, terminals.edges[one, at].get(letter)) for one, at in others)
            after = (to, frozenset((one, at) for one, at in ways if at is not None))
            edges[letter] = numbers.setdefault(after, len(order))
            if edges[letter] == len(order):
                order.append(after)
        automaton.edges.append(edges)
        automaton.verdicts.append(Accept() if (name, state) in terminals.ends else None)
    return automaton if is_cut else None


def _is_forbidden(terminals: Terminals, ended: tuple[str, int], letter: int) -> bool:
    """Whether the letter behind a terminal forbids its end."""
    name, _ = ended
    behind = terminals.edges[ended].get(letter)
    return (name, behind) in terminals.broken - terminals.cut_back


def _replace(terminals: Terminals, name: str, automaton: Automaton) -> None:
    leading = _leading(automaton)
    edges = {key: onward for key, onward in terminals.edges.items() if key[0] != name}
    for state, onward in enumerate(automaton.edges):
        edges[name, state] = {letter: to for letter, to in onward.items() if to in leading}
    terminals.edges = edges
    ends = {key for key in terminals.ends if key[0] != name}
    terminals.ends = ends | {(name, state) for state, verdict in enumerate(automaton.verdicts) if verdict}


def _leading(automaton: Automaton) -> set[int]:
    """The states from which the terminal may still end."""
    found = {state for state, verdict in enumerate(automaton.verdicts) if verdict}
    while True:
        onward = enumerate(automaton.edges)
        more = {state for state, edges in onward if not found.isdisjoint(edges.values())}
        if more <= found:
            return found
        found |= more
