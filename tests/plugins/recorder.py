"""A recorder of a plugin's requests and answers: a server between the plugin and its server.

It relays all bytes unchanged in both directions to the server of the moment, and hangs up on that server when
the plugin hangs up. It keeps each exchange with the time from the request's last byte to the answer's.
"""

from __future__ import annotations

import http.client
import json
import select
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fim_lsp.endpoint.dialects import DIALECTS
from fim_lsp.endpoint.hole import AskedHole
from fim_lsp.runtimes.served.address import address_of

# The seconds between two checks of whether the plugin still waits.
LOOK_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer; `is_whole` says that the plugin waited for all of it."""

    server: str
    place: int
    path: str
    body: Any
    status: int
    content: bytes
    seconds: float
    is_whole: bool
    # Monotonic clock times.
    began: float = 0.0

    @property
    def hole(self) -> AskedHole:
        return DIALECTS[self.path].read(self.body).hole

    @property
    def is_warming(self) -> bool:
        """Whether the request only warms the cache and wants no text."""
        return bool(self.body.get("n_predict") == 0)

    @property
    def texts(self) -> list[str]:
        """The texts of the answer, in any dialect and in any pieces."""
        return [text for text in texts_of(self.content.decode("utf-8", "replace")) if text]


def texts_of(content: str) -> list[str]:
    """The texts of an answer: of one object, a list of objects, or a stream of either."""
    try:
        parts = json.loads(content)
    except ValueError:
        lines = [line.removeprefix("data: ") for line in content.splitlines()]
        parts = [json.loads(line) for line in lines if line.strip().startswith("{")]
        return joined(parts)
    return joined(parts if isinstance(parts, list) else [parts], apart=isinstance(parts, list))


def joined(parts: list[Any], apart: bool = False) -> list[str]:
    """The texts: pieces with the same index are joined, and objects of a list are texts of their own."""
    texts: dict[int, str] = {}
    for number, part in enumerate(parts):
        for choice in part.get("choices") or [part]:
            index = number if apart else choice.get("index", 0)
            text = choice.get("text", choice.get("content", choice.get("response"))) or ""
            texts[index] = texts.get(index, "") + text
    return list(texts.values())


@dataclass(slots=True)
class Recorder:
    """The server of the moment, and all exchanges."""

    servers: dict[str, str]
    behind: str = ""
    place: int = -1
    exchanges: list[Exchange] = field(default_factory=list)
    n_begun: int = 0
    n_done: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Recorder:
        recorder = self

        class Bound(Passing):
            record = recorder

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.server_port}"

    def turn_to(self, server: str, place: int) -> None:
        self.behind, self.place = server, place

    def wait_until_quiet(self, n_before: int, first: float, quiet: float) -> None:
        """Waits until every request is answered, and none has come for the given seconds."""
        end = time.monotonic() + first
        while time.monotonic() < end and self.n_begun == n_before:
            time.sleep(0.01)
        since = time.monotonic()
        while time.monotonic() - since < quiet:
            if self.n_begun != self.n_done:
                since = time.monotonic()
            time.sleep(0.01)


class Passing(BaseHTTPRequestHandler):
    """Relays one request, and its answer back."""

    record: Recorder

    def do_GET(self) -> None:
        self._pass_on("GET", b"")

    def do_POST(self) -> None:
        self._pass_on("POST", self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def _pass_on(self, method: str, body: bytes) -> None:
        record, server, place = self.record, self.record.behind, self.record.place
        is_kept = method == "POST" and self.path in DIALECTS
        if is_kept:
            with record.lock:
                record.n_begun += 1
        start = time.monotonic()
        status, content, is_whole = 0, b"", False
        try:
            status, content, is_whole = self._answer(record.servers[server], method, body)
        finally:
            seconds = time.monotonic() - start
            if is_kept:
                asked = json.loads(body)
                exchange = Exchange(
                    server, place, self.path, asked, status, content, seconds, is_whole, start
                )
                with record.lock:
                    record.exchanges.append(exchange)
                    record.n_done += 1

    def _answer(self, server: str, method: str, body: bytes) -> tuple[int, bytes, bool]:
        address = address_of(server)
        connection = http.client.HTTPConnection(address.host, address.port, timeout=300)
        kept = {
            name: value
            for name, value in self.headers.items()
            if name.lower() in ("content-type", "authorization", "accept")
        }
        parts: list[bytes] = []
        try:
            connection.connect()
            over = threading.Event()
            watch = threading.Thread(target=self._hang_up_with_them, args=(connection.sock, over))
            watch.start()
            try:
                connection.request(method, self.path, body or None, kept)
                answer = connection.getresponse()
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
                self.send_header("Connection", "close")
                self.end_headers()
                while part := answer.read1(1 << 16):
                    parts.append(part)
                    self.wfile.write(part)
                return answer.status, b"".join(parts), True
            finally:
                over.set()
                watch.join()
        except (OSError, http.client.HTTPException):
            return 0, b"".join(parts), False
        finally:
            self.close_connection = True
            connection.close()

    def _hang_up_with_them(self, behind: socket.socket, over: threading.Event) -> None:
        """Lets the server know that the plugin has disconnected."""
        while not over.wait(LOOK_SECONDS):
            with suppress(OSError, ValueError):
                readable, _, _ = select.select([self.connection], [], [], 0)
                if readable and not self.connection.recv(1, socket.MSG_PEEK):
                    behind.shutdown(socket.SHUT_RDWR)
                    return

    def log_message(self, *_: object) -> None:
        pass
