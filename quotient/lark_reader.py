"""From the text of a Lark grammar to the compiled description that the engine loads.

Key idea: keep every rule body a regular expression. Lark itself would turn `(a b)*` into helper
rules; the engine makes one small automaton of each body instead, so this reader stops where Lark
has parsed the text, resolved imports and terminals, and not yet rewritten the rules. Whatever
only shapes trees is dropped: aliases, `?` and `!`, priorities of rules. Templates, and rules whose
name starts with `_` (which leave no node in a tree), are written into the bodies that use them.

Only this module needs the `lark` package; languages that come with us are compiled beforehand:

    python -m quotient.lark_reader quotient/grammars/json.lark
    python -m quotient.lark_reader quotient/grammars/python.lark \
        --version 3.8 3.9 3.10 3.11 3.12 3.12.10 3.13 3.14
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from lark import Token, Tree
from lark.exceptions import LarkError
from lark.indenter import Indenter
from lark.load_grammar import Grammar, GrammarBuilder

from quotient.lark_branching import BranchingDescription, mentioned
from quotient.lark_contexts import ORDINARY, Contexts, rewritten, with_leaves_written_in
from quotient.lark_differences import (
    MOST_TOLD,
    Difference,
    collisions,
    differences,
    differences_in_groups,
    explored,
    shared_places,
)
from quotient.lark_directives import DirectiveError, Directives, directives_and_text
from quotient.lark_faults import Fault, GrammarError, Places, name_faults, syntax_faults
from quotient.lark_imports import Loader, imported_parts
from quotient.lark_indenter import DIFFERENT, layout_faults, renamed
from quotient.lark_narrowing import narrowed, without_never
from quotient.lark_order import LarkTerminal, lark_terminals
from quotient.lark_rules import Body, EndlessTemplate, Rules, choice, rules_from, symbols
from quotient.lark_terminals import Pattern, terminal_pattern, terminal_regex
from quotient.neighbours import neighbours
from quotient.regexes import RegexError, rust_character

LOWEST = -1_000_000
"""The priority of what is read only where no other terminal has the same text."""
DEEPEST_CALLS = 6_000


class PlainTerminal(TypedDict):
    name: str
    kind: str
    pattern: str
    priority: int


class Terminal(PlainTerminal, total=False):
    flags: str
    emits: list[str]


class Rule(TypedDict):
    name: str
    body: Body


class PlainDescription(TypedDict):
    """A grammar as the engine reads it.

    Terminals are texts (kind `literal`) or expressions in the syntax of Rust's `regex` crate (kind
    `regex`), `flags` being `i` or absent; the longest match wins, then a literal, then the higher
    priority, then the earlier one. One with `emits` stands for those symbols, one that nothing
    mentions for an error. `ignore` names the terminals between symbols, `declared` the symbols that
    the layout makes. In a rule's body a name is a rule, a terminal or a declared symbol.
    """

    name: str
    version: str | None
    start: str
    layout: str
    terminals: list[Terminal]
    ignore: list[str]
    declared: list[str]
    rules: list[Rule]


class Description(PlainDescription, total=False):
    """The same with what the parser decides about texts, where it does."""

    branching: BranchingDescription


class AmbiguousContexts(ValueError):
    """Contextual terminals of which the parser cannot say whether they or others are meant."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


@dataclass(frozen=True, slots=True)
class Reading:
    """A grammar that was read: what the engine is given, and where Lark would read something else."""

    description: Description
    # Sentences with their lines; for grammars that have a great many, the first of them.
    differences: list[str]


def description(
    text: str,
    *,
    name: str = "grammar",
    version: str | None = None,
    start: str | None = None,
    layout: str | None = None,
    source: str = "<string>",
) -> Description:
    """Read a grammar.

    `start` and `layout` win over the grammar's own directives. `source` is the file that relative
    imports start from. Raises GrammarError with all that is wrong, each with its place.
    """
    return _read(text, name, version, start, layout, source, (), ())[0]


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
) -> Reading:
    """Read a grammar of somebody else, and keep what it was made of. `parser` is Lark's.

    Relative imports also look in the folders `imports`. Of the terminals `without`, and of what
    needs them, nothing is left. Terminals with a text in common are told apart as Lark does it; our
    own grammars say by the order of their terminals which one is meant.
    """
    is_alone = indenter is None and layout != "python"
    found = _read(text, name, version, start, layout, source, imports, without, is_alone)
    compiled, grammar, rules, places = found
    used = {one["name"] for one in compiled["terminals"]}
    lark = {name: one for name, one in lark_terminals(grammar, rules).items() if name in used}
    patterns = _patterns(grammar)[0] | rules.literals
    compiled["terminals"] = in_larks_order(compiled["terminals"], lark)
    may_branch = indenter is None and compiled["layout"] == "none" and "branching" not in compiled
    try:
        told = _told(_read_by_contexts(compiled, grammar, rules, lark, parser, may_branch), places)
    except AmbiguousContexts as error:
        faults = [
            places.fault(
                f"{one} is contextual, and {other} may stand beside it and begins like it", places.of(one)
            )
            for one, other in error.pairs
        ]
        raise GrammarError(name if source == "<string>" else source, faults) from error
    for name in lark:
        if patterns[name].is_blind_in_front:
            told.append(_at(places.of(name), f"what stands in front of {name} is not looked at"))
    if indenter is not None:
        faults = list(layout_faults(indenter, lark, compiled["ignore"]))
        if faults:
            raise GrammarError(name if source == "<string>" else source, faults)
        _lay_out(compiled, indenter)
        told.append(DIFFERENT)
    return Reading(compiled, told)


def _lay_out(compiled: Description, indenter: Indenter) -> None:
    """Lets the layout make the indenter's terminals."""
    passed_over = frozenset(compiled["ignore"])
    bodies = {rule["name"]: rule["body"] for rule in compiled["rules"]}
    bodies = renamed(bodies, compiled["start"], indenter, passed_over)
    replaced = {indenter.NL_type, indenter.INDENT_type, indenter.DEDENT_type}
    gone = passed_over | replaced
    compiled["layout"] = "python"
    compiled["ignore"] = []
    compiled["terminals"] = [one for one in compiled["terminals"] if one["name"] not in gone]
    others = [one for one in compiled["declared"] if one not in replaced]
    compiled["declared"] = [*others, "NEWLINE", "INDENT", "DEDENT"]
    compiled["rules"] = [{"name": rule, "body": body} for rule, body in bodies.items()]


def _read_by_contexts(
    compiled: Description,
    grammar: Grammar,
    rules: Rules,
    lark: dict[str, LarkTerminal],
    parser: str,
    may_branch: bool,
) -> list[Difference]:
    """Lets terminals be read where Lark tries them, as far as can be; gives what stays different."""
    trees = {name: tree for name, (tree, _) in grammar.term_defs if isinstance(tree, Tree)}
    own = [one for one in compiled["terminals"] if one["name"] in lark]
    by_rank = sorted(own, key=lambda one: (one["kind"] != "literal", -one["priority"]))
    names = [one["name"] for one in by_rank]
    regexes = {name: terminal_regex((rules.literal_trees | trees)[name]) for name in names}
    bodies = {rule["name"]: rule["body"] for rule in compiled["rules"]}
    start = compiled["start"]
    ignored = set(compiled["ignore"])
    terminals, texts = explored(regexes, names, lark, neighbours(bodies, start), ignored)
    terminals.are_all_tried = parser == "earley"
    if "branching" in compiled:
        groups = compiled["branching"]["contextual"]
        found = Contexts.of(bodies, start, ignored, terminals.first_bytes()).ambiguous(groups)
        if found:
            raise AmbiguousContexts(found)
    if not differences(terminals, texts):
        return []
    written_out = with_leaves_written_in(bodies, start)
    contexts = Contexts.of(written_out, start, ignored, terminals.first_bytes())
    terminals.contexts = contexts
    colliding = collisions(terminals, texts)
    shares = shared_places(terminals, contexts, colliding)
    if may_branch:
        contexts.make_groups(colliding)
    if shares or contexts.group:
        _apply(compiled, written_out, contexts, shares)
    return differences_in_groups(terminals, contexts)


def _apply(
    compiled: Description,
    bodies: dict[str, Body],
    contexts: Contexts,
    shares: Mapping[int, list[str]],
) -> None:
    """Writes the groups into the description, and what may stand at other terminals' places."""
    for whole, part in sorted(contexts.shared):
        _put_in_front(compiled["terminals"], part, whole)
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
        # What stands behind a terminal follows its name; it is read together with it.
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
            "contextual": list(groups.values()),
            "line_start": [],
            "text_start": [],
        }


def _put_in_front(terminals: list[Terminal], part: str, whole: str) -> None:
    """Lets a terminal be read first of two that have a text in common."""
    by_name = {one["name"]: one for one in terminals}
    by_name[part]["priority"] = max(by_name[part]["priority"], by_name[whole]["priority"])
    if terminals.index(by_name[part]) > terminals.index(by_name[whole]):
        terminals.remove(by_name[part])
        terminals.insert(terminals.index(by_name[whole]), by_name[part])


def _at(place: Token | None, sentence: str) -> str:
    return sentence if place is None else f"line {place.line}: {sentence}"


def _told(found: list[Difference], places: Places) -> list[str]:
    shown = found[:MOST_TOLD]
    told = [_at(places.of(one.larks) or places.of(one.ours), one.sentence) for one in shown]
    if len(found) > MOST_TOLD:
        told.append(f"and {len(found) - MOST_TOLD} more pairs of terminals")
    return told


def _read(
    text: str,
    name: str,
    version: str | None,
    start: str | None,
    layout: str | None,
    source: str,
    imports: Sequence[str],
    without: Collection[str],
    is_alone: bool = False,
) -> tuple[Description, Grammar, Rules, Places]:
    """Reads a grammar; if it `is_alone`, no indenter makes symbols without a text."""
    shown = name if source == "<string>" else source
    try:
        directives, text = directives_and_text(text, version, name)
    except DirectiveError as error:
        raise GrammarError(shown, [Fault(str(error), error.line)]) from error
    faults = syntax_faults(text)
    if faults:
        raise GrammarError(shown, faults)
    paths: list[str | Loader] = [*imports, imported_parts(version, name)]
    places, faults = name_faults(text, source, paths)
    if faults:
        raise GrammarError(shown, faults)
    try:
        builder = GrammarBuilder(import_paths=[*paths])
        builder.load_grammar(text, source)
        grammar = builder.build()
    except (LarkError, OSError, AssertionError, RecursionError) as error:
        raise GrammarError(shown, [places.fault_of(str(error))]) from error
    start = start or directives.start or "start"
    if start not in {rule for rule, *_ in grammar.rule_defs}:
        raise GrammarError(shown, [Fault(f"the start rule `{start}` is not defined")])
    patterns, unusable = _patterns(grammar)
    rules = _rules(grammar, patterns, start, shown, places)
    faults.extend(places.fault_in(f"a rule uses {what}", token) for token, what in rules.faults)
    unknown = set(without) - {known for known, _ in grammar.term_defs} - set(rules.literals)
    faults.extend(Fault(f"there is no terminal `{one}` to do without") for one in sorted(unknown))
    faults.extend(_narrow(rules, directives, places))
    declared = [declared for declared, (tree, _) in grammar.term_defs if tree is None]
    branching = directives.branching.description(lambda symbol: _emitted(rules, [symbol])[0])
    ignore = [one for one in grammar.ignore if one not in without]
    named = mentioned(branching) if branching else set()
    # What is ignored never comes to the parser.
    never = directives.never.union(without, ignore)
    if is_alone:
        emitted = {part for parts in directives.emits.values() for part in parts}
        never |= set(declared) - named - emitted if directives.layout != "python" else set()
    try:
        rules.bodies = without_never(rules.bodies, start, never)
    except ValueError as error:
        lost = sorted(never & {symbol for body in rules.bodies.values() for symbol in symbols(body)})
        what = f"{error} without {', '.join(lost)}, which the parser is never given"
        raise GrammarError(shown, [*faults, places.fault(what, places.of(start))]) from error
    terminals = _terminals(grammar, patterns, unusable, rules, directives, named, ignore, places, faults)
    known_names = {*declared, *(terminal["name"] for terminal in terminals), *unusable}
    unknown = named - known_names - directives.never
    faults.extend(Fault(f"a directive names the unknown terminal {name}") for name in sorted(unknown))
    if faults:
        raise GrammarError(shown, faults)
    compiled: Description = {
        "name": name,
        "version": version,
        "start": start,
        "layout": layout or directives.layout or "none",
        "terminals": terminals,
        "ignore": ignore,
        "declared": [name for name in declared if name not in directives.never],
        "rules": [{"name": rule, "body": body} for rule, body in rules.bodies.items()],
    }
    if branching is not None:
        compiled["branching"] = branching
    return compiled, grammar, rules, places


def in_larks_order(terminals: list[Terminal], lark: dict[str, LarkTerminal]) -> list[Terminal]:
    """The terminals so that the engine takes the one that Lark takes; tails stay behind all others."""
    known = sorted((one for one in terminals if one["name"] in lark), key=lambda one: lark[one["name"]].place)
    for one in known:
        if one["kind"] == "literal" and any(lark[one["name"]].yields_to(other) for other in lark.values()):
            one["kind"] = "regex"
            one["pattern"] = "".join(map(rust_character, one["pattern"]))
    return known + [one for one in terminals if one["name"] not in lark]


def _patterns(grammar: Grammar) -> tuple[dict[str, Pattern], dict[str, str]]:
    """The patterns of the named terminals, and what is wrong with those that have none.

    A fault matters only if the terminal is used by itself: parts of others may match nothing.
    """
    patterns: dict[str, Pattern] = {}
    faults: dict[str, str] = {}
    for name, (tree, _) in grammar.term_defs:
        if isinstance(tree, Tree):
            try:
                patterns[name] = terminal_pattern(tree)
            except RegexError as error:
                faults[name] = str(error)
    return patterns, faults


def _rules(grammar: Grammar, patterns: dict[str, Pattern], start: str, shown: str, places: Places) -> Rules:
    limit = sys.getrecursionlimit()
    # Rules are followed into those that they use, a handful of frames each.
    sys.setrecursionlimit(max(limit, DEEPEST_CALLS))
    try:
        return rules_from(grammar, patterns, start)
    except RecursionError as error:
        raise GrammarError(shown, [Fault("rules that use others are too deep to follow")]) from error
    except EndlessTemplate as error:
        what = f"the template `{error}` goes on for ever: it uses itself with ever longer arguments"
        raise GrammarError(shown, [places.fault(what, places.of(str(error)))]) from error
    except RegexError as error:
        raise GrammarError(shown, [Fault(f"a rule uses {error}")]) from error
    finally:
        sys.setrecursionlimit(limit)


def _narrow(rules: Rules, directives: Directives, places: Places) -> Iterator[Fault]:
    for rule, without in directives.without.items():
        if rule not in rules.bodies:
            yield Fault(f"`@without` names the unknown rule {rule}")
            continue
        try:
            rules.bodies = narrowed(rules.bodies, rule, without)
        except ValueError as error:
            yield places.fault(str(error), places.of(rule))


def _terminals(
    grammar: Grammar,
    patterns: dict[str, Pattern],
    unusable: dict[str, str],
    rules: Rules,
    directives: Directives,
    named: set[str],
    ignore: list[str],
    places: Places,
    faults: list[Fault],
) -> list[Terminal]:
    """Every terminal that the lexer must know: named ones as defined, then literals as met, then tails.

    Like Lark, we drop terminals that only serve to build others.
    """
    emits = {name: _emitted(rules, parts) for name, parts in directives.emits.items()}
    used = {symbol for body in rules.bodies.values() for symbol in symbols(body)}
    used.update(ignore, directives.errors, emits, *emits.values(), named)
    terminals: list[Terminal] = []
    for name, (tree, priority) in grammar.term_defs:
        if name in used and name in unusable:
            what = name if not name.startswith("__IGNORE") else "behind %ignore"
            faults.append(places.fault(f"terminal {what} uses {unusable[name]}", places.of(name)))
        elif name in used and tree is not None:
            terminals.append(_terminal(name, patterns[name], priority, emits.get(name)))
    for name, literal in rules.literals.items():
        if name in used:
            terminals.append(_terminal(name, literal, 0, None))
    known = {terminal["name"] for terminal in terminals}
    declared = {name for name, (tree, _) in grammar.term_defs if tree is None}
    told = (*directives.errors, *emits, *(part for parts in emits.values() for part in parts))
    unknown = [name for name in told if name not in known | declared and name not in unusable]
    faults.extend(Fault(f"a directive names the unknown terminal {name}") for name in unknown)
    every = patterns | rules.literals
    tails = [tail for name in known for tail in _tails(name, every[name], terminals, ignore)]
    return terminals + sorted(tails, key=lambda tail: tail["name"])


def _tails(name: str, pattern: Pattern, terminals: list[Terminal], ignore: list[str]) -> Iterator[Terminal]:
    """The terminal with what may not stand behind it: an error, or the terminal and what does stand there."""
    literals = {one["pattern"]: one["name"] for one in terminals if one["kind"] == "literal"}
    for remainder, regex in pattern.tails:
        tail: Terminal = {
            "name": f"{name}/{remainder or ''}",
            "kind": "regex",
            "pattern": regex,
            "priority": LOWEST,
        }
        if remainder in literals:
            parts = [part for part in (name, literals[remainder]) if part not in ignore]
            tail["emits"] = parts
            if not parts:
                continue
        yield tail


def _emitted(rules: Rules, parts: list[str]) -> list[str]:
    return [rules.name_of(Pattern("literal", part[1:-1])) if part.startswith('"') else part for part in parts]


def _terminal(name: str, pattern: Pattern, priority: int, emits: list[str] | None) -> Terminal:
    terminal: Terminal = {
        "name": name,
        "kind": pattern.kind,
        "pattern": pattern.pattern,
        "priority": priority,
    }
    if pattern.flags:
        terminal["flags"] = pattern.flags
    if emits:
        terminal["emits"] = emits
    return terminal


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile a Lark grammar to its JSON description.")
    parser.add_argument("grammar", type=Path)
    parser.add_argument("--name", help="the language's name; by default that of the file")
    parser.add_argument(
        "--version",
        nargs="+",
        default=[None],
        help="for which versions to read the parts between `@since` and `@end`; each is a file of its own",
    )
    parser.add_argument("--start", help="the start rule, if the grammar does not say")
    parser.add_argument("--layout", choices=("none", "python"))
    parser.add_argument("-o", "--output", type=Path, help="the folder to write to; by default the grammar's")
    arguments = parser.parse_args()
    name = arguments.name or arguments.grammar.stem
    folder = arguments.output or arguments.grammar.parent
    for version in arguments.version:
        compiled = description(
            arguments.grammar.read_text(encoding="utf-8"),
            name=name,
            version=version,
            start=arguments.start,
            layout=arguments.layout,
            source=str(arguments.grammar),
        )
        file_name = f"{name}-{version}.json" if version else f"{name}.json"
        (folder / file_name).write_text(as_json(compiled), encoding="utf-8")


def as_json(compiled: Description) -> str:
    """The text of a compiled grammar's file: one line per rule and terminal, so that diffs read."""
    lines = []
    for key, value in compiled.items():
        if key in ("terminals", "rules") and isinstance(value, list):
            items = ",\n".join("  " + json.dumps(item, ensure_ascii=True) for item in value)
            lines.append(f" {json.dumps(key)}: [\n{items}\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main()
