"""Similar lines: windows of nearby files with the same names as the lines at the cursor.

Windows are compared by Jaccard's index: the names in both, divided by the names in either (as in Zhang et
al., *RepoCoder: Repository-Level Code Completion Through Iterative Retrieval and Generation*, 2023). A window
has a few dozen names, and only the nearest files are compared, so plain sets suffice. BM25 (`bm25s`) would
rebuild its index of all windows after each change of a file, and MinHash (`datasketch`) needs SciPy, only to
save milliseconds on a background thread.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from fim_lsp.context.secrets import is_secret

WORD = re.compile(r"[^\W\d]\w{2,}")
# A window's lines, and the step to the next window.
N_LINES, STEP = 20, 10
# The lines in front of the cursor that are compared, and the most files.
N_ASKED, MOST_FILES = 20, 60
# Windows with a lower similarity are ignored.
LEAST = 0.15
MOST_FOUND = 4
MOST_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class LineWindow:
    """A range of lines, counted from 0, and the names in it."""

    first: int
    stop: int
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Similar:
    """A window with its similarity, and its text without lines that may hold a secret."""

    uri: str
    window: LineWindow
    similarity: float
    text: str


@dataclass(slots=True)
class Windows:
    """A cache of windows for the last texts; a changed text is cut again."""

    read: Callable[[str], str | None]
    _known: OrderedDict[str, tuple[str, list[LineWindow]]] = field(default_factory=OrderedDict)

    def similar(self, left: str, uris: Iterable[str]) -> list[Similar]:
        """The windows that are most similar to the lines in front of the cursor, one for each file."""
        asked = names_of("\n".join(left.split("\n")[-N_ASKED:]))
        found = []
        for uri in uris:
            text, windows = self._of(uri)
            best = max(windows, key=lambda window: jaccard(asked, window.names), default=None)
            if best is not None and (similarity := jaccard(asked, best.names)) >= LEAST:
                found.append(Similar(uri, best, similarity, presentable_lines(text, best.first, best.stop)))
        return sorted(found, key=lambda one: -one.similarity)[:MOST_FOUND]

    def _of(self, uri: str) -> tuple[str, list[LineWindow]]:
        text = (self.read(uri) or "")[:MOST_CHARACTERS]
        known = self._known.pop(uri, None)
        if known is None or known[0] != text:
            known = text, windows_of(text.split("\n"))
        self._known[uri] = known
        while len(self._known) > MOST_FILES:
            self._known.popitem(last=False)
        return known


def windows_of(lines: Sequence[str]) -> list[LineWindow]:
    starts = range(0, max(len(lines) - N_LINES + STEP, 1), STEP)
    return [
        LineWindow(
            first, min(first + N_LINES, len(lines)), names_of("\n".join(lines[first : first + N_LINES]))
        )
        for first in starts
    ]


def names_of(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def presentable_lines(text: str, first: int, stop: int) -> str:
    """Lines of a text without secrets, and without blank lines at their ends."""
    lines = [line for line in text.split("\n")[first:stop] if not is_secret(line)]
    return "\n".join(lines).strip("\n") + "\n"
