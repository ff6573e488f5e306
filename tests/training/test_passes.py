"""A pass computes the same as transformers: the loss, and its gradient for every parameter."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch.nn import functional
from transformers import Qwen3Config, Qwen3ForCausalLM

from training.passes import CHUNK, QUERIES, one_pass_of
from training.recipe import TrainingRecipe
from training.train import TrainingRun, counted


def toy() -> Qwen3ForCausalLM:
    torch.manual_seed(0)
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=64,
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=1,
            head_dim=16,
            initializer_range=0.2,
            rope_parameters={"rope_type": "default", "rope_theta": 100.0},
            tie_word_embeddings=True,
        )
    )


@pytest.mark.parametrize("n_tokens", [7, QUERIES + 45, CHUNK + 88])
def test_a_pass_computes_what_transformers_computes(n_tokens: int) -> None:
    """Equal up to half precision, also across the borders of query blocks and of chunks of the loss."""
    model = toy()
    rows = torch.randint(0, 64, (2, n_tokens + 1), generator=torch.Generator().manual_seed(1))
    loss, gradients = one_pass_of(model, compiled=False)(rows, rows[:, 1:].numel(), 1.0)
    logits = model(input_ids=rows[:, :-1]).logits
    expected = functional.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())
    assert loss == pytest.approx(expected.item(), rel=5e-3)
    parameters = dict(model.named_parameters())
    wanted = torch.autograd.grad(expected, list(parameters.values()))
    for name, gradient, reference in zip(parameters, gradients, wanted, strict=True):
        assert (gradient - reference).norm() < 0.04 * reference.norm(), name


@pytest.mark.parametrize("end_counts", [1.0, 3.0])
def test_the_end_of_a_text_counts_more_in_the_gradient_and_once_in_the_loss(end_counts: float) -> None:
    plain, model = toy(), toy()
    model.config.eos_token_id = 5
    rows = torch.randint(0, 64, (1, 30), generator=torch.Generator().manual_seed(1))
    rows[0, 9] = 5
    is_end = rows[:, 1:].flatten() == 5
    losses = functional.cross_entropy(plain(input_ids=rows[:, :-1]).logits[0], rows[0, 1:], reduction="none")
    weighted = (losses * torch.where(is_end, end_counts, 1.0)).sum() / 29
    expected = torch.autograd.grad(weighted, plain.model.norm.weight)[0]
    loss, gradients = one_pass_of(model, compiled=False)(rows, 29, end_counts)
    names = [name for name, _ in model.named_parameters()]
    assert loss == pytest.approx(losses.mean().item(), rel=5e-3)
    found = gradients[names.index("model.norm.weight")]
    assert (found - expected).norm() < 0.04 * expected.norm()


def test_the_loss_of_a_part_of_a_step_is_its_share() -> None:
    one_pass = one_pass_of(toy(), compiled=False)
    rows = torch.randint(0, 64, (4, 9), generator=torch.Generator().manual_seed(1))
    whole, _ = one_pass(rows, 32, 1.0)
    assert sum(one_pass(part, 32, 1.0)[0] for part in torch.split(rows, 2)) == pytest.approx(whole, rel=1e-3)


@pytest.mark.parametrize(
    ("is_branch", "share", "counts"), [(False, 0.95, 3.0), (True, 0.5, 3.0), (True, 0.95, 1.0)]
)
def test_at_the_end_of_a_branch_an_end_counts_as_often_as_it_comes(
    is_branch: bool, share: float, counts: float
) -> None:
    run = TrainingRun(Path("branch.pt"), Path("checkpoint.pt"), Path("losses.jsonl"), is_branch)
    assert counted(share, TrainingRecipe(), run) == counts
