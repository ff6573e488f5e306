"""The endpoint answers plugins in their own dialects, with texts that fit, over real sockets."""

from __future__ import annotations

import json
import socket
import threading
from typing import Any

import pytest

from fim_lsp.endpoint.gate import Gate
from tests.endpoint.served_gate import LEFT, PROMPT, RIGHT, TOKEN, Upstream, head, parses, post, raw


@pytest.mark.parametrize(
    ("path", "body", "found"),
    [
        (
            "/infill",
            {"input_prefix": "def area(r):\n", "prompt": "    return (", "input_suffix": RIGHT},
            "content",
        ),
        ("/completion", {"prompt": PROMPT}, "content"),
        ("/v1/completions", {"prompt": LEFT, "suffix": RIGHT}, "choices"),
        ("/v1/completions", {"prompt": PROMPT}, "choices"),
        ("/api/generate", {"prompt": LEFT, "suffix": RIGHT, "stream": False}, "response"),
    ],
)
def test_each_dialect_is_answered_with_a_text_that_fits(
    gate: Gate, path: str, body: dict[str, object], found: str
) -> None:
    status, content = post(gate, path, body)
    assert status == 200, content
    answer = json.loads(content)[found]
    text = answer if isinstance(answer, str) else answer[0]["text"]
    assert text == "3 * r)"
    assert parses(LEFT + text + RIGHT)
    [(asked_path, asked)] = Upstream.asked
    assert asked_path == path
    assert asked == body | {"stream": True}, "all that the plugin said goes on to the server"


def test_a_stream_is_closed_where_no_more_of_it_can_be_kept(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Upstream, "said", "3 * ] and " + "so on " * 1000)
    monkeypatch.setattr(Upstream, "is_slow", True)
    monkeypatch.setattr(Upstream, "n_pieces", 0)
    _, content = post(gate, "/infill", {"input_prefix": LEFT, "input_suffix": RIGHT})
    text = json.loads(content)["content"]
    assert text.startswith("3")
    assert parses(LEFT + text + RIGHT)
    assert Upstream.n_pieces < 10


@pytest.mark.parametrize("behind", [b"", b"\r\n", b"POST " * 40_000])
@pytest.mark.parametrize("n", [1, 2])
def test_a_server_that_reads_a_long_prompt_sees_that_the_client_has_gone(
    gate: Gate, monkeypatch: pytest.MonkeyPatch, n: int, behind: bytes
) -> None:
    """The same holds for a client that has sent more than its request."""
    is_left = threading.Event()
    monkeypatch.setattr(Upstream, "is_left", is_left)
    body = json.dumps({"prompt": LEFT, "suffix": RIGHT, "n": n, "stream": True}).encode()
    with socket.create_connection(("127.0.0.1", gate.server_port)) as client:
        client.sendall(head(gate, b"POST /v1/completions HTTP/1.1", Content_Length=b"%d" % len(body)) + body)
        while not Upstream.asked:
            pass
        client.sendall(behind)
    assert is_left.wait(10)


def test_several_texts_are_answered_as_llama_server_does(gate: Gate) -> None:
    body = {"input_prefix": LEFT, "input_suffix": RIGHT, "n_cmpl": 3}
    _, content = post(gate, "/infill", body)
    assert [answer["content"] for answer in json.loads(content)] == ["3 * r)"] * 3
    [(_, asked)] = Upstream.asked
    assert asked == body | {"stream": False}
    _, content = post(gate, "/infill", body | {"stream": True})
    events = [json.loads(line[6:]) for line in content.decode().split("\n\n") if line]
    assert [(event["index"], event["content"]) for event in events if not event["stop"]] == [
        (index, "3 * r)") for index in range(3)
    ]


def test_what_is_only_to_be_read_goes_on_and_brings_no_text(gate: Gate) -> None:
    # llama.vim makes a server read other files before its first request.
    body = {"input_prefix": "", "input_suffix": "", "input_extra": [{"text": "x"}], "n_predict": 0}
    status, content = post(gate, "/infill", body)
    assert (status, json.loads(content)["content"]) == (200, "")
    assert Upstream.asked == [("/infill", body | {"stream": False})]


@pytest.mark.parametrize("others", ["a.py", {"text": "x"}, ["x"], [{"text": 1}], [{"filename": []}]])
def test_files_that_are_none_are_refused(gate: Gate, others: object) -> None:
    body = {"input_prefix": LEFT, "input_suffix": RIGHT, "input_extra": others}
    assert post(gate, "/infill", body)[0] == 400
    assert Upstream.asked == []


def test_llama_vim_finds_the_text_before_it_reads_the_answer(gate: Gate) -> None:
    _, content = post(gate, "/infill", {"input_prefix": LEFT, "input_suffix": RIGHT})
    assert b'"content":"3 * r)"' in content


def test_streams_of_each_kind(gate: Gate) -> None:
    _, content = post(gate, "/infill", {"input_prefix": LEFT, "input_suffix": RIGHT, "stream": True})
    events = [json.loads(line[6:]) for line in content.decode().split("\n\n") if line]
    assert [event["content"] for event in events] == ["3 * r)", ""]
    assert [event["stop"] for event in events] == [False, True]
    _, content = post(gate, "/v1/completions", {"prompt": LEFT, "suffix": RIGHT, "stream": True, "n": 2})
    lines = [line[6:] for line in content.decode().split("\n\n") if line]
    assert lines[-1] == "[DONE]"
    choices = [json.loads(line)["choices"][0] for line in lines[:-1]]
    assert [(choice["index"], choice["text"]) for choice in choices] == [
        (0, "3 * r)"),
        (0, ""),
        (1, "3 * r)"),
        (1, ""),
    ]
    assert choices[1]["finish_reason"] == "stop"
    # Ollama streams unless the request forbids it.
    _, content = post(gate, "/api/generate", {"prompt": LEFT, "suffix": RIGHT})
    parts = [json.loads(line) for line in content.splitlines()]
    assert "".join(part["response"] for part in parts) == "3 * r)"
    assert [part["done"] for part in parts] == [False, True]


@pytest.mark.parametrize("n", [1, 2])
def test_a_chat_models_fence_is_no_template(gate: Gate, monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    monkeypatch.setattr(Upstream, "said", "```js\nreturn 1;\n```")
    body = {"prompt": "function f() {\n  ", "suffix": "\n}\n", "language": "javascript", "n": n}
    status, content = post(gate, "/v1/completions", body)
    assert status == 200
    assert [choice["text"] for choice in json.loads(content)["choices"]] == ["return 1;"] * n


def test_what_cannot_be_kept_and_stops(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Upstream, "said", "] + 1")
    _, content = post(gate, "/v1/completions", {"prompt": LEFT, "suffix": RIGHT})
    assert json.loads(content)["choices"][0]["text"] == ""
    monkeypatch.setattr(Upstream, "said", "3 * r, 4)\n\nprint(5)")
    _, content = post(gate, "/v1/completions", {"prompt": LEFT, "suffix": RIGHT, "stop": ["\n"]})
    assert json.loads(content)["choices"][0]["text"] == "3 * r, 4)"
    _, content = post(gate, "/v1/completions", {"prompt": "x = )", "suffix": "\n", "language": "python"})
    assert json.loads(content)["choices"][0]["text"] == ""


# The prompt formats of Zed's `open_ai_compatible_api` by `prompt_format`, with their stop sequences.
ZED = {
    "code_llama": ("<PRE> {left} <SUF>{right} <MID>", ["<PRE>", "<SUF>", "<MID>"]),
    "star_coder": ("<fim_prefix>{left}<fim_suffix>{right}<fim_middle>", ["<|endoftext|>", "<fim_prefix>"]),
    "deepseek_coder": (
        "<\uff5cfim\u2581begin\uff5c>{left}<\uff5cfim\u2581hole\uff5c>{right}<\uff5cfim\u2581end\uff5c>",
        ["<\uff5cfim\u2581begin\uff5c>"],
    ),
    "qwen": ("<|fim_prefix|>{left}<|fim_suffix|>{right}<|fim_middle|>", ["<|endoftext|>", "<|fim_prefix|>"]),
    "codestral": ("[SUFFIX]{right}[PREFIX]{left}", ["[PREFIX]", "[SUFFIX]"]),
    "glm": ("<|code_prefix|>{left}<|code_suffix|>{right}<|code_middle|>", ["<|code_prefix|>"]),
}


@pytest.mark.parametrize("prompt_format", ZED)
def test_what_zed_asks_is_answered_with_all_that_it_reads(gate: Gate, prompt_format: str) -> None:
    prompt, stops = ZED[prompt_format]
    body = {"model": "m", "prompt": prompt.format(left=LEFT, right=RIGHT), "max_tokens": 64, "stop": stops}
    status, content = post(gate, "/v1/completions", body)
    answer = json.loads(content)
    assert status == 200
    assert answer["choices"][0]["text"] == "3 * r)"
    # The plugin refuses an answer without one of these.
    assert isinstance(answer["created"], int)
    assert all(isinstance(answer[name], str) for name in ("id", "object", "model"))
    assert answer["usage"].keys() == {"prompt_tokens", "completion_tokens", "total_tokens"}


def got(gate: Gate, path: str) -> dict[str, Any]:
    head = f"Host: 127.0.0.1:{gate.server_port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
    answer = raw(gate, b"GET " + path.encode() + b" HTTP/1.1\r\n" + head)
    assert answer.startswith(b"HTTP/1.1 200 ")
    found: dict[str, Any] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return found


def test_health_and_models(gate: Gate) -> None:
    for path in ("/health", "/v1/health"):
        assert got(gate, path) == {"status": "ok"}
    for path in ("/v1/models", "/models"):
        assert got(gate, path)["object"] == "list"
    [model] = got(gate, "/api/tags")["models"]
    assert model["name"] == model["model"] == gate.writer.name


def test_what_ollamas_model_is_like_is_asked_of_the_server_behind(gate: Gate) -> None:
    status, _ = post(gate, "/api/show", {"name": "a"})
    assert status == 200
    assert Upstream.asked == [("/api/show", {"name": "a"})]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/infill", {"input_prefix": LEFT, "input_suffix": RIGHT, "n_predict": -2}),
        ("/infill", {"input_prefix": LEFT, "input_suffix": RIGHT, "n_predict": 16.0}),
        ("/v1/completions", {"prompt": LEFT, "suffix": RIGHT, "max_tokens": 16.0, "n": 1.0}),
        ("/api/generate", {"prompt": LEFT, "suffix": RIGHT, "options": {"num_predict": -2}, "stream": False}),
    ],
)
def test_numbers_as_clients_write_them(gate: Gate, path: str, body: dict[str, object]) -> None:
    # -1 and -2 mean no limit, and some languages send whole numbers as decimals.
    assert post(gate, path, body)[0] == 200


def test_no_token_is_no_text(gate: Gate) -> None:
    status, content = post(gate, "/v1/completions", {"prompt": LEFT, "suffix": RIGHT, "max_tokens": 0})
    assert (status, json.loads(content)["choices"][0]["text"]) == (200, "")


def test_a_stream_has_one_name(gate: Gate) -> None:
    body = {
        "prompt": LEFT,
        "suffix": RIGHT,
        "stream": True,
        "n": 2,
        "stream_options": {"include_usage": True},
    }
    _, content = post(gate, "/v1/completions", body)
    events = [json.loads(line[6:]) for line in content.decode().split("\n\n")[:-2]]
    assert len(events) == 5
    assert len({(event["id"], event["created"]) for event in events}) == 1


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("/infill", {"n_predict": "many"}, "invalid_request_error"),
        ("/v1/chat/completions", {}, "not_found_error"),
    ],
)
def test_faults_have_the_kind_that_clients_look_for(
    gate: Gate, path: str, body: dict[str, object], kind: str
) -> None:
    status, content = post(gate, path, body)
    fault = json.loads(content)["error"]
    assert (fault["code"], fault["type"]) == (status, kind)


def test_a_server_behind_that_fails_is_said(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Upstream, "status", 500)
    status, content = post(gate, "/infill", {"input_prefix": LEFT, "input_suffix": RIGHT})
    assert status == 502
    assert b"refused /infill" in content
    assert b"area" not in content
