"""Small models for tests: random weights, and a tokenizer that is trained here in a moment.

`transformers` makes them like real ones, so tests run the code that real models run. Random weights are also
the hardest case for decoding: such a model never ends by itself.
"""

from __future__ import annotations

import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GPTBigCodeConfig, GPTBigCodeForCausalLM, PreTrainedTokenizerFast

from fim_lsp.decoding.models.model import Model, with_runtime
from fim_lsp.decoding.models.pytorch import tokens_of
from fim_lsp.fim_formats import FimFormat, fim_format
from fim_lsp.runtimes.pytorch import TorchRuntime
from fim_lsp.runtimes.runtime import Row, Rows

SANTACODER = ("<|endoftext|>", "<fim-prefix>", "<fim-middle>", "<fim-suffix>", "<fim-pad>")
# Several threads would wait for each other longer than these networks take.
torch.set_num_threads(1)

FILES = ("ast.py", "argparse.py", "dataclasses.py", "textwrap.py", "shlex.py", "heapq.py", "bisect.py")


@cache
def corpus() -> list[str]:
    """Some files of the standard library."""
    library = Path(sysconfig.get_path("stdlib"))
    return [(library / name).read_text(encoding="utf-8") for name in FILES]


@cache
def trained_tokenizer(
    n_tokens: int = 1200, specials: tuple[str, ...] = SANTACODER
) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer trained on the standard library, with SantaCoder's special tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=n_tokens,
        special_tokens=list(specials),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(corpus(), trainer)
    wrapped: Any = PreTrainedTokenizerFast
    found: PreTrainedTokenizerFast = wrapped(
        tokenizer_object=tokenizer, eos_token=specials[0], clean_up_tokenization_spaces=False
    )
    return found


def random_network(
    n_tokens: int, seed: int = 0, n_positions: int = 512, **config: Any
) -> GPTBigCodeForCausalLM:
    """A network of SantaCoder's architecture with random weights."""
    torch.manual_seed(seed)
    shape = {"n_embd": 32, "n_layer": 2, "n_head": 4} | config
    described = GPTBigCodeConfig(
        vocab_size=n_tokens,
        n_positions=n_positions,
        bos_token_id=0,
        eos_token_id=0,
        initializer_range=0.2,
        **shape,
    )
    network: Any = GPTBigCodeForCausalLM(described)
    found: GPTBigCodeForCausalLM = network.eval().requires_grad_(False)
    return found


@cache
def tiny_model(seed: int = 0, n_positions: int = 512) -> Model:
    """A small SantaCoder: two layers, random weights."""
    tokenizer = trained_tokenizer()
    network = random_network(len(tokenizer), seed, n_positions)
    runtime = TorchRuntime(network, "cpu")
    return with_runtime("tiny", runtime, tokens_of(tokenizer, network), known_format(tokenizer))


class Script:
    """A runtime whose network prefers a given text behind a given left context, and then an end.

    It prefers the tokens `always` even more, everywhere. It knows only what its cache holds, as attention
    does, so a wrong cache has visible effects.
    """

    name, device, n_positions, n_parameters, has_drafts = "script", "cpu", 512, 0, True

    def __init__(self, model: Model, left: str, text: str, always: Sequence[int] = ()) -> None:
        self.model = model
        self.wanted = (left + text).encode()
        self.always = always
        self.n_calls = 0

    def cache(self) -> ScriptCache:
        return ScriptCache(self, [])

    def row(self, history: list[int]) -> Row:
        """Logits of shape (vocabulary,): the longest token of the text is the likeliest, then the shorter
        ones."""
        model = self.model
        assert model.middle is not None
        start = len(history) - history[::-1].index(model.middle)
        written = b"".join(model.token_bytes[token] for token in history[start:])
        # The other logits differ from each other and from place to place, because constant ones would repeat
        # texts.
        row = np.random.default_rng(2 + len(history)).random(len(model.token_bytes), np.float32)
        rest = self.wanted[len(written) :] if self.wanted.startswith(written) else b""
        for token in model.beginnings_of(rest[:40]):
            row[token] = 10 + len(model.token_bytes[token])
        if not rest:
            row[list(model.ends)] = 9
        row[list(self.always)] = 99
        return row


class Wavering(Script):
    """A network that prefers the first of several texts, and the next one where that is forbidden."""

    def __init__(self, model: Model, left: str, texts: Sequence[str]) -> None:
        super().__init__(model, left, texts[0])
        self.scripts = [Script(model, left, text) for text in texts]

    def row(self, history: list[int]) -> Row:
        best, *others = [script.row(history) for script in self.scripts]
        for row in others:
            # Preferences are above 10. An end is removed where another text continues.
            is_wish = row > 10
            if is_wish.any() and not (best > 10).any():
                best[list(self.model.ends)] = 0
            best[is_wish] = best[is_wish].clip(row[is_wish] / 2 + 1)
        return best


@dataclass(slots=True)
class ScriptCache:
    script: Script
    history: list[int]

    def read(self, tokens: Sequence[int], n_last: int) -> Rows:
        self.script.n_calls += 1
        self.history.extend(tokens)
        stops = range(len(self.history) - n_last + 1, len(self.history) + 1)
        return [self.script.row(self.history[:stop]) for stop in stops]

    def crop(self, n_tokens: int) -> None:
        assert 0 < n_tokens < len(self.history)
        del self.history[n_tokens:]

    def beams(self) -> ScriptBeams:
        return ScriptBeams(self.script, [list(self.history)])


@dataclass(slots=True)
class ScriptBeams:
    script: Script
    histories: list[list[int]]

    def read(self, parents: Sequence[int], tokens: Sequence[int]) -> Rows:
        self.histories = [
            [*self.histories[parent], token] for parent, token in zip(parents, tokens, strict=True)
        ]
        return [self.script.row(history) for history in self.histories]


def writing_model(left: str, text: str, always: Sequence[int] = ()) -> Model:
    """A model that prefers a text behind a left context, for any right context."""
    return replace(tiny_model(), runtime=Script(tiny_model(), left, text, always))


def known_format(tokenizer: Any) -> FimFormat:
    found = fim_format(tokenizer.get_vocab())
    assert found is not None
    return found


def save_tiny_model(folder: Path, seed: int = 0) -> Path:
    """A folder with a tiny model, like a published one; `load_model(str(folder))` reads it."""
    tokenizer = trained_tokenizer()
    random_network(len(tokenizer), seed).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
