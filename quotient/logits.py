"""Masks of batches, and a logits processor for `transformers`.

Masks of a batch are int32 of shape (batch, words), 32 tokens per word, the lowest bit first: the format that
vLLM and SGLang allocate for structured output (as a tensor on the CPU), and that their kernels apply to
logits.
`masks` fills the rows of such a tensor or array for many recognizers, in one call and in threads.
"""

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from quotient import _native
from quotient.vocabulary import Vocabulary


def allocate_masks(n_rows: int, vocabulary: Vocabulary) -> npt.NDArray[np.int32]:
    """An array for the masks of a batch, with all tokens allowed."""
    return np.full((n_rows, vocabulary.n_words), -1, np.int32)


def masks(
    recognizers: Sequence[_native.Recognizer],
    vocabulary: Vocabulary,
    out: Any = None,
    n_threads: int | None = None,
) -> Any:
    """The masks of many recognizers, in threads and without the interpreter's lock.

    `out` is a tensor on the CPU or an array, int32 or uint32 of shape (batch, words), and is returned. Its
    rows may be wider than the vocabulary, as for padded logits; tokens beyond the vocabulary are not allowed.
    Without `out` a new array of uint32 is made. Recognizers of one document share charts and wait for each
    other.
    """
    if out is None:
        return _native.masks(list(recognizers), vocabulary, None, n_threads)
    array = out.numpy() if hasattr(out, "numpy") else out
    if array.ndim == 2 and array.shape[1] > vocabulary.n_words:
        array[:, vocabulary.n_words :] = 0
        array[:, : vocabulary.n_words] = masks(recognizers, vocabulary, None, n_threads).view(array.dtype)
    else:
        _native.masks(list(recognizers), vocabulary, array, n_threads)
    return out


def allowed_tokens(masks: npt.NDArray[Any], n_tokens: int) -> npt.NDArray[np.bool_]:
    """The masks' bits as booleans of shape (batch, n_tokens); tokens beyond the masks are not allowed."""
    bits = np.unpackbits(np.ascontiguousarray(masks).view(np.uint8), axis=-1, bitorder="little")
    missing = max(0, n_tokens - bits.shape[-1])
    bits = np.pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, missing)])
    return bits[..., :n_tokens].astype(np.bool_)


class MaskProcessor:
    """A logits processor for `transformers` that forbids tokens that do not fit the hole.

    Its rows may be samples or beams in any order, since a row is recognized by its tokens. The first
    `n_prompt` tokens of each row are not part of the hole; by default these are all tokens of the first call,
    so that a processor serves one call of `generate`. `first` is the vocabulary of first tokens, if it
    differs (see `Vocabulary.from_tokenizer`). A row that has ended goes on with its end. For a row that does
    not fit, no token is allowed: beam search keeps rows without probability if few others are left.

        processor = MaskProcessor(language.recognizer(left, right), vocabulary)
        model.generate(**inputs, logits_processor=[processor])
    """

    def __init__(
        self,
        recognizer: _native.Recognizer,
        vocabulary: Vocabulary,
        n_prompt: int | None = None,
        first: Vocabulary | None = None,
    ) -> None:
        self._start = recognizer.fork()
        self._vocabulary = vocabulary
        self._first = first or vocabulary
        self._n_prompt = n_prompt
        self._ends = frozenset(vocabulary.eos)
        # The recognizer of each row that fits, for the next call.
        self._rows: dict[tuple[int, ...], _native.Recognizer] = {(): self._start}

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The scores, minus infinity where a token is not allowed.

        `input_ids` (batch, length) and `scores` (batch, tokens) are tensors of PyTorch or arrays of NumPy.
        Raises `ValueError` if no row fits, or if the vocabulary has no token that continues one.
        """
        if self._n_prompt is None:
            self._n_prompt = int(input_ids.shape[1])
        rows = [self._until_end(row) for row in input_ids[:, self._n_prompt :].tolist()]
        read = {row: self._read(row) for row in set(rows)}
        self._rows = {row: recognizer for row, recognizer in read.items() if recognizer is not None}
        found = self._masks(rows)
        allowed = allowed_tokens(found, scores.shape[1])
        if not allowed.any():
            raise ValueError("no token of the vocabulary fits")
        if isinstance(scores, np.ndarray):
            return np.where(allowed, scores, -math.inf)
        torch: Any = import_module("torch")
        return scores.masked_fill(~torch.from_numpy(allowed).to(scores.device), -math.inf)

    def _masks(self, rows: list[tuple[int, ...]]) -> npt.NDArray[np.uint32]:
        found = np.zeros((len(rows), self._vocabulary.n_words), np.uint32)
        usual = [index for index, row in enumerate(rows) if row in self._rows]
        found[usual] = masks([self._rows[rows[index]] for index in usual], self._vocabulary)
        for index in usual:
            row = rows[index]
            if not row and self._first is not self._vocabulary:
                found[index] = self._start.mask(self._first)
            elif row and row[-1] in self._ends:
                found[index] = 0
                found[index, row[-1] // 32] = 1 << (row[-1] % 32)
        return found

    def _until_end(self, row: list[int]) -> tuple[int, ...]:
        """The row without the padding behind its end."""
        end = next((index for index, token in enumerate(row) if token in self._ends), len(row))
        return tuple(row[: end + 1])

    def _read(self, row: tuple[int, ...]) -> _native.Recognizer | None:
        """A recognizer behind a row that fits, made from the one behind its longest known beginning; or
        None."""
        if row in self._rows:
            return self._rows[row]
        known = max((part for part in self._rows if row[: len(part)] == part), key=len, default=())
        recognizer = self._rows.get(known, self._start).fork()
        for index, token in enumerate(row[len(known) :], start=len(known)):
            vocabulary = self._vocabulary if index else self._first
            if not recognizer.advance_token(vocabulary, token):
                return None
        return recognizer
