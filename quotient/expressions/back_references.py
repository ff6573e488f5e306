r"""Back-references, rewritten: `(a|b)c\1` becomes `ac a|bc b`, with one alternative for each text of the
group.

This keeps the meaning if the group's texts can be listed, and if a backtracking matcher would try the
alternatives in the same order. So the choice is made at the beginning of the group.
"""

from __future__ import annotations

from dataclasses import replace

from quotient.expressions.character_sets import ranges
from quotient.expressions.regexes import (
    BackReference,
    CharacterSet,
    Choice,
    Group,
    IgnoreCase,
    LiteralText,
    Look,
    Regex,
    RegexError,
    Repeat,
    Sequence,
    parts_of,
)

# The most texts of a group with back-references.
MOST_TEXTS = 64


def without_back_references(regex: Regex) -> Regex:
    """The expression without groups and back-references."""
    match regex:
        case Group(_, part):
            return without_back_references(part)
        case BackReference():
            raise RegexError("a back-reference to a group that stands in another part of the expression")
        case Sequence(parts):
            return _sequence(parts)
        case Choice(options):
            return Choice(tuple(map(without_back_references, options)))
        case Repeat(part) | IgnoreCase(part) | Look(part):
            return replace(regex, part=without_back_references(part))
        case _:
            return regex


def _sequence(parts: tuple[Regex, ...]) -> Regex:
    for index, part in enumerate(parts):
        rest = Sequence(parts[index + 1 :])
        if isinstance(part, Group) and part.number in _referred_groups(rest):
            choices = [_with_text(rest, part.number, text) for text in texts(part.part)]
            options = tuple(without_back_references(choice) for choice in choices)
            before = tuple(map(without_back_references, parts[:index]))
            return Sequence((*before, options[0] if len(options) == 1 else Choice(options)))
    return Sequence(tuple(map(without_back_references, parts)))


def _with_text(rest: Sequence, number: int, text: str) -> Sequence:
    return Sequence((LiteralText(text), *(_replaced_references(part, number, text) for part in rest.parts)))


def _replaced_references(regex: Regex, number: int, text: str) -> Regex:
    match regex:
        case BackReference(referred) if referred == number:
            return LiteralText(text)
        case Sequence(parts):
            return Sequence(tuple(_replaced_references(part, number, text) for part in parts))
        case Choice(options):
            return Choice(tuple(_replaced_references(option, number, text) for option in options))
        case Repeat(part) | IgnoreCase(part) | Look(part) | Group(_, part):
            return replace(regex, part=_replaced_references(part, number, text))
        case _:
            return regex


def _referred_groups(regex: Regex) -> set[int]:
    own = {regex.number} if isinstance(regex, BackReference) else set()
    return own.union(*map(_referred_groups, parts_of(regex)))


def texts(regex: Regex) -> list[str]:
    """The texts of an expression, in the order in which a matcher would try them."""
    found = list(dict.fromkeys(_texts(regex)))
    if len(found) > MOST_TEXTS:
        raise RegexError(f"a back-reference to a group of more than {MOST_TEXTS} texts")
    return found


def _texts(regex: Regex) -> list[str]:
    match regex:
        case LiteralText(characters):
            return [characters]
        case CharacterSet(rust):
            pairs = ranges(rust, False)
            if sum(high - low + 1 for low, high in pairs) > MOST_TEXTS:
                raise RegexError(f"a back-reference to a group of more than {MOST_TEXTS} texts")
            return [chr(number) for low, high in pairs for number in range(low, high + 1)]
        case Choice(options):
            return [text for option in options for text in texts(option)]
        case Sequence(parts):
            found = [""]
            for part in parts:
                found = [text + end for text in found for end in texts(part)][: MOST_TEXTS + 1]
            return found
        case Group(_, part):
            return texts(part)
        case Repeat(part, least, int(most), lazy):
            counts = range(least, most + 1) if lazy else range(most, least - 1, -1)
            return [text for count in counts for text in texts(Sequence((part,) * count))]
        case Repeat():
            raise RegexError("a back-reference to a group of unbounded length")
        case _:
            raise RegexError("a back-reference to a group with look-around, flags or references of its own")
