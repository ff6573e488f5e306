"""Servers of models for tests: they speak as llama-server, `/v1/completions`, Ollama and vLLM with our plugin
do, over real sockets.

Behind each server is a model of this process, so texts over the wire can be compared with its texts here. A
server can also misbehave on demand.
"""

from __future__ import annotations

import json
import math
import re
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fim_lsp.decoding.models.model import Model
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.logits import logsumexp, ranked_tokens
from fim_lsp.runtimes.served.wire import TOKENS_PATH
from fim_lsp.vllm_plugin.filling import FillingState, OrderedVocabulary
from quotient import NoCompletion
from quotient.logits import allowed_tokens

# The answer of a misbehaving server to a request. It gets the handler, and answers in its own way.
Misbehaviour = Callable[["Handler"], None]


@dataclass
class ServedModel:
    """A model behind a socket, and its recorded requests."""

    model: Model
    kind: str = "llama-server"
    name: str = "santacoder"
    key: str = ""
    has_logprobs: bool = True
    # Misbehaviours by path, which replace the answer.
    misbehaviours: dict[str, Misbehaviour] = field(default_factory=dict)
    asked: list[tuple[str, Any]] = field(default_factory=list)
    n_written: int = 0
    # The seconds before each answer, as with a distant server.
    delay: float = 0.0

    def row(self, tokens: Sequence[int]) -> dict[int, float]:
        """Log probabilities, the likeliest first."""
        row = self.model.runtime.cache().read(tokens, 1)[0]
        total = logsumexp(row)
        return {token: float(row[token]) - total for token in ranked_tokens(row, len(row))}

    def text(self, token: int) -> bytes:
        return self.model.token_bytes[token]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: ServedModel

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Prints nothing in tests."""

    def do_GET(self) -> None:
        self.answer(None)

    def do_POST(self) -> None:
        self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, body: Any) -> None:
        served = self.served
        served.asked.append((self.path, body))
        if served.delay:
            threading.Event().wait(served.delay)
        if served.key and self.headers.get("Authorization") != f"Bearer {served.key}":
            self.send_json({"error": {"message": "no key"}}, 401)
        elif self.path in served.misbehaviours:
            served.misbehaviours[self.path](self)
        elif found := ROUTES.get((served.kind, self.path)):
            try:
                found(self, body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
        else:
            self.send_json({"error": "not found"}, 404)

    def send_json(self, content: Any, status: int = 200) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def send_lines(self, lines: Iterator[bytes]) -> None:
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for line in lines:
            self.wfile.write(line + b"\n")
            self.wfile.flush()


def props(handler: Handler, _body: Any) -> None:
    model = handler.served.model
    handler.send_json(
        {
            "default_generation_settings": {"n_ctx": model.n_positions},
            "total_slots": 2,
            "model_alias": handler.served.name,
        }
    )


def llama_models(handler: Handler, _body: Any) -> None:
    n_tokens = len(handler.served.model.vocabulary)
    handler.send_json({"data": [{"id": handler.served.name, "meta": {"n_vocab": n_tokens}}]})


def tokenize(handler: Handler, body: Any) -> None:
    model = handler.served.model
    signs = {model.fim_format.prefix: model.prefix, model.fim_format.suffix: model.suffix}
    signs |= {str(model.fim_format.middle): int(model.middle or 0), "<|endoftext|>": min(model.ends)}
    if body["parse_special"] and body["content"] in signs:
        handler.send_json({"tokens": [signs[body["content"]]]})
    else:
        handler.send_json({"tokens": model.encode(body["content"])})


def completion(handler: Handler, body: Any) -> None:
    places = llama_places(handler.served, body)
    if not body.get("stream"):
        handler.send_json({"completion_probabilities": list(places)})
        return
    handler.send_lines(
        b"data: " + json.dumps({"completion_probabilities": [place], "stop": False}).encode()
        for place in places
    )


def llama_places(served: ServedModel, body: Any) -> Iterator[dict[str, Any]]:
    tokens = list(body["prompt"])
    for _ in range(body["n_predict"]):
        row = served.row(tokens)
        told: list[dict[str, Any]] = [
            {"id": token, "bytes": list(served.text(token)), "logprob": logprob}
            for token, logprob in row.items()
        ]
        chosen = next(place for place in told if may_come(served, body, place["id"], len(tokens)))
        # The reported probabilities are the network's, without any constraint.
        yield chosen | {"top_logprobs": told[: body.get("n_probs", 0)]}
        served.n_written += 1
        tokens.append(chosen["id"])
        if tokens[-1] in served.model.ends:
            return


def may_come(served: ServedModel, body: Any, token: int, n_tokens: int) -> bool:
    """Whether a token agrees with a bias and with one of our grammars: both concern the first token, or
    none."""
    if any(token == banned for banned, _ in body.get("logit_bias", ())):
        return False
    grammar = body.get("grammar", "")
    if not grammar or n_tokens > len(body["prompt"]):
        return True
    if ids := re.findall(r"<\[(\d+)\]>", grammar):
        return str(token) in ids
    pending = "".join(chr(int(code, 16)) for code in re.findall(r"\\U([0-9A-F]{8})", grammar)).encode()
    text = served.text(token)
    return bool(text) and (text.startswith(pending) or pending.startswith(text))


def models(handler: Handler, _body: Any) -> None:
    handler.send_json({"data": [{"id": handler.served.name}]})


def version(handler: Handler, _body: Any) -> None:
    handler.send_json({"version": "0.17.4"})


def tags(handler: Handler, _body: Any) -> None:
    handler.send_json({"models": [{"name": f"{handler.served.name}:latest"}]})


def show(handler: Handler, body: Any) -> None:
    assert body["model"] == f"{handler.served.name}:latest"
    told = {"general.architecture": "qwen3", "qwen3.context_length": handler.served.model.n_positions}
    handler.send_json({"model_info": told})


def completions(handler: Handler, body: Any) -> None:
    served = handler.served
    if body.get("logprobs") and not served.has_logprobs:
        handler.send_json({"error": {"message": "logprobs are not supported"}}, 400)
        return
    events = ({"choices": [choice]} for choice in text_choices(served, body["prompt"], body["max_tokens"]))
    if not body.get("stream"):
        handler.send_json(next(events))
        return
    lines = (b"data: " + json.dumps(event).encode() for event in events)
    handler.send_lines(line for part in (lines, [b"data: [DONE]"]) for line in part)


def text_choices(served: ServedModel, prompt: str, n_tokens: int) -> Iterator[dict[str, Any]]:
    for text, likely in written(served, prompt, n_tokens):
        logprobs = {
            "tokens": [text],
            "token_logprobs": [next(iter(likely.values()))],
            "top_logprobs": [likely],
        }
        yield {
            "text": text,
            "logprobs": logprobs if served.has_logprobs else None,
            "finish_reason": None if text else "stop",
        }


def generate(handler: Handler, body: Any) -> None:
    served = handler.served

    def answers() -> Iterator[bytes]:
        options = body["options"]
        penalty = options.get("repeat_penalty", 1.1)
        for text, likely in written(served, body["prompt"], options["num_predict"], penalty):
            told = [
                {"token": one, "bytes": list(one.encode()), "logprob": worth} for one, worth in likely.items()
            ]
            worth = likely.get(text, min(likely.values()))
            place = {"token": text, "bytes": list(text.encode()), "logprob": worth, "top_logprobs": told}
            answer = {"response": text, "done": not text}
            yield json.dumps(
                answer | ({"logprobs": [place]} if served.has_logprobs and text else {})
            ).encode()

    handler.send_lines(answers())


def written(
    served: ServedModel, prompt: str, n_tokens: int, penalty: float = 1.0
) -> Iterator[tuple[str, dict[str, float]]]:
    """Pieces of a text and the likely tokens at their places; an end has no text.

    As in Ollama, recent tokens are penalized when they are chosen, but reported without the penalty.
    """
    tokens = from_text(served.model, prompt)
    for _ in range(n_tokens):
        row = served.row(tokens)
        lately = set(tokens[-64:])
        best = max(row, key=lambda token: row[token] * (penalty if token in lately else 1.0))
        tokens.append(best)
        served.n_written += 1
        likely = {
            served.text(token).decode(errors="replace"): logprob
            for token, logprob in list(row.items())[:5]
            if served.text(token)
        }
        if best in served.model.ends or not served.text(best):
            yield "", likely
            return
        yield served.text(best).decode(errors="replace"), likely


def from_text(model: Model, prompt: str) -> list[int]:
    """The tokens of a prompt, in which special tokens are recognized."""
    known = model.fim_format
    assert known.middle is not None
    assert model.middle is not None
    before, middle, begun = prompt.partition(known.middle)
    if not middle:
        return model.encode(prompt)
    prefix, _, suffix = before.removeprefix(known.prefix).partition(known.suffix)
    return [
        model.prefix,
        *model.encode(prefix),
        model.suffix,
        *model.encode(suffix),
        model.middle,
        *model.encode(begun),
    ]


def vllm_models(handler: Handler, _body: Any) -> None:
    served = handler.served
    handler.send_json({"data": [{"id": served.name, "max_model_len": served.model.n_positions}]})


def vllm_tokens(handler: Handler, _body: Any) -> None:
    model = handler.served.model
    known = model.fim_format
    names = {model.prefix: known.prefix, model.suffix: known.suffix, model.middle: known.middle}
    told = {
        "tokens": [b64encode(text).decode() for text in model.token_bytes],
        "ends": sorted(model.ends),
        "begin": list(model.begin),
        "signs": {str(name): token for token, name in names.items() if token is not None},
        "likeliest": 50,
    }
    handler.send_json(told)


def vllm_encode(handler: Handler, body: Any) -> None:
    handler.send_json({"tokens": handler.served.model.encode(body["text"])})


def vllm_completions(handler: Handler, body: Any) -> None:
    """vLLM with our plugin: only tokens that fit are written and reported."""
    served = handler.served
    spec = (body.get("structured_outputs") or {}).get("grammar", "")
    try:
        filling = (
            FillingState.between(HoleContexts.of_spec(spec), OrderedVocabulary(served.model.vocabulary))
            if spec
            else None
        )
    except (ValueError, NoCompletion) as error:
        if body.get("stream"):
            # It has begun its answer when it compiles the grammar.
            handler.send_lines(iter([b"data: " + json.dumps({"error": {"message": str(error)}}).encode()]))
        else:
            handler.send_json({"error": {"message": str(error)}}, 500)
        return
    if not body.get("stream"):
        handler.send_json({"choices": [{"text": ""}]})
        return
    events = ({"choices": [choice]} for choice in vllm_choices(served, body, filling))
    lines = (b"data: " + json.dumps(event).encode() for event in events)
    handler.send_lines(line for part in (lines, [b"data: [DONE]"]) for line in part)


def vllm_choices(served: ServedModel, body: Any, filling: FillingState | None) -> Iterator[dict[str, Any]]:
    tokens = list(body["prompt"])
    for _ in range(body["max_tokens"]):
        row = served.row(tokens)
        mask = None if filling is None else allowed_tokens(filling.mask(), len(row))
        if mask is not None:
            row = masked(row, mask)
        best = next(iter(row))
        if filling is not None:
            filling.read([best])
        tokens.append(best)
        served.n_written += 1
        told = {f"token_id:{token}": row[token] for token in list(row)[: body["logprobs"]]}
        logprobs = {
            "tokens": [f"token_id:{best}"],
            "token_logprobs": [row[best]],
            "top_logprobs": [told | {f"token_id:{best}": row[best]}],
        }
        is_end = best in served.model.ends
        yield {"text": "", "logprobs": logprobs, "finish_reason": "stop" if is_end else None}
        if is_end:
            return


def masked(row: dict[int, float], mask: Any) -> dict[int, float]:
    """The allowed tokens, the likeliest first, with their shares of the probability."""
    kept = {token: worth for token, worth in row.items() if mask[token]}
    whole = math.log(sum(map(math.exp, kept.values())))
    return {token: worth - whole for token, worth in kept.items()}


ROUTES: dict[tuple[str, str], Callable[[Handler, Any], None]] = {
    ("llama-server", "/props"): props,
    ("llama-server", "/v1/models"): llama_models,
    ("llama-server", "/tokenize"): tokenize,
    ("llama-server", "/completion"): completion,
    ("completions", "/v1/models"): models,
    ("completions", "/v1/completions"): completions,
    ("vllm", "/v1/models"): vllm_models,
    ("vllm", TOKENS_PATH): vllm_tokens,
    ("vllm", f"{TOKENS_PATH}/encode"): vllm_encode,
    ("vllm", "/v1/completions"): vllm_completions,
    ("ollama", "/api/version"): version,
    ("ollama", "/api/tags"): tags,
    ("ollama", "/api/show"): show,
    ("ollama", "/api/generate"): generate,
}


@contextmanager
def serving(served: ServedModel) -> Iterator[str]:
    """A server on this machine, and its address."""
    handler = type("Bound", (Handler,), {"served": served})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
