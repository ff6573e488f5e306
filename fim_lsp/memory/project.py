"""The memory of a project: the remembered texts, and how they follow edits.

The current document is remembered without the cursor's line, and indexed again when another line changes:
typing inside a line costs nothing. The other files of the workspace are one index, rebuilt when some of them
change. For an open file its text in the editor counts, not the one on disk.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from fim_lsp.memory.index import Index
from fim_lsp.memory.pieces import PIECE, Encode, TokenizedPieces
from fim_lsp.memory.recall import Recall, RecallSource
from fim_lsp.memory.weights import Weights
from fim_lsp.memory.workspace import Workspace
from fim_lsp.positions import with_line_feeds

# The limits: with 16 bytes per token, everything takes less than 64 MB, the workspace included.
MOST_OWN_TOKENS = 200_000
MOST_OPEN = 4
# Enough characters in front of the cursor for the longest match.
CONTEXT_CHARACTERS = 600


@dataclass(slots=True)
class Own:
    """The current document without the cursor's line."""

    above: str = ""
    below: str = ""
    kept: TokenizedPieces = field(default_factory=TokenizedPieces)
    index: Index | None = None


class ProjectMemory:
    """The memory of a project. Not thread-safe; the workspace is made elsewhere and taken over as a whole."""

    def __init__(self, encode: Encode, n_vocabulary: int, weights: Weights) -> None:
        self.encode = encode
        self.n_vocabulary = n_vocabulary
        self.weights = weights
        self.workspace = Workspace()
        self._open: OrderedDict[str, Own] = OrderedDict()
        # Open documents without any edit yet.
        self._prepared: OrderedDict[str, TokenizedPieces] = OrderedDict()

    @property
    def n_bytes(self) -> int:
        indexes = [self.workspace.index, *(own.index for own in self._open.values())]
        return sum(index.n_bytes for index in indexes if index is not None)

    def forget(self, uri: str | None) -> None:
        """Drops a closed document; None: all documents."""
        if uri is None:
            self._open.clear()
            self._prepared.clear()
        else:
            self._open.pop(uri, None)
            self._prepared.pop(uri, None)

    def recall(self, uri: str, left: str, right: str, n_pending: int) -> Recall:
        """The recall at a place of a document. The last `n_pending` bytes in front of it will be written
        again."""
        left, right = with_line_feeds(left), with_line_feeds(right)
        own = self._own_around(uri, left, right)
        sources = []
        if self.workspace.index is not None:
            hidden = [*self.workspace.places(self._open), *self.workspace.strange_places(uri)]
            sources.append(RecallSource("workspace", self.workspace.index, hidden))
        if own.index is not None:
            sources.append(RecallSource("file", own.index))
        for name, other in self._open.items():
            is_strange = self.workspace.kinship.are_strangers(uri, name)
            if name != uri and other.index is not None and not is_strange:
                sources.append(RecallSource("open", other.index))
        return Recall(sources, self.weights, self._context(left, n_pending))

    def prepare(self, uri: str, text: str) -> None:
        """Tokenizes an opened document, so that the first key in it need not wait."""
        if uri not in self._open:
            kept = self._prepared.pop(uri, TokenizedPieces())
            kept.tokens(text, self.encode)
            self._prepared[uri] = kept
            keep_last(self._prepared)

    def _context(self, left: str, n_pending: int) -> list[int]:
        """The tokens in front of the place, from a few lines above on."""
        data = left[-CONTEXT_CHARACTERS:].encode(errors="replace")
        text = data[: len(data) - n_pending].decode(errors="ignore")
        start = text.rfind("\n", 0, max(text.rfind("\n", 0, max(text.rfind("\n"), 0)), 0))
        return [int(token) for piece in PIECE.findall(text[max(start, 0) :]) for token in self.encode(piece)]

    def _own_around(self, uri: str, left: str, right: str) -> Own:
        own = self._own_of(uri)
        above = left[: left.rfind("\n") + 1]
        line_end = right.find("\n")
        below = right[line_end:] if line_end >= 0 else ""
        if own.index is None or (above, below) != (own.above, own.below):
            own.above, own.below = above, below
            texts = own.kept.of_parts((above, below), self.encode)
            texts = [texts[0][-MOST_OWN_TOKENS // 2 :], texts[1][: MOST_OWN_TOKENS // 2]]
            own.index = Index.of(texts, self.n_vocabulary)
        return own

    def _own_of(self, uri: str) -> Own:
        own = self._open.pop(uri, None)
        if own is None:
            own = Own(kept=self._prepared.pop(uri, TokenizedPieces()))
        self._open[uri] = own
        keep_last(self._open)
        return own


def keep_last(documents: OrderedDict[str, Any]) -> None:
    while len(documents) > MOST_OPEN:
        documents.popitem(last=False)
