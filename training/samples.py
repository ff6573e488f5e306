"""Samples, which the model sees: rows of token ids, each filled with pieces of documents, most of them cut.

A batch is a function of the documents, the recipe and the step, so a resumed run continues as if it had never
stopped.

The layouts are named by their order. Our prompts have the first one; the others are those of SantaCoder's
training, and those of other programs:

    suffix-prefix-middle  <fim-suffix> right <fim-prefix> left <fim-middle> middle <|endoftext|>
    suffix-middle-prefix  <fim-prefix> <fim-suffix> right <fim-middle> left middle <|endoftext|>
    prefix-suffix-middle  <fim-prefix> left <fim-suffix> right <fim-middle> middle <|endoftext|>

In the first layout the middle follows the text in front of it, and yet its beginning is marked: a line behind
the mark may be the last one, and a line in front of it never is. In the second layout the left side and the
middle are tokenized as one text. A text without a cut is `<|endoftext|> text`, with another `<|endoftext|>`
only if the file ends there.

In long rows some samples have other files of the same package in front, each under its path:

    # shop/prices.py
    ...
    # shop/cart.py
    left
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.collect import TrainingDocument
from training.cuts import TrainingCut, cut, unfinished
from training.neighbours import PYTHON_FILES, Neighbours, path_line
from training.recipe import Layout, TrainingRecipe

END = "<|endoftext|>"
PREFIX = "<fim-prefix>"
MIDDLE = "<fim-middle>"
SUFFIX = "<fim-suffix>"
PAD = "<fim-pad>"
SPECIAL_TOKENS = (END, PREFIX, MIDDLE, SUFFIX, PAD)

# More characters than a token has on average, so that a piece rather overfills a row than leaves room.
CHARACTERS_PER_TOKEN = 3.6
# Fewer, because the beginnings of other files are wanted, with their paths.
CHARACTERS_PER_TOKEN_OF_OTHERS = 2.5
# A sample gets the whole room, half of it, or a quarter, so that the model learns how holes end.
PARTS, PART_WEIGHTS, LEAST_PART = (1, 2, 4), (0.6, 0.2, 0.2), 96
# The least room that includes other files.
LEAST_ROOM_FOR_OTHERS = 400
# The most tokens, and bytes, at the cursor that the middle repeats (`fim_lsp/decoding/prompts/prompt.py`).
MOST_HEALED, MOST_HEALED_BYTES = 4, 24
# The share of rows that begin with a text instead of the first special token.
NO_START = 0.3
# Other people's styles: one file in so many has tabs, indentation by two, or carriage returns.
TABS, TWO_BLANKS, CARRIAGE_RETURNS = 0.02, 0.02, 0.01


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
    def __init__(
        self, documents: Sequence[TrainingDocument], tokenizer: Tokenizer, recipe: TrainingRecipe
    ) -> None:
        self._documents = documents
        self._cumulative = list(accumulate(len(document.text) for document in documents))
        self._neighbours = Neighbours(documents)
        self._tokenizer = tokenizer
        self._special = SpecialIds.of(tokenizer)
        self._recipe = recipe
        # The texts that are the beginnings of longer tokens.
        self._beginnings = {
            token[:length]
            for token in tokenizer.get_vocab()
            for length in range(1, min(len(token), MOST_HEALED_BYTES + 1))
        }

    def passes(self, step: int, contexts: Sequence[int]) -> list[NDArray[np.int64]]:
        """The rows of a step's passes, whose lengths may differ.

        A row has one id more than the context, since inputs and targets overlap.
        """
        per_pass = self._recipe.tokens_per_step // len(contexts)
        return [
            np.array(
                [self._row(f"{step} {index} {row}", context + 1) for row in range(per_pass // context)],
                dtype=np.int64,
            )  # (B, T + 1)
            for index, context in enumerate(contexts)
        ]

    def _row(self, name: str, n_ids: int) -> list[int]:
        rng = random.Random(f"{self._recipe.seed} {name}")
        ids = self._sample(rng, n_ids)
        # Other programs send texts without our first special token.
        if ids[0] == self._special.end and rng.random() < NO_START:
            del ids[0]
        while len(ids) < n_ids:
            ids += self._sample(rng, n_ids - len(ids))
        return ids[:n_ids]

    def _sample(self, rng: random.Random, room: int) -> list[int]:
        [parts] = rng.choices(PARTS, PART_WEIGHTS)
        if room // parts >= LEAST_PART:
            room //= parts
        [index] = rng.choices(range(len(self._documents)), cum_weights=self._cumulative)
        others: list[int] = []
        if room >= LEAST_ROOM_FOR_OTHERS and rng.random() < self._recipe.others_share:
            others = self._others(rng, index, int(room * rng.uniform(0.2, 0.5)))
        room -= len(others)
        text, is_to_the_end = self._piece(rng, self._documents[index].text, room)
        if self._documents[index].path.endswith(PYTHON_FILES):
            text = dressed(text, rng)
        if room < 16 or rng.random() >= self._recipe.cut_share:
            ids = [self._special.end, *others, *self._encoded(text)]
            return [*ids, self._special.end] if is_to_the_end else ids
        names, shares = zip(*self._recipe.layouts, strict=True)
        parts_of = unfinished(cut(text, rng), rng)
        [layout] = rng.choices(names, shares)
        return self._arranged(parts_of, others, layout, room)

    def _piece(self, rng: random.Random, text: str, room: int) -> tuple[str, bool]:
        """Whole lines, from any place in a text, and whether they include its last line."""
        length = int(room * CHARACTERS_PER_TOKEN)
        start = rng.randint(-length // 2, max(0, len(text) - length // 2))
        start = text.rfind("\n", 0, max(0, start)) + 1
        return text[start : start + length], start + length >= len(text)

    def _others(self, rng: random.Random, index: int, room: int) -> list[int]:
        """Pieces of other files beside a document, and the document's own path, in about so many tokens."""
        pieces = self._neighbours.pieces(index, rng, int(room * CHARACTERS_PER_TOKEN_OF_OTHERS))
        if not pieces:
            return []
        path = path_line(self._documents[index].path)
        return [*self._encoded("".join(pieces))[-room:], *self._encoded(path)]

    def _arranged(self, parts: TrainingCut, others: list[int], layout: Layout, room: int) -> list[int]:
        """The sample's ids. Tokens that do not fit are dropped from the far ends of the contexts."""
        special = self._special
        room -= 4
        right = self._encoded(parts.right)
        if layout == "suffix-middle-prefix":
            left, right = trimmed(self._encoded(parts.left + parts.middle), right, room)
            return [special.prefix, special.suffix, *right, special.middle, *others, *left, special.end]
        if layout == "suffix-prefix-middle":
            parts = self._healed(parts)
        middle = self._encoded(parts.middle)
        left, right = trimmed(self._encoded(parts.left), right, room - min(len(middle), room))
        before, behind = [special.prefix, *others, *left], [special.suffix, *right]
        contexts = [*before, *behind] if layout == "prefix-suffix-middle" else [*behind, *before]
        # A middle that was cut off has no end token.
        ended = [*middle, special.end] if len(middle) <= room else middle[:room]
        return [*contexts, special.middle, *ended]

    def _healed(self, parts: TrainingCut) -> TrainingCut:
        """The cut as the decoder makes it: text that may be the beginning of a longer token moves into the
        middle, which repeats it."""
        encoding = self._tokenizer.encode(parts.left, add_special_tokens=False)
        for n_tokens in range(min(MOST_HEALED, len(encoding)), 0, -1):
            if "".join(encoding.tokens[-n_tokens:]) in self._beginnings:
                at = encoding.offsets[-n_tokens][0]
                return TrainingCut(parts.left[:at], parts.left[at:] + parts.middle, parts.right)
        return parts

    def _encoded(self, text: str) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids


def dressed(text: str, rng: random.Random) -> str:
    """The text, sometimes with another indentation or with the line ends of Windows."""
    way = rng.random()
    if way < TABS:
        return reindented(text, "\t")
    if way < TABS + TWO_BLANKS:
        return reindented(text, "  ")
    if way < TABS + TWO_BLANKS + CARRIAGE_RETURNS:
        return text.replace("\n", "\r\n")
    return text


def reindented(text: str, unit: str) -> str:
    """The text with each four blanks of indentation replaced by the unit. Blanks left over stay."""
    lines = text.split("\n")
    depths = [(len(line) - len(line.lstrip(" "))) // 4 for line in lines]
    return "\n".join(unit * depth + line[4 * depth :] for line, depth in zip(lines, depths, strict=True))


def trimmed(left: list[int], right: list[int], room: int) -> tuple[list[int], list[int]]:
    """Both contexts in a limited room: one gets the room that the other one does not need, else left gets two
    thirds."""
    n_right = min(len(right), max(room // 3, room - len(left)))
    n_left = min(len(left), room - n_right)
    return left[len(left) - n_left :], right[:n_right]
