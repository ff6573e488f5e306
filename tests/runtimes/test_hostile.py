"""Servers that are slow, unreachable or hostile: each costs one offer, and nothing else."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import product

import pytest

from fim_lsp.decoding.models.model import ModelError, load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served import finding, wire
from fim_lsp.server.worker.attempt import Attempt, Proposals
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.with_model import WithModel
from quotient import Language
from tests.footings import footing_between
from tests.models import tiny_model
from tests.runtimes.served_holes import HOLES, PATHS, SHORT, served, texts
from tests.served_models import Handler, Misbehaviour, ServedModel, serving


def refuse(handler: Handler) -> None:
    handler.send_json({"error": {"message": "out of memory"}}, 500)


def die(handler: Handler) -> None:
    handler.send_lines(iter([begin(handler) + b'{"completion_probabilities": [']))


def lie(handler: Handler) -> None:
    """Tokens that do not exist, and for clients of text, texts of the wrong type."""
    place = {
        "id": 10**9,
        "logprob": -0.1,
        "top_logprobs": [{"id": -5, "logprob": -0.1}, {"id": 10**12, "logprob": 0}],
    }
    wrong = {"tokens": ["token_id:900000"], "token_logprobs": [-0.1], "top_logprobs": [{"token_id:-5": -0.1}]}
    choice = {"text": 5, "logprobs": wrong}
    answer = {"completion_probabilities": [place], "choices": [choice], "logprobs": [{"token": 5}]}
    if handler.served.kind == "completions":
        answer = {"choices": [choice | {"logprobs": {"content": [{"bytes": [999]}]}}]}
    handler.send_lines(iter([begin(handler) + json.dumps(answer).encode()]))


def babble(handler: Handler) -> None:
    handler.send_lines(iter([b"<html>", begin(handler) + b"[1, 2", begin(handler) + b"null"]))


def flood(handler: Handler) -> None:
    def lines() -> Iterator[bytes]:
        yield begin(handler) + b"9" * (wire.MOST_BYTES_OF_A_LINE + 10)

    with suppress(BrokenPipeError, ConnectionResetError):
        handler.send_lines(lines())


def send_elsewhere(handler: Handler) -> None:
    handler.send_response(302)
    handler.send_header("Location", "http://127.0.0.1:1/")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def begin(handler: Handler) -> bytes:
    """The beginning of a line of an answer."""
    return b"" if handler.served.kind == "ollama" else b"data: "


@pytest.mark.parametrize("kind", list(PATHS))
@pytest.mark.parametrize("misbehaviour", [refuse, die, lie, babble, flood, send_elsewhere])
def test_a_server_that_misbehaves_costs_an_offer(kind: str, misbehaviour: Misbehaviour) -> None:
    left, right = HOLES[0]
    with served(kind) as (server, model):
        session = DecodingSession(model)
        server.misbehaviours[PATHS[kind]] = misbehaviour
        recognizer = Language.load("python", version="3.11").recognizer(left, right)
        contexts = HoleContexts(left, right, version="3.11")
        with pytest.raises(Unavailable) as fault:
            session.complete(CompletionRequest(left, right, recognizer, SHORT, contexts=contexts))
        assert model.name in str(fault.value)
        assert len(str(fault.value)) < 300
        # Nothing else happens: the next request is answered.
        server.misbehaviours.clear()
        assert session.complete(CompletionRequest(left, right, recognizer, SHORT, contexts=contexts))


@pytest.mark.parametrize("kind", list(PATHS))
def test_a_server_that_is_gone_says_so_in_a_sentence(kind: str) -> None:
    left, right = HOLES[0]
    with served(kind) as (_, model):
        session = DecodingSession(model)
    recognizer = Language.load("python", version="3.11").recognizer(left, right)
    with pytest.raises(Unavailable, match="cannot be reached"):
        session.complete(CompletionRequest(left, right, recognizer, SHORT))


@pytest.mark.parametrize("kind", list(PATHS))
@pytest.mark.parametrize("is_cancelled", [True, False])
def test_a_slow_server_is_not_waited_for(kind: str, is_cancelled: bool) -> None:
    left, right = HOLES[0]
    release = threading.Event()

    def be_slow(_: Handler) -> None:
        release.wait(10)

    with served(kind) as (server, model):
        server.misbehaviours[PATHS[kind]] = be_slow
        start = time.perf_counter()
        options = Options(max_tokens=12, budget_s=None if is_cancelled else 0.2)
        found = texts(
            model,
            left,
            right,
            options,
            is_cancelled=lambda: time.perf_counter() - start > 0.2 and is_cancelled,
        )
        assert time.perf_counter() - start < 5
        assert all(not text for text in found) or not is_cancelled
        release.set()


def test_the_language_server_offers_what_a_server_writes_and_says_when_it_is_gone() -> None:
    completer_options = Wishes(
        n=1, max_tokens=12, max_lines=20, multi_line=False, scope="", in_comments=False, indentation=None
    )
    left, right = HOLES[0]
    with served() as (server, model):
        completer = WithModel(model.name, model, max_sessions=2)

        def written() -> Proposals:
            footing = footing_between(left, right)
            request = OfferRequest(footing.site, completer_options, time.perf_counter() + 20.0)
            return completer.propose_texts(Attempt(footing, request))

        assert written().candidates
        server.misbehaviours["/completion"] = refuse
        assert written() == Proposals(reason="unreachable")


def test_a_server_that_is_busy_for_a_moment_is_asked_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "PAUSE", 0.01)
    left, right = HOLES[0]
    n_refused = []

    def be_busy(handler: Handler) -> None:
        n_refused.append(handler.path)
        handler.send_json({"error": {"message": "loading"}}, 503)

    with served() as (server, model):
        written = texts(model, left, right)
        server.misbehaviours["/completion"] = once(server, be_busy)
        assert texts(model, left, right) == written != []
        assert len(n_refused) == 1
        # A server that stays busy is not asked forever.
        server.misbehaviours["/completion"] = be_busy
        with pytest.raises(Unavailable, match="503 loading"):
            texts(model, left, right)
        assert len(n_refused) == 3


def test_a_server_that_hangs_up_at_once_is_asked_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "PAUSE", 0.01)
    left, right = HOLES[0]

    def hang_up(handler: Handler) -> None:
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_RDWR)

    with served() as (server, model):
        written = texts(model, left, right)
        server.misbehaviours["/completion"] = once(server, hang_up)
        assert texts(model, left, right) == written != []


def once(server: ServedModel, misbehave: Misbehaviour) -> Misbehaviour:
    def misbehaving(handler: Handler) -> None:
        del server.misbehaviours[handler.path]
        misbehave(handler)

    return misbehaving


@pytest.mark.parametrize("kind", ["llama-server", "completions", "ollama", "vllm"])
def test_what_a_server_says_went_wrong_in_the_middle_is_passed_on(kind: str) -> None:
    """llama-server reports this when its context is too small for everything that it reads at once."""
    path = PATHS[kind]
    begin = b"" if kind == "ollama" else b"data: "

    def give_up(handler: Handler) -> None:
        handler.send_lines(
            iter([begin + b'{"error": {"code": 500, "message": "Context size has been exceeded."}}'])
        )

    with served(kind) as (server, model):
        server.misbehaviours[path] = give_up
        with pytest.raises(Unavailable, match="gave up on a text: Context size has been exceeded"):
            texts(model, *HOLES[0])


@pytest.mark.parametrize("kind", list(PATHS))
def test_a_stream_without_an_end_is_closed_when_enough_is_known(kind: str) -> None:
    left, right = HOLES[0]
    is_gone = threading.Event()
    text = tiny_model().token_bytes[300].decode()
    ids = {"tokens": ["token_id:300"], "token_logprobs": [-0.1], "top_logprobs": [{"token_id:300": -0.1}]}
    answers = {
        "llama-server": {"completion_probabilities": [{"id": 300, "logprob": -0.1, "top_logprobs": []}]},
        "completions": {"choices": [{"text": text}]},
        "ollama": {"response": text},
        "vllm": {"choices": [{"text": text, "logprobs": ids}]},
    }

    def go_on(handler: Handler) -> None:
        line = begin(handler) + json.dumps(answers[kind]).encode()
        try:
            handler.send_lines(iter(lambda: line, b""))
        except (BrokenPipeError, ConnectionResetError):
            is_gone.set()

    with served(kind) as (server, model):
        server.misbehaviours[PATHS[kind]] = once(server, go_on)
        texts(model, left, right, Options(max_tokens=4, budget_s=20.0))
        assert is_gone.wait(120)


def test_a_stream_that_says_nothing_and_goes_on_is_waited_for_no_longer_than_the_budget() -> None:
    left, right = HOLES[0]
    release = threading.Event()

    def keep_alive(handler: Handler) -> None:
        def lines() -> Iterator[bytes]:
            while not release.wait(0.01):
                yield b": still here"

        with suppress(BrokenPipeError, ConnectionResetError):
            handler.send_lines(lines())

    with served() as (server, model):
        server.misbehaviours["/completion"] = keep_alive
        texts(model, left, right, Options(max_tokens=4, budget_s=0.2))
        # The call returned although the server never ended its answer.
        assert not release.is_set()
        release.set()


# Numbers that JSON can express and no machine can represent.
NO_NUMBERS = ("NaN", "Infinity", "-Infinity", "1e400", "1" + "0" * 400)
# The streamed lines for one token, with a place for a number.
STREAMED = [
    ("llama-server", '{"completion_probabilities": [{"id": 300, "logprob": %s, "top_logprobs": []}]}'),
    ("llama-server", '{"completion_probabilities": [{"id": %s, "logprob": 0, "top_logprobs": []}]}'),
    ("llama-server", '{"completion_probabilities": [{"id": 5, "top_logprobs": [{"id": %s, "logprob": 0}]}]}'),
    ("llama-server", '{"completion_probabilities": [{"id": 5, "top_logprobs": [{"id": 5, "logprob": %s}]}]}'),
    ("completions", '{"choices": [{"text": "a", "logprobs": {"content": [{"bytes": [%s], "logprob": 0}]}}]}'),
    ("completions", '{"choices": [{"text": "a", "logprobs": {"tokens": ["a"], "token_logprobs": [%s]}}]}'),
    ("ollama", '{"response": "a", "logprobs": [{"token": "a", "bytes": [%s], "logprob": 0}]}'),
    ("ollama", '{"response": "a", "logprobs": [{"token": "a", "logprob": %s}]}'),
    ("vllm", '{"choices": [{"logprobs": {"tokens": ["5"], "token_logprobs": [%s], "top_logprobs": [{}]}}]}'),
]


@pytest.mark.parametrize("kind", list(PATHS))
def test_numbers_that_no_machine_has_cost_an_offer(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such numbers do not kill the thread that reads the answer either."""
    died: list[object] = []
    monkeypatch.setattr(threading, "excepthook", died.append)
    left, right = HOLES[0]
    with served(kind) as (server, model):
        answers = [answer for one, answer in STREAMED if one == kind]
        for number, answer in product(NO_NUMBERS, answers):
            line = (answer % number).encode()
            server.misbehaviours[PATHS[kind]] = partial(send, line=line)
            with suppress(Unavailable):
                for text in texts(model, left, right, Options(max_tokens=4, budget_s=20.0)):
                    compile(left + text + right, "", "exec")
            assert not died, line


def send(handler: Handler, line: bytes) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):
        handler.send_lines(iter([begin(handler) + line] * 4))


@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"])
@pytest.mark.parametrize("drop", [b"x", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_an_answer_that_comes_drop_by_drop_is_broken_off(
    begun: bytes, drop: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such an answer is never silent and never complete, so loading the model would never end."""
    monkeypatch.setattr(finding, "MOST_SECONDS", 0.3)
    is_gone = threading.Event()

    def drip(handler: Handler) -> None:
        handler.close_connection = True
        try:
            handler.wfile.write(begun)
            while True:
                handler.wfile.write(drop)
                is_gone.wait(0.01)
        except (BrokenPipeError, ConnectionResetError):
            is_gone.set()

    server = ServedModel(tiny_model())
    server.misbehaviours["/props"] = drip
    with serving(server) as address, pytest.raises(ModelError, match="no answer in time"):
        load_model(address)
    assert is_gone.wait(120)


def test_a_server_that_drips_is_known_for_one_before_anybody_waits_long() -> None:
    """Such a server once delayed a change of the model for two minutes."""
    assert finding.MOST_SECONDS <= 10 < wire.MOST_SECONDS


@pytest.mark.parametrize("ping", [b": still here", b"", b"data: {}", b"data: x"[:4]])
def test_who_only_says_that_it_is_there_is_not_waited_for_without_end(
    ping: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the command line, no time budget ends the request."""
    monkeypatch.setattr(wire, "SECONDS", 0.5)
    is_gone = threading.Event()

    def keep_alive(handler: Handler) -> None:
        def lines() -> Iterator[bytes]:
            while not is_gone.wait(0.01):
                yield ping

        try:
            handler.send_lines(lines())
        except (BrokenPipeError, ConnectionResetError):
            is_gone.set()

    with served() as (server, model):
        server.misbehaviours["/completion"] = keep_alive
        with pytest.raises(Unavailable):
            texts(model, *HOLES[0], Options(max_tokens=4))
        assert is_gone.wait(120)
