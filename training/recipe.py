"""Every number of the recipe, in one place."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Recipe:
    seed: int = 0
    # Of one package at most so much is taken, so that the large ones do not become the whole language.
    max_package_bytes: int = 5_000_000

    n_vocab: int = 8192
    max_tokenizer_bytes: int = 40_000_000

    width: int = 256
    n_layers: int = 4
    n_heads: int = 4
    # Most of the training reads short rows, which cost less; the last part reads rows of the full context.
    context: int = 512
    short_context: int = 256

    # The share of samples that are cut, as SantaCoder's, and the share of these that are suffix first, as we
    # ask: what is typed next then only adds to the prompt.
    cut_share: float = 0.5
    suffix_first_share: float = 0.75

    # Training ends after so many steps, or so many minutes, whichever comes first.
    max_steps: int = 1_000_000
    max_minutes: float = 73.0
    tokens_per_step: int = 4096
    tokens_per_pass: int = 2048
    # Shares of the whole training: the rate rises, is held, and falls to zero.
    warmup: float = 0.02
    decay: float = 0.35
    matrix_rate: float = 0.02
    other_rate: float = 0.003
    weight_decay: float = 0.01
    # The average of the weights over about so many steps is what an early export takes.
    average_over: int = 100
    checkpoint_minutes: float = 5.0

    def on_gpu(self) -> Recipe:
        """As many parameters as fit into 32 MB in half precision, and half an hour of one large GPU."""
        return replace(
            self,
            max_package_bytes=20_000_000,
            width=384,
            n_layers=8,
            n_heads=6,
            max_minutes=25.0,
            tokens_per_step=131_072,
            tokens_per_pass=65_536,
            average_over=200,
            checkpoint_minutes=2.0,
        )


# For the tests: seconds on one core, and still every step of the recipe.
TINY = Recipe(
    n_vocab=384,
    width=32,
    n_layers=2,
    n_heads=2,
    context=64,
    short_context=32,
    max_steps=4,
    tokens_per_step=128,
    tokens_per_pass=64,
    warmup=0.25,
    decay=0.5,
    # After every step: the tests stop a training and let it go on.
    checkpoint_minutes=0.0,
)
