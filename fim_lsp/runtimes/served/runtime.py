"""Drafts of a server as a `Runtime`: decoding asks for rows, and a row is what the draft says of its
place.

A row tells of a few tokens only; of all others it says nothing, which is minus infinity. Where none of those
few may come, more are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

import numpy as np

from fim_lsp.runtimes.runtime import Beams, Row, Unavailable
from fim_lsp.runtimes.served.draft import Draft, Drafted, Source

TINY = 1e-12


class Server(Protocol):
    """A server, as far as decoding needs it."""

    @property
    def name(self) -> str:
        """What it is and where, as it is told to users."""

    @property
    def n_positions(self) -> int: ...

    @property
    def n_tokens(self) -> int:
        """The size of the vocabulary that its drafts are in."""

    @property
    def sign(self) -> int:
        """A token that is never written."""

    @property
    def is_text_alone(self) -> bool:
        """Whether it says nothing of what else would have been likely."""

    def drafted(self, prompt: Sequence[int], lane: int) -> Source:
        """Begins a draft behind a prompt. Raises `Unavailable`.

        Texts of one lane follow each other and mostly begin alike; each document has its own.
        """

    def has_more(self, level: int) -> bool:
        """Whether it can tell of more tokens than a draft does: at each level from 0 of more than before."""

    def more(self, prompt: Sequence[int], lane: int, level: int) -> Source:
        """A draft of one token, with all that a level tells of."""


@dataclass(frozen=True)
class ServedRuntime:
    server: Server
    device: str = "server"
    n_parameters: int = 0
    _lanes: Iterator[int] = field(default_factory=count)
    # The server writes drafts; guessing what it may write would only make it read in vain.
    has_drafts = False

    @property
    def name(self) -> str:
        return self.server.name

    @property
    def n_positions(self) -> int:
        return self.server.n_positions

    def cache(self) -> ServedCache:
        return ServedCache(self.server, next(self._lanes))


@dataclass(slots=True)
class ServedCache:
    """What has been read is a list here; the server finds in its own cache what it has read before."""

    server: Server
    lane: int
    is_given_up: Callable[[], bool] = lambda: False
    _tokens: list[int] = field(default_factory=list)
    _draft: Draft | None = None

    def read(self, tokens: Sequence[int], n_last: int) -> ServedRows:
        self._tokens.extend(tokens)
        return ServedRows(self, list(self._tokens), n_last)

    def crop(self, n_tokens: int) -> None:
        del self._tokens[n_tokens:]

    def beams(self) -> Beams:
        raise Unavailable("a server writes one text at a time; beams need a model in this process")

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        self.is_given_up = is_given_up

    def rest(self) -> None:
        if self._draft is not None:
            self._draft.close()
            self._draft = None

    def told(self, tokens: Sequence[int], level: int) -> Row | None:
        """What comes behind a text, with more tokens than a draft tells; None where there are no more."""
        if not self.server.has_more(level):
            return None
        self.rest()
        prompt = list(tokens)
        draft = Draft(prompt, lambda: self.server.more(prompt, self.lane, level))
        try:
            drafted = draft.behind(prompt, self.is_given_up)
        finally:
            draft.close()
        return None if drafted is None else self.spread(drafted)

    def row(self, tokens: Sequence[int]) -> Row:
        """What comes behind a text."""
        drafted = self._drafting(tokens).behind(tokens, self.is_given_up)
        if drafted is None:
            # The draft had an end; another one begins here.
            self.rest()
            drafted = self._drafting(tokens).behind(tokens, self.is_given_up)
        if drafted is None:
            raise Unavailable(f"{self.server.name} has nothing to say")
        return self.spread(drafted)

    def is_question(self, tokens: Sequence[int]) -> bool:
        """Whether another request would be needed to know what comes behind a text."""
        return self._draft is not None and not self._draft.goes_on(tokens)

    def spread(self, drafted: Drafted) -> Row:
        return self.told_of(drafted.likeliest)

    def told_of(self, likeliest: Sequence[tuple[int, float]]) -> Row:
        row: Row = np.full(self.server.n_tokens, -np.inf, dtype=np.float32)
        for token, logprob in likeliest:
            if not 0 <= token < len(row):
                raise Unavailable(f"{self.server.name} tells of tokens that it does not have")
            row[token] = max(row[token], np.float32(logprob))
        # What is not told goes to a token that is never written, so that the others keep their probabilities.
        row[self.server.sign] = np.log(max(1.0 - float(np.exp(row).sum()), TINY))
        return row

    def _drafting(self, tokens: Sequence[int]) -> Draft:
        """The draft that goes on with a text, or a new one."""
        if self._draft is None or not self._draft.goes_on(tokens):
            self.rest()
            prompt = list(tokens)
            self._draft = Draft(prompt, lambda: self.server.drafted(prompt, self.lane))
        return self._draft


@dataclass(slots=True)
class ServedRows:
    """The rows behind the last tokens of a text, each fetched when it is asked for, and kept."""

    cache: ServedCache
    tokens: list[int]
    n_last: int
    _kept: dict[int, Row] = field(default_factory=dict)
    _levels: dict[int, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.n_last

    def __getitem__(self, index: int) -> Row:
        if index not in self._kept:
            self._kept[index] = self.cache.row(self.text(index))
        return self._kept[index]

    def wider(self, index: int) -> Row | None:
        level = self._levels.get(index, 0)
        row = self.cache.told(self.text(index), level)
        if row is not None:
            self._levels[index] = level + 1
            self._kept[index] = row
        return row

    def is_question(self, index: int) -> bool:
        # The first request of a text is not saved: what it says is compared with what memory is sure of.
        server = self.cache.server
        return server.is_text_alone and index not in self._kept and self.cache.is_question(self.text(index))

    def presumed(self, token: int, logprob: float) -> Row:
        return self.cache.told_of([(token, logprob)])

    def text(self, index: int) -> list[int]:
        return self.tokens[: len(self.tokens) - self.n_last + 1 + index]
