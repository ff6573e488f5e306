"""A model's tokens: the exact tokens of a text, and the tokens that may be written.

Tokenizers have special tokens (`<fim_middle>`, `<|endoftext|>`) and usually recognise them in a text. Here
a file's text is only text: a file about FIM models is read letter by letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fim_lsp.fim_formats import CONTROL, FimFormat
from fim_lsp.presentable import UNSEEN_BYTES
from fim_lsp.runtimes.folder import ModelError, read_json
from quotient import Vocabulary


@dataclass(frozen=True, slots=True)
class ModelTokenizer:
    """A tokenizer that `transformers` loaded. `backend` is a `tokenizers.Tokenizer`."""

    backend: Any
    vocabulary: Mapping[str, int]
    # The tokens that end a text, by the tokenizer and the model's configuration, without those of the FIM
    # format.
    ends: tuple[int, ...]
    # The tokens that every prompt begins with, such as `<s>`.
    begin: tuple[int, ...]
    # The number of logits, which may be more than there are tokens.
    n_logits: int

    def writable(self, fim_format: FimFormat) -> Vocabulary:
        """The vocabulary of writable text, without special tokens."""
        vocabulary = Vocabulary.from_tokenizer(self.backend, self.n_logits)
        special = [
            index
            for index, token in self.backend.get_added_tokens_decoder().items()
            if token.special or CONTROL.fullmatch(token.content)
        ]
        special += [self.vocabulary[token] for token in fim_format.tokens]
        texts = [vocabulary.token(index) for index in range(len(vocabulary))]
        special += unseen(texts)
        ends = end_ids(self.vocabulary, self.ends, fim_format)
        return Vocabulary(texts, ends, sorted(set(special) - set(ends)))

    def encoder(self, fim_format: FimFormat) -> Callable[[str], list[int]]:
        """The exact function from text to tokens: no special tokens, no space in front, no ends."""
        from tokenizers import AddedToken, Tokenizer

        backend = Tokenizer.from_str(self.backend.to_str())
        signs = [
            AddedToken(token.content, special=True)
            for token in backend.get_added_tokens_decoder().values()
            if CONTROL.fullmatch(token.content)
        ]
        backend.add_special_tokens(
            [*signs, *(AddedToken(token, special=True) for token in fim_format.tokens)]
        )
        # A file about FIM models may contain `<fim_middle>`, which is read letter by letter.
        backend.encode_special_tokens = True
        # SentencePiece puts a space in front of a text, but not behind a line break.
        lead: list[int] = backend.encode("\n", add_special_tokens=False).ids
        has_space = backend.encode("a", add_special_tokens=False).tokens[:1] != ["a"]

        def encode(text: str) -> list[int]:
            if not has_space:
                ids: list[int] = backend.encode(text, add_special_tokens=False).ids
                return ids
            ids = backend.encode("\n" + text, add_special_tokens=False).ids
            return ids[len(lead) :] if ids[: len(lead)] == lead else ids

        return encode


def unseen(texts: Iterable[bytes]) -> list[int]:
    """The tokens with an invisible character, which may not be written. A token with only a part of such a
    character is found once the character is whole (`server/worker/wording.py`)."""
    return [token for token, text in enumerate(texts) if UNSEEN_BYTES.search(text)]


def named_ends(folder: Path, ids: Mapping[str, int]) -> tuple[int, ...]:
    """The tokens that end a text, by the files of a model's folder."""
    configured = read_json(folder / "generation_config.json").get("eos_token_id")
    ends = [configured] if isinstance(configured, int) else list(configured or ())
    end = ids.get(str(read_json(folder / "tokenizer_config.json").get("eos_token")))
    return tuple(ends if end is None else [*ends, end])


def end_ids(ids: Mapping[str, int], ends: Iterable[int], fim_format: FimFormat) -> list[int]:
    """The tokens that end a middle: those that end a text, and those of the format."""
    named = [ids[token] for token in fim_format.ends if token in ids]
    in_range = sorted(index for index in {*ends, *named} if 0 <= index <= max(ids.values()))
    if not in_range:
        raise ModelError(
            "nothing ends this model's texts: neither its tokenizer nor its configuration says what"
        )
    return in_range
