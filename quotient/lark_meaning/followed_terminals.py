"""All terminals of a grammar, followed at once over all texts: those that a text begins, and those that it
matches.

The letters are classes of characters that no terminal distinguishes further, so that there are few texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from quotient.expressions.character_sets import Ranges, pieces
from quotient.expressions.regexes import Regex, RegexError
from quotient.expressions.terminal_automata import Accept, AutomatonTooLarge, Tail, terminal_automaton
from quotient.lark_meaning.contexts import PlaceGroups
from quotient.lark_meaning.order import LarkTerminal

# The most texts over which terminals are followed.
MOST_STATES = 3_000
ASCII = frozenset(range(0x80))

State = frozenset[tuple[str, int]]


class LargeTerminals(ValueError):
    """Terminals that take too long; the message says which part is large."""

    def __init__(self, found: dict[str, str]) -> None:
        super().__init__(found)
        self.found = found


@dataclass(slots=True)
class Terminals:
    """The terminals over an alphabet whose letters none of them distinguishes further."""

    # The next states by letter, for each terminal and state, and the states where a terminal may end.
    edges: Mapping[tuple[str, int], Mapping[int, int]]
    ends: Collection[tuple[str, int]]
    # The states where the text behind a terminal has changed its end.
    broken: frozenset[tuple[str, int]]
    # The states where, by a terminal's own tails, it has ended earlier.
    cut_back: frozenset[tuple[str, int]]
    pieces: list[Ranges]
    characters: list[str]
    # The engine's order.
    order: list[str]
    lark: Mapping[str, LarkTerminal]
    following: Mapping[str, Collection[str]]
    ignored: Collection[str]
    contexts: PlaceGroups | None = None
    # The group of these terminals.
    group: int | None = None
    # Whether all matching terminals are tried, as in Lark's Earley parser.
    are_all_tried: bool = False
    # Terminals to which the engine goes back if one that has begun behind them does not end.
    gone_back_to: frozenset[str] = frozenset()
    # The first bytes of each letter's non-ASCII characters.
    leads: list[frozenset[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.leads = [frozenset(_leads(piece)) - ASCII for piece in self.pieces]

    def may_begin_like(self, letter: int, others: Iterable[int]) -> bool:
        """Whether a character of the letter shares its first byte with one of the others.

        The engine reads bytes, so after this byte another terminal may have begun, or the same one may go on.
        """
        return any(not self.leads[letter].isdisjoint(self.leads[other]) for other in others)

    def is_mistaken(self, one: str, other: str) -> bool:
        """Whether `one` may come at a place where `other` may not, but is tried."""
        if other in self.ignored:
            return False
        if self.contexts is not None:
            return bool(self.contexts.mistaken(one, other, self.group))
        places = [after for after in self.following.values() if one in after]
        if one in self.ignored:
            places = list(self.following.values())
        return any(other not in after for after in places)

    def stand_together(self, one: str, other: str) -> bool:
        """Whether both may come in one state."""
        if self.contexts is not None:
            return self.contexts.stand_together(one, other)
        return any({one, other} <= {*after, *self.ignored} for after in self.following.values())

    def is_uncertain(self, one: str, other: str) -> bool:
        """Whether Lark tries `one` where only `other`, which is ignored, may really come."""
        is_known = self.contexts is not None and one not in self.ignored and other in self.ignored
        return is_known and self.contexts is not None and self.contexts.is_uncertain(one)

    def first_bytes(self) -> dict[str, frozenset[int]]:
        """The first bytes of terminals, in UTF-8."""
        found = {}
        for name in self.order:
            letters = self.edges.get((name, 0), {})
            found[name] = frozenset().union(*(_leads(self.pieces[letter]) for letter in letters))
        return found

    def is_first(self, one: str, other: str) -> bool:
        """Whether Lark tries `one` before `other`."""
        return one in self.lark and other in self.lark and self.lark[one].place < self.lark[other].place

    def is_part(self, one: str, other: str) -> bool:
        """Whether all texts of `one` are also texts of `other`."""
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


# Texts, each with its state and the states after one more letter.
Texts = list[tuple[str, State, dict[int, State]]]


def texts_of(terminals: Terminals) -> Texts:
    """One text for each state, the shortest first."""
    start: State = frozenset((name, 0) for name in terminals.order if (name, 0) in terminals.edges)
    texts: dict[State, str] = {start: ""}
    found: Texts = []
    for state in (queue := [start]):
        steps = _steps(terminals, state)
        found.append((texts[state], state, steps))
        for letter, after in steps.items():
            if after not in texts and len(texts) < MOST_STATES:
                texts[after] = texts[state] + terminals.characters[letter]
                queue.append(after)
    return found


def explore_terminals(
    regexes: Mapping[str, Regex],
    order: list[str],
    lark: Mapping[str, LarkTerminal],
    following: Mapping[str, Collection[str]],
    ignored: Collection[str],
) -> tuple[Terminals, Texts]:
    """Follows all terminals over all texts at once."""
    automata = {}
    large: dict[str, str] = {}
    for name, regex in regexes.items():
        try:
            automata[name] = terminal_automaton(regex)
        except AutomatonTooLarge as error:
            large[name] = str(error)
        except RegexError:
            # Classes that only Rust has cannot be followed here.
            continue
    if large:
        raise LargeTerminals(large)
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
    broken = frozenset(
        (name, state)
        for name, automaton in automata.items()
        for state, verdict in enumerate(automaton.verdicts)
        if isinstance(verdict, Tail)
    )
    cut_back = frozenset(
        (name, state) for name, state in broken if automata[name].verdicts[state] != Tail(None)
    )
    characters = [_shown_character(piece) for piece, _ in found]
    cut = [piece for piece, _ in found]
    terminals = Terminals(edges, ends, broken, cut_back, cut, characters, order, lark, following, ignored)
    return terminals, texts_of(terminals)


def ending_terminals(terminals: Terminals, state: State) -> list[str]:
    """The terminals that may end here, in the engine's order."""
    names = {name for name, number in state if (name, number) in terminals.ends}
    return [name for name in terminals.order if name in names]


def _leads(piece: Ranges) -> set[int]:
    """The first bytes of characters, in UTF-8."""
    return {lead for low, high in piece for lead in range(_lead(low), _lead(high) + 1)}


def _lead(code_point: int) -> int:
    return chr(code_point).encode("utf-8", "surrogatepass")[0]


def _shown_character(piece: Ranges) -> str:
    """A common character of a piece, if there is one."""
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
