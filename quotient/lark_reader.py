"""From the text of a Lark grammar to the compiled description that the engine loads.

Key idea: keep every rule body a regular expression. Lark itself would turn `(a b)*` into helper
rules; the engine makes one small automaton of each body instead, so this reader stops where Lark
has parsed the text, resolved imports and terminals, and not yet rewritten the rules. Whatever
only shapes trees is dropped: aliases, `?` and `!`, priorities of rules. Templates, and rules whose
name starts with `_` (which leave no node in a tree), are written into the bodies that use them.

Only this module needs the `lark` package; languages that come with us are compiled beforehand:

    python -m quotient.lark_reader quotient/grammars/json.lark
    python -m quotient.lark_reader quotient/grammars/python.lark --version 3.8 3.9 3.10 3.11 3.12 3.13 3.14
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TypedDict

from lark import Tree
from lark.exceptions import LarkError
from lark.load_grammar import Grammar, GrammarBuilder

from quotient.lark_branching import BranchingDescription, mentioned
from quotient.lark_directives import DirectiveError, Directives, directives_and_text
from quotient.lark_narrowing import narrowed, without_never
from quotient.lark_rules import Body, Rules, rules_from, symbols
from quotient.lark_terminals import Pattern, terminal_pattern
from quotient.regexes import RegexError


class GrammarError(ValueError):
    """The text is not a grammar, or uses something that the engine cannot honour."""


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
    imports start from. Raises GrammarError with the name of the rule or terminal at fault.
    """
    try:
        directives, text = directives_and_text(text, version)
        builder = GrammarBuilder()
        builder.load_grammar(text, source)
        grammar = builder.build()
    except (DirectiveError, LarkError, OSError, AssertionError) as error:
        raise GrammarError(f"{name}: {error}") from error
    start = start or directives.start or "start"
    if start not in {rule for rule, *_ in grammar.rule_defs}:
        raise GrammarError(f"{name}: the start rule `{start}` is not defined")
    patterns, faults = _patterns(grammar)
    rules = _rules(grammar, patterns, start)
    for rule, without in directives.without.items():
        if rule not in rules.bodies:
            raise GrammarError(f"`@without` names the unknown rule {rule}")
        try:
            rules.bodies = narrowed(rules.bodies, rule, without)
        except ValueError as error:
            raise GrammarError(f"{name}: {error}") from error
    try:
        rules.bodies = without_never(rules.bodies, start, directives.never)
    except ValueError as error:
        raise GrammarError(f"{name}: {error}") from error
    declared = [declared for declared, (tree, _) in grammar.term_defs if tree is None]
    branching = directives.branching.description(lambda symbol: _emitted(rules, [symbol])[0])
    terminals = _terminals(grammar, patterns, faults, rules, directives, branching)
    compiled: Description = {
        "name": name,
        "version": version,
        "start": start,
        "layout": layout or directives.layout or "none",
        "terminals": terminals,
        "ignore": list(grammar.ignore),
        "declared": [name for name in declared if name not in directives.never],
        "rules": [{"name": rule, "body": body} for rule, body in rules.bodies.items()],
    }
    if branching is not None:
        _check_names(branching, {*compiled["declared"], *(terminal["name"] for terminal in terminals)})
        compiled["branching"] = branching
    return compiled


def _check_names(branching: BranchingDescription, known: set[str]) -> None:
    for name in mentioned(branching):
        if name not in known:
            raise GrammarError(f"a directive names the unknown terminal {name}")


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


def _rules(grammar: Grammar, patterns: dict[str, Pattern], start: str) -> Rules:
    try:
        return rules_from(grammar, patterns, start)
    except RegexError as error:
        raise GrammarError(f"a rule uses {error}") from error
    except RecursionError as error:
        raise GrammarError("a template that goes on for ever") from error


def _terminals(
    grammar: Grammar,
    patterns: dict[str, Pattern],
    faults: dict[str, str],
    rules: Rules,
    directives: Directives,
    branching: BranchingDescription | None,
) -> list[Terminal]:
    """Every terminal that the lexer must know: named ones as defined, then literals as met.

    Like Lark, we drop terminals that only serve to build others.
    """
    emits = {name: _emitted(rules, parts) for name, parts in directives.emits.items()}
    used = {symbol for body in rules.bodies.values() for symbol in symbols(body)}
    used.update(grammar.ignore, directives.errors, emits, mentioned(branching) if branching else ())
    terminals: list[Terminal] = []
    for name, (tree, priority) in grammar.term_defs:
        if name in used and name in faults:
            raise GrammarError(f"terminal {name} uses {faults[name]}")
        if name in used and tree is not None:
            terminals.append(_terminal(name, patterns[name], priority, emits.get(name)))
    for name, literal in rules.literals.items():
        terminals.append(_terminal(name, literal, 0, None))
    known = {terminal["name"] for terminal in terminals}
    for name in (*directives.errors, *emits, *(part for parts in emits.values() for part in parts)):
        if name not in known:
            raise GrammarError(f"a directive names the unknown terminal {name}")
    return terminals


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
