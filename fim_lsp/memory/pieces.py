"""Texts as tokens in pieces; a piece is a line with the line breaks in front of it. After a change only new
pieces are tokenized. A piece that may hold a secret has no tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fim_lsp.context.secrets import is_secret
from fim_lsp.memory.index import Tokens
from fim_lsp.positions import with_line_feeds

PIECE = re.compile(r"\n+[^\n]*|[^\n]+")

Encode = Callable[[str], list[int]]


@dataclass(slots=True)
class TokenizedPieces:
    """A text, or parts of one, in pieces whose tokens are cached."""

    pieces: dict[str, Tokens] = field(default_factory=dict)

    def tokens(self, text: str, encode: Encode) -> Tokens:
        return self.of_parts([text], encode)[0]

    def of_parts(self, texts: Sequence[str], encode: Encode) -> list[Tokens]:
        """The tokens of each part. Pieces in none of them are forgotten."""
        old, self.pieces = self.pieces, {}
        return [self._tokens(with_line_feeds(text), old, encode) for text in texts]

    def _tokens(self, text: str, old: dict[str, Tokens], encode: Encode) -> Tokens:
        found = []
        for piece in PIECE.findall(text):
            tokens = self.pieces.get(piece)
            if tokens is None:
                tokens = old.get(piece)
            if tokens is None:
                tokens = tokens_of(piece, encode)
            self.pieces[piece] = tokens
            found.append(tokens)
        return np.concatenate(found) if found else np.zeros(0, np.int32)


def tokens_of(piece: str, encode: Encode) -> Tokens:
    """A piece's tokens; none if it may hold a secret."""
    if is_secret(piece):
        return np.zeros(0, np.int32)
    try:
        return np.array(encode(piece), np.int32)
    except UnicodeEncodeError:
        # No token spells halves of UTF-16 pairs, which editors may send.
        return np.zeros(0, np.int32)
