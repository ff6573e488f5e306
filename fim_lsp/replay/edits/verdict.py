"""The verdict on an edit on the way to the next release: a whole hunk, whole lines, a part of a line, or
nothing.

    now     self.assertEquals(a, b)
    edit    self.assertEqual(a, b)
    goal    self.assertEqual(a, c)      each symbol of the edit stands there, and none has to be taken back
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.edits.texts.hunks import Hunk, LineDiff
from fim_lsp.edits.texts.symbols import symbols
from fim_lsp.positions import Lines

Verdict = Literal["exact", "part", "inside", "wrong"]
# The share that a goal's line has in common with an edited line that leads to it.
LEAST_ALIKE = 0.5
# A statement that a formatter broke into several lines has no more lines than this.
MOST_BROKEN = 20
BROKEN_COMMA = re.compile(r",\s*([)\]}])")
# A line also counts as like another one that has all its symbols, if these are no fewer: `f(a)` became
# `f(a: int) -> dict[str, int]`.
LEAST_HELD = 5


def verdict(current: Lines, goal: Lines, rest: Sequence[Hunk], edit: NextEdit) -> tuple[Verdict, Hunk | None]:
    """The verdict on an edit of the text as it is, and the hunk of the rest that it belongs to."""
    near = [hunk for hunk in rest if hunk.old_start <= edit.end + 1 and edit.start <= hunk.old_stop + 1]
    for hunk in near:
        if is_whole(current.text, goal.text, hunk, edit):
            return "exact", hunk
    if not near:
        return "wrong", None
    after = current.with_edit(edit.start, edit.end, edit.new)
    if has_whole_lines(current, after, goal):
        return "part", near[0]
    inside = next((one for one in near if is_inside(current, goal, one, edit)), None)
    return ("wrong", None) if inside is None else ("inside", inside)


def is_whole(text: str, goal: str, hunk: Hunk, edit: NextEdit) -> bool:
    """Whether an edit is all of a hunk."""
    begin, end = min(hunk.old_start, edit.start), max(hunk.old_stop, edit.end)
    wanted = text[begin : hunk.old_start] + goal[hunk.new_start : hunk.new_stop] + text[hunk.old_stop : end]
    return text[begin : edit.start] + edit.new + text[edit.end : end] == wanted


def has_whole_lines(current: Lines, after: Lines, goal: Lines) -> bool:
    """Whether every line that an edit leaves behind stands in the goal as it is."""
    own = LineDiff.of(current, after).hunks
    left = LineDiff.of(after, goal).hunks
    return bool(own) and not any(
        (mine.new_first < other.old_last and other.old_first < mine.new_last)
        or mine.new_first == mine.new_last
        for mine in own
        for other in left
    )


def is_inside(current: Lines, goal: Lines, hunk: Hunk, edit: NextEdit) -> bool:
    """Whether all of an edit brings each line that it changes nearer to the most similar line of the goal."""
    first, last = current.line_at(edit.start), current.line_at(edit.end)
    begin = current.starts[first]
    end = current.starts[last + 1] if last + 1 < len(current) else len(current.text)
    before = Lines(current.text[begin:end])
    after = before.with_edit(edit.start - begin, edit.end - begin, edit.new)
    wanted = [*statements(goal, hunk.new_first, hunk.new_last)]
    if len(before) != len(after):
        return False
    rows = [(before.content(row), after.content(row)) for row in range(len(before))]
    changed = [(one, other) for one, other in rows if one != other]
    return bool(changed) and all(any(leads_to(one, other, line) for line in wanted) for one, other in changed)


def statements(goal: Lines, first: int, last: int) -> Iterator[str]:
    """Some lines; a line that opens a bracket and does not close it is joined with those that follow, as it
    was before a formatter broke it into several."""
    for number in range(first, last):
        yield goal.content(number)
        depth, end = depth_of(goal.content(number)), number + 1
        while depth > 0 and end < min(last, number + MOST_BROKEN):
            depth += depth_of(goal.content(end))
            end += 1
        if end > number + 1 and depth == 0:
            joined = " ".join(goal.content(row).strip() for row in range(number, end))
            # The comma that formatters put behind the last one.
            yield BROKEN_COMMA.sub(r"\1", joined)


def depth_of(line: str) -> int:
    return sum(line.count(sign) for sign in "([{") - sum(line.count(sign) for sign in ")]}")


def leads_to(before: str, after: str, goal: str) -> bool:
    """Whether the change of a line is part of the shortest way to another line, or nothing of the changed
    line has to be taken back."""
    one, other, wanted = said_words(before), said_words(after), said_words(goal)
    n_shared = n_common(other, wanted)
    is_alike = n_shared >= LEAST_ALIKE * max(len(other), len(wanted))
    if not is_alike and (n_shared < min(len(other), len(wanted)) or n_shared < LEAST_HELD):
        return False
    nearer = apart(one, wanted) - apart(other, wanted)
    return nearer == apart(one, other) > 0 or (n_shared == len(other) and nearer > 0)


def said_words(line: str) -> list[str]:
    return [line[start:stop] for start, stop in symbols(line)]


def apart(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of symbols to remove and to insert."""
    return len(one) + len(other) - 2 * n_common(one, other)


def n_common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence, all rows of the table at once (Hyyrö, 2004)."""
    places: dict[str, int] = {}
    for number, symbol in enumerate(one):
        places[symbol] = places.get(symbol, 0) | 1 << number
    every = (1 << len(one)) - 1
    row = every
    for symbol in other:
        same = row & places.get(symbol, 0)
        row = ((row + same) | (row - same)) & every
    return len(one) - row.bit_count()
