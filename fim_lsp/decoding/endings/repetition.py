"""Loops: small models begin to repeat themselves, and then never end.

    self.x = x
    self.x = x          a line that repeats the one above it, or several lines that repeat those
    f(b, b, b, b, b     or, within a line, a few words

The first of equal texts is kept. The rule is a matter of taste, not of grammar, since a table of equal rows
is code, too. So the limits leave room for data.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

# The most whole lines that may repeat as many in front of them.
N_LINES = 6
# Within a line: the longest phrase, how much of the text is examined, and how often a phrase must come, by
# its length.
LONGEST, N_LOOKED_AT = 60, 480
TIMES = ((10, 3), (4, 4), (1, 10))
# A ruler of one character may be as long as a line; one of brackets and commas may not.
RULER, SIGNS, REPEATED = 100, 24, 6
# Beginnings of lines that no programmer writes twice in a row. (`next(lines)` may be.)
ONCE = re.compile(rb"(import|from|return|def|class|@)\b|[\w.]+\s*(:[^=]*)?=[^=]|\w+\s*:\s*\w")
WORD = re.compile(rb"[^\W_]")


@dataclass(frozen=True, slots=True)
class Loop:
    """A repetition, by the number of bytes in front of it. `is_line`: whole lines are repeated."""

    n_bytes: int
    is_line: bool


def loop(above: bytes, text: bytes, is_end: bool = False) -> Loop | None:
    """The loop in which a text behind the lines `above` ends, if there is one.

    `is_end`: nothing follows, so the last line is complete.
    """
    n_bytes = repeated_lines(above, text, is_end)
    if n_bytes is not None:
        return Loop(n_bytes, is_line=True)
    n_bytes = repeated_phrase(text)
    return None if n_bytes is None else Loop(n_bytes, is_line=False)


def repeated_lines(above: bytes, text: bytes, is_end: bool) -> int | None:
    """The start of the first line that repeats those in front of it, its line break included."""
    whole = above + text
    ends = [found.start() for found in re.finditer(rb"\n", whole)]
    if is_end:
        ends.append(len(whole))
    # (start, what stands there) of whole lines that are not blank.
    lines = [
        (start, stripped)
        for start, end in pairwise([-1, *ends])
        if (stripped := whole[start + 1 : end].strip()) and stripped.strip(b")]},:")
    ]
    if not lines or not ends or ends[-1] < len(above):
        return None
    for n in range(1, min(N_LINES, len(lines) // 2) + 1):
        repeated, before = lines[-n:], lines[-2 * n : -n]
        if [line for _, line in repeated] != [line for _, line in before]:
            continue
        start = repeated[0][0]
        # The cursor's own line began in front of the text.
        is_cursors = start < len(above)
        if is_cursors and b"\n" in above[max(0, start + 1) :]:
            continue
        if is_twice_too_often([line for _, line in repeated], is_cursors):
            return max(0, start - len(above))
    return None


def is_twice_too_often(lines: list[bytes], is_cursors: bool) -> bool:
    if is_cursors or len(lines) == 1:
        return any(ONCE.match(line) for line in lines) or (not is_cursors and len(lines[0]) > 12)
    return sum(map(len, lines)) > 12


def repeated_phrase(text: bytes) -> int | None:
    """The second occurrence of a phrase with which the text ends too often."""
    tail = text[-N_LOOKED_AT:]
    for length in range(1, min(LONGEST, len(tail) // 3) + 1):
        phrase = tail[-length:]
        if tail[-2 * length : -length] != phrase or tail[-3 * length : -2 * length] != phrase:
            continue
        n_repeated = 3 * length
        while n_repeated < len(tail) and tail[-n_repeated - 1] == tail[-n_repeated - 1 + length]:
            n_repeated += 1
        if WORD.search(phrase) is None:
            is_loop = n_repeated >= most_without_words(phrase)
        else:
            least = next(times for shortest, times in TIMES if length >= shortest)
            is_loop = n_repeated >= least * length
        if is_loop:
            return len(text) - n_repeated + length
    return None


def most_without_words(phrase: bytes) -> int:
    """The most bytes that repetitions of a phrase without a word may take."""
    if b"\n" in phrase and not phrase.strip():
        return REPEATED * len(phrase)
    return RULER if len(set(phrase)) == 1 else max(SIGNS, REPEATED * len(phrase))
