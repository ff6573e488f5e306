"""Foreign grammars: they get the meaning that they have in Lark, as far as possible.

In our own grammars the order of the terminals decides between them. Foreign grammars have the meaning of
Lark's contextual lexer, so terminals are put into its order, and separated by the terminals that may come
next. Remaining differences are reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lark import Token, Tree
from lark.indenter import Indenter

from quotient.compiler.description import LOWEST, Description, Terminal
from quotient.compiler.faults import GrammarError, SymbolLocations
from quotient.compiler.grammar import Parsed, parse_grammar
from quotient.compiler.rules import Body, choice
from quotient.compiler.terminals import terminal_regex
from quotient.expressions.regex_dialects import RegexDialect
from quotient.expressions.regexes import rust_character
from quotient.lark_meaning.contexts import ORDINARY, Collision, PlaceGroups, rewritten, with_leaves_written_in
from quotient.lark_meaning.copies import with_copies
from quotient.lark_meaning.differences import (
    MOST_TOLD,
    TerminalDifference,
    collisions,
    differences,
    differences_in_groups,
    halved_terminals,
    met_behind_several,
    shared_places,
)
from quotient.lark_meaning.followed_terminals import LargeTerminals, Terminals, explore_terminals, texts_of
from quotient.lark_meaning.going_back import MOST_PLACES, MOST_PLACES_IN_ALL, GoingBack, joint_terminals
from quotient.lark_meaning.indenter import DIFFERENT, layout_faults, renamed_bodies
from quotient.lark_meaning.lines import with_lines_told_apart
from quotient.lark_meaning.lr_states import TooManyStates, grammar_of, places_of_states
from quotient.lark_meaning.neighbours import neighbours
from quotient.lark_meaning.order import LarkTerminal, lark_terminals
from quotient.lark_meaning.tried_first import cut_short

# Grammars with more terminals are read without Lark's contexts.
MOST_TERMINALS = 600
# The most terminals beside which rules are copied, and the most that are tried for each.
MOST_COPIED = 3
MOST_TRIED = 2


class AmbiguousContexts(ValueError):
    """The parser cannot decide between contextual terminals and others."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


@dataclass(frozen=True, slots=True)
class ReadGrammar:
    """The result of reading a grammar: its description, and differences to Lark."""

    description: Description
    # Sentences with line numbers; of very many, the first ones.
    differences: list[str]


def read(
    text: str,
    *,
    name: str = "grammar",
    version: str | None = None,
    start: str | None = None,
    layout: str | None = None,
    source: str = "<string>",
    imports: Sequence[str] = (),
    without: Collection[str] = (),
    indenter: Indenter | None = None,
    parser: str = "lalr",
    regex: bool = False,
) -> ReadGrammar:
    """Reads a foreign grammar, and keeps its parts. `parser` is Lark's.

    Relative imports also look in the folders `imports`. The terminals `without`, and everything that needs
    them, are left out. Between terminals with a common text, Lark's rules decide.
    """
    is_alone = indenter is None and layout != "python"
    dialect = RegexDialect.REGEX if regex else RegexDialect.RE
    found = parse_grammar(text, name, version, start, layout, source, imports, without, is_alone, dialect)
    compiled, places = found.description, found.places
    used = {one["name"] for one in compiled["terminals"]}
    lark = {name: one for name, one in lark_terminals(found.lark, found.rules).items() if name in used}
    compiled["terminals"] = in_larks_order(compiled["terminals"], lark, compiled["ignore"])
    may_branch = (
        indenter is None and compiled["layout"] == "none" and not {"branching", "same"} & compiled.keys()
    )
    told = []
    try:
        if len(compiled["terminals"]) > MOST_TERMINALS:
            told = [f"more than {MOST_TERMINALS} terminals are tried everywhere, which Lark does not do"]
        else:
            told = _shown_differences(_read_by_contexts(found, lark, parser, may_branch), places)
    except LargeTerminals as error:
        faults = [
            places.fault(f"terminal {one} uses {what}", places.of(one)) for one, what in error.found.items()
        ]
        raise GrammarError(name if source == "<string>" else source, faults) from error
    except AmbiguousContexts as error:
        faults = [
            places.fault(
                f"{one} is contextual, and {other} may stand beside it and begins like it", places.of(one)
            )
            for one, other in error.pairs
        ]
        raise GrammarError(name if source == "<string>" else source, faults) from error
    told.extend(_overlooked_differences(found, lark, parser))
    if indenter is not None:
        faults = list(layout_faults(indenter, lark, compiled["ignore"]))
        if faults:
            raise GrammarError(name if source == "<string>" else source, faults)
        _lay_out(compiled, indenter)
        told.append(DIFFERENT)
    return ReadGrammar(compiled, told)


def _overlooked_differences(found: Parsed, lark: Mapping[str, LarkTerminal], parser: str) -> Iterator[str]:
    """The differences that a comparison of terminals does not show."""
    places = found.places
    patterns = found.patterns | found.rules.literals
    plain = {one["pattern"] for one in found.description["terminals"] if one["kind"] == "literal"}
    for name, terminal in lark.items():
        shown = name if name not in found.rules.literals else terminal.pattern.raw or name
        if patterns[name].is_blind_in_front:
            yield _at(places.of(name), f"what stands in front of {shown} is not looked at")
        if patterns[name].is_blind_at_end:
            yield _at(places.of(name), f"that nothing stands behind {shown} is not looked at")
        if any(remainder is not None and remainder not in plain for remainder, _ in patterns[name].tails):
            told = f"what {shown} gives back because of what stands behind it is not read again"
            yield _at(places.of(name), told)
        if parser != "earley" and terminal.trouble_beside_others:
            told = f"Lark cannot read {shown} beside others: {terminal.trouble_beside_others}"
            yield _at(places.of(name), told)
    yield from () if parser == "earley" else _unended_places(found)
    for name in sorted(found.passed_over) if parser == "earley" else ():
        told = f"{name} is ignored and comes to no rule; Lark's Earley parser takes it for either"
        yield _at(places.of(name), told)


def _unended_places(found: Parsed) -> Iterator[str]:
    """The places where a rule may end or go on; Lark's LALR parser always goes on."""
    bodies = {rule["name"]: rule["body"] for rule in found.description["rules"]}
    try:
        states = places_of_states(grammar_of(bodies), found.description["start"])
    except TooManyStates:
        yield "where rules may end or go on, Lark goes on; where that is, the parser is too large to tell"
        return
    unended: dict[str, set[str]] = {}
    for rule, terminal in set().union(*(state.unended for state in states)):
        unended.setdefault(rule.partition("{")[0], set()).add(terminal)
    for rule, terminals in sorted(unended.items())[:MOST_TOLD]:
        first, *more = sorted(terminals)
        shown = f"{first} and {len(more)} more" if more else first
        yield _at(found.places.of(rule), f"where {rule} may end or go on with {shown}, Lark always goes on")


def _lay_out(compiled: Description, indenter: Indenter) -> None:
    """Lets the layout make the indenter's terminals."""
    passed_over = frozenset(compiled["ignore"])
    bodies = {rule["name"]: rule["body"] for rule in compiled["rules"]}
    bodies = renamed_bodies(bodies, compiled["start"], indenter, passed_over)
    bodies, compiled["start"] = with_lines_told_apart(bodies, compiled["start"])
    replaced = {indenter.NL_type, indenter.INDENT_type, indenter.DEDENT_type}
    gone = passed_over | replaced
    compiled["layout"] = "python"
    compiled["ignore"] = []
    compiled["terminals"] = [one for one in compiled["terminals"] if one["name"] not in gone]
    others = [one for one in compiled["declared"] if one not in replaced]
    compiled["declared"] = [*others, "NEWLINE", "INDENT", "DEDENT"]
    compiled["rules"] = [{"name": rule, "body": body} for rule, body in bodies.items()]


def _read_by_contexts(
    found: Parsed, lark: dict[str, LarkTerminal], parser: str, may_branch: bool
) -> list[TerminalDifference]:
    """Makes the engine read terminals where Lark tries them, as far as possible; gives remaining
    differences."""
    compiled = found.description
    trees = {name: tree for name, (tree, _) in found.lark.term_defs if isinstance(tree, Tree)}
    own = [one for one in compiled["terminals"] if one["name"] in lark]
    by_rank = sorted(own, key=lambda one: (one["kind"] != "literal", -one["priority"]))
    names = [one["name"] for one in by_rank]
    every = found.rules.literal_trees | trees
    regexes = {name: terminal_regex(every[name], found.rules.dialect) for name in names}
    bodies = {rule["name"]: rule["body"] for rule in compiled["rules"]}
    start = compiled["start"]
    ignored = set(compiled["ignore"])
    terminals, texts = explore_terminals(regexes, names, lark, neighbours(bodies, start), ignored)
    terminals.are_all_tried = parser == "earley"
    unknown = list(_untold_ambiguity(compiled, bodies, terminals))
    found_differences = [*differences(terminals, texts), *halved_terminals(terminals, texts)]
    if not found_differences:
        return unknown
    written_out = with_leaves_written_in(bodies, start)
    try:
        contexts = PlaceGroups.of(written_out, start, ignored, terminals.first_bytes())
    except TooManyStates:
        told = "terminals are tried everywhere: the grammar is too large to tell where Lark tries them"
        return [*unknown, TerminalDifference("", "", told), *found_differences]
    terminals.contexts = contexts
    if not terminals.are_all_tried:
        cut = cut_short(terminals, contexts)
        for one in compiled["terminals"]:
            if one["name"] in cut:
                one["kind"], one["pattern"], one["flags"] = "regex", cut[one["name"]], ""
        texts = texts_of(terminals) if cut else texts
    colliding = collisions(terminals, texts)
    shares = shared_places(terminals, contexts, colliding)
    if may_branch:
        contexts.make_groups(colliding)
        written_out, contexts, shares = _with_copies(
            written_out, start, terminals, contexts, shares, colliding
        )
    if shares or contexts.group:
        _apply(compiled, written_out, contexts, shares)
    if may_branch:
        terminals.gone_back_to = _go_back(compiled, terminals, contexts)
    lost = [one for one in halved_terminals(terminals, texts) if one.larks not in terminals.gone_back_to]
    if terminals.are_all_tried:
        unknown += met_behind_several(terminals, contexts, colliding)
    return [*unknown, *differences_in_groups(terminals, contexts), *lost]


def _with_copies(
    bodies: dict[str, Body],
    start: str,
    terminals: Terminals,
    contexts: PlaceGroups,
    shares: dict[int, list[str]],
    colliding: Mapping[tuple[str, str], Collision],
) -> tuple[dict[str, Body], PlaceGroups, dict[int, list[str]]]:
    """Copies rules beside a terminal that is mistaken for others, as long as that helps."""
    for _ in range(MOST_COPIED if contexts.is_exact else 0):
        mistaken = Counter(other for _, other, _ in contexts.all_mistaken(colliding))
        for other, _ in mistaken.most_common(MOST_TRIED):
            copied = with_copies(bodies, other)
            if copied == bodies:
                continue
            try:
                first_bytes = terminals.first_bytes()
                fresh = PlaceGroups.of(copied, start, terminals.ignored, first_bytes, may_be_coarse=False)
            except TooManyStates:
                continue
            order = [*terminals.order]
            terminals.contexts = fresh
            fresh_shares = shared_places(terminals, fresh, colliding)
            fresh.make_groups(colliding)
            if len(fresh.all_mistaken(colliding)) < sum(mistaken.values()):
                bodies, contexts, shares = copied, fresh, fresh_shares
                break
            terminals.contexts, terminals.order = contexts, order
        else:
            break
    return bodies, contexts, shares


def _untold_ambiguity(
    compiled: Description, bodies: Mapping[str, Body], terminals: Terminals
) -> Iterator[TerminalDifference]:
    """The places where contextual terminals may be ambiguous. Raises if they are."""
    groups = compiled["branching"]["contextual"] if "branching" in compiled else []
    if not groups:
        return
    first_bytes, ignored = terminals.first_bytes(), compiled["ignore"]
    try:
        contexts = PlaceGroups.of(bodies, compiled["start"], ignored, first_bytes, may_be_coarse=False)
    except TooManyStates:
        told = "whether others may stand where contextual terminals do is not known: the parser is too large"
        yield TerminalDifference("", "", told)
        return
    if pairs := contexts.ambiguous(groups):
        raise AmbiguousContexts(pairs)


def _go_back(compiled: Description, terminals: Terminals, contexts: PlaceGroups) -> frozenset[str]:
    """Adds joint terminals for terminals that begin and do not end; gives the terminals to which the engine
    then always goes back."""
    names = contexts.names()
    symbol_of = {name: symbol for (symbol, _), name in names.items()}
    bodies = {rule["name"]: rule["body"] for rule in compiled["rules"]}
    behind = {
        name: {symbol_of[one]: one for one in sorted(after, reverse=True)}
        for name, after in neighbours(bodies, compiled["start"]).items()
    }
    groups: dict[int, GoingBack] = {}
    places_left = MOST_PLACES_IN_ALL
    for number in sorted(contexts.groups()):
        of_group = {symbol: name for (symbol, group), name in names.items() if group == number}
        groups[number] = GoingBack(terminals, of_group, behind)
        places_left -= groups[number].explore(min(places_left, MOST_PLACES))
    joints = joint_terminals(groups, contexts.standing_names(), compiled["ignore"])
    for number, found in joints.items():
        compiled["terminals"].extend(found)
        compiled["ignore"].extend(one["name"] for one in found if "emits" not in one)
        if number != ORDINARY:
            first = next(iter(groups[number].names.values()))
            (group,) = [one for one in compiled["branching"]["contextual"] if first in one]
            group.extend(one["name"] for one in found)
    lost = set().union(*(group.lost for group in groups.values()))
    return frozenset(terminals.order) - lost


def _apply(
    compiled: Description,
    bodies: dict[str, Body],
    contexts: PlaceGroups,
    shares: Mapping[int, list[str]],
) -> None:
    """Writes the groups, and the terminals at others' places, into the description."""
    # A moved terminal may pass one that must stay in front of it, which then moves as well.
    while sum(_put_in_front(compiled["terminals"], *pair) for pair in sorted(contexts.shared)):
        pass
    names = contexts.names()

    def at(place: int, symbol: str) -> Body:
        if symbol in bodies:
            return symbol
        group = contexts.group_of(place)
        parts = [names[part, group] for part in shares.get(place, ()) if (part, group) in names]
        return choice([names[symbol, group], *parts])

    compiled["rules"] = [{"name": rule, "body": body} for rule, body in rewritten(bodies, at).items()]
    groups: dict[int, list[str]] = {}
    terminals: list[Terminal] = []
    for terminal in compiled["terminals"]:
        # A tail has its terminal's name in front; both are read together.
        known = terminal["name"] if terminal["priority"] != LOWEST else terminal["name"].rpartition("/")[0]
        copies = {group: name for (symbol, group), name in names.items() if symbol == known}
        if not copies:
            terminals.append(terminal)
        for group, name in copies.items():
            copy = terminal.copy()
            copy["name"] = name + terminal["name"][len(known) :]
            if "emits" in copy:
                first, *rest = copy["emits"]
                copy["emits"] = [name if first == known else first, *rest]
            terminals.append(copy)
            if group != ORDINARY:
                groups.setdefault(group, []).append(copy["name"])
    compiled["terminals"] = terminals
    if groups:
        compiled["branching"] = {
            "line_breaks": [],
            "inserted": [],
            "unbroken": [],
            "broken": [],
            "contextual": list(groups.values()),
            "line_start": [],
            "text_start": [],
        }


def _put_in_front(terminals: list[Terminal], whole: str, part: str) -> bool:
    """Moves a terminal in front of another one with a common text; says whether it was moved."""
    by_name = {one["name"]: one for one in terminals}
    by_name[part]["priority"] = max(by_name[part]["priority"], by_name[whole]["priority"])
    is_behind = terminals.index(by_name[part]) > terminals.index(by_name[whole])
    if is_behind:
        terminals.remove(by_name[part])
        terminals.insert(terminals.index(by_name[whole]), by_name[part])
    return is_behind


def in_larks_order(
    terminals: list[Terminal], lark: dict[str, LarkTerminal], ignored: Collection[str]
) -> list[Terminal]:
    """The terminals in an order in which the engine takes the same ones as Lark; tails stay behind all
    others."""
    known = sorted((one for one in terminals if one["name"] in lark), key=lambda one: lark[one["name"]].place)
    for one in known:
        own = lark[one["name"]]
        if one["kind"] == "literal" and any(own.yields_to(other, ignored) for other in lark.values()):
            one["kind"] = "regex"
            one["pattern"] = "".join(map(rust_character, one["pattern"]))
    return known + [one for one in terminals if one["name"] not in lark]


def _at(place: Token | None, sentence: str) -> str:
    return sentence if place is None else f"line {place.line}: {sentence}"


def _shown_differences(found: list[TerminalDifference], places: SymbolLocations) -> list[str]:
    shown = found[:MOST_TOLD]
    told = [_at(places.of(one.larks) or places.of(one.ours), one.sentence) for one in shown]
    if len(found) > MOST_TOLD:
        told.append(f"and {len(found) - MOST_TOLD} more pairs of terminals")
    return told
