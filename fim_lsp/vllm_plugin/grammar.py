"""Our grammars as vLLM uses them: each is a `FillingState`, and all requests share one vocabulary."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
from vllm.v1.structured_output.backend_types import StructuredOutputGrammar

from fim_lsp.decoding.models.model import spoken_format
from fim_lsp.decoding.models.tokens import ModelTokenizer as Tokenizer
from fim_lsp.fim_formats import FimFormat
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.system.user_cache import user_cache
from fim_lsp.vllm_plugin.filling import FillingState, OrderedVocabulary
from fim_lsp.vllm_plugin.together import MaskBatch, Next, panics_as_errors
from quotient import Language

LOGGER = logging.getLogger(__name__)


class FillingGrammar(StructuredOutputGrammar):  # type: ignore[misc]  # vLLM is not installed here
    """The grammar of one request, and the mask of what comes next."""

    def __init__(self, filling: FillingState, together: MaskBatch) -> None:
        self.filling = filling
        self.next = Next(filling, together)

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:  # noqa: ARG002
        # A refusal ends this request in vLLM; a fault would end all of them.
        try:
            with panics_as_errors():
                return self.next.read(tokens)
        except RuntimeError:
            LOGGER.exception("fim-lsp cannot go on with a text")
            return False

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        try:
            with panics_as_errors():
                return self.next.fitting(tokens)
        except RuntimeError:
            LOGGER.exception("fim-lsp cannot go on with a text")
            return []

    def rollback(self, num_tokens: int) -> None:
        self.next.take_back(num_tokens)

    def fill_bitmask(self, bitmask: Any, batch_index: int) -> None:
        row = bitmask.numpy()[batch_index]
        mask = self.next.mask().view(np.int32)
        # The rows are as wide as the logits, which may be more than there are tokens.
        n_words = min(len(row), len(mask))
        row[:n_words] = mask[:n_words]
        row[n_words:] = 0

    def is_terminated(self) -> bool:
        return self.filling.has_ended

    def reset(self) -> None:
        self.rollback(self.next.n_read)


class Grammars:
    """Grammars for the requests to one model."""

    def __init__(self, tokenizer: Any, n_logits: int, config: Mapping[str, Any], name: str) -> None:
        self.spoken = loaded_tokenizer(tokenizer, n_logits, config, name)
        self._lock = Lock()
        self.tokens = OrderedVocabulary(self.spoken[0].writable(self.spoken[1]))
        self._together = MaskBatch(self.tokens)
        # The meaning of tokens to a language is found out once, and by one thread.
        self._prepared = cache(self._prepare)

    @classmethod
    def of(cls, model_config: Any, tokenizer: Any) -> Grammars:
        """The grammars for the model that a vLLM has loaded."""
        config = model_config.hf_config.to_dict()
        return cls(tokenizer, model_config.get_vocab_size(), config, str(model_config.model))

    def grammar(self, spec: str) -> FillingGrammar:
        """Raises `ValueError`, `NoCompletion` where nothing fits, and `TooCostly` where that is not known."""
        contexts = HoleContexts.of_spec(spec)
        with panics_as_errors():
            with self._lock:
                self._prepared(contexts.language, contexts.version)
            grammar = FillingGrammar(FillingState.between(contexts, self.tokens), self._together)
            # No request waits for this thread.
            grammar.next.known = grammar.filling.mask()
        return grammar

    def _prepare(self, language: str, version: str | None) -> None:
        self.tokens.vocabulary.prepare(Language.load(language, version=version), user_cache() / "masks")


def loaded_tokenizer(
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
