"""Hostile clients get one answer from the endpoint and nothing else, and leave nothing behind."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable

import pytest

from fim_lsp.endpoint import gate as gates
from fim_lsp.endpoint.gate import Gate
from fim_lsp.endpoint.request_reader import MOST_HEADERS
from fim_lsp.runtimes.served.address import Address
from tests.endpoint.fuzz import fuzz
from tests.endpoint.served_gate import LEFT, RIGHT, Upstream, head, post, raw, served_gate


@pytest.mark.parametrize(
    ("status", "line", "changed", "body"),
    [
        (401, b"POST /infill HTTP/1.1", {"Authorization": None}, b"{}"),
        (401, b"POST /infill HTTP/1.1", {"Authorization": b"Bearer " + b"x" * 32}, b"{}"),
        (401, b"POST /infill HTTP/1.1", {"Authorization": b"Bearer \xff"}, b"{}"),
        (401, b"POST /infill HTTP/1.1", {"Authorization": b"Basic " + b"t" * 32}, b"{}"),
        (401, b"GET /health HTTP/1.1", {"Authorization": None, "Content_Length": None}, b""),
        # A web page whose own name resolves to this machine.
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
        wait_until(lambda: not gate.has_room)
        assert raw(gate, b"").startswith(b"HTTP/1.1 503 ")
        # The answer arrives although the request is not read.
        assert raw(gate, b"POST /infill HTTP/1.1\r\n" * 9).startswith(b"HTTP/1.1 503 ")
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
    # Visits come one after the other, so few threads are left to wait for more, and none when it ends.
    assert threading.active_count() - before <= gates.MOST_CONNECTIONS
    gate.shutdown()
    wait_until(lambda: not waiting_threads())


def wait_until(is_reached: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not is_reached():
        assert time.monotonic() < end
        time.sleep(0.01)


def waiting_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "fim-lsp-answers"]


def test_no_token_lets_programs_in_and_pages_not(upstream: Address) -> None:
    with served_gate(upstream, token=None) as server:
        open_to_all = head(server, Authorization=None)
        assert raw(server, open_to_all + b"{}").startswith(b"HTTP/1.1 200 ")
        page = head(server, Authorization=None, Origin=b"https://evil.example")
        assert raw(server, page + b"{}").startswith(b"HTTP/1.1 403 ")
        rebound = head(server, Authorization=None, Host=b"evil.example:80")
        assert raw(server, rebound + b"{}").startswith(b"HTTP/1.1 421 ")


def test_hostile_requests_get_one_answer_and_leave_nothing() -> None:
    statuses, problems = fuzz(400, "sample")
    assert problems == []
    assert {b"200", b"400", b"401", b"403", b"421"} <= set(statuses)


@pytest.mark.parametrize("line", [b"Accept: ", b"Accept: a", b"Accept: application/json"])
@pytest.mark.parametrize("is_in_pieces", [False, True])
def test_a_repeated_header_is_refused_however_it_arrives(gate: Gate, line: bytes, is_in_pieces: bool) -> None:
    request = head(gate)[:-2] + line + b"\r\n" + line.lower() + b"\r\n\r\n{}"
    assert status_of(gate, request, is_in_pieces) == b"400"


@pytest.mark.parametrize("is_in_pieces", [False, True])
def test_a_request_may_have_64_headers_however_it_arrives(gate: Gate, is_in_pieces: bool) -> None:
    before = head(gate)[:-2]
    n_more = MOST_HEADERS - before.count(b"\r\n")
    for n_headers, status in ((n_more, b"200"), (n_more + 1, b"431")):
        lines = b"".join(b"X-%d: a\r\n" % number for number in range(n_headers))
        assert status_of(gate, before + lines + b"\r\n{}", is_in_pieces) == status


def status_of(gate: Gate, request: bytes, is_in_pieces: bool) -> bytes:
    pieces = [request[:40], request[40:-1], request[-1:]] if is_in_pieces else [request]
    with socket.create_connection(("127.0.0.1", gate.server_port), timeout=20) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(0.05)
        return b"".join(iter(lambda: connection.recv(4096), b""))[9:12]
