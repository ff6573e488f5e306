"""The endpoint's answers in each dialect: the request reaches the writer, and a failure is one answer."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from fim_lsp.endpoint import part as parts
from fim_lsp.endpoint import preparing
from fim_lsp.endpoint.about import ollama_model
from fim_lsp.endpoint.dialects import DIALECTS, AnswerText, EndpointRequest, read_infill, read_ollama
from fim_lsp.endpoint.gate import Gate
from fim_lsp.endpoint.held_writer import GrammarHeldWriter
from fim_lsp.endpoint.part import part_of
from fim_lsp.endpoint.writers import FoundPart
from tests.endpoint.served_gate import LEFT, RIGHT, TOKEN, Upstream, post, raw
from tests.models import tiny_model

BODY = {"prompt": LEFT, "suffix": RIGHT}


class Writing:
    """A writer with a given text."""

    name = "one"

    def __init__(self, write: Callable[[EndpointRequest], list[AnswerText]]) -> None:
        self._write = write
        self.is_prepared = threading.Event()

    def texts(
        self,
        path: str,  # noqa: ARG002
        asked: EndpointRequest,
        part: FoundPart,  # noqa: ARG002
        is_wanted: Callable[[], bool],  # noqa: ARG002
    ) -> list[AnswerText]:
        return self._write(asked)

    def about_model(self, path: str, body: Mapping[str, Any]) -> object:  # noqa: ARG002
        return ollama_model()

    def prepare(self, is_wanted: Callable[[], bool]) -> None:
        assert is_wanted()
        self.is_prepared.set()

    def prepare_next(self) -> None:
        pass

    def close(self) -> None:
        pass


@contextmanager
def served(write: Callable[[EndpointRequest], list[AnswerText]]) -> Iterator[Gate]:
    with Gate(Writing(write), token=TOKEN) as gate:
        thread = threading.Thread(target=gate.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield gate
        gate.shutdown()
        thread.join()


def chunks(content: bytes) -> Sequence[dict[str, object]]:
    lines = [line[6:] for line in content.decode().split("\n\n") if line]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def test_how_many_tokens_a_stream_had_is_told_where_it_is_wanted() -> None:
    with served(lambda _: [AnswerText("3 * r)", 4)]) as gate:
        asked = BODY | {"stream": True, "stream_options": {"include_usage": True}}
        *others, last = chunks(post(gate, "/v1/completions", asked)[1])
        assert last["choices"] == []
        assert last["usage"] == {"prompt_tokens": 0, "completion_tokens": 4, "total_tokens": 4}
        assert all(other["choices"] for other in others)
        assert all(
            one["choices"] for one in chunks(post(gate, "/v1/completions", BODY | {"stream": True})[1])
        )


@pytest.mark.parametrize(
    ("wanted", "is_told"), [({}, False), ({"logprobs": None}, False), ({"logprobs": 0}, True)]
)
def test_log_probabilities_are_wanted_or_not(wanted: dict[str, object], is_told: bool) -> None:
    heard: list[bool] = []

    def listen(asked: EndpointRequest) -> list[AnswerText]:
        heard.append(asked.wants_logprobs)
        return []

    with served(listen) as gate:
        assert post(gate, "/v1/completions", BODY | wanted)[0] == 200
    assert heard == [is_told]


def test_an_unforeseen_failure_is_one_answer() -> None:
    def fails(_: EndpointRequest) -> list[AnswerText]:
        raise LookupError("secret text of a file")

    with served(fails) as gate:
        for path in ("/infill", "/v1/completions", "/api/generate"):
            status, content = post(gate, path, BODY)
            assert status == 500
            assert b"the request could not be answered" in content
            assert b"secret" not in content


def test_a_request_that_cannot_be_read_for_no_known_reason_is_one_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(_: Mapping[str, object]) -> EndpointRequest:
        raise ValueError("secret text of a file")

    monkeypatch.setitem(DIALECTS, "/infill", replace(DIALECTS["/infill"], read=fails))
    with served(lambda _: []) as gate:
        status, content = post(gate, "/infill", BODY)
    assert status == 500
    assert b"the request could not be answered" in content
    assert b"secret" not in content


def test_what_a_first_request_would_wait_for_is_ready_before_it_comes() -> None:
    with served(lambda _: []) as gate:
        gate.prepare()
        assert isinstance(gate.writer, Writing)
        assert gate.writer.is_prepared.wait(60)
    assert "fim-lsp-prepares" not in {thread.name for thread in threading.enumerate()}


def test_the_exit_waits_for_no_more_than_one_language(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    is_loading, may_go_on = threading.Event(), threading.Event()

    def load(name: str, version: str | None) -> None:  # noqa: ARG001
        loaded.append(name)
        is_loading.set()
        assert may_go_on.wait(20)

    monkeypatch.setattr(parts, "Language", SimpleNamespace(load=load))
    preparation = preparing.Preparation(Writing(lambda _: []))
    preparation.start()
    assert is_loading.wait(20)
    ending = threading.Thread(target=preparation.end)
    ending.start()
    while preparation.is_wanted():
        pass
    may_go_on.set()
    ending.join()
    assert len(loaded) == 1


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/api/chat", "/v1/messages"])
def test_chat_is_told_to_go_elsewhere(path: str) -> None:
    with served(lambda _: []) as gate:
        status, content = post(gate, path, {"messages": []})
    assert status == 404
    assert b"this endpoint only completes code; use another server for chat" in content


def test_what_is_in_the_head_of_an_answer_is_told_alone() -> None:
    with served(lambda _: []) as gate:
        for path, status in (("/health", 200), ("/infill", 405), ("/nothing", 404)):
            connection = http.client.HTTPConnection("127.0.0.1", gate.server_port, timeout=20)
            connection.request("HEAD", path, headers={"Authorization": f"Bearer {TOKEN}"})
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (status, b"")
            connection.close()
        request = (
            f"HEAD /health HTTP/1.1\r\nHost: 127.0.0.1:{gate.server_port}\r\nAuthorization: Bearer {TOKEN}"
        )
        assert raw(gate, request.encode() + b"\r\n\r\n").endswith(b"\r\n\r\n")


def test_an_empty_prompt_of_ollama_loads_its_model_and_wants_no_text() -> None:
    assert not read_ollama({"model": "a"}).is_wanted
    assert read_ollama({"model": "a", "prompt": "x = "}).is_wanted
    assert read_ollama({"model": "a", "suffix": "\n"}).is_wanted


def test_a_prompt_is_not_said_again() -> None:
    with served(lambda _: [AnswerText("1")]) as gate:
        assert post(gate, "/v1/completions", BODY | {"echo": True})[0] == 400
        assert post(gate, "/v1/completions", BODY | {"echo": False})[0] == 200


def test_clients_of_ollama_read_a_sentence() -> None:
    with served(lambda _: []) as gate:
        status, content = post(gate, "/api/nothing", {})
        assert (status, json.loads(content)) == (404, {"error": "there is nothing at this path"})
        status, content = post(gate, "/v1/chat", {})
        assert json.loads(content)["error"] == {
            "message": "there is nothing at this path",
            "type": "not_found_error",
            "code": 404,
        }


@pytest.mark.parametrize(
    ("told", "reasons"),
    [
        (AnswerText("r"), ("eos", "", "stop")),
        (AnswerText("r", ending="limit"), ("limit", "", "length")),
        (AnswerText("r", ending="word", stop="\n"), ("word", "\n", "stop")),
    ],
)
@pytest.mark.parametrize("is_stream", [False, True])
def test_an_answer_says_why_its_text_ends(
    told: AnswerText, reasons: tuple[str, str, str], is_stream: bool
) -> None:
    body = BODY | {"input_prefix": LEFT, "input_suffix": RIGHT, "stream": is_stream}
    with served(lambda _: [told]) as gate:
        found = post(gate, "/infill", body | {"prompt": ""})[1].decode().rsplit("data: ", 1)[-1]
        llama = json.loads(found)
        content = post(gate, "/v1/completions", body)[1]
        openai: Any = (chunks(content)[-1] if is_stream else json.loads(content))["choices"]
        ollama = json.loads(post(gate, "/api/generate", body)[1].decode().strip().split("\n")[-1])
    assert (llama["stop_type"], llama["stopping_word"], ollama["done_reason"]) == reasons
    assert openai[0]["finish_reason"] == reasons[2]


def test_a_seed_is_a_number_or_any() -> None:
    heard: list[int] = []

    def listen(asked: EndpointRequest) -> list[AnswerText]:
        heard.append(asked.seed)
        return []

    with served(listen) as gate:
        assert [post(gate, "/infill", BODY | {"seed": seed})[0] for seed in (7, None, -1, -1)] == [200] * 4
        assert post(gate, "/api/generate", BODY | {"options": {"seed": 9}})[0] == 200
        assert [post(gate, "/infill", BODY | {"seed": seed})[0] for seed in ("7", 1.5, True)] == [400] * 3
    assert heard[:2] == [7, 0]
    assert heard[2] != heard[3]
    assert heard[4] == 9


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/infill", {"stop_type": "limit"}),
        ("/infill", {"stopped_limit": True}),
        ("/v1/completions", {"finish_reason": "length"}),
        ("/api/generate", {"done_reason": "length"}),
    ],
)
@pytest.mark.parametrize("n", [1, 2])
def test_the_server_behind_says_that_a_text_was_too_long(
    gate: Gate, path: str, said: dict[str, object], n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Upstream, "why", said)
    body = BODY | {"input_prefix": LEFT, "input_suffix": RIGHT, "stream": False, "n": n}
    content = post(gate, path, body if path != "/infill" else body | {"prompt": ""})[1].decode()
    assert '"length"' in content or '"stop_type":"limit"' in content


def test_a_model_of_ours_says_that_its_text_was_too_long() -> None:
    writer = GrammarHeldWriter(tiny_model(), None)
    part = part_of(LEFT, RIGHT, None)
    assert part is not None
    body = {"input_prefix": LEFT, "input_suffix": RIGHT, "n_predict": 2}
    told = writer.texts("/infill", read_infill(body), lambda: part, lambda: True)
    writer.close()
    assert [one.ending for one in told] == ["limit"]
