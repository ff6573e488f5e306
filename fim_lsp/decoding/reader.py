"""What the network has read: its keys and values, kept from one request to the next.

A prompt is read from the first token in which it differs from what was read before. Typing on adds tokens at
the end of a prompt (see `prompt.py`), so of a request's prompt only the changed tail is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from fim_lsp.shared import n_shared

# A long prompt is read in pieces, so that a cancelled request does not have to wait for all of it.
PIECE = 512


class Cancelled(Exception):
    """The request is no longer wanted; what has been read stays."""


class Reader:
    """Tokens that the network has read, and what it expects behind them.

    Invariant: the cache holds the keys and values of `tokens`, no more and no less.
    """

    def __init__(self, network: Any, device: str) -> None:
        self._network = network
        self.device = device
        self.cache = empty_cache()
        self.tokens: list[int] = []
        # How many tokens have been computed in all: what benches and tests of the cache count.
        self.n_computed = 0

    def prompt(self, tokens: Sequence[int], n_last: int, is_cancelled: Callable[[], bool]) -> torch.Tensor:
        """Reads a prompt; what comes after each of its last `n_last` tokens, (n_last, vocabulary).

        Raises `Cancelled` between two pieces of a long one.
        """
        known = min(n_shared(self.tokens, tokens), len(tokens) - n_last)
        self.crop(known)
        rest = list(tokens[known:])
        while len(rest) - n_last >= PIECE:
            if is_cancelled():
                raise Cancelled
            self.read(rest[:PIECE], 1)
            rest = rest[PIECE:]
        if is_cancelled():
            raise Cancelled
        return self.read(rest, n_last)

    def read(self, tokens: Sequence[int], n_last: int) -> torch.Tensor:
        """Reads on; what comes after each of the last `n_last` tokens, (n_last, vocabulary)."""
        with torch.inference_mode():
            try:
                output = self._network(
                    input_ids=torch.tensor([tokens], device=self.device),
                    past_key_values=self.cache,
                    use_cache=True,
                    logits_to_keep=n_last,
                )
            except BaseException:
                # Some layers may have taken the tokens up and others not.
                self.forget()
                raise
        self.tokens.extend(tokens)
        self.n_computed += len(tokens)
        logits: torch.Tensor = output.logits[0, -n_last:]
        return logits

    def read_beams(self, cache: Any, tokens: Sequence[int]) -> torch.Tensor:
        """Reads one token for each beam of a cache of theirs; what comes behind it, (beams, vocabulary)."""
        with torch.inference_mode():
            output = self._network(
                input_ids=torch.tensor(tokens, device=self.device)[:, None],
                past_key_values=cache,
                use_cache=True,
                logits_to_keep=1,
            )
        self.n_computed += len(tokens)
        logits: torch.Tensor = output.logits[:, -1].to(device="cpu", dtype=torch.float32)
        return logits

    def crop(self, n_tokens: int) -> None:
        """Forgets all but the first tokens."""
        if n_tokens == 0:
            self.forget()
        elif n_tokens < len(self.tokens):
            self.cache.crop(n_tokens - len(self.tokens))
            del self.tokens[n_tokens:]

    def forget(self) -> None:
        self.cache = empty_cache()
        self.tokens = []


def empty_cache() -> Any:
    from transformers import DynamicCache

    # Without a configuration every layer keeps all it has read, also those with a sliding window, which could
    # not be cropped otherwise. Prompts are never longer than that window.
    return DynamicCache()
