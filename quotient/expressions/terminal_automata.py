r"""Terminals with look-around, laziness or `\b` as automata with the meaning of a backtracking matcher.

Key idea: all ways of a backtracking matcher are followed at once, in the order of its tries. When one of them
ends, those behind it in the order are dropped. So the automaton accepts for the last time where the matcher
would have stopped, and an engine that takes the longest match finds this place. A look-ahead is a promise
that the following ways carry; later characters keep it, or break it together with the way. A look-behind asks
a second automaton that has read the same characters.

A promise at the end of a terminal concerns the text behind it. If one character decides it, the terminal with
that character is a terminal of its own (`Tail`): an error, since nothing mentions it, or, if the matcher
would have stopped earlier, the shorter terminal and a second one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from quotient.expressions.character_sets import Ranges, pieces, ranges
from quotient.expressions.looks_behind import LooksBehind
from quotient.expressions.regex_programs import (
    MATCH,
    Ahead,
    Character,
    Lookbehind,
    Program,
    Split,
    WordEdge,
    program,
)
from quotient.expressions.regexes import Regex, RegexError

MOST_STATES = 2_000
# The most characters by which a matcher goes back to the end of a shorter match.
LONGEST_REMAINDER = 3
TOO_FAR = "look-ahead of more than one character behind its end"


class AutomatonTooLarge(RegexError):
    """An expression whose automaton has too many states."""


Letter = int
# A node of a look-ahead, with the letters that may come next; None: any, and the end of the text.
Seen = tuple[int, frozenset[Letter] | None]
# The number of a look-ahead, whether it is negative, and its present nodes.
Promise = tuple[int, bool, frozenset[Seen]]
Promises = frozenset[Promise]
# The end of the text, among the letters that may come next.
END: Letter = -1


@dataclass(frozen=True, slots=True)
class Matcher:
    """A matcher at a node of the program, or one that has ended if its promises are kept."""

    node: int
    promises: Promises
    # The letters read since its end, as far as they matter.
    since: tuple[Letter, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchersBehind:
    """The matchers behind a text, in order."""

    ways: tuple[Matcher, ...]
    behind: tuple[frozenset[int], ...]
    is_begin: bool
    is_behind_word: bool
    # The letters read since the longest certain match; None if there is none, or it is too far back.
    remainder: tuple[Letter, ...] | None


@dataclass(frozen=True, slots=True)
class Accept:
    """A state in which the terminal ends."""


@dataclass(frozen=True, slots=True)
class Tail:
    """A state one character behind the terminal, in which a promise about the text behind is broken.

    With a `remainder` the terminal ended in front of it; without one there is no terminal.
    """

    remainder: str | None


Verdict = Accept | Tail | None


@dataclass(slots=True)
class Automaton:
    """A deterministic automaton; it starts in state 0 and has no dead state."""

    letters: list[Ranges]
    edges: list[dict[Letter, int]] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    # Whether the text in front of the terminal was assumed to be no word and to match no look-behind.
    is_blind_in_front: bool = False
    # Whether it may end only in front of another character, which is not checked at the end of the text.
    is_blind_at_end: bool = False


def terminal_automaton(regex: Regex) -> Automaton:
    """The automaton of a terminal. Raises RegexError if none has the expression's meaning."""
    return _Builder(program(regex)).built()


class _Builder:
    """The subset construction, over ordered matchers instead of sets."""

    def __init__(self, program: Program) -> None:
        self.program = program
        sets = [node.characters for node in program.nodes if isinstance(node, Character)]
        # All nodes of one terminal have the same word characters.
        words = {node.word for node in program.nodes if isinstance(node, WordEdge)}
        known = [*sets, ranges("(?s:.)", False), *words]
        found = pieces(known)
        self.letters = [piece for piece, _ in found]
        self.of_set = {
            one: frozenset(letter for letter, (_, holders) in enumerate(found) if one in holders)
            for one in known
        }
        self.words = frozenset().union(*(self.of_set[word] for word in words))
        self.trackers = [node for node in program.nodes if isinstance(node, Lookbehind)]
        self.looks_behind = LooksBehind(program, self.of_set)
        self.tracker_of = {id(node): index for index, node in enumerate(self.trackers)}
        self.automaton = Automaton(self.letters)

    def built(self) -> Automaton:
        found = [self.looks_behind.tracked_nodes(frozenset(), node) for node in self.trackers]
        # The text in front of the terminal is not known, so a look-behind may be at any of its nodes.
        found += [self.looks_behind.all_nodes(node) for node in self.trackers]
        start = self.place([Matcher(self.program.start, frozenset())], tuple(found), True, False, None)
        order: list[tuple[MatchersBehind, Verdict]] = [start]
        numbers = {start: 0}
        for place, verdict in order:
            edges: dict[Letter, int] = {}
            for letter in range(len(self.letters)):
                following = self.step(place, verdict, letter)
                if following is not None:
                    edges[letter] = numbers.setdefault(following, len(order))
                    if edges[letter] == len(order):
                        order.append(following)
            if len(order) > MOST_STATES:
                raise AutomatonTooLarge(f"an automaton of more than {MOST_STATES} states")
            self.automaton.edges.append(edges)
            self.automaton.verdicts.append(verdict)
        return self.automaton

    def step(
        self, place: MatchersBehind, verdict: Verdict, letter: Letter
    ) -> tuple[MatchersBehind, Verdict] | None:
        """The place behind one more character; None if there is none."""
        if isinstance(verdict, Tail):
            return None
        ways: list[Matcher] = []
        is_broken = False
        for way in place.ways:
            promises = self.kept(way.promises, letter)
            if way.node == MATCH:
                if promises is None:
                    is_broken = is_broken or (not way.since and isinstance(verdict, Accept))
                    continue
                ways.append(Matcher(MATCH, promises, (*way.since, letter)[: LONGEST_REMAINDER + 1]))
                if not promises:
                    break
            elif promises is not None:
                node = self.program.nodes[way.node]
                assert isinstance(node, Character)
                if letter in self.of_set[node.characters]:
                    ways.append(Matcher(node.following, promises))
        is_read = any(way.node != MATCH or not way.since for way in ways)
        remainder = None if place.remainder is None else (*place.remainder, letter)
        if remainder is not None and len(remainder) > LONGEST_REMAINDER:
            remainder = None
        if not is_read:
            if any(way.promises for way in ways):
                raise RegexError(TOO_FAR)
            if is_broken and not ways:
                return MatchersBehind((), (), False, False, None), Tail(self.remainder_text(remainder))
            return None
        advanced = [self.looks_behind.nodes_behind(before, letter) for before in place.behind]
        n_trackers = len(self.trackers)
        behind = [
            self.looks_behind.tracked_nodes(*pair) for pair in zip(advanced, self.trackers, strict=False)
        ]
        behind += [self.looks_behind.closure(before) for before in advanced[n_trackers:]]
        following = self.place(ways, tuple(behind), False, letter in self.words, remainder)
        return following if following[0].ways or following[1] else None

    def place(
        self,
        ways: list[Matcher],
        behind: tuple[frozenset[int], ...],
        is_begin: bool,
        is_behind_word: bool,
        remainder: tuple[Letter, ...] | None,
    ) -> tuple[MatchersBehind, Verdict]:
        """Follows nodes that read no character, in order, and drops matchers behind a certain end."""
        bare = MatchersBehind((), behind, is_begin, is_behind_word, None)
        found: list[Matcher] = []
        seen: set[Matcher] = set()
        verdict: Verdict = None
        is_undecided = False
        todo = list(reversed(ways))
        while todo:
            way = todo.pop()
            if way in seen:
                continue
            seen.add(way)
            node = self.program.nodes[way.node]
            if isinstance(node, Character):
                found.append(way)
            elif way.node == MATCH:
                if is_begin:
                    raise RegexError("an expression that matches the empty text")
                if way.since:
                    if not way.promises:
                        remainder = way.since if len(way.since) <= LONGEST_REMAINDER else None
                        break
                    is_undecided = True
                elif is_undecided and verdict is None:
                    raise RegexError(TOO_FAR)
                elif self.may_end(way.promises):
                    verdict = Accept()
                if not way.promises:
                    remainder = ()
                    break
                found.append(way)
            else:
                todo.extend(reversed(list(self.through(way, bare))))
        return MatchersBehind(tuple(found), behind, is_begin, is_behind_word, remainder), verdict

    def through(self, way: Matcher, place: MatchersBehind) -> Iterator[Matcher]:
        """The matchers to which one leads without reading."""
        node = self.program.nodes[way.node]
        match node:
            case Split(ways):
                for following in ways:
                    yield Matcher(following, way.promises)
            case Ahead(start, is_negative, following):
                promise = self.promise(start, is_negative, place.is_behind_word)
                if promise is not None:
                    yield Matcher(following, way.promises | promise)
            case WordEdge(is_negative, _, following):
                if place.is_begin:
                    self.automaton.is_blind_in_front = True
                allowed = self.beyond_edge(is_negative, place.is_behind_word)
                yield Matcher(following, way.promises | {(-1, False, frozenset({(MATCH, allowed)}))})
            case Lookbehind(_, is_negative, following):
                number = self.tracker_of[id(node)]
                is_found = MATCH in place.behind[number]
                if MATCH in place.behind[number + len(self.trackers)] and not is_found:
                    if not is_negative:
                        raise RegexError("look-behind to what stands in front of it")
                    self.automaton.is_blind_in_front = True
                if is_found != is_negative:
                    yield Matcher(following, way.promises)

    def beyond_edge(self, is_negative: bool, is_behind_word: bool) -> frozenset[Letter]:
        """The letters that may follow at a word edge, or elsewhere."""
        wants_word = is_behind_word == is_negative
        others = frozenset(range(len(self.letters))) - self.words
        return self.words if wants_word else others | {END}

    # Look-aheads ------------------------------------------------------------------------------

    def promise(self, start: int, is_negative: bool, is_behind_word: bool) -> Promises | None:
        """The promises of a look-ahead: none if it holds already, None if it cannot hold."""
        seen = self.looked({(start, None)}, is_behind_word)
        if self.is_kept(seen):
            return None if is_negative else frozenset()
        return frozenset({(start, is_negative, seen)})

    def looked(self, seen: set[Seen], is_behind_word: bool) -> frozenset[Seen]:
        found: set[Seen] = set()
        todo = list(seen)
        while todo:
            one = todo.pop()
            if one in found:
                continue
            found.add(one)
            number, allowed = one
            match self.program.nodes[number]:
                case Split(ways):
                    todo.extend((following, allowed) for following in ways)
                case WordEdge(is_negative, _, following):
                    todo.append((following, both(allowed, self.beyond_edge(is_negative, is_behind_word))))
                case Ahead(start, is_negative, following):
                    todo.append((following, both(allowed, self.single(start, is_negative))))
                case Lookbehind():
                    raise RegexError("look-behind inside of look-ahead")
        return frozenset(
            one for one in found if isinstance(self.program.nodes[one[0]], Character) or one[0] == MATCH
        )

    def single(self, start: int, is_negative: bool) -> frozenset[Letter]:
        """The letters that a nested look-ahead allows; it may read only one character."""
        found: set[Letter] = set()
        todo = [start]
        while todo:
            node = self.program.nodes[todo.pop()]
            if isinstance(node, Split):
                todo.extend(node.ways)
            elif isinstance(node, Character) and node.following == MATCH:
                found |= self.of_set[node.characters]
            else:
                raise RegexError("look-around of more than one character inside of look-around")
        return frozenset({*range(len(self.letters)), END} - found if is_negative else found)

    @staticmethod
    def is_kept(seen: frozenset[Seen]) -> bool:
        return (MATCH, None) in seen

    def kept(self, promises: Promises, letter: Letter) -> Promises | None:
        """The promises after one more character; None if one of them is broken."""
        left: set[Promise] = set()
        for name, is_negative, seen in promises:
            following: set[Seen] = set()
            is_met = False
            for number, allowed in seen:
                if allowed is not None and letter not in allowed:
                    continue
                node = self.program.nodes[number]
                if number == MATCH:
                    is_met = True
                elif isinstance(node, Character) and letter in self.of_set[node.characters]:
                    following.add((node.following, None))
            after = self.looked(following, letter in self.words)
            is_met = is_met or self.is_kept(after)
            is_over = is_met or not after
            if is_over and is_met == is_negative:
                return None
            if not is_over:
                left.add((name, is_negative, after))
        return frozenset(left)

    def may_end(self, promises: Promises) -> bool:
        """Whether the promises hold at the end of the text, unless they need another character."""
        is_open = True
        for _, is_negative, seen in promises:
            is_met = any(number == MATCH and (allowed is None or END in allowed) for number, allowed in seen)
            if not is_met and not is_negative:
                # The tails describe forbidden texts behind it, which the end of the text is not.
                self.automaton.is_blind_at_end = True
                continue
            is_open = is_open and is_met != is_negative
        return is_open

    def remainder_text(self, remainder: tuple[Letter, ...] | None) -> str | None:
        """The text read beyond the match, if it is unique."""
        if remainder is None:
            return None
        sets = [self.letters[letter] for letter in remainder]
        is_one_text = all(len(one) == 1 and one[0][0] == one[0][1] for one in sets)
        return "".join(chr(one[0][0]) for one in sets) if is_one_text else None


def both(one: frozenset[Letter] | None, other: frozenset[Letter]) -> frozenset[Letter]:
    """The letters in both sets."""
    return other if one is None else one & other
