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


def test_rows_that_do_not_fit_go_on_with_nothing() -> None:
    processor = logits.MaskProcessor(Language.load("python").recognizer(), VOCABULARY, n_prompt=0)
    assert allowed(processor, [[0, 1, 3], [0, 1, 2], [0, 1, 5]]) == [[], [2, 4, 5], []]
    assert allowed(processor, [[0, 1, 3, 0], [0, 1, 2, 5], [7, 7, 7, 7]]) == [[], [5], []]
    with pytest.raises(ValueError, match="no token of the vocabulary fits"):
        allowed(processor, [[0, 1, 3]])


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


def test_a_row_that_has_ended_may_be_filled_up_with_anything() -> None:
    processor = logits.MaskProcessor(Language.load("python").recognizer(), VOCABULARY, n_prompt=1)
    assert allowed(processor, [[3, 0, 5], [3, 0, 1]]) == [[5], [0, 2]]
    assert allowed(processor, [[3, 0, 5, 3], [3, 0, 1, 2]]) == [[5], [2, 4, 5]]
    assert allowed(processor, [[3, 0, 5, 3, 3], [3, 0, 1, 2, 4]])[0] == [5]


def test_rows_may_grow_by_some_tokens_and_shrink() -> None:
    processor = logits.MaskProcessor(Language.load("python").recognizer(), VOCABULARY, n_prompt=0)
    assert allowed(processor, [[0]])[0] == [0, 1, 2, 4, 5]
    assert allowed(processor, [[0, 1, 0, 1]])[0] == [0, 2]
    assert allowed(processor, [[0, 1]])[0] == [0, 2]


def test_a_vocabulary_that_cannot_go_on_is_reported() -> None:
    recognizer = Language.load("json").recognizer("[", "")
    with pytest.raises(ValueError, match="no token of the vocabulary fits"):
        logits.MaskProcessor(recognizer, Vocabulary([b"x"]))(np.array([[0]]), np.zeros((1, 1)))


def test_first_tokens_may_have_a_vocabulary_of_their_own() -> None:
    tokens, first = [b" x", b" = 1", b"</s>"], [b"x", b"= 1", b""]
    processor = logits.MaskProcessor(
        Language.load("python").recognizer(), Vocabulary(tokens, eos=2), first=Vocabulary(first, eos=2)
    )
    assert allowed(processor, [[1]], 3) == [[0, 2]]
    assert allowed(processor, [[1, 0]], 3) == [[1, 2]]


def test_masks_go_into_tensors_of_padded_logits() -> None:
    torch = pytest.importorskip("torch")
    python = Language.load("python")
    recognizers = [python.recognizer(left) for left in ("", "x = ", "x")]
    expected = logits.masks(recognizers, VOCABULARY)
    # The layout of engines: int32 on the CPU, a word for 32 logits.
    for n_logits in (6, 32, 100):
        out = torch.full((3, math.ceil(n_logits / 32)), -1, dtype=torch.int32)
        assert logits.masks(recognizers, VOCABULARY, out) is out
        assert (out[:, :1].numpy().view(np.uint32) == expected).all()
        assert (out[:, 1:] == 0).all()
    with pytest.raises(ValueError, match="shape"):
        logits.masks(recognizers, VOCABULARY, torch.zeros((2, 1), dtype=torch.int32))
