"""The replacements of a line, joined: from the first difference to the last, or as far as brackets
balance."""

from __future__ import annotations

from collections.abc import Iterator

from fim_lsp.edits.texts.change import FileChange, Replaced

# The longest replacement. A longer one counts as new text.
LONGEST = 400


def rows(change: FileChange) -> Iterator[Replaced]:
    """The replacement in each line, from the first difference to the last; two equal ones in a line stay
    separate."""
    for several in in_lines(change):
        if (whole := joined_row(change, several)) is not None:
            yield whole
        clusters = [*whole_rows(change, several)]
        if len(clusters) > 1:
            yield from (one for row in clusters if (one := joined_row(change, row)) is not None)


def balanced_rows(change: FileChange) -> Iterator[Replaced]:
    """The replacements, each extended until its brackets balance."""
    for several in in_lines(change):
        for row in whole_rows(change, several):
            if (one := joined_row(change, row)) is not None:
                yield one


def in_lines(change: FileChange) -> list[list[Replaced]]:
    found: dict[tuple[int, int], list[Replaced]] = {}
    for one in change.replaced:
        found.setdefault((one.hunk, change.old.lines.line_at(one.old_start)), []).append(one)
    return [*found.values()]


def whole_rows(change: FileChange, several: list[Replaced]) -> Iterator[list[Replaced]]:
    """Replacements in a line that only balance together: `Optional[` and `]` of `Optional[int]`."""
    row: list[Replaced] = []
    for one in several:
        row.append(one)
        old = change.old.text[row[0].old_start : one.old_stop]
        new = change.new.text[row[0].new_start : one.new_stop]
        if is_balanced(old) and is_balanced(new):
            yield row
            row = []
    if row:
        yield row


def joined_row(change: FileChange, several: list[Replaced]) -> Replaced | None:
    """Several replacements of one line as one; None if it is too long or spans lines."""
    first, last = several[0], several[-1]
    start, stop, new_start, new_stop = first.old_start, last.old_stop, first.new_start, last.new_stop
    old, new = change.old.text[start:stop], change.new.text[new_start:new_stop]
    # The blank in front belongs to an insertion, but not to a replacement.
    front = change.new.text[max(new_start - 40, 0) : new_start]
    n_blanks = len(new) - len(new.lstrip()) if old else len(front.rstrip(" \t")) - len(front)
    if not old and is_put_in_front(change, start, new_stop, -n_blanks):
        start = stop = start - n_blanks
    else:
        new_start += n_blanks
    new = change.new.text[new_start:new_stop]
    if "\n" in old + new or len(old) + len(new) >= LONGEST:
        return None
    return Replaced(start, stop, new_start, new_stop, old, new, first.hunk)


def is_put_in_front(change: FileChange, start: int, new_stop: int, n_blanks: int) -> bool:
    """Whether an insertion belongs to the text behind it, because the blanks in front of that text stayed:
    `f(a, 10)` to `f(a, timeout=10)`."""
    blanks = change.old.text[start : start + n_blanks]
    return bool(blanks) and not blanks.strip(" \t") and not change.new.text[new_stop : new_stop + 1].isspace()


def is_balanced(text: str) -> bool:
    """Whether the brackets of a text balance."""
    depth = 0
    quotes = {"'": 0, '"': 0, "`": 0}
    for symbol in text:
        depth += (symbol in "([{") - (symbol in ")]}")
        if depth < 0:
            return False
        if symbol in quotes:
            quotes[symbol] += 1
    return not depth and not any(count % 2 for count in quotes.values())
