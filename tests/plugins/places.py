"""Places in real files: a line whose rest is missing, and whose last keys are typed.

Files are short, so that every plugin sends the whole file, and the smallest model reads it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

SHORTEST, LONGEST = 300, 2_200
# The number of typed keys. The text in front of them is there when the file is opened.
N_KEYS = 4
# llama.vim asks by itself only if at most this many characters stand right of the cursor in its line.
MOST_BEHIND = 8


@dataclass(frozen=True, slots=True)
class Place:
    """A place to type at: `keys` are the end of the text left of the final cursor."""

    left: str
    keys: str
    right: str

    @property
    def whole_left(self) -> str:
        return self.left + self.keys


def places(texts: Sequence[str], count: int, seed: str, longest: int = LONGEST) -> list[Place]:
    """Distinct places of Python files that parse, spread over the files."""
    random = Random(seed)
    usable = [text for text in texts if SHORTEST <= len(text) <= longest and is_plain(text)]
    found: list[Place] = []
    while len(found) < count:
        place = place_in(random, random.choice(usable))
        if place is not None and place not in found:
            found.append(place)
    return found


def is_plain(text: str) -> bool:
    """Whether keys can type the text: no tabs, only ASCII, one kind of line end."""
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
    """The text right of the cursor in its line: nothing, or the closers that an editor has inserted."""
    closers = rest[len(rest.rstrip(")]}:")) :]
    return closers if closers.strip(":") and len(closers) <= MOST_BEHIND and random.random() < 0.5 else ""
