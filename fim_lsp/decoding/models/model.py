"""A model: a network, its tokens, and its format for filling in the middle.

Models are loaded from a folder, a GGUF file, a server or the hub. Each fault (no PyTorch, no such model, no
FIM format) is a `ModelError` with a sentence for the user.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fim_lsp import gguf_header
from fim_lsp.bundled_models import BOX, BUNDLED_NAME, bundled_folder, is_bundled
from fim_lsp.decoding.models.byte_pairs import BytePairTokens
from fim_lsp.decoding.models.runtime_wishes import ANY_RUNTIME, RuntimeName, RuntimeWishes
from fim_lsp.decoding.models.tokens import ModelTokenizer
from fim_lsp.edit_formats import EditFormat, edit_format
from fim_lsp.fim_formats import (
    COMMENTS,
    FIM_FORMATS,
    PATHS,
    FimFormat,
    SeveralFiles,
    fim_format,
    overridden,
)
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.runtimes.folder import GRAPH, read_config
from fim_lsp.runtimes.folder import ModelError as ModelError
from fim_lsp.runtimes.runtime import Runtime
from fim_lsp.runtimes.served.address import is_address
from fim_lsp.system.runtime_library import has_cpp_runtime
from quotient import Vocabulary

GGUF_SUFFIX = ".gguf"
INSTALL = "pip install 'fim-lsp[torch]'"

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Model:
    """A network with its tokens. Sessions that take turns may share it; threads may not."""

    name: str
    runtime: Runtime
    vocabulary: Vocabulary
    # The function from text to tokens; it spells special tokens in the text as plain text.
    encode: Callable[[str], list[int]]
    fim_format: FimFormat
    # The ids of the format's tokens.
    prefix: int
    suffix: int
    middle: int | None
    # The tokens that every prompt begins with, such as `<s>`.
    begin: tuple[int, ...]
    # Whether another program computes the tokens of a text.
    has_remote_tokens: bool = False
    # Whether its prompts leave this machine.
    is_elsewhere: bool = False
    # Whether its server gives only text, without probabilities of other tokens.
    is_text_alone: bool = False
    # The ids of the tokens that separate files.
    file_signs: Mapping[str, int] = field(default_factory=dict)
    # The format of edits, if it was trained on them.
    edit_format: EditFormat | None = None

    @property
    def files(self) -> SeveralFiles:
        """The format of other files in this model's prompts."""
        known = self.fim_format.files
        return known if all(sign in self.file_signs for sign in known.tokens) else COMMENTS

    @property
    def n_positions(self) -> int:
        """The number of tokens that the network can read."""
        return self.runtime.n_positions

    @property
    def device(self) -> str:
        return self.runtime.device

    @property
    def n_parameters(self) -> int:
        return self.runtime.n_parameters

    @cached_property
    def token_bytes(self) -> list[bytes]:
        """The text of each token; empty for special ones."""
        return [self.vocabulary.token(index) for index in range(len(self.vocabulary))]

    @cached_property
    def ends(self) -> frozenset[int]:
        return frozenset(self.vocabulary.eos)

    @cached_property
    def _sorted(self) -> tuple[list[bytes], list[int]]:
        """The tokens with text, ordered by their bytes, and their ids."""
        ordered = sorted((text, index) for index, text in enumerate(self.token_bytes) if text)
        return [text for text, _ in ordered], [index for _, index in ordered]

    @cached_property
    def _sorted_ids(self) -> npt.NDArray[np.intp]:
        return np.array(self._sorted[1], dtype=np.intp)

    @cached_property
    def _by_bytes(self) -> dict[bytes, int]:
        texts, ids = self._sorted
        return dict(zip(texts, ids, strict=True))

    def longer_tokens(self, text: bytes) -> list[int]:
        """The tokens that begin with these bytes and are longer."""
        return self._sorted[1][self._longer(text)]

    def agreeing_tokens(self, text: bytes) -> npt.NDArray[np.intp]:
        """The tokens that begin with these bytes, and those that are the beginning of them."""
        return np.concatenate((self._sorted_ids[self._longer(text)], self.beginnings_of(text))).astype(
            np.intp
        )

    def _longer(self, text: bytes) -> slice:
        """The places, in the order of the bytes, of the tokens that begin with these and are longer."""
        texts, _ = self._sorted
        after = text.rstrip(b"\xff")
        stop = after[:-1] + bytes([after[-1] + 1]) if after else None
        return slice(bisect_right(texts, text), len(texts) if stop is None else bisect_left(texts, stop))

    def beginnings_of(self, text: bytes) -> list[int]:
        """The tokens that are the beginning of these bytes, or all of them."""
        found = (self._by_bytes.get(text[:length]) for length in range(1, len(text) + 1))
        return [index for index in found if index is not None]

    @cached_property
    def silent(self) -> npt.NDArray[np.bool_]:
        """The tokens without text that end nothing, which are never written. Shape (vocabulary,)."""
        return np.array([not text and index not in self.ends for index, text in enumerate(self.token_bytes)])

    def spelling_tokens(self, text: bytes) -> list[int]:
        """Tokens that spell these bytes, which may contain half characters."""
        try:
            ids = self.encode(text.decode())
        except UnicodeDecodeError:
            ids = []
        if b"".join(self.token_bytes[index] for index in ids) == text:
            return ids
        return list(self._longest_first(text))

    def encode_here(self, text: str) -> list[int]:
        """Tokens of a text without asking a server, for many texts that are only searched. A remote model
        might split the text otherwise."""
        return list(self._longest_first(text.encode())) if self.has_remote_tokens else self.encode(text)

    def _longest_first(self, text: bytes) -> Iterator[int]:
        while text:
            # A byte without a token is skipped: the network then sees a little less than the written text.
            known = self.beginnings_of(text[:32])
            if known:
                yield known[-1]
            text = text[len(self.token_bytes[known[-1]]) if known else 1 :]


def load_model(
    name_or_path: str | None = None,
    wishes: RuntimeWishes = ANY_RUNTIME,
    *,
    on_progress: Progress | None = None,
    offline: bool = False,
    fim: Mapping[str, object] | None = None,
    known_language: KnownLanguage = PYTHON,
) -> Model:
    """The bundled model for a language, or one from a folder, a GGUF file, a server or the hub. Raises
    `ModelError`.

    `offline` uses no network. `fim` overrides the detected FIM format; see `fim_formats.overridden`.
    """
    told = on_progress or (lambda _what, _share: None)
    if is_address(name_or_path):
        from fim_lsp.decoding.models.served import served_model

        return served_model(str(name_or_path), fim or {}, told)
    if name_or_path is not None:
        name_or_path = of_the_list(name_or_path)
    if name_or_path is not None and is_gguf(name_or_path):
        from fim_lsp.decoding.models.gguf import check_wishes, gguf_model

        check_wishes(name_or_path, wishes.runtime, wishes.dtype)
        n_layers = 0 if wishes.gpu_layers is None and wishes.device == "cpu" else wishes.gpu_layers
        return gguf_model(name_or_path, fim or {}, told, gpu_layers=n_layers, n_threads=wishes.n_threads)
    name, settings = name_or_path or BUNDLED_NAME, dict(fim or {})
    if not needs_torch(name_or_path, wishes):
        folder = locate_model(name_or_path, offline, told, known_language)
        return embedded_model(folder, name, settings, told)
    local_folder(name_or_path, known_language)
    told("loading PyTorch", 0.0)
    check_torch()
    from fim_lsp.decoding.models.pytorch import open_model

    folder = locate_model(name_or_path, offline, told, known_language)
    return open_model(folder, name, wishes.device, wishes.dtype, wishes.n_threads, settings, told)


def is_gguf(name: str) -> bool:
    """Whether a name stands for a GGUF file: by its suffix or, for a file without one, as in Ollama's cache,
    by its first bytes."""
    return name.lower().endswith(GGUF_SUFFIX) or gguf_header.is_gguf(Path(name).expanduser())


def of_the_list(name: str) -> str:
    """The file of a name such as `qwen2.5-coder-0.5b` in the list of `fim-lsp models`; other names unchanged.
    Raises `ModelError` if that file is not on this machine."""
    from fim_lsp.catalogue import ListError, published_model
    from fim_lsp.fetching import here

    try:
        known = None if Path(name).expanduser().exists() else published_model(name)
    except ListError as error:
        raise ModelError(str(error)) from error
    if known is None:
        return name
    if (path := here(known)) is None:
        raise ModelError(f"{name} is not on this machine; fim-lsp models --download {name} fetches it")
    return str(path)


def check_gguf(name: str, runtime: RuntimeName | None) -> None:
    """Checks a GGUF file without reading its weights. Raises `ModelError` if llama.cpp is missing or the
    model has no FIM format."""
    from fim_lsp.decoding.models.gguf import check_wishes, probe_format

    check_wishes(name, runtime, None)
    probe_format(name)


def needs_torch(name_or_path: str | None, wishes: RuntimeWishes) -> bool:
    """Whether a model needs PyTorch with these wishes."""
    if wishes.runtime is not None:
        return wishes.runtime == "torch"
    if wishes.device not in (None, "cpu") or wishes.dtype is not None:
        return True
    if is_bundled(name_or_path):
        return False
    assert name_or_path is not None
    return not (Path(name_or_path).expanduser() / GRAPH).is_file()


def check_torch() -> None:
    """Raises `ModelError` with the missing packages, before an import fails in its own words."""
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise ModelError(f"running this model needs {' and '.join(missing)}: {INSTALL}")


def locate_model(
    name_or_path: str | None, offline: bool, told: Progress, known_language: KnownLanguage = PYTHON
) -> Path:
    """The folder of a model, downloaded if necessary."""
    folder = local_folder(name_or_path, known_language)
    if folder is not None:
        return folder
    from fim_lsp.decoding.models.hub import download_model

    return download_model(str(name_or_path), offline, told)


def local_folder(name_or_path: str | None, known_language: KnownLanguage = PYTHON) -> Path | None:
    """The folder of a model on this machine; None for a name that the hub may know. Raises `ModelError` for
    any other name."""
    if is_bundled(name_or_path):
        folder = bundled_folder(known_language)
        if not (folder / "config.json").is_file():
            raise ModelError("this installation has no bundled model; name another one")
        return folder
    assert name_or_path is not None
    folder = Path(name_or_path).expanduser()
    if name_or_path and folder.is_dir():
        if not (folder / "config.json").is_file():
            raise ModelError(
                f"{name_or_path} is not a model: it has no config.json; `fim-lsp models` lists what there is"
            )
        return folder
    is_path = folder.is_absolute() or folder.is_file() or name_or_path.startswith((".", "~"))
    if is_path or name_or_path.count("/") != 1:
        if folder.is_file():
            raise ModelError(f"{name_or_path} is not a model file: those end with {GGUF_SUFFIX}")
        raise ModelError(
            f"{name_or_path} is neither a folder nor a name such as bigcode/starcoder2-3b; "
            "`fim-lsp models` lists what there is"
        )
    return None


def embedded_model(folder: Path, name: str, fim: dict[str, object], told: Progress) -> Model:
    """A model that the plain install computes: with ONNX Runtime or, where that is missing, with NumPy."""
    told("loading the weights", 0.0)
    runtime: Runtime
    if find_spec("onnxruntime") is not None and has_cpp_runtime():
        from fim_lsp.runtimes.embedded import EmbeddedRuntime

        runtime = EmbeddedRuntime.at(folder)
    else:
        from fim_lsp.runtimes.plain import PlainRuntime

        runtime = PlainRuntime.at(folder)
    tokens = BytePairTokens.at(folder, runtime.shape.n_tokens)
    fim_format = format_in(folder, name, tokens.vocabulary, fim)
    told("ready", 1.0)
    return with_runtime(name, runtime, tokens, fim_format)


def format_in(folder: Path, name: str, tokens: Mapping[str, int], settings: dict[str, object]) -> FimFormat:
    """The FIM format of a model in a folder, for any runtime."""
    found = spoken_format(name, tokens, read_config(folder), settings)
    if folder.parent != BOX or settings:
        return found
    # The format is the one that it was trained with (`training/samples.py`).
    return replace(found, files=PATHS)


def spoken_format(
    name: str, tokens: Mapping[str, int], config: Mapping[str, Any], settings: dict[str, object]
) -> FimFormat:
    """The FIM format of a model, by its tokenizer, its configuration and the settings."""
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


def with_runtime(
    name: str, runtime: Runtime, tokens: ModelTokenizer | BytePairTokens, fim_format: FimFormat
) -> Model:
    """A model of loaded parts."""
    ids = tokens.vocabulary
    taught = edit_format([Path(name).name], ids)
    return Model(
        name=name,
        runtime=runtime,
        vocabulary=tokens.writable(fim_format),
        encode=tokens.encoder(fim_format),
        fim_format=fim_format,
        prefix=ids[fim_format.prefix],
        suffix=ids[fim_format.suffix],
        middle=None if fim_format.middle is None else ids[fim_format.middle],
        begin=tokens.begin,
        file_signs=file_signs(fim_format, taught, ids),
        edit_format=taught,
    )


def file_signs(spoken: FimFormat, taught: EditFormat | None, ids: Mapping[str, int]) -> dict[str, int]:
    """The ids of the tokens that separate files, and of those that separate edits from the text."""
    signs = (*spoken.files.tokens, *(() if taught is None else (*taught.signs, *taught.more_signs)))
    return {sign: ids[sign] for sign in signs if sign in ids}
