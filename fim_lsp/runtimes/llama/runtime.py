"""llama.cpp as a `Runtime`: logits without copies, a cache that is cropped, and beams that share it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.llama.cells import BatchToken, Cells
from fim_lsp.runtimes.llama.gguf import Gguf
from fim_lsp.runtimes.llama.threads import Threads, n_cores
from fim_lsp.runtimes.runtime import GivenUp, Row, Unavailable
from fim_lsp.runtimes.speed import Speed

# The most tokens of our prompts; their memory is allocated at once.
MOST_POSITIONS = 4096
# A short prompt is read in small pieces while a request waits, since a key may come at any time and finished
# pieces are kept. Pieces of 16 take a quarter longer than one piece.
SHORT, SMALL_PIECE = 96, 16
# Below this size a second thread costs more in waiting than it computes, and exactness costs almost nothing.
SMALL = 60_000_000


@dataclass(frozen=True)
class LlamaRuntime:
    gguf: Gguf
    cells: Cells
    n_positions: int
    n_gpu_layers: int | None
    # Whether reading is so slow that reusing tokens matters more than exactness.
    is_large: bool
    has_drafts = True

    @classmethod
    def at(
        cls, path: Path, n_gpu_layers: int | None, n_threads: int | None, told: Callable[[float], None]
    ) -> LlamaRuntime:
        """Raises `ModelError`."""
        gguf = Gguf.open_file(path, n_gpu_layers, told)
        trained = int(gguf.library.llama.llama_model_n_ctx_train(gguf.model))
        n_positions = min(trained, MOST_POSITIONS) if trained > 0 else MOST_POSITIONS
        n_parameters = int(gguf.library.llama.llama_model_n_params(gguf.model))
        try:
            is_small = n_parameters < SMALL
            has_gpu = n_gpu_layers != 0 and gguf.library.has_gpu
            threads = chosen_threads(n_threads or (1 if is_small else None), has_gpu=has_gpu)
            cells = Cells(gguf, n_positions, threads, is_exact=is_small)
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
        return KeptLlamaCache(self) if self.is_large else LlamaCache(self)


class LlamaCache:
    """The tokens of one text, which is read again if its cells were needed for another one.

    Invariant: with a sequence, its cells hold the first `n_held` of `tokens`.
    """

    def __init__(self, runtime: LlamaRuntime, tokens: Sequence[int] = ()) -> None:
        self.runtime = runtime
        self.tokens = list(tokens)
        self.n_held = 0
        self.sequence: int | None = None
        # Texts that branched off this one, and the number of shared cells.
        self._branches: weakref.WeakKeyDictionary[LlamaCache, int] = weakref.WeakKeyDictionary()

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
        return rows[-n_last:] if n_last else []

    def crop(self, n_tokens: int) -> None:
        del self.tokens[n_tokens:]
        if self.n_held > n_tokens:
            self.keep(n_tokens)

    def keep(self, n_tokens: int) -> None:
        """Keeps the first tokens. Networks that cannot be cropped read them again."""
        if self.sequence is None or self.runtime.cells.crop(self.sequence, n_tokens):
            self.n_held = n_tokens
        else:
            self.runtime.cells.crop(self.sequence, 0)
            self.n_held = 0

    def lose(self) -> None:
        self.sequence, self.n_held = None, 0

    def beams(self) -> LlamaBeams:
        return LlamaBeams(self.runtime, self, [self])

    def fork(self, keep: Sequence[LlamaCache]) -> LlamaCache:
        """A text that goes on from here; the texts in `keep` are not dropped."""
        forked = LlamaCache(self.runtime, self.tokens)
        forked.sequence = self.runtime.cells.sequence(forked, keep)
        if self.sequence is not None:
            self.runtime.cells.share(self.sequence, forked.sequence)
            forked.n_held = self.n_held
            self._branches[forked] = forked.n_held
        return forked

    @property
    def n_at_once(self) -> int:
        """The number of tokens of one reading."""
        return self.runtime.cells.sizes.n_batch

    def _unread(self, n_last: int) -> Iterator[BatchToken]:
        """The next tokens that can be read at once."""
        assert self.sequence is not None
        first_asked = len(self.tokens) - n_last
        stop = min(self.n_held + self.n_at_once, len(self.tokens))
        if stop > first_asked:
            stop = min(stop, max(first_asked, self.n_held) + self.runtime.cells.sizes.n_texts)
        for position in range(self.n_held, stop):
            yield BatchToken(self.tokens[position], position, self.sequence, position >= first_asked)


class KeptLlamaCache(LlamaCache):
    """A text of a network that reads slowly, for which reusing tokens matters more than exactness."""

    # Whether no request waits for the reading: code that reads ahead chooses its own pieces.
    is_ahead = False

    @property
    def speed(self) -> Speed:
        return self.runtime.cells.speed

    @property
    def n_at_once(self) -> int:
        is_short = len(self.tokens) - self.n_held <= SHORT and not self.is_ahead
        return SMALL_PIECE if is_short else self.runtime.cells.sizes.n_batch

    def read(self, tokens: Sequence[int], n_last: int) -> list[Row]:
        self.is_ahead = not n_last
        try:
            return super().read(tokens, n_last)
        except GivenUp:
            del self.tokens[self.n_held :]
            raise

    def splice(self, start: int, n_removed: int, tokens: Sequence[int]) -> bool:
        """See `KeptCache`. The tail waits in a sequence of its own while the new tokens are read."""
        cells, sequence = self.runtime.cells, self.sequence
        if sequence is None or start + n_removed > self.n_held or not cells.can_move:
            return False
        # A cell has the same position in all of its texts.
        for branch, n_shared in [*self._branches.items()]:
            if n_shared > start:
                cells.drop(branch)
        tail = EditedTail()
        apart = cells.sequence(tail, [self])
        if not cells.part(sequence, start, n_removed, apart):
            cells.drop(tail)
            return False
        n_behind = self.n_held - start - n_removed
        self.tokens[start : start + n_removed] = tokens
        self.n_held = start
        try:
            while self.n_held < start + len(tokens):
                stop = min(self.n_held + self.runtime.cells.sizes.n_batch, start + len(tokens))
                places = [BatchToken(self.tokens[at], at, sequence, False) for at in range(self.n_held, stop)]
                cells.read(places, [self, tail])
                self.n_held = stop
            if tail.is_there:
                cells.join(sequence, apart, start + n_removed, len(tokens) - n_removed)
                self.n_held += n_behind
        finally:
            cells.drop(tail)
        return True

    def branch(self, n_tokens: int) -> KeptLlamaCache:
        branch = KeptLlamaCache(self.runtime, self.tokens[:n_tokens])
        if self.sequence is not None:
            branch.sequence = self.runtime.cells.sequence(branch, [self])
            branch.n_held = min(n_tokens, self.n_held)
            self.runtime.cells.share(self.sequence, branch.sequence, branch.n_held)
            self._branches[branch] = branch.n_held
        return branch

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        self.runtime.cells.attend(is_given_up)


@dataclass(eq=False)
class EditedTail:
    """The text behind an edit, while it waits."""

    is_there: bool = True

    def lose(self) -> None:
        self.is_there = False


@dataclass(slots=True)
class LlamaBeams:
    """Texts that share the cells of their common beginning; their next tokens are read at once."""

    runtime: LlamaRuntime
    # The common beginning, which does not change.
    first: LlamaCache
    caches: list[LlamaCache]

    def read(self, parents: Sequence[int], tokens: Sequence[int]) -> list[Row]:
        last_child = {parent: index for index, parent in enumerate(parents)}
        # The other beams have ended, and their cells are needed.
        self.caches = [
            cache if index in last_child else self.first for index, cache in enumerate(self.caches)
        ]
        forked: list[LlamaCache] = []
        for index, parent in enumerate(parents):
            cache = self.caches[parent]
            is_last = last_child[parent] == index and cache is not self.first
            forked.append(cache if is_last else cache.fork([*self.caches, *forked]))
        self.caches = forked
        for cache, token in zip(forked, tokens, strict=True):
            cache.tokens.append(token)
        rows: list[Row] = []
        at_once = self.runtime.cells.sizes.n_texts
        for start in range(0, len(forked), at_once):
            places = [self._place(cache) for cache in forked[start : start + at_once]]
            rows += self.runtime.cells.read(places, forked)
        for cache in forked:
            cache.n_held = len(cache.tokens)
        return rows

    def _place(self, cache: LlamaCache) -> BatchToken:
        assert cache.sequence is not None
        if cache.n_held != len(cache.tokens) - 1:
            raise Unavailable(f"{self.runtime.name} has forgotten what the beams begin with")
        return BatchToken(cache.tokens[-1], cache.n_held, cache.sequence, True)


def chosen_threads(n_wanted: int | None, *, has_gpu: bool) -> Threads:
    if n_wanted is not None:
        return Threads(n_wanted, is_fixed=True)
    # With a GPU, threads wait for it, which says nothing about other programs.
    return Threads(n_cores(), is_fixed=True) if has_gpu else Threads.of_machine()
