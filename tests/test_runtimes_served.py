"""Models behind servers: what they write fits as with any other, and a server that misbehaves costs an
offer.
"""

from __future__ import annotations

import ast
import json
import socket
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import numpy as np
import pytest

from fim_lsp.decoding.hypothesis import Hypothesis
from fim_lsp.decoding.model import Model, ModelError, load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.session import Session
from fim_lsp.decoding.steering import N_STEERED, Steering
from fim_lsp.fim_formats import format_named_in
from fim_lsp.memory.workspace import Workspace
from fim_lsp.runtimes.contexts import Contexts
from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served import llama_server, wire
from fim_lsp.runtimes.served.address import KEY_VARIABLE, address_of
from fim_lsp.runtimes.served.finding import chosen
from fim_lsp.runtimes.served.runtime import ServedRows
from fim_lsp.server.worker.completers import Task, WithModel
from fim_lsp.server.worker.messages import Wishes
from quotient import Language
from tests.models import tiny_model
from tests.served_models import Handler, Misbehaviour, ServedModel, serving

HOLES = (
    ("def area(width, height):\n    return ", "\n\n\nprint(area(2, 3))\n"),
    ("import os\n\n\ndef names(path):\n    for name in os.", ":\n        yield name\n"),
    ("total = sum((1, 2", "\nprint(total)\n"),
    (
        "class Point:\n    def __init__(self, x, y):\n        self.x = x\n        ",
        "\n\n    def move(self):\n        pass\n",
    ),
    ("values = [", "]\n"),
    ("x = 'a", "'\n"),
)


SHORT = Options(max_tokens=12)


@contextmanager
def served(kind: str = "llama-server", **options: object) -> Iterator[tuple[ServedModel, Model]]:
    server = ServedModel(tiny_model(), kind, **options)  # type: ignore[arg-type]
    with serving(server) as address:
        yield server, load_model(address)


def texts(model: Model, left: str, right: str, options: Options = SHORT, **asked: Any) -> list[str]:
    recognizer = Language.load("python", version="3.11").recognizer(left, right)
    completions = Session(model).complete(left, right, recognizer, options, **asked)
    return [completion.text for completion in completions]


def test_llama_server_writes_what_the_network_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    # A network that never ends is ended where an end is least unlikely: for that all has to be told.
    monkeypatch.setattr(llama_server, "N_LIKELIEST", len(tiny_model().vocabulary))
    with served() as (server, model):
        for left, right in HOLES:
            assert texts(model, left, right) == texts(tiny_model(), left, right)
        assert server.n_written > 12


def test_a_project_is_remembered_without_asking_the_server() -> None:
    line = "result = compute(first, second)"
    lines = "".join(f"value_{number} = compute({number})\n" for number in range(50))
    with served() as (server, model):
        completer = WithModel("served", model, 1)
        memory = completer.memory
        n_asked = len(server.asked)
        memory.workspace = Workspace.of_texts(
            [("file:///b.py", lines + line + "\n")], memory.encode, memory.n_vocabulary
        )
        recall = memory.recall("file:///a.py", f"{lines}result =", "\n", 0)
        drafted = recall.draft([], 8)
        assert len(server.asked) == n_asked
        assert b"".join(model.token_bytes[token] for token in drafted).startswith(b" compute(")


@pytest.mark.parametrize("kind", ["completions", "ollama"])
def test_what_memory_is_sure_of_is_not_asked_for_where_a_server_tells_text_alone(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "result = compute(first_value, second_value)\n"
    left, right = f"def f(first_value, second_value):\n    {line}    again = 1\n    result =", "\n"
    options = Options(max_tokens=24, multi_line=False)

    def written(is_asked: bool) -> tuple[list[str], int]:
        with served(kind, has_logprobs=False) as (server, model):
            memory = WithModel("served", model, 1).memory
            texts_of_project = [("file:///b.py", f"def g():\n    {line}" * 3)]
            memory.workspace = Workspace.of_texts(texts_of_project, memory.encode, memory.n_vocabulary)
            if is_asked:
                monkeypatch.setattr(ServedRows, "is_question", lambda _self, _index: False)
            found = texts(
                model, left, right, options, remembers=partial(memory.recall, "file:///a.py", left, right)
            )
            return found, sum(path == PATHS[kind] for path, _ in server.asked)

    told, n_asked = written(is_asked=False)
    assert told[0].startswith(" compute(first_value, second_value)")
    same, n_asked_for_each = written(is_asked=True)
    assert told == same
    # The random model never agrees: without a draft, each token of the line is a request.
    assert n_asked <= n_asked_for_each - 4


def test_the_likeliest_tokens_are_mostly_enough() -> None:
    with served() as (server, model):
        for left, right in HOLES:
            recognizer = Language.load("python", version="3.11").recognizer(left, right)
            _, there = Session(model).trace(left, right, recognizer, SHORT)
            _, here = Session(tiny_model()).trace(left, right, recognizer, SHORT)
            same = [ours.token == theirs.token for ours, theirs in zip(here, there, strict=False)]
            assert sum(same) >= len(same) // 2, (left, here, there)
        asked = [body for path, body in server.asked if path == "/completion"]
    drafts = [body for body in asked if body.get("stream")]
    assert all(body["n_probs"] <= len(tiny_model().vocabulary) for body in drafts)
    # A slot of the server keeps what it has read: a document stays with its own.
    assert {body["id_slot"] for body in drafts} <= {0, 1}


@pytest.mark.parametrize("kind", ["llama-server", "completions", "ollama", "vllm"])
@pytest.mark.parametrize("has_logprobs", [True, False])
def test_everything_that_is_offered_parses(kind: str, has_logprobs: bool) -> None:
    n_offered = 0
    with served(kind, has_logprobs=has_logprobs) as (_, model):
        for left, right in HOLES:
            for text in texts(model, left, right, Options(max_tokens=16)):
                n_offered += 1
                with warnings.catch_warnings():
                    # `2Jnot in x`: a number that nobody would write, and that Python reads.
                    warnings.simplefilter("ignore", SyntaxWarning)
                    ast.parse(left + text + right)
    assert n_offered


def test_a_draft_is_held_to_all_that_has_to_come_first() -> None:
    """Not to its first token alone: `\\n` is followed by the blanks that stand left of the cursor."""
    tokens = {5: b"\n", 6: b"\n ", 7: b"\n  return"}
    held = llama_server.begun_with_one_of(tokens, b"\n  ")["grammar"]
    assert held == r'root ::= (<[5]> "\U00000020\U00000020" | <[6]> "\U00000020" | <[7]>) [^\x00]*'
    assert llama_server.begun_with("é".encode()[:1]) == {}


@pytest.mark.parametrize(
    ("n_told", "pending", "is_enough"),
    [(N_STEERED, b"", True), (N_STEERED - 1, b"", False), (20, b" ", False)],
)
def test_the_way_out_asks_for_no_more_tokens_than_it_tries(
    n_told: int, pending: bytes, is_enough: bool
) -> None:
    model, options = tiny_model(), Options(max_tokens=4)
    hypothesis = Hypothesis(Language.load("python").recognizer("x = (", "\n"), pending)
    steering = Steering.of(hypothesis, options, model, None)
    row = np.full(len(model.vocabulary), -np.inf, np.float32)
    # What stands for all others, and those that are told.
    row[: 1 + n_told] = -1.0
    assert not steering.has_tried_enough(hypothesis, row)
    steering.is_connecting = True
    assert steering.has_tried_enough(hypothesis, row) == is_enough


def test_a_draft_that_is_refused_is_not_written_on() -> None:
    left, right = HOLES[0]
    with served() as (server, model):
        texts(model, left, right, Options(max_tokens=2))
        time.sleep(0.2)
        n_written = server.n_written
        time.sleep(0.2)
        assert server.n_written == n_written
    n_asked = sum(path == "/completion" for path, _ in server.asked)
    assert n_written < n_asked * llama_server.N_DRAFTED


PATHS = {
    "llama-server": "/completion",
    "completions": "/v1/completions",
    "ollama": "/api/generate",
    "vllm": "/v1/completions",
}


def refuse(handler: Handler) -> None:
    handler.send_json({"error": {"message": "out of memory"}}, 500)


def die(handler: Handler) -> None:
    handler.send_lines(iter([begin(handler) + b'{"completion_probabilities": [']))


def lie(handler: Handler) -> None:
    """Tokens that there are not, and for those who get text, pieces that are none."""
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
    """What a line of an answer begins with."""
    return b"" if handler.served.kind == "ollama" else b"data: "


@pytest.mark.parametrize("kind", list(PATHS))
@pytest.mark.parametrize("misbehaviour", [refuse, die, lie, babble, flood, send_elsewhere])
def test_a_server_that_misbehaves_costs_an_offer(kind: str, misbehaviour: Misbehaviour) -> None:
    left, right = HOLES[0]
    with served(kind) as (server, model):
        session = Session(model)
        server.misbehaviours[PATHS[kind]] = misbehaviour
        recognizer = Language.load("python", version="3.11").recognizer(left, right)
        contexts = Contexts(left, right, version="3.11")
        with pytest.raises(Unavailable) as fault:
            session.complete(left, right, recognizer, SHORT, contexts=contexts)
        assert model.name in str(fault.value)
        assert len(str(fault.value)) < 300
        # And nothing more than that: the next request is answered.
        server.misbehaviours.clear()
        assert session.complete(left, right, recognizer, SHORT, contexts=contexts)


@pytest.mark.parametrize("kind", list(PATHS))
def test_a_server_that_is_gone_says_so_in_a_sentence(kind: str) -> None:
    left, right = HOLES[0]
    with served(kind) as (_, model):
        session = Session(model)
    recognizer = Language.load("python", version="3.11").recognizer(left, right)
    with pytest.raises(Unavailable, match="cannot be reached"):
        session.complete(left, right, recognizer, SHORT)


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
            model, left, right, options, cancelled=lambda: time.perf_counter() - start > 0.2 and is_cancelled
        )
        assert time.perf_counter() - start < 5
        assert all(not text for text in found) or not is_cancelled
        release.set()


def test_a_key_goes_to_the_server_and_is_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "hunter2")
    with served(key="hunter2") as (_, model):
        assert texts(model, *HOLES[0])
        assert "hunter2" not in repr(model.runtime) + model.name
        monkeypatch.setenv(KEY_VARIABLE, "")
        with pytest.raises(ModelError, match="401 no key"):
            load_model(model.name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://localhost:11434/v1/#qwen2.5-coder:1.5b", "http://localhost:11434#qwen2.5-coder:1.5b"),
        ("https://models.example/base/", "https://models.example:443/base"),
        ("http://[::1]:80", "http://[::1]:80"),
    ],
)
def test_addresses(name: str, shown: str) -> None:
    assert str(address_of(name)) == shown
    assert address_of(name).is_local == ("models.example" not in name)


@pytest.mark.parametrize(
    "name", ["http://", "http://user:secret@host", "http://host:99999", "http://host/?a=b"]
)
def test_what_is_no_address_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(ModelError, match="address"):
        load_model(name)


def test_the_model_is_named_where_there_are_several() -> None:
    assert (
        chosen(address_of("http://h#qwen2.5-coder"), ["llama3:8b", "qwen2.5-coder:1.5b"])
        == "qwen2.5-coder:1.5b"
    )
    assert chosen(address_of("http://h"), ["only"]) == "only"
    with pytest.raises(ModelError, match="several models"):
        chosen(address_of("http://h"), ["one", "two"])
    with pytest.raises(ModelError, match="has one, two"):
        chosen(address_of("http://h#three"), ["one", "two"])


def test_a_model_that_cannot_fill_in_is_refused() -> None:
    with serving(ServedModel(tiny_model(), "completions", name="gpt-oss")) as address:
        with pytest.raises(ModelError, match="gpt-oss"):
            load_model(address)
        assert load_model(address, fim={"format": "santacoder"}).name == address


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Qwen2.5-Coder-1.5B-Q8_0.gguf", "qwen"),
        ("qwen2.5-coder:1.5b", "qwen"),
        ("bigcode/starcoder2-3b", "starcoder2"),
        ("starcoder:7b", "starcoder"),
        ("deepseek-coder:1.3b-base", "deepseek"),
        ("llama3:8b", None),
    ],
)
def test_families_by_name(name: str, family: str | None) -> None:
    found = format_named_in(name)
    assert (found and found.name) == family


def test_signs_for_the_model_in_a_file_are_text() -> None:
    left, right = "sign = '<fim-middle>", "'\n"
    with served("completions") as (server, model):
        texts(model, left, right)
        prompts = [body["prompt"] for path, body in server.asked if path == "/v1/completions"]
    assert all(prompt.count("<fim-middle>") == 1 for prompt in prompts[1:])


def test_the_language_server_offers_what_a_server_writes_and_says_when_it_is_gone() -> None:
    completer_options = Wishes(
        n=1, max_tokens=12, max_lines=20, multi_line=False, scope="", in_comments=False, indentation=None
    )
    left, right = HOLES[0]
    with served() as (server, model):
        completer = WithModel(model.name, model, max_sessions=2)

        def written() -> object:
            recognizer = Language.load("python", version="3.11").recognizer(left, right)
            return completer.written(
                Task("file:///a.py", left, right, recognizer, completer_options, 20.0, lambda: False, None)
            )

        assert isinstance(written(), list)
        server.misbehaviours["/completion"] = refuse
        assert written() == "unreachable"


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
        # One that stays so is not asked for ever.
        server.misbehaviours["/completion"] = be_busy
        with pytest.raises(Unavailable, match="503 loading"):
            texts(model, left, right)
        assert len(n_refused) == 3


def once(server: ServedModel, misbehave: Misbehaviour) -> Misbehaviour:
    def misbehaving(handler: Handler) -> None:
        del server.misbehaviours[handler.path]
        misbehave(handler)

    return misbehaving


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


@pytest.mark.parametrize("kind", ["llama-server", "completions", "ollama", "vllm"])
def test_what_a_server_says_went_wrong_in_the_middle_is_passed_on(kind: str) -> None:
    """As llama-server does where the context is too small for all that it reads at once."""
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
        # It came back although nothing has let the server go.
        assert not release.is_set()
        release.set()


def test_a_vocabulary_that_is_not_whole_is_refused() -> None:
    def lie_about_tokens(handler: Handler) -> None:
        handler.send_json(
            {"completion_probabilities": [{"top_logprobs": [{"id": 3, "bytes": [65], "logprob": 0}]}]}
        )

    server = ServedModel(tiny_model())
    server.misbehaviours["/completion"] = lie_about_tokens
    with serving(server) as address, pytest.raises(ModelError, match="tells 1 of its"):
        load_model(address)


@pytest.mark.parametrize(
    "answer",
    [
        {"default_generation_settings": {"n_ctx": "many"}, "total_slots": 1},
        {"default_generation_settings": {}, "total_slots": 1},
        {"default_generation_settings": [], "total_slots": 1},
    ],
)
def test_a_server_that_describes_itself_oddly_is_refused_in_a_sentence(answer: object) -> None:
    server = ServedModel(tiny_model())
    server.misbehaviours["/props"] = lambda handler: handler.send_json(answer)
    with serving(server) as address, pytest.raises(ModelError, match=r"^http://127"):
        load_model(address)
