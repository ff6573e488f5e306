"""An HTTP answer, parsed as it arrives.

`http.client` reads headers as those of an e-mail, and the lines of a chunked body piece by piece in Python.
For a short text that takes longer than all else that is done for it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from http.client import HTTPException

STATUS_LINE = re.compile(rb"HTTP/[01]\.[0-9] +([1-9][0-9]{2})(?:[ \t][^\n]*)?\r?\n?")
LENGTH = re.compile(r"[0-9]{1,18}")
CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
MOST_BYTES_OF_A_HEADER, MOST_HEADERS = 65_536, 100
# How much of a body is read at a time.
PIECE = 65_536


class GarbledAnswer(HTTPException):
    """An answer is not one of HTTP/1."""


class ServerAnswer:
    """A status and a body. The answer owns the connection that it is read from, which carries no other one.

    A body that ends early is taken as it came: what is in it says whether it is whole.
    """

    def __init__(self, content: io.BufferedReader) -> None:
        self._content = content
        self.status = self._read_status()
        headers = self._read_headers()
        # A server may say first that it goes on.
        while self.status < 200:
            self.status = self._read_status()
            headers = self._read_headers()
        self.server = headers.get("server", "")
        self._is_chunked = headers.get("transfer-encoding", "").lower() == "chunked"
        length = headers.get("content-length", "")
        self._length = int(length) if LENGTH.fullmatch(length) else None

    def close(self) -> None:
        self._content.close()

    def read(self, most: int) -> bytes:
        """The whole body, or at least so much of it."""
        pieces, n_bytes = [], 0
        for piece in self._pieces():
            pieces.append(piece)
            n_bytes += len(piece)
            if n_bytes >= most:
                break
        return b"".join(pieces)

    def lines(self, most: int) -> Iterator[bytes]:
        """The lines of the body. One with more than so many bytes comes in parts that have more, too."""
        begun: list[bytes] = []
        n_bytes = 0
        for piece in self._pieces():
            first, *others = piece.split(b"\n")
            begun.append(first)
            n_bytes += len(first)
            if others or n_bytes > most:
                yield b"".join(begun)
                yield from others[:-1]
                begun = others[-1:]
                n_bytes = sum(map(len, begun))
        yield b"".join(begun)

    def _read_status(self) -> int:
        line = self._content.readline(MOST_BYTES_OF_A_HEADER)
        if not line:
            raise ConnectionResetError("the connection was closed without an answer")
        found = STATUS_LINE.fullmatch(line)
        if found is None:
            raise GarbledAnswer("this is not an answer of HTTP/1")
        return int(found[1])

    def _read_headers(self) -> dict[str, str]:
        """The headers by their names in small letters; of equal ones, the first."""
        found: dict[str, str] = {}
        for _ in range(MOST_HEADERS):
            line = self._content.readline(MOST_BYTES_OF_A_HEADER)
            if line in (b"\r\n", b"\n", b""):
                return found
            if not line.endswith(b"\n"):
                raise GarbledAnswer("a header is too long")
            name, _, value = line.decode("latin-1").partition(":")
            found.setdefault(name.strip().lower(), value.strip())
        raise GarbledAnswer("there are too many headers")

    def _pieces(self) -> Iterator[bytes]:
        if not self._is_chunked:
            yield from self._pieces_of(self._length)
            return
        while line := self._content.readline(MOST_BYTES_OF_A_HEADER):
            found = CHUNK_SIZE.fullmatch(line)
            if found is None:
                raise GarbledAnswer("a chunk has no size")
            size = int(found[1], 16)
            # What follows the last chunk says nothing that is needed.
            if size == 0:
                return
            yield from self._pieces_of(size)
            self._content.readline(len(b"\r\n"))

    def _pieces_of(self, length: int | None) -> Iterator[bytes]:
        """The next bytes, so many of them, or all there are."""
        while length is None or length > 0:
            piece = self._content.read1(PIECE if length is None else min(length, PIECE))
            if not piece:
                return
            if length is not None:
                length -= len(piece)
            yield piece
