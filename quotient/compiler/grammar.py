"""The parser of a grammar's text: it turns the text into data.

Key idea: keep every rule body a regular expression. Lark itself would turn `(a b)*` into helper rules; the
engine makes one small automaton of each body instead. So this uses Lark's result after parsing and resolving
imports and terminals, before Lark rewrites the rules. Parts that only shape trees are dropped: aliases, `?`
and `!`, priorities of rules. Templates, and rules whose name starts with `_` (which leave no node in a tree),
are written into the bodies that use them.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lark import Token, Tree
from lark.exceptions import LarkError
from lark.load_grammar import Grammar, GrammarBuilder
from lark.utils import get_regexp_width

from quotient.compiler.branching import named_symbols
from quotient.compiler.description import LOWEST, Description, SameDescription, Terminal
from quotient.compiler.directives import DirectiveError, Directives, directives_and_text
from quotient.compiler.faults import GrammarError, GrammarFault, SymbolLocations, name_faults, syntax_faults
from quotient.compiler.frames import FramesDescription, text_of
from quotient.compiler.imports import Loader, imported_parts
from quotient.compiler.narrowing import narrowed_bodies, textless_rules, without_never
from quotient.compiler.rules import EndlessTemplate, Rules, rules_from, symbols
from quotient.compiler.sizes import size_faults
from quotient.compiler.terminals import Pattern, terminal_pattern
from quotient.expressions.regex_dialects import RegexDialect, terminal_expression
from quotient.expressions.regexes import MatchesNothing, RegexError, rust_character

DEEPEST_CALLS = 6_000


@dataclass(frozen=True, slots=True)
class Parsed:
    """A compiled grammar, with the parts that it was made of."""

    description: Description
    lark: Grammar
    rules: Rules
    # The patterns of the named terminals, used or not.
    patterns: dict[str, Pattern]
    places: SymbolLocations
    # The ignored terminals that rules also use.
    passed_over: frozenset[str]


def parse_grammar(
    text: str,
    name: str,
    version: str | None,
    start: str | None,
    layout: str | None,
    source: str,
    imports: Sequence[str],
    without: Collection[str],
    is_alone: bool = False,
    dialect: RegexDialect = RegexDialect.OURS,
) -> Parsed:
    """Reads a grammar; `is_alone`: no indenter makes symbols without a text. Raises GrammarError."""
    shown = name if source == "<string>" else source
    try:
        directives, text = directives_and_text(text, version, name)
    except DirectiveError as error:
        raise GrammarError(shown, [GrammarFault(str(error), error.line)]) from error
    faults = syntax_faults(text)
    if faults:
        raise GrammarError(shown, faults)
    paths: list[str | Loader] = [*imports, imported_parts(version, name)]
    places, faults = name_faults(text, source, paths)
    faults.extend(size_faults(places))
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
        raise GrammarError(shown, [GrammarFault(f"the start rule `{start}` is not defined")])
    patterns, unusable, textless = _patterns(grammar, dialect)
    rules = _rules(grammar, patterns, start, dialect, shown, places)
    faults.extend(places.fault_in(f"a rule uses {what}", token) for token, what in rules.faults)
    unknown = set(without) - {known for known, _ in grammar.term_defs} - set(rules.literals)
    faults.extend(GrammarFault(f"there is no terminal `{one}` to do without") for one in sorted(unknown))
    faults.extend(_narrow(rules, directives, places))
    declared = [declared for declared, (tree, _) in grammar.term_defs if tree is None]
    branching = directives.branching.description(lambda symbol: _emitted_symbols(rules, [symbol])[0])
    ignore = [one for one in grammar.ignore if one not in without]
    named = named_symbols(branching) if branching else set()
    same = _same(rules, directives)
    if same is not None:
        named |= {same["first"], same["again"], *same["written"]}
    frames = _frames(directives, patterns, unusable, declared, places, faults)
    named |= {name for name, _ in directives.frames.terminals() if name in declared}
    # The parser never sees ignored terminals.
    ignore = [one for one in ignore if one not in textless]
    never = directives.never.union(without, ignore, textless)
    if is_alone:
        emitted = {part for parts in directives.emits.values() for part in parts}
        never |= set(declared) - named - emitted if directives.layout != "python" else set()
    mentioned_symbols = {symbol for body in rules.bodies.values() for symbol in symbols(body)}
    try:
        rules.bodies = without_never(rules.bodies, start, never)
        if dialect is not RegexDialect.OURS:
            textless |= textless_rules(rules.bodies)
            rules.bodies = without_never(rules.bodies, start, never := never | textless)
    except ValueError as error:
        lost = sorted(never & mentioned_symbols)
        why = "which no text matches" if textless.issuperset(lost) else "which the parser is never given"
        what = f"{error} without {', '.join(lost)}, {why}" if lost else f"{error}: it always needs itself"
        raise GrammarError(shown, [*faults, places.fault(what, places.of(start))]) from error
    terminals = _terminals(grammar, patterns, unusable, rules, directives, named, ignore, places, faults)
    known_names = {*declared, *(terminal["name"] for terminal in terminals), *unusable}
    unknown = named - known_names - directives.never
    faults.extend(GrammarFault(f"a directive names the unknown terminal {name}") for name in sorted(unknown))
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
    if frames is not None:
        compiled["frames"] = frames
    if branching is not None:
        compiled["branching"] = branching
    if same is not None:
        compiled["same"] = same
    return Parsed(compiled, grammar, rules, patterns, places, frozenset(ignore) & mentioned_symbols)


def _patterns(
    grammar: Grammar, dialect: RegexDialect
) -> tuple[dict[str, Pattern], dict[str, str], frozenset[str]]:
    """The patterns of the named terminals, the faults of those without one, and the terminals that Lark
    accepts but no text matches.

    A fault matters only if the terminal itself is used: parts of other terminals may match nothing.
    """
    patterns: dict[str, Pattern] = {}
    faults: dict[str, str] = {}
    textless: set[str] = set()
    for name, (tree, _) in grammar.term_defs:
        if isinstance(tree, Tree):
            try:
                patterns[name] = terminal_pattern(tree, dialect)
            except RegexError as error:
                if (
                    isinstance(error, MatchesNothing)
                    and dialect is not RegexDialect.OURS
                    and _has_width(tree)
                ):
                    textless.add(name)
                else:
                    faults[name] = str(error)
    return patterns, faults, frozenset(textless)


def _has_width(tree: Tree[Token]) -> bool:
    """Whether Lark believes that the terminal cannot be empty; otherwise Lark refuses it."""
    shortest, _ = get_regexp_width(terminal_expression(tree).to_regexp())
    return bool(shortest > 0)


def _rules(
    grammar: Grammar,
    patterns: dict[str, Pattern],
    start: str,
    dialect: RegexDialect,
    shown: str,
    places: SymbolLocations,
) -> Rules:
    limit = sys.getrecursionlimit()
    # The recursion follows rules into the rules that they use, with a few frames each.
    sys.setrecursionlimit(max(limit, DEEPEST_CALLS))
    try:
        return rules_from(grammar, patterns, start, dialect)
    except RecursionError as error:
        raise GrammarError(shown, [GrammarFault("rules that use others are too deep to follow")]) from error
    except EndlessTemplate as error:
        what = f"the template `{error}` goes on for ever: it uses itself with ever longer arguments"
        raise GrammarError(shown, [places.fault(what, places.of(str(error)))]) from error
    except RegexError as error:
        raise GrammarError(shown, [GrammarFault(f"a rule uses {error}")]) from error
    finally:
        sys.setrecursionlimit(limit)


def _narrow(rules: Rules, directives: Directives, places: SymbolLocations) -> Iterator[GrammarFault]:
    for rule, without in directives.without.items():
        if rule not in rules.bodies:
            yield GrammarFault(f"`@without` names the unknown rule {rule}")
            continue
        try:
            rules.bodies = narrowed_bodies(rules.bodies, rule, without)
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
    places: SymbolLocations,
    faults: list[GrammarFault],
) -> list[Terminal]:
    """The terminals for the lexer: named ones in order of definition, then literals in order of use, then
    tails.

    Like Lark, this drops terminals that are only parts of others.
    """
    emits = {name: _emitted_symbols(rules, parts) for name, parts in directives.emits.items()}
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
    faults.extend(GrammarFault(f"a directive names the unknown terminal {name}") for name in unknown)
    every = patterns | rules.literals
    plain = {one["pattern"]: one["name"] for one in terminals if one["kind"] == "literal"}
    tails = [tail for name in known for tail in _tails(name, every[name], plain, ignore)]
    return terminals + sorted(tails, key=lambda tail: tail["name"])


def _tails(name: str, pattern: Pattern, literals: Mapping[str, str], ignore: list[str]) -> Iterator[Terminal]:
    """The terminal with a forbidden text behind it: an error, or the shorter terminal and another one."""
    for remainder, regex in pattern.tails:
        tail: Terminal = {
            "name": f"{name}/{remainder or ''}",
            "kind": "regex",
            "pattern": regex,
            "priority": LOWEST,
        }
        if remainder is not None and remainder in literals:
            parts = [part for part in (name, literals[remainder]) if part not in ignore]
            tail["emits"] = parts
            if not parts:
                continue
        yield tail


def _frames(
    directives: Directives,
    patterns: dict[str, Pattern],
    unusable: dict[str, str],
    declared: list[str],
    places: SymbolLocations,
    faults: list[GrammarFault],
) -> FramesDescription | None:
    """The description of strings with fields, or None and the faults in it."""
    lines = directives.frames
    found = [GrammarFault(message, line) for message, line in lines.faults()]
    undeclared = ((name, line) for name, line in lines.terminals() if name not in declared)
    found.extend(
        GrammarFault(f"`@frames` names {name}, which is not declared", line) for name, line in undeclared
    )

    def pattern_of(word: str, line: int) -> str:
        pattern = Pattern("literal", text_of(word)) if word.startswith('"') else patterns.get(word)
        if pattern is None and word in unusable:
            found.append(places.fault(f"terminal {word} uses {unusable[word]}", places.of(word)))
        elif pattern is None:
            found.append(GrammarFault(f"`@frames` names the unknown terminal {word}", line))
        elif pattern.tails:
            found.append(GrammarFault(f"`@frames` names {word}, which asks for what stands behind it", line))
        else:
            plain = (
                "".join(map(rust_character, pattern.pattern))
                if pattern.kind == "literal"
                else pattern.pattern
            )
            return f"(?{pattern.flags}:{plain})" if pattern.flags else plain
        return ""

    described = lines.description(pattern_of) if not found else None
    faults.extend(found)
    return described if not found else None


def _same(rules: Rules, directives: Directives) -> SameDescription | None:
    if directives.same is None:
        return None
    written = _emitted_symbols(rules, [*directives.same.written])
    return {"first": directives.same.first, "again": directives.same.again, "written": written}


def _emitted_symbols(rules: Rules, parts: list[str]) -> list[str]:
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
