"""A file change: the texts before and after, their trees, and the symbols that replaced others.

-    area = width * height
+    area = breadth * height       `width` was replaced by `breadth`, the rest stayed
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from keyword import iskeyword

from fim_lsp.edits.texts.hunks import Hunk, LineDiff
from fim_lsp.edits.texts.names import Names, names_of
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import symbols
from fim_lsp.known_languages import PYTHON, KnownLanguage

# A change of more lines, old and new ones, is a new text.
MOST_CHANGED = 4_000
# Larger hunks are not compared symbol by symbol.
MOST_SYMBOLS = 1_500
# Lines that have less in common count as new text.
LEAST_ALIKE = 0.35
# Words that are statements in other languages than Python.
STATEMENTS = ("fallthrough", "default", "debugger")


@dataclass(frozen=True, slots=True)
class Replaced:
    """A part of the old text and its replacement: whole symbols; either may be empty."""

    old_start: int
    old_stop: int
    new_start: int
    new_stop: int
    old: str
    new: str
    hunk: int


@dataclass(frozen=True)
class FileChange:
    """A file before and after a change."""

    old: SourceText
    new: SourceText

    @classmethod
    def of(cls, path: str, old: str, new: str, known_language: KnownLanguage = PYTHON) -> FileChange:
        source = SourceText(path, new, known_language)
        # An unchanged text is parsed once.
        return cls(source if old == new else SourceText(path, old, known_language), source)

    @property
    def path(self) -> str:
        return self.new.path

    @cached_property
    def difference(self) -> LineDiff:
        return LineDiff.of(self.old.lines, self.new.lines)

    @property
    def hunks(self) -> tuple[Hunk, ...]:
        return self.difference.hunks

    @property
    def is_rewrite(self) -> bool:
        """Whether so much has changed that nothing can be learned from it."""
        lines = (hunk.old_last - hunk.old_first + hunk.new_last - hunk.new_first for hunk in self.hunks)
        return sum(lines) > MOST_CHANGED

    @cached_property
    def old_names(self) -> Names:
        return names_of(self.old)

    @cached_property
    def new_names(self) -> Names:
        return names_of(self.new)

    @cached_property
    def _compared(self) -> tuple[tuple[Replaced, ...], tuple[tuple[int, int, int], ...]]:
        found = [one for number, hunk in enumerate(self.hunks) for one in self._of_hunk(hunk, number)]
        replaced = tuple(one for one in found if isinstance(one, Replaced))
        return replaced, tuple(one for one in found if not isinstance(one, Replaced))

    @property
    def replaced(self) -> tuple[Replaced, ...]:
        """The replacements in order, of hunks whose old and new lines have something in common."""
        return self._compared[0]

    @cached_property
    def end(self) -> int:
        """The end of the last change; in a line that was changed in part, the end of its last replacement."""
        if not self.hunks:
            return 0
        replaced = self._replaced_in.get(len(self.hunks) - 1)
        return self.hunks[-1].new_stop if replaced is None else replaced[-1].new_stop

    @property
    def kept(self) -> tuple[tuple[int, int, int], ...]:
        """The parts of changed lines that stayed: start and stop in the old text, and start in the new
        one."""
        return self._compared[1]

    def to_new(self, offset: int) -> int | None:
        """The new place of a symbol of the old text; None if it is gone."""
        found = self.difference.to_new(offset)
        if found is not None:
            return found
        at = bisect_right(self.kept, (offset, len(self.old.text), 0)) - 1
        if at >= 0 and self.kept[at][0] <= offset < self.kept[at][1]:
            return self.kept[at][2] + offset - self.kept[at][0]
        return None

    def to_old(self, offset: int) -> int | None:
        """The old place of a symbol of the new text; None if it was just written."""
        found = self.difference.to_old(offset)
        if found is not None:
            return found
        at = bisect_right(self._kept_starts, offset) - 1
        if at < 0:
            return None
        start, stop, new_start = self.kept[at]
        return start + offset - new_start if offset < new_start + stop - start else None

    @cached_property
    def _kept_starts(self) -> list[int]:
        return [new_start for _, _, new_start in self.kept]

    def _of_hunk(self, hunk: Hunk, number: int) -> Iterator[Replaced | tuple[int, int, int]]:
        n_old, n_new = hunk.old_last - hunk.old_first, hunk.new_last - hunk.new_first
        if not n_old or not n_new:
            return
        if n_old != n_new:
            yield from self._aligned(hunk.old_start, hunk.old_stop, hunk.new_start, hunk.new_stop, number)
            return
        old, new = self.old.lines, self.new.lines
        for row in range(n_old):
            a, c = old.starts[hunk.old_first + row], new.starts[hunk.new_first + row]
            b, d = a + len(old[hunk.old_first + row]), c + len(new[hunk.new_first + row])
            yield from self._aligned(a, b, c, d, number)

    def _aligned(
        self, a: int, b: int, c: int, d: int, number: int
    ) -> Iterator[Replaced | tuple[int, int, int]]:
        """The symbols that differ between a part of the old text and a part of the new text."""
        for is_kept, start, stop, new_start, new_stop in compare_symbols(
            self.old.text[a:b], self.new.text[c:d]
        ):
            if is_kept:
                yield a + start, a + stop, c + new_start
                continue
            old, new = self.old.text[a + start : a + stop], self.new.text[c + new_start : c + new_stop]
            yield Replaced(a + start, a + stop, c + new_start, c + new_stop, old, new, number)

    def n_replaced_beside(self, one: Replaced) -> int:
        """The number of different replacements in this one's line, itself included."""
        return len(self._replaced_in_line[one.hunk, self.old.lines.line_at(one.old_start)])

    @cached_property
    def _replaced_in_line(self) -> dict[tuple[int, int], set[tuple[str, str]]]:
        found: dict[tuple[int, int], set[tuple[str, str]]] = defaultdict(set)
        for one in self.replaced:
            found[one.hunk, self.old.lines.line_at(one.old_start)].add((one.old, one.new))
        return found

    def is_typed(self, start: int, stop: int) -> bool:
        """Whether any text between two offsets of the new text was just written; an empty span counts as
        written if it stands inside written text."""
        first = max(bisect_right(self._hunk_starts, start) - 1, 0)
        for number in range(first, len(self.hunks)):
            hunk = self.hunks[number]
            if hunk.new_start >= stop:
                return False
            if start < hunk.new_stop:
                replaced = self._replaced_in.get(number)
                # Without replacements, the whole hunk is new text.
                if replaced is None or any(one.new_start < stop and start < one.new_stop for one in replaced):
                    return True
        return False

    @cached_property
    def _hunk_starts(self) -> list[int]:
        return [hunk.new_start for hunk in self.hunks]

    @cached_property
    def _replaced_in(self) -> dict[int, list[Replaced]]:
        found: dict[int, list[Replaced]] = {}
        for one in self.replaced:
            found.setdefault(one.hunk, []).append(one)
        return found


@lru_cache(maxsize=8192)
def compare_symbols(old: str, new: str) -> tuple[tuple[bool, int, int, int, int], ...]:
    """The runs of symbols that two texts share and that differ: whether it is shared, start and stop in the
    old text, start and stop in the new one. Empty if the texts are hardly alike."""
    before, after = symbols(old), symbols(new)
    if not before or not after or len(before) + len(after) > MOST_SYMBOLS:
        return ()
    matcher = SequenceMatcher(
        None, [old[i:j] for i, j in before], [new[i:j] for i, j in after], autojunk=False
    )
    if matcher.ratio() < LEAST_ALIKE and not (
        is_put_around(matcher, min(len(before), len(after))) or (is_lone_name(old) and is_lone_name(new))
    ):
        return ()
    found = []
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            pairs = zip(before[i:j], after[k:m], strict=True)
            found += [(True, *old_place, *new_place) for old_place, new_place in pairs]
        else:
            found.append((False, *span(before, i, j, len(old)), *span(after, k, m, len(new))))
    return tuple(found)


def is_lone_name(line: str) -> bool:
    """Whether a line is nothing but a name, as the last one of a list may be."""
    word = line.strip()
    return word.isidentifier() and not iskeyword(word) and word not in STATEMENTS


def is_put_around(matcher: SequenceMatcher[str], n_shorter: int) -> bool:
    """Whether the longer text contains all of the shorter: `return err` in `return wrapped(err, "...")`."""
    return 1 < n_shorter == sum(size for _, _, size in matcher.get_matching_blocks())


def span(places: list[tuple[int, int]], first: int, last: int, end: int) -> tuple[int, int]:
    """The span from the first symbol to the last; without symbols, the place where they would stand."""
    if first < last:
        return places[first][0], places[last - 1][1]
    if first > 0:
        return places[first - 1][1], places[first - 1][1]
    at = places[0][0] if places else end
    return at, at
