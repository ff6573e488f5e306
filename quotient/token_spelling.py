"""The spelling of a tokenizer's tokens: the bytes that they stand for.

Tokenizers have their own spellings of tokens. Two are in use: byte-level BPE shows every byte as a printable
character (a space is `Ġ`); SentencePiece shows spaces as `▁`, spells bytes without a token `<0x0A>`, and
drops one leading space when it decodes. The decoder shows which one it is: its steps in a fast tokenizer of
`transformers` or a `tokenizers.Tokenizer`, its name in a slow one.
"""

import itertools
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SpelledTokens:
    """The tokens of a tokenizer by their ids."""

    tokens: list[bytes]
    """Their bytes behind other text; none for ids without a token."""
    special: list[int]
    ends: list[int]
    drops_space: bool
    """Whether a decoded text loses a space at its very beginning."""


def spelled_tokens(tokenizer: object) -> SpelledTokens:
    """The tokens of a Hugging Face tokenizer.

    Raises `TypeError` for other objects and `ValueError` for tokenizers whose tokens stand for no certain
    bytes, such as WordPiece.
    """
    backend: Any = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if hasattr(backend, "get_added_tokens_decoder"):
        return _of_fast(tokenizer, backend)
    if hasattr(tokenizer, "get_vocab") and hasattr(tokenizer, "added_tokens_decoder"):
        return _of_slow(tokenizer)
    kind = type(tokenizer).__name__
    raise TypeError(f"expected a tokenizer of transformers or a tokenizers.Tokenizer, not {kind}")


def _of_fast(tokenizer: object, backend: Any) -> SpelledTokens:
    vocabulary: dict[str, int] = backend.get_vocab(with_added_tokens=True)
    steps = _steps(_state(backend.decoder))
    spelling = _spelling(backend, [*steps, *_steps(_state(backend.pre_tokenizer))])
    added = backend.get_added_tokens_decoder()
    unknown = _unknown(backend.model)
    return _spelled_tokens(tokenizer, vocabulary, spelling, added, unknown, any(map(_drops_space, steps)))


def _of_slow(tokenizer: Any) -> SpelledTokens:
    """The tokens of a tokenizer written in Python. Its decoder has the same name in all of them."""
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    added = tokenizer.added_tokens_decoder
    if hasattr(tokenizer, "byte_decoder"):
        return _spelled_tokens(tokenizer, vocabulary, _byte_level, added, [], False)
    if hasattr(tokenizer, "sp_model"):
        model = tokenizer.sp_model
        pieces = range(model.get_piece_size())
        textless = [piece for piece in pieces if model.is_control(piece) or model.is_unknown(piece)]
        drops_space = bool(getattr(tokenizer, "add_prefix_space", True))
        return _spelled_tokens(
            tokenizer, vocabulary, _sentence_piece("▁", True), added, textless, drops_space
        )
    raise _no_bytes(type(tokenizer).__name__)


_Spelling = Callable[[list[str]], list[bytes]]


def _spelled_tokens(
    tokenizer: object,
    vocabulary: dict[str, int],
    spelling: _Spelling,
    added: dict[int, Any],
    textless: list[int],
    drops_space: bool,
) -> SpelledTokens:
    tokens = [b""] * (max([*vocabulary.values(), *added], default=-1) + 1)
    for index, text in zip(vocabulary.values(), spelling(list(vocabulary)), strict=True):
        tokens[index] = text
    for index, token in added.items():
        # Added tokens are plain text, whatever the spelling of the others.
        tokens[index] = token.content.encode()
    special = [index for index, token in added.items() if token.special]
    return SpelledTokens(tokens, [*special, *textless], _ends(tokenizer, vocabulary), drops_space)


def _ends(tokenizer: object, vocabulary: dict[str, int]) -> list[int]:
    """The tokens that end a sequence, by the tokenizer or else by their names."""
    named: int | None = getattr(tokenizer, "eos_token_id", None)
    if named is not None:
        return [named]
    return [vocabulary[name] for name in _END_NAMES if name in vocabulary][:1]


# The usual names of end tokens; the first one in the vocabulary counts.
_END_NAMES = ("<|endoftext|>", "</s>", "<|end_of_text|>", "<eos>", "<|im_end|>", "<｜end▁of▁sentence｜>")


def _unknown(model: Any) -> list[int]:
    """The token for unknown text, which has no text of its own."""
    if hasattr(model, "unk_token"):
        index = model.token_to_id(model.unk_token) if model.unk_token is not None else None
    else:
        index = (_state(model) or {}).get("unk_id")
    return [] if index is None else [index]


def _spelling(backend: Any, steps: list[dict[str, Any]]) -> _Spelling:
    """The spelling of tokens, from the steps of the tokenizer's decoder."""
    kinds = {step["type"] for step in steps}
    if "ByteLevel" in kinds:
        return _byte_level
    falls_back = bool(getattr(backend.model, "byte_fallback", False)) or "ByteFallback" in kinds
    marks = [step["replacement"] for step in steps if step["type"] == "Metaspace"]
    marks += [
        step["pattern"]["String"]
        for step in steps
        if step["type"] == "Replace" and step.get("content") == " " and "String" in step["pattern"]
    ]
    if not marks:
        raise _no_bytes(type(backend.model).__name__)
    return _sentence_piece(marks[0], falls_back)


def _no_bytes(kind: str) -> ValueError:
    return ValueError(f"tokens of a {kind} tokenizer without a byte-exact decoder stand for no bytes")


def _drops_space(step: dict[str, Any]) -> bool:
    if step["type"] == "Metaspace":
        return bool(step.get("prepend_scheme") != "never")
    return bool(step["type"] == "Strip" and step["content"] == " " and step["start"] > 0)


def _sentence_piece(mark: str, falls_back: bool) -> _Spelling:
    def spelled(text: str) -> bytes:
        if falls_back and (byte := re.fullmatch(r"<0x([0-9A-Fa-f]{2})>", text)):
            return bytes([int(byte[1], 16)])
        return text.replace(mark, " ").encode()

    return lambda texts: [spelled(text) for text in texts]


def _byte_level(texts: list[str]) -> list[bytes]:
    """The bytes of all tokens at once: each character of the spelling is one byte."""
    try:
        joined = "".join(texts).translate(_BYTE_OF).encode("latin-1")
    except UnicodeEncodeError:
        if len(texts) == 1:
            # The text is no spelling, but an added token that the tokenizer does not list.
            return [texts[0].encode()]
        middle = len(texts) // 2
        return _byte_level(texts[:middle]) + _byte_level(texts[middle:])
    ends = list(itertools.accumulate(map(len, texts)))
    return [joined[end - len(text) : end] for text, end in zip(texts, ends, strict=True)]


def _byte_of() -> dict[int, int]:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    # Characters that spell no byte become one that Latin-1 lacks.
    return dict.fromkeys(others, 0xFFFF) | {0x100 + index: byte for index, byte in enumerate(others)}


_BYTE_OF = _byte_of()


def _state(component: Any) -> dict[str, Any] | None:
    """The state of a tokenizer's part, as JSON describes it."""
    if component is None:
        return None
    state: dict[str, Any] = json.loads(component.__getstate__())
    return state


def _steps(step: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The steps of a possibly nested sequence."""
    if step is None:
        return []
    inner: Iterable[dict[str, Any]] | None = step.get("decoders") or step.get("pretokenizers")
    return [part for child in inner for part in _steps(child)] if inner else [step]
