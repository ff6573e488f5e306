"""The models on this machine, found by their files: nothing is loaded, nothing is downloaded.

The places are Hugging Face's download cache, where the environment says it is, and folders that the user
names. A model is a folder with a config.json that names a text-generating architecture.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fim_lsp.bundled_models import BUNDLED, BUNDLED_NAME, BUNDLED_OF_BRACES
from fim_lsp.fim_formats import fim_format

WEIGHTS = ("*.safetensors", "*.bin", "*.gguf")
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json")


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model's folder. `fim_format` is None for a model that has no fill-in-the-middle tokens."""

    name: str
    path: str
    architecture: str
    fim_format: str | None
    n_weight_bytes: int
    # The path of the bundled network for the languages with braces, which has the same name, too.
    path_of_braces: str = ""


def bundled_model() -> LocalModel | None:
    """The model that comes with fim-lsp; None in a distribution without it."""
    found, other = (model_at(folder / "config.json") for folder in (BUNDLED, BUNDLED_OF_BRACES))
    if found is None:
        return None
    return replace(found, name=BUNDLED_NAME, path_of_braces="" if other is None else other.path)


def hub_cache() -> Path:
    """The hub client's folder of downloads, by the environment variables that it reads itself."""
    if cache := os.environ.get("HF_HUB_CACHE"):
        return Path(cache)
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "huggingface")
    return Path(home).expanduser() / "hub"


def local_models(folders: Iterable[Path]) -> Iterator[LocalModel]:
    """The models at or below each folder, cache folders included, in the order of their paths."""
    for folder in folders:
        for config in sorted(folder.rglob("config.json")):
            if (model := model_at(config)) is not None:
                yield model


def model_at(config: Path) -> LocalModel | None:
    """The model that a config.json describes; None if it is not one that writes text."""
    architecture = causal_architecture(config)
    if architecture is None:
        return None
    folder = config.parent
    described = read_json(config)
    settings = described if isinstance(described, dict) else {}
    spoken = fim_format(special_tokens(folder), settings.get("model_type"), settings)
    return LocalModel(
        name=model_name(folder),
        path=str(folder),
        architecture=architecture,
        fim_format=None if spoken is None else spoken.name,
        n_weight_bytes=sum(file.stat().st_size for pattern in WEIGHTS for file in folder.glob(pattern)),
    )


def causal_architecture(config: Path) -> str | None:
    described = read_json(config)
    names = described.get("architectures") if isinstance(described, dict) else None
    if not isinstance(names, list):
        return None
    return next(
        (
            name
            for name in names
            if isinstance(name, str) and name.endswith(("ForCausalLM", "LMHeadModel", "LMHeadCustomModel"))
        ),
        None,
    )


def special_tokens(folder: Path) -> set[str]:
    """Every string in the tokenizer's files that could be a token, the whole vocabulary included."""
    return {text for name in TOKENIZER_FILES for text in strings(read_json(folder / name))}


def strings(value: object) -> Iterator[str]:
    """The strings and keys inside a JSON value."""
    pending = [value]
    while pending:
        match pending.pop():
            case str() as text:
                yield text
            case dict() as members:
                yield from members
                pending.extend(members.values())
            case list() as items:
                pending.extend(items)


def model_name(folder: Path) -> str:
    """`bigcode/santacoder` for the hub's `models--bigcode--santacoder/snapshots/<commit>`, else the path."""
    for part in folder.parts:
        if part.startswith("models--"):
            return part.removeprefix("models--").replace("--", "/")
    return str(folder)


def read_json(path: Path) -> object:
    """The value in a JSON file; None when it is missing or broken, as a half-done download is."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
