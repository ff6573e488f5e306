"""Lines of files nearby that are about the same things as those at the cursor.

Windows of lines are compared by the names in them: how many both have, of all that one of them has (Jaccard's
index, as in Zhang et al., *RepoCoder: Repository-Level Code Completion Through Iterative Retrieval and
Generation*, 2023). A window is a few dozen names, and only the files that lie nearest are looked at, so the
sets are compared as they are. BM25 (`bm25s`) would build its index of all windows anew for each file that
changes, and MinHash (`datasketch`) brings SciPy, to save milliseconds on a thread in the background.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from fim_lsp.context.secrets import is_secret

WORD = re.compile(r"[^\W\d]\w{2,}")
# A window's lines, and by how many the next one begins later.
N_LINES, STEP = 20, 10
# The lines in front of the cursor that are compared with the windows, and the most files.
N_ASKED, MOST_FILES = 20, 60
# A window that agrees less says nothing.
LEAST = 0.15
MOST_FOUND = 4
MOST_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class LineWindow:
    """Lines of a file, counted from 0, and the names in them."""

    first: int
    stop: int
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Similar:
    """A window, how similar it is, and its text without lines that may hold a secret."""

    uri: str
    window: LineWindow
    similarity: float
    text: str


@dataclass(slots=True)
class Windows:
    """The windows of files looked at last, by their texts: a text that has changed is cut anew."""

    read: Callable[[str], str | None]
    _known: OrderedDict[str, tuple[str, list[LineWindow]]] = field(default_factory=OrderedDict)

    def similar(self, left: str, uris: Iterable[str]) -> list[Similar]:
        """The windows of some files that are most like the lines in front of the cursor, one of each file."""
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
    """The lines of a text that may be shown, without secrets and without blank ones at their ends."""
    lines = [line for line in text.split("\n")[first:stop] if not is_secret(line)]
    return "\n".join(lines).strip("\n") + "\n"
