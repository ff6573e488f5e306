"""llama.cpp's memory for read tokens: cells for keys and values, which all texts share.

A text has a number (a sequence), and each of its tokens a cell. Texts with a common beginning may share
cells, as the beams of a search do. If no cell is free, the least recently used text is dropped and read again
when needed.
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
# The results of `llama_decode` if no cell is free, and if it was given up.
FULL, GIVEN_UP = 1, 2
# The most tokens that are read without a check for cancellation, which costs a millisecond for each reading.
LONG = 8


@dataclass(frozen=True)
class Sizes:
    """The sizes of a reading and of the kept texts, which determine the memory."""

    # The tokens of one reading.
    n_batch: int
    # The texts held at once, and the rows of a reading: the places of a draft, or a search's beams.
    n_texts: int


# A large network does not read faster in larger pieces, and a row of its vocabulary has half a megabyte.
SMALL, LARGE = Sizes(512, 64), Sizes(128, 24)
# The bytes for a large network's keys and values, in half precision.
KEPT_BYTES = 48 << 20


class SequenceOwner(Protocol):
    """The owner of a sequence, which is notified when it loses the sequence."""

    def lose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class BatchToken:
    """A token to read: its text, its position, and whether its row is wanted."""

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
        # Room for two long texts, or more short ones. For a large network, whose texts share their
        # beginnings, as many as fit into `KEPT_BYTES`, but at least one long one.
        wishes.n_ctx = 2 * n_positions if is_exact else self._n_kept(n_positions)
        self.sizes = SMALL if is_exact else LARGE
        wishes.n_batch = wishes.n_ubatch = self.sizes.n_batch
        wishes.n_seq_max = wishes.n_outputs_max = self.sizes.n_texts
        wishes.kv_unified = True
        if is_exact:
            # By default llama.cpp rounds keys and values, and on processors also the sums over values, to
            # half precision, which changes the bundled model's logits by up to 0.1.
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
        # The end of a trial of more threads, and whether the present reading may be given up.
        self._trial_ends, self._is_heard = math.inf, False
        self._is_given_up: Callable[[], bool] | None = None
        self._gives_up = self._ffi.callback("ggml_abort_callback", self._is_abort_asked)
        # The context needs the model, so the model is freed after it.
        weakref.finalize(self, give_back, gguf, self._context, self._batch).atexit = False
        self._free = list(range(self.sizes.n_texts))
        # The owner of each sequence, the least recently used first.
        self._texts: dict[int, weakref.ref[SequenceOwner]] = {}

    def _n_kept(self, n_positions: int) -> int:
        """The number of tokens that are kept for a large network."""
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
        """A free sequence for a text."""
        self._sweep()
        if not self._free:
            self._forget_oldest(keep)
        sequence = self._free.pop()
        self._texts[sequence] = weakref.ref(text)
        return sequence

    def crop(self, sequence: int, n_tokens: int) -> bool:
        """Forgets all but the first tokens of a text; False if this network cannot."""
        return bool(self._llama.llama_memory_seq_rm(self._memory, sequence, n_tokens, -1))

    def share(self, begun: int, going_on: int, n_tokens: int = -1) -> None:
        """Lets a new text share the first tokens of another one, by default all of them."""
        self._llama.llama_memory_seq_cp(self._memory, begun, going_on, -1, n_tokens)

    @property
    def can_move(self) -> bool:
        """Whether read tokens can get other positions."""
        return bool(self._llama.llama_memory_can_shift(self._memory))

    def part(self, sequence: int, start: int, n_removed: int, apart: int) -> bool:
        """Removes tokens from a text and moves those behind them to a sequence of their own, whose cells must
        belong to no other text. False if this network cannot; then nothing has changed.
        """
        llama, memory = self._llama, self._memory
        llama.llama_memory_seq_cp(memory, sequence, apart, start + n_removed, -1)
        if llama.llama_memory_seq_rm(memory, sequence, start, -1):
            return True
        llama.llama_memory_seq_rm(memory, apart, -1, -1)
        return False

    def join(self, sequence: int, apart: int, start: int, n_moved: int) -> None:
        """Appends the tokens that were moved at `start` to a text again, `n_moved` positions further on."""
        llama, memory = self._llama, self._memory
        if n_moved:
            llama.llama_memory_seq_add(memory, apart, start, -1, n_moved)
        llama.llama_memory_seq_cp(memory, apart, sequence, -1, -1)

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        """Sets the function that says, in the middle of a long reading, whether to give it up."""
        self._is_given_up = is_given_up

    def _is_abort_asked(self, _data: Any) -> bool:
        if perf_counter() > self._trial_ends:
            return True
        return self._is_heard and self._is_given_up is not None and self._is_given_up()

    def read(self, places: Sequence[BatchToken], keep: Collection[SequenceOwner]) -> list[Row]:
        """Reads tokens, within the sizes; gives the row behind each one whose row is wanted.

        Raises `Unavailable`, and `GivenUp` if it is given up. No text in `keep` is dropped.
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
        # Only long readings are checked.
        self._is_heard = len(places) > LONG and self._is_given_up is not None
        found = self._try_more_threads(len(places), keep)
        if found is None:
            found = self._compute_batch(len(places), keep)
        if found == GIVEN_UP:
            raise GivenUp
        if found:
            complaint = self._gguf.library.complaint
            raise Unavailable(f"llama.cpp cannot go on with {self._gguf.path}: {complaint}")
        return [self._row(index) for index, place in enumerate(places) if place.is_asked]

    def _compute_batch(self, n_tokens: int, keep: Collection[SequenceOwner]) -> int:
        start, used = perf_counter(), process_time()
        found = self._decode_batch(keep)
        if found != GIVEN_UP:
            now = perf_counter()
            self.speed.note(n_tokens, now - start)
            self._threads.note_reading(now - start, process_time() - used, now)
            self._use(self._threads.n)
        return found

    def _try_more_threads(self, n_tokens: int, keep: Collection[SequenceOwner]) -> int | None:
        """Reads with more threads, if it is time to try; None if that took too long, or was not tried."""
        start, used = perf_counter(), process_time()
        n, expected = self._threads.number_to_try(start), self.speed.seconds(n_tokens)
        if n is None or expected is None:
            return None
        self._use(n)
        self._trial_ends = start + expected
        found = self._decode_batch(keep)
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

    def _decode_batch(self, keep: Collection[SequenceOwner]) -> int:
        """llama.cpp's result for the batch."""
        is_asking = self._is_heard or self._trial_ends < math.inf
        callback = self._gives_up if is_asking else self._ffi.NULL
        self._llama.llama_set_abort_callback(self._context, callback, self._ffi.NULL)
        while (found := self._llama.llama_decode(self._context, self._batch)) == FULL:
            self._forget_oldest(keep)
        return int(found)

    def _row(self, index: int) -> Row:
        """A copy of a row, since the next reading overwrites the original."""
        place = self._llama.llama_get_logits_ith(self._context, index)
        return np.frombuffer(self._ffi.buffer(place, 4 * self._n_tokens), np.float32).copy()

    def drop(self, text: SequenceOwner) -> None:
        """Frees the sequence of a text, which is notified."""
        for sequence, known in [*self._texts.items()]:
            if known() is text:
                self._release(sequence)
                text.lose()

    def _sweep(self) -> None:
        """Frees the sequences of texts that no longer exist."""
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
