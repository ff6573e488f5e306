"""What the model sees: rows of token ids, each filled with pieces of documents, half of them cut.

A batch is a function of the documents, the recipe and the step, so that a run that is resumed goes on as
if it had never stopped.

The layouts are those of SantaCoder's training:

    prefix first:  <fim-prefix> left <fim-suffix> right <fim-middle> middle <|endoftext|>
    suffix first:  <fim-prefix> <fim-suffix> right <fim-middle> left middle <|endoftext|>
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.collect import Document
from training.cuts import Cut, cut
from training.recipe import Recipe

END = "<|endoftext|>"
PREFIX = "<fim-prefix>"
MIDDLE = "<fim-middle>"
SUFFIX = "<fim-suffix>"
PAD = "<fim-pad>"
SPECIAL_TOKENS = (END, PREFIX, MIDDLE, SUFFIX, PAD)

# More characters than a token has on average: a piece rather overfills a row than leaves room.
CHARACTERS_PER_TOKEN = 4.5


@dataclass(frozen=True, slots=True)
class SpecialIds:
    end: int
    prefix: int
    middle: int
    suffix: int

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> SpecialIds:
        ids = tokenizer.get_vocab()
        return cls(ids[END], ids[PREFIX], ids[MIDDLE], ids[SUFFIX])


class Samples:
    def __init__(self, documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe) -> None:
        self._texts = [document.text for document in documents]
        self._cumulative = list(accumulate(map(len, self._texts)))
        self._tokenizer = tokenizer
        self._special = SpecialIds.of(tokenizer)
        self._recipe = recipe

    def batch(self, step: int, context: int) -> NDArray[np.int64]:
        """The ids of one step, one more per row than the context: inputs and targets overlap."""
        n_rows = self._recipe.tokens_per_step // context
        rows = [self._row(step, row, context + 1) for row in range(n_rows)]
        return np.array(rows, dtype=np.int64)  # (B, T + 1)

    def _row(self, step: int, row: int, n_ids: int) -> list[int]:
        rng = random.Random(f"{self._recipe.seed} {step} {row}")
        ids: list[int] = []
        while len(ids) < n_ids:
            ids += self._sample(rng, n_ids - len(ids))
        return ids[:n_ids]

    def _sample(self, rng: random.Random, room: int) -> list[int]:
        text = self._piece(rng, room)
        if room < 16 or rng.random() >= self._recipe.cut_share:
            return [*self._encoded(text)[: room - 1], self._special.end]
        return self._arranged(cut(text, rng), rng.random() < self._recipe.suffix_first_share, room)

    def _piece(self, rng: random.Random, room: int) -> str:
        """Whole lines of a document, from anywhere in it; every character is as likely as any other."""
        [text] = rng.choices(self._texts, cum_weights=self._cumulative)
        length = int(room * CHARACTERS_PER_TOKEN)
        start = rng.randint(-length // 2, max(0, len(text) - length // 2))
        start = text.rfind("\n", 0, max(0, start)) + 1
        return text[start : start + length]

    def _arranged(self, parts: Cut, is_suffix_first: bool, room: int) -> list[int]:
        """The sample's ids; what does not fit is taken from the far ends of the contexts."""
        special = self._special
        left, middle, right = (self._encoded(part) for part in parts)
        middle = middle[: room - 4]
        left, right = trimmed(left, right, room - 4 - len(middle))
        if is_suffix_first:
            ids = [special.prefix, special.suffix, *right, special.middle, *left, *middle]
        else:
            ids = [special.prefix, *left, special.suffix, *right, special.middle, *middle]
        return [*ids, special.end]

    def _encoded(self, text: str) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids


def trimmed(left: list[int], right: list[int], room: int) -> tuple[list[int], list[int]]:
    """Both contexts in so much room: what one does not need the other gets, else left has two thirds."""
    n_right = min(len(right), max(room // 3, room - len(left)))
    n_left = min(len(left), room - n_right)
    return left[len(left) - n_left :], right[:n_right]
