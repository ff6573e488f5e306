"""`fim-lsp endpoint`: what plugins ask is answered in their words with texts that fit, over real sockets."""

from __future__ import annotations

import http.client
import json
import re
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import pytest

from fim_lsp.endpoint import gate as gates
from fim_lsp.endpoint.gate import Gate
from fim_lsp.endpoint.hole import AskedHole, hole_of_prompt, language_said
from fim_lsp.endpoint.part import part_of
from fim_lsp.endpoint.writers import Forwarded
from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.known_languages import language_named
from fim_lsp.runtimes.served.address import Address
from quotient import Language
from tests import endpoint_fuzz

TOKEN = "t" * 32
LEFT, RIGHT = "def area(r):\n    return (", "\n\nprint(area(2))\n"


class Upstream(BaseHTTPRequestHandler):
    """A server of models that always says the same, and keeps what it was asked."""

    said: ClassVar[str] = "3 * r"
    asked: ClassVar[list[tuple[str, Any]]] = []
    status: ClassVar[int] = 200
    is_slow: ClassVar[bool] = False
    n_pieces: ClassVar[int] = 0

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, body))
        if body.get("stream") and self.status == 200:
            self.stream()
            return
        answer: object = self.answer(self.said)
        if self.path == "/v1/completions":
            answer = {"choices": [{"text": self.said}] * body.get("n", 1)}
        elif body.get("n_cmpl", 1) > 1:
            answer = [self.answer(self.said)] * body["n_cmpl"]
        elif body.get("n_predict") == 0:
            answer = {}
        content = json.dumps(answer).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def answer(self, text: str) -> dict[str, object]:
        if self.path == "/v1/completions":
            return {"choices": [{"text": text, "index": 0}]}
        return {"response" if self.path == "/api/generate" else "content": text}

    def stream(self) -> None:
        """Word by word, until the client is gone; how many went out is kept."""
        self.send_response(200)
        self.end_headers()
        is_ollama = self.path == "/api/generate"
        try:
            for piece in re.findall(r"\S+\s*", self.said):
                line = json.dumps(self.answer(piece)).encode()
                self.wfile.write(line + b"\n" if is_ollama else b"data: " + line + b"\n\n")
                Upstream.n_pieces += 1
                if self.is_slow:
                    # Who has hung up is noticed at the next word.
                    select.select([self.connection], [], [], 5)
            if self.path == "/v1/completions":
                self.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            pass

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def upstream(monkeypatch: pytest.MonkeyPatch) -> Iterator[Address]:
    monkeypatch.setattr(Upstream, "asked", [])
    server = HTTPServer(("127.0.0.1", 0), Upstream)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield Address("http", "127.0.0.1", server.server_port)
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def gate(upstream: Address) -> Iterator[Gate]:
    with Gate(Forwarded(upstream), token=TOKEN) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def post(gate: Gate, path: str, body: object, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", gate.server_port, timeout=20)
    wanted = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"} | headers
    connection.request("POST", path, json.dumps(body), wanted)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def raw(gate: Gate, request: bytes) -> bytes:
    """All that comes back for some bytes, until the connection is closed."""
    with socket.create_connection(("127.0.0.1", gate.server_port), timeout=20) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def parses(text: str) -> bool:
    return Language.load("python").recognizer(text).is_member()


PROMPT = f"<|fim_prefix|>{LEFT}<|fim_suffix|>{RIGHT}<|fim_middle|>"


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
    # llama.vim has a server read other files before it asks for anything.
    body = {"input_prefix": "", "input_suffix": "", "input_extra": [{"text": "x"}], "n_predict": 0}
    status, content = post(gate, "/infill", body)
    assert (status, json.loads(content)["content"]) == (200, "")
    assert Upstream.asked == [("/infill", body | {"stream": False})]


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
    # Ollama streams unless it is told not to.
    _, content = post(gate, "/api/generate", {"prompt": LEFT, "suffix": RIGHT})
    parts = [json.loads(line) for line in content.splitlines()]
    assert "".join(part["response"] for part in parts) == "3 * r)"
    assert [part["done"] for part in parts] == [False, True]


def test_what_cannot_be_kept_and_stops(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Upstream, "said", "] + 1")
    _, content = post(gate, "/v1/completions", {"prompt": LEFT, "suffix": RIGHT})
    assert json.loads(content)["choices"][0]["text"] == ""
    monkeypatch.setattr(Upstream, "said", "3 * r, 4)\n\nprint(5)")
    _, content = post(gate, "/v1/completions", {"prompt": LEFT, "suffix": RIGHT, "stop": ["\n"]})
    assert json.loads(content)["choices"][0]["text"] == "3 * r, 4)"
    _, content = post(gate, "/v1/completions", {"prompt": "x = )", "suffix": "\n", "language": "python"})
    assert json.loads(content)["choices"][0]["text"] == ""


# How Zed's `open_ai_compatible_api` writes a prompt, by `prompt_format`, and what it has a server stop at.
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
    # It refuses an answer that lacks one of these.
    assert isinstance(answer["created"], int)
    assert all(isinstance(answer[name], str) for name in ("id", "object", "model"))
    assert answer["usage"].keys() == {"prompt_tokens", "completion_tokens", "total_tokens"}


def test_health_and_models(gate: Gate) -> None:
    head = f"Host: 127.0.0.1:{gate.server_port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
    assert raw(gate, b"GET /health HTTP/1.1\r\n" + head).endswith(b'{"status":"ok"}')
    assert (
        json.loads(raw(gate, b"GET /v1/models HTTP/1.1\r\n" + head).split(b"\r\n\r\n")[1])["object"] == "list"
    )


def test_a_server_behind_that_fails_is_said(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Upstream, "status", 500)
    status, content = post(gate, "/infill", {"input_prefix": LEFT, "input_suffix": RIGHT})
    assert status == 502
    assert b"refused /infill" in content
    assert b"area" not in content


def head(gate: Gate, line: bytes = b"POST /infill HTTP/1.1", **changed: bytes | None) -> bytes:
    """A request's head; a header that is None is left out."""
    headers: dict[str, bytes | None] = {
        "Host": f"127.0.0.1:{gate.server_port}".encode(),
        "Authorization": f"Bearer {TOKEN}".encode(),
        "Content-Type": b"application/json",
        "Content-Length": b"2",
    }
    headers.update({name.replace("_", "-"): value for name, value in changed.items()})
    kept = [(name.encode(), value) for name, value in headers.items() if value is not None]
    lines = [name + b": " + value for name, value in kept]
    return b"\r\n".join([line, *lines, b"", b""])


@pytest.mark.parametrize(
    ("status", "line", "changed", "body"),
    [
        (401, b"POST /infill HTTP/1.1", {"Authorization": None}, b"{}"),
        (401, b"POST /infill HTTP/1.1", {"Authorization": b"Bearer " + b"x" * 32}, b"{}"),
        (401, b"POST /infill HTTP/1.1", {"Authorization": b"Bearer \xff"}, b"{}"),
        (401, b"POST /infill HTTP/1.1", {"Authorization": b"Basic " + b"t" * 32}, b"{}"),
        (401, b"GET /health HTTP/1.1", {"Authorization": None, "Content_Length": None}, b""),
        # A page that has its own name lead to this machine.
        (421, b"POST /infill HTTP/1.1", {"Host": b"evil.example"}, b"{}"),
        (421, b"POST /infill HTTP/1.1", {"Host": b"127.0.0.1"}, b"{}"),
        (421, b"POST /infill HTTP/1.1", {"Host": None}, b"{}"),
        (403, b"POST /infill HTTP/1.1", {"Origin": b"http://localhost"}, b"{}"),
        (403, b"POST /infill HTTP/1.1", {"Origin": b"null"}, b"{}"),
        (403, b"POST /infill HTTP/1.1", {"Sec_Fetch_Site": b"cross-site"}, b"{}"),
        (405, b"OPTIONS /infill HTTP/1.1", {}, b"{}"),
        (405, b"CONNECT /infill HTTP/1.1", {}, b"{}"),
        (405, b"GET /infill HTTP/1.1", {"Content_Length": None}, b""),
        (404, b"POST /../etc/passwd HTTP/1.1", {}, b"{}"),
        (404, b"GET / HTTP/1.1", {"Content_Length": None}, b""),
        (400, b"POST http://127.0.0.1/infill HTTP/1.1", {}, b"{}"),
        (400, b"POST /infill", {}, b"{}"),
        (400, b"POST /infill HTTP/2.0", {}, b"{}"),
        (400, b"POST  /infill HTTP/1.1", {}, b"{}"),
        (400, b"\x16\x03\x01\x02\x00\x01", {}, b""),
        (414, b"GET /" + b"a" * 5000 + b" HTTP/1.1", {}, b""),
        (415, b"POST /infill HTTP/1.1", {"Content_Type": b"text/plain"}, b"{}"),
        (411, b"POST /infill HTTP/1.1", {"Content_Length": None}, b""),
        (400, b"POST /infill HTTP/1.1", {"Content_Length": b"-1"}, b"{}"),
        (400, b"POST /infill HTTP/1.1", {"Content_Length": b"+2"}, b"{}"),
        (400, b"POST /infill HTTP/1.1", {"Content_Length": b"2, 2"}, b"{}"),
        (413, b"POST /infill HTTP/1.1", {"Content_Length": b"99999999"}, b"{}"),
        (501, b"POST /infill HTTP/1.1", {"Transfer_Encoding": b"chunked"}, b"0\r\n\r\n"),
        (400, b"GET /health HTTP/1.1", {}, b"{}"),
        (400, b"POST /infill HTTP/1.1", {"X": b"a\r\n folded"}, b"{}"),
        (400, b"POST /infill HTTP/1.1", {"X ": b"a"}, b"{}"),
        (400, b"POST /infill HTTP/1.1", {"X": b"a\r\nContent-Length: 2"}, b"{}"),
        (400, b"POST /infill HTTP/1.1", {"X": b"a\nb"}, b"{}"),
        (400, b"POST /infill HTTP/1.1", {"X": b"a\0b"}, b"{}"),
        (431, b"POST /infill HTTP/1.1", {"X": b"a" * 9000}, b"{}"),
        (431, b"POST /infill HTTP/1.1", {f"X{n}": b"a" for n in range(80)}, b"{}"),
        (400, b"POST /infill HTTP/1.1", {}, b"[]"),
        (400, b"POST /infill HTTP/1.1", {}, b"{ "),
        (400, b"POST /infill HTTP/1.1", {"Content_Length": b"100000"}, b"[" * 100_000),
    ],
)
def test_a_client_that_means_harm_gets_one_answer_and_nothing_else(
    gate: Gate, status: int, line: bytes, changed: dict[str, bytes | None], body: bytes
) -> None:
    answer = raw(gate, head(gate, line, **changed) + body)
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:200]
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"Connection: close" in answer
    assert b"Access-Control" not in answer
    assert Upstream.asked == []


@pytest.mark.parametrize(
    "body",
    [
        {"prompt": 1},
        {"prompt": [1, 2]},
        {"prompt": ["a", "b"]},
        {"prompt": "a", "suffix": []},
        {"prompt": "a", "n": -2},
        {"prompt": "a", "n": True},
        {"prompt": "a", "max_tokens": "many"},
        {"prompt": "a", "stop": [1]},
        {"prompt": "a", "temperature": "hot"},
        {"prompt": "a", "temperature": float("nan")},
        {"prompt": "a", "temperature": -1},
    ],
)
def test_fields_that_make_no_sense_are_refused(gate: Gate, body: dict[str, object]) -> None:
    status, content = post(gate, "/v1/completions", body)
    assert status == 400
    assert json.loads(content)["error"]["message"]
    assert Upstream.asked == []


def test_half_characters_in_a_file_bring_no_text(gate: Gate) -> None:
    status, content = post(gate, "/v1/completions", {"prompt": "x = '\ud800", "suffix": "'\n"})
    assert status == 200
    assert json.loads(content)["choices"][0]["text"] == ""


def test_a_second_request_behind_the_first_is_not_read(gate: Gate) -> None:
    request = head(gate) + b"{}"
    answer = raw(gate, request + request)
    assert answer.count(b"HTTP/1.1 200 ") == 1


def test_who_drips_is_told_that_it_is_late(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "SECONDS", 0.2)
    with socket.create_connection(("127.0.0.1", gate.server_port), timeout=20) as connection:
        connection.sendall(b"POST /inf")
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 408 ")


def test_who_comes_too_many_is_sent_away_and_the_others_are_served(
    gate: Gate,
) -> None:
    idle = [socket.create_connection(("127.0.0.1", gate.server_port)) for _ in range(gates.MOST_CONNECTIONS)]
    try:
        assert raw(gate, b"").startswith(b"HTTP/1.1 503 ")
    finally:
        for connection in idle:
            connection.close()
    for _ in range(200):
        status, _ = post(gate, "/infill", {"input_prefix": LEFT, "input_suffix": RIGHT})
        if status == 200:
            return
    raise AssertionError("nobody is served any more")


def test_nothing_is_left_of_visits(gate: Gate) -> None:
    before = threading.active_count()
    for _ in range(30):
        raw(gate, head(gate, b"POST /none HTTP/1.1") + b"{}")
        raw(gate, b"")
    # A visit without a word may be taken up after its visitor has gone.
    end = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < end:
        for thread in threading.enumerate():
            if "process_request_thread" in thread.name:
                thread.join(5)
    assert threading.active_count() <= before


def test_no_token_lets_programs_in_and_pages_not(upstream: Address) -> None:
    with Gate(Forwarded(upstream)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        open_to_all = head(server, Authorization=None)
        assert raw(server, open_to_all + b"{}").startswith(b"HTTP/1.1 200 ")
        page = head(server, Authorization=None, Origin=b"https://evil.example")
        assert raw(server, page + b"{}").startswith(b"HTTP/1.1 403 ")
        rebound = head(server, Authorization=None, Host=b"evil.example:80")
        assert raw(server, rebound + b"{}").startswith(b"HTTP/1.1 421 ")
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("known", FIM_FORMATS, ids=lambda known: known.name)
def test_the_hole_of_each_family_is_found(known: Any) -> None:
    middle = known.middle or ""
    prompts = {
        "prefix-suffix-middle": f"{known.prefix}{LEFT}{known.suffix}{RIGHT}{middle}",
        "suffix-prefix-middle": f"{known.suffix}{RIGHT}{known.prefix}{LEFT}{middle}",
        "suffix-middle-prefix": f"{known.prefix}{known.suffix}{RIGHT}{middle}{LEFT}",
    }
    assert hole_of_prompt(prompts[known.order]) == AskedHole(LEFT, RIGHT)


def test_other_files_in_a_prompt_are_no_part_of_the_hole() -> None:
    prompt = (
        "<|repo_name|>r\n<|file_sep|>other.go\npackage p\n<|file_sep|>area.py\n"
        f"<|fim_prefix|>{LEFT}<|fim_suffix|>{RIGHT}<|fim_middle|>"
    )
    assert hole_of_prompt(prompt) == AskedHole(LEFT, RIGHT, "area.py")
    starcoder2 = f"<file_sep><fim_prefix><file_sep>area.py\n{LEFT}<fim_suffix>{RIGHT}<fim_middle>"
    assert hole_of_prompt(starcoder2) == AskedHole(LEFT, RIGHT, "area.py")
    spelled = f"<PRE> {LEFT} <SUF>{RIGHT} <MID>"
    assert hole_of_prompt(spelled) == AskedHole(LEFT, RIGHT)
    assert hole_of_prompt("x = ") == AskedHole("x = ", "")


@pytest.mark.parametrize(
    ("body", "left", "language"),
    [
        ({"language": "go"}, "", "go"),
        ({"language": "ts"}, "", "typescript"),
        ({"filename": "src/a.tsx"}, "", "typescriptreact"),
        ({}, "# Path: src/a.py\nx = ", "python"),
        ({}, "// a.java\nclass A {", "java"),
        ({"language": "cobol"}, "", None),
        ({}, "", None),
    ],
)
def test_the_language_is_said_by_a_field_or_a_name(
    body: dict[str, object], left: str, language: str | None
) -> None:
    found = language_said(body, hole_of_prompt(left))
    assert (None if found is None else found.name) == language


@pytest.mark.parametrize(
    ("left", "right", "language"),
    [
        ("def f(a):\n    return ", "\n", "python"),
        ("package p\n\nfunc f() {\n\tx := ", "\n}\n", "go"),
        ("class A {\n  int f() {\n    return ", ";\n  }\n}\n", "java"),
        ("const f = (a: number) => ", ";\n", "typescript"),
        ('{"a": ', "}", "json"),
    ],
)
def test_what_parses_says_the_language(left: str, right: str, language: str) -> None:
    found = part_of(left, right, None)
    assert found is not None
    assert found.known_language.name == language


def test_of_a_window_that_parses_in_no_way_a_part_is_held() -> None:
    # Both sides are cut in the middle of blocks.
    left = "    }\n  }\n  void g() {\n    int x = 1;\n    f("
    found = part_of(left, ");\n    if (x) {\n", language_named("java"))
    assert found is not None
    assert found.left.endswith("int x = 1;\n    f(")
    assert found.recognizer().advance("x")
    assert part_of("x = \ud800", "", None) is None


def test_the_bundled_model_writes_what_fits() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "fim_lsp", "endpoint", "--port", "0", "--no-token", "--offline"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.fullmatch(r"http://127\.0\.0\.1:([0-9]+)\n", process.stdout.readline())
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        body = {"prompt": LEFT, "suffix": RIGHT, "max_tokens": 16, "n": 2, "logprobs": 1}
        connection.request("POST", "/v1/completions", json.dumps(body), {"Content-Type": "application/json"})
        choices = json.loads(connection.getresponse().read())["choices"]
        connection.close()
        assert choices[0]["text"]
        assert all(parses(LEFT + choice["text"] + RIGHT) for choice in choices)
    finally:
        process.terminate()
        _, said = process.communicate(timeout=20)
    assert "no token is asked for: every program on this machine, of every user, may ask" in said


def test_hostile_requests_get_one_answer_and_leave_nothing() -> None:
    statuses, problems = endpoint_fuzz.fuzz(400, "sample")
    assert problems == []
    assert {b"200", b"400", b"401", b"403", b"421"} <= set(statuses)


def test_the_command_says_what_it_cannot_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from fim_lsp.cli import main

    assert main(["endpoint", "--port", "70000"]) == 2
    assert main(["endpoint", "--forward", "nowhere"]) == 2
    monkeypatch.setenv("FIM_LSP_ENDPOINT_TOKEN", "short")
    assert main(["endpoint"]) == 2
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("FIM_LSP_ENDPOINT_TOKEN", TOKEN)
        port = taken.getsockname()[1]
        assert main(["endpoint", "--forward", "http://127.0.0.1:1", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert "there is no port 70000" in said
    assert "nowhere is no server's address" in said
    assert "has to be 16 characters" in said
    # Why it cannot be had each system says in its own words.
    assert f"fim-lsp endpoint: port {port}: " in said
