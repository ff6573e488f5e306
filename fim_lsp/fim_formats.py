"""How code models are asked to fill in the middle: which special tokens, in which order.

A model that was trained for it reads a prompt such as

    <fim_prefix>def area(r): return <fim_suffix> * r ** 2<fim_middle>

and writes what belongs between. Which tokens these are is told by the tokenizer's vocabulary, so a model on
disk can be recognised from its files, without loading it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class FimFormat:
    """The special tokens of one way to ask. `order` says which context comes first in the prompt."""

    name: str
    prefix: str
    suffix: str
    # None where the middle simply follows the second context.
    middle: str | None
    order: Literal["prefix-suffix-middle", "suffix-prefix-middle"]
    models: str

    def is_spoken_by(self, vocabulary: Collection[str]) -> bool:
        wanted = (
            [self.prefix, self.suffix] if self.middle is None else [self.prefix, self.suffix, self.middle]
        )
        return all(token in vocabulary for token in wanted)


FIM_FORMATS = (
    FimFormat(
        "santacoder",
        "<fim-prefix>",
        "<fim-suffix>",
        "<fim-middle>",
        "prefix-suffix-middle",
        "SantaCoder",
    ),
    FimFormat(
        "starcoder",
        "<fim_prefix>",
        "<fim_suffix>",
        "<fim_middle>",
        "prefix-suffix-middle",
        "StarCoder, StarCoder2, Granite Code, StableCode",
    ),
    FimFormat(
        "qwen",
        "<|fim_prefix|>",
        "<|fim_suffix|>",
        "<|fim_middle|>",
        "prefix-suffix-middle",
        "Qwen2.5-Coder, CodeGemma",
    ),
    FimFormat(
        "deepseek",
        "<\uff5cfim\u2581begin\uff5c>",
        "<\uff5cfim\u2581hole\uff5c>",
        "<\uff5cfim\u2581end\uff5c>",
        "prefix-suffix-middle",
        "DeepSeek-Coder",
    ),
    FimFormat("codellama", "\u2581<PRE>", "\u2581<SUF>", "\u2581<MID>", "prefix-suffix-middle", "Code Llama"),
    FimFormat("codestral", "[PREFIX]", "[SUFFIX]", None, "suffix-prefix-middle", "Codestral"),
)


def fim_format(vocabulary: Collection[str]) -> FimFormat | None:
    """The format that a tokenizer with these tokens speaks; None for a model that cannot fill in."""
    return next((known for known in FIM_FORMATS if known.is_spoken_by(vocabulary)), None)
