"""Regular expressions of Lark terminals, from Python's syntax to that of Rust's `regex` crate.

Key idea: read the expression into a small tree instead of patching its text. Terminals combine
other terminals, so the trees of several expressions join into one, and only the last step writes
text again. The tree also answers what the text hides: whether a terminal can match nothing, and
whether it relies on what an automaton does not have (look-around, back-references, laziness).

Laziness is a matter of the order in which a backtracking matcher tries things, while terminals
here match as much as they can. The two uses that Lark grammars make of it are rewritten: "up to
the first closing text", and "up to the first quote that no backslash escapes".
"""

from __future__ import annotations

from dataclasses import dataclass


class RegexError(ValueError):
    """The expression is malformed or needs more than a finite automaton."""


@dataclass(frozen=True, slots=True)
class Text:
    """These characters, one after the other."""

    characters: str


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """One character out of a set, which is written in Rust's syntax."""

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
class Unescaped:
    r"""The idiom `(?<!\\)(\\\\)*?`: an even number of backslashes, and none before them."""


Regex = Text | CharacterSet | Sequence | Choice | Repeat | IgnoreCase | Unescaped

ANY_BUT_NEWLINE = CharacterSet(".")
ANY = CharacterSet("(?s:.)")


def is_nullable(regex: Regex) -> bool:
    """Whether the expression matches the empty text."""
    match regex:
        case Text(characters):
            return not characters
        case CharacterSet():
            return False
        case Sequence(parts):
            return all(is_nullable(part) for part in parts)
        case Choice(options):
            return any(is_nullable(option) for option in options)
        case Repeat(part, least, _, _):
            return least == 0 or is_nullable(part)
        case IgnoreCase(part):
            return is_nullable(part)
        case Unescaped():
            return True


def rust_syntax(regex: Regex) -> str:
    """The expression as text for Rust's `regex` crate.

    Raises RegexError for laziness or a look-behind that `without_laziness` did not recognise.
    """
    match regex:
        case Text(characters):
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
        case Repeat():
            raise RegexError("a lazy repetition, while terminals match as much as they can")
        case Unescaped():
            raise RegexError("look-behind")


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
        isinstance(part, Text) and len(part.characters) == 1
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


# Laziness ------------------------------------------------------------------------------------


def without_laziness(regex: Regex) -> Regex:
    """The same terminal without the two lazy idioms, where the terminal ends with them.

    Only at the end is "the first closing text" certain: with more to match behind it, a
    backtracking matcher would go on to a later one.
    """
    parts = _flat(regex)
    for start, part in enumerate(parts):
        if isinstance(part, Repeat) and part.lazy and (part.least, part.most) == (0, None):
            rest = parts[start + 1 :]
            is_escapable = bool(rest) and isinstance(rest[0], Unescaped)
            closing = _joined_text(rest[1:] if is_escapable else rest)
            any_character = _any_character(part.part)
            if closing is None or any_character is None:
                break
            if is_escapable:
                return Sequence((*parts[:start], _up_to_unescaped(closing, any_character)))
            return Sequence((*parts[:start], _up_to(closing, any_character)))
    return regex


def _flat(regex: Regex) -> list[Regex]:
    if isinstance(regex, Sequence):
        return [inner for part in regex.parts for inner in _flat(part)]
    return [regex]


def _joined_text(parts: list[Regex]) -> str | None:
    texts = [part.characters for part in parts if isinstance(part, Text)]
    return "".join(texts) if texts and len(texts) == len(parts) else None


def _any_character(part: Regex) -> CharacterSet | None:
    """What the lazy repetition runs over, if it is a way to say "any character"."""
    newline = Text("\n")
    ways = {
        ANY_BUT_NEWLINE: ANY_BUT_NEWLINE,
        ANY: ANY,
        Choice((ANY_BUT_NEWLINE, newline)): ANY,
        Choice((newline, ANY_BUT_NEWLINE)): ANY,
        CharacterSet(r"[\s\S]"): ANY,
        CharacterSet(r"[\S\s]"): ANY,
        CharacterSet(r"[\d\D]"): ANY,
        CharacterSet(r"[\w\W]"): ANY,
    }
    return ways.get(part)


def _all_but(characters: str, any_character: CharacterSet) -> CharacterSet:
    newline = r"\n" if any_character == ANY_BUT_NEWLINE else ""
    return CharacterSet("[^" + "".join(map(rust_character, characters)) + newline + "]")


def _up_to_unescaped(quote: str, any_character: CharacterSet) -> Regex:
    if len(quote) != 1 or quote == "\\":
        raise RegexError("look-behind in front of more than one closing character")
    plain = _all_but(quote + "\\", any_character)
    escaped = Sequence((Text("\\"), any_character))
    return Sequence((Repeat(Choice((plain, escaped)), 0, None), Text(quote)))


def _up_to(closing: str, any_character: CharacterSet) -> Regex:
    if len(closing) == 1:
        return Sequence((Repeat(_all_but(closing, any_character), 0, None), Text(closing)))
    if len(closing) == 2 and closing[0] != closing[1]:
        first = closing[0]
        run = Repeat(Text(first), 1, None)
        other = Sequence((run, _all_but(closing, any_character)))
        body = Choice((_all_but(first, any_character), other))
        return Sequence((Repeat(body, 0, None), run, Text(closing[1])))
    if len(closing) == 2:
        first = closing[0]
        other = Sequence((Text(first), _all_but(first, any_character)))
        body = Choice((_all_but(first, any_character), other))
        return Sequence((Repeat(body, 0, None), Text(closing)))
    raise RegexError("a lazy repetition in front of more than two closing characters")
