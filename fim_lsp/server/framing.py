"""The frames of messages, LSP's heads and bodies: where one ends and the next begins.

A head that cannot be read says nothing about where its body ends, so what follows may be the middle of a
message. Nothing can be answered any more, and no edit is seen: such a stream is given up, and said to be,
so that the editor starts another server instead of talking to a deaf one.
"""

from __future__ import annotations

import logging
import re
from typing import BinaryIO

logger = logging.getLogger(__name__)

# Names of headers have no case, and any white space may surround their values.
HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*?)[ \t]*\r?\n")
LENGTH = re.compile(rb"\d{1,20}")
MAX_LINE_BYTES = 1024
MAX_HEADERS = 32
# A file of 50 MB in which each character is escaped is no more.
MAX_BODY_BYTES = 512 << 20


class Garbled(Exception):
    """Messages can no longer be told apart. Says what was found without quoting it, as it may be source."""


def next_body(stream: BinaryIO) -> bytes | None:
    """The next message's body, always UTF-8; None at the end of the stream, be it in the middle of one."""
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
            # Empty lines between messages belong to none.
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
    """The body, in which bytes that are no UTF-8 become surrogates, one for one.

    Neovim sends a buffer's bytes as they are. JSON's reader lets surrogates pass, and editors count such a
    byte as one unit, as we do.
    """
    try:
        body.decode()
    except UnicodeDecodeError:
        logger.warning("a message holds bytes that are no UTF-8")
        return body.decode(errors="surrogateescape").encode(errors="surrogatepass")
    return body
