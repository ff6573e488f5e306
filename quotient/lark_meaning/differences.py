"""Differences between a grammar's meaning in the engine and in Lark, found ahead.

Lark tries only the terminals that may come next, and takes the first one in its order that matches. The
engine takes the longest match among all terminals of a group (`contexts.py`), and does not go back behind a
begun terminal. All terminals are followed at once over all texts: where two of them match, the parser's
states say whether one may come where the other may not. Only neighbouring terminals are compared, so a
reported difference may occur in no whole text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from quotient.lark_meaning.contexts import Collision, PlaceGroups
from quotient.lark_meaning.followed_terminals import (
    State,
    Terminals,
    Texts,
    ending_terminals,
    texts_of,
)

# The most reported differences.
MOST_TOLD = 12


@dataclass(frozen=True, slots=True)
class TerminalDifference:
    """Two terminals that are mistaken for each other, with an example."""

    ours: str
    larks: str
    sentence: str


def differences(terminals: Terminals, texts: Texts) -> list[TerminalDifference]:
    """The pairs of terminals on which Lark and the engine differ, each with one text, the shortest first."""
    found: dict[tuple[str, str], TerminalDifference] = {}
    for text, state, steps in texts:
        for one in _of_one_text(terminals, state, text):
            found.setdefault((one.ours, one.larks), one)
        for letter, after in steps.items():
            for one in _of_a_beginning(terminals, state, text, letter, after):
                found.setdefault((one.ours, one.larks), one)
    return list(found.values())


def differences_in_groups(terminals: Terminals, contexts: PlaceGroups) -> list[TerminalDifference]:
    """The pairs that differ although each group is read by its own terminals."""
    found: dict[tuple[str, str], TerminalDifference] = {}
    for group, names in sorted(contexts.groups().items()):
        order = [name for name in terminals.order if name in names or name in terminals.ignored]
        of_group = replace(terminals, order=order, contexts=contexts, group=group)
        for one in differences(of_group, texts_of(of_group)):
            found.setdefault((one.ours, one.larks), one)
    return list(found.values())


def collisions(terminals: Terminals, texts: Texts) -> dict[tuple[str, str], Collision]:
    """The pairs of which the first is read wrongly if the second is tried as well."""
    same: set[tuple[str, str]] = set()
    longer: set[tuple[str, str]] = set()
    for _, state, steps in texts:
        ending = ending_terminals(terminals, state)
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
    """Terminals of two groups that meet behind a text which several terminals match, of which one is taken.

    `fruit` may be an adjective or a noun, and `flies` a noun behind the first and a verb behind the second.
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
    """The terminals that may stand at places of others, such as keywords at places of names.

    Of two terminals the one with fewer texts is read first wherever either may come.
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


def halved_terminals(terminals: Terminals, texts: Texts) -> list[TerminalDifference]:
    """Terminals behind which a character may come that shares its first byte with a character of theirs."""
    found: dict[str, TerminalDifference] = {}
    for text, state, steps in texts:
        if all(not terminals.leads[letter] for letter in steps):
            continue
        ending = [one for one in ending_terminals(terminals, state) if one not in found]
        for letter in range(len(terminals.pieces)) if ending else ():
            if letter in steps or not terminals.may_begin_like(letter, steps):
                continue
            for one in ending:
                if terminals.may_follow(one, letter):
                    shown = text + terminals.characters[letter]
                    told = f"{shown!r} may go on with another character; Lark ends {one} at {text!r}"
                    found.setdefault(one, TerminalDifference(one, one, told))
    return list(found.values())


def _of_one_text(terminals: Terminals, state: State, text: str) -> Iterator[TerminalDifference]:
    """Terminals with the same text."""
    ending = ending_terminals(terminals, state)
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
    """Terminals that may end here while a longer one goes on."""
    longer = {name for name, _ in after}
    goes_on = text + terminals.characters[letter]
    for larks in ending_terminals(terminals, state):
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
    """Whether a terminal is taken if the longer ones do not end, or one of these ends at once."""
    return name in terminals.gone_back_to or not after.isdisjoint(terminals.ends)
