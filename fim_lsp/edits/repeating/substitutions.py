"""Substitutions: symbols that replaced others.

    -    self.assertEquals(a, b)       `assertEquals` became `assertEqual`, so other
    +    self.assertEqual(a, b)        attributes of that name may do so, too

A substitution consists of the old and the new symbols. An insertion, or old symbols without a word, also
include the symbols beside them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fim_lsp.edits.repeating.conversions import explained_parts
from fim_lsp.edits.repeating.rows import is_balanced
from fim_lsp.edits.texts.change import FileChange, Replaced
from fim_lsp.edits.texts.places import SubstitutionSite, SubstitutionSites, scope_at
from fim_lsp.edits.texts.symbols import WORD, symbols
from fim_lsp.known_languages import PYTHON

# The longest substitution. A longer text counts as new.
LONGEST = 240
# The longest one around text that stays. A longer text counts as new.
LONGEST_JOINED = 80


@dataclass(frozen=True, slots=True)
class Made:
    """A place at which a substitution was made."""

    place: SubstitutionSite
    # The owner of the replaced variable (`places.scope_at`); empty if there is none.
    scope: tuple[str, ...]
    # Whether it is the line's only change, and how many lines were changed together.
    is_alone: bool
    n_lines: int


@dataclass(slots=True)
class Substitution:
    """An old text, its new text, and the places: `made` where it was replaced, `passed` where a changed file
    kept the old text."""

    old: str
    new: str
    made: list[Made] = field(default_factory=list)
    passed: list[SubstitutionSite] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str]:
        return self.old, self.new

    @property
    def words(self) -> list[str]:
        return WORD.findall(self.old)


def substitutions(changes: Iterable[FileChange]) -> list[Substitution]:
    """All substitutions of several changes, the latest at the end."""
    found: dict[tuple[str, str], Substitution] = {}
    for change in changes:
        places, told = SubstitutionSites(change.old), explained_parts(change)
        for replaced in change.replaced:
            if told and is_told(told, replaced):
                continue
            for start, stop, new in [*forms(change, replaced), *shorter_forms(change, replaced)]:
                old = change.old.text[start:stop]
                one = found.pop((old, new), None) or Substitution(old, new)
                one.made.append(made_substitution(change, places, replaced, start, stop))
                found[old, new] = one
        for row in [*joined_ends(change), *dotted_names(change)]:
            first, last = row[0], row[-1]
            if is_told(told, first):
                continue
            # Blanks at the ends are no part of it.
            old = change.old.text[first.old_start : last.old_stop]
            new = change.new.text[first.new_start : last.new_stop].strip()
            start = first.old_start + len(old) - len(old.lstrip())
            old = old.strip()
            whole = found.pop((old, new), None) or Substitution(old, new)
            n_parts = len({(one.old, one.new) for one in row}) if WORD.fullmatch(first.old) else 1
            whole.made.append(made_substitution(change, places, first, start, start + len(old), n_parts))
            found[old, new] = whole
    return [*found.values()]


def is_told(told: Collection[tuple[int, int]], replaced: Replaced) -> bool:
    """Whether a conversion explains a replacement. A word that replaces a word still counts as a
    substitution."""
    return not WORD.fullmatch(replaced.old) and any(
        start <= replaced.new_start and replaced.new_stop <= stop for start, stop in told
    )


def made_substitution(
    change: FileChange, places: SubstitutionSites, replaced: Replaced, start: int, stop: int, n_parts: int = 1
) -> Made:
    """A place of a substitution that joins `n_parts` replacements of its line."""
    place = places.at(start, stop)
    is_variable = place.shape[-1] == "variable" and change.old.known_language is PYTHON
    hunk = change.hunks[replaced.hunk]
    n_lines = max(hunk.old_last - hunk.old_first, hunk.new_last - hunk.new_first)
    return Made(
        place,
        scope_at(change.old_names, start, stop) if is_variable else (),
        change.n_replaced_beside(replaced) == n_parts,
        n_lines,
    )


def merged_substitutions(
    earlier: Sequence[Substitution], later: Sequence[Substitution]
) -> list[Substitution]:
    """The substitutions of earlier and later files, the latest at the end."""
    found = {one.key: one for one in earlier}
    for one in later:
        before = found.pop(one.key, None)
        if before is not None:
            one = Substitution(*one.key, [*before.made, *one.made], [*before.passed, *one.passed])
        found[one.key] = one
    return [*found.values()]


def forms(change: FileChange, replaced: Replaced) -> Iterator[tuple[int, int, str]]:
    """The forms in which a replacement may repeat: the old text alone, or with the symbols beside it."""
    if len(replaced.old) > LONGEST or len(replaced.new) > LONGEST or "\n" in replaced.old + replaced.new:
        return
    is_specific = any(WORD.fullmatch(word) or word[0].isdigit() for word in words(replaced.old))
    if is_specific:
        yield replaced.old_start, replaced.old_stop, replaced.new
        return
    lines = change.old.lines
    number = lines.line_at(replaced.old_start)
    begin = lines.starts[number]
    end = begin + len(lines.content(number))
    before = symbols(change.old.text, begin, replaced.old_start)
    behind = symbols(change.old.text, replaced.old_stop, end)
    # First one symbol on each side, then more until there is a word.
    for n_left, n_right in ((1, 1), (2, 1), (1, 2), (3, 1)):
        left = before[len(before) - n_left :] if len(before) >= n_left else []
        right = behind[:n_right] if len(behind) >= n_right else []
        if not left and not right:
            return
        start = left[0][0] if left else replaced.old_start
        stop = right[-1][1] if right else replaced.old_stop
        old = change.old.text[start:stop]
        if WORD.search(old):
            text = change.old.text
            head, tail = text[start : replaced.old_start], text[replaced.old_stop : stop]
            new = in_between(change, replaced, head, tail)
            # If the symbols beside it were replaced, too, it is no substitution of its own.
            if words(new) == [*words(head), *words(replaced.new), *words(tail)]:
                yield start, stop, new
            return


def shorter_forms(change: FileChange, replaced: Replaced) -> Iterator[tuple[int, int, str]]:
    """The old text with a word on one side only, if it holds no word: `== None`, not `a == None`."""
    if not replaced.old or "\n" in replaced.old + replaced.new or WORD.search(replaced.old):
        return
    text, lines = change.old.text, change.old.lines
    begin = lines.starts[lines.line_at(replaced.old_start)]
    end = begin + len(lines.content(lines.line_at(replaced.old_start)))
    before = symbols(text, begin, replaced.old_start)[-1:]
    behind = symbols(text, replaced.old_stop, end)[:1]
    for left, right in ((before, []), ([], behind)):
        start = left[0][0] if left else replaced.old_start
        stop = right[0][1] if right else replaced.old_stop
        head, tail = text[start : replaced.old_start], text[replaced.old_stop : stop]
        if WORD.search(head + tail):
            new = in_between(change, replaced, head, tail)
            if words(new) == [*words(head), *words(replaced.new), *words(tail)]:
                yield start, stop, new


def joined_ends(change: FileChange) -> Iterator[tuple[Replaced, ...]]:
    """The first and last replacement of a line as one pair: `db[table]` to `db.table(table)`, of which
    neither half is possible alone."""
    lines = change.old.lines
    pending: list[Replaced] = []
    for one in change.replaced:
        if pending and lines.line_at(pending[0].old_start) != lines.line_at(one.old_start):
            pending = []
        if not pending and is_balanced(one.old) and is_balanced(one.new):
            continue
        pending.append(one)
        first = pending[0]
        old = change.old.text[first.old_start : one.old_stop]
        new = change.new.text[first.new_start : one.new_stop]
        if max(len(old), len(new)) > LONGEST_JOINED or "\n" in old + new:
            pending = []
        elif len(pending) > 1 and is_balanced(old) and is_balanced(new):
            if WORD.search(old):
                yield first, one
            pending = []


def dotted_names(change: FileChange) -> Iterator[tuple[Replaced, ...]]:
    """The replaced names of one dotted name: `console.log` to `logger.info`."""
    row: list[Replaced] = []
    for one in [*change.replaced, None]:
        if row and (one is None or not is_next_in_row(change, row[-1], one)):
            if len(row) > 1:
                yield tuple(row)
            row = []
        if one is not None and WORD.fullmatch(one.old) and WORD.fullmatch(one.new):
            row.append(one)


def is_next_in_row(change: FileChange, one: Replaced, other: Replaced) -> bool:
    between = change.old.text[one.old_stop : other.old_start]
    is_word = WORD.fullmatch(other.old) and WORD.fullmatch(other.new)
    return between == "." == change.new.text[one.new_stop : other.new_start] and bool(is_word)


def in_between(change: FileChange, replaced: Replaced, left: str, right: str) -> str:
    """The new text with the symbols beside it, and the blanks between them."""
    text = change.new.text
    start, stop = replaced.new_start, replaced.new_stop
    lines = change.new.lines
    number = lines.line_at(start)
    begin = lines.starts[number]
    end = begin + len(lines.content(number))
    before, behind = symbols(text, begin, start), symbols(text, stop, end)
    k, m = len(symbols(left)), len(symbols(right))
    first = before[len(before) - k][0] if 0 < k <= len(before) else start
    last = behind[m - 1][1] if 0 < m <= len(behind) else stop
    return text[first:last]


def words(text: str) -> list[str]:
    return [text[start:stop] for start, stop in symbols(text)]


def shortened_text(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
