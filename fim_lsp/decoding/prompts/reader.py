"""The reader: the tokens in a runtime's cache, kept from one request to the next.

A prompt is read from its first token that differs from the cache. Typing adds tokens at the end of a prompt
(see `prompt.py`), so only the changed tail is computed; and nothing, as long as keys agree with the text that
was written behind the last prompt.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fim_lsp.decoding.prompts.kept_rows import KeptRows
from fim_lsp.runtimes.runtime import (
    Beams,
    Cache,
    GivenUp,
    KeptCache,
    PromptHole,
    RemoteCache,
    Row,
    Rows,
    Runtime,
)
from fim_lsp.shared import n_shared

# A long prompt is read in pieces, so that a cancelled request ends between two of them.
PIECE = 512
# Shorter reads say little about the time of long ones.
LONG = 64


class Cancelled(Exception):
    """The request is no longer wanted; the tokens read so far stay in the cache."""


class PromptReader:
    """The tokens that the network has read, and its rows behind them.

    Invariant: the cache holds exactly `tokens`. Behind the last requested text there may be more of them,
    until others are read in their place.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._is_given_up: Callable[[], bool] = lambda: False
        self._hole: PromptHole | None = None
        self.tokens: list[int] = []
        self._rows = KeptRows()
        self.forget()
        # The number of computed tokens, for benches and tests of the cache.
        self.n_computed = 0
        # The speed of reading long texts here; None before the first one.
        self.tokens_per_second: float | None = None

    def prompt(self, tokens: Sequence[int], n_last: int, is_cancelled: Callable[[], bool]) -> Rows:
        """Reads a prompt; gives the rows behind its last `n_last` tokens.

        Raises `Cancelled` between two pieces of a long one.
        """
        self._slide(tokens)
        first = len(tokens) - n_last
        self._rows.keep(first, len(self.tokens))
        known = self._known_rows(0, tokens, n_last)
        if len(known) == n_last:
            return known
        rest = list(tokens[len(self.tokens) :])
        n_new = n_last - len(known)
        while len(rest) - n_new >= PIECE:
            if is_cancelled():
                raise Cancelled
            self.read(rest[:PIECE], 1)
            rest = rest[PIECE:]
        if is_cancelled():
            raise Cancelled
        rows = self.read(rest, n_new)
        return [*known, *all_of(rows)] if known else rows

    def behind(self, n_same: int, tokens: Sequence[int], n_last: int) -> Rows:
        """Goes on behind the first `n_same` tokens; gives the rows behind the last `n_last`."""
        known = self._known_rows(n_same, tokens, n_last)
        if len(known) == n_last:
            return known
        rows = self.read(tokens[len(self.tokens) - n_same :], n_last - len(known))
        return [*known, *all_of(rows)] if known else rows

    def ahead(self, prompt: Sequence[int]) -> list[int] | None:
        """The tokens that were read behind a prompt, as far as the rows behind them are known; None if not
        even the prompt's own row is."""
        n_prompt = len(prompt)
        if self.tokens[:n_prompt] != list(prompt):
            return None
        n_rows = len(self._rows.behind(n_prompt - 1, len(self.tokens)))
        return self.tokens[n_prompt : n_prompt + n_rows - 1] if n_rows else None

    def _known_rows(self, n_same: int, tokens: Sequence[int], n_last: int) -> Sequence[Row]:
        """The known rows among those of the last `n_last` tokens. If some are unknown, the cache is cropped
        up to the first of them."""
        n_read = n_same + n_shared(self.tokens[n_same : n_same + len(tokens)], tokens)
        first = n_same + len(tokens) - n_last
        known = self._rows.behind(first, n_read)
        if len(known) < n_last:
            self.crop(min(n_read, first + len(known)))
        return known

    def _slide(self, tokens: Sequence[int]) -> None:
        """Keeps the tokens behind a removed part, if the prompt is the last one without that part."""
        if self._kept is None:
            return
        known = n_shared(self.tokens, tokens)
        ahead = list(tokens[known : known + LONG])
        if len(ahead) < LONG:
            return
        for dropped in range(1, len(self.tokens) - known - LONG + 1):
            if self.tokens[known + dropped : known + dropped + LONG] == ahead:
                if self._kept.splice(known, dropped, ()):
                    del self.tokens[known : known + dropped]
                    self._rows.keep(0, known)
                return

    def read(self, tokens: Sequence[int], n_last: int) -> Rows:
        """Reads on; gives the rows behind the last `n_last` tokens."""
        start = time.perf_counter()
        try:
            rows = self._cache.read(tokens, n_last)
        except BaseException as error:
            if self._kept is not None and isinstance(error, GivenUp):
                self.tokens = [*self.tokens, *tokens][: self._kept.n_held]
                self._rows.keep(0, len(self.tokens))
            else:
                self.forget()
            raise
        self.tokens.extend(tokens)
        if self._remote is None:
            self._rows.put(len(self.tokens) - n_last, rows)
        self.n_computed += len(tokens)
        if len(tokens) >= LONG:
            measured = len(tokens) / max(time.perf_counter() - start, 1e-6)
            known = self.tokens_per_second
            self.tokens_per_second = measured if known is None else (known + measured) / 2
        return rows

    @property
    def n_held(self) -> int:
        """The number of tokens that need not be read again."""
        return len(self.tokens) if self._kept is None else self._kept.n_held

    def beams(self) -> Beams:
        """Texts that continue the read tokens side by side; their tokens are counted, too."""
        return Counted(self, self._cache.beams())

    def crop(self, n_tokens: int) -> None:
        """Forgets all but the first tokens."""
        if n_tokens == 0:
            self.forget()
        elif n_tokens < len(self.tokens):
            self._cache.crop(n_tokens)
            del self.tokens[n_tokens:]
            self._rows.keep(0, n_tokens)

    def forget(self) -> None:
        self.go_on(self._runtime.cache(), [])

    def go_on(self, cache: Cache, tokens: Sequence[int]) -> None:
        """Goes on with another text, whose cache holds these tokens."""
        self._cache = cache
        # The check is made once, since it takes ten microseconds each time.
        self._kept = cache if isinstance(cache, KeptCache) else None
        self._remote = cache if isinstance(cache, RemoteCache) else None
        self.tokens = [*tokens]
        self._rows.keep(0, 0)
        self.attend(self._is_given_up)
        if self._hole is not None:
            self.fill(self._hole)

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        """Sets the function that says whether a remote row is no longer wanted."""
        self._is_given_up = is_given_up
        if self._remote is not None:
            self._remote.attend(is_given_up)
        if self._kept is not None:
            self._kept.attend(is_given_up)

    @property
    def is_remote(self) -> bool:
        """Whether the network is elsewhere, so that the hole is of use to it."""
        return self._remote is not None

    def fill(self, hole: PromptHole) -> None:
        """Sets the hole that is being filled, for a remote runtime."""
        self._hole = hole
        if self._remote is not None:
            self._remote.fill(hole)

    def rest(self) -> None:
        """Says that no reading follows for now."""
        if self._remote is not None:
            self._remote.rest()


def all_of(rows: Rows) -> list[Row]:
    return [rows[index] for index in range(len(rows))]


@dataclass(frozen=True, slots=True)
class Counted:
    """Beams whose tokens count as their reader's."""

    reader: PromptReader
    beams: Beams

    def read(self, parents: Sequence[int], tokens: Sequence[int]) -> Rows:
        self.reader.n_computed += len(tokens)
        return self.beams.read(parents, tokens)
