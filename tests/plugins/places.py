"""Places in real files: a line of which the last keys are typed, and whose rest is gone.

Files are short, so that the whole of one fits into what every plugin sends of it and what the smallest
model reads.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

SHORTEST, LONGEST = 300, 2_200
# How many keys are typed; the rest of what stands left of the cursor is there when the file is opened.
N_KEYS = 4
# llama.vim asks by itself only where so few characters stand right of the cursor in its line.
MOST_BEHIND = 8


@dataclass(frozen=True, slots=True)
class Place:
    """Where is typed: `keys` are the end of what then stands left of the cursor."""

    left: str
    keys: str
    right: str

    @property
    def whole_left(self) -> str:
        return self.left + self.keys


def places(texts: Sequence[str], count: int, seed: str, longest: int = LONGEST) -> list[Place]:
    """Different places of Python files that parse, spread over them."""
    random = Random(seed)
    usable = [text for text in texts if SHORTEST <= len(text) <= longest and is_plain(text)]
    found: list[Place] = []
    while len(found) < count:
        place = place_in(random, random.choice(usable))
        if place is not None and place not in found:
            found.append(place)
    return found


def is_plain(text: str) -> bool:
    """Whether keys can type it: no tabs, no signs beyond ASCII, one kind of line end."""
    if not text.isascii() or "\t" in text or "\r" in text or not text.endswith("\n"):
        return False
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def place_in(random: Random, text: str) -> Place | None:
    """A place inside a line of code, or at its end."""
    lines = text.splitlines(keepends=True)
    number = random.randrange(len(lines))
    line = lines[number].rstrip("\n")
    begin = len(line) - len(line.lstrip())
    if len(line) - begin < N_KEYS + 2 or line.lstrip().startswith(("#", '"', "'")):
        return None
    cursor = random.randint(begin + N_KEYS, len(line) - 1)
    kept = behind(random, line[cursor:])
    before, after = "".join(lines[:number]), "\n" + "".join(lines[number + 1 :])
    return Place(before + line[: cursor - N_KEYS], line[cursor - N_KEYS : cursor], kept + after)


def behind(random: Random, rest: str) -> str:
    """The text right of the cursor in its line: nothing, or the closers that an editor has put there."""
    closers = rest[len(rest.rstrip(")]}:")) :]
    return closers if closers.strip(":") and len(closers) <= MOST_BEHIND and random.random() < 0.5 else ""
