"""The numbers of the recipe, in one place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch

# The order of contexts in a sample, and whether the middle is tokenized separately from the text in front of
# it.
Layout = Literal["suffix-prefix-middle", "suffix-middle-prefix", "prefix-suffix-middle"]


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    seed: int = 0
    # The most bytes of one package, so that large packages do not dominate.
    max_package_bytes: int = 5_000_000

    n_vocab: int = 8192
    max_tokenizer_bytes: int = 40_000_000

    width: int = 256
    inner_width: int = 704
    n_layers: int = 5
    head_size: int = 64
    context: int = 1024
    longest_wave: float = 10_000.0

    # The share of samples that are cut, and the shares of the layouts among these; see samples.py. Below: the
    # share of long samples with other files in front.
    cut_share: float = 0.7
    layouts: tuple[tuple[Layout, float], ...] = (
        ("suffix-prefix-middle", 0.75),
        ("suffix-middle-prefix", 0.10),
        ("prefix-suffix-middle", 0.15),
    )
    others_share: float = 0.35

    # The rate is held until a training has seen this many tokens. A branch, on which the rate falls to zero,
    # may be made at any time, and the training continues from where it branched.
    max_tokens: int = 250_000_000
    tokens_per_step: int = 8192
    warmup_tokens: int = 1_200_000
    # The length of the rows in each pass of a step, from this number of tokens on. Short rows cost less.
    rows: tuple[tuple[int, tuple[int, ...]], ...] = (
        (0, (256, 256, 256, 256)),
        (8_000_000, (256, 256, 512, 1024)),
    )
    # The length of the branch, as a share of the tokens before it, and its rows.
    decay_share: float = 0.15
    decay_rows: tuple[int, ...] = (256, 512, 1024, 1024)
    # The weight of a text's end in the gradient. It is one token in a hundred, and decides whether a
    # completion is useful. A model that learned only with this weight ends its texts too early, so from this
    # share of the branch on the weight is 1.
    end_counts: float = 3.0
    end_counts_until: float = 0.9

    matrix_rate: float = 0.02
    other_rate: float = 0.003
    weight_decay: float = 0.01
    # The approximate number of steps in the average of weights that an early export takes.
    average_over: int = 100
    checkpoint_minutes: float = 3.0

    def rows_after(self, n_tokens: int) -> tuple[int, ...]:
        return [rows for start, rows in self.rows if start <= n_tokens][-1]

    def on_gpu(self) -> TrainingRecipe:
        """The recipe whose parameters fill 32 MB in half precision, for half an hour on one large GPU."""
        return replace(
            self,
            max_package_bytes=20_000_000,
            width=384,
            inner_width=1024,
            n_layers=8,
            max_tokens=4_000_000_000,
            tokens_per_step=131_072,
            warmup_tokens=20_000_000,
            rows=((0, (512, 1024)),),
            decay_rows=(1024, 1024),
            average_over=200,
            checkpoint_minutes=2.0,
        )


def recipe_here(*, is_tiny: bool = False, max_tokens: int | None = None) -> TrainingRecipe:
    """The recipe for the machine that this runs on."""
    recipe = TINY if is_tiny else TrainingRecipe().on_gpu() if torch.cuda.is_available() else TrainingRecipe()
    return recipe if max_tokens is None else replace(recipe, max_tokens=max_tokens)


# The recipe for the tests: it takes seconds on one core, and runs every step.
TINY = TrainingRecipe(
    n_vocab=384,
    width=32,
    inner_width=48,
    n_layers=2,
    head_size=16,
    context=64,
    max_tokens=512,
    tokens_per_step=128,
    warmup_tokens=128,
    rows=((0, (32, 32)), (256, (32, 64))),
    decay_share=0.5,
    end_counts_until=0.5,
    decay_rows=(64, 64),
    # A checkpoint after every step, because the tests stop a training and continue it.
    checkpoint_minutes=0.0,
)
