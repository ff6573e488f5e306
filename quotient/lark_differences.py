"""Where a grammar means something else to the engine than to Lark, found before a text is read wrongly.

Lark only tries the terminals that may come next, and takes the first one in its order that matches. The
engine takes the longest match among all terminals, and does not go back behind what has begun. All terminals
are followed at once over all texts: where two of them meet, the grammar says whether one may stand where the
other may not. What is found is about neighbouring terminals alone, so that it may name a difference that no
whole text shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from quotient.character_sets import Ranges, pieces
from quotient.lark_order import LarkTerminal
from quotient.regexes import Regex, RegexError
from quotient.terminal_automata import Accept, terminal_automaton

# Texts that terminals are followed over; what comes later is not looked at.
MOST_STATES = 3_000
# How many differences are told.
MOST_TOLD = 12

State = frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two terminals that are taken for each other, and a text on which it shows."""

    ours: str
    larks: str
    sentence: str
    # Of two terminals that never stand at the same place, the one that has no text which the other one lacks.
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Terminals:
    """All terminals that a text may have, over an alphabet that none of them tells further apart."""

    # By terminal and state: the states that letters lead to, and whether the terminal may end there.
    edges: Mapping[tuple[str, int], Mapping[int, int]]
    ends: Collection[tuple[str, int]]
    characters: list[str]
    order: list[str]
    lark: Mapping[str, LarkTerminal]
    following: Mapping[str, Collection[str]]
    ignored: Collection[str]

    def stands_without(self, one: str, other: str) -> bool:
        """Whether `one` may come somewhere where `other` may not."""
        if other in self.ignored:
            return False
        places = [after for after in self.following.values() if one in after]
        if one in self.ignored:
            places = list(self.following.values())
        return any(other not in after for after in places)

    def stand_together(self, one: str, other: str) -> bool:
        """Whether somewhere either of them may come."""
        return any({one, other} <= {*after, *self.ignored} for after in self.following.values())

    def is_first(self, one: str, other: str) -> bool:
        """Whether Lark tries `one` before `other`."""
        return one in self.lark and other in self.lark and self.lark[one].place < self.lark[other].place

    def is_part(self, one: str, others: Collection[str]) -> bool:
        """Whether all texts of `one` are texts of the other terminal as well."""
        (other,) = others
        start: tuple[int, int | None] = (0, 0)
        seen = {start}
        for mine, its in (queue := [start]):
            if (one, mine) in self.ends and (its is None or (other, its) not in self.ends):
                return False
            for letter, to in self.edges[one, mine].items():
                after = (to, None if its is None else self.edges[other, its].get(letter))
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
        return True

    def may_follow(self, one: str, letter: int) -> bool:
        """Whether a symbol that may come behind `one` begins with the letter."""
        beginners = {*self.following.get(one, ()), *self.ignored}
        if one in self.ignored:
            beginners.update(*self.following.values())
        return any(letter in self.edges.get((name, 0), {}) for name in beginners)


def differences(
    regexes: Mapping[str, Regex],
    order: Iterable[str],
    lark: Mapping[str, LarkTerminal],
    following: Mapping[str, Collection[str]],
    ignored: Collection[str],
) -> list[Difference]:
    """The pairs of terminals on which Lark and the engine differ, one text each, the shortest first."""
    terminals = _terminals(regexes, list(order), lark, following, ignored)
    start: State = frozenset((name, 0) for name in terminals.order if (name, 0) in terminals.edges)
    texts: dict[State, str] = {start: ""}
    found: dict[tuple[str, str], Difference] = {}
    for state in (queue := [start]):
        text = texts[state]
        for one in _of_one_text(terminals, state, text):
            found.setdefault((one.ours, one.larks), one)
        for letter, after in _steps(terminals, state).items():
            for one in _of_a_beginning(terminals, state, text, letter, after):
                found.setdefault((one.ours, one.larks), one)
            if after not in texts and len(texts) < MOST_STATES:
                texts[after] = text + terminals.characters[letter]
                queue.append(after)
    return list(found.values())


def _terminals(
    regexes: Mapping[str, Regex],
    order: list[str],
    lark: Mapping[str, LarkTerminal],
    following: Mapping[str, Collection[str]],
    ignored: Collection[str],
) -> Terminals:
    automata = {}
    for name, regex in regexes.items():
        try:
            automata[name] = terminal_automaton(regex)
        except RegexError:
            # Classes that only Rust knows cannot be followed here.
            continue
    found = pieces({letter for automaton in automata.values() for letter in automaton.letters})
    of_letter: dict[Ranges, list[int]] = {}
    for number, (_, holders) in enumerate(found):
        for holder in holders:
            of_letter.setdefault(holder, []).append(number)
    edges = {}
    for name, automaton in automata.items():
        for state, onward in enumerate(automaton.edges):
            edges[name, state] = {
                number: to for letter, to in onward.items() for number in of_letter[automaton.letters[letter]]
            }
    ends = {
        (name, state)
        for name, automaton in automata.items()
        for state, verdict in enumerate(automaton.verdicts)
        if isinstance(verdict, Accept)
    }
    characters = [_shown(piece) for piece, _ in found]
    return Terminals(edges, ends, characters, order, lark, following, ignored)


def _shown(piece: Ranges) -> str:
    """A character of a piece that people know, if there is one."""
    for wanted in "a0 b1xA_-":
        if any(low <= ord(wanted) <= high for low, high in piece):
            return wanted
    printable = (low for low, high in piece if chr(low).isprintable())
    return chr(next(printable, piece[0][0]))


def _steps(terminals: Terminals, state: State) -> dict[int, State]:
    found: dict[int, set[tuple[str, int]]] = {}
    for name, number in state:
        for letter, to in terminals.edges[name, number].items():
            found.setdefault(letter, set()).add((name, to))
    return {letter: frozenset(after) for letter, after in sorted(found.items())}


def _ending(terminals: Terminals, state: State) -> list[str]:
    """The terminals that may end here, in the order in which the engine takes them."""
    names = {name for name, number in state if (name, number) in terminals.ends}
    return [name for name in terminals.order if name in names]


def _of_one_text(terminals: Terminals, state: State, text: str) -> Iterator[Difference]:
    """Terminals that have the very same text."""
    ours, *others = _ending(terminals, state) or [""]
    for larks in others:
        if terminals.stands_without(larks, ours):
            sentence = f"{text!r} is always {ours}; to Lark it is {larks} where no {ours} may stand"
            parts = [one for one in (ours, larks) if terminals.is_part(one, {ours, larks} - {one})]
            is_told_apart = not terminals.stand_together(ours, larks)
            yield Difference(ours, larks, sentence, parts[0] if parts and is_told_apart else None)


def _of_a_beginning(
    terminals: Terminals, state: State, text: str, letter: int, after: State
) -> Iterator[Difference]:
    """A terminal that might end here, while a longer one goes on."""
    longer = {name for name, _ in after}
    goes_on = text + terminals.characters[letter]
    for larks in _ending(terminals, state):
        if larks in longer:
            continue
        may_follow = terminals.may_follow(larks, letter)
        for ours in sorted(longer):
            shown = f"{goes_on!r} goes on with {ours}"
            together = terminals.stand_together(larks, ours)
            if may_follow and terminals.stands_without(larks, ours):
                where = f"where no {ours} may stand"
                yield Difference(ours, larks, f"{shown}; Lark may end {larks} at {text!r} {where}")
            elif together and terminals.is_first(larks, ours):
                yield Difference(ours, larks, f"{shown}; Lark ends {larks} at {text!r}, which it tries first")
            elif may_follow and together and not after & {*terminals.ends}:
                back = f"Lark would go back to {larks} {text!r}"
                yield Difference(ours, larks, f"{shown}, even if that never ends; {back}")
