"""Text by `/v1/completions`: LM Studio, vLLM, llama-server behind a proxy, and all others with that path.

It uses probabilities in either of two forms if the server gives them; otherwise only text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.spoken import Piece
from fim_lsp.runtimes.served.stream import Otherwise, Stream
from fim_lsp.runtimes.served.wire import StreamedLines

# The most likely tokens that every server of this kind gives.
N_LIKELIEST = 5


@dataclass(frozen=True)
class Completions:
    """A server with that path. `has_logprobs` is detected once, since some servers refuse to give them."""

    address: Address
    model: str
    has_logprobs: bool
    # Whether its model is constrained to what fits, if it gets the hole's contexts.
    is_held: bool = False

    @property
    def name(self) -> str:
        return f"{self.model} at {self.address}"

    def pieces(
        self, prompt: str, n_tokens: int, contexts: HoleContexts | None
    ) -> Stream[Piece] | Otherwise[Piece]:
        body = self.body(prompt, n_tokens)
        if self.is_held and contexts is not None:
            # If nothing fits by the server's grammar, perhaps of another version, it writes without one.
            held = body | {"structured_outputs": {"grammar": contexts.spec}}
            return Otherwise(lambda: self._stream(held), lambda: self._stream(body))
        return self._stream(body)

    def _stream(self, body: dict[str, object]) -> Stream[Piece]:
        return Stream(self.address, StreamedLines(self.address, "/v1/completions", body), told_pieces)

    def body(self, prompt: str, n_tokens: int) -> dict[str, object]:
        body: dict[str, object] = {
            "model": self.model,
            "prompt": prompt,
            "max_tokens": n_tokens,
            "temperature": 0,
            "stream": True,
        }
        return body | {"logprobs": N_LIKELIEST} if self.has_logprobs else body


def told_pieces(event: Mapping[str, Any]) -> Iterator[Piece]:
    """The pieces in an event."""
    choice = event["choices"][0]
    text = str(choice.get("text") or "")
    pieces = list(with_logprobs(choice.get("logprobs") or {}))
    # Pieces count only if they add up to the text: some servers are one token late.
    if pieces and b"".join(piece.text for piece in pieces) == text.encode():
        yield from (piece for piece in pieces if piece.text)
    elif text:
        yield Piece(text.encode())
    if choice.get("finish_reason") == "stop":
        yield Piece(b"")


def with_logprobs(logprobs: Mapping[str, Any]) -> Iterator[Piece]:
    if isinstance(logprobs.get("content"), list):
        for place in logprobs["content"]:
            likeliest = [(bytes_of(one), float(one["logprob"])) for one in place.get("top_logprobs") or ()]
            yield Piece(bytes_of(place), likeliest or [(bytes_of(place), float(place["logprob"]))])
        return
    tokens, sums = logprobs.get("tokens") or (), logprobs.get("token_logprobs") or ()
    likely = logprobs.get("top_logprobs") or [None] * len(tokens)
    for token, logprob, others in zip(tokens, sums, likely, strict=False):
        found = [(str(text).encode(), float(worth)) for text, worth in (others or {}).items()]
        yield Piece(str(token).encode(), found or [(str(token).encode(), float(logprob))])


def bytes_of(place: Mapping[str, Any]) -> bytes:
    with suppress(TypeError, ValueError):
        if place.get("bytes") is not None:
            return bytes(place["bytes"])
    return str(place["token"]).encode()
