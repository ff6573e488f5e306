"""Answers of HTTP servers, as they arrive."""

from __future__ import annotations

from http.client import HTTPException
from io import BufferedReader, BytesIO, RawIOBase
from typing import Any

import pytest

from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.answer import PIECE, ServerAnswer
from fim_lsp.runtimes.served.wire import request_bytes, request_json

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: Chunked\r\n\r\n"


class Dripping(RawIOBase):
    """Bytes that arrive a few at a time."""

    def __init__(self, content: bytes, n_bytes: int) -> None:
        self._content = BytesIO(content)
        self._n_bytes = n_bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._content.read(min(self._n_bytes, len(buffer)))
        buffer[: len(piece)] = piece
        return len(piece)


def answered(content: bytes, n_bytes: int = 7) -> ServerAnswer:
    return ServerAnswer(BufferedReader(Dripping(content, n_bytes)))


@pytest.mark.parametrize("n_bytes", [1, 7, 10_000])
@pytest.mark.parametrize(
    ("content", "body"),
    [
        (OK + b"Content-Length: 5\r\n\r\na\nbc\nmore", b"a\nbc\n"),
        (OK + b"content-length:3\r\nContent-Length: 9\r\n\r\na\nbcd", b"a\nb"),
        (OK + b"\r\na\nbc", b"a\nbc"),
        (b"HTTP/1.0 200\n\na", b"a"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 1\r\n\r\nab", b"a"),
        (CHUNKED + b"2\r\na\n\r\n1;x=y\r\nb\r\nA\r\n0123\n56789\r\n0\r\n\r\nmore", b"a\nb0123\n56789"),
        # It ends early.
        (CHUNKED + b"ff\r\nab", b"ab"),
        (CHUNKED + b"2\r\nab\r\n", b"ab"),
        (OK + b"Content-Length: 50\r\n\r\nab", b"ab"),
        (OK + b"Content-Length: -1\r\n\r\nab", b"ab"),
    ],
)
def test_a_body_and_its_lines(content: bytes, body: bytes, n_bytes: int) -> None:
    assert answered(content, n_bytes).read(1000) == body
    assert b"\n".join(answered(content, n_bytes).lines(1000)) == body
    assert answered(content).status == 200


@pytest.mark.parametrize(
    "content",
    [
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 0200 OK\r\n\r\n",
        OK + b"A: " + b"a" * PIECE + b"\r\n\r\n",
        OK + b"A: a\r\n" * 101 + b"\r\n",
        CHUNKED + b"x\r\nab",
        CHUNKED + b"-1\r\nab",
        CHUNKED + b"2\r\nabc\r\n1\r\n",
    ],
)
def test_what_is_no_answer(content: bytes) -> None:
    with pytest.raises(HTTPException):
        answered(content).read(1000)


def test_a_server_that_only_hangs_up_may_be_asked_again() -> None:
    with pytest.raises(ConnectionResetError):
        answered(b"")


@pytest.mark.parametrize(
    "address",
    [
        Address("http", "127.0.0.1", 9, "/a b"),
        Address("http", "127.0.0.1", 9, "/\u00e9"),
        Address("http", "127.0.0.1", 9, "/a\r\nb: c"),
        Address("http", f"{'a' * 64}.example", 9),
    ],
)
def test_what_is_no_address_is_not_asked(address: Address) -> None:
    with pytest.raises(Unavailable, match="cannot be reached"):
        request_json(address, "/health")


def test_a_request_names_its_host() -> None:
    for host, name in (
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "[::1]"),
        ("m\u00fcller.example", "xn--mller-kva.example"),
    ):
        lines = request_bytes(Address("http", host, 9), "/health", None).decode().split("\r\n")
        assert lines[:2] == ["GET /health HTTP/1.1", f"Host: {name}:9"]
        assert lines[-2:] == ["", ""]
    content = request_bytes(Address("http", "a", 9, "/b", key="k"), "/c", {"d": "\u00e9"})
    assert content.startswith(b"POST /b/c HTTP/1.1\r\n")
    assert b"\r\nAuthorization: Bearer k\r\n" in content
    assert content.endswith(b'\r\nContent-Length: 15\r\n\r\n{"d": "\\u00e9"}')


def test_no_more_is_read_than_is_wanted() -> None:
    content = OK + b"\r\n" + b"a" * 10_000 + b"\nb\n"
    assert len(answered(content, 100).read(500)) < 700
    first, *_, last, behind = answered(content, 100).lines(500)
    assert 500 < len(first) < 700
    assert (last, behind) == (b"b", b"")
