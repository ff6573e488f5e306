"""Watched sockets: while one waits for them, one looks from time to time whether to wait on.

So neither a deadline nor a client that hangs up needs a thread of its own. To start one takes as long as all
else that is done for a short request, and far longer on a busy machine.
"""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Callable
from functools import partial
from typing import Any

Look = Callable[[], float]
"""Gives the seconds until the next look. Raises an `OSError` if nothing more is to be waited for."""
# A timeout of zero would mean not to wait at all.
FEWEST_SECONDS = 0.001


class WatchedReads(io.RawIOBase):
    """The bytes that arrive on a socket, with at most `seconds` of silence between them. An owner of the
    socket closes it with itself."""

    def __init__(self, plug: socket.socket, look: Look, seconds: float, *, is_owner: bool = False) -> None:
        self._plug = plug
        self._look = look
        self._seconds = seconds
        self._is_owner = is_owner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return wait_for(self._plug, partial(self._plug.recv_into, buffer), self._look, self._seconds)

    def close(self) -> None:
        super().close()
        if self._is_owner:
            self._plug.close()


def send_all(plug: socket.socket, content: bytes, look: Look, seconds: float) -> None:
    rest = memoryview(content)
    while rest:
        sent = wait_for(plug, partial(plug.send, rest), look, seconds)
        rest = rest[sent:]


def wait_for(plug: socket.socket, call: Callable[[], int], look: Look, seconds: float) -> int:
    """What a call of the socket gives, which may take so many seconds."""
    end = time.monotonic() + seconds
    while True:
        plug.settimeout(max(min(look(), end - time.monotonic()), FEWEST_SECONDS))
        try:
            return call()
        except TimeoutError:
            if time.monotonic() >= end:
                raise
