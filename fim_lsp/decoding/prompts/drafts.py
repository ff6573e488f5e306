"""Drafts: guesses of the next tokens, from what followed the same tokens before.

The guesses come from the project's memory (`Recalling`), from an expected text (`Expected`), or from the
prompt (`Drafts`).

The network checks a whole guess in one pass, and from the first wrong token on the guess is dropped: the text
is the same with guesses and without. Code repeats itself, so guesses from the file are often right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fim_lsp.memory.recall import Recall

# The number of tokens that must agree before a guess.
N_AGREEING = 3
LONGEST = 8
# The most tokens of an expected text that are read at once: on processors, four rows take as long as two
# tokens, and eight as long as four.
MOST_EXPECTED = 4


class Guesses(Protocol):
    """A source of guesses."""

    def extend(self, tokens: Sequence[int]) -> None:
        """Adds tokens that were read or written."""

    def next(self, written: Sequence[int]) -> list[int]:
        """The tokens that may follow those written; none if there is no guess."""

    def judge(self, n_guessed: int, n_right: int) -> None:
        """Learns from what became of a guess."""


@dataclass(slots=True)
class Recalling:
    """Guesses from the project's memory, which includes this file."""

    recall: Recall

    def extend(self, tokens: Sequence[int]) -> None:
        """Does nothing: memory follows the file by itself."""

    def next(self, written: Sequence[int]) -> list[int]:
        return self.recall.draft(written, LONGEST)

    def judge(self, n_guessed: int, n_right: int) -> None:
        """Does nothing: memory guesses only if it is sure enough."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Guesses from an expected text: another model's, or this one's from a key ago."""

    tokens: Sequence[int]

    def extend(self, tokens: Sequence[int]) -> None:
        """Does nothing: the expected text is the only source."""

    def next(self, written: Sequence[int]) -> list[int]:
        n_written = len(written)
        is_right = list(written) == list(self.tokens[:n_written])
        return list(self.tokens[n_written : n_written + MOST_EXPECTED]) if is_right else []

    def judge(self, n_guessed: int, n_right: int) -> None:
        """Does nothing: a wrong guess is not repeated, since the written text differs then."""


@dataclass(slots=True)
class Drafts:
    """The tokens so far, and the last place of each run of them."""

    _tokens: list[int] = field(default_factory=list)
    _places: dict[tuple[int, ...], int] = field(default_factory=dict)
    # The number of tokens of the next guess: more after a good one, fewer after a bad one.
    _length: int = LONGEST // 2

    def extend(self, tokens: Sequence[int]) -> None:
        """Adds what has been read or written."""
        for token in tokens:
            n_tokens = len(self._tokens)
            if n_tokens >= N_AGREEING:
                self._places[tuple(self._tokens[-N_AGREEING:])] = n_tokens
            self._tokens.append(token)

    def next(self, written: Sequence[int]) -> list[int]:  # noqa: ARG002 - it has been told
        """The tokens that may follow; none if the last tokens are new."""
        place = self._places.get(tuple(self._tokens[-N_AGREEING:]))
        return [] if place is None else self._tokens[place : place + self._length]

    def judge(self, n_guessed: int, n_right: int) -> None:
        """Learns from what became of a guess."""
        if n_right == n_guessed:
            self._length = min(LONGEST, self._length * 2)
        elif n_right < n_guessed // 2:
            self._length = max(1, self._length // 2)
