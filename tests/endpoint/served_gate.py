"""A gate of the endpoint in front of a server of models with fixed answers, and how requests reach it."""

from __future__ import annotations

import http.client
import json
import re
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

from fim_lsp.endpoint.gate import Gate
from fim_lsp.endpoint.writers import Forwarded
from fim_lsp.runtimes.served.address import Address
from quotient import Language

TOKEN = "t" * 32
LEFT, RIGHT = "def area(r):\n    return (", "\n\nprint(area(2))\n"


class Upstream(BaseHTTPRequestHandler):
    """A server of models with fixed answers, which records its requests."""

    said: ClassVar[str] = "3 * r"
    asked: ClassVar[list[tuple[str, Any]]] = []
    status: ClassVar[int] = 200
    is_slow: ClassVar[bool] = False
    n_pieces: ClassVar[int] = 0
    # The end reason in each part of an answer.
    why: ClassVar[dict[str, object]] = {}
    # Set when a client has disconnected while the server read a long prompt for it.
    is_left: ClassVar[threading.Event | None] = None

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, body))
        if self.is_left is not None:
            if select.select([self.connection], [], [], 20)[0]:
                self.is_left.set()
            return
        if body.get("stream") and self.status == 200:
            self.stream()
            return
        answer: object = self.answer(self.said)
        if self.path == "/v1/completions":
            answer = {"choices": [{"text": self.said, **self.why}] * body.get("n", 1)}
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
            return {"choices": [{"text": text, "index": 0, **self.why}]}
        return {"response" if self.path == "/api/generate" else "content": text, **self.why}

    def stream(self) -> None:
        """Streams word by word until the client disconnects, and records how many were sent."""
        self.send_response(200)
        self.end_headers()
        is_ollama = self.path == "/api/generate"
        try:
            for piece in re.findall(r"\S+\s*", self.said):
                line = json.dumps(self.answer(piece)).encode()
                self.wfile.write(line + b"\n" if is_ollama else b"data: " + line + b"\n\n")
                Upstream.n_pieces += 1
                if self.is_slow:
                    # The next word reveals that the client has disconnected.
                    select.select([self.connection], [], [], 0.5)
            if self.path == "/v1/completions":
                self.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            pass

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served_upstream() -> Iterator[Address]:
    Upstream.asked.clear()
    server = HTTPServer(("127.0.0.1", 0), Upstream)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield Address("http", "127.0.0.1", server.server_port)
    server.shutdown()
    server.server_close()
    thread.join()


@contextmanager
def served_gate(upstream: Address, token: str | None = TOKEN) -> Iterator[Gate]:
    with Gate(Forwarded(upstream), token=token) as server:
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
    """The bytes that come back for some bytes, until the connection is closed."""
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


def head(gate: Gate, line: bytes = b"POST /infill HTTP/1.1", **changed: bytes | None) -> bytes:
    """A request's head. A header that is None is left out."""
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
