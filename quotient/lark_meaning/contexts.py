"""Lark's contextual lexer: in each state of the parser only the terminals that may come next are tried.

Key idea: the places in the rules are grouped, not the states. If a text would be read as a terminal that may
not come next, the places of the terminals that may are put into a group: each of these terminals becomes a
copy that the engine reads only where the parser can take one of the group (`@contextual`). In no state may
two groups begin with the same byte, so places that occur together in a state stay together. A terminal whose
texts all belong to another one, as a keyword is a name, needs no group: it is also allowed at the other's
places.

    "a ${b("c")} d"      inside a string everything is text; outside there are names, blanks, brackets
    a.if                 `if` cannot be a keyword behind the dot, so it is a name
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from quotient.compiler.rules import Body, choice, replace_symbols, symbols
from quotient.lark_meaning.lr_states import (
    Grammar,
    Place,
    Places,
    State,
    TooManyStates,
    bits,
    grammar_of,
    places_of_states,
    places_together,
)

# A grammar with more groups is read with fewer contexts.
MOST_GROUPS = 100
ORDINARY = 0


@dataclass(frozen=True, slots=True)
class Collision:
    """A collision: one terminal may come where another one may not, but the other is tried as well."""

    # The other one has the same text, and is read first.
    has_same_text: bool
    # The other one goes on where the first one ends, with a character that may also follow the first one.
    goes_on: bool


@dataclass(slots=True)
class PlaceGroups:
    """The places that occur together in states, and each place's group."""

    grammar: Grammar
    states: list[State]
    # Whether these are the states of an LALR parser, and not a coarser approximation.
    is_exact: bool
    ignored: frozenset[str]
    first_bytes: Mapping[str, frozenset[int]]
    group: dict[Place, int] = field(default_factory=dict)
    # Pairs of terminals: the one read first may also stand at some places of the other one.
    shared: set[tuple[str, str]] = field(default_factory=set)
    # Pairs that are read as either at a place where Lark takes only the first.
    mixed: set[tuple[str, str]] = field(default_factory=set)
    _standing: list[dict[str, Places]] = field(default_factory=list)
    _beside: list[Places] = field(default_factory=list)
    # The states in which each terminal may come, as bits, since many keywords make many pairs.
    _states_of: dict[str, int] = field(default_factory=dict)
    # The states in which any terminal may come.
    _open_states: int = 0

    @staticmethod
    def of(
        bodies: Mapping[str, Body],
        start: str,
        ignored: Iterable[str],
        first_bytes: Mapping[str, frozenset[int]],
        may_be_coarse: bool = True,
    ) -> PlaceGroups:
        """The groups with all places in one. Raises TooManyStates."""
        grammar = grammar_of(bodies)
        try:
            states, is_exact = places_of_states(grammar, start), True
        except TooManyStates:
            if not may_be_coarse:
                raise
            states = [State(places, frozenset()) for places in places_together(grammar, start)]
            is_exact = False
        found = PlaceGroups(grammar, states, is_exact, frozenset(ignored), first_bytes)
        for state in states:
            standing: dict[str, Places] = {}
            for place in bits(state.places):
                symbol = grammar.symbols[place]
                standing[symbol] = standing.get(symbol, 0) | 1 << place
            for symbol in standing:
                found._states_of[symbol] = found._states_of.get(symbol, 0) | 1 << len(found._standing)
                found._open_states |= 1 << len(found._standing)
            found._standing.append(standing)
        found._beside = found._stand_beside()
        return found

    def group_of(self, place: Place) -> int:
        return self.group.get(place, ORDINARY)

    def stand_together(self, one: str, other: str) -> bool:
        """Whether both may come in one state."""
        return bool(self._states_with(one) & self._states_with(other))

    def is_always_beside(self, one: str, other: str) -> bool:
        """Whether `one` is known to be tried wherever `other` is."""
        if one in self.ignored:
            return True
        if not self.is_exact:
            return False
        return not self._states_with(other) & self._open_states & ~self._states_of.get(one, 0)

    def _states_with(self, symbol: str) -> int:
        every = (1 << len(self._standing)) - 1
        return every if symbol in self.ignored else self._states_of.get(symbol, 0)

    def standing_names(self) -> list[set[str]]:
        """The terminals of each state, by their names in the groups."""
        names = self.names()
        return [
            {names[symbol, self.group_of(next(bits(places)))] for symbol, places in standing.items()}
            for standing in self._standing
        ]

    def groups(self) -> dict[int, set[str]]:
        """The groups with their terminals."""
        found: dict[int, set[str]] = {ORDINARY: set()}
        for place, symbol in enumerate(self.grammar.symbols):
            if self.grammar.is_terminal(place):
                found.setdefault(self.group_of(place), set()).add(symbol)
        return found

    def mistaken(self, one: str, other: str, group: int | None = None) -> list[int]:
        """The states in which `one` may come and `other` may not, but is tried; optionally in one group."""
        if other in self.ignored:
            return []
        common = self._bytes(one) & self._bytes(other)
        groups = {self.group_of(place) for place in self.places_of(other)}
        groups &= groups if group is None else {group}
        found = []
        for number, standing in enumerate(self._standing):
            if other in standing or not (one in standing or one in self.ignored):
                continue
            if one in standing:
                readers = {self.group_of(next(bits(standing[one])))}
            else:
                readers = self._readers(standing, common)
            if readers & groups:
                found.append(number)
        return found

    def is_uncertain(self, one: str) -> bool:
        """Whether Lark tries `one` at a place where it can only be wrong, and the engine does not."""
        return any(
            one in state.uncertain and self.group_of(next(bits(standing[one]))) != ORDINARY
            for state, standing in zip(self.states, self._standing, strict=True)
        )

    def places_of(self, symbol: str) -> list[Place]:
        return [place for place, known in enumerate(self.grammar.symbols) if known == symbol]

    def _bytes(self, symbol: str) -> frozenset[int]:
        return self.first_bytes.get(symbol, frozenset())

    def _readers(self, standing: Mapping[str, Places], common: frozenset[int]) -> set[int]:
        """The groups that read an ignored terminal which begins with one of these bytes."""
        found = set()
        rest = set(common)
        for symbol, places in standing.items():
            shared = self._bytes(symbol) & common
            group = self.group_of(next(bits(places)))
            if shared and group != ORDINARY:
                found.add(group)
                rest -= shared
        return found | ({ORDINARY} if rest else set())

    def ambiguous(self, groups: Iterable[Iterable[str]]) -> list[tuple[str, str]]:
        """Pairs of a group's terminal and another one that may come at the same place and begin alike.

        Only terminals that may truly come next count, so each pair is a fault of the grammar. Grammars that
        no LALR parser reads may have more.
        """
        assert self.is_exact, "which of them stand together, only the states of a parser say"
        found: dict[tuple[str, str], None] = {}
        group_of = {name: number for number, group in enumerate(groups) for name in group}
        for state, standing in zip(self.states, self._standing, strict=True):
            known = [symbol for symbol in standing if symbol not in state.uncertain]
            for one in known:
                for other in known if one in group_of else ():
                    is_other_group = group_of.get(other) != group_of[one]
                    if is_other_group and not self._bytes(one).isdisjoint(self._bytes(other)):
                        found[one, other] = None
        return list(found)

    # Groups.

    def make_groups(self, collisions: Mapping[tuple[str, str], Collision]) -> None:
        """Separates places into groups, as long as that helps."""
        while len(set(self.group.values())) < MOST_GROUPS:
            mistaken = self.all_mistaken(collisions)
            if not mistaken or not self._add_group(mistaken, len(set(self.group.values())) + 1):
                return

    def all_mistaken(self, collisions: Mapping[tuple[str, str], Collision]) -> list[tuple[str, str, int]]:
        """The pairs of which the first is mistaken for the second, each with a state."""
        told_apart = self.shared | {(part, whole) for whole, part in self.shared}
        harmful = [
            pair
            for pair, one in collisions.items()
            if one.goes_on or (one.has_same_text and pair not in told_apart)
        ]
        return [(one, other, state) for one, other in harmful for state in self.mistaken(one, other)]

    def _add_group(self, mistaken: list[tuple[str, str, int]], fresh: int) -> bool:
        """Moves the places to a new group that leave the fewest mistakes."""
        by_other = Counter(other for _, other, _ in mistaken)
        by_one = Counter(one for one, _, _ in mistaken)
        seeds = [sum(1 << place for place in self.places_of(other)) for other, _ in by_other.most_common(4)]
        for one, _ in by_one.most_common(4):
            states = {state for known, _, state in mistaken if known == one}
            seed = 0
            for state in states:
                seed |= self._standing[state].get(one, 0)
            seeds.append(seed)
        best: tuple[int, dict[Place, int]] | None = None
        before = dict(self.group)
        for seed in dict.fromkeys(seeds):
            if not seed:
                continue
            moved = self._closed_places(seed)
            self.group = before | dict.fromkeys(bits(moved), fresh)
            pairs = {(one, other) for one, other, _ in mistaken}
            n_left = sum(len(self.mistaken(one, other)) for one, other in pairs)
            if n_left < len(mistaken) and (best is None or n_left < best[0]):
                best = (n_left, self.group)
        self.group = best[1] if best else before
        return best is not None

    def _closed_places(self, places: Places) -> Places:
        """The places, with all others that occur in a state with one of them and begin alike."""
        todo = places
        while todo:
            place = next(bits(todo))
            todo ^= 1 << place
            fresh = self._beside[place] & ~places
            todo |= fresh
            places |= fresh
        return places

    def _stand_beside(self) -> list[Places]:
        """For each place, those that occur with it in a state and begin with the same byte."""
        leads: dict[int, Places] = {}
        for place, symbol in enumerate(self.grammar.symbols):
            for byte in self._bytes(symbol):
                leads[byte] = leads.get(byte, 0) | 1 << place
        alike = dict.fromkeys(self.grammar.symbols, 0)
        for symbol in alike:
            for byte in self._bytes(symbol):
                alike[symbol] |= leads[byte]
        found = [0] * len(self.grammar.symbols)
        for state in self.states:
            for place in bits(state.places):
                found[place] |= state.places
        return [places & alike[symbol] for places, symbol in zip(found, self.grammar.symbols, strict=True)]

    # Sharing.

    def share(
        self, part: str, whole: str, is_first: bool, *, is_equal: bool = False, are_all_tried: bool = False
    ) -> list[Place]:
        """The places of `whole` at which `part`, whose texts are all texts of `whole`, may stand as well.

        None if Lark reads the text as `whole` where both may come, which `is_first` decides. An Earley parser
        tries both. If the same place stands beside `part` elsewhere, both are read if they have the same
        texts; a keyword that is also a name stays a keyword.
        """
        if are_all_tried:
            self.shared.add((whole, part))
            return self.places_of(whole)
        places: Places = 0
        for standing in self._standing:
            if whole not in standing:
                continue
            if part in standing:
                if not is_first:
                    return []
                continue
            places |= standing[whole]
        is_mixed = any(part in standing and standing.get(whole, 0) & places for standing in self._standing)
        if not places or (is_mixed and not is_equal):
            return []
        self.shared.add((whole, part))
        if is_mixed:
            self.mixed.add((whole, part))
        return list(bits(places))

    # The results.

    def names(self) -> dict[tuple[str, int], str]:
        """The names of the terminals in the groups: a terminal keeps its name in its first group."""
        found: dict[tuple[str, int], str] = {}
        for place, symbol in enumerate(self.grammar.symbols):
            if not self.grammar.is_terminal(place):
                continue
            key = (symbol, self.group_of(place))
            n_known = sum(known == symbol for known, _ in found)
            found.setdefault(key, f"{symbol}@{n_known}" if n_known else symbol)
        return found


def with_leaves_written_in(bodies: Mapping[str, Body], start: str) -> dict[str, Body]:
    """The rules with choices of terminals written into their users, which have different neighbours."""
    leaves = {
        name: body
        for name, body in bodies.items()
        if name != start
        and (isinstance(body, str) or ("alt" in body and all(isinstance(one, str) for one in body["alt"])))
        and not any(symbol in bodies for symbol in symbols(body))
    }
    rest = {name: body for name, body in bodies.items() if name not in leaves}
    return {name: replace_symbols(body, leaves) for name, body in rest.items()}


def rewritten(bodies: Mapping[str, Body], at: Callable[[Place, str], Body]) -> dict[str, Body]:
    """The bodies with symbols replaced by place; places are counted as in `lr_states`."""
    counter = iter(range(1 << 62))

    def other(body: Body) -> Body:
        if isinstance(body, str):
            return at(next(counter), body)
        if "seq" in body:
            return {"seq": [other(part) for part in body["seq"]]}
        if "alt" in body:
            return choice([other(option) for option in body["alt"]])
        if "opt" in body:
            return {"opt": other(body["opt"])}
        if "star" in body:
            return {"star": other(body["star"])}
        return {"plus": other(body["plus"])}

    return {name: other(body) for name, body in bodies.items()}
