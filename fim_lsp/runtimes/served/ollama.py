"""Ollama, by `/api/generate`: the prompt as it is, without its own template around it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.completions import N_DRAFTED, N_LIKELIEST, bytes_of
from fim_lsp.runtimes.served.spoken import Piece
from fim_lsp.runtimes.served.wire import SECONDS, Lines, ServerError

# What a prompt of ours needs at most; by default Ollama would keep less and cut the prompt's beginning off.
N_POSITIONS = 4096


@dataclass(frozen=True)
class Ollama:
    address: Address
    model: str

    @property
    def name(self) -> str:
        return f"{self.model} in Ollama at {self.address}"

    def pieces(self, prompt: str) -> Answers:
        body = {
            "model": self.model,
            "prompt": prompt,
            "raw": True,
            "stream": True,
            "logprobs": True,
            "top_logprobs": N_LIKELIEST,
            "options": {"temperature": 0, "num_predict": N_DRAFTED, "num_ctx": N_POSITIONS},
        }
        return Answers(self.address, Lines(self.address, "/api/generate", body, SECONDS))


@dataclass(slots=True)
class Answers:
    """Pieces that come as a line of JSON each."""

    address: Address
    lines: Lines
    _pieces: Iterator[Piece] | None = None

    def __iter__(self) -> Answers:
        return self

    def __next__(self) -> Piece:
        if self._pieces is None:
            self._pieces = self._read()
        return next(self._pieces)

    def close(self) -> None:
        self.lines.close()

    def _read(self) -> Iterator[Piece]:
        for line in self.lines:
            try:
                yield from told(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise ServerError(f"{self.address} does not answer as Ollama does") from error


def told(answer: Any) -> Iterator[Piece]:
    if "error" in answer:
        raise ServerError(" ".join(str(answer["error"]).split())[:200])
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
