"""Ollama, by `/api/generate`: the prompt as it is, without Ollama's template.

Its answers are never broken off. If a client disconnects while a token is sent, Ollama (0.17.4,
`GenerateHandler`) waits for ever to deliver that token, keeps the model's only place, and answers no further
request. A small model was stuck after 18 to 505 broken answers, and never in 1,183 that were read to their
end. So drafts are read whole, one after the other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.completions import N_LIKELIEST, bytes_of
from fim_lsp.runtimes.served.spoken import Piece
from fim_lsp.runtimes.served.stream import Stream
from fim_lsp.runtimes.served.wire import ServerError, StreamedLines, request_json

# The most tokens of our prompts; by default Ollama has a smaller window and would cut the prompt.
N_POSITIONS = 4096
PATH = "/api/generate"
# The tokens of a draft; those behind a refused one are wasted. A shorter draft would end inside more lines,
# and a line that is continued later is split into other tokens.
N_DRAFTED = 40
# The seconds between two checks whether a waiting request is still wanted.
LOOK_SECONDS = 0.01
# The seconds to detect whether it gives probabilities, enough to load a small model.
SECONDS = 20.0


@dataclass(frozen=True)
class Ollama:
    address: Address
    model: str
    n_positions: int
    # The lock of the answer that is being read.
    _turn: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    @property
    def name(self) -> str:
        return f"{self.model} in Ollama at {self.address}"

    def pieces(self, prompt: str, n_tokens: int, contexts: HoleContexts | None) -> Whole:  # noqa: ARG002
        body = self._body(prompt, min(n_tokens, N_DRAFTED))

        def begin() -> Stream[Piece]:
            return Stream(
                self.address, StreamedLines(self.address, PATH, body), told_pieces, has_events=False
            )

        return Whole(self._turn, begin)

    def tells_logprobs(self) -> bool:
        """Whether it gives probabilities; before 0.12.11 it ignores the request for them.

        It does not wait for a model that is still loading, and a model that writes nothing gives none.
        """
        body = self._body("x =", 1) | {"stream": False}
        try:
            answer = request_json(self.address, PATH, body, SECONDS)
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
            "options": {
                "temperature": 0,
                # By default Ollama penalizes repetitions.
                "repeat_penalty": 1.0,
                "presence_penalty": 0.0,
                "frequency_penalty": 0.0,
                "num_predict": n_tokens,
                "num_ctx": self.n_positions,
            },
        }


class Whole:
    """An answer whose request waits for the end of the previous one, and which is read to its end.

    If the caller closes it earlier, the request is not sent. An answer with more than a draft's tokens is
    broken off nevertheless.
    """

    def __init__(self, turn: threading.Lock, begin: Callable[[], Stream[Piece]]) -> None:
        self._turn = turn
        self._begin = begin
        self._is_closed = False
        self._read = self._reading()

    def __iter__(self) -> Whole:
        return self

    def __next__(self) -> Piece:
        return next(self._read)

    def close(self) -> None:
        self._is_closed = True

    def _reading(self) -> Iterator[Piece]:
        while not self._turn.acquire(timeout=LOOK_SECONDS):
            if self._is_closed:
                return
        try:
            if self._is_closed:
                return
            stream = self._begin()
            for number, piece in enumerate(stream):
                # The end counts as a piece, too.
                if number > N_DRAFTED:
                    stream.close()
                    continue
                yield piece
        finally:
            self._turn.release()


def told_pieces(answer: Any) -> Iterator[Piece]:
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
