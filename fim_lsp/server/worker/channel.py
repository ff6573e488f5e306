"""Messages as bytes: a length, then the pickled value.

Both ends are the same program in the same environment and the pipe is private, so pickle is safe and needs no
schema. It also keeps surrogates, which JSON in UTF-8 would refuse.
"""

from __future__ import annotations

import pickle
import struct
from typing import Any, BinaryIO

LENGTH = struct.Struct("!I")


def framed_message(message: object) -> bytes:
    content = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(content)) + content


def read_message(stream: BinaryIO) -> Any:
    """The next message. Raises `EOFError` if the other side is gone."""
    (length,) = LENGTH.unpack(read_exactly(stream, LENGTH.size))
    return pickle.loads(read_exactly(stream, length))


def read_exactly(stream: BinaryIO, n_bytes: int) -> bytes:
    content = stream.read(n_bytes)
    if len(content) < n_bytes:
        raise EOFError("the other process is gone")
    return content
