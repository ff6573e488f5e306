"""Requests to a server and its answers, bounded in time and size.

A server may be slow, dead, or send without end. Each of these is a `ServerError` with a sentence for the
user.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from functools import lru_cache
from http.client import HTTPException
from io import BufferedReader
from typing import Any

from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.answer import ServerAnswer
from fim_lsp.runtimes.served.spare import SpareConnection
from fim_lsp.runtimes.served.watched import WatchedReads, send_all

# The longest silence of a working server: it reads a long prompt on a small machine in this time.
SECONDS = 60.0
# The seconds for an answer to begin, or to end if it is wanted whole. An answer that drips in is never silent
# for long.
MOST_SECONDS = 120.0
# A whole vocabulary with its probabilities has some 30 MB.
MOST_BYTES = 128 << 20
MOST_BYTES_OF_A_LINE = 32 << 20
# A value takes some 70 bytes in memory for one or two in the answer, so values are counted, too. A vocabulary
# with its probabilities has 2.5 million.
MOST_VALUES = 4_000_000
# The seconds between two checks whether an answer is still wanted.
WANTED_SECONDS = 0.1
# Statuses of servers, or of proxies in front, that are busy or still starting. The request is repeated once.
BUSY = (429, 502, 503, 504)
# The path at which a vLLM with our plugin reports its tokens.
TOKENS_PATH = "/v1/fim-lsp"
# The errors from an answer of an unexpected form.
NONSENSE = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError)
# The path of a request, as it may stand in its first line.
TARGET = re.compile(r"/[!-~]*")
HUNG_UP = (ConnectionResetError, BrokenPipeError)
PAUSE = 0.25


class ServerError(Unavailable):
    """A server did not fulfil a request. `status` is HTTP's, if there is one.

    `may_pass` says that the same request may succeed in a moment.
    """

    def __init__(self, message: str, status: int | None = None, *, may_pass: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.may_pass = may_pass


class ConnectionLost(ServerError):
    """The server hung up before it had sent anything."""


def request_json(
    address: Address,
    path: str,
    body: Mapping[str, object] | None = None,
    seconds: float = SECONDS,
    most_seconds: float | None = None,
    is_wanted: Callable[[], bool] | None = None,
    meanwhile: Callable[[], object] | None = None,
) -> Any:
    """The JSON of a server's answer, to a POST if there is a body, otherwise to a GET.

    As soon as it is no longer wanted, the connection is closed. `meanwhile` is called once the request is
    sent, perhaps twice.
    """
    most_seconds = MOST_SECONDS if most_seconds is None else most_seconds
    watch = AnswerWatch(most_seconds, is_wanted)
    response = open_answer(address, path, body, seconds, watch, meanwhile)
    try:
        watch.begin_anew()
        content = response.read(MOST_BYTES + 1)
    except (OSError, HTTPException) as error:
        raise ServerError(f"{address} broke off its answer: {error_text(error)}") from error
    finally:
        response.close()
    if len(content) > MOST_BYTES:
        raise ServerError(f"{address} answers with more than {MOST_BYTES >> 20} MB")
    return parse_answer(address, content)


def requested_tokens(address: Address, path: str, body: Mapping[str, object], n_tokens: int) -> list[int]:
    """The `tokens` of a server's answer, each of which is below `n_tokens`."""
    found = request_json(address, path, body)
    tokens = found.get("tokens") if isinstance(found, dict) else None
    if not isinstance(tokens, list) or not all(
        isinstance(token, int) and 0 <= token < n_tokens for token in tokens
    ):
        raise ServerError(f"{address} gives no tokens for a text")
    return tokens


class StreamedLines:
    """The lines of an answer that arrives in pieces. The caller may close it on any thread.

    It must still be read to its end, which is then near, so that the reader frees the connection. An answer
    that is no longer wanted is closed, too, perhaps before it has begun, with a `ServerError`.
    """

    def __init__(
        self,
        address: Address,
        path: str,
        body: Mapping[str, object],
        is_wanted: Callable[[], bool] | None = None,
        meanwhile: Callable[[], object] | None = None,
        spare: SpareConnection | None = None,
    ) -> None:
        self._address = address
        self._is_closed = self._is_late = False
        watch = AnswerWatch(MOST_SECONDS, is_wanted)
        self._response = open_answer(address, path, body, SECONDS, watch, meanwhile, spare)
        self._socket = watch.plug
        if spare is not None:
            spare.note_server(self._response.server)
        # From now on the answer may take as long as it likes, but may not be silent for long.
        self._watch = watch
        watch.end = self._end
        watch.seconds = SECONDS
        self.go_on()

    def go_on(self) -> None:
        """Notes progress. A line that only keeps the connection alive is none."""
        self._watch.begin_anew()

    def _end(self, *, is_late: bool) -> None:
        """Ends an answer that is no longer wanted, or only sends blank lines or a line's bytes one by one."""
        self._is_late = is_late
        self.close()

    def close(self) -> None:
        """Ends the answer. The server notices the closed connection and stops."""
        # Data that the server goes on sending is ignored.
        self._is_closed = True
        with suppress(OSError):
            # Closing alone would not wake the thread that waits for the next line.
            self._socket.shutdown(socket.SHUT_RDWR)

    def __iter__(self) -> Iterator[bytes]:
        n_bytes = 0
        try:
            for line in self._response.lines(MOST_BYTES_OF_A_LINE):
                if self._is_closed:
                    break
                n_bytes += len(line)
                if len(line) > MOST_BYTES_OF_A_LINE or n_bytes > MOST_BYTES:
                    raise ServerError(f"{self._address} answers with more than can be read")
                if line.strip():
                    yield line.strip()
            if self._is_late:
                raise TimeoutError
        except (OSError, ValueError, HTTPException) as error:
            raise ServerError(f"{self._address} broke off its answer: {error_text(error)}") from error
        finally:
            self._response.close()


class AnswerWatch:
    """Looks from time to time whether an answer is still wanted, and in time.

    `end` is called where it is not; by default it raises `TimeoutError`.
    """

    # The connection that the answer comes from, once there is one.
    plug: socket.socket

    def __init__(self, seconds: float, is_wanted: Callable[[], bool] | None) -> None:
        self.seconds = seconds
        self.end: Callable[..., None] = end_in_time_out
        self._is_wanted = is_wanted
        self._next_look = 0.0
        self.begin_anew()

    def begin_anew(self) -> None:
        """Begins the time anew."""
        self._deadline = time.monotonic() + self.seconds

    def look(self) -> float:
        now = time.monotonic()
        if now >= self._deadline:
            self.end(is_late=True)
        elif self._is_wanted is not None and now >= self._next_look:
            self._next_look = now + WANTED_SECONDS
            if not self._is_wanted():
                self.end(is_late=False)
        left = self._deadline - now
        return left if self._is_wanted is None else min(left, WANTED_SECONDS)


def end_in_time_out(*, is_late: bool) -> None:  # noqa: ARG001
    raise TimeoutError


def open_answer(
    address: Address,
    path: str,
    body: Mapping[str, object] | None,
    seconds: float,
    watch: AnswerWatch,
    meanwhile: Callable[[], object] | None = None,
    spare: SpareConnection | None = None,
) -> ServerAnswer:
    """The beginning of an answer, on a connection of its own.

    If the server is busy, or hangs up before it has sent anything, the request is repeated once; at once if
    it has closed the spare connection in this moment.
    """
    plug = None if spare is None else spare.take()
    if plug is not None:
        with suppress(ConnectionLost):
            return opened_at_once(address, path, body, seconds, watch, meanwhile, plug)
    try:
        return opened_at_once(address, path, body, seconds, watch, meanwhile)
    except ServerError as error:
        if not error.may_pass:
            raise
    time.sleep(PAUSE)
    return opened_at_once(address, path, body, seconds, watch, meanwhile)


def opened_at_once(
    address: Address,
    path: str,
    body: Mapping[str, object] | None,
    seconds: float,
    watch: AnswerWatch,
    meanwhile: Callable[[], object] | None,
    plug: socket.socket | None = None,
) -> ServerAnswer:
    with ExitStack() as opened:
        try:
            request = request_bytes(address, path, body)
            plug = opened.enter_context(plug or open_socket(address, seconds))
            # A server that reads a long prompt begins its answer late.
            watch.begin_anew()
            watch.plug = plug
            # At once: a server that gets a request's head alone would begin to read it, perhaps on this
            # processor, and wait again.
            send_all(plug, request, watch.look, seconds)
            if meanwhile is not None:
                meanwhile()
            response = ServerAnswer(BufferedReader(WatchedReads(plug, watch.look, seconds, is_owner=True)))
            if response.status != 200:
                may_pass = response.status in BUSY
                message = f"{address} refused {path}: {refusal(response)}"
                raise ServerError(message, response.status, may_pass=may_pass)
        except (OSError, HTTPException) as error:
            message = f"{address} cannot be reached: {error_text(error)}"
            if isinstance(error, HUNG_UP):
                raise ConnectionLost(message, may_pass=True) from error
            raise ServerError(message) from error
        opened.pop_all()
    return response


def request_bytes(address: Address, path: str, body: Mapping[str, object] | None) -> bytes:
    """A whole request: a GET without a body, otherwise a POST."""
    target = address.base + path
    if not TARGET.fullmatch(target):
        raise HTTPException("its address has characters that no path may have")
    host = host_in_header(address.host)
    content = b"" if body is None else json.dumps(body).encode()
    lines = [
        f"{'GET' if body is None else 'POST'} {target} HTTP/1.1",
        f"Host: {host}:{address.port}",
        "Accept-Encoding: identity",
        "Accept: application/json",
        "Connection: close",
    ]
    if address.key:
        lines.append(f"Authorization: Bearer {address.key}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


# Python's own code for names of other alphabets takes as long as all else here.
@lru_cache(maxsize=64)
def host_in_header(host: str) -> str:
    try:
        return f"[{host}]" if ":" in host else host.encode("idna").decode()
    except UnicodeError:
        raise HTTPException("its name is none of a host") from None


def open_socket(address: Address, seconds: float) -> socket.socket:
    plug = socket.create_connection((address.host, address.port), seconds)
    try:
        plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if address.scheme != "https":
            return plug
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        return context.wrap_socket(plug, server_hostname=address.host)
    except BaseException:
        plug.close()
        raise


def refusal(response: ServerAnswer) -> str:
    """A status, with the server's message if that is short and printable."""
    said_so = ""
    with suppress(OSError, ValueError, AttributeError, HTTPException):
        found = json.loads(response.read(4096))
        found = found.get("error", found) if isinstance(found, dict) else found
        message = found.get("message", "") if isinstance(found, dict) else found
        said_so = " ".join(str(message).split())[:200]
    return f"{response.status} {said_so}".strip()


def parse_answer(address: Address, content: bytes) -> Any:
    """The JSON of an answer. Raises `ServerError` for invalid JSON, or for too much memory."""
    if sum(map(content.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise ServerError(f"{address} sent too many values")
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ServerError(f"{address} answers with something that is not JSON") from error


def error_text(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ConnectionRefusedError):
        return "no server listens there; is it started?"
    return str(error).strip() or type(error).__name__
