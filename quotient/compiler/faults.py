"""The faults of a grammar, all at once, each with its place in the text.

Lark itself stops at the first fault and rarely gives its place. So Lark's tree of the grammar's text is
checked for names before anything is built: undefined ones, ones defined twice, imports from nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token, Tree
from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedInput
from lark.load_grammar import GrammarBuilder, _find_used_symbols, _get_parser, find_grammar_errors

from quotient.compiler.imports import Loader


@dataclass(frozen=True, slots=True)
class GrammarFault:
    """A fault with its place; a fault in another file has no place in this one."""

    message: str
    line: int | None = None
    column: int | None = None

    def at(self, source: str) -> str:
        """The fault in the form of compilers: `file:line:column: message`."""
        place = "" if self.line is None else f":{self.line}"
        column = "" if self.column is None else f":{self.column}"
        return f"{source}{place}{column}: {self.message}"


class GrammarError(ValueError):
    """The text is not a grammar, or uses something that the engine does not support; all faults at once."""

    def __init__(self, source: str, faults: list[GrammarFault]) -> None:
        in_order = sorted(dict.fromkeys(faults), key=lambda fault: (fault.line or 0, fault.column or 0))
        self.faults = tuple(in_order)
        super().__init__("\n".join(fault.at(source) for fault in in_order))


@dataclass(frozen=True, slots=True)
class SymbolUse:
    """A symbol in a definition."""

    symbol: Token
    # The rule or terminal around it, in words.
    around: str
    is_around_terminal: bool
    parameters: tuple[str, ...]
    n_arguments: int


@dataclass(slots=True)
class SymbolLocations:
    """The places of definitions, imports and directives in a grammar's text."""

    definitions: dict[str, Token] = field(default_factory=dict)
    n_parameters: dict[str, int] = field(default_factory=dict)
    repeated: list[Token] = field(default_factory=list)
    uses: list[SymbolUse] = field(default_factory=list)
    # Literals, and signs of repetition.
    literals: set[tuple[int | None, int | None, str]] = field(default_factory=set)
    ignored: list[Token] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)

    def of(self, name: str) -> Token | None:
        """The place of a symbol's definition, import or, if it has no name, `%ignore`."""
        if match := re.fullmatch(r"__IGNORE_(\d+)", name):
            number = int(match[1])
            return self.ignored[number] if number < len(self.ignored) else None
        return self.definitions.get(name)

    def fault(self, message: str, token: Token | None) -> GrammarFault:
        """A fault at a token, if the token belongs to this text."""
        if token is None:
            return GrammarFault(message)
        return GrammarFault(message, token.line, token.column)

    def fault_in(self, message: str, literal: Token) -> GrammarFault:
        """A fault at a literal, which may come from an imported rule."""
        is_own = (literal.line, literal.column, str(literal)) in self.literals
        return self.fault(message, literal if is_own else None)

    def fault_of(self, message: str) -> GrammarFault:
        """A fault with only Lark's message; its place is the definition of a name in the message."""
        names = re.findall(r"[\w.]+", message)
        return self.fault(message, next((place for place in map(self.of, names) if place is not None), None))


def syntax_faults(text: str) -> list[GrammarFault]:
    """The syntax faults of a text, at most one per line."""
    try:
        errors = find_grammar_errors(text)
    except (LarkError, AttributeError, LookupError, TypeError):
        # Behind some faults, as an open bracket, Lark cannot go on; then only the first one is reported.
        errors = []
    found = [_syntax_fault(text, error, message) for error, message in errors]
    if not found:
        try:
            _get_parser().parse(text + "\n", "start")  # type: ignore[no-untyped-call]
        except UnexpectedInput as error:
            found = [_syntax_fault(text, error, str(error))]
    return found


def _syntax_fault(text: str, error: UnexpectedInput, message: str) -> GrammarFault:
    if isinstance(error, UnexpectedCharacters):
        line = text.split("\n")[error.line - 1]
        message = f"unexpected {line[error.column - 1 :][:20]!r}"
    return GrammarFault(message.split("\n")[0], error.line, error.column)


def name_faults(
    text: str, source: str, import_paths: list[str | Loader]
) -> tuple[SymbolLocations, list[GrammarFault]]:
    """The places of all symbols, and the faults of names in a text without syntax faults."""
    tree: Tree[Token] = _get_parser().parse(text + "\n", "start")  # type: ignore[no-untyped-call]
    places = SymbolLocations()
    faults: list[GrammarFault] = []
    for statement in _trees(tree):
        _enter(places, statement)
        if statement.data == "import":
            faults.extend(_import_faults(places, statement, source, import_paths))
    for token in places.repeated:
        kind = "Terminal" if token.isupper() else "Rule"
        faults.append(places.fault(f"{kind} '{token}' defined more than once", token))
    faults.extend(fault for use in places.uses for fault in _use_faults(places, use))
    return places, faults


def _enter(places: SymbolLocations, statement: Tree[Token]) -> None:
    inner = statement
    is_first = statement.data in ("rule", "term")
    if statement.data in ("override", "extend"):
        (inner,) = [child for child in statement.children if isinstance(child, Tree)]
    match inner.data:
        case "rule":
            name, parameters = _definition(inner)
            _define(places, name, is_first, len(parameters))
            _use_all(places, inner, f"rule {name}", False, parameters)
        case "term":
            name = next(_tokens(inner))
            _define(places, name, is_first, 0)
            _use_all(places, inner, f"terminal {name}", True, ())
        case "ignore":
            first = next(_tokens(inner))
            places.ignored.append(first)
            _use_all(places, inner, "%ignore", True, ())
        case "declare":
            for token in _tokens(inner):
                _define(places, token, True, 0)


def _definition(rule: Tree[Token]) -> tuple[Token, tuple[str, ...]]:
    name = next(child for child in rule.children if isinstance(child, Token))
    parameters = next(child for child in rule.children if getattr(child, "data", "") == "template_params")
    return name, tuple(map(str, _tokens(parameters)))


def _define(places: SymbolLocations, name: Token, is_first: bool, n_parameters: int) -> None:
    if is_first and name in places.definitions and name not in places.imported:
        places.repeated.append(name)
        return
    places.definitions.setdefault(str(name), name)
    places.n_parameters[str(name)] = n_parameters


def _use_all(
    places: SymbolLocations, tree: Tree[Token], around: str, is_terminal: bool, parameters: tuple[str, ...]
) -> None:
    applied = {id(usage.children[0]): len(usage.children) - 1 for usage in tree.find_data("template_usage")}
    aliases = {id(alias.children[-1]) for alias in tree.find_data("alias")}
    for subtree in tree.iter_subtrees():
        if subtree.data in ("literal", "range", "expr"):
            places.literals.update((token.line, token.column, str(token)) for token in _tokens(subtree))
        if subtree.data in ("terminal", "nonterminal") and id(subtree) not in aliases:
            (symbol,) = _tokens(subtree)
            n_arguments = applied.get(id(subtree), 0)
            places.uses.append(SymbolUse(symbol, around, is_terminal, parameters, n_arguments))


def _use_faults(places: SymbolLocations, use: SymbolUse) -> Iterator[GrammarFault]:
    name = str(use.symbol)
    is_terminal = name.lstrip("_").isupper()
    kind = "Terminal" if is_terminal else "Rule"
    if use.is_around_terminal and not is_terminal:
        yield places.fault(f"Rules aren't allowed inside terminals ({name} in {use.around})", use.symbol)
    elif name in use.parameters:
        return
    elif name not in places.definitions:
        yield places.fault(f"{kind} '{name}' used but not defined (in {use.around})", use.symbol)
    elif name not in places.imported and use.n_arguments != places.n_parameters.get(name, 0):
        wanted = places.n_parameters.get(name, 0)
        yield places.fault(
            f"`{name}` has {wanted} arguments and is used with {use.n_arguments} (in {use.around})",
            use.symbol,
        )


def _import_faults(
    places: SymbolLocations, statement: Tree[Token], source: str, import_paths: list[str | Loader]
) -> Iterator[GrammarFault]:
    """Adds the imported names, and tries the import alone."""
    path = statement.children[0]
    assert isinstance(path, Tree)
    steps = list(_tokens(path))
    aliases = list(_tokens(statement.children[1])) if len(statement.children) > 1 else steps[-1:]
    for alias in aliases:
        if alias in places.definitions:
            places.repeated.append(alias)
        places.definitions.setdefault(str(alias), alias)
        places.imported.add(str(alias))
    builder = GrammarBuilder(import_paths=[*import_paths])
    try:
        unpacked = builder._unpack_import(statement, source)  # type: ignore[no-untyped-call]
        dotted_path, base_path, names = unpacked
        builder.do_import(dotted_path, base_path, names)
    except (LarkError, OSError, AssertionError, RecursionError, UnicodeDecodeError) as error:
        reason = "there is no such file" if isinstance(error, OSError) else str(error) or "it imports itself"
        name = ".".join(steps if len(aliases) > 1 else steps[:-1]) or str(steps[0])
        yield places.fault(f"`{name}` cannot be imported: {reason}", steps[0])
        return
    for name, alias in names.items():
        if alias not in builder._definitions:
            yield places.fault(f"`{name}` is not defined in what it is imported from", steps[0])
    for name, definition in builder._definitions.items():
        used = _find_used_symbols(definition.tree) if definition.tree else ()  # type: ignore[no-untyped-call]
        for symbol in sorted({str(one) for one in used} - {*builder._definitions, *definition.params}):
            what = f"`{_unmangled_name(symbol)}`, which is not defined there (in {_unmangled_name(name)})"
            yield places.fault(f"`{'.'.join(dotted_path)}` uses {what}", steps[0])


def _unmangled_name(name: str) -> str:
    """A name without the prefix that Lark adds for the imported file."""
    underscore = "_" if name.startswith("_") else ""
    return underscore + name.lstrip("_").rpartition("__")[2]


def _trees(tree: Tree[Token]) -> Iterator[Tree[Token]]:
    return (child for child in tree.children if isinstance(child, Tree))


def _tokens(tree: object) -> Iterator[Token]:
    if isinstance(tree, Token):
        yield tree
    elif isinstance(tree, Tree):
        yield from tree.scan_values(lambda value: isinstance(value, Token))
