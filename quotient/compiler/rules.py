"""Lark's rules as bodies: regular expressions over symbols.

A body is a symbol's name or one of the five nodes below. Templates and rules whose name starts with `_` are
written into the bodies that use them, so that they cost the engine nothing. Only recursive ones stay rules,
and of a cycle first those without `_`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypedDict, final

from lark import Token, Tree
from lark.grammar import NonTerminal, Symbol
from lark.load_grammar import Grammar

from quotient.compiler.terminals import Pattern, terminal_pattern
from quotient.expressions.regex_dialects import RegexDialect
from quotient.expressions.regexes import RegexError


@final
class Seq(TypedDict):
    seq: list[Body]


@final
class Alt(TypedDict):
    alt: list[Body]


@final
class Opt(TypedDict):
    opt: Body


@final
class Star(TypedDict):
    star: Body


@final
class Plus(TypedDict):
    plus: Body


Body = str | Seq | Alt | Opt | Star | Plus
Definition = Tree[Token]

LONGEST_NAME = 10_000
"""Names of template instances hold their arguments; beyond this, arguments grow without end."""
MOST_PARTS = 800_000
"""The most parts of all rules, with templates and other rules written into them; TypeScript has 162,000."""
MOST_REPEATED = 2_000
MOST_OPTIONAL = 400
"""The most symbols that `~` writes out, and the most optional ones among them, of which each needs the one
before."""
DEEPEST_TEMPLATE = 60
"""The most uses of templates inside each other; no written grammar comes near it."""


class EndlessTemplate(ValueError):
    """A template that uses itself with ever longer arguments."""


def symbols(body: Body) -> Iterator[str]:
    """The symbols of a body, from left to right, with repetitions."""
    if isinstance(body, str):
        yield body
    elif "seq" in body:
        for part in body["seq"]:
            yield from symbols(part)
    elif "alt" in body:
        for part in body["alt"]:
            yield from symbols(part)
    elif "opt" in body:
        yield from symbols(body["opt"])
    elif "star" in body:
        yield from symbols(body["star"])
    else:
        yield from symbols(body["plus"])


def replace_symbols(body: Body, others: Mapping[str, Body]) -> Body:
    """The body with some symbols replaced by other bodies."""
    if isinstance(body, str):
        return others.get(body, body)
    if "seq" in body:
        return {"seq": [replace_symbols(part, others) for part in body["seq"]]}
    if "alt" in body:
        return {"alt": [replace_symbols(option, others) for option in body["alt"]]}
    if "opt" in body:
        return {"opt": replace_symbols(body["opt"], others)}
    if "star" in body:
        return {"star": replace_symbols(body["star"], others)}
    return {"plus": replace_symbols(body["plus"], others)}


def sequence(parts: list[Body]) -> Body:
    flat: list[Body] = []
    for part in parts:
        if not isinstance(part, str) and "seq" in part:
            flat.extend(part["seq"])
        else:
            flat.append(part)
    return flat[0] if len(flat) == 1 else {"seq": flat}


def choice(options: list[Body]) -> Body:
    flat: list[Body] = []
    for option in options:
        if not isinstance(option, str) and "alt" in option:
            flat.extend(option["alt"])
        else:
            flat.append(option)
    empty: Body = {"seq": []}
    filled = [option for option in flat if option != empty]
    if not filled:
        return empty
    body: Body = filled[0] if len(filled) == 1 else {"alt": filled}
    return body if len(filled) == len(flat) else {"opt": body}


@dataclass(slots=True)
class Rules:
    """The bodies of all rules that the start rule needs, and the literals in them."""

    definitions: dict[str, tuple[tuple[str, ...], Definition]]
    terminals: Mapping[str, Pattern]
    written_in: set[str]
    dialect: RegexDialect
    bodies: dict[str, Body] = field(default_factory=dict)
    literals: dict[str, Pattern] = field(default_factory=dict)
    literal_trees: dict[str, Definition] = field(default_factory=dict)
    faults: list[tuple[Token, str]] = field(default_factory=list)
    # Caches for rules that are written in: names of literals, bodies without parameters and their lengths.
    names: dict[Definition, str] = field(default_factory=dict)
    written: dict[str, tuple[Body, int]] = field(default_factory=dict)
    depth: int = 0
    n_parts: int = 0

    def name_of(self, pattern: Pattern) -> str:
        """The terminal of a literal in a rule: a named one with the same pattern, or its own text."""
        for name, named in self.terminals.items():
            if named == pattern:
                return name
        is_taken = pattern.pattern in self.terminals or pattern.pattern in self.definitions
        is_plain = pattern.kind == "literal" and not pattern.flags and not is_taken
        name = pattern.pattern if is_plain else _quoted_pattern(pattern)
        self.literals.setdefault(name, pattern)
        return name

    def literal(self, tree: Definition) -> str:
        """The name of the terminal for a literal or a range."""
        if tree not in self.names:
            self.names[tree] = self.name_of(terminal_pattern(tree, self.dialect))
            self.literal_trees.setdefault(self.names[tree], tree)
        return self.names[tree]

    def count(self, n_parts: int) -> None:
        self.n_parts += n_parts
        if self.n_parts > MOST_PARTS:
            raise RegexError("more rules than can be written into others")

    def body(self, tree: Definition, arguments: Mapping[str, Body]) -> Body:
        self.count(1)
        match tree.data, tree.children:
            case "expansions", [*options]:
                return choice([self.body(option, arguments) for option in _trees(options)])
            case "expansion", [*parts]:
                return sequence([self.body(part, arguments) for part in _trees(parts)])
            case "alias", [Tree() as inner, *_]:
                return self.body(inner, arguments)
            case "maybe", [Tree() as inner]:
                return {"opt": self.body(inner, arguments)}
            case "expr", [Tree() as inner, Token() as operator, *counts]:
                repeated = self.body(inner, arguments)
                try:
                    return _repeated_body(repeated, operator, [int(str(count)) for count in counts])
                except RegexError as error:
                    self.faults.append((operator, str(error)))
                    return repeated
            case "value", [Tree() as inner]:
                return self.body(inner, arguments)
            case "value", [Symbol() as symbol]:
                return self.symbol(symbol, [], arguments)
            case "template_usage", [Symbol() as symbol, *values]:
                given = [self.body(value, arguments) for value in _trees(values)]
                return self.symbol(symbol, given, arguments)
            case (("literal" | "range"), [Token() as literal, *_]):
                try:
                    return self.literal(tree)
                except RegexError as error:
                    self.faults.append((literal, str(error)))
                    return {"seq": []}
        raise RegexError(f"`{tree.data}`")

    def symbol(self, symbol: Symbol, given: list[Body], arguments: Mapping[str, Body]) -> Body:
        if symbol.name in arguments:
            return arguments[symbol.name]
        if not isinstance(symbol, NonTerminal):
            return str(symbol.name)
        parameters, tree = self.definitions[symbol.name]
        if len(parameters) != len(given):
            raise RegexError(f"the template `{symbol.name}` without its arguments")
        inner_arguments = dict(zip(parameters, given, strict=True))
        if symbol.name in self.written_in:
            return self.body(tree, inner_arguments) if parameters else self.written_once(symbol.name, tree)
        name = str(symbol.name) + ("{" + ",".join(map(json.dumps, given)) + "}" if given else "")
        if name not in self.bodies:
            self.depth += bool(given)
            if len(name) > LONGEST_NAME or self.depth > DEEPEST_TEMPLATE:
                raise EndlessTemplate(str(symbol.name))
            self.bodies[name] = {"seq": []}
            self.bodies[name] = self.body(tree, inner_arguments)
            self.depth -= bool(given)
        return name

    def written_once(self, name: str, tree: Definition) -> Body:
        """The cached body of a rule without parameters."""
        if name in self.written:
            body, length = self.written[name]
            self.count(length)
            return body
        body = self.body(tree, {})
        self.written[name] = body, len(list(symbols(body)))
        return body


def rules_from(
    grammar: Grammar, terminals: Mapping[str, Pattern], start: str, dialect: RegexDialect
) -> Rules:
    """The rules that `start` needs, in the order of their definitions."""
    definitions = {name: (tuple(params), tree) for name, params, tree, _ in grammar.rule_defs}
    rules = Rules(definitions, terminals, _written_in(definitions) - {start}, dialect)
    rules.symbol(NonTerminal(start), [], {})
    order = {name: position for position, name in enumerate(definitions)}
    in_order = sorted(rules.bodies, key=lambda name: order.get(name.partition("{")[0], 0))
    rules.bodies = {name: rules.bodies[name] for name in in_order}
    return rules


def _written_in(definitions: Mapping[str, tuple[tuple[str, ...], Definition]]) -> set[str]:
    """Templates and `_rules`, except those that contain themselves through others of these.

    If templates and `_rules` contain each other, those whose name has no `_` stay, and the others are written
    into them if that suffices.
    """
    candidates = {name for name, (params, _) in definitions.items() if params or name[0] == "_"}
    candidates -= {name for name in _in_circles(definitions, candidates) if name[0] != "_"}
    return candidates - _in_circles(definitions, candidates)


def _in_circles(
    definitions: Mapping[str, tuple[tuple[str, ...], Definition]], candidates: set[str]
) -> set[str]:
    """The candidates that contain themselves through other candidates."""
    uses = {name: _mentioned_rules(definitions[name][1]) & candidates for name in candidates}

    def reached(name: str) -> set[str]:
        found: set[str] = set()
        waiting = [name]
        while waiting:
            new = uses[waiting.pop()] - found
            found |= new
            waiting.extend(new)
        return found

    return {name for name in candidates if name in reached(name)}


def _mentioned_rules(tree: Definition) -> set[str]:
    return {
        child.name
        for subtree in tree.iter_subtrees()
        for child in subtree.children
        if isinstance(child, NonTerminal)
    }


def _trees(children: Iterable[object]) -> list[Definition]:
    return [child for child in children if isinstance(child, Tree)]


def _repeated_body(body: Body, operator: str, counts: list[int]) -> Body:
    match operator:
        case "*":
            return {"star": body}
        case "+":
            return {"plus": body}
        case "?":
            return {"opt": body}
    least, most = counts[0], counts[-1]
    if most < least:
        raise RegexError(f"the empty range `~ {least}..{most}`")
    if most - least > MOST_OPTIONAL or sum(1 for _ in symbols(body)) * most > MOST_REPEATED:
        raise RegexError(f"more repetitions than can be written out, {most} of them")
    optional: Body = {"seq": []}
    for _ in range(most - least):
        optional = {"opt": sequence([body, optional])}
    return sequence([body] * least + ([optional] if most > least else []))


def _quoted_pattern(pattern: Pattern) -> str:
    mark = '"' if pattern.kind == "literal" else "/"
    return f"{mark}{pattern.pattern}{mark}{pattern.flags}"
