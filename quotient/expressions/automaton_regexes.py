"""Automata as regular expressions: the automaton is minimized, and its states are eliminated one by one.

The engine reads expressions in the syntax of Rust's `regex`, and makes one automaton of all terminals itself.
So the automata of `terminal_automata.py` are turned into expressions again, without features that only a
backtracking matcher has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from quotient.expressions.character_sets import short_rust_class, union
from quotient.expressions.regexes import (
    Choice,
    MatchesNothing,
    Regex,
    RegexError,
    Repeat,
    Sequence,
    rust_syntax,
)
from quotient.expressions.terminal_automata import Accept, Automaton, Tail, Verdict, terminal_automaton

LONGEST_EXPRESSION = 100_000
EMPTY = Sequence(())


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A terminal as plain expressions: its own, and those of texts whose final promise is broken."""

    regex: Regex
    tails: tuple[tuple[Tail, Regex], ...]
    is_blind_in_front: bool
    is_blind_at_end: bool


def rewritten(regex: Regex) -> Rewritten:
    """Rewrites a terminal without look-around and laziness. Raises RegexError if that is impossible."""
    automaton = least(terminal_automaton(regex))
    own = expression(automaton, Accept())
    if own is None:
        raise MatchesNothing
    tails = {verdict for verdict in automaton.verdicts if isinstance(verdict, Tail)}
    in_order = sorted(tails, key=lambda tail: (tail.remainder is not None, tail.remainder or ""))
    found = [(tail, expression(automaton, tail)) for tail in in_order]
    return Rewritten(
        own,
        tuple((tail, one) for tail, one in found if one is not None),
        automaton.is_blind_in_front,
        automaton.is_blind_at_end,
    )


def least(automaton: Automaton) -> Automaton:
    """The minimal automaton, by Moore's refinement; its start stays state 0."""
    block = _numbered_keys([_key(verdict) for verdict in automaton.verdicts])
    while True:
        keys = [
            (block[state], tuple(sorted((letter, block[to]) for letter, to in edges.items())))
            for state, edges in enumerate(automaton.edges)
        ]
        refined = _numbered_keys(keys)
        if max(refined) == max(block):
            break
        block = refined
    found = replace(automaton, edges=[], verdicts=[])
    for number in range(max(block) + 1):
        state = block.index(number)
        found.edges.append({letter: block[to] for letter, to in automaton.edges[state].items()})
        found.verdicts.append(automaton.verdicts[state])
    return found


def _key(verdict: Verdict) -> object:
    return verdict


def _numbered_keys(keys: list[object] | list[tuple[int, tuple[tuple[int, int], ...]]]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def expression(automaton: Automaton, verdict: Verdict) -> Regex | None:
    """The expression of all texts with this verdict at their end; None if there are none."""
    n_states = len(automaton.edges)
    before, behind = n_states, n_states + 1
    ways: dict[int, dict[int, Regex]] = {state: {} for state in range(n_states + 2)}
    for state, edges in enumerate(automaton.edges):
        for target in dict.fromkeys(edges.values()):
            letters = [automaton.letters[letter] for letter, to in edges.items() if to == target]
            ways[state][target] = short_rust_class(union(letters))
        if automaton.verdicts[state] == verdict:
            ways[state][behind] = EMPTY
    ways[before][0] = EMPTY
    left = set(range(n_states))
    while left:
        state = min(left, key=lambda one: (_weight(ways, one), one))
        left.remove(state)
        _take_out(ways, state)
    return ways[before].get(behind)


def _weight(ways: dict[int, dict[int, Regex]], state: int) -> int:
    """The number of expressions that the elimination of a state would make."""
    n_in = sum(1 for source, targets in ways.items() if state in targets and source != state)
    return n_in * len(ways[state].keys() - {state})


def _take_out(ways: dict[int, dict[int, Regex]], state: int) -> None:
    onward = ways.pop(state)
    loop = onward.pop(state, None)
    around = EMPTY if loop is None else Repeat(loop, 0, None)
    for targets in ways.values():
        into = targets.pop(state, None)
        if into is None:
            continue
        for target, out in onward.items():
            through = sequence(into, around, out)
            targets[target] = choice(targets[target], through) if target in targets else through
            if len(rust_syntax(targets[target])) > LONGEST_EXPRESSION:
                raise RegexError("an automaton that is too large to be written down")


def sequence(*parts: Regex) -> Regex:
    """The concatenation of parts, with `a a*` as `a+`."""
    flat: list[Regex] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Sequence) else [part])
    found: list[Regex] = []
    for part in flat:
        follows = isinstance(part, Repeat) and (part.least, part.most) == (0, None)
        if follows and found and isinstance(part, Repeat) and found[-1] == part.part:
            found[-1] = Repeat(part.part, 1, None)
        else:
            found.append(part)
    return found[0] if len(found) == 1 else Sequence(tuple(found))


def choice(one: Regex, other: Regex) -> Regex:
    """The alternation of two expressions."""
    if EMPTY in (one, other):
        rest = other if one == EMPTY else one
        return rest if rest == EMPTY else Repeat(rest, 0, 1)
    options = [
        option for part in (one, other) for option in (part.options if isinstance(part, Choice) else (part,))
    ]
    return Choice(tuple(dict.fromkeys(options)))
