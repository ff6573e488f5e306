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


class WatchedSocket:
    """A socket as `http.client` uses it. What is sent waits for `send`: a server that gets a request's head
    alone would begin to read it, perhaps on this processor, and wait again."""

    def __init__(self, plug: socket.socket, look: Look, seconds: float) -> None:
        self._plug = plug
        self._look = look
        self._seconds = seconds
        self._unsent: list[bytes] = []
        self._is_read = False

    def sendall(self, content: bytes) -> None:
        self._unsent.append(content)

    def send(self) -> None:
        """Sends what waits for it."""
        rest = memoryview(b"".join(self._unsent))
        self._unsent.clear()
        while rest:
            sent = wait_for(self._plug, partial(self._plug.send, rest), self._look, self._seconds)
            rest = rest[sent:]

    def makefile(self, mode: str) -> io.BufferedReader:
        assert mode == "rb"
        self._is_read = True
        return io.BufferedReader(WatchedReads(self._plug, self._look, self._seconds, is_owner=True))

    def close(self) -> None:
        """Closes the socket, unless an answer is read from it: that closes it at its own end."""
        if not self._is_read:
            self._plug.close()


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
