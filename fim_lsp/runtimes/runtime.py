"""The interface between decoding and the runtimes that compute a network, in ten lines:

    Runtime       a network that is ready; `cache()` is an empty one, and `has_drafts` says whether several
                  tokens are read for little more than one
    Cache         the memory of one text: `read` goes on with tokens, `crop` forgets from the end on, so that
                  another text may go on from where they part, and `beams` are several that do
    Row           what may come behind a token: a logit for each token of the vocabulary

  What some can do, or want, besides; decoding asks by the type:
    KeptCache     is long in the reading, and so worth keeping: other texts begin with it, its middle changes,
                  and a reading under way can be given up
    RemoteCache   is somewhere else: it is waited for, and told of the hole, so that it may write ahead
    PartialRows   the likeliest tokens only, and more of them where none of those fits

Everything else is decoding's own: the loop, sampling, beams, drafts and the grammar are the same wherever the
network runs. ONNX Runtime, NumPy, PyTorch, llama.cpp and servers stand behind it.
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
    """The caller that waited for a row does not want it any more."""


@dataclass(frozen=True, slots=True)
class PromptHole:
    """A hole of a prompt, which is written into behind the first `n_prompt` tokens of a text.

    The first that comes there is `pending`: it stands left of the cursor, and is written again. `contexts`
    are those of the cursor; None where what is written is held to something else than them. `next` says
    which tokens may come next, if they are no more than it is told, else none.
    """

    n_prompt: int
    pending: bytes
    contexts: HoleContexts | None = None
    next: Callable[[int], Sequence[int]] = lambda _most: ()


class Rows(Protocol):
    """Rows, each brought here when it is asked for: until then another device may go on computing."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Row: ...


@runtime_checkable
class PartialRows(Rows, Protocol):
    """Rows that tell of the likeliest tokens only."""

    def wider(self, index: int, allowed: Callable[[int], Sequence[int]]) -> Row | None:
        """A row again, with more tokens in it; None if there is no more to tell. It stays as wide as it is.

        `allowed` says which tokens are looked for, if they are no more than it is told.
        """


@runtime_checkable
class AskedRows(PartialRows, Protocol):
    """Rows for which another program has to be asked, and waited for."""

    def is_question(self, index: int) -> bool:
        """Whether a row is not on its way, and what it would tell is one text alone."""

    def presumed_row(self, token: int, logprob: float) -> Row:
        """A row as if this was told of a token, and nothing of the others."""


class Cache(Protocol):
    """The tokens of one text that a network has read. Not for several threads at once."""

    def read(self, tokens: Sequence[int], n_last: int) -> Rows:
        """Reads on; the rows behind the last `n_last` of these tokens.

        If it raises, the cache is of no use any more.
        """

    def crop(self, n_tokens: int) -> None:
        """Forgets all but the first `n_tokens`; there are more, and at least one stays."""

    def beams(self) -> Beams:
        """Beams, which go on from here in several ways at once; this cache stays as it is."""


@runtime_checkable
class KeptCache(Cache, Protocol):
    """A cache of a network that reads slowly, so that what has been read is worth more than exactness. It
    also reads without a row (`n_last` is 0).
    """

    @property
    def speed(self) -> Speed:
        """The speed at which the network was seen to read."""

    @property
    def n_held(self) -> int:
        """The number of tokens that need not be read again: fewer than were read, where memory was needed."""

    def branch(self, n_tokens: int) -> KeptCache:
        """A text that begins with the first tokens of this one, which stays as it is."""

    def splice(self, start: int, n_removed: int, tokens: Sequence[int]) -> bool:
        """Puts tokens in place of some in the middle. Those behind them move and are not read again, although
        they have seen what is gone. False where that cannot be done, and nothing has changed.
        """

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        """Takes a function to ask in the middle of a reading from now on, which raises `GivenUp` when it says
        yes; the tokens in question are not held then."""


@runtime_checkable
class RemoteCache(Cache, Protocol):
    """A cache somewhere else, whose rows have to be waited for. Reading may raise `Unavailable`."""

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        """Takes a function to ask while a row is waited for, which raises `GivenUp` when it says yes."""

    def fill(self, hole: PromptHole) -> None:
        """Gives the hole of the tokens read from now on. A runtime that writes ahead may keep to what fits
        there."""

    def rest(self) -> None:
        """Says that nothing is wanted for now: whatever computes ahead may stop."""


class Beams(Protocol):
    """Texts of the same length with the same beginning, read side by side. In the beginning there is one."""

    def read(self, parents: Sequence[int], tokens: Sequence[int]) -> Rows:
        """Text i goes on from text `parents[i]` of the step before it with `tokens[i]`; the rows behind."""


class Runtime(Protocol):
    """A network that is ready to read. Caches take turns; they are not for several threads at once."""

    @property
    def name(self) -> str:
        """The name of the runtime, as it is told to users."""

    @property
    def device(self) -> str: ...

    @property
    def n_positions(self) -> int:
        """The most tokens that a cache holds."""

    @property
    def n_parameters(self) -> int: ...

    @property
    def has_drafts(self) -> bool:
        """Whether several tokens are read together for little more than one, so that guessing ahead pays."""

    def cache(self) -> Cache:
        """An empty one."""
