r"""Sets of characters as ranges of code points, and back as classes of Rust's `regex`.

Key idea: Python itself says which characters a set holds, with `\w` and the flag `i`: the set is matched once
against all characters. The classes that an automaton distinguishes are then the pieces into which the sets
cut each other.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from quotient.expressions.regexes import CharacterSet, RegexError, rust_character

Ranges = tuple[tuple[int, int], ...]
# The members of Python's `\w`: letters and all that is numeric, but no marks.
WORD = r"\p{L}\p{N}_"
# A set with so many ranges may be written as a difference to another one, with at most so many ranges.
MANY = 200
FEW = 20
SURROGATES = (0xD800, 0xDFFF)
LAST = sys.maxunicode


@cache
def ranges(rust: str, is_case_ignored: bool) -> Ranges:
    """The characters of a set in Rust's syntax, in the form of the grammar's reader."""
    runs = _python_set(rust, is_case_ignored, "+").finditer(all_characters())
    return ranges_of_runs(run.span() for run in runs)


def is_empty_set(rust: str, is_case_ignored: bool) -> bool:
    """Whether a set is empty. Sets of properties count as non-empty."""
    if not rust.startswith("[^"):
        return False
    try:
        return _python_set(rust, is_case_ignored).search(all_characters()) is None
    except RegexError:
        return False


def _python_set(rust: str, is_case_ignored: bool, times: str = "") -> re.Pattern[str]:
    """The set in Python's syntax. Raises RegexError if Python cannot express it."""
    rust = rust.replace(WORD, r"\w")
    if "&&" in rust or r"\p" in rust or r"\P" in rust:
        raise RegexError(f"`{rust}` together with look-around or laziness")
    python = re.sub(r"\\x\{([0-9A-F]+)\}", lambda match: f"\\U{int(match[1], 16):08x}", rust)
    return re.compile(f"(?:{python}){times}", re.IGNORECASE if is_case_ignored else re.NOFLAG)


def ranges_of_runs(runs: Iterable[tuple[int, int]]) -> Ranges:
    """The characters in spans of the text of all characters."""
    # The text of all characters lacks the surrogates, so later positions are too small by their number.
    n_missing = SURROGATES[1] - SURROGATES[0] + 1
    found: list[tuple[int, int]] = []
    for low, end in runs:
        high = end - 1
        if low < SURROGATES[0] <= high:
            found.append((low, SURROGATES[0] - 1))
            low = SURROGATES[0]
        moved = n_missing if low >= SURROGATES[0] else 0
        found.append((low + moved, high + moved))
    return tuple(found)


@cache
def all_characters() -> str:
    """The characters, in the order of the code points."""
    return "".join(map(chr, (*range(SURROGATES[0]), *range(SURROGATES[1] + 1, LAST + 1))))


def of_character(character: str, is_case_ignored: bool) -> Ranges:
    """The ranges of a character, with those that the flag `i` adds."""
    if not is_case_ignored or not (character.isalpha() or character.isnumeric()):
        return ((ord(character), ord(character)),)
    return ranges(rust_character(character), True)


def pieces(sets: Iterable[Ranges]) -> list[tuple[Ranges, frozenset[Ranges]]]:
    """The pieces that the sets cut each other into, each with the sets that hold it."""
    known = set(sets)
    ends: dict[int, list[Ranges]] = {}
    for one in known:
        for low, high in one:
            ends.setdefault(low, []).append(one)
            ends.setdefault(high + 1, []).append(one)
    found: dict[frozenset[Ranges], list[tuple[int, int]]] = {}
    holding: set[Ranges] = set()
    places = sorted(ends)
    for place, following in pairwise([*places, LAST + 1]):
        holding.symmetric_difference_update(_odd(ends[place]))
        if holding:
            found.setdefault(frozenset(holding), []).append((place, following - 1))
    return [(tuple(parts), holders) for holders, parts in found.items()]


def _odd(sets: list[Ranges]) -> set[Ranges]:
    """The sets that occur an odd number of times: a set continues if one of its ranges ends where another
    begins."""
    return {one for one in sets if sets.count(one) % 2}


def union(parts: Iterable[Ranges]) -> Ranges:
    """The union of disjoint sets."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(pair for part in parts for pair in part):
        follows = joined and (joined[-1][1] == low - 1 or (joined[-1][1], low) == (0xD7FF, 0xE000))
        if follows:
            joined[-1] = (joined[-1][0], high)
        else:
            joined.append((low, high))
    return tuple(joined)


def rust_class(characters: Ranges) -> CharacterSet:
    """The class of these characters, in the shorter of two forms."""
    if len(characters) == 1 and characters[0][0] == characters[0][1]:
        return CharacterSet(rust_character(chr(characters[0][0])))
    others = complement(characters)
    if not others:
        return CharacterSet("(?s:.)")
    if len(others) < len(characters):
        return CharacterSet("[^" + "".join(map(_range, others)) + "]")
    return CharacterSet("[" + "".join(map(_range, characters)) + "]")


def short_rust_class(characters: Ranges) -> CharacterSet:
    r"""The class of characters; `\w` with small differences is written in a syntax that `ranges` does not
    read."""
    if len(characters) < MANY:
        return rust_class(characters)
    word = ranges(r"\w", False)
    found = {holders: part for part, holders in pieces([characters, word])}
    missing, more = found.get(frozenset([word]), ()), found.get(frozenset([characters]), ())
    if len(missing) + len(more) > FEW:
        return rust_class(characters)
    without = f"--[{''.join(map(_range, missing))}]" if missing else ""
    return CharacterSet(f"[[[{WORD}]{without}]{''.join(map(_range, more))}]")


def complement(characters: Ranges) -> Ranges:
    """The other characters."""
    found = []
    start = 0
    for low, high in characters:
        if start < low and (start, low - 1) != SURROGATES:
            found.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        found.append((start, LAST))
    return tuple(found)


def _range(ends: tuple[int, int]) -> str:
    low, high = ends
    first = rust_character(chr(low))
    return first if low == high else f"{first}-{rust_character(chr(high))}"
