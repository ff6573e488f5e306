"""Refusals: the edits that the user did not want, and how long each refusal holds.

A user who refuses a new name at one place does not want it at the next one. A user who then makes the edit by
hand, twice, does want it: the text shows it, since the old words become fewer and the new ones more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.edits.texts.symbols import spots_of, symbols
from fim_lsp.positions import Lines

# How often the user must make the edit by hand.
TIMES = 2

# Marks an edit that is refused at its place only, together with its lines.
LINE = "\n\0"

Refused = tuple[str, str, str]


@dataclass(slots=True)
class Refusals:
    """The refused edits, with the counts of their words in the text at that time."""

    _known: dict[Refused, tuple[tuple[str, str, int, int], ...]] = field(default_factory=dict)

    def add(self, path: str, old: str, new: str, text: str) -> None:
        self._known[path, old, new] = tuple(
            (one, other, n_words(text, one), n_words(text, other)) for one, other in differing(old, new)
        )

    def standing(self, texts: Mapping[str, str]) -> frozenset[Refused]:
        """The refusals that hold for the present texts."""
        return frozenset(
            key for key, counts in self._known.items() if not is_overtaken(texts.get(key[0], ""), counts)
        )


def lines_told(lines: Lines, edit: NextEdit) -> Refused:
    """A refusal of an edit at its place, as whole lines before and after. It holds there whatever the user
    does elsewhere."""
    first, last = lines.line_at(edit.start), lines.line_at(edit.end)
    begin = lines.starts[first]
    end = lines.starts[last + 1] if last + 1 < len(lines) else len(lines.text)
    before = lines.text[begin:end].rstrip("\r\n") + LINE
    after = lines.text[begin : edit.start] + edit.new + lines.text[edit.end : end]
    return edit.path, before, after.rstrip("\r\n") + LINE


def is_overtaken(text: str, counts: tuple[tuple[str, str, int, int], ...]) -> bool:
    return bool(counts) and all(
        n_words(text, old) <= n_old - TIMES and (not new or n_words(text, new) >= n_new + TIMES)
        for old, new, n_old, n_new in counts
    )


def differing(old: str, new: str) -> list[tuple[str, str]]:
    """The pairs of old and new symbols of an edit, each once; one pair of whole texts if their numbers
    differ.
    A refusal at one place has none."""
    if old.endswith(LINE):
        return []
    before = [old[start:stop] for start, stop in symbols(old)]
    after = [new[start:stop] for start, stop in symbols(new)]
    if len(before) != len(after):
        return [(old.strip(), new.strip())] if old.strip() else []
    return [*dict.fromkeys((one, other) for one, other in zip(before, after, strict=True) if one != other)]


def n_words(text: str, word: str) -> int:
    return sum(1 for _ in spots_of(text, word)) if word else 0
