"""The endpoint's answers, in whichever words: what was asked for is told, and what fails is one answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from fim_lsp.endpoint.about import ollama_model
from fim_lsp.endpoint.dialects import DIALECTS, AnswerText, EndpointRequest
from fim_lsp.endpoint.gate import Gate
from fim_lsp.endpoint.part import FillablePart
from tests.endpoint.served_gate import LEFT, RIGHT, TOKEN, post

BODY = {"prompt": LEFT, "suffix": RIGHT}


class Writing:
    """Writes what it was told to."""

    name = "one"

    def __init__(self, write: Callable[[EndpointRequest], list[AnswerText]]) -> None:
        self._write = write

    def texts(
        self,
        path: str,  # noqa: ARG002
        asked: EndpointRequest,
        part: FillablePart,  # noqa: ARG002
        is_wanted: Callable[[], bool],  # noqa: ARG002
    ) -> list[AnswerText]:
        return self._write(asked)

    def about_model(self, path: str, body: Mapping[str, Any]) -> object:  # noqa: ARG002
        return ollama_model()

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
            assert b"this could not be answered" in content
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
    assert b"this could not be answered" in content
    assert b"secret" not in content


def test_clients_of_ollama_read_a_sentence() -> None:
    with served(lambda _: []) as gate:
        status, content = post(gate, "/api/chat", {})
        assert (status, json.loads(content)) == (404, {"error": "there is nothing at this path"})
        status, content = post(gate, "/v1/chat", {})
        assert json.loads(content)["error"] == {
            "message": "there is nothing at this path",
            "type": "not_found_error",
            "code": 404,
        }
