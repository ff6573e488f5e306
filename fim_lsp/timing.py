"""Times the engine on one file: what a hole in it costs once, and what each character costs then.

For Python, `ast.parse` of the same text, in the same process, is the yardstick: ratios carry over to other
machines, absolute times do not.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from quotient import Language, Recognizer

# The number of the characters behind the hole's start that are typed into it.
N_TYPED = 200


@dataclass(frozen=True, slots=True)
class Timing:
    """Medians over `n_runs`, in seconds. `ast_parse` is None for a file that this interpreter rejects, and
    for other languages.

    `first` is a single run, the first recognizer for this file: the engine keeps the charts that it has seen,
    so the later ones, whose median is `again`, are quicker.
    """

    name: str
    language: str
    n_characters: int
    n_runs: int
    ast_parse: float | None
    first: float
    again: float
    advance: float
    is_member: float
    fork: float
    witness: float

    @property
    def first_ratio(self) -> float | None:
        return self.first / self.ast_parse if self.ast_parse else None


def time_language(language: Language, name: str, text: str, n_runs: int) -> Timing:
    """Cuts up to N_TYPED characters out of the middle of the file, and types them again one by one."""
    start = len(text) // 2
    stop = min(len(text), start + N_TYPED)
    left, middle, right = text[:start], text[start:stop], text[stop:]
    begin = time.perf_counter()
    recognizer = language.recognizer(left, right)
    first = time.perf_counter() - begin
    return Timing(
        name=name,
        language=language.name,
        n_characters=len(text),
        n_runs=n_runs,
        ast_parse=ast_parse_time(text, n_runs) if language.name == "python" else None,
        first=first,
        again=median_time(lambda: language.recognizer(left, right), n_runs),
        advance=median(advance_time(recognizer.fork(), middle) for _ in range(n_runs)),
        is_member=median_time(recognizer.is_member, n_runs),
        fork=median_time(recognizer.fork, n_runs),
        witness=median_time(recognizer.witness, n_runs),
    )


def advance_time(recognizer: Recognizer, typed: str) -> float:
    """The mean time of one character, as far as the text is accepted."""
    n_typed = 0
    begin = time.perf_counter()
    for character in typed:
        n_typed += 1
        if not recognizer.advance(character):
            break
    return (time.perf_counter() - begin) / max(1, n_typed)


def ast_parse_time(text: str, n_runs: int) -> float | None:
    try:
        return median_time(lambda: ast.parse(text), n_runs)
    except (SyntaxError, ValueError):
        return None


def median_time(act: Callable[[], object], n_runs: int) -> float:
    times: list[float] = []
    for _ in range(n_runs):
        begin = time.perf_counter()
        act()
        times.append(time.perf_counter() - begin)
    return median(times)
