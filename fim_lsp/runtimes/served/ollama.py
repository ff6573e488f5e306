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
from fim_lsp.runtimes.served.wire import Lines, ServerError, asked

# What a prompt of ours needs at most; by default Ollama would keep less and cut the prompt's beginning off.
N_POSITIONS = 4096
PATH = "/api/generate"
# How long it may take to say whether it tells probabilities; a small model is loaded in that time.
SECONDS = 20.0


@dataclass(frozen=True)
class Ollama:
    address: Address
    model: str

    @property
    def name(self) -> str:
        return f"{self.model} in Ollama at {self.address}"

    def pieces(self, prompt: str, n_tokens: int, contexts: Contexts | None) -> Stream[Piece]:  # noqa: ARG002
        lines = Lines(self.address, PATH, self._body(prompt, n_tokens))
        return Stream(self.address, lines, told, has_events=False)

    def tells_logprobs(self) -> bool:
        """Whether what it writes comes with probabilities: before 0.12.11 it takes no notice of who asks for
        them.

        A model that is loaded first is not waited for, and one that has nothing to write tells nothing.
        """
        body = self._body("x =", 1) | {"stream": False}
        try:
            answer = asked(self.address, PATH, body, SECONDS)
        except ServerError:
            return True
        has_written = isinstance(answer, dict) and bool(answer.get("response"))
        return not has_written or bool(answer.get("logprobs"))

    def _body(self, prompt: str, n_tokens: int) -> dict[str, object]:
        return {
            "model": self.model,
            "prompt": prompt,
            "raw": True,
            "stream": True,
            "logprobs": True,
            "top_logprobs": N_LIKELIEST,
            "options": {"temperature": 0, "num_predict": n_tokens, "num_ctx": N_POSITIONS},
        }


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
