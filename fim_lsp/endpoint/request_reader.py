"""The one request of a connection, read strictly: its line, its headers and its body.

The parser of `http.server` is laxer than HTTP. Here everything that is not exactly one request is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from io import BufferedReader

from fim_lsp.runtimes.served.watched import WatchedReads

MOST_BYTES = 4 << 20
MOST_HEADERS = 64
REQUEST_LINE = re.compile(rb"(GET|HEAD|POST) (/[!-~]{0,500}) HTTP/1\.[01]\r\n")
HEADER = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*\r\n")
# A whole head, as nearly all are; the others are read line by line, to say what is wrong.
HEAD = re.compile(REQUEST_LINE.pattern + b"((?:" + HEADER.pattern + b"){0,%d})\r\n" % (MOST_HEADERS - 1))
LENGTH = re.compile(r"[0-9]{1,9}")
NO_BODY = b""


class HttpRefusal(Exception):
    """A refused request, with an HTTP status and a sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class RequestReader:
    """Reads a request. Its method and path are known as soon as its first line is read; until then they are
    empty."""

    def __init__(self, content: BufferedReader[WatchedReads]) -> None:
        self._content = content
        self.method, self.path = "", ""

    def headers(self) -> dict[str, str]:
        """The headers, by their names in small letters; the first line is read before them."""
        found = HEAD.match(self._content.peek())
        if found is not None:
            self._note_line(found)
            return self._headers_at_once(found)
        line = self._content.readline(1024)
        found = REQUEST_LINE.fullmatch(line)
        if not line:
            raise ConnectionResetError
        if found is None:
            raise HttpRefusal(*wrong_line(line))
        self._note_line(found)
        return dict(self._headers_by_line())

    def _note_line(self, found: re.Match[bytes]) -> None:
        self.method = found[1].decode()
        self.path = found[2].decode().partition("?")[0]

    def _headers_at_once(self, found: re.Match[bytes]) -> dict[str, str]:
        headers: dict[str, str] = {}
        for line in found[3].decode("latin-1").split("\r\n")[:-1]:
            name, _, value = line.partition(":")
            if name.lower() in headers:
                raise HttpRefusal(400, "a header is repeated")
            headers[name.lower()] = value.strip(" \t")
        self._content.read(found.end())
        return headers

    def _headers_by_line(self) -> Iterator[tuple[str, str]]:
        known = set()
        for _ in range(MOST_HEADERS):
            line = self._content.readline(8192)
            if line == b"\r\n":
                return
            if not line.endswith(b"\n"):
                raise HttpRefusal(431, "a header is too long") if len(line) == 8192 else ConnectionResetError
            if not HEADER.fullmatch(line):
                raise HttpRefusal(400, "a header is malformed")
            name, _, value = line.decode("latin-1").partition(":")
            if name.lower() in known:
                raise HttpRefusal(400, "a header is repeated")
            known.add(name.lower())
            yield name.lower(), value.strip(" \t\r\n")
        raise HttpRefusal(431, "there are too many headers")

    def body(self, headers: Mapping[str, str], send: Callable[[bytes], object]) -> bytes:
        """The body of a POST; `send` answers a client that waits before it sends it."""
        if "transfer-encoding" in headers:
            raise HttpRefusal(501, "the body must come with its length, not in chunks")
        length = headers.get("content-length")
        if self.method != "POST":
            if length not in (None, "0"):
                raise HttpRefusal(400, f"a {self.method} has no body")
            return NO_BODY
        if length is None:
            raise HttpRefusal(411, "the body's length is missing")
        if not LENGTH.fullmatch(length):
            raise HttpRefusal(400, "the body's length is not a number")
        if int(length) > MOST_BYTES:
            raise HttpRefusal(413, f"a body has at most {MOST_BYTES >> 20} MB")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HttpRefusal(415, "the body must be JSON: Content-Type: application/json")
        if headers.get("expect", "").lower() == "100-continue":
            send(b"HTTP/1.1 100 Continue\r\n\r\n")
        content = self._content.read(int(length))
        if len(content) < int(length):
            raise ConnectionResetError
        return content


def wrong_line(line: bytes) -> tuple[int, str]:
    method = line.partition(b" ")[0]
    if len(line) == 1024:
        return 414, "the path is too long"
    if (
        re.fullmatch(rb"[A-Z]+", method)
        and method not in (b"GET", b"HEAD", b"POST")
        and line.endswith(b"\r\n")
    ):
        return 405, "only GET, HEAD and POST are answered"
    return 400, "this is not a request of HTTP/1.1"
