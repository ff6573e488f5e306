"""Masks of all texts at once, computed while the network works.

vLLM tells of each token as soon as it is there, and waits for the answer; it asks for masks once the network
computes the next step. So a token is only looked up in the mask that it was chosen with, and is read when the
first mask of the step is asked for: then all texts that have gone on are read on, and their masks are worked
out in one call of the engine, in threads and without the interpreter.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from weakref import WeakSet

from fim_lsp.vllm_plugin.filling import FillingState, Mask, OrderedVocabulary
from quotient.logits import masks

LOGGER = logging.getLogger(__name__)
# The other processors belong to the network, and to vLLM's own processes.
N_THREADS = max(1, min(4, (os.cpu_count() or 1) // 2))


class MaskBatch:
    """The texts whose next masks are not known."""

    def __init__(self, tokens: OrderedVocabulary) -> None:
        self._tokens = tokens
        # The masks of requests that are gone are not waited for.
        self._changed: WeakSet[Next] = WeakSet()
        # The lock for vLLM's several threads, in which it asks where a batch is large.
        self._lock = Lock()

    def add(self, text: Next) -> None:
        self._changed.add(text)

    def work_out(self) -> None:
        with self._lock:
            changed = list(self._changed)
            self._changed.clear()
            try:
                self._work_out(changed)
            except RuntimeError:
                for text in changed:
                    self._work_out_alone(text)

    def _work_out(self, changed: Sequence[Next]) -> None:
        with panics_as_errors():
            for text in changed:
                text.settle()
            fillings = [text.filling for text in changed]
            recognizers = [filling.recognizer for filling in fillings]
            found = masks(recognizers, self._tokens.vocabulary, None, N_THREADS)
            for text, mask in zip(changed, found, strict=True):
                text.known = text.filling.narrowed_mask(mask)

    def _work_out_alone(self, text: Next) -> None:
        """A text that the engine fails at ends, and no other one with it."""
        try:
            self._work_out([text])
        except RuntimeError:
            LOGGER.exception("fim-lsp cannot go on with a text, and ends it")
            text.known = self._tokens.ending


class Next:
    """A text in progress, and the mask of its next tokens where that is known."""

    def __init__(self, filling: FillingState, together: MaskBatch) -> None:
        self.filling = filling
        self.known: Mask | None = None
        self._together = together
        # A token that fits and has not been read.
        self._unread: int | None = None

    def mask(self) -> Mask:
        if self.known is None:
            # The request may have come back, or this is its first mask.
            self._together.add(self)
            self._together.work_out()
        assert self.known is not None
        return self.known

    def read(self, tokens: Sequence[int]) -> bool:
        """Goes on with tokens; False at the first that does not fit, which is not read."""
        if len(tokens) == 1 and self._fits(tokens[0]):
            self._unread = tokens[0]
            self._forget()
            return True
        self.settle()
        self._forget()
        return self.filling.read(tokens)

    def fitting(self, tokens: Sequence[int]) -> list[int]:
        """The tokens, of the first of these, that may come next. Nothing is read."""
        self.settle()
        return self.filling.fitting(tokens)

    def take_back(self, n_tokens: int) -> None:
        """Forgets the last tokens that were read."""
        if n_tokens:
            self._forget()
            if self._unread is not None:
                self._unread = None
                n_tokens -= 1
        self.filling.take_back(n_tokens)

    def settle(self) -> None:
        """Reads what has been put off. Raises `RuntimeError` where the mask was wrong."""
        if self._unread is not None and not self.filling.read((self._unread,)):
            raise RuntimeError(f"token {self._unread} was allowed, and does not fit")
        self._unread = None

    @property
    def n_read(self) -> int:
        return self.filling.n_read + (self._unread is not None)

    def _fits(self, token: int) -> bool:
        """True where it is known that a token fits, which does not end the text."""
        mask = self.known
        if mask is None or token in self.filling.tokens.ends or not 0 <= token < 32 * len(mask):
            return False
        return bool(mask[token // 32] >> (token % 32) & 1)

    def _forget(self) -> None:
        self.known = None
        self._together.add(self)


@contextmanager
def panics_as_errors() -> Iterator[None]:
    """A fault of the engine's is no `Exception`: where it is not expected, it would end the server."""
    try:
        yield
    except (Exception, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as panic:
        raise RuntimeError(f"the engine failed: {panic}") from panic
