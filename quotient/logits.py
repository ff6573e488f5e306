"""Masks where models run: batches, and a logits processor for `transformers`.

Masks of a batch are int32 or uint32 of shape (batch, words), 32 tokens a word, the lowest bit first: what
vLLM and SGLang allocate for structured output, and what their kernels apply to logits. A row of such an array
is filled by `Recognizer.mask(vocabulary, out=row)`, all of them by `masks`.
"""

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from fim_lsp import _native
from quotient.vocabulary import Vocabulary


def allocate_masks(n_rows: int, vocabulary: Vocabulary) -> npt.NDArray[np.int32]:
    """An array for the masks of a batch in which everything is allowed."""
    return np.full((n_rows, vocabulary.n_words), -1, np.int32)


def masks(
    recognizers: Sequence[_native.Recognizer],
    vocabulary: Vocabulary,
    out: npt.NDArray[np.int32] | npt.NDArray[np.uint32] | None = None,
    n_threads: int | None = None,
) -> npt.NDArray[Any]:
    """The masks of many recognizers, in threads and without the interpreter's lock.

    `out` has shape (batch, words) and is returned; a new array of uint32 is made without one. Recognizers
    of one document share charts and wait for each other.
    """
    found: npt.NDArray[Any] = _native.masks(list(recognizers), vocabulary, out, n_threads)
    return found


def allowed_tokens(masks: npt.NDArray[Any], n_tokens: int) -> npt.NDArray[np.bool_]:
    """The masks' bits as booleans of shape (batch, n_tokens); tokens beyond the masks are not allowed."""
    bits = np.unpackbits(np.ascontiguousarray(masks).view(np.uint8), axis=-1, bitorder="little")
    missing = max(0, n_tokens - bits.shape[-1])
    bits = np.pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, missing)])
    return bits[..., :n_tokens].astype(np.bool_)


class MaskProcessor:
    """A logits processor for `transformers`: forbids what does not fit the hole.

    Its rows may be samples or beams in any order: a row is known by its tokens. The first `n_prompt` tokens
    of each row are not a part of the hole; by default all those of the first call. A row that has ended
    goes on with its end.

        processor = MaskProcessor(language.recognizer(left, right), vocabulary)
        model.generate(**inputs, logits_processor=[processor])
    """

    def __init__(
        self, recognizer: _native.Recognizer, vocabulary: Vocabulary, n_prompt: int | None = None
    ) -> None:
        self._first = recognizer.fork()
        self._vocabulary = vocabulary
        self._n_prompt = n_prompt
        self._ends = frozenset(vocabulary.eos)
        # What has been read of each row, for the next call.
        self._rows: dict[tuple[int, ...], _native.Recognizer] = {}

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The scores, minus infinity where a token is not allowed.

        `input_ids` (batch, length) and `scores` (batch, tokens) are tensors of PyTorch or arrays of NumPy.
        Raises `ValueError` if a row has a token that was not allowed.
        """
        if self._n_prompt is None:
            self._n_prompt = int(input_ids.shape[1])
        rows = [tuple(row) for row in input_ids[:, self._n_prompt :].tolist()]
        self._rows = {row: self._read(row) for row in set(rows)}
        found = masks([self._rows[row] for row in rows], self._vocabulary)
        for index, row in enumerate(rows):
            if row and row[-1] in self._ends:
                found[index] = self._only(row[-1])
        allowed = allowed_tokens(found, scores.shape[1])
        if isinstance(scores, np.ndarray):
            return np.where(allowed, scores, -math.inf)
        torch: Any = import_module("torch")
        return scores.masked_fill(~torch.from_numpy(allowed).to(scores.device), -math.inf)

    def _read(self, row: tuple[int, ...]) -> _native.Recognizer:
        """A recognizer behind a row, from the one that was behind all of it but its last token."""
        if row in self._rows:
            return self._rows[row]
        recognizer, rest = self._first, row
        if row and row[:-1] in self._rows:
            recognizer, rest = self._rows[row[:-1]], row[-1:]
        recognizer = recognizer.fork()
        for token in rest:
            if token not in self._ends and not recognizer.advance_token(self._vocabulary, token):
                raise ValueError(f"token {token} does not fit")
        return recognizer

    def _only(self, token: int) -> npt.NDArray[np.uint32]:
        mask = np.zeros(self._vocabulary.n_words, np.uint32)
        mask[token // 32] = np.uint32(1 << (token % 32))
        return mask
