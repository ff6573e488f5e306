"""A draft as it comes in: a thread reads it, and a caller that wants a piece of it waits as long as it
likes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from fim_lsp.runtimes.runtime import GivenUp, Unavailable

# The seconds between two checks whether the caller still waits.
LOOK_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Drafted:
    """A token of a draft, and the likely ones at its place, with log-probabilities."""

    token: int
    likeliest: Sequence[tuple[int, float]]


class DraftSource(Iterator[Drafted], Protocol):
    """The source of a draft."""

    def close(self) -> None:
        """Ends it, on any thread: a caller that waits for the next token gets none."""


class Draft:
    """A draft: the tokens that a server writes behind a prompt, until it ends or is closed."""

    def __init__(self, prompt: Sequence[int], begin: Callable[[], DraftSource]) -> None:
        self.prompt = list(prompt)
        self._begin = begin
        self._source: DraftSource | None = None
        self._came: list[Drafted] = []
        self._is_closed = self._is_done = False
        self._error: Unavailable | None = None
        self._changed = threading.Condition()
        threading.Thread(target=self._read, name="draft", daemon=True).start()

    def goes_on(self, tokens: Sequence[int]) -> bool:
        """Whether a text is the prompt and a beginning of the draft, and the draft may go on behind it."""
        rest, came, is_over = self._apart(tokens)
        if rest is None or rest != came[: len(rest)]:
            return False
        return len(rest) < len(came) or (len(rest) == len(came) and not is_over)

    def parting_token(self, tokens: Sequence[int]) -> tuple[int, int] | None:
        """The first token of the draft from which a text differs, and the text's own token."""
        rest, came, _ = self._apart(tokens)
        pairs = zip(came, rest or (), strict=False)
        return next(((drafted, written) for drafted, written in pairs if drafted != written), None)

    def _apart(self, tokens: Sequence[int]) -> tuple[list[int] | None, list[int], bool]:
        """A text's tokens behind the prompt (None if its prompt differs), the received tokens of the draft,
        and whether these are all."""
        n_prompt = len(self.prompt)
        rest = list(tokens[n_prompt:]) if list(tokens[:n_prompt]) == self.prompt else None
        with self._changed:
            is_over = self._is_closed or self._is_done
            return rest, [drafted.token for drafted in self._came], is_over

    def behind(self, tokens: Sequence[int], is_given_up: Callable[[], bool]) -> Drafted | None:
        """The draft's token behind a text; None if the draft ended before it.

        Raises `GivenUp`, and `Unavailable` if the server failed before this token.
        """
        index = len(tokens) - len(self.prompt)
        with self._changed:
            while index >= len(self._came):
                if self._error is not None:
                    raise self._error
                if self._is_done:
                    return None
                if is_given_up():
                    raise GivenUp
                self._changed.wait(LOOK_SECONDS)
            return self._came[index]

    def close(self) -> None:
        """Closes the draft."""
        with self._changed:
            self._is_closed = True
            source = self._source
        if source is not None:
            source.close()

    def _read(self) -> None:
        try:
            source = self._begin()
            with self._changed:
                self._source = source
                is_closed = self._is_closed
            if is_closed:
                source.close()
            for drafted in source:
                with self._changed:
                    self._came.append(drafted)
                    self._changed.notify_all()
        except Unavailable as error:
            # Closing breaks the connection, which is no error.
            self._error = None if self._is_closed else error
        finally:
            with self._changed:
                self._is_done = True
                self._changed.notify_all()
