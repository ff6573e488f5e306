"""Guessing ahead: where the last tokens have stood before, those that followed there may follow again.

Where a project is remembered, the guesses are from there (`Recalling`), else from what another model expects
(`Expected`), or from the prompt (`Drafts`).

The network checks a whole guess in one pass, and what it would have chosen otherwise replaces the rest of it:
the text is the same with guesses and without. Code repeats itself, so guesses from the file itself are often
right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fim_lsp.memory.recall import Recall

# The number of tokens that have to agree before anything is guessed.
N_AGREEING = 3
LONGEST = 8
# The most tokens that are read of a text that another model expects: on processors, four rows take as long as
# two tokens, and eight as long as four.
MOST_EXPECTED = 4


class Guesses(Protocol):
    """A source of guesses."""

    def extend(self, tokens: Sequence[int]) -> None:
        """Adds what has been read or written."""

    def next(self, written: Sequence[int]) -> list[int]:
        """The tokens that may follow those written; none where that is not known."""

    def judge(self, n_guessed: int, n_right: int) -> None:
        """Learns from what became of a guess."""


@dataclass(slots=True)
class Recalling:
    """Guesses from the project's memory, which knows this file, too."""

    recall: Recall

    def extend(self, tokens: Sequence[int]) -> None:
        """Memory follows the file by itself."""

    def next(self, written: Sequence[int]) -> list[int]:
        return self.recall.draft(written, LONGEST)

    def judge(self, n_guessed: int, n_right: int) -> None:
        """Does nothing: memory drafts only where it is sure enough."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Guesses from a text that is expected here: by another model, or by this one a key ago."""

    tokens: Sequence[int]

    def extend(self, tokens: Sequence[int]) -> None:
        """The text is all that it knows."""

    def next(self, written: Sequence[int]) -> list[int]:
        n_written = len(written)
        is_right = list(written) == list(self.tokens[:n_written])
        return list(self.tokens[n_written : n_written + MOST_EXPECTED]) if is_right else []

    def judge(self, n_guessed: int, n_right: int) -> None:
        """Does nothing: a wrong guess is not made again, since the written text is another one then."""


@dataclass(slots=True)
class Drafts:
    """The tokens so far, and where each run of them was last seen."""

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
        """The tokens that may follow; none where the last tokens are new."""
        place = self._places.get(tuple(self._tokens[-N_AGREEING:]))
        return [] if place is None else self._tokens[place : place + self._length]

    def judge(self, n_guessed: int, n_right: int) -> None:
        """Learns from what became of a guess."""
        if n_right == n_guessed:
            self._length = min(LONGEST, self._length * 2)
        elif n_right < n_guessed // 2:
            self._length = max(1, self._length // 2)
