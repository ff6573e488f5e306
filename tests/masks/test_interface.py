"""The interface for users of masks: vocabularies, masks, candidates, batches."""

import threading

import numpy as np
import pytest

from quotient import Language, Vocabulary, _native
from tests.masks import law, vocabularies

WORDS = [b"x", b" = ", b"1", b"]", b"\n", b"<s>", b"", b"</s>"]


def vocabulary() -> Vocabulary:
    return Vocabulary(WORDS, eos=7, special=[5])


def allowed(left: str, right: str = "") -> list[bytes]:
    mask = Language.load("python").recognizer(left, right).mask(vocabulary())
    assert mask.dtype == np.uint32
    assert mask.shape == (1,)
    return [word for index, word in enumerate(WORDS) if law.is_allowed(mask, index)]


def test_a_mask_has_a_bit_for_each_token() -> None:
    assert allowed("") == [b"x", b"1", b"\n", b"</s>"]
    assert allowed("x = ") == [b"x", b"1"]


def test_bits_beyond_the_last_token_are_clear() -> None:
    made = vocabularies.load("made")
    assert len(made) % 32 != 0
    mask = Language.load("python").recognizer("# ", "\n").mask(made)
    assert int(mask[-1]) >> (len(made) % 32) == 0


def test_ends_and_special_tokens() -> None:
    recognizer = Language.load("python").recognizer("x = ", "")
    assert not recognizer.advance_token(vocabulary(), 7)
    assert not recognizer.advance_token(vocabulary(), 5)
    assert not recognizer.advance_token(vocabulary(), 6)
    assert recognizer.advance_token(vocabulary(), 2)
    assert recognizer.advance_token(vocabulary(), 7)
    assert recognizer.is_member()


def test_the_first_candidate_that_is_allowed() -> None:
    recognizer = Language.load("python").recognizer("x = ", "")
    assert recognizer.first_allowed(vocabulary(), [3, 5, 7, 2, 0]) == 2
    assert recognizer.first_allowed(vocabulary(), [3, 5]) is None
    assert recognizer.first_allowed(vocabulary(), [1000]) is None


def test_rollback_takes_texts_and_tokens_back() -> None:
    recognizer = Language.load("python").recognizer("", "")
    before = recognizer.mask(vocabulary()).tolist()
    assert recognizer.advance_token(vocabulary(), 0)
    assert not recognizer.advance("]")
    assert recognizer.advance(" = 1")
    fork = recognizer.fork()
    recognizer.rollback(2)
    assert recognizer.mask(vocabulary()).tolist() == before
    fork.rollback()
    assert fork.advance(" + 1")
    with pytest.raises(ValueError, match="fewer than 3"):
        fork.rollback(3)
    for _ in range(100_000):
        assert fork.advance(" ")
    fork.rollback(100_000)
    del fork


def test_text_without_a_choice() -> None:
    made = vocabularies.load("made")
    json = Language.load("json")
    assert json.recognizer("[tr", "").forced_text(made) == "ue"
    assert json.recognizer("[", "").forced_text(made) == ""
    assert json.recognizer("1", "").forced_text(made) == ""
    assert Language.load("python").recognizer("x = '\\N{EM DASH", "").forced_text(made) == "}"


def test_a_callers_array_is_filled() -> None:
    made = vocabularies.load("made")
    recognizer = Language.load("python").recognizer("x = ", "")
    expected = recognizer.mask(made)
    for dtype in (np.uint32, np.int32):
        out = np.full(made.n_words, 7, dtype)
        assert recognizer.mask(made, out=out) is out
        assert (out.view(np.uint32) == expected).all()
    with pytest.raises(TypeError, match="uint32 or int32"):
        recognizer.mask(made, out=np.zeros(made.n_words, np.float32))
    with pytest.raises(ValueError, match="shape"):
        recognizer.mask(made, out=np.zeros(made.n_words + 1, np.uint32))


def test_a_batch_equals_its_parts() -> None:
    made = vocabularies.load("made")
    python = Language.load("python")
    lefts = ["", "x = ", "def f(", "if x:\n    ", "s = 'a", "# c", "x = [1, "] * 3
    recognizers = [python.recognizer(left, "") for left in lefts]
    recognizers += [recognizers[0].fork()]
    expected = np.stack([recognizer.mask(made) for recognizer in recognizers])
    for n_threads in (None, 1, 3):
        found = _native.masks(recognizers, made, n_threads=n_threads)
        assert found.shape == (len(recognizers), made.n_words)
        assert (found == expected).all()
    out = np.zeros((len(recognizers), made.n_words), np.int32)
    _native.masks(recognizers, made, out=out)
    assert (out.view(np.uint32) == expected).all()
    assert _native.masks([], made).shape == (0, made.n_words)


def test_threads_share_a_vocabulary() -> None:
    made = vocabularies.made(1_000)
    python = Language.load("python")
    lefts = ["", "x = ", "def f(", "if x:\n    ", "s = 'a", "# c"]
    expected = {left: python.recognizer(left).mask(made).tolist() for left in lefts}
    fresh = Vocabulary([made.token(index) for index in range(len(made))], eos=made.eos)
    found: dict[str, list[int]] = {}

    def run(left: str) -> None:
        found[left] = python.recognizer(left).mask(fresh).tolist()

    threads = [threading.Thread(target=run, args=(left,)) for left in lefts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_ids_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="no token 3 among 1"):
        Vocabulary([b"x"], eos=3)
