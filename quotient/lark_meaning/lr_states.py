"""The states of an LALR parser, and the places in a grammar's rules that may come next in each.

Key idea: bodies are regular expressions, so the parser's items are places of symbols in them (Glushkov's
positions), and a state is the set of places that may have been read last. Where a rule may end, the next
places are computed as in LALR(1) (DeRemer and Pennello's Follow sets), with places instead of terminals. Sets
of places are bits of integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from quotient.compiler.rules import Body

Place = int
Places = int

# The most symbols in rules for which places are computed.
MOST_SYMBOLS = 20_000
# The most places of all states together (below a second); a grammar with more is approximated.
MOST_PLACES = 100_000
# The most places of the approximation (two seconds); with more, nothing is known about the next terminals.
MOST_PLACES_TOGETHER = 1_000_000


class TooManyStates(ValueError):
    """A grammar with too many states."""


@dataclass(slots=True)
class BodyPart:
    """A body or a part of one: its first and last places, and whether it may be empty."""

    first: Places = 0
    last: Places = 0
    is_nullable: bool = False


@dataclass(slots=True)
class Grammar:
    """The places of symbols in the rules, in order."""

    symbols: list[str] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    behind: list[Places] = field(default_factory=list)
    rules: dict[str, BodyPart] = field(default_factory=dict)

    def is_terminal(self, place: Place) -> bool:
        return self.symbols[place] not in self.rules


def bits(places: Places) -> Iterator[Place]:
    """The places of a set.

    It goes through a text, since each removal of a bit from a large number would cost its length.
    """
    digits = bin(places)[:1:-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


def grammar_of(bodies: Mapping[str, Body]) -> Grammar:
    """The places of all bodies."""
    nullable = nullable_rules(bodies)
    grammar = Grammar(rules={name: BodyPart() for name in bodies})
    for name, body in bodies.items():
        grammar.rules[name] = _part(grammar, name, body, nullable)
    return grammar


def nullable_rules(bodies: Mapping[str, Body]) -> set[str]:
    """The rules that may be empty."""
    nullable: set[str] = set()
    while found := {name for name, body in bodies.items() if is_nullable(body, nullable)} - nullable:
        nullable |= found
    return nullable


def is_nullable(body: Body, nullable: set[str]) -> bool:
    """Whether a body may be empty, if these rules may."""
    if isinstance(body, str):
        return body in nullable
    if "seq" in body:
        return all(is_nullable(part, nullable) for part in body["seq"])
    if "alt" in body:
        return any(is_nullable(option, nullable) for option in body["alt"])
    return "plus" not in body or is_nullable(body["plus"], nullable)


def _part(grammar: Grammar, owner: str, body: Body, nullable: set[str]) -> BodyPart:
    if isinstance(body, str):
        grammar.symbols.append(body)
        grammar.owners.append(owner)
        grammar.behind.append(0)
        here = 1 << len(grammar.symbols) - 1
        return BodyPart(here, here, body in nullable)
    if "seq" in body:
        whole = BodyPart(is_nullable=True)
        for one in body["seq"]:
            part = _part(grammar, owner, one, nullable)
            _join(grammar, whole.last, part.first)
            whole = BodyPart(
                whole.first | (part.first if whole.is_nullable else 0),
                part.last | (whole.last if part.is_nullable else 0),
                whole.is_nullable and part.is_nullable,
            )
        return whole
    if "alt" in body:
        whole = BodyPart()
        for one in body["alt"]:
            part = _part(grammar, owner, one, nullable)
            is_nullable = whole.is_nullable or part.is_nullable
            whole = BodyPart(whole.first | part.first, whole.last | part.last, is_nullable)
        return whole
    if "opt" in body:
        part = _part(grammar, owner, body["opt"], nullable)
        return BodyPart(part.first, part.last, True)
    inner = _part(grammar, owner, body["star"] if "star" in body else body["plus"], nullable)
    _join(grammar, inner.last, inner.first)
    return BodyPart(inner.first, inner.last, "star" in body or inner.is_nullable)


def _join(grammar: Grammar, last: Places, first: Places) -> None:
    for place in bits(last):
        grammar.behind[place] |= first


def places_together(grammar: Grammar, start: str) -> list[Places]:
    """The places of terminals that any parser may take next behind the same symbol.

    After a symbol, all of its places are possible, and if a rule ends there, everything that may follow the
    rule anywhere. This is a coarse approximation that holds for every parser, even for ambiguous grammars.
    Raises TooManyStates.
    """
    if len(grammar.symbols) > MOST_SYMBOLS:
        raise TooManyStates(f"more than {MOST_SYMBOLS} symbols in all rules")
    opened = _opening_places(grammar)
    follow = dict.fromkeys(grammar.rules, 0)
    is_changed = True
    while is_changed:
        is_changed = False
        for place, symbol in enumerate(grammar.symbols):
            if symbol in follow:
                found = follow[symbol] | _open(grammar, opened, grammar.behind[place])
                owner = grammar.owners[place]
                found |= follow[owner] if grammar.rules[owner].last >> place & 1 else 0
                is_changed |= found != follow[symbol]
                follow[symbol] = found
    behind = []
    for place, places in enumerate(grammar.behind):
        owner = grammar.owners[place]
        ended = follow[owner] if grammar.rules[owner].last >> place & 1 else 0
        behind.append(_open(grammar, opened, places) | ended)
    terminals = _terminals(grammar)
    found = _open(grammar, opened, grammar.rules[start].first) & terminals
    known = {found: None}
    n_places = 0
    for places in (queue := [found]):
        n_places += places.bit_count()
        if n_places > MOST_PLACES_TOGETHER:
            raise TooManyStates(f"more than {MOST_PLACES_TOGETHER} places behind all symbols")
        by_symbol: dict[str, Places] = {}
        for place in bits(places):
            symbol = grammar.symbols[place]
            by_symbol[symbol] = by_symbol.get(symbol, 0) | behind[place] & terminals
        for after in by_symbol.values():
            if after not in known:
                known[after] = None
                queue.append(after)
    return list(known)


def _terminals(grammar: Grammar) -> Places:
    return sum(1 << place for place in range(len(grammar.symbols)) if grammar.is_terminal(place))


def _opening_places(grammar: Grammar) -> dict[str, Places]:
    """The places with which each rule may begin, including those of rules at the beginning."""
    opened = {name: part.first for name, part in grammar.rules.items()}
    is_changed = True
    while is_changed:
        is_changed = False
        for name, places in opened.items():
            found = _open(grammar, opened, places)
            if found != places:
                opened[name] = found
                is_changed = True
    return opened


def _open(grammar: Grammar, opened: Mapping[str, Places], places: Places) -> Places:
    """The places, and those with which the rules among them may begin."""
    found = places
    for place in bits(places):
        found |= opened.get(grammar.symbols[place], 0)
    return found


@dataclass(frozen=True, slots=True)
class State:
    """A state of the parser, with its terminals."""

    # The places of terminals that may come next.
    places: Places
    # Terminals that it accepts although they cannot come behind some texts that lead to it.
    uncertain: frozenset[str]
    # Rules that may end in front of a terminal with which something also goes on.
    unended: frozenset[tuple[str, str]] = frozenset()


def places_of_states(grammar: Grammar, start: str) -> list[State]:
    """The states of an LALR(1) parser. Raises TooManyStates."""
    states = _States(grammar, start)
    terminals = _terminals(grammar)
    follow = states.follow()
    certain = states.certain(follow)
    found: dict[State, None] = {}
    for number, kernel in enumerate(states.kernels):
        accepted = known = onward = states.next[number] & terminals
        ended: dict[str, Places] = {}
        for place in bits(kernel):
            owner = grammar.owners[place]
            if grammar.rules[owner].last >> place & 1:
                always = terminals
                for origin in states.origins[number][place]:
                    behind = follow[origin, owner] & terminals
                    accepted |= behind
                    ended[owner] = ended.get(owner, 0) | behind
                    always &= certain[origin, owner]
                known |= always
        is_certain = not accepted & ~known
        uncertain = (
            frozenset() if is_certain else _symbol_names(grammar, accepted) - _symbol_names(grammar, known)
        )
        found[State(accepted, uncertain, _unended_rules(grammar, ended, onward))] = None
    return list(found)


def _unended_rules(
    grammar: Grammar, ended: Mapping[str, Places], onward: Places
) -> frozenset[tuple[str, str]]:
    """Rules that may end in a state, with the terminals that may come whether they end or not."""
    names = _symbol_names(grammar, onward) if ended else frozenset[str]()
    # In most states the rules only end, or only go on.
    every = ended.items() if names else ()
    return frozenset(
        (owner, one) for owner, behind in every for one in names & _symbol_names(grammar, behind)
    )


def _symbol_names(grammar: Grammar, places: Places) -> frozenset[str]:
    return frozenset(grammar.symbols[place] for place in bits(places))


class _States:
    """The parser's states: the last places, and the next places with rules opened."""

    def __init__(self, grammar: Grammar, start: str) -> None:
        self.grammar = grammar
        self.start = start
        self.opened = _opening_places(grammar)
        self.kernels: list[Places] = [0]
        self.next: list[Places] = [_open(grammar, self.opened, grammar.rules[start].first)]
        self.edges: list[dict[str, int]] = []
        index: dict[Places, int] = {}
        n_places = 0
        while len(self.edges) < len(self.kernels):
            by_symbol: dict[str, Places] = {}
            for place in bits(self.next[len(self.edges)]):
                symbol = grammar.symbols[place]
                by_symbol[symbol] = by_symbol.get(symbol, 0) | 1 << place
            edges = {}
            for symbol, kernel in by_symbol.items():
                if kernel not in index:
                    index[kernel] = len(self.kernels)
                    self.kernels.append(kernel)
                    behind = 0
                    for place in bits(kernel):
                        behind |= grammar.behind[place]
                    self.next.append(_open(grammar, self.opened, behind))
                edges[symbol] = index[kernel]
            self.edges.append(edges)
            n_places += self.next[len(self.edges) - 1].bit_count()
            if n_places > MOST_PLACES:
                raise TooManyStates(f"more than {MOST_PLACES} places in all states")
        self.origins = self._origins()

    def _sources(self, state: int, place: Place) -> tuple[bool, list[Place]]:
        """Whether a place may begin its rule here, and the places that it may follow here."""
        grammar = self.grammar
        owner = grammar.owners[place]
        is_begun = owner in self.edges[state] or (state == 0 and owner == self.start)
        begins = is_begun and bool(grammar.rules[owner].first >> place & 1)
        return begins, [one for one in bits(self.kernels[state]) if grammar.behind[one] >> place & 1]

    def _origins(self) -> list[dict[Place, set[int]]]:
        """The states in which a place's rule began, for each state and last place."""
        origins: list[dict[Place, set[int]]] = [
            {place: set() for place in bits(kernel)} for kernel in self.kernels
        ]
        passed: dict[tuple[int, Place], list[tuple[int, Place]]] = {}
        todo: list[tuple[int, Place]] = []
        for state, edges in enumerate(self.edges):
            for symbol, after in edges.items():
                for place in bits(self.next[state] & self.kernels[after]):
                    if self.grammar.symbols[place] != symbol:
                        continue
                    begins, in_front = self._sources(state, place)
                    if begins:
                        origins[after][place].add(state)
                        todo.append((after, place))
                    for one in in_front:
                        passed.setdefault((state, one), []).append((after, place))
        while todo:
            state, place = todo.pop()
            known = origins[state][place]
            for after, behind in passed.get((state, place), ()):
                target = origins[after][behind]
                if not known <= target:
                    target |= known
                    todo.append((after, behind))
        return origins

    def follow(self) -> dict[tuple[int, str], Places]:
        """The places that may follow each rule that begins in a state."""
        found: dict[tuple[int, str], Places] = {(0, self.start): 0}
        told_to: dict[tuple[int, str], set[tuple[int, str]]] = {}
        for key, behind, around in self._begun_rules():
            found[key] = found.get(key, 0) | behind
            for origin in around:
                told_to.setdefault(origin, set()).add(key)
        todo = list(told_to)
        while todo:
            key = todo.pop()
            for other in told_to.get(key, ()):
                if found[key] & ~found[other]:
                    found[other] |= found[key]
                    todo.append(other)
        return found

    def certain(self, follow: Mapping[tuple[int, str], Places]) -> dict[tuple[int, str], Places]:
        """The places that may follow every text that leads to a state, for each state and rule."""
        found = dict(follow)
        begun = list(self._begun_rules())
        is_changed = True
        while is_changed:
            is_changed = False
            known: dict[tuple[int, str], Places] = {(0, self.start): 0}
            for key, behind, around in begun:
                always = -1 if around else 0
                for origin in around:
                    always &= found[origin]
                known[key] = known.get(key, 0) | behind | always
            is_changed = known != found
            found = known
        return found

    def _begun_rules(self) -> Iterator[tuple[tuple[int, str], Places, set[tuple[int, str]]]]:
        """The rules that begin in a state, once for each place there: the places behind it in the same rule
        and, if it may end a rule, that rule and the states in which it began."""
        grammar = self.grammar
        for state, places in enumerate(self.next):
            for place in bits(places):
                symbol = grammar.symbols[place]
                if symbol not in grammar.rules:
                    continue
                around: set[tuple[int, str]] = set()
                owner = grammar.owners[place]
                if grammar.rules[owner].last >> place & 1:
                    begins, in_front = self._sources(state, place)
                    origins = {state} if begins else set()
                    origins.update(*(self.origins[state][one] for one in in_front))
                    around = {(origin, owner) for origin in origins}
                yield (state, symbol), _open(grammar, self.opened, grammar.behind[place]), around
