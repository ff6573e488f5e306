"""Ollama, by `/api/generate`: the prompt as it is, without its own template around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fim_lsp.runtimes.contexts import Contexts
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.completions import N_LIKELIEST, bytes_of
from fim_lsp.runtimes.served.spoken import Piece
from fim_lsp.runtimes.served.stream import Stream
from fim_lsp.runtimes.served.wire import Lines

# What a prompt of ours needs at most; by default Ollama would keep less and cut the prompt's beginning off.
N_POSITIONS = 4096


@dataclass(frozen=True)
class Ollama:
    address: Address
    model: str

    @property
    def name(self) -> str:
        return f"{self.model} in Ollama at {self.address}"

    def pieces(self, prompt: str, n_tokens: int, contexts: Contexts | None) -> Stream[Piece]:  # noqa: ARG002
        body = {
            "model": self.model,
            "prompt": prompt,
            "raw": True,
            "stream": True,
            "logprobs": True,
            "top_logprobs": N_LIKELIEST,
            "options": {"temperature": 0, "num_predict": n_tokens, "num_ctx": N_POSITIONS},
        }
        return Stream(self.address, Lines(self.address, "/api/generate", body), told, has_events=False)


def told(answer: Any) -> Iterator[Piece]:
    places = answer.get("logprobs") or []
    text = str(answer.get("response") or "").encode()
    if places and b"".join(bytes_of(place) for place in places) == text:
        for place in places:
            likeliest = [(bytes_of(one), float(one["logprob"])) for one in place.get("top_logprobs") or ()]
            yield Piece(bytes_of(place), likeliest or [(bytes_of(place), float(place["logprob"]))])
    elif text:
        yield Piece(text)
    if answer.get("done") and answer.get("done_reason", "stop") == "stop":
        yield Piece(b"")
