"""The dialects of the endpoint: the APIs of llama-server, OpenAI and Ollama.

A dialect parses a request into an `EndpointRequest`, and writes texts as clients of that API expect them, at
once or as a stream.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fim_lsp.endpoint.hole import AskedHole, SentFile, hole_between, hole_of_prompt

# llama-server's and OpenAI's names of errors, beside the general ones of requests and of the server.
FAULT_KINDS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    503: "unavailable_error",
}
# Larger numbers are cut to these.
MOST_TEXTS, MOST_TOKENS, MOST_STOPS, MOST_FILES = 8, 1024, 16, 64
# llama-server applies the time limit only behind the first line, so a client may set a few milliseconds.
FEWEST_SECONDS, MOST_SECONDS = 1.0, 10.0


class Refused(Exception):
    """A request that cannot be answered; the message is for the client."""


@dataclass(frozen=True, slots=True)
class EndpointRequest:
    """A parsed request for texts."""

    hole: AskedHole
    body: Mapping[str, Any]
    n: int = 1
    max_tokens: int = 64
    stops: tuple[str, ...] = ()
    is_stream: bool = False
    temperature: float | None = None
    # Whether a text is wanted; otherwise the prompt is only to be read.
    is_wanted: bool = True
    wants_logprobs: bool = False
    # Whether a stream ends with its number of tokens.
    wants_usage: bool = False
    # How long our own model may read and write; None if the client sets no limit.
    seconds: float | None = None
    # Where several texts are drawn, an equal seed draws equal ones.
    seed: int = 0


Ending = Literal["eos", "limit", "word"]
"""Why a text ends: the model ended it, it is as long as it may be, or a text came that ends it. Named as
llama-server names it."""
FINISH_REASONS: dict[Ending, str] = {"eos": "stop", "limit": "length", "word": "stop"}


@dataclass(frozen=True, slots=True)
class AnswerText:
    """A text of an answer, with the log-probabilities of its tokens if they are known."""

    text: str
    n_tokens: int = 0
    logprobs: Sequence[tuple[str, float]] | None = None
    ending: Ending = "eos"
    # The text that has ended it, of which nothing is kept.
    stop: str = ""

    @property
    def finish_reason(self) -> str:
        return FINISH_REASONS[self.ending]


@dataclass(frozen=True, slots=True)
class ApiDialect:
    """How requests of one API are parsed and answered."""

    read: Callable[[Mapping[str, Any]], EndpointRequest]
    whole: Callable[[str, Sequence[AnswerText]], object]
    # The lines of a stream.
    stream: Callable[[str, Sequence[AnswerText], EndpointRequest], Iterator[bytes]]
    content_type: str = "text/event-stream"
    is_many: bool = False


def text_of(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name, "")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Refused(f"{name} is not a text")
    return value


def number_of(body: Mapping[str, Any], name: str, default: int, most: int) -> int:
    value = body.get(name, default)
    if value is None or value == -1:
        return default
    # Clients in languages without integers send 64.0.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Refused(f"{name} is not a valid number")
    return min(max(value, 1), most)


def tokens_of(body: Mapping[str, Any], name: str) -> int:
    """The most tokens of a text. -2, which fills llama-server's context, means the default here."""
    return 64 if body.get(name) == -2 else number_of(body, name, 64, MOST_TOKENS)


def temperature_of(body: Mapping[str, Any]) -> float | None:
    value = body.get("temperature")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 10:
        raise Refused("temperature is not a number from 0 to 10")
    return float(value)


def stops_of(body: Mapping[str, Any]) -> tuple[str, ...]:
    value = body.get("stop")
    found = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(found, list) or not all(isinstance(stop, str) for stop in found):
        raise Refused("stop is not a list of texts")
    return tuple(stop for stop in found if stop)[:MOST_STOPS]


def seed_of(body: Mapping[str, Any]) -> int:
    """The seed of what is drawn; -1 is any, as llama-server has it."""
    value = body.get("seed")
    if isinstance(value, bool) or not isinstance(value, int | None):
        raise Refused("seed is no whole number")
    return 0 if value is None else secrets.randbits(32) if value < 0 else value


def is_true(body: Mapping[str, Any], name: str, default: bool) -> bool:
    value = body.get(name, default)
    return default if value is None else value is True


def prompt_of(body: Mapping[str, Any]) -> str:
    value = body.get("prompt", "")
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str):
        raise Refused("prompt is not a text: tokens and several prompts are not supported")
    return value


def others_of(body: Mapping[str, Any]) -> tuple[SentFile, ...]:
    """The last files of those that are sent along."""
    value = body.get("input_extra")
    found = [] if value is None else value
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise Refused("input_extra is not a list of objects")
    files = (SentFile(text_of(one, "filename"), text_of(one, "text")) for one in found[-MOST_FILES:])
    return tuple(one for one in files if one.text.strip())


def seconds_of(body: Mapping[str, Any]) -> float | None:
    """The time limit for reading the prompt and writing together; None without a limit for writing."""
    reading, writing = (body.get(f"t_max_{part}_ms") for part in ("prompt", "predict"))
    if not isinstance(writing, int | float) or writing <= 0:
        return None
    reading = reading if isinstance(reading, int | float) else 0
    return min(max((reading + writing) / 1000, FEWEST_SECONDS), MOST_SECONDS)


def read_infill(body: Mapping[str, Any]) -> EndpointRequest:
    left, right = text_of(body, "input_prefix") + prompt_of(body), text_of(body, "input_suffix")
    return read_llama(body, hole_between(left, right, others_of(body)))


def read_completion(body: Mapping[str, Any]) -> EndpointRequest:
    return read_llama(body, hole_of_prompt(prompt_of(body)))


def read_llama(body: Mapping[str, Any], hole: AskedHole) -> EndpointRequest:
    return EndpointRequest(
        hole,
        body,
        n=number_of(body, "n_cmpl", 1, MOST_TEXTS),
        max_tokens=tokens_of(body, "n_predict"),
        stops=stops_of(body),
        is_stream=is_true(body, "stream", False),
        temperature=temperature_of(body),
        seed=seed_of(body),
        # Plugins have a server read what they will ask about later.
        is_wanted=body.get("n_predict") != 0,
        seconds=seconds_of(body),
    )


def read_openai(body: Mapping[str, Any]) -> EndpointRequest:
    if is_true(body, "echo", False):
        raise Refused("echo is not supported: the answer goes between prompt and suffix")
    options = body.get("stream_options")
    return EndpointRequest(
        with_suffix(body),
        body,
        n=number_of(body, "n", 1, MOST_TEXTS),
        max_tokens=tokens_of(body, "max_tokens"),
        stops=stops_of(body),
        is_stream=is_true(body, "stream", False),
        temperature=temperature_of(body),
        seed=seed_of(body),
        is_wanted=body.get("max_tokens") != 0,
        # 0 asks for the log-probabilities of the written tokens alone.
        wants_logprobs=body.get("logprobs") is not None and body["logprobs"] is not False,
        wants_usage=isinstance(options, dict) and options.get("include_usage") is True,
    )


def read_ollama(body: Mapping[str, Any]) -> EndpointRequest:
    options = body.get("options")
    options = {} if options is None else options
    if not isinstance(options, dict):
        raise Refused("options is not an object")
    return EndpointRequest(
        with_suffix(body),
        body,
        max_tokens=tokens_of(options, "num_predict"),
        stops=stops_of(options),
        # Ollama streams by default.
        is_stream=is_true(body, "stream", True),
        temperature=temperature_of(options),
        seed=seed_of(options),
        # Clients have a server load its model so.
        is_wanted=bool(prompt_of(body) or text_of(body, "suffix")),
    )


def with_suffix(body: Mapping[str, Any]) -> AskedHole:
    """The hole of a prompt, with the right context in the field `suffix` or behind FIM tokens."""
    suffix, prompt = text_of(body, "suffix"), prompt_of(body)
    return hole_between(prompt, suffix) if suffix else hole_of_prompt(prompt)


def whole_llama(model: str, told: Sequence[AnswerText]) -> object:
    """One object, or a list of them for several texts."""
    found = [answer_llama(model, index, one) for index, one in enumerate(told or [AnswerText("")])]
    return found if len(found) > 1 else found[0]


def answer_llama(model: str, index: int, told: AnswerText) -> dict[str, object]:
    return {
        "index": index,
        "content": told.text,
        "model": model,
        "stop": True,
        "stop_type": told.ending,
        "stopping_word": told.stop,
        "tokens_predicted": told.n_tokens,
        "tokens_evaluated": 0,
        "truncated": False,
        "timings": {},
    }


def stream_llama(model: str, told: Sequence[AnswerText], asked: EndpointRequest) -> Iterator[bytes]:  # noqa: ARG001
    for index, one in enumerate(told or [AnswerText("")]):
        if one.text:
            yield event({"index": index, "content": one.text, "stop": False})
        yield event(answer_llama(model, index, one) | {"content": ""})


def openai_answer(model: str) -> dict[str, object]:
    """The members that all parts of an answer share."""
    return {
        "id": f"cmpl-{secrets.token_hex(8)}",
        "object": "text_completion",
        "created": int(time.time()),
        "model": model,
    }


def choice(index: int, one: AnswerText, *, is_last: bool = True) -> dict[str, object]:
    reason = one.finish_reason if is_last else None
    return {"text": one.text, "index": index, "logprobs": logprobs(one), "finish_reason": reason}


def logprobs(one: AnswerText) -> object:
    if one.logprobs is None:
        return None
    offsets, length = [], 0
    for token, _ in one.logprobs:
        offsets.append(length)
        length += len(token)
    return {
        "tokens": [token for token, _ in one.logprobs],
        "token_logprobs": [value for _, value in one.logprobs],
        "top_logprobs": [{token: value} for token, value in one.logprobs],
        "text_offset": offsets,
    }


def whole_openai(model: str, told: Sequence[AnswerText]) -> object:
    found = told or [AnswerText("")]
    choices: list[object] = [choice(index, one) for index, one in enumerate(found)]
    return openai_answer(model) | {"choices": choices, "usage": usage(found)}


def usage(told: Sequence[AnswerText]) -> dict[str, int]:
    n_tokens = sum(one.n_tokens for one in told)
    return {"prompt_tokens": 0, "completion_tokens": n_tokens, "total_tokens": n_tokens}


def stream_openai(model: str, told: Sequence[AnswerText], asked: EndpointRequest) -> Iterator[bytes]:
    found, answer = told or [AnswerText("")], openai_answer(model)
    for index, one in enumerate(found):
        if one.text:
            yield event(answer | {"choices": [choice(index, one, is_last=False)]})
        yield event(answer | {"choices": [choice(index, AnswerText("", ending=one.ending))]})
    if asked.wants_usage:
        yield event(answer | {"choices": [], "usage": usage(found)})
    yield b"data: [DONE]\n\n"


def ollama_part(model: str, text: str, done_reason: str | None) -> dict[str, object]:
    """A part of an answer; with a reason, the last one."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    is_done = done_reason is not None
    part: dict[str, object] = {"model": model, "created_at": now, "response": text, "done": is_done}
    return part | ({"done_reason": done_reason} if is_done else {})


def whole_ollama(model: str, told: Sequence[AnswerText]) -> object:
    one = told[0] if told else AnswerText("")
    return ollama_part(model, one.text, one.finish_reason)


def stream_ollama(model: str, told: Sequence[AnswerText], asked: EndpointRequest) -> Iterator[bytes]:  # noqa: ARG001
    one = told[0] if told else AnswerText("")
    if one.text:
        yield compact(ollama_part(model, one.text, None)) + b"\n"
    yield compact(ollama_part(model, "", one.finish_reason)) + b"\n"


def event(value: object) -> bytes:
    return b"data: " + compact(value) + b"\n\n"


def error(path: str, status: int, message: str) -> object:
    """An error as the path's API words it: Ollama's is only a sentence."""
    if path.startswith("/api/"):
        return {"error": message}
    kind = FAULT_KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": message, "type": kind, "code": status}}


def compact(value: object) -> bytes:
    """JSON as llama-server writes it: llama.vim looks for `"content":"` before it reads an answer at all."""
    return json.dumps(value, separators=(",", ":")).encode()


LLAMA = (whole_llama, stream_llama)
DIALECTS: dict[str, ApiDialect] = {
    "/infill": ApiDialect(read_infill, *LLAMA),
    "/completion": ApiDialect(read_completion, *LLAMA),
    "/completions": ApiDialect(read_completion, *LLAMA),
    "/v1/completions": ApiDialect(read_openai, whole_openai, stream_openai, is_many=True),
    "/api/generate": ApiDialect(
        read_ollama, whole_ollama, stream_ollama, content_type="application/x-ndjson"
    ),
}
