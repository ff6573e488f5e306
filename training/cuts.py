"""Where a text is cut into a left context, a middle and a right context.

SantaCoder's training cuts at two places anywhere. An editor asks at other places: behind what somebody
has just typed, up to the end of the line, of the bracket or of the block. So most cuts here are of these
kinds; every kind cuts at characters, so that the model also learns what to do with half a word.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple


class Cut(NamedTuple):
    left: str
    middle: str
    right: str


def cut(text: str, rng: random.Random) -> Cut:
    """Cuts a text at two places. Where a kind finds no place in this text, the cut is anywhere."""
    [kind] = rng.choices(KINDS, WEIGHTS)
    start, stop = kind(text, rng) or anywhere(text, rng)
    return Cut(text[:start], text[start:stop], text[stop:])


Span = tuple[int, int]


def anywhere(text: str, rng: random.Random) -> Span:
    first, second = rng.randint(0, len(text)), rng.randint(0, len(text))
    return min(first, second), max(first, second)


def short_span(text: str, rng: random.Random) -> Span:
    """Up to a hundred characters, as in the data set StackRandSpan."""
    start = rng.randint(0, len(text))
    return start, min(len(text), start + rng.randint(1, 100))


def rest_of_line(text: str, rng: random.Random) -> Span | None:
    """From the line's first character, or from somewhere behind it, to the end of the line."""
    line = filled_line(text, rng)
    if line is None:
        return None
    start, stop = line
    if rng.random() < 0.6:
        start = rng.randint(start, stop)
    return start, stop


def lines(text: str, rng: random.Random) -> Span | None:
    """From the first character of a line to the end of it or of one of the next lines."""
    line = filled_line(text, rng)
    if line is None:
        return None
    start, stop = line
    for _ in range(rng.randint(1, 6)):
        following = text.find("\n", stop + 1)
        if following < 0:
            break
        stop = following
    return start, start + len(text[start:stop].rstrip())


def in_brackets(text: str, rng: random.Random) -> Span | None:
    """From behind an opening bracket, or from somewhere inside, to the bracket that closes it."""
    openers = [index for index, character in enumerate(text) if character in "([{"]
    if not openers:
        return None
    start = rng.choice(openers) + 1
    depth = 1
    for stop in range(start, min(len(text), start + 300)):
        depth += (text[stop] in "([{") - (text[stop] in ")]}")
        if depth == 0:
            return (start if rng.random() < 0.6 else rng.randint(start, stop)), stop
    return None


def filled_line(text: str, rng: random.Random) -> Span | None:
    """A line with something on it, from its first character that is not blank to its end."""
    for _ in range(8):
        where = rng.randint(0, max(0, len(text) - 1))
        start = text.rfind("\n", 0, where) + 1
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        line = text[start:stop]
        if line.strip():
            return start + len(line) - len(line.lstrip()), stop
    return None


Kind = Callable[[str, random.Random], Span | None]
KINDS: tuple[Kind, ...] = (anywhere, short_span, rest_of_line, lines, in_brackets)
WEIGHTS = (0.20, 0.15, 0.35, 0.15, 0.15)
