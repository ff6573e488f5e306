"""Where a grammar means something else to the engine than to Lark, found before a text is read wrongly.

Lark only tries the terminals that may come next, and takes the first one in its order that matches. The
engine takes the longest match among all terminals of a group (`contexts.py`), and does not go back
behind what has begun. All terminals are followed at once over all texts: where two of them meet, the parser's
states say whether one may stand where the other may not. What is found is about neighbouring terminals alone,
so that it may name a difference that no whole text shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from quotient.expressions.character_sets import Ranges, pieces
from quotient.expressions.regexes import Regex, RegexError
from quotient.expressions.terminal_automata import Accept, AutomatonTooLarge, Tail, terminal_automaton
from quotient.lark_meaning.contexts import Collision, PlaceGroups
from quotient.lark_meaning.order import LarkTerminal

# Texts that terminals are followed over; what comes later is not looked at.
MOST_STATES = 3_000
# How many differences are told.
MOST_TOLD = 12
ASCII = frozenset(range(0x80))

State = frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class TerminalDifference:
    """Two terminals that are taken for each other, and a text on which it shows."""

    ours: str
    larks: str
    sentence: str


class LargeTerminals(ValueError):
    """Terminals that take too long, and what is large of them."""

    def __init__(self, found: dict[str, str]) -> None:
        super().__init__(found)
        self.found = found


@dataclass(slots=True)
class Terminals:
    """All terminals that a text may have, over an alphabet that none of them tells further apart."""

    # By terminal and state: the states that letters lead to, and whether the terminal may end there.
    edges: Mapping[tuple[str, int], Mapping[int, int]]
    ends: Collection[tuple[str, int]]
    # Where a terminal has ended otherwise, because of what is behind it.
    broken: frozenset[tuple[str, int]]
    # The same where it has ended earlier instead, which its own tails say.
    cut_back: frozenset[tuple[str, int]]
    pieces: list[Ranges]
    characters: list[str]
    # The engine's order.
    order: list[str]
    lark: Mapping[str, LarkTerminal]
    following: Mapping[str, Collection[str]]
    ignored: Collection[str]
    contexts: PlaceGroups | None = None
    # The group that is read by these terminals.
    group: int | None = None
    # Lark's Earley parser goes on with every terminal that matches.
    are_all_tried: bool = False
    # Terminals that are gone back to, if one that has begun behind them does not end.
    gone_back_to: frozenset[str] = frozenset()
    # For each letter, the first bytes of its characters beyond ASCII.
    leads: list[frozenset[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.leads = [frozenset(_leads(piece)) - ASCII for piece in self.pieces]

    def may_begin_like(self, letter: int, others: Iterable[int]) -> bool:
        """Whether a character of the letter has the first byte of one of the others.

        The engine reads bytes: with this one, another terminal has begun, or the same goes on.
        """
        return any(not self.leads[letter].isdisjoint(self.leads[other]) for other in others)

    def is_mistaken(self, one: str, other: str) -> bool:
        """Whether `one` may come somewhere where `other` may not, and is tried."""
        if other in self.ignored:
            return False
        if self.contexts is not None:
            return bool(self.contexts.mistaken(one, other, self.group))
        places = [after for after in self.following.values() if one in after]
        if one in self.ignored:
            places = list(self.following.values())
        return any(other not in after for after in places)

    def stand_together(self, one: str, other: str) -> bool:
        """Whether somewhere either of them may come."""
        if self.contexts is not None:
            return self.contexts.stand_together(one, other)
        return any({one, other} <= {*after, *self.ignored} for after in self.following.values())

    def is_uncertain(self, one: str, other: str) -> bool:
        """Whether `one` is tried by Lark where in truth only `other`, which is ignored, may come."""
        is_known = self.contexts is not None and one not in self.ignored and other in self.ignored
        return is_known and self.contexts is not None and self.contexts.is_uncertain(one)

    def first_bytes(self) -> dict[str, frozenset[int]]:
        """The bytes that terminals begin with, in UTF-8."""
        found = {}
        for name in self.order:
            letters = self.edges.get((name, 0), {})
            found[name] = frozenset().union(*(_leads(self.pieces[letter]) for letter in letters))
        return found

    def is_first(self, one: str, other: str) -> bool:
        """Whether Lark tries `one` before `other`."""
        return one in self.lark and other in self.lark and self.lark[one].place < self.lark[other].place

    def is_part(self, one: str, other: str) -> bool:
        """Whether all texts of `one` are texts of the other terminal as well."""
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


# Texts, each with the terminals that it begins, and where one more letter leads.
Texts = list[tuple[str, State, dict[int, State]]]


def texts_of(terminals: Terminals) -> Texts:
    """Texts that lead to different states, the shortest first."""
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


def differences(terminals: Terminals, texts: Texts) -> list[TerminalDifference]:
    """The pairs of terminals on which Lark and the engine differ, one text each, the shortest first."""
    found: dict[tuple[str, str], TerminalDifference] = {}
    for text, state, steps in texts:
        for one in _of_one_text(terminals, state, text):
            found.setdefault((one.ours, one.larks), one)
        for letter, after in steps.items():
            for one in _of_a_beginning(terminals, state, text, letter, after):
                found.setdefault((one.ours, one.larks), one)
    return list(found.values())


def differences_in_groups(terminals: Terminals, contexts: PlaceGroups) -> list[TerminalDifference]:
    """The same where each group is read by its own terminals."""
    found: dict[tuple[str, str], TerminalDifference] = {}
    for group, names in sorted(contexts.groups().items()):
        order = [name for name in terminals.order if name in names or name in terminals.ignored]
        of_group = replace(terminals, order=order, contexts=contexts, group=group)
        for one in differences(of_group, texts_of(of_group)):
            found.setdefault((one.ours, one.larks), one)
    return list(found.values())


def collisions(terminals: Terminals, texts: Texts) -> dict[tuple[str, str], Collision]:
    """The pairs of terminals of which the first is not read as itself where the second is tried as well."""
    same: set[tuple[str, str]] = set()
    longer: set[tuple[str, str]] = set()
    for _, state, steps in texts:
        ending = _ending(terminals, state)
        same.update((other, one) for place, one in enumerate(ending) for other in ending[place + 1 :])
        for letter, after in steps.items():
            going_on = {name for name, _ in after}
            for one in ending:
                if one not in going_on and terminals.may_follow(one, letter):
                    longer.update((one, other) for other in going_on)
    return {pair: Collision(pair in same, pair in longer) for pair in sorted(same | longer)}


def met_behind_several(
    terminals: Terminals, contexts: PlaceGroups, colliding: Mapping[tuple[str, str], Collision]
) -> Iterator[TerminalDifference]:
    """Terminals of two groups that meet behind a text that is several terminals, of which one is taken.

    `fruit` may be an adjective or a noun, and `flies` a noun behind the one and a verb behind the other.
    """
    for behind in sorted(contexts.shared):
        followers = [terminals.following.get(one, ()) for one in behind]
        for pair in colliding:
            groups = [{contexts.group_of(place) for place in contexts.places_of(one)} for one in pair]
            for one, other in (pair, pair[::-1]) if groups[0].isdisjoint(groups[1]) else ():
                if one in followers[0] and other in followers[1]:
                    first, second = sorted((one, other))
                    texts = f"of {first} and {second} one is taken behind what may be {' or '.join(behind)}"
                    yield TerminalDifference(first, second, f"{texts}; Lark tries both")


def shared_places(
    terminals: Terminals,
    contexts: PlaceGroups,
    colliding: Mapping[tuple[str, str], Collision],
) -> dict[int, list[str]]:
    """By places of terminals, others that may stand there: keywords where no keyword may, and the like.

    Of two terminals the one with fewer texts is read first, wherever either of them may stand.
    """
    found: dict[int, list[str]] = {}
    for (larks, ours), collision in colliding.items():
        if not collision.has_same_text or terminals.order.index(ours) > terminals.order.index(larks):
            continue
        for part, whole in ((ours, larks), (larks, ours)):
            if not terminals.is_part(part, whole):
                continue
            is_first, are_all_tried = part == ours, terminals.are_all_tried
            is_equal = terminals.is_part(whole, part)
            places = contexts.share(part, whole, is_first, is_equal=is_equal, are_all_tried=are_all_tried)
            if places and part == larks:
                terminals.order.remove(part)
                terminals.order.insert(terminals.order.index(whole), part)
            for place in places:
                found.setdefault(place, []).append(part)
            break
    return found


def explore_terminals(
    regexes: Mapping[str, Regex],
    order: list[str],
    lark: Mapping[str, LarkTerminal],
    following: Mapping[str, Collection[str]],
    ignored: Collection[str],
) -> tuple[Terminals, Texts]:
    """All terminals, followed over all texts at once."""
    automata = {}
    large: dict[str, str] = {}
    for name, regex in regexes.items():
        try:
            automata[name] = terminal_automaton(regex)
        except AutomatonTooLarge as error:
            large[name] = str(error)
        except RegexError:
            # Classes that only Rust knows cannot be followed here.
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
    characters = [_shown(piece) for piece, _ in found]
    cut = [piece for piece, _ in found]
    terminals = Terminals(edges, ends, broken, cut_back, cut, characters, order, lark, following, ignored)
    return terminals, texts_of(terminals)


def halved_terminals(terminals: Terminals, texts: Texts) -> list[TerminalDifference]:
    """Terminals behind which a character begins like one that they would go on with."""
    found: dict[str, TerminalDifference] = {}
    for text, state, steps in texts:
        if all(not terminals.leads[letter] for letter in steps):
            continue
        ending = [one for one in _ending(terminals, state) if one not in found]
        for letter in range(len(terminals.pieces)) if ending else ():
            if letter in steps or not terminals.may_begin_like(letter, steps):
                continue
            for one in ending:
                if terminals.may_follow(one, letter):
                    shown = text + terminals.characters[letter]
                    told = f"{shown!r} may go on with another character; Lark ends {one} at {text!r}"
                    found.setdefault(one, TerminalDifference(one, one, told))
    return list(found.values())


def _leads(piece: Ranges) -> set[int]:
    """The first bytes of characters, in UTF-8."""
    return {lead for low, high in piece for lead in range(_lead(low), _lead(high) + 1)}


def _lead(code_point: int) -> int:
    return chr(code_point).encode("utf-8", "surrogatepass")[0]


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


def _of_one_text(terminals: Terminals, state: State, text: str) -> Iterator[TerminalDifference]:
    """Terminals that have the very same text."""
    ending = _ending(terminals, state)
    shared = terminals.contexts.shared if terminals.contexts is not None else ()
    for place, ours in enumerate(ending):
        for larks in ending[place + 1 :]:
            is_shared = (larks, ours) in shared
            if not is_shared and terminals.is_mistaken(larks, ours):
                sentence = f"{text!r} is always {ours}; to Lark it is {larks} where no {ours} may stand"
                yield TerminalDifference(ours, larks, sentence)
            elif terminals.contexts is not None and (larks, ours) in terminals.contexts.mixed:
                sentence = (
                    f"{text!r} may be {larks} where {ours} may stand, too; Lark takes only {ours} there"
                )
                yield TerminalDifference(larks, ours, sentence)
            elif not is_shared and terminals.are_all_tried:
                yield TerminalDifference(
                    ours, larks, f"{text!r} is always {ours}; Lark takes it for {larks}, too"
                )
            if terminals.is_uncertain(ours, larks):
                sentence = f"{text!r} may be {ours} to Lark, and wrong, where it can only be {larks}"
                yield TerminalDifference(larks, ours, sentence)


def _of_a_beginning(
    terminals: Terminals, state: State, text: str, letter: int, after: State
) -> Iterator[TerminalDifference]:
    """A terminal that might end here, while a longer one goes on."""
    longer = {name for name, _ in after}
    goes_on = text + terminals.characters[letter]
    for larks in _ending(terminals, state):
        may_follow = terminals.may_follow(larks, letter)
        is_lost = may_follow and not _is_gone_back_to(terminals, larks, after)
        if larks in longer:
            if is_lost:
                shown = f"{goes_on!r} goes on with {larks}, even if that never ends"
                yield TerminalDifference(larks, larks, f"{shown}; Lark would go back to {text!r}")
            continue
        for ours in sorted(longer):
            shown = f"{goes_on!r} goes on with {ours}"
            together = terminals.stand_together(larks, ours)
            if terminals.is_uncertain(ours, larks):
                where = f"may be {ours} to Lark, and wrong, where it can only begin with {larks}"
                yield TerminalDifference(larks, ours, f"{goes_on!r} {where}")
            if may_follow and terminals.is_mistaken(larks, ours):
                where = f"where no {ours} may stand"
                yield TerminalDifference(ours, larks, f"{shown}; Lark may end {larks} at {text!r} {where}")
            elif together and may_follow and terminals.are_all_tried:
                yield TerminalDifference(ours, larks, f"{shown}; Lark ends {larks} at {text!r}, too")
            elif together and terminals.is_first(larks, ours) and not terminals.are_all_tried:
                yield TerminalDifference(
                    ours, larks, f"{shown}; Lark ends {larks} at {text!r}, which it tries first"
                )
            elif together and is_lost:
                back = f"Lark would go back to {larks} {text!r}"
                yield TerminalDifference(ours, larks, f"{shown}, even if that never ends; {back}")


def _is_gone_back_to(terminals: Terminals, name: str, after: State) -> bool:
    """Whether a terminal is taken, if the longer ones do not end, or one of these ends at once."""
    return name in terminals.gone_back_to or not after.isdisjoint(terminals.ends)
