"""A model that PyTorch computes, in a folder in the layout of `transformers`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fim_lsp.decoding.models.model import Model, Progress, format_in, with_runtime
from fim_lsp.decoding.models.tokens import ModelTokenizer
from fim_lsp.runtimes.folder import ModelError, first_line


def open_model(
    folder: Path,
    name: str,
    device: str | None,
    dtype: str | None,
    n_threads: int | None,
    fim: dict[str, object],
    told: Progress,
) -> Model:
    """A model that PyTorch computes."""
    import transformers

    from fim_lsp.runtimes.network import best_device, network_at
    from fim_lsp.runtimes.pytorch import TorchRuntime

    quieted: Any = transformers.logging
    quieted.set_verbosity_error()
    quieted.disable_progress_bar()
    told("reading the tokenizer", 0.5)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as error:
        raise ModelError(f"{name} has no tokenizer that can be read: {first_line(error)}") from error
    if not tokenizer.is_fast:
        raise ModelError(f"{name} has no fast tokenizer (no tokenizer.json)")
    # The format comes before the weights: a model without one is refused within a second.
    fim_format = format_in(folder, name, tokenizer.get_vocab(), fim)
    chosen = device or best_device()
    told("loading the weights", 0.6)
    network = network_at(folder, name, chosen, dtype, n_threads)
    told("ready", 1.0)
    return with_runtime(name, TorchRuntime(network, chosen), tokens_of(tokenizer, network), fim_format)


def tokens_of(tokenizer: Any, network: Any) -> ModelTokenizer:
    """The tokens of a tokenizer of `transformers`, completed from the network's configuration."""
    configured = getattr(getattr(network, "generation_config", None), "eos_token_id", None)
    ends = [configured] if isinstance(configured, int) else list(configured or ())
    ends += [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id]
    begin = tuple(
        index
        for index in tokenizer("")["input_ids"]
        if index != tokenizer.eos_token_id or not tokenizer.bos_token
    )
    return ModelTokenizer(
        tokenizer.backend_tokenizer,
        tokenizer.get_vocab(),
        tuple(ends),
        begin if tokenizer.bos_token_id in begin else (),
        max(int(network.config.vocab_size), max(tokenizer.get_vocab().values()) + 1),
    )
