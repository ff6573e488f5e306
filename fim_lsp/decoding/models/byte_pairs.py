"""The bundled model's tokens, read from its tokenizer.json in plain Python.

The library `tokenizers`, which trained them, depends on a hub client, an HTTP library and a dozen more
packages: 42 MB for one kind of tokenizer. That kind is small (byte-level BPE): a text is cut into words as in
GPT-2, each digit alone; in the bytes of a word the pair that was learned first is joined, again and again.
Other kinds are refused. A test compares this with `tokenizers`, for every character and on real files.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from fim_lsp.decoding.models.tokens import end_ids, named_ends, unseen
from fim_lsp.fim_formats import FimFormat
from fim_lsp.runtimes.folder import ModelError, read_json
from quotient import Vocabulary

# Unicode's White_Space, which differs a little from Python's `\\s`.
SPACE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# GPT-2's pattern: contractions, words, other signs, and blanks except the last one in front of a word. The
# texts that it cuts have no digits.
WORDS = re.compile(
    rf"'(?:[stmd]|re|ve|ll)| ?[^\W\d_]+| ?(?:(?![{SPACE}])[\W_])+|[{SPACE}]+(?![^{SPACE}])|[{SPACE}]+"
)
DIGITS = [
    {"type": "Digits", "individual_digits": True},
    {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
]
# Words whose tokens are remembered.
MOST_WORDS = 50_000


@dataclass(frozen=True, slots=True)
class BytePairTokens:
    """The tokens of a folder, as `ModelTokenizer` are."""

    vocabulary: Mapping[str, int]
    ends: tuple[int, ...]
    begin: tuple[int, ...]
    n_logits: int
    _pairs: BytePairs
    _signs: frozenset[int]

    @classmethod
    def at(cls, folder: Path, n_logits: int) -> BytePairTokens:
        """Raises `ModelError` for tokenizers of another kind."""
        described = read_json(folder / "tokenizer.json")
        added = described.get("added_tokens") or []
        pairs = byte_pairs(described)
        signs = {token["content"]: int(token["id"]) for token in added}
        ids = pairs.ids | signs
        begin = template(described, ids)
        bos = ids.get(str(read_json(folder / "tokenizer_config.json").get("bos_token")))
        ends = named_ends(folder, ids)
        return cls(ids, ends, begin if bos in begin else (), n_logits, pairs, frozenset(signs.values()))

    def writable(self, fim_format: FimFormat) -> Vocabulary:
        texts = self.texts()
        ends = end_ids(self.vocabulary, self.ends, fim_format)
        return Vocabulary(texts, ends, sorted(self._signs.union(unseen(texts)) - set(ends)))

    def read_texts(self) -> list[bytes]:
        """The text of each token, writable or not; special tokens have none."""
        return [b"" if token in self._signs else text for token, text in enumerate(self.texts())]

    def texts(self) -> list[bytes]:
        texts = [b""] * self.n_logits
        for token, index in self._pairs.ids.items():
            texts[index] = bytes(BYTES[character] for character in token)
        for token, index in self.vocabulary.items():
            if index in self._signs:
                texts[index] = token.encode()
        return texts

    def encoder(self, _fim_format: FimFormat) -> Callable[[str], list[int]]:
        return self._pairs.encode


@dataclass(frozen=True, slots=True)
class BytePairs:
    """Pairs of bytes to join. `ids` has the tokens by their spelling, with a printable character for each
    byte."""

    ids: dict[str, int]
    # The rank of each pair that is joined, by the two spellings: the order in which it was learned.
    ranks: dict[tuple[str, str], int]
    _known: dict[str, list[int]] = field(default_factory=dict)

    def encode(self, text: str) -> list[int]:
        found: list[int] = []
        for word in words(text):
            tokens = self._known.get(word)
            if tokens is None:
                if len(self._known) >= MOST_WORDS:
                    self._known.clear()
                spelled = word.encode().decode("latin-1").translate(SPELLING)
                tokens = self._known[word] = [self.ids[token] for token in joined_tokens(spelled, self.ranks)]
            found += tokens
        return found


def words(text: str) -> Iterator[str]:
    for index, part in enumerate(digits(text).split(text)):
        if index % 2:
            yield part
        else:
            yield from WORDS.findall(part)


def digits(text: str) -> re.Pattern[str]:
    """The pattern for the digits and other numbers in a text, one at a time."""
    if text.isascii():
        return digits_among("")
    others = {character for character in set(text) if character > "\x7f" and is_number(character)}
    return digits_among("".join(sorted(others)))


@lru_cache(maxsize=256)
def digits_among(others: str) -> re.Pattern[str]:
    return re.compile(f"([0-9{re.escape(others)}])")


def is_number(character: str) -> bool:
    return unicodedata.category(character)[0] == "N"


def joined_tokens(word: str, ranks: Mapping[tuple[str, str], int]) -> list[str]:
    """The tokens of a word: the neighbours that were learned first are joined first."""
    parts: list[str] = list(word)
    # The parts after and before each part; a part that was joined to the previous one is empty.
    following, before = list(range(1, len(parts) + 1)), list(range(-1, len(parts) - 1))
    waiting: list[tuple[int, int, str, str]] = []

    def look(left: int) -> None:
        right = following[left] if left >= 0 else len(parts)
        if right < len(parts):
            pair = parts[left], parts[right]
            if (rank := ranks.get(pair)) is not None:
                heapq.heappush(waiting, (rank, left, *pair))

    for left in range(len(parts) - 1):
        look(left)
    while waiting:
        _, left, first, second = heapq.heappop(waiting)
        right = following[left]
        # Either of the two may have been joined to another since.
        if parts[left] != first or right >= len(parts) or parts[right] != second:
            continue
        parts[left], parts[right] = first + second, ""
        following[left] = following[right]
        if following[left] < len(parts):
            before[following[left]] = left
        look(left)
        look(before[left])
    return [part for part in parts if part]


def byte_pairs(described: Mapping[str, Any]) -> BytePairs:
    model: Mapping[str, Any] = described.get("model") or {}
    steps = described.get("pre_tokenizer") or {}
    steps = steps.get("pretokenizers") or []
    cut = [{key: step.get(key) for key in known} for step, known in zip(steps, DIGITS, strict=False)]
    unusual = ("unk_token", "dropout", "continuing_subword_prefix", "end_of_word_suffix", "ignore_merges")
    if (
        model.get("type") != "BPE"
        or any(model.get(name) for name in unusual)
        or described.get("normalizer")
        or len(steps) != len(DIGITS)
        or cut != DIGITS
    ):
        raise ModelError("its tokenizer is of a kind that is not read without PyTorch")
    try:
        ids = {str(token): int(index) for token, index in model["vocab"].items()}
        pairs = (pair.split(" ") if isinstance(pair, str) else pair for pair in model["merges"])
        ranks = {(left, right): rank for rank, (left, right) in enumerate(pairs)}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"its tokenizer.json is damaged: {error}") from error
    if not set(BYTES) <= ids.keys():
        raise ModelError("its tokenizer does not know every byte")
    return BytePairs(ids, ranks)


def template(described: Mapping[str, Any], ids: Mapping[str, int]) -> tuple[int, ...]:
    """The tokens that the tokenizer puts around a text."""
    parts = (described.get("post_processor") or {}).get("single") or []
    return tuple(ids[part["SpecialToken"]["id"]] for part in parts if "SpecialToken" in part)


def spelling() -> dict[str, int]:
    """The printable character for each byte, as GPT-2 has chosen them."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    spelled = {chr(byte): byte for byte in printable}
    return spelled | {chr(0x100 + index): byte for index, byte in enumerate(others)}


BYTES = spelling()
SPELLING = {byte: character for character, byte in BYTES.items()}
