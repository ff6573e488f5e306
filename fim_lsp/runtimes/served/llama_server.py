"""llama.cpp's own server. It takes and gives tokens, so nothing is lost on the way to text and back.

Its vocabulary is told by asking for the probabilities of all tokens behind one: each comes with its bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.draft import Drafted
from fim_lsp.runtimes.served.stream import Stream
from fim_lsp.runtimes.served.wire import Lines, ServerError, asked

# A draft is closed where it is refused, so a long one costs nothing.
N_DRAFTED = 40
# Of each token's place this many candidates are told at once: the one that fits is nearly always among them.
N_LIKELIEST = 20
# How many are asked for where none of those fits, and where a half word is written anew; then all.
N_MORE = 500


@dataclass(frozen=True)
class LlamaServer:
    """What was found out about a server once. `texts` are the bytes of its tokens, none for special ones."""

    address: Address
    n_positions: int
    texts: list[bytes]
    # A token that is never written.
    sign: int
    # How many texts it keeps in its cache.
    n_slots: int = 1
    is_text_alone = False

    @property
    def name(self) -> str:
        return f"llama-server at {self.address}"

    @property
    def n_tokens(self) -> int:
        return len(self.texts)

    def drafted(self, prompt: Sequence[int], lane: int) -> Stream[Drafted]:
        room = max(1, min(N_DRAFTED, self.n_positions - len(prompt)))
        body = self._body(prompt, lane, room, N_LIKELIEST) | {"stream": True}
        return Stream(self.address, Lines(self.address, "/completion", body), places)

    def has_more(self, level: int) -> bool:
        return level < len(self._levels)

    def more(self, prompt: Sequence[int], lane: int, level: int) -> Stream[Drafted]:
        body = self._body(prompt, lane, 1, self._levels[level]) | {"stream": True}
        return Stream(self.address, Lines(self.address, "/completion", body), places)

    @property
    def _levels(self) -> list[int]:
        return [N_MORE, self.n_tokens] if self.n_tokens > N_MORE else [self.n_tokens]

    def encode(self, text: str) -> list[int]:
        """The tokens of a text; signs for the model that occur in it are read letter by letter."""
        if not text:
            return []
        body = {"content": text, "add_special": False, "parse_special": False}
        found = asked(self.address, "/tokenize", body)
        tokens = found.get("tokens") if isinstance(found, dict) else None
        if not isinstance(tokens, list) or not all(self.is_token(token) for token in tokens):
            raise ServerError(f"{self.address} gives no tokens for a text")
        return tokens

    def is_token(self, token: object) -> bool:
        return isinstance(token, int) and 0 <= token < self.n_tokens

    def _body(self, prompt: Sequence[int], lane: int, n_tokens: int, n_likeliest: int) -> dict[str, object]:
        return {
            "prompt": list(prompt),
            # It would take any that is free, and read the whole prompt again where the last one is not yet.
            "id_slot": lane % self.n_slots,
            "n_predict": n_tokens,
            "n_probs": n_likeliest,
            "temperature": 0,
            "cache_prompt": True,
            "return_tokens": True,
        }


def places(answer: Any) -> Iterator[Drafted]:
    """The places of an event, with what was likely there."""
    for place in answer.get("completion_probabilities", ()):
        likeliest = [(int(told["id"]), float(told["logprob"])) for told in place["top_logprobs"]]
        token = int(place["id"])
        # What it wrote may be none of those that it calls likely, where the user gave it a bias.
        if all(known != token for known, _ in likeliest):
            likeliest.append((token, float(place["logprob"])))
        yield Drafted(token, likeliest)


def vocabulary(address: Address, n_tokens: int) -> list[bytes]:
    """The bytes of all tokens."""
    body = {"prompt": [0], "n_predict": 1, "n_probs": n_tokens, "temperature": 0}
    answer = asked(address, "/completion", body)
    texts: list[bytes | None] = [None] * n_tokens
    try:
        for told in answer["completion_probabilities"][0]["top_logprobs"]:
            texts[told["id"]] = bytes(told["bytes"])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ServerError(f"{address} does not tell its vocabulary") from error
    known = [text for text in texts if text is not None]
    if len(known) < n_tokens:
        raise ServerError(f"{address} tells {len(known)} of its {n_tokens} tokens")
    return known


def special(address: Address, sign: str) -> int | None:
    """The token of a sign for the model; None where it is no single one."""
    body = {"content": sign, "add_special": False, "parse_special": True}
    found = asked(address, "/tokenize", body)
    tokens = found.get("tokens") if isinstance(found, dict) else None
    if isinstance(tokens, list) and len(tokens) == 1 and isinstance(tokens[0], int):
        return tokens[0]
    return None
