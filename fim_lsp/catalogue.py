"""Models that can be had: GGUF files on the hub that fill in the middle, from the least to the best.

Names, sizes, licences and checksums were looked up in public material, and docs/models.md names it for
each. What could not be looked up is not listed. What is fetched is held to its checksum (`fetching.py`).

A team that has a hub and models of its own names a list of its own in the variable FIM_LSP_MODELS.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

# Licences under which a model may be used for everything, work included. Only these are offered unasked.
FREE = ("Apache-2.0", "MIT")


@dataclass(frozen=True, slots=True)
class Published:
    """A file on the hub."""

    # The model's name on the command line.
    name: str
    title: str
    repository: str
    file: str
    # A commit, or a branch where no commit is known.
    revision: str
    n_bytes: int
    sha256: str
    licence: str
    n_parameters: int
    # The most tokens that it can read.
    context: int
    # The model's FIM format (`fim_formats.py`).
    family: str
    # The number of parameters that compute each token, where that is not all of them.
    n_active: int | None = None

    @property
    def is_free(self) -> bool:
        return self.licence in FREE

    @property
    def n_computing(self) -> int:
        return self.n_active or self.n_parameters

    @property
    def n_bytes_a_token(self) -> int:
        """The bytes of the file that are read for each token."""
        return round(self.n_bytes * self.n_computing / self.n_parameters)


PUBLISHED = (
    Published(
        "granite-4.0-350m",
        "Granite 4.0 350M",
        "ibm-granite/granite-4.0-350m-base-GGUF",
        "granite-4.0-350m-base-Q4_K_M.gguf",
        "61ff4f9133240330c7b06009eaa173999b367cd9",
        237_000_000,
        "2c22ed74d6c11791eb017886e1356ae11a6b8207b1ab2c1dfee047370110389a",
        "Apache-2.0",
        352_000_000,
        32_768,
        "qwen",
    ),
    Published(
        "qwen2.5-coder-0.5b-q4",
        "Qwen2.5-Coder 0.5B, 4 bits",
        "lmstudio-community/Qwen2.5-Coder-0.5B-GGUF",
        "Qwen2.5-Coder-0.5B-Q4_K_M.gguf",
        "main",
        397_807_840,
        "f175ecace8c24336cbf9e22bd71ea032a16492bd264a3caab6dfa4cafe80ddd3",
        "Apache-2.0",
        494_000_000,
        32_768,
        "qwen",
    ),
    Published(
        "qwen2.5-coder-0.5b",
        "Qwen2.5-Coder 0.5B",
        "ggml-org/Qwen2.5-Coder-0.5B-Q8_0-GGUF",
        "qwen2.5-coder-0.5b-q8_0.gguf",
        "5788aee90e725673490be18f553d234feaa8303d",
        531_068_128,
        "d0f8cd6c49bab52a0abdbe47948518b1f4d9b1a8a2a6825099cea31cea10ac56",
        "Apache-2.0",
        494_000_000,
        32_768,
        "qwen",
    ),
    Published(
        "codegemma-2b",
        "CodeGemma 2B, 4 bits",
        "bartowski/codegemma-2b-GGUF",
        "codegemma-2b-Q4_K_M.gguf",
        "4c371c2e831eebf3de95e32c841c8b38d4d9502e",
        1_630_262_400,
        "4747caaf4dc51a6e7ad6df5fe26f4c485d847998bd58933eaf011f76e5273c14",
        "Gemma Terms of Use",
        2_510_000_000,
        8_192,
        "codegemma",
    ),
    Published(
        "starcoder2-3b",
        "StarCoder2 3B, 4 bits",
        "second-state/StarCoder2-3B-GGUF",
        "starcoder2-3b-Q4_K_M.gguf",
        "7fca3e2da2ce31df411461e2cb9cae2d2b492f35",
        1_848_976_448,
        "d8fb39287a463549b80d97473b0a7595c3a5a6da3ae2604ca33906a1a43f7175",
        "BigCode OpenRAIL-M",
        3_030_000_000,
        16_384,
        "starcoder2",
    ),
    Published(
        "qwen2.5-coder-1.5b",
        "Qwen2.5-Coder 1.5B",
        "ggml-org/Qwen2.5-Coder-1.5B-Q8_0-GGUF",
        "qwen2.5-coder-1.5b-q8_0.gguf",
        "8be1b8a895a84beea772817caaa71eba6b6e0d07",
        1_646_573_056,
        "29871c94d15727a6e243f79a37113d4ae625a6215b5e800bf41a23af2da32832",
        "Apache-2.0",
        1_540_000_000,
        32_768,
        "qwen",
    ),
    Published(
        "qwen2.5-coder-3b",
        "Qwen2.5-Coder 3B",
        "ggml-org/Qwen2.5-Coder-3B-Q8_0-GGUF",
        "qwen2.5-coder-3b-q8_0.gguf",
        "9c1de162ae417c9c3aacde97c729c4128de047d8",
        3_285_476_160,
        "a522a906e299ed34db738b9626b2cd0da9e446c14674468a22fc2eae3dbd344d",
        "Qwen Research License, not for commerce",
        3_090_000_000,
        32_768,
        "qwen",
    ),
    # The size is worked out from the model's parameters: 34 bytes for 32 of them.
    Published(
        "mellum-4b",
        "Mellum 4B",
        "JetBrains/Mellum-4b-base-gguf",
        "mellum-4b-base.Q8_0.gguf",
        "main",
        4_270_000_000,
        "f8a8ae8f8b02cd992716e8849fe0424184bc7a26c2b829131ed558567307c5b2",
        "Apache-2.0",
        4_020_000_000,
        8_192,
        "mellum",
    ),
    Published(
        "qwen2.5-coder-7b",
        "Qwen2.5-Coder 7B",
        "ggml-org/Qwen2.5-Coder-7B-Q8_0-GGUF",
        "qwen2.5-coder-7b-q8_0.gguf",
        "bca77e0a8c88fc224882bcc404170c3ef17efacc",
        8_098_525_600,
        "0ef48dc94a3c551a6736ac2601de38413dc9aa9318534b16e8baee08290a4aaf",
        "Apache-2.0",
        7_620_000_000,
        131_072,
        "qwen",
    ),
    Published(
        "qwen3-coder-30b-a3b",
        "Qwen3-Coder 30B-A3B",
        "ggml-org/Qwen3-Coder-30B-A3B-Instruct-Q8_0-GGUF",
        "qwen3-coder-30b-a3b-instruct-q8_0.gguf",
        "99d445b5fd000458cabc098da6a79c2967a472f1",
        32_483_933_856,
        "f22993e29318b5b9ec2026f6b65802a5ca99b38ab4844aab83aed8a26ce00ff6",
        "Apache-2.0",
        30_500_000_000,
        262_144,
        "qwen",
        n_active=3_300_000_000,
    ),
)


class ListError(ValueError):
    """A fault in a user's own list of models."""


def models() -> tuple[Published, ...]:
    """The list, from the least to the best. Raises `ListError`."""
    own = os.environ.get("FIM_LSP_MODELS")
    return own_list(Path(own)) if own else PUBLISHED


def own_list(path: Path) -> tuple[Published, ...]:
    """A JSON list of objects with the members of `Published`."""
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ListError(f"FIM_LSP_MODELS: {path} cannot be read: {error}") from error
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise ListError(f"FIM_LSP_MODELS: {path} is not a list of objects")
    return tuple(entry(path, described) for described in listed)


def entry(path: Path, described: dict[str, Any]) -> Published:
    kinds = {"str": str, "int": int, "int | None": int}
    for field in fields(Published):
        given = described.get(field.name)
        if not isinstance(given, kinds[str(field.type)]) and not (given is None and field.name == "n_active"):
            raise ListError(f"FIM_LSP_MODELS: in {path} {field.name} is {given!r}")
    if unknown := described.keys() - {field.name for field in fields(Published)}:
        raise ListError(f"FIM_LSP_MODELS: in {path} nothing is called {', '.join(sorted(unknown))}")
    return Published(**described)


def published_model(name: str) -> Published | None:
    return next((model for model in models() if model.name == name.lower()), None)
