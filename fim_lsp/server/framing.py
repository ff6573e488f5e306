"""The framing of messages: LSP's heads and bodies.

An unreadable head does not give the length of its body, so the next bytes may be the middle of a message.
Then no request can be answered and edits would be lost. Such a stream is given up with a message, so that the
editor starts another server instead of talking to a deaf one.
"""

from __future__ import annotations

import logging
import re
from typing import BinaryIO

logger = logging.getLogger(__name__)

# Names of headers ignore case, and white space may surround their values.
HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*?)[ \t]*\r?\n")
LENGTH = re.compile(rb"\d{1,20}")
MAX_LINE_BYTES = 1024
MAX_HEADERS = 32
# A file of 50 MB with all characters escaped is smaller.
MAX_BODY_BYTES = 512 << 20


class Garbled(Exception):
    """Messages can no longer be told apart. The text does not quote the input, which may be source."""


def next_body(stream: BinaryIO) -> bytes | None:
    """The next message's body, always UTF-8; None at the end of the stream, even inside a message."""
    length = body_length(stream)
    if length is None:
        return None
    try:
        body = stream.read(length)
    except MemoryError:
        raise Garbled(f"a message of {length} bytes does not fit into memory") from None
    if len(body) < length:
        logger.warning("the client's stream ends in the middle of a message")
        return None
    return as_utf8(body)


def body_length(stream: BinaryIO) -> int | None:
    """Reads a message's head; None at the end of the stream."""
    length: int | None = None
    n_headers = 0
    while line := stream.readline(MAX_LINE_BYTES):
        if not line.strip():
            # Empty lines between messages are skipped.
            if n_headers == 0:
                continue
            if length is None:
                raise Garbled("a head without Content-Length")
            return length
        header = HEADER.fullmatch(line)
        n_headers += 1
        if header is None or n_headers > MAX_HEADERS:
            if not line.endswith(b"\n") and len(line) < MAX_LINE_BYTES:
                break
            raise Garbled("a line where a header should be, which is none")
        if header[1].lower() == b"content-length":
            length = checked_length(header[2], length)
    return None


def checked_length(value: bytes, known: int | None) -> int:
    if LENGTH.fullmatch(value) is None:
        raise Garbled("a Content-Length that is no number")
    length = int(value)
    if length > MAX_BODY_BYTES:
        raise Garbled(f"a Content-Length of more than {MAX_BODY_BYTES >> 20} MB")
    if known is not None and known != length:
        raise Garbled("two Content-Lengths that differ")
    return length


def as_utf8(body: bytes) -> bytes:
    """The body, with each byte that is not UTF-8 as a surrogate.

    Neovim sends a buffer's bytes unchanged. The JSON parser accepts surrogates, and editors count such a byte
    as one unit, as we do.
    """
    try:
        body.decode()
    except UnicodeDecodeError:
        logger.warning("a message holds bytes that are no UTF-8")
        return body.decode(errors="surrogateescape").encode(errors="surrogatepass")
    return body
