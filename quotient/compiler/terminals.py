"""Lark's terminals as regular expressions.

A terminal combines literals, expressions and other terminals, whose trees `lark` has already inserted. A
terminal that is one plain string stays a string, because strings win over expressions that match the same
text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Token, Tree

from quotient.expressions.automaton_regexes import rewritten
from quotient.expressions.python_regex import parsed_regex
from quotient.expressions.regex_dialects import (
    RegexDialect,
    compile_expression,
    literal_pattern,
    terminal_expression,
)
from quotient.expressions.regexes import (
    CharacterSet,
    Choice,
    IgnoreCase,
    LiteralText,
    MatchesNothing,
    Regex,
    RegexError,
    Repeat,
    Sequence,
    is_nullable,
    n_parts,
    needs_automaton,
    rust_character,
    rust_syntax,
)
from quotient.expressions.textless import is_textless

# The most parts of an expression with its repetitions expanded.
MOST_PARTS = 5_000


@dataclass(frozen=True, slots=True)
class Pattern:
    """The pattern of a terminal: a plain text, or an expression in Rust's syntax."""

    kind: str
    pattern: str
    flags: str = ""
    # Expressions of texts in which the text behind forbids the terminal, each with the rest behind a shorter
    # one.
    tails: tuple[tuple[str | None, str], ...] = ()
    is_blind_in_front: bool = False
    is_blind_at_end: bool = False


def terminal_pattern(tree: Tree[Token], dialect: RegexDialect = RegexDialect.OURS) -> Pattern:
    """The pattern of a terminal's definition, or of a literal or range inside a rule."""
    regex = terminal_regex(tree, dialect)
    if dialect is not RegexDialect.OURS:
        compile_expression(terminal_expression(tree).to_regexp(), dialect)
    if n_parts(regex) > MOST_PARTS:
        raise RegexError("more repetitions than an automaton has room for")
    if isinstance(regex, LiteralText) and regex.characters:
        if any("\ud800" <= character <= "\udfff" for character in regex.characters):
            raise RegexError("half of a character, which no text has")
        return Pattern("literal", regex.characters)
    if isinstance(regex, IgnoreCase) and isinstance(regex.part, LiteralText):
        return Pattern("literal", regex.part.characters, "i")
    if needs_automaton(regex):
        plain = rewritten(regex)
        if plain.is_blind_at_end and dialect is RegexDialect.OURS:
            raise RegexError("look-ahead that asks for what stands behind it")
        tails = tuple((tail.remainder, rust_syntax(one)) for tail, one in plain.tails)
        is_blind = plain.is_blind_in_front, plain.is_blind_at_end
        return Pattern("regex", rust_syntax(plain.regex), "", tails, *is_blind)
    if is_nullable(regex):
        raise RegexError("an expression that matches the empty text")
    if dialect is not RegexDialect.OURS and is_textless(regex):
        raise MatchesNothing
    return Pattern("regex", rust_syntax(regex))


def terminal_regex(tree: Tree[Token], dialect: RegexDialect = RegexDialect.OURS) -> Regex:
    """A terminal's definition as one expression, with look-around and laziness."""
    match tree.data, tree.children:
        case "expansions", [*options]:
            return _choice(
                [terminal_regex(option, dialect) for option in options if isinstance(option, Tree)]
            )
        case "expansion", [*parts]:
            return _sequence([terminal_regex(part, dialect) for part in parts if isinstance(part, Tree)])
        case "value", [Tree() as inner]:
            return terminal_regex(inner, dialect)
        case "maybe", [Tree() as inner]:
            return Repeat(terminal_regex(inner, dialect), 0, 1)
        case "expr", [Tree() as inner, Token() as operator, *counts]:
            return _repeat(terminal_regex(inner, dialect), operator, [int(str(count)) for count in counts])
        case "range", [Token() as low, Token() as high]:
            return _range(low, high, dialect)
        case "literal", [Token() as literal]:
            return _literal(literal, dialect)
        case "alias", _:
            raise RegexError("an alias `->`, which only rules may have")
        case _:
            raise RegexError(f"`{tree.data}`, which terminals may not have")


def _choice(options: list[Regex]) -> Regex:
    return options[0] if len(options) == 1 else Choice(tuple(options))


def _sequence(parts: list[Regex]) -> Regex:
    return parts[0] if len(parts) == 1 else Sequence(tuple(parts))


def _repeat(part: Regex, operator: str, counts: list[int]) -> Regex:
    match operator:
        case "*":
            return Repeat(part, 0, None)
        case "+":
            return Repeat(part, 1, None)
        case "?":
            return Repeat(part, 0, 1)
        case _:
            least, most = counts[0], counts[-1]
            if most < least:
                raise RegexError(f"the empty range `~ {least}..{most}`")
            return Repeat(part, least, most)


def _range(low: Token, high: Token, dialect: RegexDialect) -> Regex:
    ends = [_literal_text(end) for end in (low, high)]
    if any(len(end) != 1 for end in ends):
        raise RegexError(f"the range `{low}..{high}` of more than characters")
    if ends[0] > ends[1]:
        raise RegexError(f"the empty range `{low}..{high}`")
    if dialect is not RegexDialect.OURS:
        # Lark writes the ends into a set unescaped, so that `"^".."z"` means all but two characters.
        return parsed_regex(f"[{low[1:-1]}-{high[1:-1]}]", "", dialect)
    first, last = map(rust_character, ends)
    return CharacterSet(f"[{first}-{last}]")


def _literal(literal: Token, dialect: RegexDialect) -> Regex:
    end = max(literal.rfind("/"), literal.rfind('"')) + 1
    flags = literal[end:]
    is_ours = dialect is RegexDialect.OURS
    if literal.type == "REGEXP":
        source = literal[1 : end - 1] if is_ours else literal_pattern(literal).value
        # The sequence keeps it an expression: only strings may become plain texts.
        return Sequence((parsed_regex(source, flags, dialect),))
    text = LiteralText(_literal_text(literal[:end]) if is_ours else literal_pattern(literal).value)
    return IgnoreCase(text) if "i" in flags else text


ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "\\": "\\", '"': '"'}


def _literal_text(literal: str) -> str:
    """The text of a string literal. As in Lark, an unknown escape keeps its backslash."""

    def character(match: re.Match[str]) -> str:
        escape = match[1]
        if len(escape) > 1:
            return chr(int(escape[1:], 16))
        return CONTROL.get(escape, match[0])

    return ESCAPE.sub(character, literal[1:-1])
