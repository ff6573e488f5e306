"""The cuts of a text into a left context, a middle and a right context.

SantaCoder's training cuts at two random places. An editor asks elsewhere: behind the text that the user has
just typed, up to the end of the name, the line, the bracket, the statement or the block. So most cuts here
are of these kinds, and the middle ends where a reader would end it: from this the model learns to stop.
Blocks are recognized by their indentation, since a piece of a file seldom parses.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple


class TrainingCut(NamedTuple):
    left: str
    middle: str
    right: str


# The share of cuts without a right side: at the end of a file that is being written, nothing follows.
NOTHING_FOLLOWS = 0.1
# The most lines of a block or statement in a middle.
MOST_LINES = 24
# The greatest distance of two random places. A middle of a hundred lines teaches a hundred times that a text
# does not end with its line, although most requested texts do.
MOST_CHARACTERS = 400
NAME = re.compile(r"[^\W\d]\w{2,}")
TOKEN = re.compile(r"\w+|[^\w\s]")


def cut(text: str, rng: random.Random) -> TrainingCut:
    """Cuts a text at two places; at random ones if the text has no place of the wanted kind."""
    [kind] = rng.choices(KINDS, WEIGHTS)
    start, stop = kind(text, rng) or anywhere(text, rng)
    return TrainingCut(text[:start], text[start:stop], text[stop:])


def unfinished(parts: TrainingCut, rng: random.Random) -> TrainingCut:
    """The cut, sometimes moved to the end of a file; only if the middle ends with its line."""
    if parts.right.startswith("\n") and rng.random() < NOTHING_FOLLOWS:
        return parts._replace(right=rng.choice(("", "\n")))
    return parts


Span = tuple[int, int]


def anywhere(text: str, rng: random.Random) -> Span:
    start = rng.randint(0, len(text))
    return start, min(len(text), start + rng.randint(0, MOST_CHARACTERS))


def short_span(text: str, rng: random.Random) -> Span:
    """The span of up to a hundred characters, as in the data set StackRandSpan."""
    start = rng.randint(0, len(text))
    return start, min(len(text), start + rng.randint(1, 100))


def rest_of_line(text: str, rng: random.Random) -> Span | None:
    """The span from the line's first character, or from a later one, to the end of the line."""
    line = filled_line(text, rng)
    if line is None:
        return None
    start, stop = line
    return typed_up_to(text, start, stop, rng), stop


def rest_of_name(text: str, rng: random.Random) -> Span | None:
    """The span from within a name to its end."""
    where = rng.randint(0, len(text))
    name = NAME.search(text, where, where + 200)
    return (rng.randint(name.start() + 1, name.end() - 1), name.end()) if name else None


def in_brackets(text: str, rng: random.Random) -> Span | None:
    """The span from behind an opening bracket, or from somewhere inside, to the bracket that closes it."""
    openers = [index for index, character in enumerate(text) if character in "([{"]
    if not openers:
        return None
    start = rng.choice(openers) + 1
    depth = 1
    for stop in range(start, min(len(text), start + 300)):
        depth += (text[stop] in "([{") - (text[stop] in ")]}")
        if depth == 0:
            return typed_up_to(text, start, stop, rng), stop
    return None


def statement(text: str, rng: random.Random) -> Span | None:
    """The span from the beginning or the middle of a line to the end of its brackets and its block."""
    line = filled_line(text, rng)
    if line is None:
        return None
    start, stop = line
    return typed_up_to(text, start, stop, rng), end_of_block(text, start, deeper=True)


def rest_of_block(text: str, rng: random.Random) -> Span | None:
    """The span from the beginning or the middle of a line to the end of the block around it."""
    line = filled_line(text, rng)
    if line is None or text[line[0] - 1 : line[0]] in ("", "\n"):
        return None
    start, stop = line
    return typed_up_to(text, start, stop, rng), end_of_block(text, start, deeper=False)


def body(text: str, rng: random.Random) -> Span | None:
    """The body behind a colon or a brace at the end of a line, with or without its first indentation."""
    headers = [match.end() for match in re.finditer(r"[:{]\n(?=[ \t]+\S)", text)]
    if not headers:
        return None
    start = rng.choice(headers)
    first = start + len(text[start:]) - len(text[start:].lstrip(" \t"))
    return rng.choice((start - 1, first)), end_of_block(text, first, deeper=False)


def typed_up_to(text: str, start: int, stop: int, rng: random.Random) -> int:
    """The place that the typist has reached: the beginning, whole tokens, or any number of characters."""
    way = rng.random()
    if way < 0.35:
        return start
    if way < 0.75:
        ends = [match.end() for match in TOKEN.finditer(text, start, stop)]
        return rng.choice(ends[:-1]) if len(ends) > 1 else start
    return rng.randint(start, stop)


def end_of_block(text: str, start: int, *, deeper: bool) -> int:
    """The end of the last line of the block of the line that begins at `start`.

    `deeper` takes lines with more indentation than that line, and the closing brackets at its own
    indentation; otherwise lines with at least its indentation belong to the block.
    """
    indentation = start - (text.rfind("\n", 0, start) + 1)
    stop = text.find("\n", start)
    stop = len(text) if stop < 0 else stop
    end = stop
    for _ in range(MOST_LINES - 1):
        if stop >= len(text):
            break
        following = text.find("\n", stop + 1)
        following = len(text) if following < 0 else following
        line = text[stop + 1 : following]
        stop = following
        rest = line.lstrip(" \t")
        if not rest:
            continue
        n_blanks = len(line) - len(rest)
        if n_blanks < indentation or (deeper and n_blanks == indentation and rest[0] not in ")]}"):
            break
        end = stop
    return start + len(text[start:end].rstrip())


def filled_line(text: str, rng: random.Random) -> Span | None:
    """A non-blank line, from its first character that is not blank to its end."""
    for _ in range(8):
        where = rng.randint(0, max(0, len(text) - 1))
        start = text.rfind("\n", 0, where) + 1
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        line = text[start:stop]
        if line.strip():
            return start + len(line) - len(line.lstrip()), start + len(line.rstrip())
    return None


Kind = Callable[[str, random.Random], Span | None]
KINDS: tuple[Kind, ...] = (
    anywhere,
    short_span,
    rest_of_line,
    rest_of_name,
    in_brackets,
    statement,
    rest_of_block,
    body,
)
WEIGHTS = (0.08, 0.10, 0.36, 0.04, 0.12, 0.12, 0.10, 0.08)
