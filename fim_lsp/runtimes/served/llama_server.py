"""llama.cpp's own server. It exchanges tokens, so nothing is lost in a conversion to text.

Its vocabulary comes from one request for the probabilities of all tokens, each of which has its bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.draft import Drafted
from fim_lsp.runtimes.served.runtime import Wish
from fim_lsp.runtimes.served.stream import Stream
from fim_lsp.runtimes.served.wire import NONSENSE, ServerError, StreamedLines, request_json, requested_tokens

# The tokens of a draft: a completion's usual length, with rewritten tokens and some room. A refused draft is
# closed, so a long one costs nothing.
N_DRAFTED = 80
# The number of candidates at each place, as many as decoding tries first: one that fits is nearly always
# among them.
N_LIKELIEST = 50
# The number requested if none of those fits; after that all. For a small vocabulary all at once.
N_MORE = 500
SMALL = 10_000
# To how many tokens the first one can be limited. 2,000 take 60 ms more than none.
N_FIRST = 1000


@dataclass(frozen=True)
class LlamaServer:
    """A llama-server. `texts` are the bytes of its tokens, empty for special ones."""

    address: Address
    n_positions: int
    texts: list[bytes]
    # A token that is never written.
    sign: int
    # The number of texts in its cache.
    n_slots: int = 1
    is_text_alone = False
    n_first: int = 0

    @property
    def name(self) -> str:
        return f"llama-server at {self.address}"

    @property
    def n_tokens(self) -> int:
        return len(self.texts)

    def begin_draft(self, wish: Wish) -> Stream[Drafted]:
        room = max(1, min(N_DRAFTED, self.n_positions - len(wish.prompt)))
        body = self._body(wish, room, N_LIKELIEST)
        written = b"".join(self.texts[token] for token in wish.prompt[wish.hole.n_prompt :])
        pending = wish.hole.pending[len(written) :]
        if wish.first:
            body |= begun_with_one_of({token: self.texts[token] for token in wish.first}, pending)
        else:
            body |= beginning_grammar(pending)
        if wish.unwanted:
            body["logit_bias"] = [[token, False] for token in sorted(wish.unwanted.difference(wish.first))]
        return Stream(self.address, StreamedLines(self.address, "/completion", body), places)

    def has_more(self, level: int) -> bool:
        return level < len(self._levels)

    def more(self, wish: Wish, level: int) -> Stream[Drafted]:
        body = self._body(wish, 1, self._levels[level])
        return Stream(self.address, StreamedLines(self.address, "/completion", body), places)

    @property
    def _levels(self) -> list[int]:
        return [N_MORE, self.n_tokens] if self.n_tokens > SMALL else [self.n_tokens]

    def encode(self, text: str) -> list[int]:
        """The tokens of a text; special tokens in it are read letter by letter."""
        if not text:
            return []
        body = {"content": text, "add_special": False, "parse_special": False}
        return requested_tokens(self.address, "/tokenize", body, self.n_tokens)

    def _body(self, wish: Wish, n_tokens: int, n_likeliest: int) -> dict[str, object]:
        return {
            "prompt": wish.prompt,
            # Otherwise the server would take any free slot, and read the whole prompt again if the last one
            # is busy.
            "id_slot": wish.lane % self.n_slots,
            "n_predict": n_tokens,
            "n_probs": n_likeliest,
            "temperature": 0,
            "cache_prompt": True,
            "return_tokens": True,
            "stream": True,
        }


def beginning_grammar(pending: bytes) -> dict[str, object]:
    """A grammar of llama.cpp that makes a draft begin with a text, in any tokens.

    The server's probabilities remain those of the network, without the grammar.
    """
    begun = literal(pending)
    return {"grammar": f"root ::= {begun} [^\\x00]*"} if begun else {}


def begun_with_one_of(tokens: Mapping[int, bytes], pending: bytes = b"") -> dict[str, object]:
    """A grammar that begins with one of some tokens, followed by the rest of a pending text."""
    begun = (f"<[{token}]> {literal(pending[len(text) :])}".strip() for token, text in tokens.items())
    return {"grammar": f"root ::= ({' | '.join(begun)}) [^\\x00]*"}


def literal(text: bytes) -> str:
    """A text as a literal of llama.cpp's grammars; empty for no text, and for half a character, whose other
    half may be in any token."""
    try:
        characters = text.decode()
    except UnicodeDecodeError:
        return ""
    escaped = "".join(f"\\U{ord(character):08X}" for character in characters)
    return f'"{escaped}"' if escaped else ""


def places(answer: Any) -> Iterator[Drafted]:
    """The places of an event, each with its likely tokens."""
    for place in answer.get("completion_probabilities", ()):
        likeliest = [(int(likely["id"]), float(likely["logprob"])) for likely in place["top_logprobs"]]
        token = int(place["id"])
        # With a user's bias, the written token may not be among the likely ones.
        if all(known != token for known, _ in likeliest):
            likeliest.append((token, float(place["logprob"])))
        yield Drafted(token, likeliest)


def vocabulary(address: Address, n_tokens: int) -> list[bytes]:
    """The bytes of all tokens."""
    body = {"prompt": [0], "n_predict": 1, "n_probs": n_tokens, "temperature": 0}
    answer = request_json(address, "/completion", body)
    texts: list[bytes | None] = [None] * n_tokens
    try:
        for likely in answer["completion_probabilities"][0]["top_logprobs"]:
            texts[likely["id"]] = bytes(likely["bytes"])
    except NONSENSE as error:
        raise ServerError(f"{address} does not tell its vocabulary") from error
    known = [text for text in texts if text is not None]
    if len(known) < n_tokens:
        raise ServerError(f"{address} tells {len(known)} of its {n_tokens} tokens")
    return known


def special(address: Address, sign: str, n_tokens: int) -> int | None:
    """The token of a special sign; None if it is not a single token."""
    body = {"content": sign, "add_special": False, "parse_special": True}
    found = request_json(address, "/tokenize", body)
    tokens = found.get("tokens") if isinstance(found, dict) else None
    match tokens:
        case [int() as token] if 0 <= token < n_tokens:
            return token
    return None
