"""Regular expressions as programs of a backtracking matcher: characters, ordered choices, look-around.

A program is a table of nodes, each with its next nodes, so that many matchers can run at once (Pike's
machine). `expressions/terminal_automata.py` runs it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from quotient.expressions.character_sets import Ranges, of_character, ranges
from quotient.expressions.regexes import (
    Boundary,
    CharacterSet,
    Choice,
    IgnoreCase,
    LiteralText,
    Look,
    Regex,
    RegexError,
    Repeat,
    Sequence,
)

# Counted repetitions are expanded, up to so many nodes; no real terminal has more.
MOST_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Character:
    """Reads one character of a set."""

    characters: Ranges
    following: int


@dataclass(slots=True)
class Split:
    """Goes on in several ways, in this order."""

    ways: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ahead:
    """Goes on if another program matches, or does not match, at the beginning of the following text."""

    start: int
    is_negative: bool
    following: int


@dataclass(frozen=True, slots=True)
class Lookbehind:
    """Goes on if another program matches, or does not match, at the end of the text read so far."""

    start: int
    is_negative: bool
    following: int


@dataclass(frozen=True, slots=True)
class WordEdge:
    """Goes on at an edge of a word, or elsewhere."""

    is_negative: bool
    word: Ranges
    following: int


@dataclass(frozen=True, slots=True)
class Match:
    """The end of a program."""


Node = Character | Split | Ahead | Lookbehind | WordEdge | Match
MATCH = 0


@dataclass(slots=True)
class Program:
    """The nodes of an expression; node 0 is the end."""

    nodes: list[Node] = field(default_factory=lambda: [Match()])
    start: int = MATCH

    def add(self, node: Node) -> int:
        if len(self.nodes) > MOST_NODES:
            raise RegexError("more repetitions than an automaton has room for")
        self.nodes.append(node)
        return len(self.nodes) - 1

    def compile_regex(self, regex: Regex, following: int, is_case_ignored: bool = False) -> int:
        """The first node of an expression in front of the node `following`."""

        def compiled(part: Regex, following: int) -> int:
            return self.compile_regex(part, following, is_case_ignored)

        match regex:
            case LiteralText(characters):
                for character in reversed(characters):
                    following = self.add(Character(of_character(character, is_case_ignored), following))
                return following
            case CharacterSet(rust):
                return self.add(Character(ranges(rust, is_case_ignored), following))
            case Sequence(parts):
                for part in reversed(parts):
                    following = compiled(part, following)
                return following
            case Choice(options):
                return self.add(Split(tuple(compiled(option, following) for option in options)))
            case IgnoreCase(part):
                return self.compile_regex(part, following, True)
            case Repeat():
                return self.compile_repeat(regex, following, compiled)
            case Boundary(is_negative, word):
                return self.add(WordEdge(is_negative, ranges(word.rust, False), following))
            case Look(part, True, is_negative):
                if longest_text(part) is None:
                    raise RegexError("look-behind of unbounded length")
                return self.add(Lookbehind(compiled(part, MATCH), is_negative, following))
            case Look(part, False, is_negative):
                return self.add(Ahead(compiled(part, MATCH), is_negative, following))
            case _:
                raise AssertionError("groups and back-references are rewritten by the reader")

    def compile_repeat(self, repeat: Repeat, following: int, compiled: Callable[[Regex, int], int]) -> int:
        def split(once: int) -> tuple[int, ...]:
            return (following, once) if repeat.lazy else (once, following)

        if repeat.most is None:
            loop = Split(())
            start = self.add(loop)
            loop.ways = split(compiled(repeat.part, start))
        else:
            start = following
            for _ in range(repeat.most - repeat.least):
                start = self.add(Split(split(compiled(repeat.part, start))))
        for _ in range(repeat.least):
            start = compiled(repeat.part, start)
        return start


def program(regex: Regex) -> Program:
    """The program of a terminal."""
    found = Program()
    found.start = found.compile_regex(regex, MATCH)
    return found


def longest_text(regex: Regex) -> int | None:
    """The most characters of the expression; None if it is unbounded."""
    match regex:
        case LiteralText(characters):
            return len(characters)
        case CharacterSet():
            return 1
        case Sequence(parts):
            lengths = [longest_text(part) for part in parts]
            known = [length for length in lengths if length is not None]
            return sum(known) if len(known) == len(lengths) else None
        case Choice(options):
            lengths = [longest_text(option) for option in options]
            known = [length for length in lengths if length is not None]
            return max(known) if len(known) == len(lengths) else None
        case Repeat(part, _, most):
            length = longest_text(part)
            return 0 if length == 0 else None if most is None or length is None else length * most
        case IgnoreCase(part):
            return longest_text(part)
        case _:
            return 0
