"""llama.cpp's memory for what has been read: cells for keys and values, which all texts share.

A text has a number (a sequence), and each of its tokens a cell. Texts that begin alike may share cells: the
beams of a search do. Where no cell is free, the text that was used longest ago is forgotten; it is read again
when it is wanted.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any, Protocol

import numpy as np

from fim_lsp.runtimes.llama.gguf import Gguf
from fim_lsp.runtimes.llama.threads import Threads
from fim_lsp.runtimes.runtime import GivenUp, Row, Unavailable
from fim_lsp.runtimes.speed import Speed

# `LLAMA_FLASH_ATTN_TYPE_DISABLED`, `GGML_TYPE_F32`.
FLASH_OFF, FLOAT32 = 0, 0
# The results of `llama_decode` where no cell is free, and where it was given up.
FULL, GIVEN_UP = 1, 2
# Fewer tokens than this are read before anybody could give them up: to ask costs a millisecond a reading.
LONG = 8


@dataclass(frozen=True)
class Sizes:
    """The sizes of what is read at once and kept, which is memory."""

    # Tokens that are read at once.
    n_batch: int
    # Texts that are held at once, and rows that a reading gives: the places of a guess, a search's beams.
    n_texts: int


# A large network reads no faster by more at once, and a row of its vocabulary has half a megabyte.
SMALL, LARGE = Sizes(512, 64), Sizes(128, 24)
# The bytes of what a large network has read, in half precision: keys and values of each layer.
KEPT_BYTES = 48 << 20


class SequenceOwner(Protocol):
    """The owner of a sequence. It is told when it has lost it."""

    def lose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class BatchToken:
    """A token to read: behind how many others of which text, and whether it is told what comes behind it."""

    token: int
    position: int
    sequence: int
    is_asked: bool


class Cells:
    """A context of llama.cpp. One thread at a time."""

    def __init__(self, gguf: Gguf, n_positions: int, threads: Threads, *, is_exact: bool) -> None:
        self._gguf = gguf
        self._ffi, self._llama = gguf.library.ffi, gguf.library.llama
        wishes = self._llama.llama_context_default_params()
        # Two long texts, or some more short ones; of a large network, whose texts share their beginnings, as
        # many as fit into some megabytes, and one long one in any case.
        wishes.n_ctx = 2 * n_positions if is_exact else self._n_kept(n_positions)
        self.sizes = SMALL if is_exact else LARGE
        wishes.n_batch = wishes.n_ubatch = self.sizes.n_batch
        wishes.n_seq_max = wishes.n_outputs_max = self.sizes.n_texts
        wishes.kv_unified = True
        if is_exact:
            # Else llama.cpp rounds keys and values to half precision, and on processors so do the sums over
            # the values, which moves the bundled model's logits by up to 0.1.
            wishes.flash_attn_type, wishes.type_k, wishes.type_v = FLASH_OFF, FLOAT32, FLOAT32
        wishes.n_threads = wishes.n_threads_batch = threads.n
        self._context = self._llama.llama_init_from_model(gguf.model, wishes)
        if self._context == self._ffi.NULL:
            raise Unavailable(f"{gguf.path} does not fit into memory: {gguf.library.complaint}")
        self._memory = self._llama.llama_get_memory(self._context)
        self._batch = self._llama.llama_batch_init(self.sizes.n_batch, 0, 1)
        self._n_tokens = gguf.n_tokens
        self.speed = Speed()
        self._threads = threads
        # When a trial of more threads has taken too long, and whether the present reading may be given up.
        self._trial_ends, self._is_heard = math.inf, False
        self._is_given_up: Callable[[], bool] | None = None
        self._gives_up = self._ffi.callback("ggml_abort_callback", self._asked)
        # The context needs the model until it is gone itself.
        weakref.finalize(self, give_back, gguf, self._context, self._batch).atexit = False
        self._free = list(range(self.sizes.n_texts))
        # The owner of each sequence; the one that was used longest ago comes first.
        self._texts: dict[int, weakref.ref[SequenceOwner]] = {}

    def _n_kept(self, n_positions: int) -> int:
        """The tokens of a large network that are kept."""
        llama, model = self._llama, self._gguf.model
        width = int(llama.llama_model_n_embd(model)) * int(llama.llama_model_n_head_kv(model))
        n_bytes = (
            4 * int(llama.llama_model_n_layer(model)) * width // max(1, int(llama.llama_model_n_head(model)))
        )
        return max(n_positions, min(2 * n_positions, KEPT_BYTES // max(1, n_bytes)))

    @property
    def n_texts(self) -> int:
        """The number of texts that are held here."""
        return len(self._texts)

    def sequence(self, text: SequenceOwner, keep: Collection[SequenceOwner] = ()) -> int:
        """A free one, for a text."""
        self._sweep()
        if not self._free:
            self._forget_oldest(keep)
        sequence = self._free.pop()
        self._texts[sequence] = weakref.ref(text)
        return sequence

    def crop(self, sequence: int, n_tokens: int) -> bool:
        """Forgets all but the first tokens of a text; False where this network cannot."""
        return bool(self._llama.llama_memory_seq_rm(self._memory, sequence, n_tokens, -1))

    def share(self, begun: int, going_on: int, n_tokens: int = -1) -> None:
        """Has a new text begin with the first tokens of another one, by default with all of them."""
        self._llama.llama_memory_seq_cp(self._memory, begun, going_on, -1, n_tokens)

    @property
    def can_move(self) -> bool:
        """Whether tokens can be given other positions than those that they were read at."""
        return bool(self._llama.llama_memory_can_shift(self._memory))

    def part(self, sequence: int, start: int, n_removed: int, apart: int) -> bool:
        """Takes a text apart: without some tokens, those behind them in a sequence of their own. The cells of
        these belong to no other text. False where this network cannot; then nothing has changed.
        """
        llama, memory = self._llama, self._memory
        llama.llama_memory_seq_cp(memory, sequence, apart, start + n_removed, -1)
        if llama.llama_memory_seq_rm(memory, sequence, start, -1):
            return True
        llama.llama_memory_seq_rm(memory, apart, -1, -1)
        return False

    def join(self, sequence: int, apart: int, start: int, n_moved: int) -> None:
        """Puts what was taken apart at `start` behind a text again, so many tokens further on."""
        llama, memory = self._llama, self._memory
        if n_moved:
            llama.llama_memory_seq_add(memory, apart, start, -1, n_moved)
        llama.llama_memory_seq_cp(memory, apart, sequence, -1, -1)

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        """Takes the function that is asked in the middle of a long reading whether it is given up."""
        self._is_given_up = is_given_up

    def _asked(self, _data: Any) -> bool:
        if perf_counter() > self._trial_ends:
            return True
        return self._is_heard and self._is_given_up is not None and self._is_given_up()

    def read(self, places: Sequence[BatchToken], keep: Collection[SequenceOwner]) -> list[Row]:
        """Reads tokens; what comes behind each that is asked for. No more than its sizes say.

        Raises `Unavailable`, and `GivenUp` where it is not wanted any more. No text in `keep` is forgotten.
        """
        self._sweep()
        self._gguf.library.complaints.clear()
        batch = self._batch
        batch.n_tokens = len(places)
        for index, place in enumerate(places):
            batch.token[index], batch.pos[index] = place.token, place.position
            batch.n_seq_id[index], batch.seq_id[index][0] = 1, place.sequence
            batch.logits[index] = place.is_asked
            self._texts[place.sequence] = self._texts.pop(place.sequence)
        # The question is asked in the middle of long readings alone.
        self._is_heard = len(places) > LONG and self._is_given_up is not None
        found = self._tried(len(places), keep)
        if found is None:
            found = self._computed(len(places), keep)
        if found == GIVEN_UP:
            raise GivenUp
        if found:
            said = self._gguf.library.complaint
            raise Unavailable(f"llama.cpp cannot go on with {self._gguf.path}: {said}")
        return [self._row(index) for index, place in enumerate(places) if place.is_asked]

    def _computed(self, n_tokens: int, keep: Collection[SequenceOwner]) -> int:
        start, used = perf_counter(), process_time()
        found = self._decoded(keep)
        if found != GIVEN_UP:
            now = perf_counter()
            self.speed.note(n_tokens, now - start)
            self._threads.note_reading(now - start, process_time() - used, now)
            self._use(self._threads.n)
        return found

    def _tried(self, n_tokens: int, keep: Collection[SequenceOwner]) -> int | None:
        """Reads with more threads, if it is time to try; None where that took too long, or was not tried."""
        start, used = perf_counter(), process_time()
        n, expected = self._threads.number_to_try(start), self.speed.seconds(n_tokens)
        if n is None or expected is None:
            return None
        self._use(n)
        self._trial_ends = start + expected
        found = self._decoded(keep)
        now = perf_counter()
        is_late = found == GIVEN_UP and now > self._trial_ends
        self._trial_ends = math.inf
        if is_late:
            self._threads.note_failure(now)
        elif found != GIVEN_UP:
            self.speed.note(n_tokens, now - start)
            self._threads.note_trial(n, now - start, process_time() - used, now)
        self._use(self._threads.n)
        return None if is_late else found

    def _use(self, n_threads: int) -> None:
        self._llama.llama_set_n_threads(self._context, n_threads, n_threads)

    def _decoded(self, keep: Collection[SequenceOwner]) -> int:
        """The result of llama.cpp for the batch. To ask whether it goes on takes a millisecond a reading."""
        is_asking = self._is_heard or self._trial_ends < math.inf
        callback = self._gives_up if is_asking else self._ffi.NULL
        self._llama.llama_set_abort_callback(self._context, callback, self._ffi.NULL)
        while (found := self._llama.llama_decode(self._context, self._batch)) == FULL:
            self._forget_oldest(keep)
        return int(found)

    def _row(self, index: int) -> Row:
        """A copy: the next reading overwrites what it is of."""
        place = self._llama.llama_get_logits_ith(self._context, index)
        return np.frombuffer(self._ffi.buffer(place, 4 * self._n_tokens), np.float32).copy()

    def drop(self, text: SequenceOwner) -> None:
        """Frees what belongs to a text, which is told."""
        for sequence, known in [*self._texts.items()]:
            if known() is text:
                self._release(sequence)
                text.lose()

    def _sweep(self) -> None:
        """Frees what belonged to texts that are held no more."""
        for sequence in [sequence for sequence, text in self._texts.items() if text() is None]:
            self._release(sequence)

    def _forget_oldest(self, keep: Collection[SequenceOwner]) -> None:
        for sequence, known in self._texts.items():
            text = known()
            if not any(text is kept for kept in keep):
                self._release(sequence)
                if text is not None:
                    text.lose()
                return
        raise Unavailable(f"{self._gguf.path} has no room for more texts at once")

    def _release(self, sequence: int) -> None:
        del self._texts[sequence]
        self._llama.llama_memory_seq_rm(self._memory, sequence, -1, -1)
        self._free.append(sequence)


def give_back(gguf: Gguf, context: Any, batch: Any) -> None:
    gguf.library.llama.llama_batch_free(batch)
    gguf.library.llama.llama_free(context)
