"""Who writes: a model of ours, held while it writes, or another server, whose texts are made to fit."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from fim_lsp.bundled_models import language_of_model, model_knows
from fim_lsp.decoding.options import Options
from fim_lsp.endpoint.dialects import AnswerText, EndpointRequest
from fim_lsp.endpoint.part import FillablePart
from fim_lsp.fitting.fit import fit_at, place_of
from fim_lsp.fitting.stream import Fitting
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.presentable import is_blank_filling, swallows_rest
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.wire import StreamedLines
from fim_lsp.runtimes.served.wire import request_json as ask

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.texts.completion import Completion
    from fim_lsp.decoding.writing.session import DecodingSession

# Seconds that a model of ours has for one request, all of its texts together.
SECONDS = 10.0
# What a forwarded request for several texts does not say as it came: its answer is wanted whole.
WHOLE = {"stream": False}


class WritingFailed(Exception):
    """Nothing was written; the message says why, without any text of a file."""


class TextWriter(Protocol):
    """Writes texts for a part of a file."""

    @property
    def name(self) -> str: ...

    def texts(
        self, path: str, asked: EndpointRequest, part: FillablePart, is_wanted: Callable[[], bool]
    ) -> list[AnswerText]:
        """Texts that fit, as was asked at a path; none where no request waits for them any more."""


class GrammarHeldWriter:
    """A model that writes nothing but what fits."""

    def __init__(self, model: Model, name: str | None) -> None:
        from fim_lsp.decoding.writing.session import DecodingSession

        self._sessions: dict[KnownLanguage, DecodingSession] = {PYTHON: DecodingSession(model)}
        self._asked_for = name
        self._lock = Lock()
        self.name = model.name

    def _session(self, known_language: KnownLanguage) -> DecodingSession:
        """That of the model that its name stands for in a language."""
        from fim_lsp.decoding.models.model import load_model
        from fim_lsp.decoding.writing.session import DecodingSession

        language = language_of_model(self._asked_for, known_language)
        if language not in self._sessions:
            self._sessions[language] = DecodingSession(load_model(known_language=language))
        return self._sessions[language]

    def texts(
        self,
        path: str,  # noqa: ARG002
        asked: EndpointRequest,
        part: FillablePart,
        is_wanted: Callable[[], bool],
    ) -> list[AnswerText]:
        from fim_lsp.decoding.writing.request import CompletionRequest

        if not asked.is_wanted or not model_knows(self._asked_for, part.known_language):
            return []
        is_drawn = bool(asked.temperature) and asked.n > 1
        options = Options(
            max_tokens=asked.max_tokens,
            budget_s=SECONDS,
            n=asked.n,
            strategy="sample" if is_drawn else "greedy",
            temperature=asked.temperature if is_drawn and asked.temperature else 0.8,
        )
        # A session has one prompt at a time; who has gone meanwhile is not written for.
        with self._lock:
            if not is_wanted():
                return []
            contexts = HoleContexts(part.left, part.right, part.language.name, part.language.version)
            try:
                found = self._session(part.known_language).complete(
                    CompletionRequest(
                        asked.hole.left,
                        asked.hole.right,
                        part.recognizer(),
                        options,
                        is_cancelled=lambda: not is_wanted(),
                        contexts=contexts,
                    )
                )
            except Unavailable as error:
                raise WritingFailed(str(error)) from error
        kept = (
            one
            for one in found
            if not swallows_rest(one.text, part.right, part.known_language) and not is_blank_filling(one.text)
        )
        return [answer_text(completion, asked, part) for completion in kept]


def answer_text(completion: Completion, asked: EndpointRequest, part: FillablePart) -> AnswerText:
    """A completion as it is answered with: cut where the client wants it to stop, and made to fit again."""
    text = made_to_fit(completion.text, asked, part)
    is_known = text == completion.text and all(mark.logprob is not None for mark in completion.marks)
    if not asked.wants_logprobs or not is_known:
        return AnswerText(text, completion.n_tokens)
    content, start, pieces = text.encode("utf-8", "surrogateescape"), 0, []
    for mark in completion.marks:
        piece = content[start : mark.n_bytes].decode("utf-8", "replace")
        # A token that says again what stands left of the cursor brings nothing.
        if piece:
            pieces.append((piece, mark.logprob or 0.0))
        start = mark.n_bytes
    return AnswerText(text, completion.n_tokens, pieces)


class Forwarded:
    """Another server, which is asked in the words that came in; what it writes is made to fit."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self.name = address.model or str(address)

    def texts(
        self, path: str, asked: EndpointRequest, part: FillablePart, is_wanted: Callable[[], bool]
    ) -> list[AnswerText]:
        if not is_wanted():
            return []
        try:
            if asked.n == 1 and asked.is_wanted:
                found = [self._read_along(path, asked, part, is_wanted)]
            else:
                answer = ask(self._address, path, {**asked.body, **WHOLE})
                found = texts_of(answer)[: asked.n] if asked.is_wanted else []
        except Unavailable as error:
            raise WritingFailed(str(error)) from error
        return [AnswerText(made_to_fit(text, asked, part)) for text in found]

    def _read_along(
        self, path: str, asked: EndpointRequest, part: FillablePart, is_wanted: Callable[[], bool]
    ) -> str:
        """A text as it is written, until no more of it can be kept, or no request waits for it any more."""
        fitting = Fitting(part.left, part.right, language=part.language)
        lines = StreamedLines(self._address, path, {**asked.body, "stream": True})
        for line in lines:
            lines.go_on()
            piece = piece_of(line)
            if not is_wanted() or not (piece == "" or fitting.feed(piece)):
                lines.close()
        return fitting.text


def piece_of(line: bytes) -> str:
    """The text that a line of a stream brings, in whichever words."""
    content = line.removeprefix(b"data:").strip()
    if not content.startswith(b"{"):
        return ""
    try:
        found = texts_of(json.loads(content))
    except (ValueError, RecursionError):
        raise WritingFailed("the server behind this one answers with something else than texts") from None
    return found[0] if found else ""


def texts_of(answer: Any) -> list[str]:
    """The texts of a server's answer, in whichever words."""
    # llama-server answers with a list where several texts are asked for.
    parts = answer if isinstance(answer, list) else [answer]
    if len(parts) == 1 and isinstance(parts[0], Mapping) and isinstance(parts[0].get("choices"), list):
        parts = parts[0]["choices"]
    found = [text_of(part) for part in parts]
    if not all(isinstance(text, str) for text in found):
        raise WritingFailed("the server behind this one answers with something else than texts")
    return [text for text in found if isinstance(text, str)]


def text_of(part: Any) -> Any:
    """The text of a part of an answer, under whichever name."""
    if not isinstance(part, Mapping):
        return None
    return next((part[name] for name in ("text", "content", "response") if name in part), None)


def made_to_fit(text: str, asked: EndpointRequest, part: FillablePart) -> str:
    """A text, ended where the client wants it to, that fits; empty where nothing of it does."""
    ends = [text.find(stop) for stop in asked.stops]
    stopped = text[: min((end for end in ends if end >= 0), default=len(text))]
    place = place_of(part.language, part.left, part.right, None)
    return fit_at(part.recognizer(), stopped, place).text or ""
