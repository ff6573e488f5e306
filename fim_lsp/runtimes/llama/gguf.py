"""A GGUF file that llama.cpp has opened: its metadata, its tokens, the encoding of texts."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fim_lsp.fim_formats import CONTROL
from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.llama.library import Library, library

MAGIC = b"GGUF"
# `LLAMA_LOAD_MODE_NONE`: the file is read, and not mapped.
LOAD_MODE_NONE = 0
# Bits of `llama_token_attr`: the kinds of tokens other than text.
UNKNOWN, UNUSED, SIGN, USER_DEFINED = 1, 2, 8, 16


@dataclass(frozen=True)
class Gguf:
    """An opened file. Its memory is freed with the last reference."""

    path: Path
    library: Library
    model: Any
    tokens: Any

    @classmethod
    def open_file(
        cls,
        path: Path,
        n_gpu_layers: int | None,
        told: Callable[[float], None],
        has_weights: bool = True,
    ) -> Gguf:
        """Opens a file. Raises `ModelError`. With None for `n_gpu_layers` a GPU, if there is one, computes
        all layers. Without weights only metadata and tokens are read, which is quick."""
        check(path)
        made = library()
        ffi, llama = made.ffi, made.llama

        def progress(share: float, _user_data: Any) -> bool:
            told(share)
            return True

        heard = ffi.callback("llama_progress_callback", progress)
        wishes = llama.llama_model_default_params()
        wishes.progress_callback = heard
        wishes.vocab_only = not has_weights
        if n_gpu_layers == 0 or not made.has_gpu:
            # Weights are repacked for the processor, and a mapped file would stay in memory beside them.
            wishes.load_mode = LOAD_MODE_NONE
        if n_gpu_layers is not None:
            wishes.n_gpu_layers = n_gpu_layers
        made.complaints.clear()
        model = llama.llama_model_load_from_file(os.fsencode(path), wishes)
        if model == ffi.NULL:
            raise ModelError(f"{path} cannot be loaded by llama.cpp: {made.complaint}")
        opened = cls(path, made, model, llama.llama_model_get_vocab(model))
        weakref.finalize(opened, llama.llama_model_free, model).atexit = False
        return opened

    @cached_property
    def metadata(self) -> dict[str, str]:
        """The metadata of the file. llama.cpp does not give long lists."""
        llama, text = self.library.llama, self.library.text
        found = {}
        for index in range(llama.llama_model_meta_count(self.model)):
            key = text(llama.llama_model_meta_key_by_index, self.model, index).decode(errors="replace")
            if not key.startswith("tokenizer.chat_template"):
                value = text(llama.llama_model_meta_val_str_by_index, self.model, index)
                found[key] = value.decode(errors="replace")
        return found

    @property
    def n_tokens(self) -> int:
        return int(self.library.llama.llama_vocab_n_tokens(self.tokens))

    @cached_property
    def ids(self) -> dict[str, int]:
        """Tokens by their names in the file."""
        llama, ffi = self.library.llama, self.library.ffi
        names = (ffi.string(llama.llama_vocab_get_text(self.tokens, index)) for index in range(self.n_tokens))
        return {name.decode(errors="replace"): index for index, name in enumerate(names)}

    @cached_property
    def signs(self) -> dict[str, int]:
        """Special tokens: some files mark them as such, some only as added later."""
        attributes = self.library.llama.llama_vocab_get_attr
        found = {}
        for name, index in self.ids.items():
            bits = int(attributes(self.tokens, index))
            is_added = bits & USER_DEFINED and CONTROL.fullmatch(name)
            if bits & (UNKNOWN | UNUSED | SIGN) or is_added:
                found[name] = index
        return found

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The tokens that end a text, by the file."""
        is_end = self.library.llama.llama_vocab_is_eog
        return tuple(index for index in range(self.n_tokens) if is_end(self.tokens, index))

    @cached_property
    def begin(self) -> tuple[int, ...]:
        llama = self.library.llama
        first = int(llama.llama_vocab_bos(self.tokens))
        return (first,) if first >= 0 and llama.llama_vocab_get_add_bos(self.tokens) else ()

    def fim_tokens(self) -> tuple[int, int, int]:
        """The FIM tokens that the file names: prefix, suffix and middle; -1 for an unnamed one."""
        llama = self.library.llama
        named = (llama.llama_vocab_fim_pre, llama.llama_vocab_fim_suf, llama.llama_vocab_fim_mid)
        prefix, suffix, middle = (int(of(self.tokens)) for of in named)
        return prefix, suffix, middle

    def texts(self) -> list[bytes]:
        """The bytes of each token; empty for special ones."""
        return [self._piece(index) for index in range(self.n_tokens)]

    def _piece(self, index: int) -> bytes:
        ffi, llama = self.library.ffi, self.library.llama
        for size in (64, 4096):
            buffer = ffi.new("char[]", size)
            n_bytes = int(llama.llama_token_to_piece(self.tokens, index, buffer, size, 0, False))
            if n_bytes >= 0:
                return bytes(ffi.buffer(buffer, n_bytes))
        raise ModelError(f"{self.path} has a token of more than 4 KB")

    def encode(self, text: str) -> list[int]:
        """The exact tokens of a text; special tokens in it are read letter by letter."""
        found: list[int] = []
        for part in self._parts(text):
            # Some tokenizers add a space in front of a text, but not behind a line break.
            lead = self._lead
            ids = self._tokens_of("\n" + part if lead else part)
            found += ids[len(lead) :] if ids[: len(lead)] == list(lead) else self._tokens_of(part)
        return found

    @cached_property
    def _lead(self) -> tuple[int, ...]:
        has_space = self._piece((self._tokens_of("a") or [0])[0]).startswith(b" ")
        return tuple(self._tokens_of("\n")) if has_space else ()

    @cached_property
    def _added(self) -> list[str]:
        """Special tokens that llama.cpp would recognize in any text, the longest first."""
        attributes = self.library.llama.llama_vocab_get_attr
        return sorted(
            (
                name
                for name, index in self.signs.items()
                if int(attributes(self.tokens, index)) & USER_DEFINED
            ),
            key=len,
            reverse=True,
        )

    def _parts(self, text: str) -> Iterator[str]:
        """The text, cut behind the first letter of each special token in it."""
        begin = 0
        places = sorted({place for name in self._added for place in occurrences(text, name)})
        for place in places:
            yield text[begin : place + 1]
            begin = place + 1
        if begin < len(text):
            yield text[begin:]

    def _tokens_of(self, text: str) -> list[int]:
        content = text.encode()
        size = len(content) + 8
        buffer = self.library.ffi.new("llama_token[]", size)
        n_tokens = self.library.llama.llama_tokenize(
            self.tokens, content, len(content), buffer, size, False, False
        )
        if n_tokens < 0:
            raise ModelError(f"{self.path} spells a text of {len(content)} bytes in {-n_tokens} tokens")
        return [int(token) for token in self.library.ffi.unpack(buffer, n_tokens)] if n_tokens else []


def occurrences(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)


def check(path: Path) -> None:
    """Checks a path, for a better message than llama.cpp's line in its log."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(MAGIC))
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}") from error
    if magic != MAGIC:
        raise ModelError(f"{path} is no GGUF file")
