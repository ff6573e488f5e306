"""A model: a network, the tokens that it writes, and how it is asked to fill in the middle.

Models are loaded through `transformers`, from a folder or by their name on the hub. What can go wrong (no
PyTorch, no such model, no way to fill in the middle) is a `ModelError` with a sentence for the user.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fim_lsp.fim_formats import FIM_FORMATS, FimFormat, fim_format, overridden
from quotient import Vocabulary

if TYPE_CHECKING:
    import torch

BUNDLED = Path(__file__).parent.parent / "bundled" / "model"
# What it is called where it is told which model completes, and so where one is asked for.
BUNDLED_NAME = "bundled"
INSTALL = "pip install 'fim-lsp[model]'"
# Added tokens that look like these are signs for the model, whatever the tokenizer's flags say:
# Qwen2.5-Coder's own FIM tokens are flagged as ordinary text. Runs of spaces, which others add, are text.
CONTROL = re.compile(r"[<\[\u2581].*[>\]]", re.DOTALL)
# No file needs more at once, and the attention's cost grows with it.
MOST_POSITIONS = 16_384

Progress = Callable[[str, float], None]


class ModelError(Exception):
    """A model cannot be used; the message is a sentence for the user."""


@dataclass(frozen=True)
class Model:
    """A network with its tokens. It may be shared by sessions that take turns, not by threads."""

    name: str
    # Called as the causal models of `transformers` are: `network(input_ids=..., past_key_values=..., ...)`.
    network: Any
    vocabulary: Vocabulary
    # From text to tokens; specials that occur in the text are spelled out, not recognised.
    encode: Callable[[str], list[int]]
    fim_format: FimFormat
    # The ids of the format's tokens.
    prefix: int
    suffix: int
    middle: int | None
    # What every prompt begins with, such as `<s>`.
    begin: tuple[int, ...]
    # The number of tokens that the network can read.
    n_positions: int
    device: str
    n_parameters: int = 0

    @cached_property
    def token_bytes(self) -> list[bytes]:
        """The text of each token; nothing for the special ones."""
        return [self.vocabulary.token(index) for index in range(len(self.vocabulary))]

    @cached_property
    def ends(self) -> frozenset[int]:
        return frozenset(self.vocabulary.eos)

    @cached_property
    def _sorted(self) -> tuple[list[bytes], list[int]]:
        """The tokens that bring text in the order of their bytes, and their ids."""
        ordered = sorted((text, index) for index, text in enumerate(self.token_bytes) if text)
        return [text for text, _ in ordered], [index for _, index in ordered]

    @cached_property
    def _by_bytes(self) -> dict[bytes, int]:
        texts, ids = self._sorted
        return dict(zip(texts, ids, strict=True))

    def begun_with(self, text: bytes) -> list[int]:
        """The tokens that begin with these bytes and go on."""
        texts, ids = self._sorted
        after = text.rstrip(b"\xff")
        stop = after[:-1] + bytes([after[-1] + 1]) if after else None
        return ids[bisect_right(texts, text) : len(ids) if stop is None else bisect_left(texts, stop)]

    def beginnings_of(self, text: bytes) -> list[int]:
        """The tokens that are the beginning of these bytes, or all of them."""
        found = (self._by_bytes.get(text[:length]) for length in range(1, len(text) + 1))
        return [index for index in found if index is not None]

    @cached_property
    def silent(self) -> torch.Tensor:
        """The tokens that bring no text and end nothing: never to be written. Shape (vocabulary,)."""
        import torch

        return torch.tensor(
            [not text and index not in self.ends for index, text in enumerate(self.token_bytes)],
            dtype=torch.bool,
        )

    def spelled(self, text: bytes) -> list[int]:
        """Tokens whose bytes are these, whatever they are: half characters, too."""
        try:
            ids = self.encode(text.decode())
        except UnicodeDecodeError:
            ids = []
        if b"".join(self.token_bytes[index] for index in ids) == text:
            return ids
        return list(self._longest_first(text))

    def _longest_first(self, text: bytes) -> Iterator[int]:
        while text:
            # A byte without a token is left out: the network then sees a little less than what was written.
            known = self.beginnings_of(text[:32])
            if known:
                yield known[-1]
            text = text[len(self.token_bytes[known[-1]]) if known else 1 :]


def load_model(
    name_or_path: str | None = None,
    *,
    device: str | None = None,
    dtype: str | None = None,
    on_progress: Progress | None = None,
    offline: bool = False,
    fim: Mapping[str, object] | None = None,
) -> Model:
    """The bundled model, or one from a folder or the hub. Raises `ModelError`.

    `device` is `cpu`, `cuda` or `mps`, by default the best there is; `dtype` a number format of PyTorch such
    as `bfloat16`, by default one that suits the device. `offline` takes nothing from the network. `fim`
    replaces what is found out about the model's FIM format; see `fim_formats.overridden`.
    """
    told = on_progress or (lambda _what, _share: None)
    told("loading PyTorch", 0.0)
    need_packages()
    source = located(name_or_path, offline, told)
    told("reading the tokenizer", 0.5)
    return opened(source, name_or_path or BUNDLED_NAME, device, dtype, dict(fim or {}), told)


def need_packages() -> None:
    """Says which packages are missing; importing them would say it in their own words."""
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise ModelError(f"running a model needs {' and '.join(missing)}: {INSTALL}")


def located(name_or_path: str | None, offline: bool, told: Progress) -> Path:
    """The folder of a model, downloaded if that is what it takes."""
    if name_or_path in (None, BUNDLED_NAME):
        if not (BUNDLED / "config.json").is_file():
            raise ModelError("this installation has no bundled model; name another one")
        return BUNDLED
    folder = Path(name_or_path).expanduser()
    if name_or_path and folder.is_dir():
        if not (folder / "config.json").is_file():
            raise ModelError(f"{name_or_path} is not a model: it has no config.json")
        return folder
    if folder.is_absolute() or name_or_path.startswith((".", "~")) or name_or_path.count("/") != 1:
        raise ModelError(f"{name_or_path} is neither a folder nor a name such as bigcode/starcoder2-3b")
    from fim_lsp.decoding.hub import downloaded

    return downloaded(name_or_path, offline, told)


def opened(
    folder: Path, name: str, device: str | None, dtype: str | None, fim: dict[str, object], told: Progress
) -> Model:
    """A model from its folder."""
    import transformers

    from fim_lsp.decoding.network import best_device, network_at

    quieted: Any = transformers.logging
    quieted.set_verbosity_error()
    quieted.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as error:
        raise ModelError(f"{name} has no tokenizer that can be read: {first_line(error)}") from error
    if not tokenizer.is_fast:
        raise ModelError(f"{name} has no fast tokenizer (no tokenizer.json)")
    config = read_config(folder)
    # Asked before the weights are loaded: a model that cannot fill in is refused within a second.
    fim_format = spoken_format(name, tokenizer.get_vocab(), config, fim)
    chosen = device or best_device()
    told("loading the weights", 0.6)
    network = network_at(folder, name, chosen, dtype)
    told("ready", 1.0)
    return with_network(name, network, tokenizer, fim_format, chosen)


def spoken_format(
    name: str, tokens: Mapping[str, int], config: Mapping[str, Any], settings: dict[str, object]
) -> FimFormat:
    """How the model fills in, by its tokenizer, its configuration and the settings."""
    found = fim_format(tokens, config.get("model_type"), config)
    if settings:
        try:
            found = overridden(found, settings)
        except ValueError as error:
            raise ModelError(f"{error}") from error
        if missing := [token for token in found.tokens if token not in tokens]:
            raise ModelError(f"{name} has no token {missing[0]!r}, which its FIM format needs")
    if found is None:
        families = ", ".join(known.models for known in FIM_FORMATS)
        raise ModelError(
            f"{name} cannot fill in the middle: its tokenizer has no fill-in-the-middle tokens."
            f" Models that can: {families}"
        )
    return found


def with_network(name: str, network: Any, tokenizer: Any, fim_format: FimFormat, device: str) -> Model:
    """A model of a loaded network and tokenizer."""
    tokens: dict[str, int] = tokenizer.get_vocab()
    n_logits = max(int(network.config.vocab_size), max(tokens.values()) + 1)
    begin = tuple(
        index
        for index in tokenizer("")["input_ids"]
        if index != tokenizer.eos_token_id or not tokenizer.bos_token
    )
    return Model(
        name=name,
        network=network,
        vocabulary=writable(tokenizer, n_logits, end_ids(network, tokenizer, fim_format), fim_format),
        encode=encoder(tokenizer, fim_format),
        fim_format=fim_format,
        prefix=tokens[fim_format.prefix],
        suffix=tokens[fim_format.suffix],
        middle=None if fim_format.middle is None else tokens[fim_format.middle],
        begin=begin if tokenizer.bos_token_id in begin else (),
        n_positions=n_positions(network.config),
        device=device,
        n_parameters=sum(parameter.numel() for parameter in network.parameters()),
    )


def end_ids(network: Any, tokenizer: Any, fim_format: FimFormat) -> list[int]:
    """What ends a middle: by the tokenizer, the generation's configuration, and the format."""
    tokens: dict[str, int] = tokenizer.get_vocab()
    configured = getattr(getattr(network, "generation_config", None), "eos_token_id", None)
    named = [configured] if isinstance(configured, int) else list(configured or ())
    named += [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id]
    named += [tokens[token] for token in fim_format.ends if token in tokens]
    in_range = sorted({index for index in named if 0 <= index < max(tokens.values()) + 1})
    if not in_range:
        raise ModelError(
            "nothing ends this model's texts: neither its tokenizer nor its configuration says what"
        )
    return in_range


def writable(tokenizer: Any, n_logits: int, end_ids: list[int], fim_format: FimFormat) -> Vocabulary:
    """The vocabulary as text that may be written: no sign for the model is a part of it."""
    vocabulary = Vocabulary.from_tokenizer(tokenizer, n_logits)
    special = [
        index
        for index, token in tokenizer.backend_tokenizer.get_added_tokens_decoder().items()
        if token.special or CONTROL.fullmatch(token.content)
    ]
    tokens: dict[str, int] = tokenizer.get_vocab()
    special += [tokens[token] for token in fim_format.tokens]
    texts = [vocabulary.token(index) for index in range(len(vocabulary))]
    return Vocabulary(texts, end_ids, sorted(set(special) - set(end_ids)))


def encoder(tokenizer: Any, fim_format: FimFormat) -> Callable[[str], list[int]]:
    """From text to tokens, exactly: no sign for the model, no space in front, nothing at the ends."""
    from tokenizers import AddedToken, Tokenizer

    backend = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
    signs = [
        AddedToken(token.content, special=True)
        for token in backend.get_added_tokens_decoder().values()
        if CONTROL.fullmatch(token.content)
    ]
    backend.add_special_tokens([*signs, *(AddedToken(token, special=True) for token in fim_format.tokens)])
    # A file about FIM models may well contain `<fim_middle>`: it is read letter by letter.
    backend.encode_special_tokens = True
    # SentencePiece puts a space in front of a text. Behind a line break it does not.
    lead: list[int] = backend.encode("\n", add_special_tokens=False).ids
    has_space = backend.encode("a", add_special_tokens=False).tokens[:1] != ["a"]

    def encode(text: str) -> list[int]:
        if not has_space:
            ids: list[int] = backend.encode(text, add_special_tokens=False).ids
            return ids
        ids = backend.encode("\n" + text, add_special_tokens=False).ids
        return ids[len(lead) :] if ids[: len(lead)] == lead else ids

    return encode


def n_positions(config: Any) -> int:
    """How many tokens the network can read at once; a sliding window counts, as nothing is seen behind it."""
    config = config.get_text_config() if hasattr(config, "get_text_config") else config
    limits = [
        getattr(config, name, None)
        for name in ("max_position_embeddings", "n_positions", "sliding_window", "max_sequence_length")
    ]
    return min([limit for limit in limits if isinstance(limit, int) and limit > 0] + [MOST_POSITIONS])


def read_config(folder: Path) -> dict[str, Any]:
    import json

    try:
        found = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder / 'config.json'} cannot be read: {error}") from error
    return found if isinstance(found, dict) else {}


def first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
