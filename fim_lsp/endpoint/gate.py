"""The HTTP side of the endpoint, on loopback alone: who may ask, and how much.

Every user of the machine and every page in a browser can reach a port. So a request must have the token, name
this machine as its host, come from no page, and be JSON; nothing is allowed across origins. A connection
carries one request, bounded in time and size, and one answer; then it is closed, so no second request can be
smuggled in.

`request_reader.py` reads the request.
"""

from __future__ import annotations

import hmac
import json
import select
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from http.client import responses
from io import BufferedReader
from socketserver import BaseRequestHandler, TCPServer
from typing import Any

from fim_lsp.endpoint.about import ABOUT, CHAT, NO_CHAT, OLLAMA_MODEL
from fim_lsp.endpoint.dialects import (
    DIALECTS,
    AnswerText,
    ApiDialect,
    EndpointRequest,
    Refused,
    compact,
    error,
)
from fim_lsp.endpoint.hole import language_said
from fim_lsp.endpoint.part import NEWEST, FillablePart, PythonVersions, part_of
from fim_lsp.endpoint.preparing import Preparation
from fim_lsp.endpoint.request_reader import HttpRefusal, RequestReader
from fim_lsp.endpoint.workers import WorkerThreads
from fim_lsp.endpoint.writers import TextWriter, WritingFailed
from fim_lsp.runtimes.served.watched import WatchedReads
from fim_lsp.system.kind import is_windows

HOST = "127.0.0.1"
# The time to receive a whole request, and for the client to take its answer.
SECONDS = 10.0
MOST_CONNECTIONS = 16
# How much of a refused request is read before its connection is closed.
DRAIN_SECONDS, MOST_DRAINED = 0.5, 16 << 20
SECONDS_TOO_MANY = 0.02
# How many pieces of what a client sends behind its request are dropped at a time.
MOST_PIECES = 16


class Gate(TCPServer):
    """The endpoint's server. Port 0 takes any free port; without a token every local program may ask."""

    # A port may be used again soon after an exit. Windows would share it with another program.
    allow_reuse_address = not is_windows()
    # A port that another program uses is never shared.
    allow_reuse_port = False

    def __init__(
        self,
        writer: TextWriter,
        port: int = 0,
        token: str | None = None,
        pythons: PythonVersions = NEWEST,
    ) -> None:
        self.writer = writer
        self.pythons = pythons
        self._token = token
        self._preparation = Preparation(writer, pythons)
        self._room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        # One more than there is room for sends clients away.
        self.workers = WorkerThreads("fim-lsp-answers", self.process_request, MOST_CONNECTIONS + 1)
        self._is_over = threading.Event()
        super().__init__((HOST, port), Visit)
        self.server_port: int = self.server_address[1]
        self.hosts = {f"{name}:{self.server_port}" for name in (HOST, "localhost")}

    def prepare(self) -> None:
        """Loads in the background what a first request would wait for."""
        self._preparation.start()

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        """Answers requests, in other threads, until `shutdown`."""
        self.workers.start(self.socket)
        # Without a limit, Windows would not let the user interrupt it.
        while not self._is_over.wait(poll_interval):
            pass

    def shutdown(self) -> None:
        self._is_over.set()
        self.workers.end()

    def server_close(self) -> None:
        self.shutdown()
        super().server_close()
        self._preparation.end()
        self.writer.close()

    @property
    def has_room(self) -> bool:
        """Whether another connection would be served now."""
        has_room = self._room.acquire(blocking=False)
        if has_room:
            self._room.release()
        return has_room

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_port}"

    def is_known(self, token: str | None) -> bool:
        if self._token is None:
            return True
        given = (token or "").encode("utf-8", "surrogateescape")
        return hmac.compare_digest(given, self._token.encode())

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answers the request of a connection; without room, with 503, which does not read it."""
        if not self._room.acquire(blocking=False):
            with suppress(OSError):
                request.settimeout(SECONDS_TOO_MANY)
                request.sendall(
                    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
                # Closing with unread input would lose the answer, so one piece is read; reading more would
                # keep other clients waiting.
                request.shutdown(socket.SHUT_WR)
                request.recv(1 << 16)
            self.shutdown_request(request)
            return
        has_texts = False
        try:
            has_texts = Visit(request, client_address, self).has_texts
        # What a client does to its connection concerns no other one.
        except Exception:
            self.handle_error(request, client_address)
        finally:
            self.shutdown_request(request)
            # The client, which has its answer now, may soon ask again.
            if has_texts:
                self.writer.prepare_next()
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores a client that went away; none of its data goes to the log."""


class Visit(BaseRequestHandler):
    """One connection: one request, one answer."""

    server: Gate
    # Whether it was about texts, and the answer was sent.
    has_texts = False

    def setup(self) -> None:
        self.connection: socket.socket = self.request
        # An answer does not wait for the client's acknowledgement of what came before.
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # One deadline for the whole request, however slowly it drips.
        deadline = time.monotonic() + SECONDS
        content = BufferedReader(WatchedReads(self.connection, partial(time_until, deadline), SECONDS))
        self.reader = RequestReader(content)

    def handle(self) -> None:
        try:
            content = self._content()
            self.connection.settimeout(SECONDS)
            self._answer(self.reader.method, self.reader.path, content)
        except HttpRefusal as why:
            self._refuse(why.status, str(why))
        except (OSError, ValueError):
            # The client went away.
            pass

    def _content(self) -> bytes:
        """The request's body, after all checks of access."""
        try:
            headers = self.reader.headers()
            self._check(headers)
            return self.reader.body(headers, self.connection.sendall)
        except TimeoutError:
            raise HttpRefusal(408, "the request did not come in time") from None

    def _refuse(self, status: int, message: str) -> None:
        """Answers a request that may not have been read to its end.

        Closing a connection with unread input would lose the answer, so the input is read first.
        """
        with suppress(OSError):
            self.connection.settimeout(SECONDS)
            self._tell(status, error(self.reader.path, status, message))
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(DRAIN_SECONDS)
            n_bytes = 0
            while n_bytes < MOST_DRAINED and (content := self.connection.recv(1 << 16)):
                n_bytes += len(content)

    def _check(self, headers: Mapping[str, str]) -> None:
        """Checks that a request comes from a program on this machine that has the token."""
        if headers.get("host", "").lower() not in self.server.hosts:
            raise HttpRefusal(421, "the Host header does not name this endpoint")
        if "origin" in headers or headers.get("sec-fetch-site", "none") != "none":
            raise HttpRefusal(403, "requests from web pages are refused")
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if not self.server.is_known(token.strip() if scheme.lower() == "bearer" else None):
            raise HttpRefusal(401, "the token is missing or wrong: Authorization: Bearer TOKEN")

    def _answer(self, method: str, path: str, content: bytes) -> None:
        if method != "POST":
            if path not in ABOUT:
                has_post = path in (*DIALECTS, OLLAMA_MODEL)
                raise (
                    HttpRefusal(405, "only POST is answered at this path")
                    if has_post
                    else HttpRefusal(404, nothing_at(path))
                )
            self._tell(200, ABOUT[path](self.server.writer.name))
            return
        if path == OLLAMA_MODEL:
            with told_faults():
                about = self.server.writer.about_model(path, parse_body(content))
            self._tell(200, about)
            return
        dialect = DIALECTS.get(path)
        if dialect is None:
            raise HttpRefusal(404, nothing_at(path))
        with told_faults():
            asked = dialect.read(parse_body(content))
            told = self._written(path, asked)
        self._tell_texts(dialect, asked, told)
        self.has_texts = True

    def _written(self, path: str, asked: EndpointRequest) -> Sequence[AnswerText]:
        @cache
        def found_part() -> FillablePart | None:
            hole = asked.hole
            said = language_said(asked.body, hole)
            return part_of(hole.left, hole.right, said, self.server.pythons)

        return self.server.writer.texts(path, asked, found_part, self._is_there)

    def _is_there(self) -> bool:
        """Whether the client still waits for its answer, that is, has not hung up.

        What it sends behind its request is dropped, because the end of its sending comes only behind that.
        """
        try:
            for _ in range(MOST_PIECES):
                readable, _, _ = select.select([self.connection], [], [], 0)
                if not readable:
                    return True
                if not self.connection.recv(1 << 16):
                    return False
        except (OSError, ValueError):
            return False
        return True

    def _tell(self, status: int, value: object) -> None:
        content = compact(value)
        self._send(status, "application/json", content, has_length=True)

    def _tell_texts(self, dialect: ApiDialect, asked: EndpointRequest, told: Sequence[AnswerText]) -> None:
        name = self.server.writer.name
        if asked.is_stream:
            content = b"".join(dialect.stream(name, told, asked))
            self._send(200, dialect.content_type, content, has_length=False)
        else:
            self._tell(200, dialect.whole(name, told))

    def _send(self, status: int, content_type: str, content: bytes, *, has_length: bool) -> None:
        """Sends an answer at once. A stream without a length ends with its connection."""
        size = f"Content-Length: {len(content)}\r\n" if has_length else ""
        head = (
            f"HTTP/1.1 {status} {responses.get(status, 'Error')}\r\nContent-Type: {content_type}\r\n{size}"
            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
        ).encode()
        self.connection.sendall(head if self.reader.method == "HEAD" else head + content)


def time_until(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


@contextmanager
def told_faults() -> Iterator[None]:
    """Turns a failure into the answer that the client gets."""
    try:
        yield
    except Refused as refusal:
        raise HttpRefusal(400, str(refusal)) from None
    except WritingFailed as failure:
        raise HttpRefusal(502, str(failure)) from None
    # The client gets the same answer to any failure, without any of its data.
    except Exception:
        raise HttpRefusal(500, "the request could not be answered") from None


def nothing_at(path: str) -> str:
    """The message for a path that is not answered."""
    return NO_CHAT if path in CHAT else "there is nothing at this path"


def parse_body(content: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        raise Refused("the body is not JSON") from None
    if not isinstance(found, dict):
        raise Refused("the body is not an object")
    return found
