"""A runtime that writes a text behind a mark, for models whose exact prompts are not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fim_lsp.decoding.models.model import Model
from fim_lsp.runtimes.runtime import Row


@dataclass(frozen=True)
class Typist:
    """A runtime whose network prefers a given text behind the last of some marks, and then ends."""

    model: Model
    mark: bytes
    text: str

    name, device, n_positions, n_parameters, has_drafts = "typist", "cpu", 4096, 0, True

    def cache(self) -> TypistCache:
        return TypistCache(self, [])

    def row(self, history: Sequence[int]) -> Row:
        said = b"".join(self.model.token_bytes[token] for token in history)
        written = said.rpartition(self.mark)[2]
        wanted = self.text.encode()
        row = np.zeros(len(self.model.token_bytes), np.float32)
        if not wanted.startswith(written) or written == wanted:
            row[sorted(self.model.ends)[0]] = 30
            return row
        # It spells texts as models with these tokens do.
        at = 0
        for token in self.model.encode(self.text):
            if at == len(written):
                row[token] = 30
            at += len(self.model.token_bytes[token])
        return row


@dataclass
class TypistCache:
    typist: Typist
    history: list[int]

    def read(self, tokens: Sequence[int], n_last: int) -> list[Row]:
        self.history.extend(tokens)
        return [
            self.typist.row(self.history[:stop])
            for stop in range(len(self.history) - n_last + 1, len(self.history) + 1)
        ]

    def crop(self, n_tokens: int) -> None:
        del self.history[n_tokens:]
