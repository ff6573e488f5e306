"""Replay: cut holes into real files and see what becomes of them.

At this stage there is no model to fill the holes, so what is replayed is the truth: the text that was cut out
must be accepted from its first character to its last, and must then make the file whole. The cut is that of
the paper's STACK-RANDSPAN: the hole begins at a random character of the first 90 % of the file, and up to 100
characters or a fifth of the file, whichever is less, are cut out.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from fim_lsp.sources import Unreadable, read_source
from quotient import Language, NoCompletion


class Outcome(Enum):
    ACCEPTED = "accepted"
    # No text at all fits the hole, the engine says, though one did.
    NO_COMPLETION = "no completion"
    # The engine refused a character of the true middle.
    REFUSED = "refused"
    # Every character was accepted, but not the whole.
    NOT_MEMBER = "not a member"


@dataclass(frozen=True, slots=True)
class Case:
    """One hole. The offsets count characters; `refused_at` is the first one that was not accepted."""

    path: str
    start: int
    stop: int
    outcome: Outcome
    refused_at: int | None = None


@dataclass(frozen=True, slots=True)
class Excluded:
    """A file that takes no part, because the interpreter running us cannot read or parse it either."""

    path: str
    reason: str


def random_spans(n_characters: int, n_cuts: int, seed: str) -> list[tuple[int, int]]:
    """The same cuts for the same length, count and seed, on every machine."""
    chosen = random.Random(seed)
    starts = [chosen.randint(0, n_characters * 9 // 10) for _ in range(n_cuts)]
    return [(start, start + chosen.randint(0, longest_cut(n_characters, start))) for start in starts]


def longest_cut(n_characters: int, start: int) -> int:
    return min(100, n_characters // 5, n_characters - start)


def replay(language: Language, paths: Iterable[str], n_cuts: int, seed: int) -> Iterator[Case | Excluded]:
    for path in paths:
        try:
            text = read_source(path).text
            ast.parse(text)
        except (Unreadable, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield Excluded(path, str(error))
            continue
        for start, stop in random_spans(len(text), n_cuts, f"{seed} {Path(path).name} {len(text)}"):
            yield replayed(language, path, text, start, stop)


def replayed(language: Language, path: str, text: str, start: int, stop: int) -> Case:
    try:
        recognizer = language.recognizer(text[:start], text[stop:])
    except NoCompletion:
        return Case(path, start, stop, Outcome.NO_COMPLETION)
    for offset, character in enumerate(text[start:stop], start):
        if not recognizer.advance(character):
            return Case(path, start, stop, Outcome.REFUSED, offset)
    return Case(path, start, stop, Outcome.ACCEPTED if recognizer.is_member() else Outcome.NOT_MEMBER)
