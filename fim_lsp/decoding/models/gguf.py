"""A model in a GGUF file: its tokens, its FIM format, its runtime.

The file determines the FIM format: by its tokens, its architecture and, if several families share these, the
name that its maker gave it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from fim_lsp.decoding.models.model import Model, Progress, file_signs, spoken_format
from fim_lsp.decoding.models.tokens import end_ids, unseen
from fim_lsp.edit_formats import edit_format
from fim_lsp.fim_formats import GGUF_MODEL_TYPES, FimFormat, fim_format, format_named_in
from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.llama.gguf import Gguf
from fim_lsp.runtimes.llama.runtime import LlamaRuntime
from quotient import Vocabulary

# The key of the FIM format in our own files, in the form of the setting `fim`.
FIM_KEY = "fim_lsp.fim"
# The number of lines whose tokens are cached, since the same lines are encoded again and again.
N_ENCODED = 256


def gguf_model(
    name: str,
    fim: Mapping[str, object],
    told: Progress,
    *,
    gpu_layers: int | None = None,
    n_threads: int | None = None,
) -> Model:
    """The model of a file. Raises `ModelError`."""
    path = Path(name).expanduser()
    told("loading the weights", 0.0)
    runtime = LlamaRuntime.at(
        path, gpu_layers, n_threads, lambda share: told("loading the weights", 0.9 * share)
    )
    gguf, tokens = runtime.gguf, runtime.gguf.ids
    spoken = spoken_fim_format(gguf, name, fim)
    taught = edit_format(said_names(gguf.metadata, path), tokens)
    signs = {
        *gguf.signs.values(),
        *(tokens[sign] for sign in spoken.tokens if sign in tokens),
        *file_signs(spoken, taught, tokens).values(),
    }
    ends, texts = end_ids(tokens, gguf.ends, spoken), gguf.texts()
    signs.update(unseen(texts))

    @lru_cache(N_ENCODED)
    def encoded(text: str) -> tuple[int, ...]:
        return tuple(gguf.encode(text))

    told("ready", 1.0)
    return Model(
        name=name,
        runtime=runtime,
        vocabulary=Vocabulary(texts, ends, sorted(signs - set(ends))),
        encode=lambda text: list(encoded(text)),
        fim_format=spoken,
        prefix=tokens[spoken.prefix],
        suffix=tokens[spoken.suffix],
        middle=None if spoken.middle is None else tokens[spoken.middle],
        begin=gguf.begin,
        file_signs=file_signs(spoken, taught, tokens),
        edit_format=taught,
    )


def probe_format(name: str) -> FimFormat:
    """The FIM format of a file's model, found without reading its weights. Raises `ModelError`."""
    path = Path(name).expanduser()
    return spoken_fim_format(Gguf.open_file(path, 0, lambda _share: None, has_weights=False), name, {})


def spoken_fim_format(gguf: Gguf, name: str, fim: Mapping[str, object]) -> FimFormat:
    config, tokens = description(gguf.metadata), gguf.ids
    model_type = str(config["model_type"])
    told_by_file: dict[str, object] = {}
    if (family := named_family(gguf.metadata, gguf.path, tokens)) is not None:
        told_by_file = {"format": family}
    elif fim_format(tokens, model_type) is None:
        told_by_file = by_its_own_word(gguf)
    return spoken_format(name, tokens, config, told_by_file | dict(fim))


def description(metadata: Mapping[str, str]) -> dict[str, object]:
    """The description that a config.json would have of the model."""
    architecture = metadata.get("general.architecture", "")
    described: dict[str, object] = {"model_type": GGUF_MODEL_TYPES.get(architecture, architecture)}
    with suppress(ValueError):
        described["fim"] = json.loads(metadata.get(FIM_KEY, ""))
    return described


def named_family(metadata: Mapping[str, str], path: Path, tokens: Collection[str]) -> str | None:
    """The family that a file names, if it has that family's tokens."""
    for name in said_names(metadata, path):
        known = format_named_in(name or "")
        if known is not None and all(token in tokens for token in known.tokens):
            return known.name
    return None


def said_names(metadata: Mapping[str, str], path: Path) -> tuple[str | None, ...]:
    """The names of a file: the maker's inside it, and the file name."""
    return metadata.get("general.basename"), metadata.get("general.name"), path.stem


def by_its_own_word(gguf: Gguf) -> dict[str, object]:
    """The format of an unknown family: most files name their FIM tokens."""
    names = {index: name for name, index in gguf.ids.items()}
    prefix, suffix, middle = (names.get(index) for index in gguf.fim_tokens())
    if prefix is None or suffix is None or middle is None:
        return {}
    return {"prefix": prefix, "suffix": suffix, "middle": middle, "order": "prefix-suffix-middle"}


def check_wishes(name: str, runtime: str | None, dtype: str | None) -> None:
    """Raises `ModelError` for a runtime or a number format that does not apply to GGUF files."""
    if runtime is not None:
        raise ModelError(f"{name} is a GGUF file, which llama.cpp computes; --runtime {runtime} cannot")
    if dtype is not None:
        raise ModelError(f"{name} is a GGUF file, whose number format is its own; --dtype is for PyTorch")
