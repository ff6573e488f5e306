"""Batches of masks, and the logits processor, on arrays of NumPy."""

import math

import numpy as np
import pytest

from quotient import Language, Vocabulary, logits
from tests.masks import law, vocabularies

WORDS = [b"x", b" = ", b"1", b"]", b"\n", b"</s>"]
VOCABULARY = Vocabulary(WORDS, eos=5)


def allowed(processor: logits.MaskProcessor, rows: list[list[int]], n_tokens: int = 8) -> list[list[int]]:
    scores = np.zeros((len(rows), n_tokens), np.float32)
    found = processor(np.array(rows), scores)
    assert found.shape == scores.shape
    return [[index for index in range(n_tokens) if row[index] > -math.inf] for row in found]


def test_rows_are_read_behind_the_prompt() -> None:
    processor = logits.MaskProcessor(Language.load("python").recognizer(), VOCABULARY)
    assert allowed(processor, [[3, 3, 3]]) == [[0, 2, 4, 5]]
    assert allowed(processor, [[3, 3, 3, 0]]) == [[0, 1, 2, 4, 5]]
    assert allowed(processor, [[3, 3, 3, 0, 1]]) == [[0, 2]]


def test_beams_may_change_places_and_end() -> None:
    processor = logits.MaskProcessor(Language.load("python").recognizer(), VOCABULARY, n_prompt=0)
    assert allowed(processor, [[0], [2]])[0] == [0, 1, 2, 4, 5]
    assert allowed(processor, [[0, 1], [0, 5]]) == [[0, 2], [5]]
    assert allowed(processor, [[0, 5, 5], [0, 1, 2]])[0] == [5]
    with pytest.raises(ValueError, match="token 3"):
        allowed(processor, [[0, 1, 3], [0, 1, 2]])


def test_a_batch_has_the_shape_that_engines_allocate() -> None:
    made = vocabularies.load("made")
    python = Language.load("python")
    recognizers = [python.recognizer(left) for left in ("", "x = ", "# ")]
    out = logits.allocate_masks(3, made)
    assert out.dtype == np.int32
    assert out.shape == (3, math.ceil(len(made) / 32))
    assert logits.masks(recognizers, made, out) is out
    bits = logits.allowed_tokens(out, len(made) + 5)
    assert not bits[:, len(made) :].any()
    for row, recognizer in zip(bits, recognizers, strict=True):
        words = recognizer.mask(made)
        assert all(bool(row[index]) == law.is_allowed(words, index) for index in range(len(made)))
