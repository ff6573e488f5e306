"""A text in progress in a hole, token by token: which ones may come next, and how to take them back.

A server asks a grammar no more than this while it writes; `grammar.py` translates it for vLLM. Nothing here
knows vLLM or PyTorch.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from fim_lsp.runtimes.contexts import HoleContexts
from quotient import Language, Recognizer, Vocabulary

Mask = npt.NDArray[np.uint32]
"""One bit for each token, 32 to a word, the lowest first."""


class OrderedVocabulary:
    """A vocabulary, and its tokens in the order of their bytes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.ends = frozenset(vocabulary.eos)
        self.texts = [vocabulary.token(token) for token in range(len(vocabulary))]
        self._ids = {text: token for token, text in enumerate(self.texts) if text}
        self._longest = max(map(len, self.texts), default=0)
        self.ending = self.bits(self.ends)
        # A few beginnings come again and again: blanks, and halves of words.
        self.spelling = lru_cache(1024)(self._spelling)

    def _spelling(self, pending: bytes) -> Mask:
        """The tokens that begin with a text, or that it begins with."""
        found = [token for token, text in enumerate(self.texts) if text.startswith(pending)]
        beginnings = (self._ids.get(pending[:length]) for length in range(1, len(pending)))
        return self.bits([*found, *(token for token in beginnings if token is not None)])

    def bits(self, tokens: Collection[int]) -> Mask:
        """A mask of some tokens, without invalid ids."""
        bits = np.zeros(self.vocabulary.n_words * 32, np.uint8)
        bits[[token for token in tokens if 0 <= token < len(self.texts)]] = 1
        return np.packbits(bits, bitorder="little").view(np.uint32)


@dataclass(slots=True)
class FillingState:
    """The text written into one hole so far. Not for several threads at once."""

    tokens: OrderedVocabulary
    recognizer: Recognizer
    # The bytes left of the cursor that have to be written first.
    pending: bytes = b""
    # The tokens that the first one is among; None where it may be any.
    first: Mask | None = None
    has_ended: bool = False
    # The pending bytes before each token; None where the token was an end.
    _before: list[bytes | None] = field(default_factory=list)

    @classmethod
    def between(cls, contexts: HoleContexts, tokens: OrderedVocabulary) -> FillingState:
        """Raises `NoCompletion` where nothing fits, `TooCostly` where that is not known, and `ValueError` for
        a language that is not known."""
        language = Language.load(contexts.language, version=contexts.version)
        pending = contexts.pending.encode(errors="surrogateescape")
        left, right = (readable(text) for text in (contexts.left, contexts.right))
        recognizer = language.recognizer(left, right, contexts.known if contexts.has_law else None)
        return cls(tokens, recognizer, pending, tokens.bits(contexts.first) if contexts.first else None)

    def read(self, tokens: Sequence[int]) -> bool:
        """Goes on with tokens; False at the first that does not fit, which is not read."""
        return all(self._read(token) for token in tokens)

    def fitting(self, tokens: Sequence[int]) -> list[int]:
        """The tokens, of the first of these, that may come next. Nothing is read."""
        n_read = 0
        while n_read < len(tokens) and not self.has_ended and self._read(tokens[n_read]):
            n_read += 1
        self.take_back(n_read)
        return list(tokens[:n_read])

    def take_back(self, n_tokens: int) -> None:
        """Forgets the last tokens that were read."""
        for _ in range(n_tokens):
            before = self._before.pop()
            if before is None:
                self.has_ended = False
            else:
                self.pending = before
                self.recognizer.rollback()

    @property
    def n_read(self) -> int:
        return len(self._before)

    def mask(self) -> Mask:
        """The tokens that may come next. If no token spells the required text, the text may only end."""
        return self.narrowed_mask(self.recognizer.mask(self.tokens.vocabulary))

    def narrowed_mask(self, mask: Mask) -> Mask:
        """The recognizer's mask, less what the cursor's left side and the first token's choice leave out."""
        if self.pending:
            mask = mask & self.tokens.spelling(self.pending) & ~self.tokens.ending
        if self.first is not None and not self._before:
            mask = mask & self.first
        return mask if mask.any() else self.tokens.ending

    def _read(self, token: int) -> bool:
        if self.has_ended:
            # Whatever a server fills up a text with behind its end.
            return True
        if token in self.tokens.ends:
            is_end = not self.pending and self.recognizer.is_member()
            if is_end or np.array_equal(self.mask(), self.tokens.ending):
                self.has_ended = True
                self._before.append(None)
                return True
            return False
        if self.first is not None and not self._before and not self.first[token // 32] >> (token % 32) & 1:
            return False
        text = self.tokens.texts[token] if 0 <= token < len(self.tokens.texts) else b""
        pending = self.pending
        if pending and not (text.startswith(pending) or pending.startswith(text)):
            return False
        if not self.recognizer.advance_token(self.tokens.vocabulary, token):
            return False
        self.pending = pending[len(text) :]
        self._before.append(pending)
        return True


def readable(text: str) -> str | bytes:
    """A text as the engine reads it: one with half a character is bytes.

    A text is given as one: of bytes it would be asked whether they are in the encoding that they say they are
    in, `# -*- coding: cp1252 -*-`, and a text of the editor's is in none.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="surrogateescape")
    return text
