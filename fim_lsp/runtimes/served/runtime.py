"""Drafts of a server as a `Runtime`: a row holds what the draft says about its place.

A row has a few tokens only; all others are minus infinity. If none of the few is allowed, more are requested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import isnan
from typing import Protocol

import numpy as np

from fim_lsp.runtimes.runtime import Beams, PromptHole, Row, Unavailable
from fim_lsp.runtimes.served.draft import Draft, Drafted, DraftSource

TINY = 1e-12
NO_HOLE = PromptHole(0, b"")
# The level at which a draft is requested that begins with an allowed token; the server's own levels follow.
BEGUN = -1


@dataclass(frozen=True, slots=True)
class Wish:
    """A request for a draft.

    Texts of one lane follow each other and usually begin alike; each document has its own lane. A draft
    avoids the tokens `unwanted`, and begins with one of `first`, if that is not empty; a server may ignore
    both.
    """

    prompt: list[int]
    lane: int
    hole: PromptHole = NO_HOLE
    unwanted: frozenset[int] = frozenset()
    first: Sequence[int] = ()


class ModelServer(Protocol):
    """A model server, as decoding needs it."""

    @property
    def name(self) -> str:
        """The server's name and address for users."""

    @property
    def n_positions(self) -> int: ...

    @property
    def n_tokens(self) -> int:
        """The size of its drafts' vocabulary."""

    @property
    def sign(self) -> int:
        """A token that is never written."""

    @property
    def is_text_alone(self) -> bool:
        """Whether it gives only text, without other likely tokens."""

    def begin_draft(self, wish: Wish) -> DraftSource:
        """Begins a draft. Raises `Unavailable`."""

    @property
    def n_first(self) -> int:
        """To how many tokens it can limit the first one of a draft."""

    def has_more(self, level: int) -> bool:
        """Whether it can give more likely tokens than a draft has; each level from 0 gives more."""

    def more(self, wish: Wish, level: int) -> DraftSource:
        """A draft of one token, with all likely tokens of a level."""


@dataclass(frozen=True)
class ServedRuntime:
    server: ModelServer
    device: str = "server"
    n_parameters: int = 0
    _lanes: Iterator[int] = field(default_factory=count)
    # The server writes drafts itself; drafts for it would only make it read in vain.
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
    """The text read so far, as a list; the server's own cache finds the tokens that it has read before."""

    server: ModelServer
    lane: int
    is_given_up: Callable[[], bool] = lambda: False
    hole: PromptHole = NO_HOLE
    _tokens: list[int] = field(default_factory=list)
    # The drafts of this hole, the latest at the end. Decoding may go back to earlier ones.
    _drafts: list[Draft] = field(default_factory=list)
    # Tokens in drafts that were refused in this hole, and that would mostly come again.
    _unwanted: set[int] = field(default_factory=set)
    # The text behind which the last draft was limited to allowed tokens.
    _begun: list[int] | None = None

    def read(self, tokens: Sequence[int], n_last: int) -> ServedRows:
        self._tokens.extend(tokens)
        return ServedRows(self, list(self._tokens), n_last)

    def crop(self, n_tokens: int) -> None:
        del self._tokens[n_tokens:]

    def beams(self) -> Beams:
        raise Unavailable("a server writes one text at a time; beams need a model in this process")

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        self.is_given_up = is_given_up

    def fill(self, hole: PromptHole) -> None:
        # Drafts for another hole were constrained by that one.
        self.rest()
        self._drafts.clear()
        self._unwanted.clear()
        self.hole = hole

    def rest(self) -> None:
        if self._drafts:
            self._drafts[-1].close()

    def wider_row(self, tokens: Sequence[int], level: int) -> Row | None:
        """The row behind a text, with more tokens than a draft gives; None if there are no more."""
        if not self.server.has_more(level):
            return None
        self.rest()
        wish = Wish(list(tokens), self.lane, self.hole)
        draft = Draft(wish.prompt, lambda: self.server.more(wish, level))
        try:
            drafted = draft.behind(tokens, self.is_given_up)
        finally:
            draft.close()
        return None if drafted is None else self.spread(drafted)

    def held_row(self, tokens: Sequence[int], next_ones: Callable[[int], Sequence[int]]) -> Row | None:
        """The row behind a text, limited to some tokens; None if the server cannot do that.

        The server's draft goes on with the likeliest of them.
        """
        if self._begun == list(tokens) or not self.server.n_first:
            return None
        first = next_ones(self.server.n_first)
        drafted = self._new_draft(tokens, first).behind(tokens, self.is_given_up) if first else None
        return None if drafted is None else self.spread(drafted)

    def row(self, tokens: Sequence[int]) -> Row:
        """The row behind a text."""
        drafted = self._drafting(tokens).behind(tokens, self.is_given_up)
        if drafted is None:
            # The draft ended; another one begins here.
            drafted = self._new_draft(tokens).behind(tokens, self.is_given_up)
        if drafted is None:
            raise Unavailable(f"{self.server.name} has nothing to say")
        return self.spread(drafted)

    def is_question(self, tokens: Sequence[int]) -> bool:
        """Whether the row behind a text needs another request."""
        return bool(self._drafts) and not any(draft.goes_on(tokens) for draft in self._drafts)

    def spread(self, drafted: Drafted) -> Row:
        return self.told_row(drafted.likeliest)

    def told_row(self, likeliest: Sequence[tuple[int, float]]) -> Row:
        row: Row = np.full(self.server.n_tokens, -np.inf, dtype=np.float32)
        for token, logprob in likeliest:
            if not 0 <= token < len(row):
                raise Unavailable(f"{self.server.name} tells of tokens that it does not have")
            if isnan(logprob):
                raise Unavailable(f"{self.server.name} tells of probabilities that are none")
            row[token] = max(row[token], np.float32(min(logprob, 0.0)))
        # The remaining probability goes to a token that is never written, so that the others keep theirs.
        row[self.server.sign] = np.log(max(1.0 - float(np.exp(row).sum()), TINY))
        return row

    def _drafting(self, tokens: Sequence[int]) -> Draft:
        """The draft that continues a text, or a new one."""
        for draft in reversed(self._drafts):
            if draft.goes_on(tokens):
                return draft
        if self._drafts and (parted := self._drafts[-1].parting_token(tokens)) is not None:
            drafted, written = parted
            self._unwanted.add(drafted)
            self._unwanted.discard(written)
        return self._new_draft(tokens)

    def _new_draft(self, tokens: Sequence[int], first: Sequence[int] = ()) -> Draft:
        self.rest()
        if not first and self.server.n_first:
            first = self.hole.next(self.server.n_first)
        self._begun = list(tokens) if first else None
        wish = Wish(list(tokens), self.lane, self.hole, frozenset(self._unwanted), first)
        self._drafts.append(Draft(wish.prompt, lambda: self.server.begin_draft(wish)))
        return self._drafts[-1]


@dataclass(slots=True)
class ServedRows:
    """The rows behind the last tokens of a text, each fetched on demand and kept."""

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

    def wider(self, index: int, allowed: Callable[[int], Sequence[int]]) -> Row | None:
        level = self._levels.get(index, BEGUN)
        self._levels[index] = level + 1
        if level == BEGUN:
            row = self.cache.held_row(self.text(index), allowed)
            if row is None:
                return self.wider(index, allowed)
        else:
            row = self.cache.wider_row(self.text(index), level)
        if row is not None:
            self._kept[index] = row
        return row

    def is_question(self, index: int) -> bool:
        # The first request of a text is always sent: its answer is compared with memory's sure text.
        server = self.cache.server
        return server.is_text_alone and index not in self._kept and self.cache.is_question(self.text(index))

    def presumed_row(self, token: int, logprob: float) -> Row:
        return self.cache.told_row([(token, logprob)])

    def text(self, index: int) -> list[int]:
        return self.tokens[: len(self.tokens) - self.n_last + 1 + index]
