"""Writers of texts: their protocol, and one that forwards requests to another server and fits its texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from fim_lsp.endpoint.dialects import AnswerText, Ending, EndpointRequest
from fim_lsp.endpoint.part import FillablePart
from fim_lsp.fitting.fit import fit_answer_at
from fim_lsp.fitting.layout import style_around
from fim_lsp.fitting.nearest import FittingContext
from fim_lsp.fitting.stream import Fitting
from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.spare import SpareConnection
from fim_lsp.runtimes.served.wire import StreamedLines
from fim_lsp.runtimes.served.wire import request_json as ask
from quotient import Recognizer

FoundPart = Callable[[], FillablePart | None]
"""Finds the part of the file that can be filled, None if no text fits. The second call costs nothing."""

# A forwarded request for several texts asks for a whole answer, whatever the client asked for.
WHOLE = {"stream": False}
# The reasons in OpenAI's last part with text; before it they are null or empty.
LAST_REASONS = ("stop", "length")


class WritingFailed(Exception):
    """A writer failed; the message says why, without any text of a file."""


class TextWriter(Protocol):
    """Writes texts for a part of a file."""

    @property
    def name(self) -> str: ...

    def texts(
        self, path: str, asked: EndpointRequest, part: FoundPart, is_wanted: Callable[[], bool]
    ) -> list[AnswerText]:
        """Texts that fit, for a request at a path; none if nothing fits, or the client no longer waits."""

    def about_model(self, path: str, body: Mapping[str, Any]) -> object:
        """A description of the model for Ollama's clients. Raises `WritingFailed`."""

    def prepare(self, is_wanted: Callable[[], bool]) -> None:
        """Gets ready for a first request, as long as `is_wanted` holds."""

    def prepare_next(self) -> None:
        """Gets ready for another request, after an answer; at once."""

    def close(self) -> None:
        """Ends the writer: no request follows."""


class Forwarded:
    """A writer that forwards requests to another server as they came, and makes its texts fit."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._spare = SpareConnection(address)
        self.name = address.model or str(address)

    def texts(
        self, path: str, asked: EndpointRequest, part: FoundPart, is_wanted: Callable[[], bool]
    ) -> list[AnswerText]:
        try:
            with suppress(NothingFits):
                if asked.n == 1 and asked.is_wanted:
                    return [self._read_along(path, asked, part, is_wanted)]
                return self._read_whole(path, asked, part, is_wanted)
        except Unavailable as error:
            # A client that hung up meanwhile has ended the request itself.
            if is_wanted():
                raise WritingFailed(str(error)) from error
        return []

    def about_model(self, path: str, body: Mapping[str, Any]) -> object:
        try:
            return ask(self._address, path, body)
        except Unavailable as error:
            raise WritingFailed(str(error)) from error

    def prepare(self, is_wanted: Callable[[], bool]) -> None:
        """Does nothing: the other server gets only requests of plugins."""

    def prepare_next(self) -> None:
        self._spare.open()

    def close(self) -> None:
        """Closes the spare connection: the other server keeps running."""
        self._spare.close()

    def _read_whole(
        self, path: str, asked: EndpointRequest, part: FoundPart, is_wanted: Callable[[], bool]
    ) -> list[AnswerText]:
        body = {**asked.body, **WHOLE}
        if not asked.is_wanted:
            ask(self._address, path, body, is_wanted=is_wanted)
            return []
        found = MadeToFit(asked, part)
        answer = ask(self._address, path, body, is_wanted=is_wanted, meanwhile=found.prepare)
        return [found.made_to_fit(text) for text in texts_told(answer)[: asked.n]]

    def _read_along(
        self, path: str, asked: EndpointRequest, part: FoundPart, is_wanted: Callable[[], bool]
    ) -> AnswerText:
        """A text as it is written, until no more of it can be kept, or no request waits for it any more."""
        found, ending = MadeToFit(asked, part), AnswerText("")
        body = {**asked.body, "stream": True}
        lines = StreamedLines(self._address, path, body, is_wanted, found.prepare, self._spare)
        for line in lines:
            lines.go_on()
            piece, is_last = piece_of(line)
            ending = piece if piece.ending != "eos" else ending
            is_hopeless = piece.text != "" and not found.fitting.feed(piece.text)
            if is_last:
                # The end of the connection would come a little later.
                break
            if is_hopeless or not is_wanted():
                lines.close()
        return found.made_to_fit(replace(ending, text=found.fitting.text))


class NothingFits(Exception):
    """No text fits in the hole of a request."""


class MadeToFit:
    """The texts of another server for one request. `prepare` does all that needs no text yet, while that
    server reads the prompt."""

    def __init__(self, asked: EndpointRequest, part: FoundPart) -> None:
        self._asked = asked
        self._part = part

    def prepare(self) -> None:
        part = self._part()
        if part is None:
            raise NothingFits
        self._recognizer = part.recognizer()
        self._place = part.place
        self.fitting = Fitting.at(self._recognizer, self._place)
        if part.known_language.has_suites:
            # It is kept for texts that do not fit.
            style_around(self._place, part.known_language)

    def made_to_fit(self, told: AnswerText) -> AnswerText:
        return text_made_to_fit(told, self._asked, self._recognizer, self._place)


def piece_of(line: bytes) -> tuple[AnswerText, bool]:
    """The text that a line of a stream brings, in whichever words, and whether no more text follows."""
    content = line.removeprefix(b"data:").strip()
    if not content.startswith(b"{"):
        return AnswerText(""), content == b"[DONE]"
    try:
        part = json.loads(content)
        found = texts_told(part)
    except (ValueError, RecursionError):
        raise WritingFailed("the server behind this one answers with something else than texts") from None
    return (found[0] if found else AnswerText("")), is_last_part(part)


def is_last_part(part: Mapping[str, Any]) -> bool:
    """Whether a part of a stream says that it is the last one with any text."""
    choices = part.get("choices")
    one = choices[0] if isinstance(choices, list) and choices else part
    return part.get("stop") is True or part.get("done") is True or one.get("finish_reason") in LAST_REASONS


def texts_told(answer: Any) -> list[AnswerText]:
    """The texts of a server's answer, in whichever words."""
    # llama-server answers with a list where several texts are asked for.
    parts = answer if isinstance(answer, list) else [answer]
    if len(parts) == 1 and isinstance(parts[0], Mapping) and isinstance(parts[0].get("choices"), list):
        parts = parts[0]["choices"]
    texts = [text_of(part) for part in parts]
    if not all(isinstance(text, str) for text in texts):
        raise WritingFailed("the server behind this one answers with something else than texts")
    return [AnswerText(text, ending=ending_of(part)) for text, part in zip(texts, parts, strict=True)]


def text_of(part: Any) -> Any:
    """The text of a part of an answer, under any of its names."""
    if not isinstance(part, Mapping):
        return None
    return next((part[name] for name in ("text", "content", "response") if name in part), None)


def ending_of(part: Mapping[str, Any]) -> Ending:
    """Why a text ends, by a part of an answer: the last part of a stream says so."""
    reasons = (part.get(name) for name in ("finish_reason", "done_reason", "stop_type"))
    is_limited = any(reason in ("length", "limit") for reason in reasons)
    return "limit" if is_limited or part.get("stopped_limit") is True else "eos"


def text_made_to_fit(
    told: AnswerText, asked: EndpointRequest, recognizer: Recognizer, place: FittingContext
) -> AnswerText:
    """A text, ended where the client wants it to, that fits; empty where nothing of it does."""
    ends = [(end, stop) for stop in asked.stops if (end := told.text.find(stop)) >= 0]
    end, stop = min(ends, default=(len(told.text), ""))
    text = fit_answer_at(recognizer, told.text[:end], place).text or ""
    return replace(told, text=text, ending="word", stop=stop) if stop else replace(told, text=text)
