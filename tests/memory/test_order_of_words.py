"""Answers of memory without a model: they follow from the texts, and not from what was read first."""

from __future__ import annotations

import numpy as np
import pytest

from fim_lsp.memory.family import FamilyMemory
from fim_lsp.memory.index import MOST_PLACES, Index
from fim_lsp.memory.words import MOST_WORDS, Words
from quotient import Language


def closed(_: object) -> str:
    return '"]'


@pytest.mark.parametrize("read", ["", "part\nparsnip\npasture", "pasture\nparsnip\npart"])
def test_of_equally_likely_words_the_longer_comes_first_whatever_was_read_before(read: str) -> None:
    memory = FamilyMemory()
    memory.words.up_to(read)
    text = '["part","parsnip","pasture",\n"pa'
    recognizer = Language.load("json").recognizer(text)
    found = memory.remembered_texts("file:///a.json", text, "", recognizer, closed)
    assert found
    assert all(one.text.startswith("rsnip") for one in found)


def test_a_sample_of_places_does_not_depend_on_the_words_numbers() -> None:
    text = "".join(f"a{number % 97} ,\n" for number in range(3 * MOST_PLACES))
    samples = []
    for read in ("", "\n".join(f"a{number}" for number in range(97, 0, -1))):
        words = Words()
        words.up_to(read)
        index = Index.of([np.array(words.up_to(text), np.int32)], MOST_WORDS)
        context = words.up_to("a1 ,")
        samples.append([(one.length, one.places.tolist()) for one in index.matches_of_each_length(context)])
    assert samples[0]
    assert samples[0] == samples[1]
