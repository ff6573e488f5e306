"""The header of a GGUF file, read without llama.cpp: its name, and whether it can fill in the middle.

Only the beginning of the file is read, up to its list of tokens. Files are not trusted: one that breaks the
format, or claims more than any model has, is no model.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fim_lsp.fim_formats import GGUF_MODEL_TYPES, fim_format, format_named_in

MAGIC: Final = b"GGUF"
# GGUF's number types, and its two others.
NUMBERS = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d",
}  # fmt: skip
TEXT, LIST = 8, 9
MAX_VALUES, MAX_ITEMS, MAX_TEXT = 10_000, 5_000_000, 1 << 24

Value = int | float | bool | str | list[str] | None


@dataclass(frozen=True, slots=True)
class GgufHeader:
    architecture: str
    # The name that its maker has given it; empty where it has none.
    name: str
    # The most tokens that it can read.
    context: int | None
    # The FIM format; None for a model that has no fill-in-the-middle tokens.
    fim_format: str | None


class NoGguf(ValueError):
    """The file does not keep to the format."""


def is_gguf(path: Path) -> bool:
    """Whether a file is of this kind, by its content: Ollama names its files by checksum."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


def header(path: Path) -> GgufHeader | None:
    """The header of a GGUF file; None for any but one of a model that writes text."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            values = GgufReader(content).values()
    except (OSError, ValueError, struct.error, IndexError):
        return None
    tokens, architecture = values.get("tokenizer.ggml.tokens"), values.get("general.architecture")
    if not isinstance(tokens, list) or not isinstance(architecture, str):
        return None
    names = [str(values.get(key) or "") for key in ("general.basename", "general.name")]
    context = values.get(f"{architecture}.context_length")
    return GgufHeader(
        architecture,
        names[1] or names[0],
        context if isinstance(context, int) else None,
        spoken_family([*names, path.stem], architecture, frozenset(tokens)),
    )


def spoken_family(names: list[str], architecture: str, tokens: frozenset[str]) -> str | None:
    """The family whose tokens it has: the one that it names, or the first."""
    for name in names:
        known = format_named_in(name)
        if known is not None and tokens.issuperset(known.tokens):
            return known.name
    found = fim_format(tokens, GGUF_MODEL_TYPES.get(architecture, architecture))
    return None if found is None else found.name


class GgufReader:
    """Reads values one behind the other."""

    def __init__(self, content: mmap.mmap) -> None:
        self.content, self.place = content, 0

    def values(self) -> dict[str, Value]:
        if self.content[:4] != MAGIC:
            raise NoGguf("no GGUF file")
        self.place = 4
        version = self.number("<I")
        if version not in (2, 3):
            raise NoGguf(f"version {version}")
        self.number("<Q")  # tensors
        n_values = self.number("<Q")
        if n_values > MAX_VALUES:
            raise NoGguf(f"{n_values} values")
        found: dict[str, Value] = {}
        for _ in range(int(n_values)):
            key = self.text()
            found[key] = self.value(int(self.number("<I")), is_wanted=key == "tokenizer.ggml.tokens")
            if key == "tokenizer.ggml.tokens":
                # The model's own values stand in front of its tokenizer's, and behind the tokens are its
                # merges.
                break
        return found

    def value(self, kind: int, is_wanted: bool = True) -> Value:
        if kind == TEXT:
            return self.text()
        if kind != LIST:
            return self.number(NUMBERS[kind]) if kind in NUMBERS else self.unknown(kind)
        item, n_items = int(self.number("<I")), int(self.number("<Q"))
        if n_items > MAX_ITEMS:
            raise NoGguf(f"{n_items} items")
        if item in NUMBERS:
            self.place += n_items * struct.calcsize(NUMBERS[item])
            return None
        if item != TEXT:
            return self.unknown(item)
        texts = [self.text() for _ in range(n_items)]
        return texts if is_wanted else None

    def number(self, form: str) -> int | float | bool:
        (found,) = struct.unpack_from(form, self.content, self.place)
        self.place += struct.calcsize(form)
        number: int | float | bool = found
        return number

    def text(self) -> str:
        length = int(self.number("<Q"))
        if length > MAX_TEXT or self.place + length > len(self.content):
            raise NoGguf(f"a text of {length} bytes")
        found = self.content[self.place : self.place + length]
        self.place += length
        return found.decode("utf-8", "replace")

    @staticmethod
    def unknown(kind: int) -> Value:
        raise NoGguf(f"a value of kind {kind}")
