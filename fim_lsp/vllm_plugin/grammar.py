"""Our grammars in vLLM's words: each is a `Filling`, of one vocabulary that all requests share."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
from vllm.v1.structured_output.backend_types import StructuredOutputGrammar

from fim_lsp.decoding.model import spoken_format
from fim_lsp.decoding.tokens import Tokens as Tokenizer
from fim_lsp.fim_formats import FimFormat
from fim_lsp.runtimes.contexts import Contexts
from fim_lsp.vllm_plugin.ahead import Ahead, Next
from fim_lsp.vllm_plugin.filling import Filling, Tokens
from quotient import Language


class FillingGrammar(StructuredOutputGrammar):  # type: ignore[misc]  # vLLM is not installed here
    """What may be written in one request, and the mask of what comes next, which is worked out ahead."""

    def __init__(self, filling: Filling, ahead: Ahead) -> None:
        self.filling = filling
        self._ahead = ahead
        self.next = Next(filling)

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:  # noqa: ARG002
        with self.next.changing():
            has_fitted = self.filling.read(tokens)
        self._ahead.soon(self.next.mask)
        return has_fitted

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        with self.next.changing():
            return self.filling.fitting(tokens)

    def rollback(self, num_tokens: int) -> None:
        with self.next.changing():
            self.filling.take_back(num_tokens)

    def fill_bitmask(self, bitmask: Any, batch_index: int) -> None:
        row = bitmask[batch_index].numpy()
        mask = self.next.mask().view(np.int32)
        # The rows are as wide as the logits, which may be more than there are tokens.
        n_words = min(len(row), len(mask))
        row[:n_words] = mask[:n_words]
        row[n_words:] = 0

    def is_terminated(self) -> bool:
        return self.filling.has_ended

    def reset(self) -> None:
        self.rollback(self.filling.n_read)


class Grammars:
    """Grammars for the requests to one model."""

    def __init__(self, tokenizer: Any, n_logits: int, config: Mapping[str, Any], name: str) -> None:
        self.spoken = spoken(tokenizer, n_logits, config, name)
        self._lock = Lock()
        self._ahead = Ahead()
        self.tokens = Tokens(self.spoken[0].writable(self.spoken[1]))
        # What tokens mean to a language is found out once, and by one thread.
        self._prepared = cache(self._prepare)

    @classmethod
    def of(cls, model_config: Any, tokenizer: Any) -> Grammars:
        """For the model that a vLLM has loaded."""
        config = model_config.hf_config.to_dict()
        return cls(tokenizer, model_config.get_vocab_size(), config, str(model_config.model))

    def grammar(self, spec: str) -> FillingGrammar:
        """Raises `ValueError`, and `NoCompletion` where nothing fits."""
        contexts = Contexts.of_spec(spec)
        with self._lock:
            self._prepared(contexts.language, contexts.version)
        grammar = FillingGrammar(Filling.between(contexts, self.tokens), self._ahead)
        # Nobody waits for this thread.
        grammar.next.mask()
        return grammar

    def _prepare(self, language: str, version: str | None) -> None:
        self.tokens.vocabulary.prepare(Language.load(language, version=version))


def spoken(
    tokenizer: Any, n_logits: int, config: Mapping[str, Any], name: str
) -> tuple[Tokenizer, FimFormat]:
    """The tokens of a model that vLLM has loaded, and how it fills in. Raises `ModelError`."""
    vocabulary = tokenizer.get_vocab()
    fim_format = spoken_format(name, vocabulary, config, {})
    begin = [token for token in tokenizer("")["input_ids"] if token == tokenizer.bos_token_id]
    tokens = Tokenizer(
        tokenizer.backend_tokenizer,
        vocabulary,
        () if tokenizer.eos_token_id is None else (tokenizer.eos_token_id,),
        tuple(begin) if tokenizer.bos_token_id != tokenizer.eos_token_id else (),
        max(n_logits, max(vocabulary.values()) + 1),
    )
    return tokens, fim_format
