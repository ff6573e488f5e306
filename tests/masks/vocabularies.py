"""Vocabularies for tests: real ones if they were fetched beside the project, and one that is made here.

The made one is built from the standard library's own text, without a tokenizer package: the most frequent
pieces by a pattern like that of byte-level BPE tokenizers, pieces that cross symbols and lines, and every
single byte, so that halves of characters are tokens, too.
"""

import gzip
import json
import re
import sysconfig
from collections import Counter
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from quotient import Vocabulary

REAL = Path(__file__).parents[3] / "shared" / "data" / "tokenizers"
"""Where real tokenizers lie, if they do."""

_PIECE = re.compile(
    rb" ?[A-Za-z_]+| ?[0-9]+| ?[^\sA-Za-z_0-9]+[\r\n]*"
    rb"|[ \t]*[\r\n]+[ \t]*|[ \t]+(?=\S)|[ \t]+|\S+[ \t]*\n[ \t]*"
)


def available() -> list[str]:
    """The names that `load` accepts, `made` first."""
    return ["made", *sorted(path.name.removesuffix(".json.gz") for path in REAL.glob("*.json.gz"))]


@cache
def load(name: str) -> Vocabulary:
    """The vocabulary with a name."""
    if name == "made":
        return made()
    return from_description(json.loads(description(name)))


def description(name: str) -> str:
    """The JSON form of a real tokenizer."""
    return gzip.decompress((REAL / f"{name}.json.gz").read_bytes()).decode()


def from_description(description: dict[str, Any]) -> Vocabulary:
    """The vocabulary of a tokenizer's JSON form."""
    return Vocabulary.from_tokenizer(_Described(description))


class _Described:
    """The part of `tokenizers.Tokenizer` that `from_tokenizer` uses, without the package."""

    def __init__(self, description: dict[str, Any]) -> None:
        self._description = description
        model = description["model"]
        self.model = SimpleNamespace(
            byte_fallback=model.get("byte_fallback", False),
            unk_token=model.get("unk_token"),
            token_to_id=model["vocab"].get,
        )
        self.decoder = _Part(description["decoder"])
        self.pre_tokenizer = _Part(description["pre_tokenizer"])

    def get_vocab(self, with_added_tokens: bool) -> dict[str, int]:
        assert with_added_tokens
        added = {token["content"]: token["id"] for token in self._description["added_tokens"]}
        return {**self._description["model"]["vocab"], **added}

    def get_added_tokens_decoder(self) -> dict[int, SimpleNamespace]:
        added = self._description["added_tokens"]
        return {
            token["id"]: SimpleNamespace(content=token["content"], special=token["special"])
            for token in added
        }


class _Part:
    def __init__(self, description: object) -> None:
        self._description = description

    def __getstate__(self) -> bytes:
        return json.dumps(self._description).encode()


@cache
def made(n_tokens: int = 6_000) -> Vocabulary:
    """A vocabulary of pieces of the standard library."""
    counts: Counter[bytes] = Counter()
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:80]:
        text = path.read_bytes()[:60_000]
        counts.update(_PIECE.findall(text))
        # Pieces of fixed length cross symbols, lines and indentation in every way.
        counts.update(text[at : at + 3] for at in range(0, len(text), 7))
        counts.update(text[at : at + 6] for at in range(0, len(text), 31))
    pieces = [piece for piece, _ in counts.most_common(n_tokens)]
    pieces += [bytes([byte]) for byte in range(256)]
    pieces += [b"\n" + b" " * n for n in range(1, 24)] + [
        b"\r\n",
        b"\r\n    ",
        b"\r",
        b"\\\n",
        b"\\\n  x",
        b"\n\t",
        b"\f",
    ]
    pieces += [
        b"\\N{",
        b"\\N{EM",
        b"EM DASH",
        b"}'",
        b"{x!r:>",
        b"f'",
        b'f"""{',
        b"}}",
        b"{{",
        b'"""',
        b"'''",
    ]
    pieces += [text.encode()[:2] for text in "é—数𝒳"] + [text.encode()[1:] for text in "é—数𝒳"]
    unique = list(dict.fromkeys(pieces))
    return Vocabulary(
        [*unique, b"x", b"", b"<special>", b"</s>"], eos=len(unique) + 3, special=[len(unique) + 2]
    )
