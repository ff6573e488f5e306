"""The patterns of terminals: a reader for the part of Rust's regex syntax that grammars use.

Key idea: a pattern becomes an expression over sets of characters, which `automata` understands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import regex  # type: ignore[import-untyped]

from tests.reference.ages import age

CONTROL = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, eq=False)
class Characters:
    """A set of characters, as the question whether a character belongs to it."""

    has: Callable[[str], bool]


def one_character(wanted: str) -> Characters:
    return Characters(lambda character: character == wanted)


def literal(text: str, ignore_case: bool = False) -> Any:
    characters = [one_character(character) for character in text]
    return {"seq": [_any_case(one) for one in characters] if ignore_case else characters}


def pattern(source: str) -> Any:
    """The expression of a pattern."""
    reader = _Reader(source)
    expression = reader.choice()
    assert reader.position == len(source), (source, reader.position)
    return expression


def _any_case(characters: Characters) -> Characters:
    def has(character: str) -> bool:
        return any(map(characters.has, {character, *character.lower(), *character.upper()}))

    return Characters(has)


def _property(name: str) -> Callable[[str], bool]:
    if name.startswith("Age="):
        newest = tuple(map(int, name[4:].split(".")))
        return lambda character: age(character) <= newest
    # The tables of this package are newer than those of any version under test.
    property_pattern = regex.compile(rf"\p{{{name}}}")
    return lambda character: property_pattern.match(character) is not None


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.ignore_case = False

    def has(self, text: str) -> bool:
        return self.source.startswith(text, self.position)

    def skip(self, text: str) -> bool:
        found = self.has(text)
        self.position += len(text) * found
        return found

    def next(self) -> str:
        self.position += 1
        return self.source[self.position - 1]

    def choice(self) -> Any:
        options = [self.sequence()]
        while self.skip("|"):
            options.append(self.sequence())
        return {"alt": options}

    def sequence(self) -> Any:
        parts = []
        while self.position < len(self.source) and not self.has("|") and not self.has(")"):
            parts.append(self.repeated(self.unit()))
        return {"seq": parts}

    def repeated(self, part: Any) -> Any:
        if self.skip("*"):
            return {"star": part}
        if self.skip("+"):
            return {"plus": part}
        if self.skip("?"):
            return {"opt": part}
        if self.skip("{"):
            end = self.source.index("}", self.position)
            least, comma, most = self.source[self.position : end].partition(",")
            self.position = end + 1
            required = [part] * int(least)
            if comma and not most:
                return {"seq": [*required, {"star": part}]}
            return {"seq": [*required, *[{"opt": part}] * (int(most or least) - int(least))]}
        return part

    def unit(self) -> Any:
        if self.skip("(?i:"):
            outer, self.ignore_case = self.ignore_case, True
            inner = self.choice()
            self.ignore_case = outer
            assert self.skip(")")
            return inner
        if self.skip("(?s:.)"):
            return Characters(lambda _: True)
        if self.skip("(?:"):
            inner = self.choice()
            assert self.skip(")")
            return inner
        if self.skip("["):
            characters = self.set()
        elif self.skip("."):
            characters = Characters(lambda character: character != "\n")
        elif self.skip("\\"):
            characters = self.escape()
        else:
            characters = one_character(self.next())
        return _any_case(characters) if self.ignore_case else characters

    def escape(self) -> Characters:
        letter = self.next()
        if letter == "p":
            end = self.source.index("}", self.position)
            name = self.source[self.position + 1 : end]
            self.position = end + 1
            return Characters(_property(name))
        if letter in "dws":
            test = {
                "d": str.isdecimal,
                "w": lambda character: character.isalnum() or character == "_",
                "s": str.isspace,
            }
            return Characters(test[letter])
        return one_character(self.escaped_character(letter))

    def escaped_character(self, letter: str) -> str:
        if letter == "x":
            end = self.source.index("}", self.position)
            digits = self.source[self.position + 1 : end]
            self.position = end + 1
            return chr(int(digits, 16))
        return CONTROL.get(letter, letter)

    def set(self) -> Characters:
        """The rest of a set: unions of members, with an intersection at each `&&`."""
        is_negated = self.skip("^")
        unions: list[list[Characters]] = [[]]
        while not self.skip("]"):
            if self.skip("&&"):
                unions.append([])
            elif self.skip("["):
                unions[-1].append(self.set())
            else:
                unions[-1].append(self.member())

        def has(character: str) -> bool:
            is_inside = all(any(one.has(character) for one in union) for union in unions)
            return is_inside != is_negated

        return Characters(has)

    def member(self) -> Characters:
        start = self.position
        if self.skip("\\") and self.source[self.position] in "pdws":
            return self.escape()
        self.position = start
        low = self.set_character()
        if not self.skip("-"):
            return one_character(low)
        high = self.set_character()
        return Characters(lambda character: low <= character <= high)

    def set_character(self) -> str:
        return self.escaped_character(self.next()) if self.skip("\\") else self.next()
