"""The model: GPTBigCode, SantaCoder's architecture, as transformers defines it, on fewer parameters.

Multi-query attention: all heads share one key and one value, so that the cache of a completion is small.
"""

from __future__ import annotations

import math

import torch
from tokenizers import Tokenizer
from torch import Tensor
from transformers import GPTBigCodeConfig, GPTBigCodeForCausalLM

from training.recipe import Recipe
from training.samples import SpecialIds

# As large as the embeddings of tokens become, whose sum with them the blocks read.
POSITION_SCALE = 0.1
LONGEST_WAVE = 1000.0


def new_model(recipe: Recipe, tokenizer: Tokenizer) -> GPTBigCodeForCausalLM:
    special = SpecialIds.of(tokenizer)
    torch.manual_seed(recipe.seed)
    config = GPTBigCodeConfig(
        vocab_size=tokenizer.get_vocab_size(),
        n_positions=recipe.context,
        n_embd=recipe.width,
        n_layer=recipe.n_layers,
        n_head=recipe.n_heads,
        multi_query=True,
        attn_pdrop=0.0,
        embd_pdrop=0.0,
        resid_pdrop=0.0,
        bos_token_id=special.end,
        eos_token_id=special.end,
        pad_token_id=tokenizer.token_to_id("<fim-pad>"),
    )
    model = GPTBigCodeForCausalLM(config)
    model.set_attn_implementation("sdpa")
    start_well(model)
    return model


@torch.no_grad()
def start_well(model: GPTBigCodeForCausalLM) -> None:
    """Blocks begin as the identity; positions are waves and stay waves.

    A head that looks at the token in front then works at all positions at once. Learned positions were tried:
    each has to find its neighbours by itself, and after two million tokens the model still copied nothing.
    """
    for name, parameter in model.named_parameters():
        if name.endswith("c_proj.weight"):
            parameter.zero_()
    positions = model.transformer.wpe.weight
    positions.copy_(waves(*positions.shape) * POSITION_SCALE)
    positions.requires_grad_(False)


def waves(n_positions: int, width: int) -> Tensor:
    """Sines and cosines of falling frequencies (Vaswani et al. 2017)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(LONGEST_WAVE) / width))
    angles = torch.arange(n_positions)[:, None] * rates[None, :]
    return torch.cat([angles.sin(), angles.cos()], dim=1)  # (positions, width)
