"""vLLM with our plugin: it exchanges tokens, and writes only what fits.

The hole's grammar constrains its model while it writes, so a completion is one draft. Its probabilities are
among allowed tokens only, since vLLM masks the others first. So no token is avoided because it was refused
elsewhere, which would hide it where it is right.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fim_lsp.runtimes.contexts import MOST_NAMED, HoleContexts
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.draft import Drafted
from fim_lsp.runtimes.served.runtime import Wish
from fim_lsp.runtimes.served.stream import Otherwise, Stream
from fim_lsp.runtimes.served.wire import (
    NONSENSE,
    TOKENS_PATH,
    ServerError,
    StreamedLines,
    request_json,
    requested_tokens,
)

# The tokens of a draft. An unwanted draft is ended, so a long one costs nothing.
N_DRAFTED = 80
# The likely tokens wanted at each place, and the most that vLLM gives without `--max-logprobs`.
N_LIKELIEST, N_TOLD = 50, 20
PREFIX = "token_id:"


@dataclass(frozen=True)
class ServedTokens:
    """The tokens of a server's model, as the server reports them."""

    texts: list[bytes]
    ends: list[int]
    begin: list[int]
    signs: dict[str, int]
    # The number of likely tokens that can be requested at each place.
    n_likeliest: int = N_TOLD


@dataclass
class Vllm:
    """A detected vLLM."""

    address: Address
    model: str
    n_positions: int
    tokens: ServedTokens
    # A token that is never written.
    sign: int
    n_first = MOST_NAMED
    is_text_alone = False
    # The contexts for which the server found nothing that fits, without the cursor's line: it is not
    # constrained again until they change.
    _refused: tuple[str, str] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        return f"{self.model} in vLLM at {self.address}"

    @property
    def n_tokens(self) -> int:
        return len(self.tokens.texts)

    def begin_draft(self, wish: Wish) -> Stream[Drafted] | Otherwise[Drafted]:
        prompt, contexts = wish.prompt, wish.hole.contexts
        body: dict[str, object] = {
            "model": self.model,
            "prompt": prompt,
            "max_tokens": max(1, min(N_DRAFTED, self.n_positions - len(prompt))),
            "temperature": 0,
            "logprobs": min(N_LIKELIEST, self.tokens.n_likeliest),
            "return_tokens_as_token_ids": True,
            "stop_token_ids": self.tokens.ends,
            "stream": True,
        }
        held = body | held_wish(wish, self.tokens.texts)
        if contexts is not None and (around := around_line(contexts)) != self._refused:

            def freely() -> Stream[Drafted]:
                # If its grammar, perhaps of another version, allows nothing, it writes freely; our engine
                # checks everything.
                self._refused = around
                return self._stream(body)

            return Otherwise(lambda: self._stream(held), freely)
        return self._stream(body)

    def has_more(self, level: int) -> bool:  # noqa: ARG002
        """False: it has given everything that it can."""
        return False

    def more(self, wish: Wish, level: int) -> Stream[Drafted]:  # noqa: ARG002
        raise ServerError(f"{self.name} tells no more")

    def encode(self, text: str) -> list[int]:
        """The tokens of a text; signs for the model that occur in it are read letter by letter."""
        if not text:
            return []
        return requested_tokens(self.address, f"{TOKENS_PATH}/encode", {"text": text}, self.n_tokens)

    def _stream(self, body: dict[str, object]) -> Stream[Drafted]:
        lines = StreamedLines(self.address, "/v1/completions", body)
        return Stream(self.address, lines, self._places)

    def _places(self, event: Any) -> Iterator[Drafted]:
        """The places of an event, each with its likely tokens."""
        choice = event["choices"][0]
        if choice.get("finish_reason") == "error":
            raise ServerError(f"{self.address} gave up on a text")
        logprobs = choice.get("logprobs") or {}
        for token, logprob, likeliest in zip(
            logprobs.get("tokens") or (),
            logprobs.get("token_logprobs") or (),
            logprobs.get("top_logprobs") or (),
            strict=True,
        ):
            found = {number(name): float(worth) for name, worth in (likeliest or {}).items()}
            yield Drafted(number(token), list(({number(token): float(logprob)} | found).items()))
        if choice.get("finish_reason") == "stop" and not any(map(self._is_end, logprobs.get("tokens") or ())):
            end = min(self.tokens.ends)
            yield Drafted(end, [(end, 0.0)])

    def _is_end(self, token: str) -> bool:
        return number(token) in self.tokens.ends


def around_line(contexts: HoleContexts) -> tuple[str, str]:
    """The contexts without the cursor's line, which stay the same while the user types in it."""
    return contexts.left.rpartition("\n")[0], contexts.right


def held_wish(wish: Wish, texts: Sequence[bytes]) -> dict[str, object]:
    """The constraint to texts that fit a hole, behind the prompt's part of it."""
    hole = wish.hole
    if hole.contexts is None:
        return {}
    written = b"".join(texts[token] for token in wish.prompt[hole.n_prompt :])
    contexts = hole.contexts.behind(hole.pending, written, wish.first)
    return {"structured_outputs": {"grammar": contexts.spec}}


def number(token: str) -> int:
    return int(token.removeprefix(PREFIX))


def tokens_told(address: Address) -> ServedTokens:
    """The tokens of a server's model, as the server reports them. Raises `ServerError`."""
    answer = request_json(address, TOKENS_PATH)
    try:
        texts = [b64decode(text, validate=True) for text in answer["tokens"]]
        signs = {str(name): int(token) for name, token in answer["signs"].items()}
        ends, begin = ([int(token) for token in answer[name]] for name in ("ends", "begin"))
        served = ServedTokens(texts, ends, begin, signs, n_likeliest=int(answer.get("likeliest", N_TOLD)))
    except NONSENSE as error:
        raise ServerError(f"{address} does not tell its vocabulary") from error
    if not served.ends or not all(
        0 <= token < len(texts) for token in (*served.ends, *served.begin, *signs.values())
    ):
        raise ServerError(f"{address} does not tell its vocabulary")
    return served
