"""llama.cpp as a `Runtime`: all logits in place, a cache cut where texts part, beams that share it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.llama.cells import N_BATCH, N_ROWS, Cells, Place
from fim_lsp.runtimes.llama.gguf import Gguf
from fim_lsp.runtimes.runtime import Row, Unavailable

# No prompt of ours needs more, and memory for it is taken at once.
MOST_POSITIONS = 4096
# Below this size a second thread costs more in waiting than it computes, and exactness costs next to nothing.
SMALL = 60_000_000


@dataclass(frozen=True)
class LlamaRuntime:
    gguf: Gguf
    cells: Cells
    n_positions: int
    n_gpu_layers: int | None
    # Whether to read a text takes so long that what has been read is worth more than exactness.
    is_large: bool
    has_drafts = True

    @classmethod
    def at(
        cls, path: Path, n_gpu_layers: int | None, n_threads: int | None, told: Callable[[float], None]
    ) -> LlamaRuntime:
        """Raises `ModelError`."""
        gguf = Gguf.opened(path, n_gpu_layers, told)
        trained = int(gguf.library.llama.llama_model_n_ctx_train(gguf.model))
        n_positions = min(trained, MOST_POSITIONS) if trained > 0 else MOST_POSITIONS
        n_parameters = int(gguf.library.llama.llama_model_n_params(gguf.model))
        try:
            is_small = n_parameters < SMALL
            cells = Cells(gguf, n_positions, n_threads or (1 if is_small else threads()), is_exact=is_small)
        except Unavailable as error:
            raise ModelError(str(error)) from error
        return cls(gguf, cells, n_positions, n_gpu_layers, not is_small)

    @property
    def name(self) -> str:
        return "llama.cpp"

    @property
    def device(self) -> str:
        return "gpu" if self.n_gpu_layers != 0 and self.gguf.library.has_gpu else "cpu"

    @cached_property
    def n_parameters(self) -> int:
        return int(self.gguf.library.llama.llama_model_n_params(self.gguf.model))

    def cache(self) -> LlamaCache:
        return LlamaCache(self)


class LlamaCache:
    """The tokens of one text, which is read again where the cells have been needed for another one.

    Invariant: with a sequence, its cells hold the first `n_held` of `tokens`.
    """

    def __init__(self, runtime: LlamaRuntime, tokens: Sequence[int] = ()) -> None:
        self.runtime = runtime
        self.tokens = list(tokens)
        self.n_held = 0
        self.sequence: int | None = None
        # Whether some of its cells belong to another text, too: to beams, or what they began with.
        self.is_shared = False

    def read(self, tokens: Sequence[int], n_last: int) -> list[Row]:
        self.tokens.extend(tokens)
        if len(self.tokens) > self.runtime.n_positions:
            most = self.runtime.n_positions
            raise ValueError(f"{len(self.tokens)} tokens are more than the {most} that it reads")
        rows: list[Row] = []
        while self.n_held < len(self.tokens):
            if self.sequence is None:
                self.sequence = self.runtime.cells.sequence(self)
            places = list(self._unread(n_last))
            rows += self.runtime.cells.read(places, [self])
            self.n_held += len(places)
        return rows[-n_last:]

    def crop(self, n_tokens: int) -> None:
        del self.tokens[n_tokens:]
        if self.n_held > n_tokens:
            self.keep(n_tokens)

    def slide(self, start: int, n_tokens: int) -> bool:
        """What was read behind a window's old beginning has seen it, so the logits are those of a little more
        text. Where a network is read in no time, exactness is worth more.
        """
        is_held = self.sequence is not None and start + n_tokens <= self.n_held
        if not is_held or self.is_shared or not self.runtime.is_large:
            return False
        assert self.sequence is not None
        if not self.runtime.cells.slide(self.sequence, start, n_tokens):
            return False
        del self.tokens[start : start + n_tokens]
        self.n_held -= n_tokens
        return True

    def keep(self, n_tokens: int) -> None:
        """Some networks have no memory of single tokens: what they have read is read again."""
        if self.sequence is None or self.runtime.cells.crop(self.sequence, n_tokens):
            self.n_held = n_tokens
        else:
            self.runtime.cells.crop(self.sequence, 0)
            self.n_held = 0

    def lose(self) -> None:
        self.sequence, self.n_held, self.is_shared = None, 0, False

    def beams(self) -> LlamaBeams:
        return LlamaBeams(self.runtime, [self])

    def fork(self, keep: Sequence[LlamaCache]) -> LlamaCache:
        """A text that goes on from here; all of `keep` stay as they are."""
        forked = LlamaCache(self.runtime, self.tokens)
        forked.sequence = self.runtime.cells.sequence(forked, keep)
        if self.sequence is not None:
            self.runtime.cells.share(self.sequence, forked.sequence)
            forked.n_held = self.n_held
            self.is_shared = forked.is_shared = True
        return forked

    def _unread(self, n_last: int) -> Iterator[Place]:
        """The next tokens that can be read at once."""
        assert self.sequence is not None
        first_asked = len(self.tokens) - n_last
        stop = min(self.n_held + N_BATCH, len(self.tokens))
        if stop > first_asked:
            stop = min(stop, max(first_asked, self.n_held) + N_ROWS)
        for position in range(self.n_held, stop):
            yield Place(self.tokens[position], position, self.sequence, position >= first_asked)


@dataclass(slots=True)
class LlamaBeams:
    """Texts with the same beginning, whose cells are the same ones; their next tokens are read at once."""

    runtime: LlamaRuntime
    caches: list[LlamaCache]

    def read(self, parents: Sequence[int], tokens: Sequence[int]) -> list[Row]:
        before = self.caches
        forked: list[LlamaCache] = []
        for parent, token in zip(parents, tokens, strict=True):
            fork = before[parent].fork([*before, *forked])
            fork.tokens.append(token)
            forked.append(fork)
        self.caches = forked
        rows: list[Row] = []
        for start in range(0, len(forked), N_ROWS):
            places = [self._place(cache) for cache in forked[start : start + N_ROWS]]
            rows += self.runtime.cells.read(places, forked)
        for cache in forked:
            cache.n_held = len(cache.tokens)
        return rows

    def _place(self, cache: LlamaCache) -> Place:
        assert cache.sequence is not None
        if cache.n_held != len(cache.tokens) - 1:
            raise Unavailable(f"{self.runtime.name} has forgotten what the beams begin with")
        return Place(cache.tokens[-1], cache.n_held, cache.sequence, True)


def threads() -> int:
    """How many compute: half of the processors, as the rest of the machine has work, too."""
    # Only Linux tells which of them this process may use.
    affinity = getattr(os, "sched_getaffinity", None)
    n_processors = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, n_processors // 2)
