"""llguidance and xgrammar with our grammars, behind one call: masks in front of each token of a text."""

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np

from benches import peer_grammars
from benches.mask_times import Times
from quotient import Vocabulary
from tests.masks import vocabularies


class Peer(Protocol):
    """An engine that is ready for a grammar."""

    def replay(self, tokens: list[int], times: Times) -> None:
        """Times the masks in front of each token, up to the first one that is denied."""


def peers(
    name: str, vocabulary: Vocabulary, seconds: float = 5
) -> Iterator[tuple[str, Callable[[str], Peer]]]:
    """The installed engines, with a function that makes each for a language. xgrammar may take seconds for a
    mask of a programming language, so it skips the remaining texts after a time limit."""
    if find_spec("llguidance") and name != "made":
        yield "llguidance", lambda language: Llguidance(name, language)
    if find_spec("xgrammar") and find_spec("torch"):
        yield "xgrammar", lambda language: Xgrammar(vocabulary, language, seconds)


# llguidance's default limits are too low for grammars of this size.
LIMITS = {
    "max_items_in_row": 20_000,
    "initial_lexer_fuel": 100_000_000,
    "step_lexer_fuel": 10_000_000,
    "step_max_items": 5_000_000,
    "max_lexer_states": 1_000_000,
    "max_grammar_size": 5_000_000,
}


class Llguidance:
    """llguidance on a grammar of ours, in its dialect."""

    def __init__(self, name: str, language: str) -> None:
        self._module: Any = import_module("llguidance")
        self._fill: Any = import_module("llguidance.numpy").fill_next_token_bitmask
        self._tokenizer = self._module.LLTokenizer(vocabularies.description(name))
        self._grammar = self._module.LLMatcher.grammar_from_lark(peer_grammars.lark(language))

    def replay(self, tokens: list[int], times: Times) -> None:
        limits = self._module.LLParserLimits(**LIMITS)
        matcher = self._module.LLMatcher(self._tokenizer, self._grammar, limits=limits)
        if matcher.get_error():
            raise ValueError(matcher.get_error())
        mask = np.zeros((1, (self._tokenizer.vocab_size + 31) // 32), np.int32)
        for token in tokens:
            times.measure(lambda: self._fill(matcher, mask))
            if matcher.is_error() or not int(mask[0, token // 32]) >> (token % 32) & 1:
                times.n_denied += 1
                return
            matcher.consume_token(token)


class Xgrammar:
    """xgrammar on its own grammar of JSON, and on our grammars in its dialect for the other languages."""

    def __init__(self, vocabulary: Vocabulary, language: str, seconds: float) -> None:
        self._module: Any = import_module("xgrammar")
        tokens = [vocabulary.token(token) for token in range(len(vocabulary))]
        info = self._module.TokenizerInfo(tokens, stop_token_ids=vocabulary.eos)
        compiler = self._module.GrammarCompiler(info)
        if language == "json":
            self._grammar = compiler.compile_builtin_json_grammar()
        else:
            self._grammar = compiler.compile_grammar(
                self._module.Grammar.from_ebnf(peer_grammars.ebnf(language))
            )
        self._mask = self._module.allocate_token_bitmask(1, len(vocabulary))
        self._end = time.perf_counter() + seconds

    def replay(self, tokens: list[int], times: Times) -> None:
        matcher = self._module.GrammarMatcher(self._grammar)
        for token in tokens:
            if time.perf_counter() > self._end:
                return
            times.measure(lambda: matcher.fill_next_token_bitmask(self._mask))
            if not matcher.accept_token(token):
                times.n_denied += 1
                return
