"""GGUF files that people have already: what llama.cpp, LM Studio, Ollama and the hub's client have
downloaded.

Nothing is loaded and nothing is changed there. A file that is half downloaded has another name, and so is
not seen.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fim_lsp.catalogue import Published, models
from fim_lsp.gguf_header import header
from fim_lsp.models import hub_cache
from fim_lsp.system.folders import cache_folder

# Llama.cpp is given the first file of a model in several.
PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$")
# Ollama's name for the part of a model that is its weights.
OLLAMA_WEIGHTS = "application/vnd.ollama.image.model"
# A folder of files that are no models may be given, too.
MAX_FILES = 1000


@dataclass(frozen=True, slots=True)
class GgufFile:
    name: str
    path: str
    # The program whose download it is.
    owner: str
    n_bytes: int
    # The FIM format; None for a model that has no fill-in-the-middle tokens.
    fim_format: str | None
    context: int | None
    # The file's name in our list, where it is the same file.
    published: str | None
    licence: str | None


def gguf_files(folders: Iterable[Path] = ()) -> list[GgufFile]:
    """The files of this machine that fill in the middle or could not, each once, the owners in a fixed
    order."""
    found: dict[Path, GgufFile] = {}
    for owner, name, path in candidates(folders):
        try:
            real = path.resolve(strict=True)
            n_bytes = sum(part.stat().st_size for part in parts(path))
        except OSError:
            # A link into a cache that the user has cleared.
            continue
        if real in found or (described := header(path)) is None:
            continue
        known = published_file(path, real, n_bytes)
        found[real] = GgufFile(
            name or (known.title if known else path.stem),
            str(path),
            owner,
            n_bytes,
            described.fim_format,
            described.context,
            known.name if known else None,
            known.licence if known else None,
        )
    return list(found.values())


def candidates(folders: Iterable[Path]) -> Iterator[tuple[str, str, Path]]:
    """The owner of each file, its name there (empty where it has one of its own), and its path."""
    for owner, folder in (
        ("hub", hub_cache()),
        ("llama.cpp", llama_cache()),
        *(("LM Studio", folder) for folder in lm_studio_folders()),
        *((str(folder), folder) for folder in folders),
    ):
        for path in below(folder):
            yield owner, "", path
    for folder in ollama_folders():
        for name, path in ollama_models(folder):
            yield "Ollama", name, path


def below(folder: Path) -> list[Path]:
    try:
        found = [path for path, _ in zip(folder.rglob("*.gguf"), range(MAX_FILES), strict=False)]
    except OSError:
        return []
    return sorted(path for path in found if is_first(path) and not path.name.startswith("mmproj"))


def is_first(path: Path) -> bool:
    part = PART.search(path.name)
    return part is None or int(part[1]) == 1


def parts(path: Path) -> list[Path]:
    """The files of a model."""
    part = PART.search(path.name)
    if part is None:
        return [path]
    stem = path.name[: part.start()]
    return [path.with_name(f"{stem}-{index:05}-of-{part[2]}.gguf") for index in range(1, int(part[2]) + 1)]


def published_file(path: Path, real: Path, n_bytes: int) -> Published | None:
    """The model of our list that a file is, by its name in the caches: its checksum, or its name and size."""
    for model in models():
        is_named = path.name.lower().endswith(model.file.lower()) and n_bytes == model.n_bytes
        if model.sha256 in (real.name, real.name.removeprefix("sha256-")) or is_named:
            return model
    return None


def llama_cache() -> Path:
    """The folder where llama.cpp kept downloads before it had the hub's cache, by its own rules."""
    if cache := os.environ.get("LLAMA_CACHE"):
        return Path(cache)
    return cache_folder() / "llama.cpp"


def lm_studio_folders() -> list[Path]:
    """The folders of LM Studio. One may have been moved; then a file says where to."""
    home = Path("~/.lmstudio").expanduser()
    try:
        moved = Path("~/.lmstudio-home-pointer").expanduser().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        moved = ""
    return [
        Path(moved) / "models" if moved else home / "models",
        Path("~/.cache/lm-studio/models").expanduser(),
    ]


def ollama_folders() -> list[Path]:
    """The one that the environment names, the user's own, and that of the service that Linux packages
    install."""
    named = os.environ.get("OLLAMA_MODELS")
    usual = [Path("~/.ollama/models").expanduser(), Path("/usr/share/ollama/.ollama/models")]
    return [Path(named)] if named else usual


def ollama_models(folder: Path) -> Iterator[tuple[str, Path]]:
    """The names of Ollama's models, such as `qwen2.5-coder:1.5b-base`, and the files of their weights."""
    try:
        manifests = sorted(path for path in (folder / "manifests").rglob("*") if path.is_file())[:MAX_FILES]
    except OSError:
        return
    for manifest in manifests:
        try:
            layers = json.loads(manifest.read_text(encoding="utf-8"))["layers"]
            digests = [layer["digest"] for layer in layers if layer["mediaType"] == OLLAMA_WEIGHTS]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        for digest in digests:
            if re.fullmatch(r"sha256:[0-9a-f]{64}", str(digest)):
                yield f"{manifest.parent.name}:{manifest.name}", folder / "blobs" / digest.replace(":", "-")
