"""The tokens of a language model as the bytes that they stand for.

A tokenizer writes its tokens in a spelling of its own. Two are in use: byte-level BPE shows every byte as
a printable character (a space is `Ġ`); SentencePiece shows spaces as `▁`, spells bytes without a token
`<0x0A>`, and drops one leading space when it decodes. `Vocabulary.from_tokenizer` undoes the spelling.
"""

import contextlib
import itertools
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from fim_lsp import _native
from quotient.language import Language


class Vocabulary(_native.Vocabulary):
    """The tokens of a model, by their ids.

    >>> from quotient import Language
    >>> vocabulary = Vocabulary([b"x", b" = ", b"1", b"]", b"</s>"], eos=4)
    >>> recognizer = Language.load("python").recognizer()
    >>> recognizer.advance_token(vocabulary, 0)
    True
    >>> [f"{int(word):05b}" for word in recognizer.mask(vocabulary)]
    ['10111']

    Token 3, `]`, is not allowed; token 4 is, as `x` is a whole program.
    """

    def __new__(
        cls,
        tokens: Sequence[bytes],
        eos: int | Iterable[int] | None = None,
        special: Iterable[int] = (),
    ) -> "Vocabulary":
        """The vocabulary of `tokens`: their bytes, by their ids.

        `eos` are the tokens that end a sequence: their bits say whether the text may end. Tokens in
        `special` are never allowed, nor are tokens without any bytes, which would bring nothing on.
        Raises `ValueError` for ids out of range.
        """
        ends = [] if eos is None else [eos] if isinstance(eos, int) else list(eos)
        return super().__new__(cls, list(tokens), ends, list(special))

    @classmethod
    def from_tokenizer(cls, tokenizer: object, n_tokens: int | None = None) -> "Vocabulary":
        """The vocabulary of a Hugging Face tokenizer, of the `transformers` or the `tokenizers` kind.

        A token stands for the bytes that it adds behind other text: `▁x` of SentencePiece for a space
        and an x, though a decoded text loses a space at its very beginning. `n_tokens` is the number of a
        model's logits, where that is more than the tokenizer has tokens; those beyond are never allowed.
        Raises `TypeError` for other objects and `ValueError` for tokenizers whose tokens stand for no
        certain bytes, such as WordPiece.
        """
        backend: Any = getattr(tokenizer, "backend_tokenizer", tokenizer)
        if not hasattr(backend, "get_added_tokens_decoder"):
            kind = type(tokenizer).__name__
            raise TypeError(
                f"expected a fast tokenizer of transformers or a tokenizers.Tokenizer, not {kind}"
            )
        spelled: dict[str, int] = backend.get_vocab(with_added_tokens=True)
        added: dict[int, Any] = backend.get_added_tokens_decoder()
        length = max(spelled.values(), default=-1) + 1
        if n_tokens is not None and n_tokens < length:
            raise ValueError(f"the tokenizer has {length} tokens, more than {n_tokens}")
        tokens = [b""] * (length if n_tokens is None else n_tokens)
        for index, text in zip(spelled.values(), _spelling(backend)(list(spelled)), strict=True):
            tokens[index] = text
        for index, token in added.items():
            # Added tokens are written as they are, whatever the spelling of the others.
            tokens[index] = token.content.encode()
        special = [index for index, token in added.items() if token.special]
        return cls(tokens, _ends(tokenizer, spelled), special)

    def prepare(self, language: Language, cache: Path | None = None) -> bool:
        """Finds out what the tokens mean to the lexer of a language, ahead of the first mask.

        Else it is found out on demand, some milliseconds for each state of the lexer. What is found is
        kept in the directory `cache` (by default that of the user), and taken from there the next time:
        then the result is true. A file there is named after its content, written whole or not at all, and
        ignored if it is damaged; a directory that cannot be written to is no error.
        """
        native = language._native
        path = (cache or default_cache()) / f"{self.fingerprint}-{native.fingerprint}.masks"
        try:
            if self.add_tables(native, path.read_bytes()):
                return True
        except OSError:
            pass
        self.prepare_tables(native)
        with contextlib.suppress(OSError):
            _write_whole(path, self.tables(native))
        return False


def default_cache() -> Path:
    """Where the user's caches lie, by the rules of the operating system."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "fim-lsp" / "masks"


def _write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that nobody sees a part of it, whoever else writes it at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _ends(tokenizer: object, spelled: dict[str, int]) -> list[int]:
    """The tokens that end a sequence: the tokenizer says so, else they are known by their names."""
    named: int | None = getattr(tokenizer, "eos_token_id", None)
    if named is not None:
        return [named]
    return [spelled[name] for name in _END_NAMES if name in spelled][:1]


# Without the surroundings of a model only the name tells; the first that is there is meant.
_END_NAMES = ("<|endoftext|>", "</s>", "<|end_of_text|>", "<eos>", "<|im_end|>", "<｜end▁of▁sentence｜>")

_Spelling = Callable[[list[str]], list[bytes]]


def _spelling(backend: Any) -> _Spelling:
    """How tokens are spelled, from what the tokenizer does to decode them."""
    parts = [*_parts(_state(backend.decoder)), *_parts(_state(backend.pre_tokenizer))]
    kinds = {part["type"] for part in parts}
    if "ByteLevel" in kinds:
        return _byte_level
    falls_back = bool(getattr(backend.model, "byte_fallback", False)) or "ByteFallback" in kinds
    marks = [part["replacement"] for part in parts if part["type"] == "Metaspace"]
    replaced = [
        part["pattern"]["String"]
        for part in parts
        if part["type"] == "Replace" and part.get("content") == " " and "String" in part["pattern"]
    ]
    if not marks and not replaced:
        kind = type(backend.model).__name__
        raise ValueError(f"tokens of a {kind} tokenizer without a byte-exact decoder stand for no bytes")
    mark: str = [*marks, *replaced][0]
    return lambda texts: [_sentence_piece(text, mark, falls_back) for text in texts]


def _sentence_piece(text: str, mark: str, falls_back: bool) -> bytes:
    if falls_back and (byte := re.fullmatch(r"<0x([0-9A-Fa-f]{2})>", text)):
        return bytes([int(byte[1], 16)])
    return text.replace(mark, " ").encode()


def _byte_level(texts: list[str]) -> list[bytes]:
    """All at once: one character of the spelling is one byte."""
    try:
        joined = "".join(texts).translate(_BYTE_OF).encode("latin-1")
    except UnicodeEncodeError:
        if len(texts) == 1:
            # Not a spelling: an added token that the tokenizer does not list as such.
            return [texts[0].encode()]
        return [token for text in texts for token in _byte_level([text])]
    ends = list(itertools.accumulate(map(len, texts)))
    return [joined[end - len(text) : end] for text, end in zip(texts, ends, strict=True)]


def _byte_of() -> dict[int, int]:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    # Characters that spell no byte become one that Latin-1 lacks.
    return dict.fromkeys(others, 0xFFFF) | {0x100 + index: byte for index, byte in enumerate(others)}


_BYTE_OF = _byte_of()


def _state(component: Any) -> dict[str, Any] | None:
    """What a part of a tokenizer is, as JSON describes it."""
    if component is None:
        return None
    state: dict[str, Any] = json.loads(component.__getstate__())
    return state


def _parts(step: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The steps of a possibly nested sequence."""
    if step is None:
        return []
    inner = step.get("decoders") or step.get("pretokenizers")
    return [part for child in inner for part in _parts(child)] if inner else [step]
