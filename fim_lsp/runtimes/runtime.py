"""The interface between decoding and the runtimes that compute a network:

    Runtime       a network that is ready; `cache()` makes an empty cache, and `has_drafts` says whether
                  reading several tokens costs little more than reading one
    Cache         the memory of one text: `read` adds tokens, `crop` removes tokens at the end, so that
                  another text can go on from there, and `beams` gives several texts that do
    Row           the next token's logits, one for each token of the vocabulary

  Some runtimes have further abilities, which decoding recognizes by the type:
    KeptCache     reads slowly, so its tokens are worth keeping: other texts branch off it, its middle can
                  be edited, and a reading can be given up
    RemoteCache   is elsewhere: its rows are waited for, and it gets the hole, so that it may write ahead
    PartialRows   hold only the likeliest tokens, and more of them on request

Everything else belongs to decoding: the loop, sampling, beams, drafts and the grammar are the same for ONNX
Runtime, NumPy, PyTorch, llama.cpp and servers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.speed import Speed

Row = npt.NDArray[np.float32]
"""The logits of what comes next, (vocabulary,), in memory that the caller may keep and must not change.

Minus infinity is a token that cannot come, or of which the runtime tells nothing.
"""


class Unavailable(Exception):
    """A network cannot be read now, or not in this way; the message is a sentence for the user."""


class GivenUp(Exception):
    """The caller no longer wants the row for which it waited."""


@dataclass(frozen=True, slots=True)
class PromptHole:
    """The hole of a prompt, behind the first `n_prompt` tokens of a text.

    The text in it begins with `pending`, which stands left of the cursor and is written again. `contexts` are
    those of the cursor; None if the text is held to something else. `next` gives the tokens that may come
    next, or none if there are more than the given number.
    """

    n_prompt: int
    pending: bytes
    contexts: HoleContexts | None = None
    next: Callable[[int], Sequence[int]] = lambda _most: ()


class Rows(Protocol):
    """Rows, each fetched on demand; until then another device may go on computing."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Row: ...


@runtime_checkable
class PartialRows(Rows, Protocol):
    """Rows that hold only the likeliest tokens."""

    def wider(self, index: int, allowed: Callable[[int], Sequence[int]]) -> Row | None:
        """A row with more tokens, which it then keeps; None if there are no more.

        `allowed` gives the wanted tokens, if there are no more than the given number.
        """


@runtime_checkable
class AskedRows(PartialRows, Protocol):
    """Rows that need requests to another program."""

    def is_question(self, index: int) -> bool:
        """Whether a row needs a new request that would give only one text."""

    def presumed_row(self, token: int, logprob: float) -> Row:
        """A row that holds only this token."""


class Cache(Protocol):
    """The tokens of one text that a network has read. Not for several threads at once."""

    def read(self, tokens: Sequence[int], n_last: int) -> Rows:
        """Reads tokens; gives the rows behind the last `n_last` of them.

        If it raises, the cache is no longer usable.
        """

    def crop(self, n_tokens: int) -> None:
        """Forgets all but the first `n_tokens`, at least one and fewer than there are."""

    def beams(self) -> Beams:
        """Beams, which continue from here in several ways; this cache does not change."""


@runtime_checkable
class KeptCache(Cache, Protocol):
    """A cache of a network that reads slowly, so that reusing tokens matters more than exactness. It also
    reads without giving a row (`n_last` is 0).
    """

    @property
    def speed(self) -> Speed:
        """The measured speed of reading."""

    @property
    def n_held(self) -> int:
        """The number of tokens still in memory, which need not be read again."""

    def branch(self, n_tokens: int) -> KeptCache:
        """A text that begins with the first tokens of this one, which does not change."""

    def splice(self, start: int, n_removed: int, tokens: Sequence[int]) -> bool:
        """Replaces tokens in the middle. Those behind them move and are not read again, although they were
        read behind the old ones. False if that is impossible; then nothing has changed.
        """

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        """Sets the function that ends a reading: if it returns true, the reading raises `GivenUp`, and its
        tokens are not kept."""


@runtime_checkable
class RemoteCache(Cache, Protocol):
    """A remote cache, whose rows must be waited for. Reading may raise `Unavailable`."""

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        """Sets the function that ends the wait for a row: if it returns true, the wait raises `GivenUp`."""

    def fill(self, hole: PromptHole) -> None:
        """Sets the hole of the tokens that follow. A runtime that writes ahead may write only what fits
        there."""

    def rest(self) -> None:
        """Says that no row is wanted for now, so that work ahead may stop."""


class Beams(Protocol):
    """Texts of the same length with the same beginning, read side by side. At first there is one."""

    def read(self, parents: Sequence[int], tokens: Sequence[int]) -> Rows:
        """Text i continues text `parents[i]` of the previous step with `tokens[i]`; gives the rows behind."""


class Runtime(Protocol):
    """A network that is ready to read. Caches take turns; they are not for several threads at once."""

    @property
    def name(self) -> str:
        """The name of the runtime for users."""

    @property
    def device(self) -> str: ...

    @property
    def n_positions(self) -> int:
        """The most tokens that a cache holds."""

    @property
    def n_parameters(self) -> int: ...

    @property
    def has_drafts(self) -> bool:
        """Whether reading several tokens costs little more than reading one, so that drafts pay off."""

    def cache(self) -> Cache:
        """A new, empty cache."""
