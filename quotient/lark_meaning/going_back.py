"""Going back when a begun terminal does not end: joint terminals stand for what Lark reads instead.

If a begun terminal does not match, Lark takes the match of a shorter one. The engine does not go back behind
a begun symbol. So the shorter terminal, together with the terminals of the following text, becomes one
additional joint terminal, which stands for all of them.

    1.x       a number, a dot and a name, although `1.` may begin a fraction

    Key idea: readers form a queue. The first one reads the begun symbol; from the last place where it could
    have ended, a second one reads the text since then, and so on. A reader that ends discards the readers
    behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache

from quotient.compiler.description import LOWEST, Terminal
from quotient.expressions.automaton_regexes import expression, least
from quotient.expressions.character_sets import union
from quotient.expressions.regexes import RegexError, n_parts, rust_syntax
from quotient.expressions.terminal_automata import Accept, Automaton
from quotient.lark_meaning.contexts import ORDINARY
from quotient.lark_meaning.followed_terminals import State, Terminals

# The most symbols of a joint terminal.
MOST_SYMBOLS = 3
# The most joint terminals with the same first symbol; with more, the engine goes back less far.
MOST_ALIKE = 40
# The most of those whose symbol goes on without end, as a comment does, since their automata multiply.
MOST_ENDLESS = 6
# The most places of readers, in one group and in all groups.
MOST_PLACES = 3_000
MOST_PLACES_IN_ALL = 12_000
# The largest automaton of a joint terminal, and its largest expression, in parts and in characters.
MOST_STATES = 100
MOST_PARTS = 500
LONGEST_PATTERN = 60_000


@dataclass(frozen=True, slots=True)
class SymbolReader:
    """A reader of one symbol."""

    # The states of the terminals that go on; empty if this reader has stopped.
    state: State
    # The terminal at the last place where it could have ended; None if there was none.
    chosen: str | None


Readers = tuple[SymbolReader, ...]
STOPPED: State = frozenset()


@dataclass(slots=True)
class GoingBack:
    """The joint terminals of one group."""

    terminals: Terminals
    # The names that terminals have in this group.
    names: Mapping[str, str]
    # The terminals that may come behind each, with their names there.
    following: Mapping[str, Mapping[str, str]]
    # The automata of joint terminals, by their symbols.
    found: dict[tuple[str, ...], Automaton] = field(default_factory=dict)
    # Terminals for which the engine does not go back in some text.
    lost: set[str] = field(default_factory=set)
    steps: Callable[[State], Mapping[int, State]] = field(init=False)

    def __post_init__(self) -> None:
        @cache
        def steps(state: State) -> Mapping[int, State]:
            found: dict[int, set[tuple[str, int]]] = {}
            for name, number in state:
                for letter, to in self.terminals.edges[name, number].items():
                    found.setdefault(letter, set()).add((name, to))
            return {letter: frozenset(after) for letter, after in found.items()}

        self.steps = steps

    def explore(self, most_places: int) -> int:
        """Follows the readers over all texts, and gives the number of places; if it is too large, all
        terminals are lost."""
        start: Readers = (SymbolReader(self._begun_state([*self.names]), None),)
        numbers: dict[Readers, int] = {start: 0}
        automaton: list[dict[int, int]] = []
        order = [start]
        for readers in order:
            edges = {}
            for letter in range(len(self.terminals.pieces)):
                after = self._after(readers, letter)
                if after is None:
                    continue
                edges[letter] = numbers.setdefault(after, len(order))
                if edges[letter] == len(order):
                    order.append(after)
            automaton.append(edges)
            if len(order) > most_places:
                self.lost.update(self.names)
                return len(order)
        symbols = [self._symbols(readers) for readers in order]
        ends: dict[tuple[str, ...], list[int]] = {}
        for number, one in enumerate(symbols):
            if one is not None:
                ends.setdefault(one, []).append(number)
        into: dict[int, set[int]] = {}
        for number, edges in enumerate(automaton):
            for to in edges.values():
                into.setdefault(to, set()).add(number)
        leading = {one: _leading_to(numbers, into) for one, numbers in ends.items()}
        endless = {}
        for one, found in leading.items():
            for place in range(len(one) - 1):
                opened = {number for number in found if _is_open(order[number], place)}
                if _has_circle(automaton, opened):
                    endless[one] = one[: place + 1]
                    break
        for one in self._kept_symbols(ends, endless):
            self.found[one] = _part(self.terminals, automaton, leading[one], {*ends[one]})
        return len(order)

    def _kept_symbols(
        self, known: Collection[tuple[str, ...]], endless: Mapping[tuple[str, ...], tuple[str, ...]]
    ) -> list[tuple[str, ...]]:
        """The symbols of the joint terminals that are kept: without those that multiply behind a symbol that
        goes on without end."""
        n_alike = Counter((begin, len(one)) for one, begin in endless.items())
        kept = [
            one
            for one in known
            if one not in endless
            or sum(n_alike[endless[one], length] for length in range(2, len(one) + 1)) <= MOST_ENDLESS
        ]
        n_begun = Counter((one[0], len(one)) for one in kept)
        kept = [
            one
            for one in kept
            if sum(n_begun[one[0], length] for length in range(2, len(one) + 1)) <= MOST_ALIKE
        ]
        self.lost.update(one[0] for one in {*known} - {*kept})
        return kept

    def _begun_state(self, names: Collection[str]) -> State:
        known = {*names, *self.terminals.ignored}
        return frozenset((name, 0) for name in known if (name, 0) in self.terminals.edges)

    def _after(self, readers: Readers, letter: int) -> Readers | None:
        """The readers after one more letter; None if no joint terminal continues with it."""
        found: list[SymbolReader] = []
        is_forbidden = False
        # The first byte of a longer character may let a terminal go on.
        is_halved = self.terminals.may_begin_like(letter, self.steps(readers[-1].state))
        for reader in readers:
            after = self.steps(reader.state).get(letter, STOPPED) if reader.state else STOPPED
            chosen = reader.chosen
            if broken := after & self.terminals.broken:
                # The text behind forbids a terminal, so another one with the same text is taken.
                is_forbidden = True
                chosen = self._chosen(reader.state, {name for name, _ in broken})
                if chosen is None or broken & self.terminals.cut_back:
                    if not found:
                        # The terminal's own tails apply instead.
                        return None
                    self.lost.add(found[0].chosen or reader.chosen or "")
                    found.append(SymbolReader(STOPPED, None))
                    break
                after -= broken
            ending = self._chosen(after)
            found.append(SymbolReader(after, ending or chosen))
            if ending is not None:
                return tuple(found)
        if not is_halved and not is_forbidden and not any(reader.state for reader in found):
            return None
        if found[-1].chosen is not None:
            after = self.steps(self._begun_state(self._names_behind(found))).get(letter, STOPPED)
            if after and len(found) == MOST_SYMBOLS:
                # A text of so many symbols is lost, unless a reader in front goes on.
                self.lost.add(found[0].chosen or found[-1].chosen)
                after = STOPPED
            found.append(SymbolReader(after, self._chosen(after)))
        return tuple(found)

    def _names_behind(self, readers: list[SymbolReader]) -> Mapping[str, str]:
        """The terminals that may come behind those that the readers chose."""
        names = self.names
        for reader in readers:
            if reader.chosen is not None and reader.chosen not in self.terminals.ignored:
                names = self.following.get(names[reader.chosen], {})
        return names

    def _chosen(self, state: State, forbidden: Collection[str] = ()) -> str | None:
        ending = {name for name, number in state if (name, number) in self.terminals.ends}
        names = ending.difference(forbidden)
        return min(names, key=self.terminals.order.index) if names else None

    def _symbols(self, readers: Readers) -> tuple[str, ...] | None:
        """The symbols of a joint terminal that ends here, with blanks and comments."""
        if len(readers) < 2 or any(reader.chosen is None for reader in readers):
            return None
        found: list[str] = []
        for number, reader in enumerate(readers):
            name = reader.chosen
            assert name is not None
            known = name if name in self.terminals.ignored else self._names_behind([*readers[:number]])[name]
            found.append(known)
        return tuple(found)


def _leading_to(ends: Collection[int], into: Mapping[int, set[int]]) -> set[int]:
    """The states that lead to some of these."""
    leading = {*ends}
    todo = [*ends]
    while todo:
        fresh = into.get(todo.pop(), set()) - leading
        leading |= fresh
        todo.extend(fresh)
    return leading


def _is_open(readers: Readers, place: int) -> bool:
    """Whether this reader goes on while others read behind it."""
    return place < len(readers) - 1 and bool(readers[place].state)


def _has_circle(edges: list[dict[int, int]], states: set[int]) -> bool:
    """Whether these states have a cycle."""
    left = states
    while left:
        after = {state for state in left if not left.isdisjoint(edges[state].values())}
        if after == left:
            return True
        left = after
    return False


def _part(
    terminals: Terminals, edges: list[dict[int, int]], leading: Collection[int], ends: Collection[int]
) -> Automaton:
    """The part of an automaton with these states."""
    numbers = {state: number for number, state in enumerate(sorted(leading))}
    onward = [
        {letter: numbers[to] for letter, to in edges[state].items() if to in numbers} for state in numbers
    ]
    # Letters that are not distinguished here become one.
    alike: dict[tuple[int | None, ...], list[int]] = {}
    for letter in range(len(terminals.pieces)):
        alike.setdefault(tuple(one.get(letter) for one in onward), []).append(letter)
    kept = [letters for column, letters in alike.items() if any(to is not None for to in column)]
    found = Automaton([union(terminals.pieces[letter] for letter in letters) for letters in kept])
    for state, one in zip(numbers, onward, strict=True):
        found.edges.append({n: one[letters[0]] for n, letters in enumerate(kept) if letters[0] in one})
        found.verdicts.append(Accept() if state in ends else None)
    return found


def joint_terminals(
    groups: Mapping[int, GoingBack], standing: Collection[Collection[str]], ignored: Collection[str]
) -> dict[int, list[Terminal]]:
    """The joint terminals of groups; one that stands for nothing is ignored.

    `standing` has the terminals that may come in each state of the parser.
    """
    blank_led = {number: _behind_blanks(group, ignored) for number, group in groups.items()}
    # A blank cannot begin joint terminals in two groups at once.
    is_clear = all(
        sum(not names.isdisjoint(here) for names in blank_led.values()) < 2
        for here in map(frozenset, standing)
    )
    found: dict[int, list[Terminal]] = {}
    for number, group in groups.items():
        for symbols, automaton in group.found.items():
            told = [one for one in symbols if one not in ignored]
            is_blank_led = symbols[0] in ignored and bool(told)
            if is_blank_led and told[0] not in blank_led[number]:
                continue
            if not told and number != ORDINARY:
                continue
            pattern = _pattern(automaton) if is_clear or not is_blank_led else None
            if pattern is None:
                group.lost.add(symbols[0])
                continue
            joint = Terminal(name="+".join(symbols), kind="regex", pattern=pattern, priority=LOWEST + 1)
            if told:
                joint["emits"] = told
            found.setdefault(number, []).append(joint)
    return found


def _behind_blanks(group: GoingBack, ignored: Collection[str]) -> frozenset[str]:
    """The first terminals of the group's joint terminals, without blanks."""
    led = ([one for one in symbols if one not in ignored] for symbols in group.found if symbols[0] in ignored)
    own = {*group.names.values()}
    return frozenset(told[0] for told in led if told and told[0] in own)


def _pattern(automaton: Automaton) -> str | None:
    """An automaton as an expression, unless it is too long."""
    smallest = least(automaton)
    if len(smallest.edges) > MOST_STATES:
        return None
    try:
        regex = expression(smallest, Accept())
    except RegexError:
        return None
    if regex is None or n_parts(regex) > MOST_PARTS:
        return None
    pattern = rust_syntax(regex)
    return pattern if len(pattern) <= LONGEST_PATTERN else None
