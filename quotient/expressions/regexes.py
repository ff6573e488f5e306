"""Regular expressions of Lark terminals, from Python's syntax to that of Rust's `regex` crate.

Key idea: read the expression into a small tree instead of patching its text. Terminals combine other
terminals, so the trees of several expressions join into one, and only the last step writes text again. The
tree also shows whether a terminal can be empty, and whether it needs more than Rust's syntax has
(look-around, back-references, laziness). Such an expression is rewritten first
(`expressions/terminal_automata.py`, `expressions/back_references.py`).
"""

from __future__ import annotations

from dataclasses import dataclass


class RegexError(ValueError):
    """The expression is malformed or needs more than a finite automaton."""


class MatchesNothing(RegexError):
    """No text matches the expression, not even the empty one."""

    def __init__(self) -> None:
        super().__init__("an expression that matches nothing")


@dataclass(frozen=True, slots=True)
class LiteralText:
    """These characters, one after the other."""

    characters: str


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """A character of a set, which is written in Rust's syntax."""

    rust: str


@dataclass(frozen=True, slots=True)
class Sequence:
    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    options: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    part: Regex
    least: int
    most: int | None
    lazy: bool = False


@dataclass(frozen=True, slots=True)
class IgnoreCase:
    part: Regex


@dataclass(frozen=True, slots=True)
class Look:
    """A place with, or without, a matching text in front of it or behind it."""

    part: Regex
    is_behind: bool
    is_negative: bool


@dataclass(frozen=True, slots=True)
class Boundary:
    """A place at the edge of a word, or elsewhere."""

    is_negative: bool
    # The characters of words.
    word: CharacterSet


@dataclass(frozen=True, slots=True)
class Group:
    """A part for back-references."""

    number: int
    part: Regex


@dataclass(frozen=True, slots=True)
class BackReference:
    """A repetition of a group's text."""

    number: int


Regex = (
    LiteralText
    | CharacterSet
    | Sequence
    | Choice
    | Repeat
    | IgnoreCase
    | Look
    | Boundary
    | Group
    | BackReference
)

ANY_BUT_NEWLINE = CharacterSet(".")
ANY = CharacterSet("(?s:.)")


def is_nullable(regex: Regex) -> bool:
    """Whether the expression matches the empty text."""
    match regex:
        case LiteralText(characters):
            return not characters
        case CharacterSet():
            return False
        case Sequence(parts):
            return all(is_nullable(part) for part in parts)
        case Choice(options):
            return any(is_nullable(option) for option in options)
        case Repeat(part, least, _, _):
            return least == 0 or is_nullable(part)
        case IgnoreCase(part) | Group(_, part):
            return is_nullable(part)
        case Look() | Boundary() | BackReference():
            return True


def parts_of(regex: Regex) -> tuple[Regex, ...]:
    """The direct parts of an expression."""
    match regex:
        case Sequence(parts):
            return parts
        case Choice(options):
            return options
        case Repeat(part) | IgnoreCase(part) | Look(part) | Group(_, part):
            return (part,)
        case _:
            return ()


def needs_automaton(regex: Regex) -> bool:
    """Whether Rust's syntax cannot express it, so that an automaton must rewrite it."""
    is_foreign = isinstance(regex, Look | Boundary) or (isinstance(regex, Repeat) and regex.lazy)
    return is_foreign or any(map(needs_automaton, parts_of(regex)))


def rust_syntax(regex: Regex) -> str:
    """The expression as text for Rust's `regex` crate, unless it `needs_automaton`."""
    match regex:
        case LiteralText(characters):
            return "".join(map(rust_character, characters))
        case CharacterSet(rust):
            return rust
        case Sequence(parts):
            return "".join(map(rust_syntax, parts))
        case Choice(options):
            return "(?:" + "|".join(rust_syntax(option) for option in options) + ")"
        case Repeat(part, least, most, False):
            return _repeat_part(part) + _quantifier(least, most)
        case IgnoreCase(part):
            return "(?i:" + rust_syntax(part) + ")"
        case Repeat() | Look() | Boundary() | Group() | BackReference():
            raise AssertionError("what has no words in Rust was rewritten before")


def rust_character(character: str) -> str:
    """A character that stands for itself, inside a set or outside."""
    if 0xD800 <= ord(character) < 0xE000:
        raise RegexError("half a surrogate pair, which is no character")
    if character.isascii() and (character.isalnum() or character in "_ \"'<>/,:;=@!%`"):
        return character
    if character.isascii() and character.isprintable():
        return "\\" + character
    return {"\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(character, f"\\x{{{ord(character):X}}}")


def _repeat_part(part: Regex) -> str:
    is_one_unit = isinstance(part, CharacterSet | Choice | IgnoreCase) or (
        isinstance(part, LiteralText) and len(part.characters) == 1
    )
    return rust_syntax(part) if is_one_unit else "(?:" + rust_syntax(part) + ")"


def _quantifier(least: int, most: int | None) -> str:
    match least, most:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _, None:
            return f"{{{least},}}"
        case _:
            return f"{{{least}}}" if least == most else f"{{{least},{most}}}"


def n_parts(regex: Regex) -> int:
    """The number of parts of an expression with its repetitions expanded."""
    match regex:
        case LiteralText(characters):
            return len(characters)
        case Sequence(parts) | Choice(parts):
            return sum(map(n_parts, parts))
        case Repeat(part, least, most):
            return n_parts(part) * max(least, most or 0, 1)
        case IgnoreCase(part) | Look(part) | Group(_, part):
            return n_parts(part)
    return 1
